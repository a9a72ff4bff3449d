//! The part of a file that an include requests: lines, or the text between two markers, in each
//! kind's own syntax.

use std::borrow::Cow;

use super::snippet;
use crate::model::document::heading_id;

/// A part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    #[default]
    Whole,
    /// First and last line, from 1, both inclusive.
    Lines(Vec<(usize, usize)>),
    /// mdBook: between `ANCHOR: name` and `ANCHOR_END: name`.
    Anchor(String),
    /// The same of every such pair, as `rustdoc_include` shows them.
    Anchors(String),
    /// MkDocs: between `--8<-- [start:name]` and `--8<-- [end:name]`.
    Section(String),
    /// VitePress: between `#region name` and `#endregion name`; else the text under the heading
    /// with this id.
    Region(String),
    /// Docsify: between two `/// [name]` or `### [name]`.
    Fragment(String),
    /// DocFX: between `// <name>` and `// </name>`, or of a region.
    Snippet(String),
    /// Between two texts, if they are given.
    Between(Option<String>, Option<String>),
}

/// The maximum number of line ranges.
const MOST_RANGES: usize = 100;

impl Part {
    /// mdBook's `2:5`, `:5`, `2:`, `2` and `name`.
    pub fn of_book(written: &str) -> Self {
        if written.is_empty() {
            return Self::Whole;
        }
        if !written
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':')
        {
            return Self::Anchor(written.to_owned());
        }
        let (first, last) = written.split_once(':').unwrap_or((written, written));
        // A third part is ignored.
        let (last, _) = last.split_once(':').unwrap_or((last, ""));
        Self::Lines(vec![range(first, last)])
    }

    /// The same for `rustdoc_include`.
    pub fn of_rustdoc(written: &str) -> Self {
        match Self::of_book(written) {
            Self::Anchor(name) => Self::Anchors(name),
            other => other,
        }
    }

    /// MkDocs' `1:3,5:6`, `:3`, `2`, and `name`; `2` alone means from there to the end.
    pub fn of_snippet(written: &str) -> Self {
        if written.trim_matches(':').is_empty() {
            return Self::Whole;
        }
        if !written
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b',' | b'-'))
        {
            return Self::Section(written.to_owned());
        }
        let mut ranges = Vec::new();
        for part in written.split(',') {
            let (first, last) = part.split_once(':').unwrap_or((part, ""));
            ranges.push(range(first, last));
        }
        Self::Lines(ranges)
    }

    /// `1-3 5`, `1,3`, `3-`, `1..3`, `L1-L3`.
    pub fn of_lines(written: &str) -> Self {
        let mut ranges = Vec::new();
        for part in written.split([',', ' ', ';']) {
            let part = part.trim_matches(['L', 'l']);
            if !part.is_empty() {
                let (first, last) = part
                    .split_once('-')
                    .or(part.split_once(".."))
                    .unwrap_or((part, part));
                ranges.push(range(first, last.trim_matches(['L', 'l'])));
            }
        }
        if ranges.is_empty() {
            Self::Whole
        } else {
            Self::Lines(ranges)
        }
    }

    /// VitePress' `{1,3}`, `{3,}`, `{,10}`: from and to.
    pub fn of_braces(written: &str) -> Self {
        let (first, last) = written.split_once([',', '-']).unwrap_or((written, written));
        Self::Lines(vec![range(first, last)])
    }

    /// The part of a text, without any part markers. `None`: it does not exist.
    pub fn extract<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let mut lines = match self {
            Self::Whole => text.lines().collect(),
            Self::Lines(ranges) => chosen(text, ranges),
            Self::Region(name) => self
                .between_marks(text)
                .or_else(|| in_element(text, name))
                .or_else(|| under_heading(text, name))?,
            Self::Snippet(name) => return Some(Cow::Owned(snippet::extract(text, name)?)),
            Self::Anchor(_) | Self::Section(_) | Self::Fragment(_) => self.between_marks(text)?,
            Self::Anchors(_) => self.between_all_marks(text)?,
            Self::Between(start, end) => {
                return between_texts(text, start.as_deref(), end.as_deref()).map(Cow::Borrowed);
            }
        };
        let all = lines.len();
        let regions = matches!(self, Self::Region(_));
        lines.retain(|line| !(is_mark(line) || regions && region(line).is_some()));
        if lines.len() == all && *self == Self::Whole {
            return Some(Cow::Borrowed(text.trim_end_matches(['\n', '\r'])));
        }
        Some(Cow::Owned(
            lines.join("\n").trim_end_matches('\n').to_owned(),
        ))
    }

    /// The lines between the markers of this part; to the end if only the first exists.
    fn between_marks<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut lines = text.lines();
        lines.find(|line| self.begins(line))?;
        Some(lines.take_while(|line| !self.ends(line)).collect())
    }

    /// The lines between each pair of markers of this part.
    fn between_all_marks<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut found = None;
        let mut is_inside = false;
        for line in text.lines() {
            if is_inside && self.ends(line) {
                is_inside = false;
            } else if is_inside {
                found.get_or_insert_with(Vec::new).push(line);
            } else if self.begins(line) {
                is_inside = true;
                found.get_or_insert_default();
            }
        }
        found
    }

    fn begins(&self, line: &str) -> bool {
        match self {
            Self::Anchor(name) | Self::Anchors(name) => is_named(line, "ANCHOR:", name),
            Self::Section(name) => is_section(line, "start", name),
            Self::Region(name) => region(line) == Some((true, name.as_str())),
            Self::Fragment(name) => is_fragment(line, name),
            Self::Whole | Self::Lines(_) | Self::Snippet(_) | Self::Between(..) => false,
        }
    }

    fn ends(&self, line: &str) -> bool {
        match self {
            Self::Anchor(name) | Self::Anchors(name) => is_named(line, "ANCHOR_END:", name),
            Self::Section(name) => is_section(line, "end", name),
            Self::Region(name) => region(line)
                .is_some_and(|(begins, found)| !begins && (found == name || found.is_empty())),
            Self::Fragment(name) => is_fragment(line, name),
            Self::Whole | Self::Lines(_) | Self::Snippet(_) | Self::Between(..) => false,
        }
    }
}

fn range(first: &str, last: &str) -> (usize, usize) {
    let first = first.trim().parse().unwrap_or(1_usize).max(1);
    (first, last.trim().parse().unwrap_or(usize::MAX).max(first))
}

fn chosen<'t>(text: &'t str, ranges: &[(usize, usize)]) -> Vec<&'t str> {
    let all: Vec<&str> = text.lines().collect();
    let mut chosen = Vec::new();
    for (first, last) in ranges.iter().take(MOST_RANGES) {
        let from = first.wrapping_sub(1).min(all.len());
        chosen.extend(&all[from..(*last).clamp(from, all.len())]);
    }
    chosen
}

fn between_texts<'t>(text: &'t str, start: Option<&str>, end: Option<&str>) -> Option<&'t str> {
    let mut inner = text;
    if let Some(start) = start {
        (_, inner) = inner.split_once(start)?;
    }
    if let Some(end) = end {
        (inner, _) = inner.split_once(end)?;
    }
    Some(inner.trim_matches('\n'))
}

/// The word after a marker in a line.
fn word_after<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    line.split_once(mark)?.1.split_whitespace().next()
}

/// Whether a line contains a marker with exactly this name.
fn is_named(line: &str, mark: &str, name: &str) -> bool {
    word_after(line, mark) == Some(name)
}

fn is_section(line: &str, edge: &str, name: &str) -> bool {
    line.contains(&format!("--8<-- [{edge}:{name}]"))
        || line.contains(&format!("--8<-- [{edge}: {name}]"))
}

fn is_fragment(line: &str, name: &str) -> bool {
    let mark = format!("[{name}]");
    line.contains(&format!("/// {mark}")) || line.contains(&format!("### {mark}"))
}

/// `// #region r`, `<!-- #endregion r -->`: whether it opens the region, and the name.
fn region(line: &str) -> Option<(bool, &str)> {
    const MARKS: [(&str, bool); 6] = [
        ("#region", true),
        ("# region", true),
        ("region", true),
        ("#endregion", false),
        ("# endregion", false),
        ("endregion", false),
    ];
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '#');
    let (mark, begins) = MARKS.into_iter().find(|(mark, _)| line.starts_with(mark))?;
    let rest = &line[mark.len()..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t', '-', '*']) {
        return None;
    }
    Some((
        begins,
        rest.trim()
            .trim_end_matches("-->")
            .trim_end_matches("*/")
            .trim(),
    ))
}

/// The lines in `<section id="name">`.
fn in_element<'t>(text: &'t str, id: &str) -> Option<Vec<&'t str>> {
    let opening = format!("<section id=\"{id}\">");
    let mut lines = text.lines();
    lines.find(|line| line.trim() == opening)?;
    let own = lines.take_while(|line| line.trim() != "</section>");
    Some(own.collect())
}

/// The heading with this id and the text under it, up to the next heading of its level.
fn under_heading<'t>(text: &'t str, id: &str) -> Option<Vec<&'t str>> {
    let mut own = None;
    let mut found = Vec::new();
    for line in text.lines() {
        match (heading(line), own) {
            (Some((level, title)), None) if heading_id(title) == id => own = Some(level),
            (Some((level, _)), Some(own)) if level <= own => break,
            _ => {}
        }
        if own.is_some() {
            found.push(line);
        }
    }
    own.map(|_| found)
}

/// The level and the title of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let is_heading = (1..=6).contains(&level) && title.starts_with(' ');
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim()))
}

/// Whether a line is a part marker, which is never shown.
fn is_mark(line: &str) -> bool {
    ["ANCHOR: ", "ANCHOR_END: "]
        .into_iter()
        .any(|mark| word_after(line, mark).is_some())
        || line.contains("--8<-- [start:")
        || line.contains("--8<-- [end:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_12_a_part_is_chosen_in_every_spelling() {
        let text = "one\n// ANCHOR: x\ntwo\n// ANCHOR_END: x\nthree\n# --8<-- [start:s]\nfour\n# --8<-- [end:s]\n// #region r\nfive\n// #endregion r\n//<e>\nsix\n//</e>\n";
        let check = |part: Part, expected: Option<&str>| {
            assert_eq!(part.extract(text).as_deref(), expected, "{part:?}")
        };
        check(
            Part::of_book(""),
            Some("one\ntwo\nthree\nfour\n// #region r\nfive\n// #endregion r\n//<e>\nsix\n//</e>"),
        );
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
        check(Part::Snippet("e".into()), Some("six"));
        check(
            Part::Between(Some("on".into()), Some("\n".into())),
            Some("e"),
        );
        check(Part::of_book("99:100"), Some(""));
    }

    #[test]
    fn rule_12_rustdoc_include_shows_every_part_of_its_name() {
        let text = "// ANCHOR: x\none\n// ANCHOR_END: x\ntwo\n// ANCHOR: x\nthree\n// ANCHOR: y\nfour\n// ANCHOR_END: y\n// ANCHOR_END: x\nfive\n";
        let check = |part: Part, expected: Option<&str>| {
            assert_eq!(part.extract(text).as_deref(), expected, "{part:?}")
        };
        check(Part::of_rustdoc("x"), Some("one\nthree\nfour"));
        check(Part::of_book("x"), Some("one"));
        check(Part::of_rustdoc("y"), Some("four"));
        check(Part::of_rustdoc("z"), None);
        check(Part::of_rustdoc("2"), Some("one"));
    }

    #[test]
    fn rule_12_a_heading_names_a_part() {
        let text = "# A\n\n## Basic Usage\n\nb\n\n### c\n\n## D\n";
        assert_eq!(
            Part::Region("basic-usage".into()).extract(text).as_deref(),
            Some("## Basic Usage\n\nb\n\n### c")
        );
    }

    proptest::proptest! {
        #[test]
        fn no_part_panics(text in "[a#\n:é-]{0,20}", part in "[0-9:,{}a-]{0,8}") {
            for part in [Part::of_book(&part), Part::of_snippet(&part), Part::of_lines(&part), Part::of_braces(&part), Part::Region(part.clone())] {
                let _ = part.extract(&text);
            }
        }
    }
}
