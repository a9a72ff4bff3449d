//! Everything that the open internet and a bad day do to a server, at once: good clients, bad
//! clients, edits, faults and kills, with one table of results.
//!
//! Everything is limited in count and time, uses the loopback address, and is derived from one
//! seed, which is printed. The load runs at a low priority, because here it competes with the
//! server for the processors.

mod bad;
mod edits;
mod faults;
mod good;
mod good_http2;
mod idle;
mod kills;
mod ledger;
mod process;
mod report;
mod run;
mod series;
mod site;
mod soak;

use std::time::{Duration, Instant};

pub use idle::raise_descriptors;
use ledger::Ledger;
use run::Run;

use crate::server;
use xtask::shell::scratch;
use xtask::step::Outcome;

/// How long `ci` tortures.
const MINUTES: f64 = 1.0;
const SEED: u64 = 20_261_121;

/// The step.
pub fn run() -> Outcome {
    torture(MINUTES, SEED)
}

/// `cargo xtask torture --minutes N --seed N`
pub fn run_on(arguments: &[&str]) -> Outcome {
    let (mut minutes, mut seed, mut rest) = (MINUTES, SEED, arguments);
    loop {
        rest = match rest {
            [] => return torture(minutes, seed),
            ["--minutes", value, rest @ ..] => {
                minutes = value
                    .parse()
                    .map_err(|_| format!("`{value}` is no number of minutes"))?;
                rest
            }
            ["--seed", value, rest @ ..] => {
                seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?;
                rest
            }
            [other, ..] => {
                return Err(format!(
                    "`{other}` is not known: cargo xtask torture [--minutes N] [--seed N]"
                ));
            }
        };
    }
}

fn torture(minutes: f64, seed: u64) -> Outcome {
    let binary = server::build()?;
    let scratch = scratch("torture")?;
    println!("{minutes} minutes, seed {seed}, in `{}`", scratch.display());
    let mut run = Run {
        binary,
        scratch,
        seed,
        time: Duration::from_secs_f64(minutes * 60.0),
        ledger: Ledger::default(),
        rows: Vec::new(),
    };
    let begun = Instant::now();
    run.soak()?;
    run.series()?;
    run.report(begun.elapsed())
}

/// Lowers the priority of the calling thread below the server and the measuring clients.
fn be_modest() {
    #[cfg(target_os = "linux")]
    {
        // If that is refused, only the figures get worse.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 15);
    }
}
