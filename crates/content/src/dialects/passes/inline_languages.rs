//! The language before inline code, as `pymdownx.inlinehilite` reads it: `` `#!python range(10)` ``.

use std::ops::Range;

use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::model::text::Marks;

static SIGNS: Marks = Marks::new(&[&["`#!", "`:::"]]);

pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.config.inline_languages && SIGNS.any(text)
}

/// Removes the languages.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(&lines.text);
    for code in &literals.code {
        if let Some(mark) = mark(&lines.text, code) {
            splice.put(mark, "");
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The language and the space after it, at the beginning of inline code.
fn mark(text: &str, code: &Range<usize>) -> Option<Range<usize>> {
    let whole = &text[code.clone()];
    let inner = whole.trim_start_matches('`');
    let quotes = whole.len() - inner.len();
    let is_fenced = quotes > 2 && inner.contains('\n');
    let is_indented =
        text[..code.start].ends_with("    ") && (whole.ends_with('\n') || code.end == text.len());
    if quotes == 0 || is_fenced || is_indented {
        return None;
    }
    let named = match inner.strip_prefix("#!") {
        Some(named) => named,
        None => inner.strip_prefix(":::")?.trim_start_matches(':'),
    };
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '.' | '+' | '-');
    let after = named.trim_start_matches(is_letter);
    let shown = after.trim_start();
    let has_code = shown.len() < after.len() && !shown.trim_end_matches('`').is_empty();
    let start = code.start + quotes;
    has_code.then(|| start..start + inner.len() - shown.len())
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;
    use diglot_document::testing::sources;

    /// A text in a folder with this configuration, translated.
    fn translated((path, config): (&str, &str), text: &str) -> String {
        let sources = sources(&[(path, config), ("docs/a.md", "a")]);
        let kind = Kind::detect(&Evidence::new(&sources), None);
        let files = Files::new("docs/a.md", &|_| Named::Missing);
        let translated = translate(text, false, false, &kind, &Front::default(), &files);
        translated.text.into_owned()
    }

    #[test]
    fn rule_53_the_language_of_inline_code_is_not_shown() {
        const PLAIN: (&str, &str) = (
            "mkdocs.yml",
            "site_name: S\nmarkdown_extensions:\n- pymdownx.inlinehilite\n",
        );
        let check = |text: &str, expected: &str| {
            assert_eq!(translated(PLAIN, text), expected, "{text}");
        };
        check("a `#!python range(10)` b", "a `range(10)` b");
        check("``:::c++ a`b`` `#! x`", "``a`b`` `x`");
        for text in [
            "`#!/bin/sh`",
            "`#!python`",
            "`::: x`y",
            "` #!py a`",
            "```\n`#!py a`\n```",
            "    `#!py a`",
        ] {
            let expected = text.replace("`::: x`", "`x`");
            check(text, &expected);
        }
        let options =
            "site_name: S\nmarkdown_extensions:\n- pymdownx.inlinehilite:\n    custom: 1\n";
        let table =
            "[project]\nsite_name = 'S'\n[project.markdown_extensions.pymdownx.inlinehilite]\n";
        for config in [
            ("mkdocs.yml", options),
            ("zensical.toml", table),
            ("zensical.toml", "[project]\nsite_name = 'S'\n"),
        ] {
            assert_eq!(translated(config, "`#!py a`"), "`a`", "{config:?}");
        }
        let none = ("mkdocs.yml", "site_name: S\n");
        assert_eq!(translated(none, "`#!py a`"), "`#!py a`");
    }
}
