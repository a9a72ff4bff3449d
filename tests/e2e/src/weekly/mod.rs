//! `cargo xtask weekly`: slow checks of what rarely changes. It is run by hand, and its results are
//! committed with `PAGE`.

mod moves;
mod page;
mod reproducible;
mod search;

use std::process::Command;

use jiff::Timestamp;

use crate::{
    browser, conform, folders, fuzz, hostile, instructions, look, packaging, purge, reach, stores,
    torture,
};
use xtask::shell::{self, root};
use xtask::step::{Done, Outcome, Step, Steps};

/// The page of results.
const PAGE: &str = "docs/weekly.md";

/// Every weekly step; all together take about three hours on two processors.
pub const STEPS: &[Step] = &[
    Step {
        name: "browser",
        about: "no script of a hostile author runs in Chromium, and nothing asks for what the source does not embed",
        run: browser::run,
    },
    Step {
        name: "features",
        about: "the tests of a program without the optional features",
        run: without_features,
    },
    Step {
        name: "conform",
        about: "the judges that others wrote find nothing, the slowest on every site, too",
        run: conform::whole,
    },
    Step {
        name: "hostile",
        about: "every token of every syntax, a sample of their pairs, and a part of all pairs up to the largest size",
        run: hostile::weekly,
    },
    Step {
        name: "instructions",
        about: "an answer of the packaged program takes no more instructions than it may",
        run: instructions::count_packaged,
    },
    Step {
        name: "fuzz",
        about: "an hour of new inputs, all targets in turn",
        run: || fuzz::run_on(&["--minutes", "60"]),
    },
    Step {
        name: "torture",
        about: "ten minutes of load, faults and kills",
        run: || torture::run_on(&["--minutes", "10"]),
    },
    Step {
        name: "reach",
        about: "a thousand runs and a hundred rounds of processes: publishers, a pruner and replicas, killed at any step",
        run: reach::long,
    },
    Step {
        name: "stores",
        about: "editions are published to s3s-fs, by one of two publishers, compared, rolled back and pruned",
        run: stores::of_files,
    },
    Step {
        name: "garage",
        about: "editions in Garage outlive kills of the store, of publishers and of a replica; that it cannot keep two publishers apart is said",
        run: stores::killed_garage,
    },
    Step {
        name: "purge",
        about: "after an edit nginx, Varnish and Cloudflare's interface forget what changed among ten thousand addresses, and nothing else",
        run: purge::run,
    },
    Step {
        name: "peers",
        about: "the same pages, titles, days, order and addresses as nine generators build from their own kinds of folders",
        run: folders::peers::everywhere,
    },
    Step {
        name: "move",
        about: "what Hugo, Jekyll and MkDocs build of their fixtures, served by nginx, and two folders that Diglot serves move here without a loss",
        run: moves::run,
    },
    Step {
        name: "search",
        about: "of the questions with known answers, the search answers no fewer among the first three than Pagefind",
        run: search::run,
    },
    Step {
        name: "pictures",
        about: "pages of every kind of the example site and five real folders keep the rules of a page at three widths, light and dark",
        run: look::wide,
    },
    Step {
        name: "packages",
        about: "all packages are made, judged by the tools of their formats, and installed in a clean root",
        run: packaging::made,
    },
    Step {
        name: "reproducible",
        about: "the packages made in two places are the same, byte for byte",
        run: reproducible::run,
    },
];

/// Runs the named steps, or all, and writes their rows; returns whether none failed.
///
/// # Errors
/// A name is unknown, or the page cannot be written.
pub fn run(names: &[&str]) -> Result<bool, String> {
    let known = || {
        STEPS
            .iter()
            .map(|step| step.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(unknown) = names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        return Err(format!(
            "no weekly step is called `{unknown}`; there are {}",
            known()
        ));
    }
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| names.is_empty() || names.contains(&step.name))
        .collect();
    let machine = Machine {
        date: Timestamp::now().strftime("%Y-%m-%d").to_string(),
        commit: commit()?,
        cores: cores(),
    };
    let done = Steps::run("weekly", &steps);
    page::write(&root().join(PAGE), &machine, &done.rows)?;
    println!("weekly: see `{PAGE}`");
    Ok(done.passed())
}

/// Tests of a program without the optional features. `diglot-package` turns them on for the whole
/// workspace, so `cargo test --workspace` cannot run these, and `ci` would compile everything twice.
fn without_features() -> Outcome {
    let tests = ["--test", "all", "without_features"];
    shell::run(
        shell::cargo()
            .args(["test", "--package", "diglot"])
            .args(tests),
    )?;
    Ok(Done::quietly())
}

/// When and where the steps ran.
struct Machine {
    date: String,
    commit: String,
    cores: usize,
}

/// The checked-out commit, and whether anything differs from it.
fn commit() -> Result<String, String> {
    let git = |words: &[&str]| shell::text(Command::new("git").args(words).current_dir(root()));
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?.trim().to_owned();
    // The page itself changes with every run and is ignored.
    let changed = git(&["status", "--porcelain", "--", ".", &format!(":!{PAGE}")])?;
    Ok(if changed.trim().is_empty() {
        commit
    } else {
        format!("{commit}, changed")
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
