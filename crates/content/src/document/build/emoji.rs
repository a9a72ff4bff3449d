//! `:emoji:` by the short names that GitHub knows.

/// The longest short name, in bytes.
const LONGEST: usize = 50;

/// Replaces the short names in a text; what merely looks like one stays. `None`: there is none.
pub(super) fn replaced(text: &str) -> Option<String> {
    let mut out = String::new();
    let (mut done, mut from) = (0, 0);
    while let Some(open) = text[from..].find(':').map(|at| from + at) {
        from = open + 1;
        let rest = &text[open + 1..];
        let length = rest.bytes().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-')).count();
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != ':' && c != '/');
        let closes = rest[length..].starts_with(':');
        if length == 0
            || !closes
            || !apart(text[..open].chars().next_back().filter(|_| open > done))
            || !apart(rest[length + 1..].chars().next().filter(|c| *c != ':'))
        {
            continue;
        }
        let Some(emoji) = emojis::get_by_shortcode(&rest[..length]) else { continue };
        out.push_str(&text[done..open]);
        out.push_str(emoji.as_str());
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
        assert_eq!(replaced(text).as_deref().unwrap_or(text), expected);
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

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(:|smile|tada|a|é| |\\+1){0,20}") {
            replaced(&text);
        }
    }
}
