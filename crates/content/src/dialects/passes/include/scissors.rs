//! MkDocs' `--8<-- "file:part"`, lists of files between two `--8<--`, and `{!file!}` of
//! markdown-include.

use super::finder::Finder;
use super::marker::Want;
use super::part::Part;
use super::paths::{below, resolve};
use crate::dialects::dialect::Spelling;
use crate::dialects::lines::Lines;
use crate::dialects::markup::{MARGIN, code_span};

/// The maximum number of lines in a block of files.
const LONGEST_BLOCK: usize = 1000;

pub fn find(finder: &mut Finder<'_>) {
    let text = finder.text;
    let mut block = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let trimmed = bare.trim_start_matches(MARGIN);
        let end = start + bare.len();
        let range = end - trimmed.len()..end;
        start += line.len();
        if let Some(escaped) = trimmed.strip_prefix(';')
            && names_file(escaped)
        {
            let code = finder.literals.is_code(range.start);
            finder.show(
                range,
                if code {
                    escaped.to_owned()
                } else {
                    code_span(escaped)
                },
            );
            continue;
        }
        match cut(trimmed) {
            // A block needs an end.
            Some("")
                if block || finder.spells(Spelling::Scissors) && ends_block(&text[start..]) =>
            {
                block = !block;
                finder.drop(range);
            }
            Some(rest) if !block => {
                if let Some(file) = quoted(rest) {
                    snippet(finder, range, file);
                }
            }
            None if block && trimmed.starts_with(';') => finder.drop(range),
            None if block && !trimmed.is_empty() => {
                snippet(finder, range, trimmed.trim_matches(['"', '\'']))
            }
            _ => {}
        }
    }
}

/// Adds the snippets that every other text than themselves ends with, as the markers that name them.
pub fn append(lines: &mut Lines, path: &str, files: &[String]) {
    let files = files.iter().filter(|file| !path.ends_with(&***file));
    let files: Vec<&String> = files.collect();
    if files.is_empty() {
        return;
    }
    let mut text = lines.text.clone();
    let mut sources: Vec<usize> = (0..text.split('\n').count()).collect();
    let last = sources.last().copied().unwrap_or_default();
    for file in files {
        text.push_str(&format!("\n\n--8<-- \"{file}\""));
        sources.extend([last, last]);
    }
    lines.replace(text, &sources);
}

/// Whether the rest of a text ends a block of files.
fn ends_block(rest: &str) -> bool {
    rest.lines()
        .take(LONGEST_BLOCK)
        .any(|line| cut(line.trim()) == Some(""))
}

fn snippet(finder: &mut Finder<'_>, range: std::ops::Range<usize>, written: &str) {
    if written.starts_with(';') {
        return finder.drop(range);
    }
    let mut want = Want::new(written, Vec::new());
    if !written.contains("://") {
        let (file, part) = written.split_once(':').unwrap_or((written, ""));
        want.paths = below(&finder.snippet_folders(), file);
        want.paths.extend(finder.in_project(file));
        want.paths.extend(resolve(finder.path, file));
        want.part = Part::of_snippet(part);
    }
    want.lenient = !finder.spells(Spelling::Scissors);
    finder.ask_in_place(range, want);
}

/// The text after `--8<--`.
fn cut(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix('-')?
        .trim_start_matches('-')
        .strip_prefix("8<-")?
        .trim_start_matches('-');
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest.trim())
}

/// Whether a line is `--8<-- "file"`.
fn names_file(line: &str) -> bool {
    cut(line).and_then(quoted).is_some()
}

/// The text between quotes, if the quotes enclose the whole.
fn quoted(text: &str) -> Option<&str> {
    let quote = text
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    text[1..]
        .strip_suffix(quote)
        .filter(|inner| !inner.is_empty())
}

/// `{!file!}` and `{!file!lines=1 3-5!}`
pub fn find_bangs(finder: &mut Finder<'_>) {
    if !finder.spells(Spelling::Scissors) {
        return;
    }
    for (at, _) in finder.text.match_indices("{!") {
        let Some((inner, _)) = finder.near(at + 2).split_once('}') else {
            continue;
        };
        let Some((file, lines)) = inner.trim_start_matches('>').split_once('!') else {
            continue;
        };
        let file = file.trim();
        if file.is_empty() || file.contains('{') {
            continue;
        }
        let mut want = Want::new(file, below(&["", "docs"], file));
        want.paths.extend(finder.in_project(file));
        want.paths.extend(resolve(finder.path, file));
        if let Some(lines) = lines.trim_matches(['!', ' ']).strip_prefix("lines=") {
            want.part = Part::of_lines(lines);
        }
        finder.ask_in_place(at..at + 2 + inner.len() + 1, want);
    }
}
