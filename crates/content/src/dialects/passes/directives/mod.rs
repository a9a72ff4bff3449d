//! Lines that a single generator reads in its own way, brought to the spellings that the other steps know: DocFX's `:::image … :::` and `[!div …]`, the
//! blocks and marks of pymdownx, `@tab` of VuePress, the tabs of Hexo that are comments.

mod docfx;
mod pymdown;
mod tabs;

pub(in crate::dialects) use pymdown::has_keys;

use crate::dialects::passes::lines::Lines;
use crate::model::bounds;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::literals;

/// One of them, or [`has_keys`], is in every text that has such a line.
pub(in crate::dialects) const SIGNS: [&[&str]; 4] = [&docfx::SIGNS, &tabs::SIGNS, pymdown::SIGNS[0], pymdown::SIGNS[1]];

/// Rewrites the lines of a text that stand outside code.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    static ANY: Marks = Marks::of(&SIGNS);
    let text = &lines.text;
    if !(ANY.any(text) || has_keys(text)) {
        return;
    }
    let code = literals(text).code;
    let mut code = code.iter().peekable();
    let mut walk = Walk::default();
    let mut offset = 0;
    // The code that was looked at last, by where it begins, and whether it goes over lines.
    let (mut looked, mut goes_on) = (usize::MAX, false);
    for (number, line) in text.split('\n').enumerate().take_while(|_| !bounds::is_over()) {
        let rest = line.trim_start_matches([' ', '\t', '>']);
        let start = offset + line.len() - rest.len();
        while code.next_if(|range| range.end <= start).is_some() {}
        let is_code = code.peek().is_some_and(|range| range.start <= start && !rest.is_empty());
        // A span of code that a line begins with is no block.
        if let Some(range) = code.peek().filter(|range| is_code && range.start != looked) {
            (looked, goes_on) = (range.start, text[(**range).clone()].contains('\n'));
        }
        let is_block = is_code && (goes_on || !rest.starts_with('`'));
        offset += line.len() + 1;
        let line = Line { whole: line, prefix: &line[..line.len() - rest.len()], rest, code: is_block };
        if !(docfx::line(&line, number, &mut walk) || tabs::line(&line, number, &mut walk) || pymdown::line(&line, number, &mut walk)) {
            walk.push(line.whole, number);
        }
    }
    let (out, sources) = (walk.out.join("\n"), walk.sources);
    lines.replace(out, &sources);
}

/// Writes a line anew, but not its spans of code.
fn outside_spans(rest: &str, write: impl Fn(&str) -> String) -> String {
    if rest.matches('`').count() % 2 == 1 {
        return write(rest);
    }
    let parts = rest.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { write(part) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}

/// A line, with the containers before it apart.
struct Line<'a> {
    whole: &'a str,
    prefix: &'a str,
    rest: &'a str,
    /// Whether it lies in a block of code.
    code: bool,
}

/// What was read so far.
#[derive(Default)]
struct Walk {
    out: Vec<String>,
    sources: Vec<usize>,
    /// DocFX: lines of a quotation that is only the look of what it holds.
    unquote: bool,
    /// DocFX: a tab was opened, and the rule that ends them all has not come.
    in_tabs: bool,
    /// `::: code-group`: how many colons opened it.
    code_group: Option<usize>,
    /// mkdocstrings: options of a name may follow.
    inside_docs: bool,
    /// pymdownx: a `///` block has just been opened, and its options may follow.
    options: bool,
}

impl Walk {
    fn push(&mut self, line: impl Into<String>, source: usize) {
        self.out.push(line.into());
        self.sources.push(source);
    }

    /// A title in bold, with room around it.
    fn label(&mut self, line: &Line<'_>, title: &str, source: usize) {
        let bare = line.prefix.trim_end();
        self.push(bare, source);
        self.push(format!("{}{}", line.prefix, crate::dialects::tags::callout::label(title)), source);
        self.push(bare, source);
    }
}

#[cfg(test)]
pub(in crate::dialects) fn check(text: &str, expected: &str) {
    crate::dialects::passes::lines::testing::check(rewrite, text, expected);
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_directives_panic(text in "(:::|///|\\{--|--\\}|\\+\\+|:material-a:|\\{ \\.x \\}|\\*\\[a\\]: |::: a\\.b|image source=\"a\"|:::| \\||note|@tab|# \\[a\\]\\(#tab/b\\)|> |\\[!div x\\]|\\[!VIDEO |\\]|xref:|<|>|\\]\\(|<!-- tab |-->|\n|\n\n|```|é| ){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for text in [
            ":::image ".repeat(10_000),
            "](xref:".repeat(10_000),
            "<xref:".repeat(10_000),
            "/// a\n".repeat(10_000),
            "{--".repeat(10_000),
            "++a".repeat(10_000),
            ":material-a:".repeat(10_000),
        ] {
            assert!(Lines::after(&text, rewrite).text.len() < text.len() * 20);
        }
    }
}
