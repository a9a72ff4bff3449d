//! Which part of a file an include asks for: lines, or what stands between two marks, in each kind's own spelling.

use std::borrow::Cow;

/// A part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Whole,
    /// Lines from and to, from 1, both included.
    Lines(Vec<(usize, usize)>),
    /// mdBook: between `ANCHOR: name` and `ANCHOR_END: name`.
    Anchor(String),
    /// MkDocs: between `--8<-- [start:name]` and `--8<-- [end:name]`.
    Section(String),
    /// VitePress: between `#region name` and `#endregion name`; else what stands under the heading with this id.
    Region(String),
    /// DocFX: between `<name>` and `</name>`.
    Element(String),
    /// Between two texts, where they are given.
    Between(Option<String>, Option<String>),
}

impl Part {
    /// mdBook's `2:5`, `:5`, `2:`, `2` and `name`.
    pub(super) fn of_book(written: &str) -> Self {
        if written.is_empty() {
            return Self::Whole;
        }
        if !written.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') {
            return Self::Anchor(written.to_owned());
        }
        let (first, last) = written.split_once(':').unwrap_or((written, written));
        // A third part means nothing.
        let last = last.split(':').next().unwrap_or_default();
        Self::Lines(vec![range(first, last)])
    }

    /// MkDocs' `1:3,5:6`, `:3`, `2`, and `name`; `2` alone is from there to the end.
    pub(super) fn of_snippet(written: &str) -> Self {
        if written.trim_matches(':').is_empty() {
            return Self::Whole;
        }
        if !written.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b',' | b'-')) {
            return Self::Section(written.to_owned());
        }
        Self::Lines(written.split(',').map(|part| part.split_once(':').unwrap_or((part, ""))).map(|(first, last)| range(first, last)).collect())
    }

    /// `1-3 5`, `1,3`, `3-`, `1..3`.
    pub(super) fn of_lines(written: &str) -> Self {
        let parts = written.split([',', ' ', ';']).map(|part| part.trim_matches(['L', 'l'])).filter(|part| !part.is_empty());
        let ranges: Vec<_> = parts
            .map(|part| {
                let (first, last) = part.split_once('-').or_else(|| part.split_once("..")).unwrap_or((part, part));
                range(first, last.trim_matches(['L', 'l']))
            })
            .collect();
        if ranges.is_empty() { Self::Whole } else { Self::Lines(ranges) }
    }

    /// VitePress' `{1,3}`, `{3,}`, `{,10}`: from and to.
    pub(super) fn of_braces(written: &str) -> Self {
        let (first, last) = written.split_once([',', '-']).unwrap_or((written, written));
        Self::Lines(vec![range(first, last)])
    }

    /// The part of a text, without the marks of any part. `None`: it is not there.
    pub(super) fn of<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let lines = || text.lines();
        let found: Vec<&str> = match self {
            Self::Whole => lines().collect(),
            Self::Lines(ranges) => {
                let all: Vec<&str> = lines().collect();
                let chosen = ranges.iter().take(100).flat_map(|(first, last)| {
                    let from = (first - 1).min(all.len());
                    &all[from..(*last).clamp(from, all.len())]
                });
                chosen.copied().collect()
            }
            Self::Anchor(name) => between(text, |line| named(line, "ANCHOR:", name), |line| named(line, "ANCHOR_END:", name))?,
            Self::Section(name) => {
                let mark =
                    |line: &str, word: &str| line.contains(&format!("--8<-- [{word}:{name}]")) || line.contains(&format!("--8<-- [{word}: {name}]"));
                between(text, |line| mark(line, "start"), |line| mark(line, "end"))?
            }
            Self::Region(name) => {
                let is = |line: &str, begins: bool| {
                    region(line).is_some_and(|(begin, found)| begin == begins && (found == name || !begin && found.is_empty()))
                };
                between(text, |line| is(line, true), |line| is(line, false)).or_else(|| under(text, name))?
            }
            Self::Element(name) => between(text, |line| line.contains(&format!("<{name}>")), |line| line.contains(&format!("</{name}>")))?,
            Self::Between(start, end) => {
                let from = start.as_ref().map_or(Some(0), |start| text.find(start.as_str()).map(|at| at + start.len()))?;
                let rest = &text[from..];
                let to = end.as_ref().map_or(Some(rest.len()), |end| rest.find(end.as_str()))?;
                return Some(Cow::Borrowed(rest[..to].trim_matches('\n')));
            }
        };
        let regions = matches!(self, Self::Region(_));
        let kept: Vec<&str> = found.iter().copied().filter(|line| !(is_mark(line) || regions && region(line).is_some())).collect();
        if kept.len() == found.len() && matches!(self, Self::Whole) {
            return Some(Cow::Borrowed(text.trim_end_matches(['\n', '\r'])));
        }
        Some(Cow::Owned(kept.join("\n").trim_end_matches('\n').to_owned()))
    }
}

fn range(first: &str, last: &str) -> (usize, usize) {
    let first = first.trim().parse().unwrap_or(1_usize).max(1);
    (first, last.trim().parse().unwrap_or(usize::MAX).max(first))
}

/// The lines between two marks; to the end when only the first is there.
fn between(text: &str, starts: impl Fn(&str) -> bool, ends: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let mut lines = text.lines().skip_while(|line| !starts(line));
    lines.next()?;
    Some(lines.take_while(|line| !ends(line)).collect())
}

/// Whether a line holds a mark with exactly this name.
fn named(line: &str, mark: &str, name: &str) -> bool {
    line.split_once(mark).is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(name))
}

/// `// #region name`, `<!-- #endregion name -->`: whether it begins, and the name.
fn region(line: &str) -> Option<(bool, &str)> {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '#');
    let (begins, rest) = line
        .strip_prefix("#region")
        .or_else(|| line.strip_prefix("# region"))
        .or_else(|| line.strip_prefix("region"))
        .map(|rest| (true, rest))
        .or_else(|| {
            line.strip_prefix("#endregion")
                .or_else(|| line.strip_prefix("# endregion"))
                .or_else(|| line.strip_prefix("endregion"))
                .map(|rest| (false, rest))
        })?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t', '-', '*']) {
        return None;
    }
    Some((begins, rest.trim().trim_end_matches("-->").trim_end_matches("*/").trim()))
}

/// A heading with this id and what stands under it, up to the next of its level.
fn under<'t>(text: &'t str, id: &str) -> Option<Vec<&'t str>> {
    let level = |line: &str| {
        let level = line.len() - line.trim_start_matches('#').len();
        ((1..=6).contains(&level) && line[level..].starts_with(' ')).then_some(level)
    };
    let lines: Vec<&str> = text.lines().collect();
    let is = |line: &&str| {
        level(line).is_some_and(|level| crate::model::document::build::heading_id(line[level..].trim().trim_end_matches('#').trim()) == id)
    };
    let at = lines.iter().position(is)?;
    let own = level(lines[at])?;
    let length = lines[at + 1..].iter().position(|line| level(line).is_some_and(|level| level <= own)).unwrap_or(lines.len() - at - 1);
    Some(lines[at..at + 1 + length].to_vec())
}

/// Whether a line is but the mark of a part, which is never shown.
fn is_mark(line: &str) -> bool {
    let word = |mark: &str| line.split_once(mark).is_some_and(|(_, rest)| rest.split_whitespace().next().is_some());
    word("ANCHOR: ") || word("ANCHOR_END: ") || line.contains("--8<-- [start:") || line.contains("--8<-- [end:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_12_a_part_is_chosen_in_every_spelling() {
        let text = "one\n// ANCHOR: x\ntwo\n// ANCHOR_END: x\nthree\n# --8<-- [start:s]\nfour\n# --8<-- [end:s]\n// #region r\nfive\n// #endregion r\n//<e>\nsix\n//</e>\n";
        let check = |part: Part, expected: Option<&str>| assert_eq!(part.of(text).as_deref(), expected, "{part:?}");
        check(Part::of_book(""), Some("one\ntwo\nthree\nfour\n// #region r\nfive\n// #endregion r\n//<e>\nsix\n//</e>"));
        check(Part::of_book("1"), Some("one"));
        check(Part::of_book("1:3"), Some("one\ntwo"));
        check(Part::of_book("13:"), Some("six\n//</e>"));
        check(Part::of_book(":1"), Some("one"));
        check(Part::of_book("x"), Some("two"));
        check(Part::of_book("y"), None);
        check(Part::of_snippet("1:1,5:5"), Some("one\nthree"));
        check(Part::of_snippet("s"), Some("four"));
        check(Part::of_lines("L1-L3"), Some("one\ntwo"));
        check(Part::of_lines("1 5"), Some("one\nthree"));
        check(Part::of_braces(",1"), Some("one"));
        check(Part::Region("r".into()), Some("five"));
        check(Part::Element("e".into()), Some("six"));
        check(Part::Between(Some("on".into()), Some("\n".into())), Some("e"));
        check(Part::of_book("99:100"), Some(""));
    }

    #[test]
    fn rule_12_a_heading_names_a_part() {
        let text = "# A\n\n## Basic Usage\n\nb\n\n### c\n\n## D\n";
        assert_eq!(Part::Region("basic-usage".into()).of(text).as_deref(), Some("## Basic Usage\n\nb\n\n### c"));
    }

    proptest::proptest! {
        #[test]
        fn no_part_panics(text in "[a#\n:é-]{0,20}", part in "[0-9:,{}a-]{0,8}") {
            for part in [Part::of_book(&part), Part::of_snippet(&part), Part::of_lines(&part), Part::of_braces(&part), Part::Region(part.clone())] {
                let _ = part.of(&text);
            }
        }
    }
}
