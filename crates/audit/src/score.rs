//! The outcome of every check, by group, and its cost.
//!
//! Costs are counted in hundredths of a point, so that the sum is exact. A group earns its weight
//! less the shares of its failed checks, and never less than zero.

use serde::Serialize;

use crate::checks::{Check, GROUPS, Group};
use crate::evidence::Evidence;
use crate::severity::{Rule, Severity};
use crate::verdict::{State, Verdict};

/// Hundredths of a point in a point.
const POINT: u32 = 100;

/// A check and its outcome.
#[derive(Clone)]
pub struct Judged {
    /// The check.
    pub check: Check,
    /// What it found.
    pub verdict: Verdict,
    /// Its outcome.
    pub state: State,
    /// Its cost, in hundredths of a point.
    pub cost: u32,
}

impl Judged {
    /// The outcome of a check. It does not run if a rule leaves it out or its group is `missing`.
    fn new(check: &Check, evidence: &Evidence, rule: Option<Rule>, missing: bool) -> Self {
        let mut verdict = Verdict {
            rule,
            ..Verdict::default()
        };
        if !missing && rule.is_none() {
            (check.judge)(evidence, &mut verdict);
        }
        Self {
            check: *check,
            state: verdict.state(),
            verdict,
            cost: 0,
        }
    }

    /// Whether it costs points: it failed, or could not be judged.
    fn is_lost(&self) -> bool {
        matches!(self.state, State::Failed | State::NotJudged)
    }
}

/// A group and the outcomes of its checks.
#[derive(Clone)]
pub struct Section {
    /// The group.
    pub group: &'static Group,
    /// Its checks, in order.
    pub checks: Vec<Judged>,
    /// Whether the site lacks the whole group, which then earns nothing.
    pub missing: bool,
    /// Its loss, in hundredths of a point.
    pub cost: u32,
}

/// How many checks ended in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Checks without a finding.
    pub passed: usize,
    /// Checks with a finding.
    pub failed: usize,
    /// Checks that a rule leaves out of the sum.
    pub left_out: usize,
    /// Checks that were not judged and earn nothing.
    pub not_judged: usize,
}

impl Section {
    /// Judges the checks of a group.
    pub fn judge(group: &'static Group, evidence: &Evidence) -> Self {
        let mut missing = false;
        let mut out: Option<Rule> = None;
        let mut checks = Vec::with_capacity(group.checks.len());
        for (number, check) in group.checks.iter().enumerate() {
            let judged = Judged::new(check, evidence, out, missing);
            if number < group.gates {
                missing |= matches!(judged.state, State::Failed | State::NotJudged);
                // A rule that leaves out a gate leaves out its group.
                out = judged
                    .verdict
                    .rule
                    .filter(|_| judged.state == State::LeftOut);
            }
            checks.push(judged);
        }
        missing |= checks.iter().all(|judged| judged.state == State::NotJudged);
        let mut section = Self {
            group,
            checks,
            missing,
            cost: 0,
        };
        section.price();
        section
    }

    /// Whether every check is left out: the weight is then not part of the sum.
    pub fn is_left_out(&self) -> bool {
        self.checks
            .iter()
            .all(|judged| judged.state == State::LeftOut)
    }

    /// The group's weight, in hundredths of a point.
    fn worth(&self) -> u32 {
        if self.is_left_out() {
            0
        } else {
            self.group.weight * POINT
        }
    }

    /// Sets the costs. A missing group costs its whole weight, charged to the failed gate;
    /// otherwise each failed check costs its share, in total at most the weight.
    fn price(&mut self) {
        let worth = self.worth();
        if self.missing {
            self.cost = worth;
            if let Some(gate) = self
                .checks
                .iter_mut()
                .find(|judged| judged.state == State::Failed)
            {
                gate.cost = worth;
            }
            return;
        }
        let mut shares: u32 = 0;
        for judged in self.checks.iter().filter(|judged| judged.is_lost()) {
            shares += judged.check.severity.share();
        }
        for judged in self.checks.iter_mut().filter(|judged| judged.is_lost()) {
            judged.cost = worth * judged.check.severity.share() / shares.max(100);
        }
        self.cost = worth * shares.min(100) / 100;
    }

    /// How many checks are in this state.
    pub fn count(&self, state: State) -> usize {
        self.checks
            .iter()
            .filter(|judged| judged.state == state)
            .count()
    }
}

/// Judges all groups.
pub fn judge(evidence: &Evidence) -> Vec<Section> {
    GROUPS
        .iter()
        .map(|group| Section::judge(group, evidence))
        .collect()
}

/// What the sections earn of 100, before any ceiling. It is rounded down, so that only a flawless
/// site gets 100.
pub fn earned(sections: &[Section]) -> u32 {
    let worth: u32 = sections.iter().map(Section::worth).sum();
    let cost: u32 = sections.iter().map(|section| section.cost).sum();
    100 * worth.saturating_sub(cost) / worth.max(1)
}

/// The severity of the worst finding.
pub fn worst(sections: &[Section]) -> Option<Severity> {
    failed(sections).map(|judged| judged.check.severity).max()
}

/// The score: the points earned, capped by the worst finding's ceiling.
pub fn score(sections: &[Section]) -> u32 {
    worst(sections)
        .map_or(100, Severity::ceiling)
        .min(earned(sections))
}

/// Every check that failed, in order.
pub fn failed(sections: &[Section]) -> impl Iterator<Item = &Judged> {
    sections
        .iter()
        .flat_map(|section| &section.checks)
        .filter(|judged| judged.state == State::Failed)
}

/// The costliest findings: harm first, because it caps the whole score.
pub fn costliest(sections: &[Section], count: usize) -> Vec<&Judged> {
    let mut all: Vec<&Judged> = failed(sections).collect();
    all.sort_by_key(|judged| {
        std::cmp::Reverse((
            judged.check.severity == Severity::Harm,
            judged.cost,
            judged.check.severity,
        ))
    });
    all.truncate(count);
    all
}

/// How many checks ended in each state.
pub fn tally(sections: &[Section]) -> Tally {
    let count = |state| sections.iter().map(|section| section.count(state)).sum();
    Tally {
        passed: count(State::Passed),
        failed: count(State::Failed),
        left_out: count(State::LeftOut),
        not_judged: count(State::NotJudged),
    }
}

/// How many checks each rule leaves out; unused rules are omitted.
pub fn left_out(sections: &[Section]) -> Vec<(Rule, usize)> {
    let rules: Vec<Rule> = sections
        .iter()
        .flat_map(|section| &section.checks)
        .filter(|judged| judged.state == State::LeftOut)
        .filter_map(|judged| judged.verdict.rule)
        .collect();
    Rule::ALL
        .into_iter()
        .map(|rule| (rule, rules.iter().filter(|own| **own == rule).count()))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// Hundredths of a point as points: `9`, `0.25`.
pub fn points(hundredths: u32) -> String {
    let text = format!("{}.{:02}", hundredths / POINT, hundredths % POINT);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(states: &[(Severity, State)], gates: usize) -> Section {
        let group = GROUPS
            .iter()
            .find(|group| group.weight == 4 && group.gates == 1)
            .unwrap();
        let judged = |&(severity, state): &(Severity, State)| Judged {
            check: Check {
                severity,
                ..group.checks[0]
            },
            verdict: Verdict::default(),
            state,
            cost: 0,
        };
        let checks: Vec<Judged> = states.iter().map(judged).collect();
        let missing = checks[..gates]
            .iter()
            .any(|judged| judged.state == State::Failed);
        let mut section = Section {
            group,
            checks,
            missing,
            cost: 0,
        };
        section.price();
        section
    }

    #[test]
    fn a_group_earns_its_weight_less_what_failed_and_never_less_than_nothing() {
        use Severity::{Broken, Harm, Minor, Missing};
        use State::{Failed, LeftOut, NotJudged, Passed};
        for (states, gates, cost) in [
            (vec![(Missing, Passed), (Broken, Passed)], 1, 0),
            (vec![(Missing, Passed), (Broken, Failed)], 1, 200),
            (
                vec![(Missing, Passed), (Minor, Failed), (Missing, Failed)],
                1,
                120,
            ),
            (
                vec![(Missing, Passed), (Harm, Failed), (Broken, Failed)],
                1,
                400,
            ),
            (vec![(Missing, Failed), (Broken, NotJudged)], 1, 400),
            (vec![(Missing, Passed), (Broken, NotJudged)], 1, 200),
            (vec![(Missing, Passed), (Broken, LeftOut)], 1, 0),
            (vec![(Missing, LeftOut), (Broken, LeftOut)], 1, 0),
        ] {
            let section = section(&states, gates);
            assert_eq!(section.cost, cost, "{states:?}");
            let told: u32 = section.checks.iter().map(|judged| judged.cost).sum();
            assert!(
                told <= section.cost && section.cost - told <= 2,
                "{states:?}: {told} of {cost}"
            );
        }
    }

    #[test]
    fn what_cannot_apply_leaves_the_sum_and_harm_holds_the_score_down() {
        use Severity::{Broken, Harm, Missing};
        use State::{Failed, LeftOut, Passed};
        let whole = section(&[(Missing, Passed)], 1);
        let out = section(&[(Missing, LeftOut)], 1);
        assert_eq!(
            (
                earned(&[whole.clone(), out.clone()]),
                score(&[whole.clone(), out])
            ),
            (100, 100)
        );
        let rest = vec![whole.clone(); 20];
        let with = |severity| {
            [
                rest.clone(),
                vec![section(&[(Missing, Passed), (severity, Failed)], 1)],
            ]
            .concat()
        };
        assert_eq!((earned(&with(Harm)), score(&with(Harm))), (95, 49));
        assert_eq!((earned(&with(Broken)), score(&with(Broken))), (97, 89));
        assert_eq!(score(&with(Missing)), 98);
    }

    #[test]
    fn points_are_written_short() {
        for (hundredths, text) in [
            (900, "9"),
            (25, "0.25"),
            (150, "1.5"),
            (0, "0"),
            (1000, "10"),
        ] {
            assert_eq!(points(hundredths), text);
        }
    }
}
