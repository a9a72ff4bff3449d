//! Lines of code that a book compiles, and hides from its readers: `# use std::fs;` in Rust, and those
//! with a prefix in other languages.

use std::ops::Range;

use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::markup::MARGIN;
use crate::model::text::Marks;

/// How a block names its own prefix.
const PREFIX: &str = "hidelines=";
static FENCES: Marks = Marks::new(&[&["```", "~~~"]]);

pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.config.hidden_lines.is_some() && FENCES.any(text)
}

/// Removes the hidden lines of every block of code.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let Some(prefixes) = &page.kind.config.hidden_lines else {
        return;
    };
    if !FENCES.any(&lines.text) {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(&lines.text);
    for code in &literals.code {
        block(&lines.text, code, prefixes, &mut splice);
    }
    let (text, sources) = splice.finish();
    if text != lines.text {
        lines.replace(text, &sources);
    }
}

fn block(text: &str, code: &Range<usize>, prefixes: &[(String, String)], splice: &mut Splice<'_>) {
    let mut lines = text[code.clone()].split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let Some(hiding) = Hiding::of(first, prefixes) else {
        return;
    };
    let mut start = code.start + first.len();
    for line in lines {
        let words = line.trim_start_matches(MARGIN);
        let at = start + line.len() - words.len();
        let end = start + line.len();
        if hiding.hides(words.trim_end_matches(['\n', '\r'])) {
            splice.put(start..end, "");
        } else if hiding == Hiding::Rust && words.starts_with("##") {
            splice.put(at..at + 1, "");
        }
        start = end;
    }
}

/// Which lines of a block are hidden.
#[derive(Debug, PartialEq, Eq)]
enum Hiding<'t> {
    /// `#` alone, or before a space. A second `#` shows one.
    Rust,
    /// Those that begin so.
    Prefix(&'t str),
}

impl<'t> Hiding<'t> {
    /// By the first line of the block, and the prefixes of languages.
    fn of(first: &'t str, prefixes: &'t [(String, String)]) -> Option<Self> {
        let info = first
            .strip_prefix("```")
            .or_else(|| first.strip_prefix("~~~"))?;
        let info = info.trim_start_matches(['`', '~']);
        let mut words = info.split([',', ' ', '\t', '\n', '\r']);
        let language = words.next().unwrap_or_default();
        if language == "rust" {
            return Some(Self::Rust);
        }
        let own = words.find_map(|word| word.strip_prefix(PREFIX));
        let of_language = || {
            let mut prefixes = prefixes.iter();
            let (_, prefix) = prefixes.find(|(name, _)| name == language)?;
            Some(prefix.as_str())
        };
        let prefix = own.or_else(of_language)?;
        (!prefix.is_empty()).then_some(Self::Prefix(prefix))
    }

    fn hides(&self, words: &str) -> bool {
        match self {
            Self::Rust => words == "#" || words.starts_with("# "),
            Self::Prefix(prefix) => words.starts_with(prefix),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::Front;

    fn check_in(kind: &str, text: &str, expected: &str) {
        on_page(Some(kind), &Front::default(), |page| {
            testing::check(|lines| rewrite(lines, page), text, expected);
        });
    }

    #[test]
    fn rule_12_a_book_hides_lines_of_code() {
        let check = |text: &str, expected: &str| check_in("mdbook", text, expected);
        check(
            "# A\n\n```rust\n# use a;\n#\n#[b]\n    # c\n## d\nlet e;\n```\n\n# B",
            "# A\n\n```rust\n#[b]\n# d\nlet e;\n```\n\n# B",
        );
        check(
            "> - ~~~rust,ignore\n>   # a\n>   b\n>   ~~~",
            "> - ~~~rust,ignore\n>   b\n>   ~~~",
        );
        check(
            "```python,hidelines=~\n~a\nb\n```",
            "```python,hidelines=~\nb\n```",
        );
        for text in ["```sh\n# a\n```", "```rust\n#![a]\n#x\n```", "`# a`\n# b"] {
            check(text, text);
        }
        let text = "```rust\n# a\n```";
        check_in("mkdocs", text, text);
    }

    #[test]
    fn rule_12_a_language_has_its_prefix() {
        let prefixes = [("python".to_owned(), "~".to_owned())];
        let check = |first: &str, expected: Option<Hiding<'_>>| {
            assert_eq!(Hiding::of(first, &prefixes), expected, "{first}");
        };
        check("```python\n", Some(Hiding::Prefix("~")));
        check("```python hidelines=!!!\n", Some(Hiding::Prefix("!!!")));
        check("```py\n", None);
        check("    a\n", None);
        check("````rust", Some(Hiding::Rust));
    }

    proptest::proptest! {
        #[test]
        fn no_hidden_lines_panic(text in "(```|rust|\n|# |#|> |- |é|~~~|hidelines=|,){0,30}") {
            on_page(Some("mdbook"), &Front::default(), |page| {
                let lines = Lines::after(&text, |lines| rewrite(lines, page));
                proptest::prop_assert!(lines.come_from(&text));
                Ok(())
            })?;
        }
    }
}
