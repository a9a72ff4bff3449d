//! What the pages of an Astro site leave out of a collection: `getCollection('blog', ({ data }) =>
//! !data.wip)`. A key counts if every call for the collection has it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::dialects::collections::Collections;
use crate::dialects::config::{Config, Defaults, Glob, Needs};
use crate::dialects::evidence::Evidence;
use crate::model::path::inside_or_folder;
use crate::syntax::front::Entry;

/// The functions that give a collection, and entries of one.
const GETTERS: [&str; 3] = ["getCollection", "getEntry", "getEntries"];
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
pub fn settle(
    evidence: &Evidence<'_>,
    source: &str,
    collections: &Collections,
    config: &mut Config,
) {
    let mut given: Vec<Defaults> = Vec::new();
    for (name, keys) in filtered(evidence, source) {
        let usual = Glob::parse_paths(&inside_or_folder(source, &format!("content/{name}")), "**");
        let texts = collections.loaded(&name).unwrap_or(&usual);
        for (key, value) in keys {
            config.say(&format!("getCollection.{name}"), &key);
            given.extend(texts.iter().cloned().map(|glob| {
                let needs = Needs {
                    keys: vec![key.clone()],
                    value: Some(value.to_string()),
                };
                let unpublished = Entry::plain("unpublished", "true", 0, 0);
                Defaults::new(Some(glob), vec![unpublished]).with_needs(needs)
            }));
        }
    }
    config.add_defaults(given);
}

/// A call of one of the functions.
enum Call<'t> {
    /// For a collection, with the text of its filter.
    Of(&'t str, &'t str),
    /// For a collection that only the program knows.
    OfAny,
    /// No call, or one that follows a reference of an entry.
    None,
}

/// The keys of each collection that all its calls have. None, if a program may ask for any
/// collection.
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
        for getter in GETTERS {
            for behind in text.split(getter).skip(1).take(MOST) {
                match call(getter, behind) {
                    Call::Of(name, filter) => {
                        let keys = keys(filter);
                        let known = all.entry(name.to_owned()).or_insert_with(|| keys.clone());
                        known.retain(|key| keys.contains(key));
                    }
                    Call::OfAny => return BTreeMap::new(),
                    Call::None => {}
                }
            }
        }
    }
    all
}

/// The call whose name is before this text.
fn call<'t>(getter: &str, behind: &'t str) -> Call<'t> {
    let rest = &behind[..behind.floor_char_boundary(LONGEST)];
    let rest = rest.trim_start();
    // `import { getCollection as get }`
    if rest.starts_with("as ") {
        return Call::OfAny;
    }
    // `getCollection<"blog">("blog")`
    let rest = match rest.strip_prefix('<') {
        Some(types) => types.split_once('(').map_or("", |(_, rest)| rest),
        None => match rest.strip_prefix('(') {
            Some(rest) => rest,
            None => return Call::None,
        },
    };
    match arguments(rest) {
        Some((name, filter)) => Call::Of(name, filter),
        // `getEntry(post.data.author)`
        None if getter != GETTERS[0] && !rest.split(')').next().unwrap_or("").contains(',') => {
            Call::None
        }
        None => Call::OfAny,
    }
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

/// Whether a character is part of a name, or of one after the other.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// A filter with `data.wip` for each `wip` that `({ data: { wip } })` names.
fn with_data(filter: &str) -> Cow<'_, str> {
    let taken = filter.split_once("=>").and_then(|(given, body)| {
        let (_, names) = given.split_once("data:")?;
        let (names, _) = names.trim_start().strip_prefix('{')?.split_once('}')?;
        Some((names.split(',').map(str::trim).collect::<Vec<_>>(), body))
    });
    let Some((names, body)) = taken else {
        return Cow::Borrowed(filter);
    };
    let mut text = String::with_capacity(filter.len());
    let mut rest = body;
    while let Some(start) = rest.find(is_part) {
        let (before, behind) = rest.split_at(start);
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        let (word, after) = behind.split_at(end);
        text.push_str(before);
        if names.contains(&word) {
            text.push_str("data.");
        }
        text.push_str(word);
        rest = after;
    }
    Cow::Owned(text + rest)
}

/// A filter with `!a` for `!(a ?? false)`, and `!a && !b` for `!(a || b)`.
fn without_negated_choices(filter: &str) -> String {
    let filter = filter.replace(" ?? false", "");
    let mut text = filter.clone();
    for (start, sign) in filter.match_indices("!(") {
        let Some((inner, _)) = filter[start + sign.len()..].split_once(')') else {
            continue;
        };
        let parts: Vec<&str> = inner.split("||").map(str::trim).collect();
        if parts.iter().all(|part| part.chars().all(is_part)) {
            let negated = format!("!{}", parts.join(" && !"));
            text = text.replace(&format!("!({inner})"), &negated);
        }
    }
    text
}

/// The keys that a filter asks for.
fn keys(filter: &str) -> Keys {
    const FALSE: [&str; 4] = ["=== true", "== true", "!== false", "!= false"];
    const TRUE: [&str; 4] = ["!== true", "!= true", "=== false", "== false"];
    let filter = without_negated_choices(&with_data(filter));
    let mut keys = Keys::new();
    let is_choice = filter.contains("||");
    // What a choice asks before its `?` does not leave out by itself.
    let choice = filter.match_indices(" ? ").next();
    for (at, sign) in filter.match_indices("data.") {
        let negation = filter[..at].rfind("!(");
        let is_negated = negation.is_some_and(|start| !filter[start..at].contains(')'));
        if is_negated || choice.is_some_and(|(choice, _)| at < choice) {
            continue;
        }
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
        check(
            "'a', (p) => !(p.data.wip || p.data.old))",
            &[("old", true), ("wip", true)],
        );
        check("'a', (p) => !(p.data.a && p.data.b))", &[]);
        check("'a', (p) => !(p.data.a ?? false))", &[("a", true)]);
        check("'a', (p) => !(p.data.a || p.data.b === 1))", &[]);
        check("'a', ({ data: { wip } }) => !wip)", &[("wip", true)]);
        check(
            "'a', ({ data: { wip, lang } }) => lang === 'en' && !wip)",
            &[("wip", true)],
        );
        check("'a', ({ data: { wip }, id }) => !id.wip)", &[]);
        check("'a', ({data}) => data.lang === 'en')", &[]);
    }

    #[test]
    fn every_call_for_a_collection_counts() {
        let name = |getter: &str, behind: &str| match call(getter, behind) {
            Call::Of(name, filter) => format!("{name} {}", keys(filter).len()),
            Call::OfAny => "any".to_owned(),
            Call::None => String::new(),
        };
        for (getter, behind, expected) in [
            ("getCollection", "('a', ({data}) => !data.wip)", "a 1"),
            ("getCollection", "<\"a\">(\"a\")", "a 0"),
            ("getEntry", "('a', slug)", "a 0"),
            ("getCollection", "(name)", "any"),
            ("getEntry", "(name, slug)", "any"),
            ("getCollection", " as get } from 'astro:content'", "any"),
            ("getEntry", "(post.data.author)", ""),
            ("getCollection", " } from 'astro:content'", ""),
        ] {
            assert_eq!(name(getter, behind), expected, "{getter}{behind}");
        }
        assert!(keys("({data}) => data.x === false ? true : data.y").len() < 2);
    }

    proptest::proptest! {
        #[test]
        fn no_filter_panics(text in "('a'|, |data\\.|!|x|=== true|!== false|\\(|\\)|\\|\\||&&|é| ){0,30}") {
            if let Call::Of(_, filter) = call(GETTERS[0], &format!("({text}")) {
                keys(filter);
            }
        }
    }
}
