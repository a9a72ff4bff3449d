//! The profiles of a Quarto project in which its owner builds it without an option: those of
//! `profile.default`, and of each group without one of them the first.

use super::texts_in;
use crate::dialects::config::read;
use crate::dialects::evidence::Evidence;
use crate::syntax::front::{Front, Node, Value};

/// The maximum number of active profiles.
const MOST: usize = 20;

/// The active profiles.
pub(super) fn active(front: &Front) -> Vec<String> {
    let node = |key: &str| front.get(key).map(|entry| &entry.node);
    let mut active = node("profile.default").map_or_else(Vec::new, texts_in);
    for group in node("profile.group").map_or_else(Vec::new, groups) {
        if !group.iter().any(|name| active.contains(name)) {
            active.extend(group.into_iter().next());
        }
    }
    active.truncate(MOST);
    active
}

/// What the active profiles add to the configuration, such as `_quarto-public.yml`.
pub(super) fn configurations(evidence: &Evidence<'_>, front: &Front) -> Vec<Front> {
    let active = active(front).into_iter();
    let file = |name: String| {
        let mut endings = ["yml", "yaml"].into_iter();
        endings.find_map(|ending| evidence.file(&format!("_quarto-{name}.{ending}")))
    };
    active.filter_map(file).map(|file| read(file).0).collect()
}

/// One group is a list of names, several are a list of lists.
fn groups(node: &Node) -> Vec<Vec<String>> {
    let is_group = |item: &Node| matches!(item.value, Value::List(_));
    match node.items() {
        items if items.iter().any(is_group) => items.iter().map(texts_in).collect(),
        _ => vec![texts_in(node)],
    }
}
