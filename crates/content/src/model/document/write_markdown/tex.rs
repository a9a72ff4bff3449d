//! Formulas between dollar signs.

use crate::model::text::one_line;

/// TeX on one line. Two braces would be a template's to some readers, and what looks like a tag or
/// a link one to those who know no formulas; with a space between they mean the same in TeX.
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

/// Whether every reader of Markdown finds the end of this TeX where it is when it is between dollar
/// signs: none is in it, nor another delimiter of formulas or a code span's, no half of a group,
/// and no backslash at its end. What does not is written as code.
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
