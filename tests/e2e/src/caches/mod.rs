//! Third-party caches, and one that ignores `Vary`, in front of a running Diglot: mixed clients in
//! random order, and the audit through each.

mod fronts;
mod traffic;

use std::path::Path;

use crate::conform;
use crate::server::{self, Server, free_port};
use crate::sites;
use fronts::{Front, Kind};
use traffic::{Known, Verdict};
use xtask::shell::scratch;
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// The seeds of the random orders.
const SEEDS: [u64; 3] = [9111, 9110, 2026];
/// The number of requests in one order.
const REQUESTS: usize = 400;

/// The step.
pub fn run() -> Outcome {
    tools::debian(&["nginx-light", "varnish"], &["nginx", "varnishd"])?;
    let binary = server::build()?;
    let (mut rows, mut failures, mut requests) = (Vec::new(), Vec::new(), 0);
    for kind in Kind::ALL {
        for seed in SEEDS {
            let verdict =
                one(&binary, kind, seed).map_err(|error| format!("{}: {error}", kind.name()))?;
            requests += verdict.requests;
            let numbers = [
                verdict.requests,
                verdict.hits,
                verdict.unchanged,
                verdict.parts,
                verdict.failures.len(),
            ]
            .map(|number| number.to_string());
            rows.push(
                [
                    vec![kind.name().to_owned(), kind.version(), seed.to_string()],
                    numbers.to_vec(),
                    vec![verdict.audit],
                ]
                .concat(),
            );
            failures.extend(
                verdict
                    .failures
                    .into_iter()
                    .map(|failure| format!("{} (seed {seed}): {failure}", kind.name())),
            );
        }
    }
    for failure in failures.iter().take(40) {
        println!("{failure}");
    }
    print!(
        "{}",
        table(
            &[
                "cache", "version", "seed", "requests", "hits", "304", "206", "failures", "audit"
            ],
            &rows
        )
    );
    let note = format!("{requests} requests through {} caches", Kind::ALL.len());
    if failures.is_empty() {
        Ok(Done::Passed(note))
    } else {
        Err(format!("{} failures of {note}", failures.len()))
    }
}

/// One order of requests through one cache, empty at first; then the audit, with the cache as it is
/// by then.
fn one(binary: &Path, kind: Kind, seed: u64) -> Result<Verdict, String> {
    let work = scratch("caches")?;
    let place = format!("127.0.0.1:{}", free_port()?);
    // The site's published address is that of the cache.
    let diglot = Server::for_address(binary, &sites::example().path, &format!("http://{place}"))?;
    let known = Known::learn(&diglot.authority)?;
    let mut front = Front::start(kind, &work, &place, &diglot.authority)?;
    let mut verdict = traffic::send(&mut front, &known, seed, REQUESTS)?;
    if front.is_real() {
        let card = conform::audited(binary, &format!("http://{place}"))?;
        verdict.audit = format!("{} of 100", card.score);
        verdict.failures.extend(
            card.failures
                .into_iter()
                .filter(|finding| !kind.excuses(finding))
                .map(|failure| format!("diglot audit: {failure}")),
        );
    }
    Ok(verdict)
}
