//! Placeholders for a table of contents: `[TOC]`, `[[toc]]`, `[[_TOC_]]`, `{:toc}`. The table is
//! generated from the headings, so removing them loses no text.

use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::text::Marks;

/// The placeholders, each alone on a line, and the column separator of Hugo's Book theme.
const MARKS: [&str; 9] = [
    "<--->",
    "[toc]",
    "[[toc]]",
    "[[_toc_]]",
    "{:toc}",
    "{:.toc}",
    "[[_toc]]",
    "${toc}",
    "@[toc]",
];

/// Every text with a placeholder contains one of these.
pub const SIGNS: [&str; 7] = ["<--->", "[TOC", "[toc", "_TOC_", ":toc", ": toc", "{toc"];

/// Empties lines that are a placeholder, and the list item that kramdown requires before its own.
pub fn rewrite(lines: &mut Lines) {
    static ANY: Marks = Marks::new(&[&SIGNS]);
    if !ANY.any(&lines.text) {
        return;
    }
    let mut kept: Vec<&str> = Vec::new();
    for line in scan(&lines.text, &lines.literals()) {
        let mark = line.rest.replace(' ', "").trim().to_ascii_lowercase();
        let is_mark =
            MARKS.contains(&mark.as_str()) || mark.starts_with("@[toc](") && mark.ends_with(')');
        if line.code || line.prefix.contains('>') || !is_mark {
            kept.push(line.whole);
            continue;
        }
        if mark.starts_with("{:")
            && let Some(before) = kept.last_mut()
            && before.trim_start().starts_with(['*', '-', '+', '1'])
        {
            *before = "";
        }
        kept.push("");
    }
    lines.set(kept.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            Lines::after(text, rewrite).into_parts(),
            (expected.to_owned(), None)
        );
    }

    #[test]
    fn marks_for_contents_go() {
        check("# A\n\n[[toc]]\n\nb", "# A\n\n\n\nb");
        check("[TOC]\n* TOC\n{:toc}\n\nb", "\n\n\n\nb");
        check("a\n\n<--->\n\nb", "a\n\n\n\nb");
        check("[[_TOC_]]\n@[toc](Contents)", "\n");
    }

    #[test]
    fn code_and_words_stay() {
        for text in ["```\n[TOC]\n```", "a [TOC] b", "`[[toc]]`", "[toc]: x"] {
            check(text, text);
        }
    }
}
