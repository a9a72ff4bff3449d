//! The entry point of CI: `cargo xtask ci`, and each of its steps alone.
//!
//! The checks of the sources themselves are in this package. Steps that run the program are in
//! `diglot-e2e`, those that measure it in `diglot-bench`, and what makes its packages is in
//! `diglot-package`; all are compiled on demand.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for the terminal"
)]

mod deny;
mod needs;
mod prose;
mod workspace;

use std::process::{Command, ExitCode};

use xtask::shell::{self, cargo};
use xtask::step::{Step, Steps};

/// The steps of this package in the order in which `ci` runs them: cheap ones first.
const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the code is formatted (`cargo fmt --check`)",
        run: workspace::fmt,
    },
    Step {
        name: "clippy",
        about: "no lint fires, in any target",
        run: workspace::clippy,
    },
    Step {
        name: "doc",
        about: "the API documentation builds without a warning",
        run: workspace::doc,
    },
    Step {
        name: "deny",
        about: "licences, sources, bans and advisories of every dependency",
        run: deny::run,
    },
    Step {
        name: "prose",
        about: "the documents and what the command line prints, by a linter of prose",
        run: prose::run,
    },
    Step {
        name: "needs",
        about: "tests that need real folders, root or Landlock, where these are at hand",
        run: needs::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Err(error) = std::env::set_current_dir(shell::root()) {
        eprintln!("xtask: cannot go to `{}`: {error}", shell::root().display());
        return ExitCode::FAILURE;
    }
    match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => help(),
        ["ci"] => {
            let sources = Steps::run("sources", &STEPS.iter().collect::<Vec<_>>()).passed();
            let program = end_to_end(&["ci"]);
            status(sources && program)
        }
        ["bench", rest @ ..] => status(package("diglot-bench", rest)),
        ["package", rest @ ..] => status(package("diglot-package", rest)),
        words => {
            let (own, others) = split(words);
            let sources = own.is_empty() || Steps::run("sources", &own).passed();
            let program = others.is_empty() || end_to_end(others);
            status(sources && program)
        }
    }
}

/// The steps of this package with which the words begin, and the other words.
fn split<'w, 'a>(words: &'w [&'a str]) -> (Vec<&'static Step>, &'w [&'a str]) {
    let mut own = Vec::new();
    for name in words {
        match STEPS.iter().find(|step| step.name == *name) {
            Some(step) => own.push(step),
            None => break,
        }
    }
    let others = &words[own.len()..];
    (own, others)
}

/// Runs the program of another package; whether it succeeded.
fn package(name: &str, words: &[&str]) -> bool {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", name, "--"]);
    succeeds(command.args(words))
}

/// Runs `diglot-e2e`; whether it succeeded.
///
/// It is compiled with the whole workspace selected, and with a test. Cargo then turns on the same
/// features of dependencies as for `cargo test --workspace`, and compiles none of them again.
fn end_to_end(words: &[&str]) -> bool {
    const PROGRAM: &str = "diglot-e2e";
    let mut compile = cargo();
    compile.args(["build", "--quiet", "--workspace", "--bin", PROGRAM]);
    compile.args(["--test", "store"]);
    let mut program = Command::new(shell::target().join("debug").join(PROGRAM));
    succeeds(&mut compile) && succeeds(program.args(words))
}

fn succeeds(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run `{}`: {error}", shell::line(command));
            false
        }
    }
}

fn help() -> ExitCode {
    println!(
        "usage: cargo xtask ci | STEP... | weekly [STEP...] | bench MEASUREMENT | package | help\n"
    );
    for step in STEPS {
        println!("  {:<13} {}", step.name, step.about);
    }
    status(end_to_end(&["help"]))
}

fn status(passed: bool) -> ExitCode {
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
