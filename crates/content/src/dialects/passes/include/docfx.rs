//! DocFX's `[!INCLUDE [title](path)]`, `[!code-csharp[title](path#L1-L5)]`, and
//! `:::code language="csharp" source="path" id="name":::`.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, language_of};
use crate::dialects::tags::Arguments;

pub fn find(finder: &mut Finder<'_>) {
    for (at, _) in finder.text.match_indices("[!") {
        let behind = finder.near(at + 2);
        let end = behind
            .find(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_' | '+' | '#')))
            .unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        let name = name.to_ascii_lowercase();
        let code = name.starts_with("code");
        if !(code || name == "include") || finder.literals.is_code(at) {
            continue;
        }
        let Some((inner, after)) = closed(rest) else {
            continue;
        };
        let Some(inside) = inner.trim_start().strip_prefix('[') else {
            continue;
        };
        let Some((_, written)) = inside.split_once("](") else {
            continue;
        };
        let (file, part) = file_and_part(address(written));
        let mut want = wanted(finder, written, file);
        want.part = part;
        want.rebase = !code;
        if code {
            let language = match name.split_once('-') {
                Some((_, language)) => Some(language.trim_end_matches("-interactive").to_owned()),
                None => language_of(file),
            };
            want.shape = Shape::Code(language.unwrap_or_default());
        }
        let start = at + 2 + end;
        finder.ask_in_place(at..start + rest.len() - after.len(), want);
    }
}

/// `:::code … :::` on a line of its own.
pub fn find_code(finder: &mut Finder<'_>) {
    for (at, mark) in finder.text.match_indices(":::code ") {
        let behind = finder.near(at + mark.len());
        let inner = behind.trim_end().trim_end_matches(':');
        let arguments = Arguments::parse(inner);
        let Some(file) = arguments.named(&["source"]) else {
            continue;
        };
        if finder.literals.is_code(at) {
            continue;
        }
        let mut want = wanted(finder, file, file);
        want.part = match (arguments.named(&["id"]), arguments.named(&["range"])) {
            (Some(name), _) if !name.is_empty() => named(name),
            (_, Some(lines)) => Part::of_lines(lines),
            _ => Part::Whole,
        };
        let language = arguments.named(&["language"]).map(str::to_owned);
        let language = language.or_else(|| language_of(file)).unwrap_or_default();
        want.shape = Shape::Code(language.trim_end_matches("-interactive").to_owned());
        finder.ask_in_place(at..at + mark.len() + behind.len(), want);
    }
}

/// The text up to `)]`, with white space between the two, and the text after it.
fn closed(text: &str) -> Option<(&str, &str)> {
    text.match_indices(')').find_map(|(at, _)| {
        let after = text[at + 1..].trim_start().strip_prefix(']')?;
        Some((&text[..at], after))
    })
}

/// The address, without a title in quotes behind it.
fn address(written: &str) -> &str {
    let (address, _) = written.split_once('"').unwrap_or((written, ""));
    let address = address.trim();
    match address
        .strip_prefix('<')
        .and_then(|inner| inner.strip_suffix('>'))
    {
        Some(inner) => inner,
        None => address,
    }
}

/// A file; `~/` is the folder of the configuration, and its content's.
fn wanted(finder: &Finder<'_>, written: &str, file: &str) -> Want {
    let mut paths = Vec::new();
    if let Some(rooted) = file.strip_prefix("~/") {
        let config = &finder.page.kind.config;
        let content = config.content.as_deref().unwrap_or_default();
        paths = below(&[config.folder(), content, ""], rooted);
    }
    paths.extend(finder.relative(file));
    let mut want = Want::new(written, paths);
    want.dedent = true;
    want
}

/// `x.cs#L1-L5`, `x.cs#name`, `x.cs?name=part`, `x.cs?range=1-5`, `x.cs?start=1&end=5`. A name
/// decides before lines.
fn file_and_part(written: &str) -> (&str, Part) {
    let end = written.find(['?', '#']).unwrap_or(written.len());
    let (file, behind) = written.split_at(end);
    let (query, mark) = behind.split_once('#').unwrap_or((behind, ""));
    let query = query.trim_start_matches('?');
    let part = match (value(query, "name"), mark) {
        (Some(name), _) => named(name),
        (None, "") => part_in(query).unwrap_or_default(),
        (None, lines) if lines.starts_with(['L', 'l']) && is_number(&lines[1..]) => {
            Part::of_lines(lines)
        }
        (None, name) => named(name),
    };
    (file.trim(), part)
}

fn named(name: &str) -> Part {
    Part::Snippet(name.to_owned())
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn part_in(query: &str) -> Option<Part> {
    if let Some(lines) = value(query, "range") {
        return Some(Part::of_lines(lines));
    }
    let start = value(query, "start")?;
    let end = value(query, "end").unwrap_or(start);
    Some(Part::Lines(vec![(start.parse().ok()?, end.parse().ok()?)]))
}

fn value<'a>(query: &'a str, key: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(key).then_some(value)
    })
}
