//! `{* ../src/x.py ln[1:3,5] hl[2] title["x"] *}` of markdown-include-variants in MkDocs: a file as code.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, language_of, resolve};
use crate::dialects::dialect::Spelling;

pub fn find(finder: &mut Finder<'_>) {
    if !finder.spells(Spelling::Scissors) {
        return;
    }
    for (at, _) in finder.text.match_indices("{* ") {
        let Some((inner, _)) = finder.near(at + 3).split_once(" *}") else {
            continue;
        };
        let (file, options) = inner.trim().split_once(' ').unwrap_or((inner.trim(), ""));
        if file.is_empty() || file.contains(['{', '*']) || finder.literals.is_code(at) {
            continue;
        }
        let mut want = Want::new(file, below(&[""], file));
        want.paths.extend(finder.in_project(file));
        want.paths.extend(resolve(finder.path, file));
        if let Some(lines) = option(options, "ln") {
            want.part = Part::of_lines(&lines.replace(':', "-").replace(' ', ""));
        }
        let mut fence = language_of(file).unwrap_or_default();
        if let Some(title) = option(options, "title") {
            let title = title.trim_matches('"').replace(['"', '`'], "");
            fence.push_str(&format!(" title=\"{title}\""));
        }
        want.shape = Shape::Code(fence);
        finder.ask_in_place(at..at + 3 + inner.len() + 3, want);
    }
}

/// The text between the brackets of `name[…]`.
fn option<'o>(options: &'o str, name: &str) -> Option<&'o str> {
    let (before, rest) = options.split_once(&format!("{name}["))?;
    let (inner, _) = rest.split_once(']')?;
    (before.is_empty() || before.ends_with(' ')).then_some(inner)
}
