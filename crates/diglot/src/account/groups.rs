//! Problems grouped by their cause, the most costly first, with a few examples each.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use diglot_content::Cause;
use diglot_content::{Problem, Severity};

/// Examples of a group in the short report.
const EXAMPLES: usize = 3;
/// Groups in the short report.
const GROUPS: usize = 20;

/// Problems with one cause.
struct Group<'p> {
    severity: Severity,
    cause: Cause,
    subject: Option<&'p str>,
    problems: Vec<&'p Problem>,
}

/// The groups: errors first, then the largest. Problems without a common cause are groups of their
/// own.
fn groups(problems: &[Problem]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<(Severity, Cause, Option<&str>), usize> = BTreeMap::new();
    for problem in problems {
        let (severity, cause, subject) =
            (problem.severity, problem.cause, problem.subject.as_deref());
        let at = match cause.words() {
            Some(_) => *known
                .entry((severity, cause, subject))
                .or_insert(groups.len()),
            None => groups.len(),
        };
        if at == groups.len() {
            groups.push(Group {
                severity,
                cause,
                subject,
                problems: Vec::new(),
            });
        }
        groups[at].problems.push(problem);
    }
    groups.sort_by_key(|group| (group.severity, Reverse(group.problems.len())));
    groups
}

/// The lines of the report: at most 20 groups with three examples, or all of them.
pub fn lines(problems: &[Problem], whole: bool) -> Vec<String> {
    let groups = groups(problems);
    let most = if whole { usize::MAX } else { GROUPS };
    let mut lines = Vec::new();
    for group in groups.iter().take(most) {
        group.write(&mut lines, whole);
    }
    let left = groups.iter().skip(most);
    let left: usize = left.map(|group| group.problems.len()).sum();
    if left > 0 {
        lines.push(format!(
            "… and {left} more: `diglot check --verbose` shows them all"
        ));
    }
    lines
}

impl Group<'_> {
    fn write(&self, lines: &mut Vec<String>, whole: bool) {
        let (count, words) = match (self.problems.as_slice(), self.cause.words()) {
            ([_, _, ..], Some(words)) => (self.problems.len(), words),
            (problems, _) => return lines.extend(problems.iter().map(ToString::to_string)),
        };
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let subject = self
            .subject
            .map(|subject| format!(": {subject}"))
            .unwrap_or_default();
        lines.push(format!("{severity}: {count} {words}{subject}"));
        let shown = if whole { count } else { EXAMPLES.min(count) };
        // A hint that all share is given once.
        let hint = self.problems[0].hint.as_deref();
        let is_shared = self
            .problems
            .iter()
            .all(|problem| problem.hint.as_deref() == hint);
        for problem in &self.problems[..shown] {
            let place = problem.place.as_ref().map(|place| format!("{place}: "));
            lines.push(format!(
                "  {}{}",
                place.unwrap_or_default(),
                problem.message
            ));
            if let Some(hint) = problem.hint.as_ref().filter(|_| !is_shared) {
                lines.push(format!("    hint: {hint}"));
            }
        }
        if shown < count {
            lines.push(format!("  … and {} more", count - shown));
        }
        if let Some(hint) = hint.filter(|_| is_shared) {
            lines.push(format!("  hint: {hint}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_6_problems_are_grouped_by_cause_with_three_examples() {
        let link = |line| {
            Problem::warning("the link `/windows/x` leads nowhere")
                .at("a.md", line, 5)
                .cause(Cause::LinkToLargerSite)
                .subject("`/windows/…`")
                .hint("set `links.origin`")
        };
        let mut problems: Vec<Problem> = (1..=5).map(link).collect();
        problems.push(
            Problem::warning("alone")
                .at("b.md", 1, 0)
                .cause(Cause::Link)
                .hint("h"),
        );
        let date = |path: &str, hint: &str| {
            Problem::error("no date")
                .at(path, 2, 1)
                .cause(Cause::Date)
                .hint(hint)
        };
        problems.extend([date("c.md", "one"), date("d.md", "other")]);
        let expected = [
            "error: 2 dates that cannot be read",
            "  c.md:2:1: no date",
            "    hint: one",
            "  d.md:2:1: no date",
            "    hint: other",
            "warning: 5 links to the rest of a larger site: `/windows/…`",
            "  a.md:1:5: the link `/windows/x` leads nowhere",
            "  a.md:2:5: the link `/windows/x` leads nowhere",
            "  a.md:3:5: the link `/windows/x` leads nowhere",
            "  … and 2 more",
            "  hint: set `links.origin`",
            "b.md:1: warning: alone\n  hint: h",
        ];
        assert_eq!(lines(&problems, false), expected);
        assert_eq!(lines(&problems, true).len(), expected.len() + 1);
    }

    #[test]
    fn what_has_no_common_cause_is_listed_up_to_a_limit() {
        let problems: Vec<Problem> = (0..25)
            .map(|line| Problem::error(format!("problem {line}")))
            .collect();
        let short = lines(&problems, false);
        assert_eq!(
            (short.len(), short[20].as_str()),
            (21, "… and 5 more: `diglot check --verbose` shows them all")
        );
        assert_eq!(lines(&problems, true).len(), 25);
    }
}
