//! The steps of `cargo xtask ci` that run the program, and `cargo xtask weekly`, for what takes too
//! long for `ci`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]

use std::process::ExitCode;

use diglot_e2e::{
    agents, authority, caches, clients, conform, contract, folders, fuzz, hostile, hosts,
    instructions, look, negotiation, numbers, packaging, purge, reach, server, slow, spec, stores,
    together, torture, weekly,
};
use xtask::step::{Outcome, Step, Steps};

/// The first step of `ci`.
const COMPILE: Step = Step {
    name: "compile",
    about: "the program, and what measures the same code, compile optimised",
    run: server::compile_all,
};

/// Steps that `ci` runs two at once, the longest first: no clock decides whether they pass, but for
/// Lighthouse, which may try three times.
const TOGETHER: &[Step] = &[
    Step {
        name: "conform",
        about: "the judges that others wrote find nothing",
        run: conform::run,
    },
    Step {
        name: "look",
        about: "the pages look as they should at three widths, light and dark",
        run: look::run,
    },
    Step {
        name: "hosts",
        about: "the exported site behind nginx, Caddy, Apache and Cloudflare's own server answers as served",
        run: hosts::run,
    },
    Step {
        name: "folders",
        about: "every kind of folder is read whole, well and twice the same",
        run: folders::run,
    },
    Step {
        name: "instructions",
        about: "an answer takes no more instructions than it may",
        run: instructions::count,
    },
    Step {
        name: "packaging",
        about: "the units and the container file do what they say",
        run: packaging::run,
    },
    Step {
        name: "stores",
        about: "editions are published to moto's S3, by one of two publishers, compared, rolled back and pruned",
        run: stores::run,
    },
    Step {
        name: "numbers",
        about: "Prometheus' own library reads the server's metrics",
        run: numbers::run,
    },
    Step {
        name: "negotiation",
        about: "WebOb and Werkzeug read `Accept` and `Accept-Encoding` as we do",
        run: negotiation::run,
    },
    Step {
        name: "spec",
        about: "the examples of CommonMark and GFM are read as they say, but for named exceptions",
        run: spec::run,
    },
];

/// Steps that depend on times, or keep all cores busy.
const ALONE: &[Step] = &[
    Step {
        name: "hostile",
        about: "files made to take long take no longer than their size says",
        run: hostile::run,
    },
    Step {
        name: "contract",
        about: "the outside judge of the contract, over a served and an exported site",
        run: contract::run,
    },
    Step {
        name: "caches",
        about: "nginx, Varnish and a cache without `Vary` in front never mix forms or codings",
        run: caches::run,
    },
    Step {
        name: "reach",
        about: "publishers, a pruner and replicas over a store with faults, each killed at any step",
        run: reach::run,
    },
    Step {
        name: "wire",
        about: "curl, nghttp, h2load and OpenSSL speak to the server, with and without TLS",
        run: clients::run,
    },
    Step {
        name: "authority",
        about: "certificates are got from Pebble, kept and renewed, by one of two servers",
        run: authority::run,
    },
    Step {
        name: "agents",
        about: "the client of the official MCP SDK reads a folder and its live site alike",
        run: agents::run,
    },
    Step {
        name: "slow",
        about: "slowhttptest's four attacks at once keep no good client from its answer",
        run: slow::run,
    },
    Step {
        name: "torture",
        about: "load, faults and kills break no promise (a minute)",
        run: torture::run,
    },
];

/// Not in `ci`: Varnish keeps fewer of the addresses than the step wants.
const PURGE: Step = Step {
    name: "purge",
    about: "after an edit nginx, Varnish and Cloudflare's interface forget what changed, and nothing else",
    run: purge::run,
};

/// Not in `ci`: compiling everything with the fuzzer's counters takes longer than a short search.
const FUZZ: Step = Step {
    name: "fuzz",
    about: "no bytes from outside break a promise: new inputs for each parser",
    run: fuzz::run,
};

/// `conform --plant`; not in `ci`, because the audit's tests cover it.
const PLANT: Step = Step {
    name: "plant",
    about: "every planted defect is named by its check",
    run: conform::plant,
};

/// A step that takes arguments.
type WithWords = fn(&[&str]) -> Outcome;

/// Steps with arguments; without any they are the steps of that name.
const WITH_WORDS: &[(&str, &str, WithWords)] = &[
    ("folders", "folders [--peers] PATH...", folders::run_on),
    ("fuzz", "fuzz [--minutes N] TARGET...", fuzz::run_on),
    (
        "hostile",
        "hostile --sample | [--part N] SYNTAX...",
        hostile::run_on,
    ),
    ("reach", "reach [--runs N] [--rounds N]", reach::run_on),
    (
        "torture",
        "torture [--minutes N] [--seed N]",
        torture::run_on,
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the named steps; whether all of them passed.
fn run(words: &[&str]) -> Result<bool, String> {
    let steps = match words {
        [] | ["help"] => {
            usage();
            return Ok(true);
        }
        ["ci"] => return ci(),
        ["conform", "--plant"] => vec![&PLANT],
        ["fuzz"] => vec![&FUZZ],
        ["purge"] => vec![&PURGE],
        ["weekly", names @ ..] => return weekly::run(names),
        [name, rest @ ..]
            if !rest.is_empty() && with_words(name).is_some_and(|_| named(rest).is_err()) =>
        {
            return with_words(name).map_or(Ok(false), |run| run(rest).map(|_| true));
        }
        names => named(names)?,
    };
    Ok(Steps::run("ci", &steps).passed())
}

/// Runs every step of `ci`; whether all of them passed.
fn ci() -> Result<bool, String> {
    let mut steps = Steps::default();
    steps.rows.push(COMPILE.row());
    steps.rows.extend(together::run(TOGETHER)?);
    steps.rows.extend(ALONE.iter().map(Step::row));
    steps.print("ci");
    Ok(steps.passed())
}

/// The steps of `ci`, in the order in which it runs them.
fn all() -> impl Iterator<Item = &'static Step> {
    std::iter::once(&COMPILE).chain(TOGETHER).chain(ALONE)
}

fn with_words(name: &str) -> Option<WithWords> {
    WITH_WORDS
        .iter()
        .find(|(known, ..)| *known == name)
        .map(|(.., run)| *run)
}

/// The named steps.
fn named(names: &[&str]) -> Result<Vec<&'static Step>, String> {
    let step = |name: &&str| {
        all()
            .find(|step| step.name == *name)
            .ok_or_else(|| format!("xtask: no step is called `{name}`: see `cargo xtask help`"))
    };
    names.iter().map(step).collect()
}

fn usage() {
    for step in all() {
        println!("  {:<13} {}", step.name, step.about);
    }
    println!(
        "\nwith words of their own: {}",
        WITH_WORDS
            .iter()
            .map(|(_, words, _)| *words)
            .collect::<Vec<_>>()
            .join(" | ")
    );
    println!("\nweekly:");
    for step in weekly::STEPS {
        println!("  {:<13} {}", step.name, step.about);
    }
}
