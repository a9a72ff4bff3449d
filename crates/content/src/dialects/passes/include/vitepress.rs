//! VitePress' `<!--@include: ./x.md#part{1,3}-->` and `<<< @/x.js#region{1,3 ts} [title]`, and
//! VuePress' `@[code{1-3} ts{2}](./x.ts)`.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, language_of};

/// `<!--@include: ./x.md#part{1,3}-->`
pub fn find_comments(finder: &mut Finder<'_>) {
    for (at, _) in finder.text.match_indices("<!--") {
        let behind = finder.near(at + 4);
        let Some(inner) = behind.trim_start().strip_prefix("@include:") else {
            continue;
        };
        let Some((inner, after)) = inner.split_once("-->") else {
            continue;
        };
        if finder.literals.is_code(at) {
            continue;
        }
        let (written, lines) = braces(inner.trim());
        let mut want = wanted(finder, written);
        if want.part == Part::Whole
            && let Some(lines) = lines
        {
            want.part = Part::of_braces(lines);
        }
        finder.ask_in_place(at..at + 4 + behind.len() - after.len(), want);
    }
}

/// `<<< @/x.js#region{1,3 ts} [title]` on a line of its own.
pub fn find_arrows(finder: &mut Finder<'_>) {
    let mut start = 0;
    for line in finder.text.split_inclusive('\n') {
        let bare = line.trim_end();
        let trimmed = bare.trim_start();
        let end = start + bare.len();
        let begin = end - trimmed.len();
        start += line.len();
        let Some(rest) = trimmed.strip_prefix("<<<") else {
            continue;
        };
        let rest = rest.trim_start();
        if !rest.starts_with(['@', '.', '/']) || finder.literals.is_code(begin) {
            continue;
        }
        let (rest, _) = rest.split_once(" [").unwrap_or((rest, ""));
        let (written, attributes) = braces(rest.trim());
        let (file, _) = written.split_once('#').unwrap_or((written, ""));
        let language = language_in(attributes.unwrap_or_default()).or_else(|| language_of(file));
        let mut want = wanted(finder, written);
        want.shape = Shape::Code(language.unwrap_or_default());
        finder.ask_in_place(begin..end, want);
    }
}

/// `@[code{1-3} ts{2}](./x.ts)` at the beginning of a line.
pub fn find_codes(finder: &mut Finder<'_>) {
    const SIGN: &str = "@[code";
    for (at, _) in finder.text.match_indices(SIGN) {
        let near = finder.near(at);
        let before = finder.text[..at].trim_end_matches([' ', '\t']);
        let begins = before.is_empty() || before.ends_with('\n');
        let Some((words, behind)) = near[SIGN.len()..].split_once("](") else {
            continue;
        };
        let Some((written, rest)) = behind.split_once(')') else {
            continue;
        };
        let is_sign = words.is_empty() || words.starts_with([' ', '{']);
        if !begins || !is_sign || finder.literals.is_code(at) {
            continue;
        }
        let (lines, words) = match words.strip_prefix('{').and_then(|it| it.split_once('}')) {
            Some((lines, words)) => (Some(lines), words),
            None => (None, words),
        };
        let language = words.trim().split(['{', ':', ' ', '#']).next();
        let language = language.filter(|word| !word.is_empty()).map(str::to_owned);
        let mut want = wanted(finder, written.trim());
        if let Some(lines) = lines {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let (first, last) = (first.trim().parse(), last.trim().parse());
            want.part = Part::Lines(vec![(first.unwrap_or(1), last.unwrap_or(usize::MAX))]);
        }
        let language = language.or_else(|| language_of(written));
        want.shape = Shape::Code(language.unwrap_or_default());
        finder.ask_in_place(at..at + near.len() - rest.len(), want);
    }
}

/// The text before a closing `{…}`, and the text inside the braces.
fn braces(text: &str) -> (&str, Option<&str>) {
    match text
        .strip_suffix('}')
        .and_then(|text| text.rsplit_once('{'))
    {
        Some((before, inner)) => (before.trim_end(), Some(inner)),
        None => (text, None),
    }
}

/// The language in `1,3 ts:line-numbers`.
fn language_in(attributes: &str) -> Option<String> {
    let word = attributes
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    let (language, _) = word.split_once(':').unwrap_or((word, ""));
    Some(language.to_owned())
}

/// `file#region`; a file may begin with `@/`, the source folder.
fn wanted(finder: &Finder<'_>, written: &str) -> Want {
    let (file, region) = match written.split_once('#') {
        Some((file, name)) => (file, Part::Region(name.to_owned())),
        None => (written, Part::Whole),
    };
    let paths = match file.strip_prefix('@') {
        Some(rest) => below(&[&[""], finder.roots(), &["docs", "src"]].concat(), rest),
        None => {
            let mut paths = finder.relative(file);
            if file.starts_with('/') {
                paths.extend(below(&["docs", "src"], file));
            }
            paths
        }
    };
    Want {
        part: region,
        ..Want::new(written, paths)
    }
}
