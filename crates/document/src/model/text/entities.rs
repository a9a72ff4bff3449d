//! Character references of HTML (`&amp;`, `&#46;`, `&eacute;`), decoded as the WHATWG specifies.

use std::borrow::Cow;

use html5gum::{Token, Tokenizer};

/// The text with its character references decoded once. What is not a reference stays: `AT&T`.
pub fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    // Without `<` and NUL the tokenizer finds nothing but text.
    for part in text.split_inclusive(['<', '\0']) {
        let words = part.trim_end_matches(['<', '\0']);
        for token in Tokenizer::new(words).flatten() {
            if let Token::String(string) = token {
                decoded.push_str(&String::from_utf8_lossy(&string));
            }
        }
        decoded.push_str(&part[words.len()..]);
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_40_entities_are_decoded_once() {
        for (text, expected) in [
            ("U&#46;S&#46;", "U.S."),
            ("&#x1F600; &eacute;&Eacute; &nbsp;", "😀 éÉ \u{a0}"),
            ("&amp;lt; &lt;b&gt;", "&lt; <b>"),
            ("AT&T, R&D & a&b; <&amp;", "AT&T, R&D & a&b; <&"),
            ("a < b &lt; c", "a < b < c"),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn text_without_references_stays(text in "[^&]{0,40}") {
            proptest::prop_assert_eq!(&*decoded(&text), &text);
            let marked = format!("& {text}");
            let lines = marked.replace("\r\n", "\n").replace('\r', "\n");
            proptest::prop_assert_eq!(decoded(&marked), lines);
        }
    }
}
