//! The findings of one check.

use std::fmt::Display;

use serde::Serialize;

use crate::severity::Rule;

/// How many findings of one check are kept.
const MOST: usize = 20;
/// How much of a value is shown, in characters.
const SHOWN: usize = 160;

/// One case that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The URL.
    pub url: String,
    /// What was expected.
    pub expected: String,
    /// What the site answered.
    pub got: String,
}

/// The findings of one check, case by case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many cases were judged.
    pub cases: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// How many findings there were, including those not kept.
    pub found: usize,
    /// Why the check does not apply to this site; ignored if there is a finding.
    pub rule: Option<Rule>,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Every case is right.
    Passed,
    /// At least one case is wrong.
    Failed,
    /// A rule says that it does not apply to this site.
    LeftOut,
    /// It was not judged: its group is missing, or the requests were not sent. It earns nothing.
    NotJudged,
}

impl Verdict {
    /// Judges one case.
    pub fn expect(
        &mut self,
        right: bool,
        url: impl Display,
        expected: impl Display,
        got: impl Display,
    ) -> bool {
        self.cases += 1;
        if !right {
            if self.findings.len() < MOST {
                self.findings.push(Finding {
                    url: shown(&url),
                    expected: shown(&expected),
                    got: shown(&got),
                });
            }
            self.found += 1;
        }
        right
    }

    /// Judges whether two values are equal.
    pub fn equal<T: PartialEq + Display>(
        &mut self,
        url: impl Display,
        expected: T,
        got: T,
    ) -> bool {
        let right = expected == got;
        self.expect(right, url, expected, got)
    }

    /// Records that the check does not apply to this site.
    pub fn leave_out(&mut self, rule: Rule) {
        self.rule = Some(rule);
    }

    /// Records that the check does not apply, unless a case was judged.
    pub fn or_leave_out(&mut self, rule: Rule) {
        if self.cases == 0 {
            self.rule = Some(rule);
        }
    }

    /// The outcome.
    pub fn state(&self) -> State {
        match (self.found, self.rule, self.cases) {
            (1.., ..) => State::Failed,
            (0, Some(_), _) => State::LeftOut,
            (0, None, 0) => State::NotJudged,
            (0, None, _) => State::Passed,
        }
    }
}

/// Whether a terminal interprets a character instead of showing it: control characters, and those
/// that change the direction of text.
fn drives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One line of limited length: a site's answer must not control the terminal.
fn shown(value: &dyn Display) -> String {
    let text = value.to_string();
    let mut line: String = text
        .trim()
        .chars()
        .take(SHOWN)
        .map(|c| if drives(c) { '␤' } else { c })
        .collect();
    if text.trim().chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    if line.is_empty() {
        "nothing".into()
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_outweighs_a_rule_and_no_case_is_no_success() {
        let mut verdict = Verdict::default();
        assert_eq!(verdict.state(), State::NotJudged);
        verdict.equal("u", 1, 1);
        assert_eq!(verdict.state(), State::Passed);
        verdict.leave_out(Rule::NoCache);
        assert_eq!(verdict.state(), State::LeftOut);
        verdict.equal("u", 1, 2);
        assert_eq!(verdict.state(), State::Failed);
        assert_eq!((verdict.cases, verdict.found), (2, 1));
    }

    #[test]
    fn what_a_site_answers_cannot_drive_the_terminal() {
        assert_eq!(shown(&"a\u{1b}[31m\nb"), "a␤[31m␤b");
        assert_eq!(shown(&""), "nothing");
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN + 1);
    }
}
