//! What one check found.

use std::fmt::Display;

use serde::Serialize;

/// How many failures of one check are kept.
const MOST: usize = 20;
/// How much of what came is shown, in characters.
const SHOWN: usize = 160;

/// One case that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where.
    pub url: String,
    /// What should have come.
    pub expected: String,
    /// What came.
    pub came: String,
}

/// What one check found, case by case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many cases were judged.
    pub cases: usize,
    /// What is wrong.
    pub failures: Vec<Finding>,
    /// What this host does not do, and does no harm by not doing.
    pub warnings: Vec<Finding>,
    /// How many findings of both kinds there were, kept or not.
    pub found: usize,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Every case is right.
    Passed,
    /// The host does less than it could, safely.
    Warned,
    /// Something is wrong.
    Failed,
    /// There was no case for it on this site.
    Skipped,
}

impl Verdict {
    /// Judges one case; what is wrong is a failure.
    pub fn expect(&mut self, right: bool, url: impl Display, expected: impl Display, came: impl Display) -> bool {
        self.cases += 1;
        if !right {
            Self::keep(&mut self.failures, &url, &expected, &came);
            self.found += 1;
        }
        right
    }

    /// Judges one case in which a host may fall short without harm; what is wrong is a warning.
    pub fn expect_of_host(&mut self, right: bool, url: impl Display, expected: impl Display, came: impl Display) -> bool {
        self.cases += 1;
        if !right {
            Self::keep(&mut self.warnings, &url, &expected, &came);
            self.found += 1;
        }
        right
    }

    /// Judges whether two values are equal.
    pub fn equal<T: PartialEq + Display>(&mut self, url: impl Display, expected: T, came: T) -> bool {
        let right = expected == came;
        self.expect(right, url, expected, came)
    }

    fn keep(findings: &mut Vec<Finding>, url: &dyn Display, expected: &dyn Display, came: &dyn Display) {
        if findings.len() < MOST {
            findings.push(Finding { url: url.to_string(), expected: shown(expected), came: shown(came) });
        }
    }

    /// How the check ended.
    pub fn state(&self) -> State {
        match (self.cases, self.failures.is_empty(), self.warnings.is_empty()) {
            (0, ..) => State::Skipped,
            (_, false, _) => State::Failed,
            (_, true, false) => State::Warned,
            (_, true, true) => State::Passed,
        }
    }
}

/// One line of bounded length, without control characters: what comes from a site must not drive the terminal.
fn shown(value: &dyn Display) -> String {
    let text = value.to_string();
    let mut line: String = text.trim().chars().take(SHOWN).map(|c| if c.is_control() { '␤' } else { c }).collect();
    if text.trim().chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    if line.is_empty() { "nothing".into() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_case_decides() {
        let mut verdict = Verdict::default();
        assert_eq!(verdict.state(), State::Skipped);
        verdict.equal("u", 1, 1);
        assert_eq!(verdict.state(), State::Passed);
        verdict.expect_of_host(false, "u", "a", "b");
        assert_eq!(verdict.state(), State::Warned);
        verdict.equal("u", 1, 2);
        assert_eq!(verdict.state(), State::Failed);
        assert_eq!((verdict.cases, verdict.found), (3, 2));
    }

    #[test]
    fn what_came_cannot_drive_the_terminal() {
        assert_eq!(shown(&"a\u{1b}[31m\nb"), "a␤[31m␤b");
        assert_eq!(shown(&""), "nothing");
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN + 1);
    }
}
