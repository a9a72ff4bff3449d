//! Texts from elsewhere, as words of a page.

/// The signs that mean something in Markdown, HTML or a template.
const SIGNS: &str = "\\`*_[]<>{}#|~$&!%";

/// A text as Markdown and HTML show it as it is: its signs are character references, which both read
/// (CommonMark 0.31, section 2.5), and it has no line breaks.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            c if SIGNS.contains(c) => escaped.push_str(&format!("&#{};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}
