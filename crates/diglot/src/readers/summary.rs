//! Summarises the files, for people and for programs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::{ToSpan, civil::Date};
use serde_json::json;

use super::day::{Count, Day, OTHERS, Reader, Subject};
use crate::serve::{Family, Kind};
use crate::terminal::counted;

/// Rows shown per table; `--json` has all.
const MOST: usize = 30;
/// The limits of these numbers.
const CAVEATS: [&str; 2] = [
    "Only what this server answered is counted: what a CDN or a browser's cache answered is not seen.",
    "Families are what clients claim to be; anyone can claim to be anybody.",
];

/// The columns, each with its heading and kinds. All other kinds are in the last column.
const KINDS: [(&str, &[Kind]); 5] = [
    ("people", &[Kind::Human]),
    ("feed readers", &[Kind::FeedReader]),
    ("search", &[Kind::Search]),
    ("ai", &[Kind::Ai]),
    ("others", &[Kind::Bot, Kind::Other]),
];

/// The counts of some days.
#[derive(Debug)]
pub struct Summary {
    /// The first requested day.
    pub first: Date,
    /// The last requested day.
    pub last: Date,
    /// The days that have counts.
    pub days: BTreeMap<Date, Day>,
    /// What could not be read.
    pub warnings: Vec<String>,
}

/// The sums of one row.
#[derive(Default)]
struct Sums {
    kinds: [u64; KINDS.len()],
    html: u64,
    markdown: u64,
    unchanged: u64,
    total: u64,
}

impl Sums {
    fn add(&mut self, reader: Reader, count: Count) {
        let kind = KINDS
            .iter()
            .position(|(_, kinds)| kinds.contains(&reader.family.kind))
            .unwrap_or(KINDS.len() - 1);
        let total = count.total();
        add(&mut self.kinds[kind], total);
        match reader.form {
            "html" => add(&mut self.html, total),
            "markdown" => add(&mut self.markdown, total),
            _ => {}
        }
        add(&mut self.unchanged, count.unchanged);
        add(&mut self.total, total);
    }
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl Summary {
    /// All single counts.
    fn entries(&self) -> Vec<(Date, &Subject, Reader, Count)> {
        let mut entries = Vec::new();
        for (date, day) in &self.days {
            for (subject, readers) in &day.subjects {
                entries.extend(
                    readers
                        .iter()
                        .map(|(reader, count)| (*date, subject, *reader, *count)),
                );
            }
        }
        entries
    }

    /// The sums of every week, by its Monday, with the number of its days that have counts.
    fn weeks(&self) -> BTreeMap<Date, (usize, Sums)> {
        let mut weeks: BTreeMap<Date, (usize, Sums)> = BTreeMap::new();
        for date in self.days.keys() {
            weeks.entry(monday(*date)).or_default().0 += 1;
        }
        for (date, _, reader, count) in self.entries() {
            let week = weeks.entry(monday(date)).or_default();
            week.1.add(reader, count);
        }
        weeks
    }

    fn total(&self) -> Sums {
        let mut total = Sums::default();
        for (_, _, reader, count) in self.entries() {
            total.add(reader, count);
        }
        total
    }

    /// For programs: a row per day, resource, form and family, and sums of all and of every week.
    pub fn json(&self) -> serde_json::Value {
        let mut rows = Vec::new();
        for (date, subject, reader, count) in self.entries() {
            rows.push(json!({
                "day": date.to_string(), "kind": subject.kind, "path": subject.path, "form": reader.form, "reader": reader.family.kind.name(),
                "family": reader.family.name, "sent": count.sent, "unchanged": count.unchanged,
            }));
        }
        let weeks = self.weeks();
        let weeks = weeks.iter().map(|(monday, (days, sums))| {
            let mut week = sums.json();
            week["week"] = json!(monday.to_string());
            week["days"] = json!(days);
            week
        });
        json!({
            "diglot-readers": 1, "first": self.first.to_string(), "last": self.last.to_string(), "rows": rows,
            "total": self.total().json(), "weeks": weeks.collect::<Vec<_>>(),
            "warnings": self.warnings, "caveats": CAVEATS,
        })
    }

    /// For people: everything, weeks, articles, other resources, days, and the families of each kind.
    pub fn text(&self) -> String {
        let known = counted(self.days.len(), "day");
        let mut text = format!(
            "Who read what from {} to {} (UTC), {known} with counts\n",
            self.first, self.last
        );
        let (mut articles, mut others, mut days, mut families) = (
            BTreeMap::new(),
            BTreeMap::new(),
            BTreeMap::new(),
            BTreeMap::new(),
        );
        for (date, subject, reader, count) in self.entries() {
            let subjects = if subject.kind == "article" {
                &mut articles
            } else {
                &mut others
            };
            for sums in [subjects.entry(shown(subject)), days.entry(date.to_string())] {
                sums.or_insert_with(Sums::default).add(reader, count);
            }
            families
                .entry(reader.family)
                .or_insert_with(Sums::default)
                .add(reader, count);
        }
        let days: Vec<(String, Sums)> = days.into_iter().rev().collect();
        let tables = [
            ("total", vec![("all".to_owned(), self.total())]),
            ("week of", self.week_rows()),
            ("article", by_total(articles)),
            ("other", by_total(others)),
            ("day", days),
        ];
        let names = tables.iter().flat_map(|(what, rows)| {
            let names = rows.iter().take(MOST).map(|(name, _)| name.as_str());
            names.chain([*what])
        });
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for (what, rows) in &tables {
            table(&mut text, what, rows, width);
        }
        self.trend(&mut text);
        family_lines(&mut text, &by_total(families));
        let _ = write!(text, "\n{}\n", CAVEATS.join("\n"));
        text
    }
}

impl Summary {
    /// Weeks by their Monday, the newest first.
    fn week_rows(&self) -> Vec<(String, Sums)> {
        let weeks = self.weeks().into_iter().rev();
        weeks
            .map(|(monday, (_, sums))| (monday.to_string(), sums))
            .collect()
    }

    /// `a day: 14.0 in the week of 2026-11-16, 12.5 in the week of 2026-11-09 (+12 %)`: the newest two
    /// weeks, by their days with counts.
    fn trend(&self, text: &mut String) {
        let mut weeks = self.weeks().into_iter().rev();
        let mut average = || {
            let (monday, (days, sums)) = weeks.next()?;
            Some((monday, sums.total as f64 / days as f64))
        };
        let (Some((week, now)), Some((earlier, before))) = (average(), average()) else {
            return;
        };
        let _ = write!(
            text,
            "\na day: {now:.1} in the week of {week}, {before:.1} in the week of {earlier}"
        );
        if before > 0.0 {
            let _ = write!(text, " ({:+.0} %)", (now / before - 1.0) * 100.0);
        }
        text.push('\n');
    }
}

fn monday(date: Date) -> Date {
    let since = i64::from(date.weekday().to_monday_zero_offset());
    date.saturating_sub(since.days())
}

/// The rows, largest total first.
fn by_total<T>(sums: BTreeMap<T, Sums>) -> Vec<(T, Sums)> {
    let mut rows: Vec<(T, Sums)> = sums.into_iter().collect();
    rows.sort_by_key(|(_, sums)| Reverse(sums.total));
    rows
}

/// `ai: OpenAI 31 (markdown 27), Anthropic 12`
fn family_lines(text: &mut String, families: &[(Family, Sums)]) {
    text.push('\n');
    for (heading, kinds) in KINDS {
        let mut named = Vec::new();
        for (family, sums) in families
            .iter()
            .filter(|(family, _)| kinds.contains(&family.kind))
        {
            named.push(match sums.markdown {
                0 => format!("{} {}", family.name, sums.total),
                markdown => format!("{} {} (markdown {markdown})", family.name, sums.total),
            });
        }
        if !named.is_empty() {
            let _ = writeln!(text, "{heading}: {}", named.join(", "));
        }
    }
}

/// The path, or a phrase for the dropped resources.
fn shown(subject: &Subject) -> String {
    if &*subject.path == OTHERS {
        format!("(more, of kind `{}`)", subject.kind)
    } else {
        subject.path.to_string()
    }
}

/// `width` is that of the first column, which all tables share.
fn table(text: &mut String, what: &str, rows: &[(String, Sums)], width: usize) {
    if rows.is_empty() {
        return;
    }
    let headings = headings();
    let _ = write!(text, "\n{what:<width$}");
    for heading in &headings {
        let _ = write!(text, "  {heading:>9}");
    }
    text.push('\n');
    for (name, sums) in rows.iter().take(MOST) {
        let _ = write!(text, "{name:<width$}");
        sums.write_row(text, &headings);
    }
    if rows.len() > MOST {
        let _ = writeln!(text, "… and {} more: `--json` has all", rows.len() - MOST);
    }
}

fn headings() -> Vec<&'static str> {
    let kinds = KINDS.iter().map(|(name, _)| *name);
    kinds
        .chain(["total", "html", "markdown", "unchanged"])
        .collect()
}

impl Sums {
    fn write_row(&self, text: &mut String, headings: &[&str]) {
        let sums = [&self.total, &self.html, &self.markdown, &self.unchanged];
        for (number, heading) in self.kinds.iter().chain(sums).zip(headings) {
            let _ = write!(text, "  {number:>width$}", width = heading.len().max(9));
        }
        text.push('\n');
    }

    fn json(&self) -> serde_json::Value {
        let mut sums = json!({
            "total": self.total, "html": self.html, "markdown": self.markdown, "unchanged": self.unchanged,
        });
        for ((name, _), number) in KINDS.iter().zip(self.kinds) {
            sums[*name] = json!(number);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        let (first, last) = ("2026-11-20".parse().unwrap(), "2026-11-21".parse().unwrap());
        let mut day = Day::default();
        let mut count = |kind, path: &str, form, family, sent, unchanged| {
            let subject = Subject {
                kind,
                path: path.into(),
            };
            day.count(
                subject,
                Reader::new(form, Family::named(family)),
                Count { sent, unchanged },
            );
        };
        count("article", "/articles/b", "html", "Firefox", 3, 1);
        count("article", "/articles/a", "html", "Firefox", 3, 0);
        count("article", "/articles/b", "markdown", "OpenAI", 2, 0);
        count("article", "*", "html", "Google", 7, 0);
        count("rss", "/rss.xml", "other", "Miniflux", 1, 95);
        Summary {
            first,
            last,
            days: [(last, day)].into(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn the_tables_for_people() {
        let expected = "\
Who read what from 2026-11-20 to 2026-11-21 (UTC), 1 day with counts

total                         people  feed readers     search         ai     others      total       html   markdown  unchanged
all                                7            96          7          2          0        112         14          2         96

week of                       people  feed readers     search         ai     others      total       html   markdown  unchanged
2026-11-16                         7            96          7          2          0        112         14          2         96

article                       people  feed readers     search         ai     others      total       html   markdown  unchanged
(more, of kind `article`)          0             0          7          0          0          7          7          0          0
/articles/b                        4             0          0          2          0          6          4          2          1
/articles/a                        3             0          0          0          0          3          3          0          0

other                         people  feed readers     search         ai     others      total       html   markdown  unchanged
/rss.xml                           0            96          0          0          0         96          0          0         95

day                           people  feed readers     search         ai     others      total       html   markdown  unchanged
2026-11-21                         7            96          7          2          0        112         14          2         96

people: Firefox 7
feed readers: Miniflux 96
search: Google 7
ai: OpenAI 2 (markdown 2)

Only what this server answered is counted: what a CDN or a browser's cache answered is not seen.
Families are what clients claim to be; anyone can claim to be anybody.
";
        assert_eq!(summary().text(), expected);
    }

    #[test]
    fn the_trend_compares_the_average_days_of_two_weeks() {
        let mut summary = summary();
        let (_, day) = summary.days.pop_first().unwrap();
        for (date, more) in [("2026-11-09", 0), ("2026-11-15", 0), ("2026-11-16", 56)] {
            let mut counted = Day::default();
            for (subject, readers) in &day.subjects {
                for (reader, count) in readers {
                    counted.count(subject.clone(), *reader, *count);
                }
            }
            let subject = Subject {
                kind: "rss",
                path: "/rss.xml".into(),
            };
            let count = Count {
                sent: more,
                unchanged: 0,
            };
            counted.count(
                subject,
                Reader::new("other", Family::named("Miniflux")),
                count,
            );
            summary.days.insert(date.parse().unwrap(), counted);
        }
        let text = summary.text();
        let trend =
            "\na day: 168.0 in the week of 2026-11-16, 112.0 in the week of 2026-11-09 (+50 %)\n";
        assert!(text.contains(trend), "{text}");
        let json = summary.json();
        assert_eq!(json["weeks"][0]["days"], 2);
        assert_eq!(json["weeks"][1]["total"], 168);
        assert_eq!(json["total"]["total"], 392);
    }

    #[test]
    fn a_row_for_everything_for_programs() {
        let json = summary().json();
        assert_eq!(json["rows"].as_array().unwrap().len(), 5);
        let row = json!({
            "day": "2026-11-21", "kind": "article", "path": "/articles/b", "form": "markdown", "reader": "ai agent", "family": "OpenAI",
            "sent": 2, "unchanged": 0,
        });
        assert!(json["rows"].as_array().unwrap().contains(&row), "{json}");
        assert!(json["caveats"][0].as_str().unwrap().contains("CDN"));
    }
}
