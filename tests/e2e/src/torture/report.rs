//! The table of results, and whether they pass.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::ledger::{Ledger, Phase, Wrong};
use super::run::Run;
use crate::figures::{megabytes, thousands};
use xtask::step::{Done, Outcome, table};

/// The phases whose latency is in the table.
const PHASES: [(Phase, &str); 5] = [
    (Phase::Quiet, "latency, quiet"),
    (Phase::Load, "latency, good clients at full speed"),
    (Phase::Fire, "latency, and bad clients, edits, faults"),
    (Phase::Idle, "latency, idle connections held"),
    (Phase::Reload, "latency, edition after edition"),
];

/// The figures that must be 0.
const MUST_BE_ZERO: [(Wrong, &str); 5] = [
    (Wrong::Answer, "wrong answers"),
    (Wrong::Site, "lost or half-written sites"),
    (Wrong::Canary, "leaked canaries"),
    (Wrong::Failed, "failed good requests"),
    (Wrong::Promise, "other broken promises"),
];

impl Run {
    /// Prints the table. Any complaint is a failure.
    ///
    /// # Errors
    /// The complaints.
    pub fn report(mut self, took: Duration) -> Outcome {
        let ledger = &self.ledger;
        let [requests, faults, bad] = [&ledger.requests, &ledger.faults, &ledger.bad].map(number);
        let mut rows = vec![
            row("requests", requests.clone()),
            row("faults injected", faults.clone()),
            row("bad inputs tried", bad.clone()),
            row(
                "bytes searched for canaries",
                megabytes(ledger.bytes.load(Relaxed)),
            ),
        ];
        rows.extend(MUST_BE_ZERO.map(|(wrong, name)| row(name, ledger.count(wrong).to_string())));
        rows.extend(PHASES.iter().filter_map(|(phase, name)| {
            let latency = latency(ledger, *phase)?;
            Some(row(name, latency))
        }));
        rows.append(&mut self.rows);
        rows.push(row(
            "time",
            format!("{:.0} s, seed {}", took.as_secs_f64(), self.seed),
        ));
        print!("{}", table(&["torture", ""], &rows));
        let complaints = self.ledger.complaints();
        if complaints.is_empty() {
            Ok(Done::Passed(format!(
                "{requests} requests, {faults} faults, {bad} bad inputs, nothing wrong"
            )))
        } else {
            Err(format!(
                "{} kinds of complaints; what servers said is in `{}`\n{}",
                complaints.len(),
                self.scratch.display(),
                complaints.join("\n")
            ))
        }
    }
}

fn row(what: &str, value: String) -> Vec<String> {
    vec![what.to_owned(), value]
}

fn number(count: &AtomicU64) -> String {
    thousands(usize::try_from(count.load(Relaxed)).unwrap_or(usize::MAX))
}

/// The latencies of a phase; `None` if none were measured.
fn latency(ledger: &Ledger, phase: Phase) -> Option<String> {
    let (half, count) = ledger.latency(phase, 500)?;
    let (most, _) = ledger.latency(phase, 990)?;
    let (worst, _) = ledger.latency(phase, 1000)?;
    let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
    Some(format!(
        "median {}, p99 {}, worst {} ms of {}",
        ms(half),
        ms(most),
        ms(worst),
        thousands(count)
    ))
}
