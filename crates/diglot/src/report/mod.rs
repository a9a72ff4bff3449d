//! The report on one edition: what happened to each file and what needs fixing. `check`, `build`
//! and `serve` all print it: short or in full for people, as JSON for programs.

mod groups;
mod public;

pub use public::news as newly_public;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use diglot_content::document::Parity;
use diglot_content::library::{PublicFolder, References, Report};
use diglot_content::{Problem, Severity, Shape};
use diglot_edition::Edition;
use serde_json::{Value, json};

use crate::terminal::{self, Channel, counted};

/// Names of tags in the short report.
const MOST: usize = 20;

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// At most 20 causes of problems with three examples each, errors first, and the counts.
    Short,
    /// Every problem and every file.
    Whole,
    /// All of it as JSON on the standard output; nothing for people.
    Json,
}

/// One edition and what to report about it.
#[derive(Clone, Copy, Debug)]
pub struct EditionReport<'a> {
    /// The edition.
    pub edition: &'a Edition,
    /// What happened to each file of the folder.
    pub report: &'a Report,
    /// The problems of the edition, and those found later.
    pub problems: &'a [Problem],
    /// How long the build took.
    pub time: Duration,
    /// What was not public at the last run.
    pub newly_public: &'a [PublicFolder],
}

impl EditionReport<'_> {
    /// Writes the report: the verdict, what is public, what needs fixing, and how the folder was
    /// read. As JSON it always goes to the standard output.
    pub fn tell(&self, detail: Detail, channel: Channel) {
        if detail == Detail::Json {
            return terminal::print(self.json());
        }
        let whole = detail == Detail::Whole;
        channel.say(summary(
            self.edition.articles,
            self.report.set_aside.len(),
            self.problems,
            self.time,
        ));
        channel.say(public::line(&self.report.public));
        if let Some(news) = public::news(self.newly_public) {
            channel.say(news);
        }
        self.tell_problems(whole, channel);
        for line in lines(self.report, &self.edition.parity, whole) {
            channel.say(line);
        }
    }

    /// Writes the problems: by cause for people, one by one for log collectors.
    fn tell_problems(&self, whole: bool, channel: Channel) {
        if channel == Channel::Messages && terminal::format() == terminal::Format::Json {
            let (errors, warnings): (Vec<_>, Vec<_>) = self
                .problems
                .iter()
                .partition(|problem| problem.severity == Severity::Error);
            let most = if whole { usize::MAX } else { MOST };
            return terminal::problems(errors.into_iter().chain(warnings), most);
        }
        if self.problems.is_empty() {
            return;
        }
        channel.gap();
        tell_problems(self.problems, whole, channel);
        channel.gap();
    }

    /// The whole report as pretty-printed JSON; docs/cli.md documents the fields, in this order.
    pub fn json(&self) -> String {
        let Self {
            edition,
            report,
            problems,
            ..
        } = *self;
        let (errors, warnings) = severities(problems);
        let (articles_folder, why) = &report.articles_folder;
        let dialect = report
            .dialect
            .as_ref()
            .map(|(name, evidence)| json!({ "name": name, "evidence": evidence }));
        let json = json!({
            "edition": edition.id.to_string(),
            "base_url": edition.site.base.to_string(),
            "articles": edition.articles,
            "resources": edition.resources.len(),
            "errors": errors,
            "warnings": warnings,
            "next_change": edition.next_change.map(|time| time.to_string()),
            "dialect": dialect,
            "articles_folder": { "path": articles_folder, "why": why },
            "shape": { "name": report.shape.0, "why": report.shape.1 },
            "configuration": report.configuration.as_ref().map(|(file, taken)| json!({ "file": file, "taken": pairs("key", "value", taken) })),
            "public": report.public,
            "newly_public": self.newly_public,
            "found": report.found,
            "published": report.published,
            "set_aside": pairs("path", "reason", &report.set_aside),
            "skipped": report.skipped,
            "unknown_tags": report.unknown_tags,
            "references": report.references,
            "notes": report.notes,
            "parity": edition.parity,
            "problems": problems,
        });
        format!("{json:#}")
    }
}

/// One object per pair, with these member names.
fn pairs(first: &str, second: &str, pairs: &[(String, String)]) -> Vec<Value> {
    pairs
        .iter()
        .map(|(one, other)| json!({ first: one, second: other }))
        .collect()
}

/// The problems alone as JSON, for a run without an edition.
pub fn json_without_edition(problems: &[Problem]) -> String {
    let (errors, warnings) = severities(problems);
    format!(
        "{:#}",
        json!({ "edition": null, "errors": errors, "warnings": warnings, "problems": problems })
    )
}

/// Writes problems by their cause.
pub fn tell_problems(problems: &[Problem], whole: bool, channel: Channel) {
    for line in groups::lines(problems, whole) {
        channel.line(line);
    }
}

/// Whether these problems make the command fail.
pub fn fails(problems: &[Problem], strict: bool) -> bool {
    problems
        .iter()
        .any(|problem| strict || problem.severity == Severity::Error)
}

/// The number of errors and of warnings.
fn severities(problems: &[Problem]) -> (usize, usize) {
    let errors = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .count();
    (errors, problems.len() - errors)
}

/// `618 articles published, 3 set aside, 2 warnings in 0.4 s`
fn summary(articles: usize, set_aside: usize, problems: &[Problem], time: Duration) -> String {
    let mut parts = vec![format!("{} published", counted(articles, "article"))];
    if set_aside > 0 {
        parts.push(format!("{set_aside} set aside"));
    }
    let (errors, warnings) = severities(problems);
    for (count, noun) in [(errors, "error"), (warnings, "warning")] {
        if count > 0 {
            parts.push(counted(count, noun));
        }
    }
    format!("{} in {}", parts.join(", "), terminal::seconds(time))
}

/// Each file that is set aside or skipped, and why.
fn unpublished(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, reason) in &report.set_aside {
        lines.push(format!("{path} set aside: {reason}"));
    }
    for (reason, files) in &report.skipped {
        lines.extend(files.iter().map(|file| format!("{file} skipped: {reason}")));
    }
    lines
}

/// How the folder was recognised, what happened to each file, broken links, unknown template tags,
/// and how far the two forms agree.
fn lines(report: &Report, parity: &Parity, whole: bool) -> Vec<String> {
    let mut lines = vec![understood(report)];
    if let Some((file, taken)) = &report.configuration {
        lines.extend(configuration(file, taken, whole));
    }
    if whole {
        lines.extend(unpublished(report));
    }
    lines.push(files(report));
    if report.references != References::default() {
        lines.push(format!("{} inside the folder", report.references));
    }
    lines.extend(report.notes.iter().cloned());
    if !report.unknown_tags.is_empty() {
        lines.push(tags(&report.unknown_tags, whole));
    }
    if report.published > 0 {
        lines.push(format!(
            "HTML and Markdown agree in {} of {} headings, links, images and code blocks",
            parity.agreeing, parity.total
        ));
    }
    if whole {
        lines.extend(
            parity
                .differences
                .iter()
                .map(|difference| format!("HTML and Markdown differ: {difference}")),
        );
    }
    lines
}

/// Where the articles are and what kind of folder this is, with the reasons.
fn understood(report: &Report) -> String {
    let (articles, why) = &report.articles_folder;
    let articles = if articles.is_empty() {
        "the folder itself".to_owned()
    } else {
        format!("`{articles}`")
    };
    let kind = report
        .dialect
        .as_ref()
        .filter(|(kind, _)| diglot_content::dialects::is_reported(kind));
    let kind = kind
        .map(|(kind, evidence)| format!(", read as {kind} ({evidence})"))
        .unwrap_or_default();
    // A journal is the usual case, and is not named.
    let shape = match &report.shape {
        (Shape::Guide, why) => format!("; a guide ({why})"),
        (Shape::Journal, _) => String::new(),
    };
    format!("articles from {articles} ({why}){kind}{shape}")
}

/// What was read from another generator's configuration: the keys in one line, or each with its
/// value.
fn configuration(file: &str, taken: &[(String, String)], whole: bool) -> Vec<String> {
    if whole {
        return taken
            .iter()
            .map(|(key, value)| format!("{file}: `{key}` is {value}"))
            .collect();
    }
    if taken.is_empty() {
        return Vec::new();
    }
    let mut keys: Vec<String> = taken.iter().map(|(key, _)| format!("`{key}`")).collect();
    keys.dedup();
    vec![format!("settings from `{file}`: {}", keys.join(", "))]
}

/// `9 files found = 6 published + 1 set aside + 2 skipped (1: draft; 1: empty body)`
fn files(report: &Report) -> String {
    // `.css` and the like share one reason: not a file for the web.
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, files) in &report.skipped {
        *reasons
            .entry(reason.split(": `").next().unwrap_or(reason))
            .or_default() += files.len();
    }
    let skipped: usize = reasons.values().sum();
    let reasons: Vec<String> = most_first(reasons)
        .into_iter()
        .map(|(reason, count)| format!("{count}: {reason}"))
        .collect();
    let reasons = if reasons.is_empty() {
        String::new()
    } else {
        format!(" ({})", reasons.join("; "))
    };
    let (found, published, aside) = (
        counted(report.found, "file"),
        report.published,
        report.set_aside.len(),
    );
    format!(
        "{found} found = {published} published + {aside} set aside + {skipped} skipped{reasons}"
    )
}

/// The unknown tags, the most frequent first.
fn tags(tags: &BTreeMap<String, usize>, whole: bool) -> String {
    let shown = if whole { tags.len() } else { MOST };
    let names: Vec<String> = most_first(tags.clone())
        .iter()
        .take(shown)
        .map(|(name, count)| format!("`{name}` {count}"))
        .collect();
    let more = match tags.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more names"),
    };
    format!(
        "unknown template tags, removed (their text stays): {}{more}",
        names.join(", ")
    )
}

fn most_first<T>(counts: BTreeMap<T, usize>) -> Vec<(T, usize)> {
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

#[cfg(test)]
mod tests {
    use diglot_content::library::Tally;

    use super::*;

    #[test]
    fn warnings_fail_only_when_strict() {
        let (warning, error) = (Problem::warning("w"), Problem::error("e"));
        assert!(!fails(&[], true));
        assert!(!fails(std::slice::from_ref(&warning), false));
        assert!(fails(std::slice::from_ref(&warning), true));
        assert!(fails(&[warning, error], false));
    }

    #[test]
    fn a_summary_names_what_there_is() {
        let time = Duration::from_millis(420);
        assert_eq!(summary(1, 0, &[], time), "1 article published in 0.4 s");
        let problems = [
            Problem::error("x"),
            Problem::warning("y"),
            Problem::warning("z"),
        ];
        assert_eq!(
            summary(618, 3, &problems, time),
            "618 articles published, 3 set aside, 1 error, 2 warnings in 0.4 s"
        );
    }

    #[test]
    fn every_file_is_accounted_for() {
        let report = Report {
            found: 5,
            published: 1,
            set_aside: vec![("a.md".into(), "its address is taken".into())],
            skipped: [
                ("empty body".to_owned(), vec!["b.md".to_owned()]),
                (
                    "not a file for the web: `.c`".to_owned(),
                    vec!["c.c".to_owned()],
                ),
                (
                    "not a file for the web: `.d`".to_owned(),
                    vec!["d.d".to_owned()],
                ),
            ]
            .into(),
            articles_folder: ("docs".to_owned(), "it is there".to_owned()),
            shape: (Shape::Guide, "its texts have weights".to_owned()),
            dialect: Some(("hugo".to_owned(), "`hugo.toml`".to_owned())),
            configuration: Some((
                "hugo.toml".to_owned(),
                vec![("title".to_owned(), "`A`".to_owned())],
            )),
            unknown_tags: [("mystery".to_owned(), 2), ("riddle".to_owned(), 9)].into(),
            references: References {
                links: Tally {
                    total: 4,
                    broken: 1,
                },
                images: Tally {
                    total: 1,
                    broken: 0,
                },
                ..References::default()
            },
            notes: vec!["a note".to_owned()],
            public: Vec::new(),
        };
        let parity = Parity {
            agreeing: 7,
            total: 8,
            differences: vec!["x".to_owned()],
        };
        let common = [
            "5 files found = 1 published + 1 set aside + 3 skipped (2: not a file for the web; 1: empty body)",
            "4 links (1 broken), 1 image inside the folder",
            "a note",
            "unknown template tags, removed (their text stays): `riddle` 9, `mystery` 2",
            "HTML and Markdown agree in 7 of 8 headings, links, images and code blocks",
        ];
        let understood = "articles from `docs` (it is there), read as hugo (`hugo.toml`); a guide (its texts have weights)";
        let short: Vec<&str> = [understood, "settings from `hugo.toml`: `title`"]
            .into_iter()
            .chain(common)
            .collect();
        assert_eq!(lines(&report, &parity, false), short);
        let more = [
            understood,
            "hugo.toml: `title` is `A`",
            "a.md set aside: its address is taken",
            "b.md skipped: empty body",
            "c.c skipped: not a file for the web: `.c`",
            "d.d skipped: not a file for the web: `.d`",
        ];
        let whole: Vec<&str> = more
            .into_iter()
            .chain(common)
            .chain(["HTML and Markdown differ: x"])
            .collect();
        assert_eq!(lines(&report, &parity, true), whole);
    }
}
