//! Two publishers, a pruner and three replicas over a store: in one process over a model of a store
//! with faults, each killed at any step, and as processes of the system, each ended by SIGKILL.
//!
//! The first are a test of `diglot-store`, each drawn from its seed; this says how many.

mod killed;

use crate::server;
use xtask::shell::{cargo, run as run_command};
use xtask::step::{Done, Outcome};

/// Runs and rounds in `ci`.
const SHORT: [u64; 2] = [50, 4];
/// Runs and rounds once a week.
const LONG: [u64; 2] = [1_000, 100];

/// The step.
pub fn run() -> Outcome {
    reach(SHORT)
}

/// The weekly step.
pub fn long() -> Outcome {
    reach(LONG)
}

/// `reach [--runs N] [--rounds N]`
pub fn run_on(words: &[&str]) -> Outcome {
    let usage = || "usage: cargo xtask reach [--runs N] [--rounds N]".to_owned();
    let number = |text: &str| text.parse().map_err(|_| usage());
    match words {
        ["--runs", runs] => reach([number(runs)?, SHORT[1]]),
        ["--rounds", rounds] => reach([SHORT[0], number(rounds)?]),
        ["--runs", runs, "--rounds", rounds] => reach([number(runs)?, number(rounds)?]),
        _ => Err(usage()),
    }
}

fn reach([runs, rounds]: [u64; 2]) -> Outcome {
    let mut command = cargo();
    // With the whole workspace, dependencies have the features with which they are compiled already.
    command
        .args(["test", "--quiet", "--workspace"])
        .args(["--test", "store", "reach"])
        .env("DIGLOT_REACH", runs.to_string());
    run_command(&mut command)?;
    let killed = killed::run(&server::build()?, rounds)?;
    Ok(Done::Passed(format!(
        "{runs} runs and {rounds} rounds of processes ({killed}). No half edition, no wrong byte, none lost, every replica on the newest"
    )))
}
