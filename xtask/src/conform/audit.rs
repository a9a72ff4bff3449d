//! Our own judge among the others: `diglot audit`, and the defects that it must name.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Verdict;
use crate::shell;
use crate::step::{Done, Outcome};

/// What `diglot audit` finds on a running site.
pub(super) fn judge(binary: &Path, base: &str) -> Result<Verdict, String> {
    let output = shell::output(Command::new(binary).args(["audit", base, "--json"]))?;
    let card: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("`diglot audit` printed no card: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut failures: Vec<String> = card["cut"].as_str().map(|why| format!("not everything was asked: {why}")).into_iter().collect();
    let mut checks = 0;
    for check in list(&card, "groups").iter().flat_map(|group| list(group, "checks")) {
        checks += 1;
        // A site that Diglot serves lacks nothing, so what is excused on other hosts is not excused here.
        for finding in list(&check, "failures").iter().chain(&list(&check, "warnings")) {
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            failures.push(format!(
                "{} at {}: expected {}, came {}",
                check["id"].as_str().unwrap_or_default(),
                text("url"),
                text("expected"),
                text("came")
            ));
        }
    }
    Ok(Verdict { judge: "diglot audit".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), checks, failures, settings: Vec::new() })
}

/// `cargo xtask conform --plant`: every planted defect is named by its check.
pub fn plant() -> Outcome {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet", "-p", "diglot", "--lib", "audit::tests", "--", "--nocapture"]).env("DIGLOT_PLANTS", "1");
    shell::run(&mut command)?;
    Ok(Done::Passed("every planted defect is named by its check".to_owned()))
}
