//! `permalinks` of Hugo: maps of folders, maps of kinds, and lists of targets.

use super::KINDS;
use crate::dialects::config::{AddressRule, Config, Glob};
use crate::syntax::front::{Entry, Front, Node, Value};

/// The maximum number of rules.
const MOST: usize = 1000;

/// Reads the rules of the site and those of its languages.
pub fn read(config: &mut Config, front: &Front) {
    let languages = front.get("languages").map(|entry| &entry.node.value);
    if let Some(Value::Map(languages)) = languages {
        for language in languages {
            let rules = language.node.get("permalinks");
            rules_of(config, rules, Some(&language.key.text));
        }
    }
    rules_of(config, front.get("permalinks"), None);
}

fn rules_of(config: &mut Config, rules: Option<&Entry>, language: Option<&str>) {
    let Some(entry) = rules else { return };
    let found: Vec<(&str, AddressRule)> = match &entry.node.value {
        Value::Map(entries) => entries.iter().flat_map(in_map).collect(),
        _ => entry.node.items().iter().filter_map(in_list).collect(),
    };
    for (name, rule) in found {
        if config.address_rules.len() >= MOST {
            return;
        }
        config.say(&format!("permalinks.{name}"), &rule.pattern);
        config.address_rules.push(AddressRule {
            of_language: language.map(str::to_owned),
            ..rule
        });
    }
}

/// `posts: /:year/:slug/` is for pages and terms, `section: {posts: /blog/}` for one kind.
fn in_map(entry: &Entry) -> Vec<(&str, AddressRule)> {
    let name = entry.key.text.to_lowercase();
    if let Value::Map(folders) = &entry.node.value {
        let is_kind = KINDS.contains(&&*name);
        let folders = folders.iter().filter(|_| is_kind);
        return folders.filter_map(|one| of_folder(one, &name)).collect();
    }
    of_folder(entry, "{page,term}").into_iter().collect()
}

/// The pages of a folder, and what is below it; `/` means the pages at the root.
fn of_folder<'e>(entry: &'e Entry, kinds: &str) -> Option<(&'e str, AddressRule)> {
    let folder = entry.key.text.trim_matches([' ', '/']).to_lowercase();
    let paths = match &*folder {
        "" => "*".to_owned(),
        folder => format!("{{{folder},{folder}/**}}"),
    };
    let rule = AddressRule {
        pattern: entry.node.text()?.to_owned(),
        paths: Some(Glob::parse_paths("", &paths)),
        kinds: Some(Glob::parse_paths("", kinds)),
        ..AddressRule::default()
    };
    Some((&entry.key.text, rule))
}

/// `{pattern: /:slug/, target: {path: /posts/**, kind: page, environment: production}}`.
fn in_list(item: &Node) -> Option<(&str, AddressRule)> {
    let target = item.get("target").map(|entry| &entry.node);
    let globs = |key: &str| {
        let text = target?.get(key)?.node.text()?;
        Some(Glob::parse_paths("", &text.to_lowercase()))
    };
    let environment = globs("environment");
    let is_built = |globs: Vec<Glob>| globs.iter().any(|glob| glob.fits("production"));
    if !environment.is_none_or(is_built) {
        return None;
    }
    let matrix = target.and_then(|target| target.get("sites")?.node.get("matrix"));
    let languages = matrix.and_then(|matrix| matrix.node.get("languages"));
    let languages = languages.map(|entry| {
        let names = entry.node.items().iter().filter_map(Node::text);
        let globs = names.flat_map(|name| Glob::parse_paths("", name));
        globs.collect::<Vec<Glob>>()
    });
    let rule = AddressRule {
        pattern: item.get("pattern")?.node.text()?.to_owned(),
        paths: globs("path"),
        kinds: globs("kind"),
        languages: languages.or_else(|| globs("lang")),
        of_language: None,
    };
    Some(("pattern", rule))
}
