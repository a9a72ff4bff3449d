//! Series in front matter: texts that belong together, in an order.

use super::fields::without_repeats;
use crate::model::text::plain;
use crate::syntax::front::{Front, Node, Value};

/// Keys of the series of a text.
const SERIES: [&str; 7] = [
    "series",
    "series_name",
    "series_title",
    "taxonomies.series",
    "extra.series",
    "params.series",
    "series_slug",
];
/// Keys of the number of a text in its series.
const NUMBER: [&str; 10] = [
    "series_order",
    "series_part",
    "series_index",
    "series_number",
    "series_weight",
    "series_position",
    "extra.series_order",
    "extra.series_index",
    "extra.series_part",
    "part",
];
/// Keys of the name in a map.
const NAME: [&str; 4] = ["name", "title", "id", "slug"];
/// Keys of the number in a map.
const PLACE: [&str; 6] = ["order", "part", "index", "number", "weight", "position"];

/// The series that a text is a part of, and its number there if it has one.
pub fn from_front(front: &Front) -> Vec<(String, Option<i64>)> {
    let Some(entry) = SERIES.iter().find_map(|key| front.spelled(key)) else {
        return Vec::new();
    };
    let number = NUMBER
        .iter()
        .find_map(|key| front.spelled(key)?.node.integer());
    let mut found: Vec<(String, Option<i64>)> = Vec::new();
    for node in entry.node.items() {
        let Some((name, own)) = part(node) else {
            continue;
        };
        for name in without_repeats(vec![name]) {
            if found.iter().all(|(other, _)| *other != name) {
                found.push((name, own.or(number)));
            }
        }
    }
    found
}

/// The name of a series, and the number of the text in it.
fn part(node: &Node) -> Option<(String, Option<i64>)> {
    let integer = |key: &&str| node.get(key)?.node.integer();
    let (name, number) = match node.value {
        Value::Map(_) => (
            NAME.iter().find_map(|key| node.get(key)?.node.text())?,
            PLACE.iter().find_map(integer),
        ),
        _ if node.bool().is_some() || node.integer().is_some() => return None,
        _ => (node.text()?, None),
    };
    Some((plain(name), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::front::split;

    fn check(front: &str, expected: &str) {
        let front = split(&format!("---\n{front}\n---\n"), "a.md").front;
        let shown: Vec<String> = from_front(&front)
            .iter()
            .map(|(name, number)| format!("{name} {number:?}"))
            .collect();
        assert_eq!(shown.join("; "), expected, "{front:?}");
    }

    #[test]
    fn a_series_in_every_spelling() {
        check("series: Rust, slowly", "Rust, slowly None");
        check("series: [A, B]\nseries_order: 2", "A Some(2); B Some(2)");
        check("series: {name: A, part: 3}", "A Some(3)");
        check(
            "series:\n  - title: A\n    order: 1\n  - B",
            "A Some(1); B None",
        );
        check("taxonomies:\n  series: [A]", "A None");
        check("series: A\npart: 4", "A Some(4)");
        check("series: [A, A]", "A None");
        check("series: true", "");
        check("series: ''", "");
        check("series: 7", "");
    }
}
