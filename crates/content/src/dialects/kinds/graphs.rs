//! Notes of Logseq and Dendron: what these programs publish of them. The notes themselves are read as
//! those of a vault.

use crate::dialects::config::{Glob, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::Chosen;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front, Node, Value};

/// The settings of Logseq, and of Dendron.
const LOGSEQ: &str = "logseq/config.edn";
const DENDRON: &str = "dendron.yml";
/// The most folders or hierarchies.
const MOST: usize = 1000;
/// Where Dendron's settings of the site are.
const SECTIONS: [&str; 2] = ["publishing", "site"];
/// Its key of whether notes are published that do not say so.
const BY_DEFAULT: &str = "publishByDefault";
/// The hierarchy of Dendron that has all others.
const ROOT: &str = "root";

/// The file that shows such a folder.
pub fn found(evidence: &Evidence<'_>) -> Option<String> {
    evidence.first(&[LOGSEQ, DENDRON])
}

/// Whether the notes are pages of Logseq.
pub fn is_of_logseq(evidence: &Evidence<'_>) -> bool {
    evidence.file(LOGSEQ).is_some()
}

/// Whether the notes are those of Dendron.
pub fn is_of_dendron(evidence: &Evidence<'_>) -> bool {
    evidence.file(DENDRON).is_some()
}

/// What is published of the notes of such a folder.
pub fn chosen(evidence: &Evidence<'_>) -> Vec<Chosen> {
    match of_logseq(evidence) {
        Some(chosen) => vec![chosen],
        None => of_dendron(evidence),
    }
}

/// Pages with `public:: true`, or all where the settings say so.
fn of_logseq(evidence: &Evidence<'_>) -> Option<Chosen> {
    let file = evidence.file(LOGSEQ)?;
    let (text, _) = decode(&file.bytes, &file.path);
    let settings: Vec<&str> = text.lines().map(without_comment).collect();
    let settings = settings.join(" ");
    let value = |key: &str| Some(settings.split_once(key)?.1.trim_start());
    let all = value("all-pages-public? ").is_some_and(|value| value.starts_with("true"));
    let hidden = value(":hidden").and_then(|value| value.strip_prefix('[')?.split(']').next());
    let hidden = hidden.unwrap_or_default().split('"').skip(1).step_by(2);
    let folders = ["logseq"].into_iter().chain(hidden).take(MOST);
    Some(Chosen {
        folder: String::new(),
        by: LOGSEQ.to_owned(),
        key: "public",
        in_properties: true,
        only_by_key: !all,
        excluded: folders
            .filter_map(|path| Glob::parse(&format!("/{}", path.trim_matches('/'))))
            .collect(),
        included: Vec::new(),
    })
}

/// A line of EDN without its comment.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let comment = line.find(|character| {
        is_quoted ^= character == '"';
        character == ';' && !is_quoted
    });
    comment.map_or(line, |at| &line[..at])
}

/// The hierarchies that are published, without private vaults; and those of which only notes are that
/// say so. Of a configuration that is not valid nothing is known.
fn of_dendron(evidence: &Evidence<'_>) -> Vec<Chosen> {
    let Some((front, _, problems)) = evidence.file(DENDRON).map(read) else {
        return Vec::new();
    };
    let listed = SECTIONS.map(|section| format!("{section}.siteHierarchies"));
    let names = listed.iter().find_map(|key| front.get(key));
    let names = names.map_or(&[][..], |entry| entry.node.items());
    let names: Vec<&str> = names.iter().filter_map(Node::text).take(MOST).collect();
    let has_all = names.is_empty() || names.contains(&ROOT);
    let named = names.iter().filter(|_| !has_all);
    let included = named.flat_map(|name| notes("**", name));
    let hierarchies = Chosen {
        folder: String::new(),
        by: DENDRON.to_owned(),
        key: "",
        in_properties: false,
        only_by_key: !problems.is_empty(),
        excluded: private(&front)
            .filter_map(|folder| Glob::parse(&format!("/{}", folder.trim_matches('/'))))
            .collect(),
        included: included
            .filter_map(|pattern| Glob::parse(&pattern))
            .collect(),
    };
    let by_key = Chosen {
        key: "published",
        excluded: by_key(&front),
        included: Vec::new(),
        only_by_key: false,
        ..hierarchies.clone()
    };
    vec![hierarchies, by_key]
}

/// The patterns of the notes of a hierarchy below a folder.
fn notes(folder: &str, name: &str) -> Vec<String> {
    match name {
        ROOT => vec![format!("{folder}/*.md")],
        name => vec![
            format!("{folder}/{name}.md"),
            format!("{folder}/{name}.*.md"),
        ],
    }
}

/// The notes that are published only if they say so: `publishByDefault: false` of a hierarchy, in all
/// vaults or in some. The hierarchy `root` is for all without a value of their own.
fn by_key(front: &Front) -> Vec<Glob> {
    let mut globs = Vec::new();
    let mut add = |folder: &str, name: &str, is_public: bool| {
        let found = notes(folder, name)
            .into_iter()
            .filter_map(|pattern| Glob::parse(&pattern));
        globs.extend(found.map(|glob| if is_public { glob.negate() } else { glob }));
    };
    let all = SECTIONS.map(|section| format!("{section}.{BY_DEFAULT}"));
    if let Some(is_public) = all.iter().find_map(|key| front.bool(&[key])) {
        add("**", ROOT, is_public);
    }
    for (name, node) in hierarchies(front) {
        match &node.value {
            Value::Map(vaults) => {
                for Entry { key, node } in vaults.iter().take(MOST) {
                    let folder = vault(front, &key.text).unwrap_or_else(|| key.text.clone());
                    add(&format!("/{folder}/**"), name, node.bool() != Some(false));
                }
            }
            _ => add("**", name, node.bool() != Some(false)),
        }
    }
    globs
}

/// The hierarchies with a value for all their notes, `root` first.
fn hierarchies(front: &Front) -> Vec<(&str, &Node)> {
    let mut found = Vec::new();
    for section in SECTIONS {
        for key in ["hierarchy", "config"] {
            let entry = front.get(&format!("{section}.{key}"));
            let Some(Value::Map(entries)) = entry.map(|entry| &entry.node.value) else {
                continue;
            };
            let named = entries.iter().take(MOST).filter_map(|entry| {
                let value = entry.node.get(BY_DEFAULT)?;
                Some((entry.key.text.as_str(), &value.node))
            });
            found.extend(named);
        }
    }
    found.sort_by_key(|(name, _)| *name != ROOT);
    found
}

/// The folder of a vault, by its name.
fn vault(front: &Front, name: &str) -> Option<String> {
    let is_it = |vault: &&Node| {
        let texts = ["name", "fsPath"].map(|key| vault.get(key)?.node.text());
        texts.contains(&Some(name))
    };
    let vault = vaults(front).iter().take(MOST).find(is_it)?;
    let folder = vault.get("fsPath")?.node.text()?;
    Some(folder.trim_matches(['.', '/']).to_owned())
}

fn vaults(front: &Front) -> &[Node] {
    let vaults = ["workspace.vaults", "vaults"];
    let vaults = vaults.iter().find_map(|key| front.get(key));
    vaults.map_or(&[][..], |entry| entry.node.items())
}

/// The folders of private vaults.
fn private(front: &Front) -> impl Iterator<Item = &str> {
    vaults(front).iter().take(MOST).filter_map(|vault| {
        let value = |key: &str| vault.get(key)?.node.text();
        value("fsPath").filter(|_| value("visibility") == Some("private"))
    })
}
