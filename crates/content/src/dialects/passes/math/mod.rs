//! Mathematics: `$$…$$`, `\\\\(…\\\\)` and `\\\\[…\\\\]` everywhere, `$…$` if the folder or the
//! page enables it. TeX is neither Markdown nor a template, so it is passed to the parser as code
//! with a marker before it.
//!
//! `tags` rewrites template tags around formulas as delimiters, `formula` finds where a formula
//! begins and ends.

mod formula;
mod tags;

pub use formula::Formulas;

use std::borrow::Cow;
use std::ops::Range;

use formula::Formula;

use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::markup::code_span;
use crate::model::bounds;
use crate::syntax::front::Front;
use crate::syntax::markdown::literal::Literals;
use crate::syntax::markdown::{TEX, TEX_DISPLAY};

/// The longest formula, in bytes.
const LONGEST: usize = 3000;

/// Whether a page enables single dollars.
pub fn is_asked_for(front: &Front) -> bool {
    ["math", "katex", "mathjax", "use_math", "usemath", "latex"]
        .into_iter()
        .any(|key| front.text(&[key]).is_some_and(is_yes))
}

fn is_yes(text: &str) -> bool {
    !matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "" | "false" | "no" | "off" | "0" | "null" | "~"
    )
}

/// Beginnings of formulas in every text.
const SIGNS: [&str; 3] = ["$$", "\\\\(", "\\\\["];
/// Beginnings if single dollars are enabled.
const DOLLAR_SIGNS: [&str; 3] = ["$", "\\(", "\\["];

/// Marks the formulas of a text; `dollar`: single dollars are enabled.
///
/// `escaped`: the kind's Markdown reads `$$…$$` before the formulas are set.
pub fn rewrite(lines: &mut Lines, dollar: bool, escaped: bool) {
    tags::rewrite(lines);
    let text = lines.text.as_str();
    let signs = if dollar { DOLLAR_SIGNS } else { SIGNS };
    if !signs.into_iter().any(|sign| text.contains(sign)) {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(text);
    each(text, &literals, dollar, |at, formula| {
        let mark = if formula.display { TEX_DISPLAY } else { TEX };
        let tex = match text[at..].starts_with('$') {
            true if escaped => unescaped_if_doubled(&formula.tex),
            false if text[at..].starts_with("\\\\") => unescaped(&formula.tex).into(),
            _ => Cow::Borrowed(&*formula.tex),
        };
        splice.put(at..formula.end, &code_span(&format!("{mark}{tex}")));
    });
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The formulas of a text outside code and HTML; `dollar`: single dollars are enabled.
pub fn ranges(text: &str, literals: &Literals, dollar: bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    each(text, literals, dollar, |at, formula| {
        ranges.push(at..formula.end)
    });
    ranges
}

/// Passes on each formula of a text, with its offset.
fn each(text: &str, literals: &Literals, dollar: bool, mut take: impl FnMut(usize, Formula)) {
    let mut formulas = Formulas::new(text);
    let mut code = Code::from_literals(literals);
    let mut at = 0;
    while !bounds::is_over()
        && let Some(step) = text[at..].find(['$', '\\'])
    {
        at += step;
        if let Some(code) = code.at(at) {
            at = code.end;
            continue;
        }
        let found = if literals.is_html(at) {
            None
        } else {
            formulas.at(at, dollar)
        };
        if let Some(formula) = found {
            let end = formula.end;
            take(at, formula);
            at = end;
        } else {
            at += sign(&text[at..]);
        }
    }
}

/// TeX as Markdown leaves it: a backslash before punctuation is an escape. So it is between `\\\\(`
/// and `\\\\)`, which are `\\(` and `\\)` only when Markdown has read them.
fn unescaped(tex: &str) -> String {
    let mut out = String::with_capacity(tex.len());
    let mut characters = tex.chars().peekable();
    while let Some(c) = characters.next() {
        match characters.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => {
                out.push(*next);
                characters.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// TeX between dollars, unescaped where its author doubled the backslashes for Markdown: four
/// begin a new line, and `\\_` is an index.
fn unescaped_if_doubled(tex: &str) -> Cow<'_, str> {
    let is_in_text = ["\\text", "\\mathrm", "\\mbox", "\\operatorname"]
        .iter()
        .any(|command| tex.contains(command));
    if tex.contains("\\\\\\\\") {
        Cow::Owned(unescaped(tex))
    } else if tex.contains("\\_") && !is_in_text {
        Cow::Owned(tex.replace("\\_", "_"))
    } else {
        Cow::Borrowed(tex)
    }
}

/// The length of delimiters that do not open a formula. An escape hides the next character; a run
/// of dollars is passed at once.
fn sign(rest: &str) -> usize {
    if let Some(escaped) = rest.strip_prefix('\\') {
        return 1 + usize::from(escaped.starts_with(|c: char| c.is_ascii_punctuation()));
    }
    rest.len() - rest.trim_start_matches('$').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, dollar: bool, expected: &str) {
        let lines = Lines::after(text, |lines| rewrite(lines, dollar, false));
        assert_eq!(
            lines.text.replace(TEX, "¬").replace(TEX_DISPLAY, "¬¬"),
            expected,
            "{text}"
        );
    }

    #[test]
    fn rule_25_formulas_are_marked() {
        check(
            "$$\na_1 + {{b}}\n- c\n$$\nd",
            false,
            "`¬¬a_1 + {{b}} - c`\nd",
        );
        check(
            "a $$x$$ b \\\\(y_1\\\\) \\\\[z\\\\]",
            false,
            "a `¬¬x` b `¬y_1` `¬¬z`",
        );
        check("> $$\n> a\n> $$\n", false, "> `¬¬a`\n");
        check("$a_1$ and $x$.", true, "`¬a_1` and `¬x`.");
        check(
            "a \\(x_1\\) b\n\\[\ny = 1\n\\]\nc \\[no\\] \\(",
            true,
            "a `¬x_1` b\n`¬¬y = 1`\nc \\[no\\] \\(",
        );
        check("a \\(x_1\\) b \\[y\\]", false, "a \\(x_1\\) b \\[y\\]");
        check(
            "{{< katex display=true >}}\nf(x) = 1\n{{< /katex >}}\nb {{< katex >}}y_1{{< /katex >}} {% katex %}z{% endkatex %}",
            false,
            "`¬¬f(x) = 1`\nb `¬y_1` `¬z`",
        );
        check(
            "{{< katex >}}a + {{b}} {{c}}{{< /katex >}} {{ d }} {{< math >}}e{{< /math >}}",
            false,
            "`¬a + {{b}} {{c}}` {{ d }} `¬e`",
        );
        check(
            "{{% math %}}$$a$$ b{{% /math %}} `{{< katex >}}`",
            false,
            "`¬¬a` b `{{< katex >}}`",
        );
        check(
            "the $n$th of $2^n$s, $(i+1)$th",
            true,
            "the `¬n`th of `¬2^n`s, `¬(i+1)`th",
        );
        check("$$\na % CANARY\n+ 5\\% b\n$$", false, "`¬¬a + 5\\% b`");
    }

    #[test]
    fn rule_60_formulas_are_read_as_markdown_leaves_them() {
        check(
            "\\\\(a\\_1 \\\\frac{x}{y}\\\\) b",
            false,
            "`¬a_1 \\frac{x}{y}` b",
        );
        let hugo = |text: &str| {
            let lines = Lines::after(text, |lines| rewrite(lines, false, true));
            lines.text.replace(TEX_DISPLAY, "¬¬")
        };
        assert_eq!(hugo("$$\na\\_1 \\\\\\\\ b\n$$"), "`¬¬a_1 \\\\ b`");
        assert_eq!(hugo("$$a\\_1 \\\\ b$$"), "`¬¬a_1 \\\\ b`");
        assert_eq!(hugo("$$\\text{a\\_b} \\\\ c$$"), "`¬¬\\text{a\\_b} \\\\ c`");
        check("$$a\\_1 \\\\\\\\ b$$", false, "`¬¬a\\_1 \\\\\\\\ b`");
    }

    #[test]
    fn rule_25_money_is_no_formula() {
        for text in [
            "costs $5 and $6",
            "$5-$6 and US$7",
            "`$$a$$` $$ open\n\nb $$",
            "$HOME/$USER",
            "\\$a\\$ b",
            "$$$$",
            "<div>\n$$a$$\n</div>",
        ] {
            check(text, false, text);
        }
        for text in [
            "costs $5 and $6",
            "$5-$6 and US$7",
            "from $5 or 6$ a",
            "$HOME/$USER",
            "$A$B",
            "$5$each",
            "$a{% b %}$",
            "${a$",
        ] {
            check(text, true, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_formula_panics(text in "(\\$|\\$\\$|\\\\\\\\|\\(|\\)|\\[|\\]|a|1| |\n|`|é|> ){0,40}", dollar: bool) {
            proptest::prop_assert!(Lines::after(&text, |lines| rewrite(lines, dollar, true)).come_from(&text));
        }
    }
}
