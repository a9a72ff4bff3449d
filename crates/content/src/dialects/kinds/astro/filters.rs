//! What the pages of an Astro site leave out of a collection: `getCollection('blog', ({ data }) =>
//! !data.wip)`. A key counts if every call for the collection has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::dialects::config::{Config, Defaults, Glob, Needs};
use crate::dialects::evidence::Evidence;
use crate::model::path::inside_or_folder;
use crate::syntax::front::{Entry, Node};

/// The function that gives a collection.
const GETTER: &str = "getCollection(";
/// The endings of files with calls.
const PROGRAMS: [&str; 7] = ["astro", "ts", "js", "mjs", "tsx", "jsx", "mdx"];
/// The maximum number of files that are looked through, and of calls.
const MOST: usize = 5000;
/// The longest arguments of a call, in bytes.
const LONGEST: usize = 2000;
/// The largest file, in bytes.
const LARGEST: usize = 1_000_000;

/// Keys and the values that leave a text out.
type Keys = BTreeSet<(String, bool)>;

/// Withholds the texts that every call leaves out.
pub fn settle(evidence: &Evidence<'_>, source: &str, config: &mut Config) {
    let mut given: Vec<Defaults> = Vec::new();
    for (name, keys) in filtered(evidence, source) {
        let folder = inside_or_folder(source, &format!("content/{name}"));
        for (key, value) in keys {
            config.say(&format!("getCollection.{name}"), &key);
            let globs = Glob::of_paths(&folder, "**").into_iter();
            given.extend(globs.map(|glob| {
                let needs = Needs {
                    keys: vec![key.clone()],
                    value: Some(value.to_string()),
                };
                Defaults::of(Some(glob), vec![unpublished()]).with_needs(needs)
            }));
        }
    }
    config.add_defaults(given);
}

fn unpublished() -> Entry {
    Entry {
        key: Node::plain("unpublished", 0, 0).into_key(),
        node: Node::plain("true", 0, 0),
    }
}

/// The keys of each collection that all its calls have.
fn filtered(evidence: &Evidence<'_>, source: &str) -> BTreeMap<String, Keys> {
    let mut all: BTreeMap<String, Keys> = BTreeMap::new();
    let is_program = |path: &str| {
        let (_, ending) = path.rsplit_once('.').unwrap_or_default();
        PROGRAMS.contains(&ending)
    };
    let files = evidence.below(source);
    let files = files.filter(|file| is_program(&file.path) && file.bytes.len() <= LARGEST);
    for file in files.take(MOST) {
        let text = String::from_utf8_lossy(&file.bytes);
        for call in text.split(GETTER).skip(1).take(MOST) {
            let Some((name, filter)) = arguments(call) else {
                continue;
            };
            let keys = keys(filter);
            match all.get_mut(name) {
                Some(known) => known.retain(|key| keys.contains(key)),
                None => {
                    all.insert(name.to_owned(), keys);
                }
            }
        }
    }
    all
}

/// The name of a collection, and the text of the filter.
fn arguments(call: &str) -> Option<(&str, &str)> {
    let call = call.trim_start();
    let call = &call[..call.floor_char_boundary(LONGEST)];
    let quote = call.chars().next().filter(|c| "'\"`".contains(*c))?;
    let (name, rest) = call[1..].split_once(quote)?;
    let mut depth = 0_usize;
    let end = rest.find(|c| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        false
    });
    Some((name, &rest[..end.unwrap_or(rest.len())]))
}

/// The keys that a filter asks for.
fn keys(filter: &str) -> Keys {
    const FALSE: [&str; 4] = ["=== true", "== true", "!== false", "!= false"];
    const TRUE: [&str; 4] = ["!== true", "!= true", "=== false", "== false"];
    let mut keys = Keys::new();
    let is_choice = filter.contains("||");
    for (at, sign) in filter.match_indices("data.") {
        let behind = &filter[at + sign.len()..];
        let rest =
            behind.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let key = &behind[..behind.len() - rest.len()];
        let before = filter[..at].trim_end_matches(|c: char| c.is_alphanumeric() || c == '.');
        let rest = rest.trim_start_matches([' ', '\t']);
        let begins = |signs: &[&str]| signs.iter().any(|sign| rest.starts_with(sign));
        let is_alone = rest.is_empty() || rest.starts_with(['\n', ')', '&', '}', ';', ',', ':']);
        let value = match before.ends_with('!') && !before.ends_with("!!") {
            true if is_alone => Some(true),
            _ if begins(&TRUE) => Some(true),
            _ if begins(&FALSE) => Some(false),
            // Of a choice another part may hold.
            false if is_alone && !is_choice => Some(false),
            _ => None,
        };
        if let Some(value) = value.filter(|_| !key.is_empty()) {
            keys.insert((key.to_owned(), value));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_26_filters_ask_for_keys() {
        let check = |call: &str, expected: &[(&str, bool)]| {
            let (_, filter) = arguments(call).unwrap();
            let found = keys(filter);
            let expected = expected
                .iter()
                .map(|(key, value)| ((*key).to_owned(), *value));
            assert_eq!(found, expected.collect(), "{call}");
        };
        check("'a')", &[]);
        check("\"a\", ({ data }) => !data.wip)", &[("wip", true)]);
        check(
            "'a', (p) => { return !p.data.wip && p.data.live; })",
            &[("live", false), ("wip", true)],
        );
        check("'a', ({data}) => data.x !== true)", &[("x", true)]);
        check(
            "'a', ({data}) => import.meta.env.PROD ? data.y === true : true)",
            &[("y", false)],
        );
        check(
            "'a', ({data}) => import.meta.env.DEV || !data.wip)",
            &[("wip", true)],
        );
        check("'a', ({data}) => data.a || data.b)", &[]);
        check("'a', ({data}) => data.lang === 'en')", &[]);
    }

    proptest::proptest! {
        #[test]
        fn no_filter_panics(text in "('a'|, |data\\.|!|x|=== true|!== false|\\(|\\)|\\|\\||&&|é| ){0,30}") {
            if let Some((_, filter)) = arguments(&text) {
                keys(filter);
            }
        }
    }
}
