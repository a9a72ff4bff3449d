//! Marks at which other programs put a table of contents: `[TOC]`, `[[toc]]`, `[[_TOC_]]`, `{:toc}`. It is drawn from the headings, so nothing of the
//! author's goes with them.

use crate::dialects::passes::lines::Lines;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::literals;

/// The marks, as they stand alone on a line, and the one between columns of Hugo's Book theme.
const MARKS: [&str; 9] = ["<--->", "[toc]", "[[toc]]", "[[_toc_]]", "{:toc}", "{:.toc}", "[[_toc]]", "${toc}", "@[toc]"];

/// One of them is in every text that has such a mark.
pub(in crate::dialects) const SIGNS: [&str; 7] = ["<--->", "[TOC", "[toc", "_TOC_", ":toc", ": toc", "{toc"];

/// Whether a text may have one.
fn any(text: &str) -> bool {
    static ANY: Marks = Marks::of(&[&SIGNS]);
    ANY.any(text)
}

/// Empties the lines that are such a mark, and the placeholder that kramdown wants before its own.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    if !any(&lines.text) {
        return;
    }
    let literals = literals(&lines.text);
    let mut code = literals.code.iter().peekable();
    let mut offset = 0;
    let mut kept: Vec<&str> = Vec::new();
    for line in lines.text.split('\n') {
        while code.next_if(|range| range.end <= offset).is_some() {}
        let is_code = code.peek().is_some_and(|range| range.start <= offset + (line.len() - line.trim_start().len()));
        offset += line.len() + 1;
        let mark = line.trim().replace(' ', "").to_ascii_lowercase();
        if is_code || !(MARKS.contains(&mark.as_str()) || mark.starts_with("@[toc](") && mark.ends_with(')')) {
            kept.push(line);
            continue;
        }
        if mark.starts_with("{:")
            && let Some(before) = kept.last_mut().filter(|before| before.trim_start().starts_with(['*', '-', '+', '1']))
        {
            *before = "";
        }
        kept.push("");
    }
    lines.text = kept.join("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Lines::after(text, rewrite).into_parts(), (expected.to_owned(), None));
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
