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
/// The hierarchy of Dendron that has all others.
const ROOT: &str = "root";

/// The file that shows such a folder.
pub fn found(evidence: &Evidence<'_>) -> Option<String> {
    evidence.first(&[LOGSEQ, DENDRON])
}

/// What is published of the notes of such a folder.
pub fn chosen(evidence: &Evidence<'_>) -> Option<Chosen> {
    of_logseq(evidence).or_else(|| of_dendron(evidence))
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
            .filter_map(|path| Glob::of(&format!("/{}", path.trim_matches('/'))))
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

/// The hierarchies that are published, without private vaults. Of a configuration that is not valid
/// nothing is known.
fn of_dendron(evidence: &Evidence<'_>) -> Option<Chosen> {
    let (front, _, problems) = read(evidence.file(DENDRON)?);
    let listed = ["publishing.siteHierarchies", "site.siteHierarchies"];
    let names = listed.iter().find_map(|key| front.get(key));
    let names = names.map_or(&[][..], |entry| entry.node.items());
    let names: Vec<&str> = names.iter().filter_map(Node::text).take(MOST).collect();
    let has_all = names.is_empty() || names.contains(&ROOT);
    let named = names.iter().filter(|_| !has_all);
    let included = named.flat_map(|name| [format!("**/{name}.md"), format!("**/{name}.*.md")]);
    Some(Chosen {
        folder: String::new(),
        by: DENDRON.to_owned(),
        key: "",
        in_properties: false,
        only_by_key: !problems.is_empty(),
        excluded: private(&front)
            .filter_map(|folder| Glob::of(&format!("/{}", folder.trim_matches('/'))))
            .collect(),
        included: included.filter_map(|pattern| Glob::of(&pattern)).collect(),
    })
}

/// The folders of private vaults.
fn private(front: &Front) -> impl Iterator<Item = &str> {
    let vaults = ["workspace.vaults", "vaults"];
    let vaults = vaults.iter().find_map(|key| front.get(key));
    let vaults = vaults.map_or(&[][..], |entry| entry.node.items());
    vaults.iter().take(MOST).filter_map(|vault| {
        let Value::Map(entries) = &vault.value else {
            return None;
        };
        let value = |key: &str| {
            let mut entries = entries.iter();
            let Entry { node, .. } = entries.find(|entry| entry.key.text == key)?;
            node.text()
        };
        value("fsPath").filter(|_| value("visibility") == Some("private"))
    })
}
