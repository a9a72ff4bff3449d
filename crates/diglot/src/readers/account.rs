//! What the files say, put together for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::civil::Date;
use serde_json::json;

use super::day::{Count, Day, FORMS, Reader, Subject};
use crate::serve::{Family, Kind};

/// How many rows of one table are shown; `--json` has all.
const MOST: usize = 30;
/// What these numbers are not.
const CAVEATS: [&str; 2] = [
    "Only what this server answered is counted: what a CDN or a browser's cache answered is not seen.",
    "Families are what clients claim to be; anyone can claim to be anybody.",
];

/// The columns of kinds, with the heading of each.
const KINDS: [(&str, &[Kind]); 5] = [
    ("people", &[Kind::Human]),
    ("feed readers", &[Kind::FeedReader]),
    ("search", &[Kind::Search]),
    ("ai", &[Kind::Ai]),
    ("others", &[Kind::Bot, Kind::Other]),
];

/// The counts of some days.
#[derive(Debug)]
pub struct Account {
    /// The first day that was asked for.
    pub first: Date,
    /// The last one.
    pub last: Date,
    /// Those that have counts.
    pub days: BTreeMap<Date, Day>,
    /// What could not be read of them.
    pub warnings: Vec<String>,
}

/// The sums of one row.
#[derive(Clone, Debug, Default)]
struct Sums {
    kinds: [u64; KINDS.len()],
    forms: [u64; FORMS.len()],
    unchanged: u64,
    total: u64,
}

impl Sums {
    fn add(&mut self, reader: Reader, count: Count) {
        let kind = KINDS.iter().position(|(_, kinds)| kinds.contains(&reader.family.kind)).unwrap_or(KINDS.len() - 1);
        let form = FORMS.iter().position(|form| *form == reader.form()).unwrap_or(FORMS.len() - 1);
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.kinds[kind], count.total());
        add(&mut self.forms[form], count.total());
        add(&mut self.unchanged, count.unchanged);
        add(&mut self.total, count.total());
    }
}

impl Account {
    /// Everything that was read, one by one.
    fn entries(&self) -> impl Iterator<Item = (Date, &Subject, Reader, Count)> {
        self.days.iter().flat_map(|(date, day)| {
            day.subjects.iter().flat_map(move |(subject, readers)| readers.iter().map(move |(reader, count)| (*date, subject, *reader, *count)))
        })
    }

    /// For programs: a row for every day, resource, form and family.
    pub fn json(&self) -> serde_json::Value {
        let row = |(date, subject, reader, count): (Date, &Subject, Reader, Count)| {
            json!({
                "day": date.to_string(), "kind": subject.kind, "path": subject.path, "form": reader.form(), "reader": reader.family.kind.name(),
                "family": reader.family.name, "sent": count.sent, "unchanged": count.unchanged,
            })
        };
        json!({
            "diglot-readers": 1, "first": self.first.to_string(), "last": self.last.to_string(), "rows": self.entries().map(row).collect::<Vec<_>>(),
            "warnings": self.warnings, "caveats": CAVEATS,
        })
    }

    /// For people: articles, other resources, days, and the families of each kind.
    pub fn text(&self) -> String {
        let mut text = format!("Who read what from {} to {} (UTC), {}\n", self.first, self.last, self.known());
        let subjects = |article: bool| self.sums(move |_, subject| ((subject.kind == "article") == article).then(|| shown(subject)));
        let by_total = |sums: BTreeMap<String, Sums>| {
            let mut rows: Vec<(String, Sums)> = sums.into_iter().collect();
            rows.sort_by(|a, b| b.1.total.cmp(&a.1.total).then_with(|| a.0.cmp(&b.0)));
            rows
        };
        table(&mut text, "article", &by_total(subjects(true)));
        table(&mut text, "other", &by_total(subjects(false)));
        let days: Vec<(String, Sums)> = self.sums(|date, _| Some(date.to_string())).into_iter().rev().collect();
        table(&mut text, "day", &days);
        self.families(&mut text);
        let _ = write!(text, "\n{}\n", CAVEATS.join("\n"));
        text
    }

    fn known(&self) -> String {
        crate::report::counted(self.days.len(), "day") + " with counts"
    }

    /// The sums of each name that `of` gives; what it gives none counts nowhere.
    fn sums(&self, of: impl Fn(Date, &Subject) -> Option<String>) -> BTreeMap<String, Sums> {
        let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
        for (date, subject, reader, count) in self.entries() {
            if let Some(name) = of(date, subject) {
                sums.entry(name).or_default().add(reader, count);
            }
        }
        sums
    }

    /// `ai: OpenAI 31 (markdown 27), Anthropic 12`
    fn families(&self, text: &mut String) {
        let mut families: BTreeMap<Family, Sums> = BTreeMap::new();
        self.entries().for_each(|(_, _, reader, count)| families.entry(reader.family).or_default().add(reader, count));
        text.push('\n');
        for (heading, kinds) in KINDS {
            let mut known: Vec<(&Family, &Sums)> = families.iter().filter(|(family, _)| kinds.contains(&family.kind)).collect();
            known.sort_by(|a, b| b.1.total.cmp(&a.1.total).then(a.0.cmp(b.0)));
            let known: Vec<String> = known
                .into_iter()
                .map(|(family, sums)| match sums.forms[1] {
                    0 => format!("{} {}", family.name, sums.total),
                    markdown => format!("{} {} (markdown {markdown})", family.name, sums.total),
                })
                .collect();
            if !known.is_empty() {
                let _ = writeln!(text, "{heading}: {}", known.join(", "));
            }
        }
    }
}

/// The path, or what stands for those left out.
fn shown(subject: &Subject) -> String {
    if &*subject.path == "*" { format!("(more, of kind `{}`)", subject.kind) } else { subject.path.to_string() }
}

fn table(text: &mut String, what: &str, rows: &[(String, Sums)]) {
    if rows.is_empty() {
        return;
    }
    let widest = rows.iter().take(MOST).map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(what.len());
    let headings: Vec<&str> = KINDS.iter().map(|(name, _)| *name).chain(["html", "markdown", "unchanged"]).collect();
    let mut line = |name: &str, cells: &[String]| {
        let _ = write!(text, "{name:<widest$}");
        for (cell, heading) in cells.iter().zip(&headings) {
            let _ = write!(text, "  {cell:>width$}", width = heading.len().max(9));
        }
        text.push('\n');
    };
    line(&format!("\n{what:<widest$}"), &headings.iter().map(ToString::to_string).collect::<Vec<_>>());
    for (name, sums) in rows.iter().take(MOST) {
        let numbers = sums.kinds.iter().chain(&sums.forms[..2]).chain([&sums.unchanged]);
        line(name, &numbers.map(ToString::to_string).collect::<Vec<_>>());
    }
    if rows.len() > MOST {
        let _ = writeln!(text, "… and {} more: `--json` has all", rows.len() - MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> Account {
        let (first, last) = ("2026-11-20".parse().unwrap(), "2026-11-21".parse().unwrap());
        let mut day = Day::default();
        let mut count = |kind, path: &str, form, family, sent, unchanged| {
            let subject = Subject { kind, path: path.into() };
            day.count(subject, Reader::new(form, Family::named(family)), Count { sent, unchanged });
        };
        count("article", "/articles/b", "html", "Firefox", 3, 1);
        count("article", "/articles/a", "html", "Firefox", 3, 0);
        count("article", "/articles/b", "markdown", "OpenAI", 2, 0);
        count("article", "*", "html", "Google", 7, 0);
        count("rss", "/rss.xml", "other", "Miniflux", 1, 95);
        Account { first, last, days: [(last, day)].into(), warnings: Vec::new() }
    }

    #[test]
    fn the_tables_for_people() {
        let expected = "\
Who read what from 2026-11-20 to 2026-11-21 (UTC), 1 day with counts

article                       people  feed readers     search         ai     others       html   markdown  unchanged
(more, of kind `article`)          0             0          7          0          0          7          0          0
/articles/b                        4             0          0          2          0          4          2          1
/articles/a                        3             0          0          0          0          3          0          0

other        people  feed readers     search         ai     others       html   markdown  unchanged
/rss.xml          0            96          0          0          0          0          0         95

day            people  feed readers     search         ai     others       html   markdown  unchanged
2026-11-21          7            96          7          2          0         14          2         96

people: Firefox 7
feed readers: Miniflux 96
search: Google 7
ai: OpenAI 2 (markdown 2)

Only what this server answered is counted: what a CDN or a browser's cache answered is not seen.
Families are what clients claim to be; anyone can claim to be anybody.
";
        assert_eq!(account().text(), expected);
    }

    #[test]
    fn a_row_for_everything_for_programs() {
        let json = account().json();
        assert_eq!(json["rows"].as_array().unwrap().len(), 5);
        let row = json!({
            "day": "2026-11-21", "kind": "article", "path": "/articles/b", "form": "markdown", "reader": "ai agent", "family": "OpenAI",
            "sent": 2, "unchanged": 0,
        });
        assert!(json["rows"].as_array().unwrap().contains(&row), "{json}");
        assert!(json["caveats"][0].as_str().unwrap().contains("CDN"));
    }
}
