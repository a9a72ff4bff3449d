//! `:emoji:` by the short names that GitHub knows.

use std::cmp::Ordering;

/// A line for each short name, in their order: the name, a space, the emoji. One text: a table of texts has an address in memory for each of them, which every start
/// of the program would set right, whether or not it meets an emoji.
const NAMES: &str = include_str!(concat!(env!("OUT_DIR"), "/emoji.txt"));

/// The longest short name, in bytes.
const LONGEST: usize = 50;

/// The emoji with this short name.
fn by_name(name: &str) -> Option<&'static str> {
    let (mut from, mut to) = (0, NAMES.len());
    while from < to {
        let begin = memchr::memrchr(b'\n', &NAMES.as_bytes()[..usize::midpoint(from, to)]).map_or(0, |end| end + 1);
        let (line, _) = NAMES[begin..].split_once('\n')?;
        let (here, emoji) = line.split_once(' ')?;
        match here.cmp(name) {
            Ordering::Equal => return Some(emoji),
            Ordering::Less => from = begin + line.len() + 1,
            Ordering::Greater => to = begin,
        }
    }
    None
}

/// The emoji whose short name follows a colon, and the name's length.
fn named(rest: &str) -> Option<(&'static str, usize)> {
    let length = rest.bytes().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-')).count();
    let named = length > 0 && rest[length..].starts_with(':');
    Some((by_name(Some(&rest[..length]).filter(|_| named)?)?, length))
}

/// Whether a short name follows a colon: where it is none, that colon is written by its number.
pub(crate) fn is_short_name(rest: &str) -> bool {
    named(rest).is_some()
}

/// Replaces the short names in a text; what merely looks like one stays, and so does one whose colon stands in the source by its number: then
/// `is_colon` says that at this place there is none. `None`: there is none to be replaced.
pub(super) fn replaced(text: &str, is_colon: impl Fn(usize) -> bool) -> Option<String> {
    let mut out = String::new();
    let (mut done, mut from) = (0, 0);
    while let Some(open) = text[from..].find(':').map(|at| from + at) {
        from = open + 1;
        let Some((emoji, length)) = named(&text[open + 1..]).filter(|_| is_colon(open)) else { continue };
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != ':' && c != '/');
        if !apart(text[..open].chars().next_back().filter(|_| open > done)) || !apart(text[open + length + 2..].chars().next().filter(|c| *c != ':'))
        {
            continue;
        }
        out.push_str(&text[done..open]);
        out.push_str(emoji);
        done = open + length + 2;
        from = done;
    }
    (done > 0).then(|| {
        out.push_str(&text[done..]);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(replaced(text, |_| true).as_deref().unwrap_or(text), expected);
    }

    #[test]
    fn every_short_name_is_found_and_no_other() {
        let mut found = 0;
        for emoji in emojis::iter() {
            for name in emoji.shortcodes() {
                assert_eq!(by_name(name), Some(emoji.as_str()), "{name}");
                assert_eq!(by_name(&name[1..]), emojis::get_by_shortcode(&name[1..]).map(emojis::Emoji::as_str), "{name}");
                found += 1;
            }
        }
        assert_eq!(found, NAMES.lines().count());
        assert!(NAMES.lines().all(|line| line.split_once(' ').is_some_and(|(name, _)| name.len() <= LONGEST)));
        assert!(["", " ", "\n", "a\n", "~", "zzzz"].into_iter().all(|name| by_name(name).is_none()));
    }

    #[test]
    fn rule_16_short_names_become_emoji() {
        check("a :smile: b", "a 😄 b");
        check(":+1::tada:", "👍🎉");
        check("(:rocket:)", "(🚀)");
    }

    #[test]
    fn rule_16_what_merely_looks_like_one_stays() {
        for text in ["10:30:45", "a:smile:b", "std::smile::x", ":nosuchname:", "::smile::", ": smile :", ":smile", "http://x:100:y"] {
            check(text, text);
        }
    }

    #[test]
    fn rule_16_a_colon_by_its_number_begins_no_short_name() {
        assert_eq!(replaced(":smile: :smile:", |at| at > 0).as_deref(), Some(":smile: 😄"));
        assert!(is_short_name("smile:") && !is_short_name("smile") && !is_short_name("nosuchname:") && !is_short_name(" smile:"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(:|smile|tada|a|é| |\\+1){0,20}") {
            replaced(&text, |at| at % 2 == 0);
        }
    }
}
