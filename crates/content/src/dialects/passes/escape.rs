//! Texts from elsewhere, as words of a page.

/// The signs that mean something in Markdown, HTML or a template.
const SIGNS: &str = "\\`*_[]<>{}#|~$&!%";

/// A text as Markdown and HTML show it as it is: its signs are character references, which both read
/// (CommonMark 0.31, section 2.5), and it has no line breaks.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let marker = marker(text);
    for (at, c) in text.char_indices() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            c if SIGNS.contains(c) || marker == Some(at) => {
                escaped.push_str(&format!("&#{};", u32::from(c)))
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The offset of the sign that would make a text at the start of a line a list or a heading.
fn marker(text: &str) -> Option<usize> {
    let sign = text.find(|c: char| !c.is_ascii_digit())?;
    let is_marker = match sign {
        0 => text.starts_with(['-', '+', '=']),
        _ => text[sign..].starts_with(['.', ')']),
    };
    is_marker.then_some(sign)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn signs_are_character_references() {
        for (text, expected) in [
            ("a_b", "a&#95;b"),
            ("2. b. c", "2&#46; b. c"),
            ("2.5", "2&#46;5"),
            ("- b", "&#45; b"),
            ("a - b\nc", "a - b c"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }
}
