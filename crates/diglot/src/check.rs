//! `diglot check`: the whole report on a folder, for people and for programs.

use std::fmt;

use diglot_content::library::{Kind, Report};
use diglot_content::{Article, Library, Problem, Severity};
use diglot_edition::Edition;
use serde::Serialize;

/// The report as JSON has it.
#[derive(Debug, Serialize)]
struct Json<'a> {
    edition: String,
    base_url: String,
    articles: usize,
    resources: usize,
    errors: usize,
    warnings: usize,
    next_change: Option<String>,
    #[serde(flatten)]
    report: &'a Report,
    problems: &'a [Problem],
}

/// The whole report as JSON, pretty, with fields in a fixed order.
pub fn json(edition: &Edition, report: &Report) -> String {
    let count = |severity| edition.problems.iter().filter(|problem| problem.severity == severity).count();
    let json = Json {
        edition: edition.id.to_string(),
        base_url: edition.site.base.to_string(),
        articles: edition.articles,
        resources: edition.resources.len(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        next_change: edition.next_change.map(|time| time.to_string()),
        report,
        problems: &edition.problems,
    };
    // Strings, numbers and maps with string keys are always written.
    serde_json::to_string_pretty(&json).unwrap_or_default()
}

/// The problems alone as JSON, when there is no edition to report on.
pub fn json_problems(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let json = serde_json::json!({ "edition": null, "errors": errors, "warnings": problems.len() - errors, "problems": problems });
    serde_json::to_string_pretty(&json).unwrap_or_default()
}

/// Whether the problems are reason to fail.
pub fn fails(problems: &[Problem], strict: bool) -> bool {
    problems.iter().any(|problem| strict || problem.severity == Severity::Error)
}

/// What became of one file, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The file, relative to the folder.
    pub path: String,
    /// What became of it, in words: `published as the article /articles/x`, `skipped: draft`.
    pub decision: String,
    /// What was found out about it, in order.
    pub facts: Vec<(&'static str, String)>,
    /// Problems in it.
    pub problems: Vec<Problem>,
}

/// Follows one file through the library.
pub fn explain(library: &Library, path: &str) -> Explanation {
    let written = library.articles.iter().chain(&library.pages).find(|article| *article.source == *path);
    let file = library.files.iter().find(|file| *file.source == *path);
    let aside = library.report.set_aside.iter().find(|(source, _)| source == path);
    let skipped = library.report.skipped.iter().find(|(_, sources)| sources.iter().any(|source| source == path));
    let decision = match (written, file, aside, skipped) {
        (Some(article), ..) => {
            let kind = if article.kind == Kind::Article { "article" } else { "page" };
            format!("published as the {kind} `{0}.html` and `{0}.md`", article.stem)
        }
        (_, Some(file), ..) => format!("published unchanged as `{}`", file.path),
        (_, _, Some((_, reason)), _) => format!("set aside: {reason}"),
        (.., Some((reason, _))) => format!("skipped: {reason}"),
        (None, None, None, None) => "not published: it belongs to the settings or the theme".to_owned(),
    };
    let facts = written.map(facts).unwrap_or_default();
    let problems = library.problems.iter().filter(|problem| problem.place.as_ref().is_some_and(|place| place.path == path));
    Explanation { path: path.to_owned(), decision, facts, problems: problems.cloned().collect() }
}

fn facts(article: &Article) -> Vec<(&'static str, String)> {
    let tags: Vec<&str> = article.tags.iter().map(|tag| tag.name.as_str()).collect();
    let listed = if article.listed { "in lists" } else { "unlisted: no list names it" };
    let facts = [
        ("title", article.title.clone()),
        ("summary", article.summary.clone()),
        ("date", article.date.map(|date| date.iso()).unwrap_or_default()),
        ("updated", article.updated.iso()),
        ("authors", article.authors.join(", ")),
        ("tags", tags.join(", ")),
        ("language", article.language.clone()),
        ("visible", listed.to_owned()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.decision)?;
        self.facts.iter().try_for_each(|(name, value)| write!(f, "\n  {name}: {value}"))?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n{problem}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_fail_only_when_strict() {
        let (warning, error) = (Problem::warning("w"), Problem::error("e"));
        assert!(!fails(&[], true));
        assert!(!fails(std::slice::from_ref(&warning), false));
        assert!(fails(std::slice::from_ref(&warning), true));
        assert!(fails(&[warning, error], false));
    }
}
