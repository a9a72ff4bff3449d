//! `:emoji:` by the short names that GitHub knows.

/// The longest short name, in bytes.
const LONGEST: usize = 50;

/// The emoji whose short name follows a colon, and the name's length.
fn named(rest: &str) -> Option<(&'static str, usize)> {
    let length = rest.bytes().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-')).count();
    let named = length > 0 && rest[length..].starts_with(':');
    Some((emojis::get_by_shortcode(Some(&rest[..length]).filter(|_| named)?)?.as_str(), length))
}

/// Whether a short name follows a colon: where it is none, that colon is written by its number.
pub(crate) fn follows(rest: &str) -> bool {
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
        assert!(follows("smile:") && !follows("smile") && !follows("nosuchname:") && !follows(" smile:"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(:|smile|tada|a|é| |\\+1){0,20}") {
            replaced(&text, |at| at % 2 == 0);
        }
    }
}
