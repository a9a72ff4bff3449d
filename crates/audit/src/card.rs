//! The score card: the summary, the groups, every finding, and the summary again.

use std::fmt::{self, Display, Write as _};

use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::fix::Publisher;
use crate::score::{self, Judged, Section, Tally, points};
use crate::severity::Severity;
use crate::verdict::{Finding, State};

/// How many findings of one check the card shows; `--json` lists more.
const SHOWN: usize = 3;
/// How many findings the summary names.
const COSTLIEST: usize = 3;

/// The outcome of an audit.
#[derive(Clone)]
pub struct Card {
    /// The requested address.
    pub url: String,
    /// How many answers were received.
    pub requests: usize,
    /// Why the audit ended early.
    pub cut: Option<String>,
    /// What publishes the site.
    pub publisher: Publisher,
    /// Groups with their checks, in order.
    pub sections: Vec<Section>,
}

/// Judges the evidence.
pub fn judge(evidence: &Evidence) -> Card {
    let walked: usize = evidence.walks.iter().map(|walk| walk.steps.len()).sum();
    Card {
        url: evidence.address.asked.clone(),
        requests: evidence.answers.len() + evidence.alone.len() + walked,
        cut: evidence.cut.clone(),
        publisher: Publisher::detect(evidence),
        sections: score::judge(evidence),
    }
}

impl Card {
    /// Every check with its outcome, in order.
    pub fn checks(&self) -> impl Iterator<Item = &Judged> {
        self.sections.iter().flat_map(|section| &section.checks)
    }

    /// 0 to 100.
    pub fn score(&self) -> u32 {
        score::score(&self.sections)
    }

    /// How many checks ended in each state.
    pub fn tally(&self) -> Tally {
        score::tally(&self.sections)
    }

    /// The severity of the worst finding.
    pub fn worst(&self) -> Option<Severity> {
        score::worst(&self.sections)
    }

    /// The names of the checks in this state.
    pub fn ended(&self, state: State) -> Vec<&'static str> {
        self.checks()
            .filter(|judged| judged.state == state)
            .map(|judged| judged.check.id)
            .collect()
    }

    /// The names of the checks that failed with this severity.
    pub fn failed(&self, severity: Severity) -> Vec<&'static str> {
        score::failed(&self.sections)
            .filter(|judged| judged.check.severity == severity)
            .map(|judged| judged.check.id)
            .collect()
    }

    /// The verdict, in one sentence.
    pub fn sentence(&self) -> String {
        let count = |severity| self.failed(severity).len();
        let [harm, broken, missing, minor] = Severity::ALL.map(count);
        let lacks: Vec<&str> = self
            .sections
            .iter()
            .filter(|section| section.missing)
            .map(|section| section.group.lack)
            .collect();
        let mut parts = Vec::new();
        if harm > 0 {
            parts.push(format!(
                "readers get wrong or unsafe bytes in {}",
                ways(harm)
            ));
        }
        if broken > 0 {
            parts.push(format!("clients fail in {}", ways(broken)));
        }
        if harm + broken == 0 {
            parts.push("nothing is broken".to_owned());
        }
        if !lacks.is_empty() {
            parts.push(format!("there is {}", list(&lacks)));
        } else if missing > 0 {
            parts.push(format!("{} missing", things(missing)));
        } else if harm + broken == 0 {
            parts.push("nothing is missing".to_owned());
        }
        if minor > 0 && harm + broken + missing == 0 {
            parts.push(format!(
                "{} could be better",
                if minor == 1 {
                    "one detail".to_owned()
                } else {
                    format!("{minor} details")
                }
            ));
        }
        let cut = if self.cut.is_some() {
            "; not everything was asked"
        } else {
            ""
        };
        let mut sentence = format!("{}{cut}.", parts.join("; "));
        if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
            sentence.replace_range(..1, &first);
        }
        sentence
    }

    /// Where to fix a finding on this site.
    fn place(&self, judged: &Judged) -> String {
        judged.check.fix.place(self.publisher)
    }

    /// The card as JSON; `docs/audit.md` describes the keys.
    pub fn json(&self) -> Value {
        let costliest = score::costliest(&self.sections, COSTLIEST);
        let costliest: Vec<Value> = costliest
            .iter()
            .map(|judged| self.finding(judged))
            .collect();
        let groups: Vec<Value> = self
            .sections
            .iter()
            .map(|section| self.group(section))
            .collect();
        json!({
            "url": self.url,
            "score": self.score(),
            "earned": score::earned(&self.sections),
            "verdict": self.sentence(),
            "worst": self.worst(),
            "costliest": costliest,
            "tally": self.tally(),
            "requests": self.requests,
            "cut": self.cut,
            "groups": groups,
        })
    }

    /// A group of checks as JSON.
    fn group(&self, section: &Section) -> Value {
        let weight = section.group.weight;
        let earned = match section.is_left_out() {
            true => json!(0),
            false => number((weight * 100).saturating_sub(section.cost)),
        };
        let checks: Vec<Value> = section
            .checks
            .iter()
            .map(|judged| self.check(judged))
            .collect();
        json!({
            "name": section.group.name,
            "weight": weight,
            "earned": earned,
            "missing": section.missing,
            "left_out": section.is_left_out(),
            "checks": checks,
        })
    }

    /// A check with all that was found, as JSON.
    fn check(&self, judged: &Judged) -> Value {
        let rule = judged
            .verdict
            .rule
            .filter(|_| judged.state == State::LeftOut);
        json!({
            "id": judged.check.id,
            "severity": judged.check.severity,
            "state": judged.state,
            "costs": number(judged.cost),
            "what": judged.check.what,
            "why": judged.check.why,
            "fix": self.place(judged),
            "hint": judged.check.advice,
            "rule": rule,
            "cases": judged.verdict.cases,
            "found": judged.verdict.found,
            "findings": judged.verdict.findings,
        })
    }

    /// What a check costs and how to correct it, as JSON.
    fn finding(&self, judged: &Judged) -> Value {
        json!({
            "id": judged.check.id,
            "severity": judged.check.severity,
            "costs": number(judged.cost),
            "fix": self.place(judged),
            "hint": judged.check.advice,
        })
    }

    /// The card as text.
    pub fn text(&self, colours: bool) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out, Paint(colours));
        out.truncate(out.trim_end().len());
        out
    }

    fn write(&self, out: &mut String, paint: Paint) -> fmt::Result {
        self.write_summary(out, paint)?;
        writeln!(out)?;
        self.write_groups(out, paint)?;
        for severity in Severity::ALL {
            for judged in
                score::failed(&self.sections).filter(|judged| judged.check.severity == severity)
            {
                self.write_findings(out, paint, judged)?;
            }
        }
        writeln!(out)?;
        self.write_summary(out, paint)
    }

    fn painted_score(&self, paint: Paint) -> String {
        let score = format!("{} of 100", self.score());
        match self.worst() {
            None | Some(Severity::Minor) => paint.green(&score),
            Some(Severity::Missing) => paint.yellow(&score),
            Some(Severity::Broken | Severity::Harm) => paint.red(&score),
        }
    }

    fn write_summary(&self, out: &mut String, paint: Paint) -> fmt::Result {
        let score = self.painted_score(paint);
        writeln!(out, "{}: {score}", paint.bold(&self.url))?;
        writeln!(out, "{}", self.sentence())?;
        let earned = score::earned(&self.sections);
        if let Some(worst) = self.worst().filter(|worst| worst.ceiling() < earned) {
            writeln!(
                out,
                "The groups earn {earned}; with a finding of `{}` the score is at most {}.",
                worst.name(),
                worst.ceiling()
            )?;
        }
        for judged in score::costliest(&self.sections, COSTLIEST) {
            let (id, severity) = (judged.check.id, judged.check.severity.name());
            writeln!(
                out,
                "  -{:<5} {id} ({severity}): fix {}",
                points(judged.cost),
                self.place(judged)
            )?;
        }
        Ok(())
    }

    fn write_groups(&self, out: &mut String, paint: Paint) -> fmt::Result {
        for section in &self.sections {
            let weight = section.group.weight;
            let earned = if section.is_left_out() {
                "–".to_owned()
            } else {
                points((weight * 100).saturating_sub(section.cost))
            };
            let (failed, not_judged) = (
                section.count(State::Failed),
                section.count(State::NotJudged),
            );
            let (mark, note) = if section.is_left_out() {
                (paint.dim("-"), "left out".to_owned())
            } else if section.missing {
                (paint.red("✗"), "missing".to_owned())
            } else if failed + not_judged == 0 {
                (paint.green("✓"), String::new())
            } else {
                let not_judged = if not_judged > 0 {
                    format!(", {not_judged} not judged")
                } else {
                    String::new()
                };
                (
                    paint.yellow("~"),
                    format!(
                        "{failed} of {} checks failed{not_judged}",
                        section.checks.len()
                    ),
                )
            };
            let line = format!("{:<12} {earned:>5} of {weight}", section.group.name);
            writeln!(out, "  {mark} {}", format!("{line:<28} {note}").trim_end())?;
        }
        let Tally {
            passed,
            failed,
            left_out,
            not_judged,
        } = self.tally();
        writeln!(
            out,
            "{passed} checks passed, {failed} failed, {left_out} left out, {not_judged} not judged; {} requests",
            self.requests
        )?;
        for (rule, count) in score::left_out(&self.sections) {
            writeln!(
                out,
                "{}",
                paint.dim(&format!(
                    "  left out ({}): {count}, because {}",
                    rule.name(),
                    rule.text()
                ))
            )?;
        }
        if let Some(why) = &self.cut {
            writeln!(out, "not everything was asked: {why}")?;
        }
        Ok(())
    }

    fn write_findings(&self, out: &mut String, paint: Paint, judged: &Judged) -> fmt::Result {
        let (check, findings) = (&judged.check, &judged.verdict.findings);
        let severity = painted(check.severity, paint);
        let cost = points(judged.cost);
        writeln!(
            out,
            "\n{} ({severity}, costs {cost}) must hold: {}",
            paint.bold(check.id),
            check.what
        )?;
        for Finding { url, expected, got } in findings.iter().take(SHOWN) {
            writeln!(out, "  {url}\n    expected {expected}\n    got      {got}")?;
        }
        let more = judged
            .verdict
            .found
            .saturating_sub(findings.len().min(SHOWN));
        if more > 0 {
            writeln!(out, "  {}", paint.dim(&format!("… and {more} more")))?;
        }
        writeln!(out, "  why: {}", check.why)?;
        writeln!(
            out,
            "  fix: {}\n  hint: {}",
            self.place(judged),
            check.advice
        )
    }
}

/// Hundredths of a point as a JSON number.
fn number(hundredths: u32) -> Value {
    if hundredths.is_multiple_of(100) {
        json!(hundredths / 100)
    } else {
        json!(f64::from(hundredths) / 100.0)
    }
}

fn ways(count: usize) -> String {
    if count == 1 {
        "one way".to_owned()
    } else {
        format!("{count} ways")
    }
}

fn things(count: usize) -> String {
    if count == 1 {
        "one thing is".to_owned()
    } else {
        format!("{count} things are")
    }
}

/// `a, b and c`
fn list(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Whether to print colours.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: u8, text: &dyn Display) -> String {
        if self.0 {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_string()
        }
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

/// The name of a severity in its colour.
fn painted(severity: Severity, paint: Paint) -> String {
    match severity {
        Severity::Harm | Severity::Broken => paint.red(severity.name()),
        Severity::Missing => paint.yellow(severity.name()),
        Severity::Minor => paint.dim(severity.name()),
    }
}
