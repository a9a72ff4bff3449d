//! Numbers of figures, tables, sections and the like, by the order in the text.

use std::collections::BTreeMap;

mod words;

use crate::dialects::attributes::{Attributes, heading_parts};
use crate::dialects::config::Label;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, heading, scan};

pub use words::{Kind, kind_of};

/// How the things of a text are numbered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering<'a> {
    /// The number or letter of the chapter in a book.
    pub chapter: Option<&'a str>,
    /// Whether sections have numbers.
    pub sections: bool,
    /// The language of the words.
    pub language: &'a str,
}

/// The labels of a text, by id.
pub type Labels = BTreeMap<String, Label>;

struct Count<'n> {
    numbering: Numbering<'n>,
    labels: Labels,
    counts: BTreeMap<&'static str, usize>,
    /// The numbers of the open sections, by level.
    sections: [usize; 7],
    /// The level of a first section.
    top: usize,
    /// The open blocks: the number of a figure, and how many parts it has.
    open: Vec<Option<(String, u8)>>,
}

/// As [`labels`], of a text that is not rewritten.
pub fn of_text(text: &str, numbering: Numbering<'_>) -> Labels {
    labels(&Lines::new(text), numbering)
}

/// Numbers everything in a text that has an id with a known prefix.
pub fn labels(text: &Lines, numbering: Numbering<'_>) -> Labels {
    let mut count = Count {
        numbering,
        labels: Labels::new(),
        counts: BTreeMap::new(),
        sections: [0; 7],
        top: 1,
        open: Vec::new(),
    };
    let signs = ["{#", "label:", " fig-"];
    if !signs.iter().any(|sign| text.text.contains(sign)) {
        return count.labels;
    }
    let lines = scan(&text.text, &text.literals());
    let levels = lines.iter().filter_map(heading).map(|(level, _)| level);
    count.top = match numbering.chapter {
        Some(_) => 1,
        None => levels.min().unwrap_or(1),
    };
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.code && line.rest.starts_with(['`', '~']) {
            at = count.code(&lines, at);
            continue;
        }
        count.line(line);
        at += 1;
    }
    count.labels
}

impl Count<'_> {
    fn line(&mut self, line: &Line<'_>) {
        if line.block {
            return;
        }
        if let Some((level, words)) = heading(line) {
            return self.section(level, words);
        }
        let rest = line.rest.trim_end();
        if rest.starts_with(":::") {
            let words = rest.trim_start_matches(':').trim();
            if words.is_empty() {
                self.open.pop();
                return;
            }
            let id = Attributes::at(words).and_then(|found| found.id);
            let number = id.and_then(|id| self.number(id));
            self.open.push(number.map(|number| (number, 0)));
            return;
        }
        let mut from = 0;
        while let Some(step) = rest[from..].find('{') {
            let start = from + step;
            from = start + 1;
            let in_code = rest[..start].matches('`').count() % 2 == 1;
            if let Some(found) = Attributes::at(&rest[start..]).filter(|_| !in_code) {
                found.id.and_then(|id| self.number(id));
                from = start + found.length;
            }
        }
    }

    /// A block of code: the label of a cell, or the id of a listing. Returns the line after it.
    fn code(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let info = lines[at].rest.trim_start_matches(['`', '~']).trim();
        let length = lines[at + 1..]
            .iter()
            .take_while(|line| line.block && !is_end(line.rest, lines[at].rest))
            .count();
        if let Some(id) = Attributes::at(info).and_then(|found| found.id) {
            self.number(id);
        } else if info.starts_with('{') && !info.starts_with("{{") {
            let inner = info.trim_matches(['{', '}']);
            let named = inner.split([' ', ',']).nth(1).unwrap_or_default();
            let own = lines[at + 1..at + 1 + length]
                .iter()
                .find_map(|line| option(line.rest, "label"));
            self.number(own.unwrap_or(named));
        }
        (at + length + 2).min(lines.len())
    }

    fn section(&mut self, level: usize, words: &str) {
        let (title, found) = heading_parts(words);
        let unnumbered = found.as_ref().is_some_and(|found| found.has("unnumbered"));
        let numbered = self.numbering.sections && !unnumbered && level >= self.top;
        let is_chapter = self.numbering.chapter.is_some() && level == 1;
        if numbered && !is_chapter {
            self.sections[level] += 1;
            self.sections[level + 1..].fill(0);
        }
        let Some(id) = found.and_then(|found| found.id) else {
            return;
        };
        if kind_of(id).is_some_and(|kind| kind.prefix != "sec") {
            return;
        }
        let label = if !numbered {
            Label {
                words: title.to_owned(),
                title: true,
                ..Label::default()
            }
        } else {
            let first = if is_chapter { level + 1 } else { self.top };
            let first = if self.numbering.chapter.is_some() {
                2
            } else {
                first
            };
            let own = self.sections[first.min(level + 1)..=level]
                .iter()
                .map(usize::to_string);
            let parts: Vec<String> = self
                .numbering
                .chapter
                .map(str::to_owned)
                .into_iter()
                .chain(own)
                .collect();
            let number = parts.join(".");
            let is_letter = number.starts_with(|c: char| c.is_ascii_alphabetic());
            let word = match (is_chapter, is_letter) {
                (true, true) => "app",
                (true, false) => "ch",
                (false, _) => "sec",
            };
            Label::numbered(Kind::word(word, self.numbering.language), &number)
        };
        self.labels.entry(id.to_owned()).or_insert(label);
    }

    /// The number of a thing with this id.
    fn number(&mut self, id: &str) -> Option<String> {
        let kind = kind_of(id).filter(|kind| kind.prefix != "sec")?;
        if let Some(known) = self.labels.get(id) {
            return Some(known.number.clone());
        }
        let outer = self.open.iter_mut().rev().find_map(Option::as_mut);
        let number = match outer {
            Some((number, parts)) if matches!(kind.prefix, "fig" | "tbl") && *parts < 26 => {
                *parts += 1;
                format!("{number} ({})", char::from(b'a' + *parts - 1))
            }
            _ => {
                let count = self.counts.entry(kind.prefix).or_insert(0);
                *count += 1;
                match self.numbering.chapter {
                    Some(chapter) => format!("{chapter}.{count}"),
                    None => count.to_string(),
                }
            }
        };
        let label = Label::numbered(Kind::word(kind.prefix, self.numbering.language), &number);
        self.labels.insert(id.to_owned(), label);
        Some(number)
    }
}

/// Whether a line ends the fence that another opens.
pub fn is_end(line: &str, opener: &str) -> bool {
    let mark = if opener.starts_with('~') { '~' } else { '`' };
    let length = opener.len() - opener.trim_start_matches(mark).len();
    let line = line.trim();
    line.len() >= length && line.trim_start_matches(mark).is_empty()
}

/// The value of an option of a cell: `#| label: fig-x`.
pub fn option<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = option_text(line)?.trim();
    let (key, value) = rest.split_once(':')?;
    (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']))
}

/// What is behind the mark of an option line. A formatter may have put a space into the mark: `# |`.
pub fn option_text(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let marks = ["#", "//", "%%", "--", ";;", "'"];
    let behind = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
    behind.trim_start_matches([' ', '\t']).strip_prefix('|')
}
