//! DocFX's `[!INCLUDE [title](path)]` and `[!code-csharp[title](path#L1-L5)]`.

use super::finder::Finder;
use super::part::Part;
use super::paths::language_of;
use super::site::{Shape, Want};

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
        let Some((inner, _)) = rest.split_once(")]") else {
            continue;
        };
        let Some(inside) = inner.trim_start().strip_prefix('[') else {
            continue;
        };
        let Some((_, written)) = inside.split_once("](") else {
            continue;
        };
        let (file, part) = file_and_part(written.split_whitespace().next().unwrap_or_default());
        let mut want = Want::new(written, finder.relative(file));
        want.part = part;
        if code {
            let language = match name.split_once('-') {
                Some((_, language)) => Some(language.to_owned()),
                None => language_of(file),
            };
            want.shape = Shape::Code(language.unwrap_or_default());
        }
        finder.ask_in_place(at..at + 2 + end + inner.len() + 2, want);
    }
}

/// `x.cs#L1-L5`, `x.cs#name`, `x.cs?name=part`, `x.cs?range=1-5`, `x.cs?start=1&end=5`.
fn file_and_part(written: &str) -> (&str, Part) {
    if let Some((file, query)) = written.split_once('?') {
        return (file, part_in(query).unwrap_or_default());
    }
    match written.split_once('#') {
        Some((file, part))
            if part.starts_with('L') && part[1..].starts_with(|c: char| c.is_ascii_digit()) =>
        {
            (file, Part::of_lines(part))
        }
        Some((file, part)) => (file, Part::Element(part.to_owned())),
        None => (written, Part::Whole),
    }
}

fn part_in(query: &str) -> Option<Part> {
    if let Some(name) = value(query, "name") {
        return Some(Part::Element(name.to_owned()));
    }
    if let Some(lines) = value(query, "range") {
        return Some(Part::of_lines(lines));
    }
    let (start, end) = (value(query, "start")?, value(query, "end")?);
    Some(Part::Lines(vec![(start.parse().ok()?, end.parse().ok()?)]))
}

fn value<'a>(query: &'a str, key: &str) -> Option<&'a str> {
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}
