//! What CI runs: `cargo xtask ci`, and each of its steps alone; `cargo xtask weekly` is what takes too long for that.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command for the terminal")]

mod bench;
mod browser;
mod caches;
mod clients;
mod conform;
mod contract;
mod deny;
mod figures;
mod folders;
mod fuzz;
mod hostile;
mod hosts;
mod instructions;
mod look;
mod needs;
mod negotiation;
mod numbers;
mod packaging;
mod random;
mod server;
mod shell;
mod sites;
mod slow;
mod spec;
mod step;
mod tools;
mod torture;
mod turns;
mod weekly;
mod wire;
mod workspace;

use std::process::ExitCode;

use step::{Outcome, Step, Steps};

/// Every step, in the order in which `ci` runs them: cheap ones first.
const STEPS: &[Step] = &[
    Step { name: "fmt", about: "the code is formatted (`cargo fmt --check`)", run: workspace::fmt },
    Step { name: "clippy", about: "no lint fires, in any target", run: workspace::clippy },
    Step { name: "doc", about: "the API documentation builds without a warning", run: workspace::doc },
    Step { name: "deny", about: "licences, sources, bans and advisories of every dependency", run: deny::run },
    Step { name: "needs", about: "the tests that need real folders, root or Landlock, where these are at hand", run: needs::run },
    Step { name: "folders", about: "every kind of folder is read whole, well and twice the same", run: folders::run },
    Step { name: "negotiation", about: "WebOb and Werkzeug read `Accept` and `Accept-Encoding` as we do", run: negotiation::run },
    Step { name: "spec", about: "the examples of CommonMark and GFM are read as they say, but for named exceptions", run: spec::run },
    Step { name: "release", about: "the program, and what measures the same code, compile as they are shipped", run: server::release },
    Step { name: "instructions", about: "an answer takes no more instructions than it may", run: instructions::count },
    Step { name: "hostile", about: "files made to take long take no longer than their size says", run: hostile::run },
    Step { name: "contract", about: "the outside judge of the contract, over a served and an exported site", run: contract::run },
    Step { name: "hosts", about: "the exported site behind nginx, Caddy, Apache and Cloudflare's own server answers as served", run: hosts::run },
    Step { name: "caches", about: "nginx, Varnish and a cache without `Vary` in front never mix forms or codings", run: caches::run },
    Step { name: "wire", about: "curl, nghttp, h2load and OpenSSL speak to the server, with and without TLS", run: clients::run },
    Step { name: "slow", about: "slowhttptest's four attacks at once keep no good client from its answer", run: slow::run },
    Step { name: "numbers", about: "Prometheus' own library reads the server's metrics", run: numbers::run },
    Step { name: "packaging", about: "the units and the container file do what they say", run: packaging::run },
    Step { name: "look", about: "the pages look as they should at three widths, light and dark", run: look::run },
    Step { name: "fuzz", about: "no bytes from outside break a promise (a quarter of a minute each)", run: fuzz::run },
    Step { name: "torture", about: "load, faults and kills break no promise (two minutes)", run: torture::run },
    Step { name: "conform", about: "the judges that others wrote find nothing", run: conform::run },
];

/// `cargo xtask conform --plant`; not in `ci`, whose tests hold it already.
const PLANT: Step = Step { name: "plant", about: "every planted defect is named by its check", run: conform::plant };

/// A step that is told more than its name.
type WithWords = fn(&[&str]) -> Outcome;

/// What takes words of its own; with none, `folders`, `fuzz` and `torture` are the steps of that name.
const WITH_WORDS: &[(&str, &str, WithWords)] = &[
    ("bench", "bench MEASUREMENT", bench::run),
    ("folders", "folders [--peers] PATH...", folders::run_on),
    ("fuzz", "fuzz [--minutes N] TARGET...", fuzz::run_on),
    ("hostile", "hostile --sample | [--full] SYNTAX...", hostile::run_on),
    ("torture", "torture [--minutes N] [--seed N]", torture::run_on),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Some(("weekly", steps)) = names.split_first().map(|(first, rest)| (*first, rest)) {
        return status(weekly::run(steps));
    }
    if let Some((first, rest)) = names.split_first()
        && let Some((_, _, run)) = WITH_WORDS.iter().find(|(name, ..)| name == first)
        && (!rest.is_empty() || STEPS.iter().all(|step| step.name != *first))
    {
        return status(run(rest).map(|_| true));
    }
    let steps: Vec<&Step> = match names.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            usage();
            return ExitCode::SUCCESS;
        }
        ["conform", "--plant"] => vec![&PLANT],
        ["ci"] => STEPS.iter().collect(),
        names => match names.iter().map(|name| STEPS.iter().find(|step| step.name == *name).ok_or(*name)).collect() {
            Ok(steps) => steps,
            Err(unknown) => {
                eprintln!("xtask: no step is called `{unknown}`");
                usage();
                return ExitCode::from(2);
            }
        },
    };
    if let Err(error) = std::env::set_current_dir(shell::root()) {
        eprintln!("xtask: cannot go to `{}`: {error}", shell::root().display());
        return ExitCode::FAILURE;
    }
    status(Ok(Steps::run("ci", &steps).passed()))
}

/// The exit status of what succeeded or not, or ended with an error, which is printed.
fn status(ended: Result<bool, String>) -> ExitCode {
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() {
    let words: Vec<&str> = WITH_WORDS.iter().map(|(_, words, _)| *words).collect();
    println!("usage: cargo xtask ci | STEP... | weekly [STEP...] | conform --plant | {}\n", words.join(" | "));
    for step in STEPS {
        println!("  {:<12} {}", step.name, step.about);
    }
    println!("\nweekly:");
    for step in weekly::STEPS {
        println!("  {:<12} {}", step.name, step.about);
    }
}
