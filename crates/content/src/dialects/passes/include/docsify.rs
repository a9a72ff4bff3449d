//! Docsify's `[name](file.md ':include')`: Markdown is inserted, other files are code; films and frames stay
//! links.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, language_of};
use crate::model::format::is_markdown;

/// Every text with such an include contains it.
pub const SIGN: &str = ":include";

pub fn find(finder: &mut Finder<'_>) {
    let mut start = 0;
    for line in finder.text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some((open, close, path, options)) = include(line) else {
            continue;
        };
        if finder.literals.is_code(at + open) {
            continue;
        }
        let kind = option(options, "type");
        let is_text = kind.map_or(is_markdown(path), |kind| kind == "markdown");
        let is_code = kind.map_or(language_of(path).is_some(), |kind| kind == "code");
        if path.contains("://") || kind.is_none() && is_shown(path) || !(is_text || is_code) {
            continue;
        }
        let mut want = Want::new(path, finder.relative(path));
        want.paths.extend(below(&["", "docs"], path));
        if let Some(name) = option(options, "fragment") {
            want.part = Part::Fragment(name.to_owned());
        }
        if !is_text {
            want.shape = Shape::Code(language_of(path).unwrap_or_default());
        }
        finder.ask_in_place(at + open..at + close, want);
    }
}

/// The range of `[name](path ':include …')` in a line, its path and its options.
fn include(line: &str) -> Option<(usize, usize, &str, &str)> {
    let at = line.find(SIGN)?;
    let quote = line[..at]
        .chars()
        .next_back()
        .filter(|c| matches!(c, '\'' | '"'))?;
    let before = line[..at - 1].trim_end();
    let path = before.rfind("](")?;
    let open = before[..path].rfind('[')?;
    let options = &line[at..];
    let end = options.find(&format!("{quote})"))?;
    Some((open, at + end + 2, &before[path + 2..], &options[..end]))
}

/// The value of `:type=code`.
fn option<'o>(options: &'o str, name: &str) -> Option<&'o str> {
    let mut words = options.split_whitespace();
    words.find_map(|word| {
        word.strip_prefix(':')?
            .strip_prefix(name)?
            .strip_prefix('=')
    })
}

/// Whether a file is shown in a frame or played.
fn is_shown(path: &str) -> bool {
    const SHOWN: [&str; 7] = [".html", ".htm", ".mp4", ".ogg", ".ogv", ".mp3", ".webm"];
    SHOWN.iter().any(|ending| path.ends_with(ending))
}
