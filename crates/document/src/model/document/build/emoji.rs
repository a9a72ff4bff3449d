//! `:emoji:` by GitHub's short names.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// One line per short name: the name, a space, the emoji.
const LIST: &str = include_str!(concat!(env!("OUT_DIR"), "/emoji.txt"));

static EMOJI: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    LIST.lines()
        .filter_map(|line| line.split_once(' '))
        .collect()
});

/// The short name after a colon, and its emoji.
fn short_name(rest: &str) -> Option<(&str, &'static str)> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    let name = &rest[..rest.find(|c| !is_of_name(c))?];
    if name.is_empty() || !rest[name.len()..].starts_with(':') {
        return None;
    }
    EMOJI.get(name).map(|emoji| (name, *emoji))
}

/// The first short name of an emoji.
pub fn name_of(emoji: &str) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
        let mut names = FxHashMap::default();
        for (name, emoji) in LIST.lines().filter_map(|line| line.split_once(' ')) {
            names.entry(emoji).or_insert(name);
        }
        names
    });
    if emoji.is_ascii() {
        return None;
    }
    NAMES.get(emoji).copied()
}

/// Whether a short name follows a colon. A literal colon before one is written as a numeric
/// character reference.
pub(crate) fn is_short_name(rest: &str) -> bool {
    short_name(rest).is_some()
}

/// Replaces the short names in a text. Unknown names stay, and so do names with an encoded colon in
/// the source: `is_colon` is false at that offset. `None`: there is nothing to replace.
pub(super) fn replaced(text: &str, is_colon: impl Fn(usize) -> bool) -> Option<String> {
    let (mut out, mut done) = (String::new(), 0);
    for colon in memchr::memchr_iter(b':', text.as_bytes()) {
        let Some((name, emoji)) = short_name(&text[colon + 1..]) else {
            continue;
        };
        if colon < done || !is_colon(colon) {
            continue;
        }
        let end = colon + name.len() + 2;
        if is_joined(&text[done..colon], &text[end..]) {
            continue;
        }
        out += &text[done..colon];
        out += emoji;
        done = end;
    }
    (done > 0).then(|| out + &text[done..])
}

/// Whether a name between colons is part of a word or an address.
fn is_joined(before: &str, behind: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/'))
        || behind.starts_with(|c: char| c.is_alphanumeric() || c == '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            replaced(text, |_| true).as_deref().unwrap_or(text),
            expected
        );
    }

    #[test]
    fn every_short_name_is_found_and_no_other() {
        let mut found = 0;
        for emoji in emojis::iter() {
            for name in emoji.shortcodes() {
                assert_eq!(EMOJI.get(name), Some(&emoji.as_str()), "{name}");
                assert_eq!(
                    short_name(&format!("{name}:")),
                    Some((name, emoji.as_str()))
                );
                found += 1;
            }
        }
        assert_eq!(found, EMOJI.len());
        assert!(
            ["", " ", "\n", "a\n", "~", "zzzz"]
                .into_iter()
                .all(|name| !is_short_name(&format!("{name}:")))
        );
    }

    #[test]
    fn rule_16_short_names_become_emoji() {
        check("a :smile: b", "a 😄 b");
        check(":+1::tada:", "👍🎉");
        check("(:rocket:)", "(🚀)");
    }

    #[test]
    fn rule_16_what_merely_looks_like_one_stays() {
        for text in [
            "10:30:45",
            "a:smile:b",
            "std::smile::x",
            ":nosuchname:",
            "::smile::",
            ": smile :",
            ":smile",
            "http://x:100:y",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_16_a_colon_by_its_number_begins_no_short_name() {
        assert_eq!(
            replaced(":smile: :smile:", |at| at > 0).as_deref(),
            Some(":smile: 😄")
        );
        assert!(
            is_short_name("smile:")
                && !is_short_name("smile")
                && !is_short_name("nosuchname:")
                && !is_short_name(" smile:")
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(:|smile|tada|a|é| |\\+1){0,20}") {
            replaced(&text, |at| at % 2 == 0);
        }
    }
}
