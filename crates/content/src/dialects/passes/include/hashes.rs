//! mdBook's `{{#include file:part}}`, `{{#rustdoc_include …}}`, `{{#playground …}}`, and
//! `{{#title …}}`.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use crate::dialects::dialect::Spelling;

/// In code only an mdBook expands them.
pub fn find(finder: &mut Finder<'_>) {
    let text = finder.text;
    let book = finder.spells(Spelling::Hashes);
    for (at, _) in text.match_indices("{{#") {
        let code = finder.literals.is_code(at);
        let Some((inner, _)) = finder.near(at + 3).split_once("}}") else {
            continue;
        };
        if code && !book {
            continue;
        }
        let range = at..at + 3 + inner.len() + 2;
        let mut words = inner.split_whitespace();
        let name = words.next().unwrap_or_default();
        let is_include = matches!(
            name,
            "include" | "rustdoc_include" | "playground" | "playpen"
        );
        if book && (is_include || name == "title") && text[..at].ends_with('\\') {
            let tag = &text[range.clone()];
            let shown = if code {
                tag.to_owned()
            } else {
                format!("`{tag}`")
            };
            finder.show(at - 1..range.end, shown);
        } else if name == "title" && book && !code {
            finder.drop(range);
        } else if is_include && let Some(written) = words.next() {
            let (file, part) = written.split_once(':').unwrap_or((written, ""));
            let mut want = Want::new(written, finder.relative(file));
            want.part = match name {
                "rustdoc_include" => Part::of_rustdoc(part),
                _ => Part::of_book(part),
            };
            want.lenient = !book;
            if matches!(name, "playground" | "playpen") && !code {
                want.shape = Shape::Code("rust".to_owned());
            }
            finder.ask_in_place(range, want);
        }
    }
}
