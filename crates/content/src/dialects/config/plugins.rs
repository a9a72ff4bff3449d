//! The plug-ins of MkDocs.

use crate::syntax::front::{Front, Node};

/// Plug-ins that load others, if they are enabled.
const GROUPS: [&str; 2] = ["group", "material/group"];
/// How deep groups are read.
const DEEPEST: usize = 4;

/// All plug-ins in order, each by its name or as a map of names and options. Those of an enabled group
/// are among them.
pub fn plugins(front: &Front) -> Vec<&Node> {
    let mut found = Vec::new();
    add(front.items("plugins"), &mut found, 0);
    found
}

fn add<'f>(nodes: &'f [Node], found: &mut Vec<&'f Node>, depth: usize) {
    for node in nodes {
        found.push(node);
        for group in GROUPS.iter().filter_map(|name| node.get(name)) {
            let get = |key: &str| group.node.get(key).map(|entry| &entry.node);
            let is_enabled = get("enabled").and_then(Node::bool) == Some(true);
            if let Some(inner) = get("plugins").filter(|_| is_enabled && depth < DEEPEST) {
                add(inner.items(), found, depth + 1);
            }
        }
    }
}
