//! Comments in JSON, which many programs allow in their configuration.

use std::borrow::Cow;

/// A text with its `//` and `/* */` comments replaced by spaces, so that places stay right.
pub fn blanked(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.find(['"', '/']) {
        let (before, from) = rest.split_at(next);
        out.push_str(before);
        let length = if from.starts_with('"') {
            quoted(from)
        } else if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with("/*") {
            from.find("*/").map_or(from.len(), |end| end + 2)
        } else {
            1
        };
        let (taken, after) = from.split_at(length);
        if taken.len() > 1 && taken.starts_with('/') {
            let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
            out.extend(taken.chars().map(blank));
        } else {
            out.push_str(taken);
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length of the text in quotes that begins here.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_addresses_stay() {
        let check = |text: &str, expected: &str| assert_eq!(blanked(text), expected, "{text}");
        check(
            "{ \"a\": \"https://e.org\" } // b\n1",
            "{ \"a\": \"https://e.org\" }     \n1",
        );
        check("/* a\nb */ \"/* \\\" */\"", "    \n     \"/* \\\" */\"");
        check("a / b", "a / b");
        check("\"// open", "\"// open");
    }

    proptest::proptest! {
        #[test]
        fn no_comments_panic(text in "[a\"/*\\\\\n é]{0,40}") {
            proptest::prop_assert_eq!(blanked(&text).matches('\n').count(), text.matches('\n').count());
        }
    }
}
