//! `diglot check`: the whole report on a folder, for people and for programs.

use diglot_content::document::Parity;
use diglot_content::library::Report;
use diglot_content::{Problem, Severity};
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
    parity: &'a Parity,
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
        parity: &edition.parity,
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
