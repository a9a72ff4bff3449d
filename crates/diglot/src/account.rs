//! The account of one edition: what became of every file, and what should be mended. `check`, `build` and `serve` all give it from here: short
//! for people, whole for those who ask, as JSON for programs.

use std::collections::BTreeMap;
use std::time::Duration;

use diglot_content::document::Parity;
use diglot_content::library::{References, Report};
use diglot_content::{Problem, Severity};
use diglot_edition::Edition;
use serde::Serialize;

use crate::report::{self, counted};

/// How many problems, and how many names of tags, the short account has.
const MOST: usize = 20;

/// How the account is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// At most 20 problems, errors first, and the counts.
    Short,
    /// Every problem and every file.
    Whole,
    /// All of it as JSON on the standard output, and nothing for people.
    Json,
}

/// One edition and what is to be said about it.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// The edition.
    pub edition: &'a Edition,
    /// What became of every file of the folder.
    pub report: &'a Report,
    /// The problems of the edition, and those that came after it.
    pub problems: &'a [Problem],
    /// How long it took.
    pub time: Duration,
}

/// The account as JSON has it: docs/cli.md describes it, field by field.
#[derive(Debug, Serialize)]
struct Json<'a> {
    edition: String,
    base_url: String,
    articles: usize,
    resources: usize,
    errors: usize,
    warnings: usize,
    next_change: Option<String>,
    dialect: Option<Dialect<'a>>,
    articles_folder: Chosen<'a>,
    configuration: Option<Configuration<'a>>,
    found: usize,
    published: usize,
    set_aside: Vec<SetAside<'a>>,
    skipped: &'a BTreeMap<String, Vec<String>>,
    unknown_tags: &'a BTreeMap<String, usize>,
    references: References,
    parity: &'a Parity,
    problems: &'a [Problem],
}

#[derive(Debug, Serialize)]
struct Dialect<'a> {
    name: &'a str,
    evidence: &'a str,
}

#[derive(Debug, Serialize)]
struct Chosen<'a> {
    path: &'a str,
    why: &'a str,
}

#[derive(Debug, Serialize)]
struct Configuration<'a> {
    file: &'a str,
    taken: Vec<Taken<'a>>,
}

#[derive(Debug, Serialize)]
struct Taken<'a> {
    key: &'a str,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct SetAside<'a> {
    path: &'a str,
    reason: &'a str,
}

impl Account<'_> {
    /// Gives the account.
    pub fn tell(&self, detail: Detail) {
        if detail == Detail::Json {
            return report::print(self.json());
        }
        let whole = detail == Detail::Whole;
        let (errors, warnings): (Vec<_>, Vec<_>) = self.problems.iter().partition(|problem| problem.severity == Severity::Error);
        report::problems(errors.into_iter().chain(warnings), if whole { usize::MAX } else { MOST });
        if !self.problems.is_empty() {
            report::gap();
        }
        let lines = lines(self.report, &self.edition.parity, whole);
        lines.iter().for_each(report::say);
        report::say(report::summary(self.edition.articles, self.report, self.problems, self.time));
    }

    /// The whole account as JSON, pretty, with fields in a fixed order.
    pub fn json(&self) -> String {
        let Self { edition, report, .. } = *self;
        let (errors, warnings) = severities(self.problems);
        let json = Json {
            edition: edition.id.to_string(),
            base_url: edition.site.base.to_string(),
            articles: edition.articles,
            resources: edition.resources.len(),
            errors,
            warnings,
            next_change: edition.next_change.map(|time| time.to_string()),
            dialect: report.dialect.as_ref().map(|(name, evidence)| Dialect { name, evidence }),
            articles_folder: Chosen { path: &report.articles_folder.0, why: &report.articles_folder.1 },
            configuration: report
                .configuration
                .as_ref()
                .map(|(file, said)| Configuration { file, taken: said.iter().map(|(key, value)| Taken { key, value }).collect() }),
            found: report.found,
            published: report.published,
            set_aside: report.set_aside.iter().map(|(path, reason)| SetAside { path, reason }).collect(),
            skipped: &report.skipped,
            unknown_tags: &report.unknown_tags,
            references: report.references,
            parity: &edition.parity,
            problems: self.problems,
        };
        // Strings, numbers and maps with string keys are always written.
        serde_json::to_string_pretty(&json).unwrap_or_default()
    }
}

/// The problems alone as JSON, when there is no edition to give an account of.
pub fn json_without_edition(problems: &[Problem]) -> String {
    let (errors, warnings) = severities(problems);
    let json = serde_json::json!({ "edition": null, "errors": errors, "warnings": warnings, "problems": problems });
    serde_json::to_string_pretty(&json).unwrap_or_default()
}

/// Whether the problems are reason to fail.
pub fn fails(problems: &[Problem], strict: bool) -> bool {
    problems.iter().any(|problem| strict || problem.severity == Severity::Error)
}

/// How many errors there are, and how many warnings.
fn severities(problems: &[Problem]) -> (usize, usize) {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    (errors, problems.len() - errors)
}

/// How the folder was understood, what became of every file, what leads nowhere, which template tags nobody knew, and how far the two forms agree.
fn lines(report: &Report, parity: &Parity, whole: bool) -> Vec<String> {
    let mut lines = vec![understood(report)];
    lines.extend(configuration(report, whole));
    if whole {
        lines.extend(report.set_aside.iter().map(|(path, reason)| format!("{path} set aside: {reason}")));
        lines.extend(report.skipped.iter().flat_map(|(reason, files)| files.iter().map(move |file| format!("{file} skipped: {reason}"))));
    }
    lines.push(files(report));
    if report.references != References::default() {
        lines.push(format!("{} inside the folder", report.references));
    }
    lines.extend(tags(report, whole));
    lines.push(agreement(parity));
    if whole {
        lines.extend(parity.differences.iter().map(|difference| format!("the forms do not agree: {difference}")));
    }
    lines
}

/// Where the articles are and what kind of folder it is, with the reasons.
fn understood(report: &Report) -> String {
    let (articles, why) = &report.articles_folder;
    let articles = if articles.is_empty() { "the folder itself" } else { articles };
    let kind = report.dialect.as_ref().filter(|(kind, _)| kind != "plain");
    let kind = kind.map(|(kind, evidence)| format!(", read as {kind} ({evidence})")).unwrap_or_default();
    format!("articles from `{articles}` ({why}){kind}")
}

/// What was taken from the configuration of another generator: the keys in one line, or each with its value.
fn configuration(report: &Report, whole: bool) -> Vec<String> {
    let Some((file, said)) = report.configuration.as_ref().filter(|(_, said)| !said.is_empty()) else { return Vec::new() };
    if whole {
        return said.iter().map(|(key, value)| format!("{file}: `{key}` is {value}")).collect();
    }
    let mut keys: Vec<&str> = said.iter().map(|(key, _)| key.as_str()).collect();
    keys.dedup();
    let keys: Vec<String> = keys.into_iter().map(|key| format!("`{key}`")).collect();
    vec![format!("taken from `{file}`: {}", keys.join(", "))]
}

/// `9 files found = 6 published + 1 set aside + 2 skipped (1: draft; 1: empty body)`
fn files(report: &Report) -> String {
    let skipped: usize = report.skipped.values().map(Vec::len).sum();
    let (found, aside) = (counted(report.found, "file"), report.set_aside.len());
    // `not a file for the web: `.css`` and its like are one reason here.
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, files) in &report.skipped {
        *reasons.entry(reason.split(": `").next().unwrap_or(reason)).or_default() += files.len();
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let reasons: Vec<String> = reasons.into_iter().map(|(reason, count)| format!("{count}: {reason}")).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    format!("{found} found = {} published + {aside} set aside + {skipped} skipped{reasons}", report.published)
}

/// The tags that nobody knew, the most frequent first.
fn tags(report: &Report, whole: bool) -> Option<String> {
    let mut tags: Vec<(&String, usize)> = report.unknown_tags.iter().map(|(name, count)| (name, *count)).collect();
    tags.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = if whole { tags.len() } else { tags.len().min(MOST) };
    let more = if shown < tags.len() { format!(" and {} more names", tags.len() - shown) } else { String::new() };
    let tags: Vec<String> = tags[..shown].iter().map(|(name, count)| format!("`{name}` {count}")).collect();
    (!tags.is_empty()).then(|| format!("unknown template tags, dropped with their text kept: {}{more}", tags.join(", ")))
}

/// How far the two forms of all pages agree.
fn agreement(parity: &Parity) -> String {
    format!("both forms agree in {} of {} headings, links, images and code blocks", parity.agreeing, parity.total)
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
    fn every_file_is_accounted_for() {
        let report = Report {
            found: 5,
            published: 1,
            set_aside: vec![("a.md".into(), "its address is taken".into())],
            skipped: [
                ("empty body".to_owned(), vec!["b.md".to_owned()]),
                ("not a file for the web: `.c`".to_owned(), vec!["c.c".to_owned()]),
                ("not a file for the web: `.d`".to_owned(), vec!["d.d".to_owned()]),
            ]
            .into(),
            articles_folder: ("docs".to_owned(), "it is there".to_owned()),
            dialect: Some(("hugo".to_owned(), "`hugo.toml`".to_owned())),
            configuration: Some(("hugo.toml".to_owned(), vec![("title".to_owned(), "`A`".to_owned())])),
            unknown_tags: [("mystery".to_owned(), 2), ("riddle".to_owned(), 9)].into(),
            references: References { links: Tally { total: 4, broken: 1 }, images: Tally { total: 1, broken: 0 }, ..References::default() },
        };
        let parity = Parity { agreeing: 7, total: 8, differences: vec!["x".to_owned()] };
        let common = [
            "5 files found = 1 published + 1 set aside + 3 skipped (2: not a file for the web; 1: empty body)",
            "4 links (1 leads nowhere), 1 image inside the folder",
            "unknown template tags, dropped with their text kept: `riddle` 9, `mystery` 2",
            "both forms agree in 7 of 8 headings, links, images and code blocks",
        ];
        let understood = "articles from `docs` (it is there), read as hugo (`hugo.toml`)";
        let short: Vec<&str> = [understood, "taken from `hugo.toml`: `title`"].into_iter().chain(common).collect();
        assert_eq!(lines(&report, &parity, false), short);
        let more = [
            understood,
            "hugo.toml: `title` is `A`",
            "a.md set aside: its address is taken",
            "b.md skipped: empty body",
            "c.c skipped: not a file for the web: `.c`",
            "d.d skipped: not a file for the web: `.d`",
        ];
        let whole: Vec<&str> = more.into_iter().chain(common).chain(["the forms do not agree: x"]).collect();
        assert_eq!(lines(&report, &parity, true), whole);
    }
}
