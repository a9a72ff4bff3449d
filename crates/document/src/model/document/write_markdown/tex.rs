//! Formulas between dollar signs.

use crate::model::text::one_line;

/// TeX on one line. A space separates double braces, which some readers parse as a template's, and
/// characters that readers without math support would parse as a tag or a link; TeX ignores it.
pub(super) fn on_one_line(tex: &str) -> String {
    let line = one_line(tex)
        .replace("{{", "{ {")
        .replace("{%", "{ %")
        .replace("](", "] (");
    let mut out = String::new();
    for (index, part) in line.split('<').enumerate() {
        if index > 0 {
            out += if part.starts_with(|next: char| {
                next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')
            }) {
                "< "
            } else {
                "<"
            };
        }
        out += part;
    }
    out
}

/// Whether every Markdown reader finds the end of this TeX between dollar signs. Then it
/// contains no dollar sign, no other delimiter of formulas or code spans and no unbalanced group,
/// and does not end with a backslash. Other TeX is written as code.
pub(super) fn stays_between_dollars(tex: &str) -> bool {
    let (mut letters, mut depth) = (tex.chars(), 0_usize);
    while let Some(letter) = letters.next() {
        match letter {
            '$' | '`' => return false,
            '\\' if matches!(
                letters.next(),
                None | Some('$' | '(' | ')' | '[' | ']' | '`')
            ) =>
            {
                return false;
            }
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !tex.is_empty()
}
