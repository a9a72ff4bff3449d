//! Problems grouped by their cause, the most costly first, with a few examples each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use diglot_content::Cause;
use diglot_content::text::thousands;
use diglot_content::{Problem, Severity};

use crate::terminal::{Label, Shown};

/// Examples of a group in the short report.
const EXAMPLES: usize = 3;
/// Groups in the short report.
const GROUPS: usize = 20;
/// From this many problems on, those with one subject are a group of their own.
const SHARED: usize = 3;
/// Subjects of one cause that are groups of their own: the most frequent.
const SUBJECTS: usize = 5;

/// Problems with one cause.
struct Group<'p> {
    severity: Severity,
    cause: Cause,
    subject: Option<&'p str>,
    problems: Vec<&'p Problem>,
}

type Key<'p> = (Severity, Cause, Option<&'p str>);

/// The groups: errors first, then the largest. Problems of one cause are divided by their subject;
/// those whose subject is rare stay together. Problems without a common cause are groups of their
/// own.
fn groups(problems: &[Problem]) -> Vec<Group<'_>> {
    let shared = shared(problems);
    let mut groups = Vec::new();
    let mut known = BTreeMap::new();
    for problem in problems {
        let (severity, cause, subject) = key(problem);
        let subject = subject.filter(|_| shared.contains(&key(problem)));
        let at = match cause.words(None) {
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

/// The keys whose problems are groups of their own.
fn shared(problems: &[Problem]) -> BTreeSet<Key<'_>> {
    let mut counts: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    for problem in problems.iter().filter(|problem| problem.subject.is_some()) {
        *counts.entry(key(problem)).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let mut taken: BTreeMap<(Severity, Cause), usize> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (key, count) in counts {
        let taken = taken.entry((key.0, key.1)).or_default();
        if count >= SHARED && *taken < SUBJECTS {
            *taken += 1;
            shared.insert(key);
        }
    }
    shared
}

fn key(problem: &Problem) -> Key<'_> {
    (problem.severity, problem.cause, problem.subject.as_deref())
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
            "… and {} more: `diglot check --verbose` shows them all",
            thousands(left)
        ));
    }
    lines
}

impl Group<'_> {
    fn write(&self, lines: &mut Vec<String>, whole: bool) {
        let (count, words) = match (self.problems.as_slice(), self.cause.words(self.subject)) {
            ([_, _, ..], Some(words)) => (self.problems.len(), words),
            (problems, _) => {
                return lines.extend(problems.iter().map(|one| Shown(one).to_string()));
            }
        };
        let label = Label::from_severity(self.severity);
        lines.push(format!("{label} {} {words}", thousands(count)));
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
                lines.push(format!("    {} {hint}", Label::HINT));
            }
        }
        if shown < count {
            lines.push(format!("  … and {} more", thousands(count - shown)));
        }
        if let Some(hint) = hint.filter(|_| is_shared) {
            lines.push(format!("  {} {hint}", Label::HINT));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines without their colours.
    fn lines(problems: &[Problem], whole: bool) -> Vec<String> {
        let mut lines = super::lines(problems, whole);
        for line in &mut lines {
            *line = anstream::adapter::strip_str(line).to_string();
        }
        lines
    }

    #[test]
    fn item_6_problems_are_grouped_by_cause_with_three_examples() {
        let link = |line| {
            Problem::warning("broken link: `/windows/x`")
                .at("a.md", line, 5)
                .cause(Cause::LinkToLargerSite)
                .subject("/windows/")
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
            "error: 2 unreadable dates",
            "  c.md:2:1: no date",
            "    hint: one",
            "  d.md:2:1: no date",
            "    hint: other",
            "warning: 5 links to `/windows/…`, which is not in this folder",
            "  a.md:1:5: broken link: `/windows/x`",
            "  a.md:2:5: broken link: `/windows/x`",
            "  a.md:3:5: broken link: `/windows/x`",
            "  … and 2 more",
            "  hint: set `links.origin`",
            "b.md:1: warning: alone\n  hint: h",
        ];
        assert_eq!(lines(&problems, false), expected);
        assert_eq!(lines(&problems, true).len(), expected.len() + 1);
    }

    #[test]
    fn item_6_a_cause_is_divided_by_what_its_problems_share() {
        let link = |subject: &str| {
            Problem::warning("x")
                .cause(Cause::Link)
                .subject(subject.to_owned())
        };
        let mut problems = vec![Problem::warning("x").cause(Cause::Link), link("/b/")];
        problems.extend((0..1234).map(|_| link("/old/")));
        problems.extend([
            link("/a/"),
            link("/a/"),
            link("/c/"),
            link("/c/"),
            link("/c/"),
        ]);
        let lines = lines(&problems, false);
        let heads: Vec<&str> = lines
            .iter()
            .filter(|line| !line.starts_with("  x"))
            .map(String::as_str)
            .collect();
        assert_eq!(
            heads,
            [
                "warning: 1,234 broken links to `/old/…`",
                "  … and 1,231 more",
                "warning: 4 broken links",
                "  … and 1 more",
                "warning: 3 broken links to `/c/…`",
            ]
        );
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
