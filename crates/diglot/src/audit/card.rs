//! The score card: what was judged, what is wrong, and what to do.

use std::fmt::{self, Display, Write as _};

use serde::Serialize;
use serde_json::{Value, json};

use super::checks::{Check, GROUPS, Group};
use super::evidence::Evidence;
use super::verdict::{Finding, State, Verdict};

/// How many findings of one check the card shows; `--json` has more.
const SHOWN: usize = 3;

/// A check and how it ended.
#[derive(Clone)]
pub struct Judged {
    /// The check.
    pub check: Check,
    /// What it found.
    pub verdict: Verdict,
}

/// The outcome of an audit.
#[derive(Clone)]
pub struct Card {
    /// The address that was asked.
    pub url: String,
    /// How many answers came.
    pub requests: usize,
    /// Why it ended early.
    pub cut: Option<String>,
    /// Groups with their checks, in order.
    pub groups: Vec<(&'static str, Vec<Judged>)>,
}

/// How many checks ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Checks without a finding.
    pub passed: usize,
    /// Checks with what the host does not do, safely.
    pub warned: usize,
    /// Checks with something wrong.
    pub failed: usize,
    /// Checks without a case.
    pub skipped: usize,
}

impl Tally {
    fn add(&mut self, state: State) {
        match state {
            State::Passed => self.passed += 1,
            State::Warned => self.warned += 1,
            State::Failed => self.failed += 1,
            State::Skipped => self.skipped += 1,
        }
    }

    /// Checks that had a case.
    pub fn total(&self) -> usize {
        self.passed + self.warned + self.failed
    }
}

/// Judges what was gathered.
pub fn judge(evidence: &Evidence) -> Card {
    let judged = |check: &Check| {
        let mut verdict = Verdict::default();
        (check.judge)(evidence, &mut verdict);
        Judged { check: *check, verdict }
    };
    let group = |group: &Group| (group.name, group.checks.iter().map(judged).collect());
    let requests = evidence.answers.len() + evidence.walks.iter().map(|walk| walk.steps.len()).sum::<usize>();
    Card { url: evidence.address.asked.clone(), requests, cut: evidence.cut.clone(), groups: GROUPS.iter().map(group).collect() }
}

impl Card {
    /// Every check with its outcome, in order.
    pub fn checks(&self) -> impl Iterator<Item = &Judged> {
        self.groups.iter().flat_map(|(_, checks)| checks)
    }

    /// How many checks ended how.
    pub fn tally(&self) -> Tally {
        tally(self.checks())
    }

    /// 0 to 100: a check that passed counts whole, one with what the host does not do counts half. 100 is all right and nothing less.
    pub fn score(&self) -> usize {
        let tally = self.tally();
        (200 * tally.passed + 100 * tally.warned) / (2 * tally.total().max(1))
    }

    /// The names of the checks that ended so.
    pub fn ended(&self, state: State) -> Vec<&'static str> {
        self.checks().filter(|judged| judged.verdict.state() == state).map(|judged| judged.check.id).collect()
    }

    /// The card for programs.
    pub fn json(&self) -> Value {
        let check = |judged: &Judged| {
            json!({
                "id": judged.check.id,
                "state": judged.verdict.state(),
                "what": judged.check.what,
                "why": judged.check.why,
                "hint": judged.check.advice,
                "cases": judged.verdict.cases,
                "found": judged.verdict.found,
                "failures": judged.verdict.failures,
                "warnings": judged.verdict.warnings,
            })
        };
        let group = |(name, checks): &(&str, Vec<Judged>)| json!({ "name": name, "tally": tally(checks.iter()), "checks": checks.iter().map(check).collect::<Vec<_>>() });
        json!({
            "url": self.url,
            "score": self.score(),
            "tally": self.tally(),
            "requests": self.requests,
            "cut": self.cut,
            "groups": self.groups.iter().map(group).collect::<Vec<_>>(),
        })
    }

    /// The card for people, with colours or without.
    pub fn text(&self, colours: bool) -> String {
        let paint = Paint(colours);
        let mut out = String::new();
        let _ = self.write(&mut out, paint);
        out
    }

    fn write(&self, out: &mut String, paint: Paint) -> fmt::Result {
        writeln!(out, "{}", paint.bold(&self.url))?;
        for (name, checks) in &self.groups {
            let tally = tally(checks.iter());
            let mark = match (tally.failed, tally.warned, tally.total()) {
                (0, 0, 0) => paint.dim("-"),
                (0, 0, _) => paint.green("✓"),
                (0, ..) => paint.yellow("~"),
                _ => paint.red("✗"),
            };
            writeln!(out, "  {mark} {name:<12} {}/{}", tally.passed, tally.total())?;
        }
        for judged in self.checks().filter(|judged| judged.verdict.state() == State::Failed) {
            write_findings(out, paint, judged, &judged.verdict.failures, &paint.red("failed"))?;
        }
        for judged in self.checks().filter(|judged| judged.verdict.state() == State::Warned) {
            write_findings(out, paint, judged, &judged.verdict.warnings, &paint.yellow("not on this host"))?;
        }
        let Tally { passed, warned, failed, skipped } = self.tally();
        if let Some(why) = &self.cut {
            writeln!(out, "\nnot everything was asked: {why}")?;
        }
        let score = self.score();
        let painted = format!("{score}/100");
        let painted = if failed > 0 { paint.red(&painted) } else { paint.green(&painted) };
        write!(out, "\n{painted}: {passed} passed, {failed} failed, {warned} not on this host, {skipped} without a case; {} requests", self.requests)
    }
}

fn tally<'a>(checks: impl Iterator<Item = &'a Judged>) -> Tally {
    checks.fold(Tally::default(), |mut tally, judged| {
        tally.add(judged.verdict.state());
        tally
    })
}

fn write_findings(out: &mut String, paint: Paint, judged: &Judged, findings: &[Finding], state: &str) -> fmt::Result {
    writeln!(out, "\n{} {state}: {}", paint.bold(judged.check.id), judged.check.what)?;
    for Finding { url, expected, came } in findings.iter().take(SHOWN) {
        writeln!(out, "  {url}\n    expected {expected}\n    came     {came}")?;
    }
    let more = judged.verdict.found.saturating_sub(findings.len().min(SHOWN));
    if more > 0 {
        writeln!(out, "  {}", paint.dim(&format!("… and {more} more")))?;
    }
    writeln!(out, "  hint: {}", judged.check.advice)
}

/// Colours, or none.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: u8, text: &dyn Display) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    fn bold(self, text: &str) -> String {
        self.with(1, &text)
    }

    fn dim(self, text: &str) -> String {
        self.with(2, &text)
    }

    fn red(self, text: &str) -> String {
        self.with(31, &text)
    }

    fn green(self, text: &str) -> String {
        self.with(32, &text)
    }

    fn yellow(self, text: &str) -> String {
        self.with(33, &text)
    }
}
