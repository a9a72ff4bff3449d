//! `diglot audit` as one of the judges, and the defects it must report.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::Verdict;
use xtask::shell;
use xtask::step::{Done, Outcome};

/// The result of `diglot audit` on a running site.
pub struct Card {
    /// 0 to 100.
    pub score: u64,
    /// How many checks there are.
    pub checks: usize,
    /// Findings that harm readers or make a client fail.
    pub failures: Vec<String>,
    /// What is missing, and what could be better.
    pub warnings: Vec<String>,
}

/// Audits a running site.
///
/// # Errors
/// The audit failed, or did not send every request.
pub fn audited(binary: &Path, base: &str) -> Result<Card, String> {
    let output =
        shell::output(Command::new(binary).args(["audit", base, "--json", "--fail-on", "broken"]))?;
    let card: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!(
            "`diglot audit` printed no card: {error}: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    if let Some(why) = card["cut"].as_str() {
        return Err(format!("not everything was asked: {why}"));
    }
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let checks: Vec<Value> = list(&card, "groups")
        .iter()
        .flat_map(|group| list(group, "checks"))
        .collect();
    let findings = |kinds: [&str; 2]| {
        let of = |check: &Value| {
            list(check, "findings")
                .into_iter()
                .map(|finding| told(check, &finding))
                .collect::<Vec<_>>()
        };
        checks
            .iter()
            .filter(|check| kinds.contains(&check["severity"].as_str().unwrap_or_default()))
            .flat_map(of)
            .collect::<Vec<_>>()
    };
    let (failures, warnings) = (findings(["harm", "broken"]), findings(["missing", "minor"]));
    let expected = i32::from(!failures.is_empty());
    if output.status.code() != Some(expected) {
        return Err(format!(
            "`diglot audit` ended with {}, not {expected}",
            output.status
        ));
    }
    Ok(Card {
        score: card["score"].as_u64().unwrap_or_default(),
        checks: checks.len(),
        failures,
        warnings,
    })
}

fn told(check: &Value, finding: &Value) -> String {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let [url, expected, got] = ["url", "expected", "got"].map(|key| text(finding, key));
    format!(
        "{} at {url}: expected {expected}, got {got}",
        text(check, "id")
    )
}

/// The findings on a site served by Diglot, which lacks nothing: what is excused on other hosts is
/// not excused here.
pub(super) fn judge(binary: &Path, base: &str) -> Result<Verdict, String> {
    let start = Instant::now();
    let card = audited(binary, base)?;
    let failures = [card.failures, card.warnings].concat();
    Ok(Verdict {
        judge: "diglot audit".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        checks: card.checks,
        failures,
        seconds: start.elapsed().as_secs_f64(),
        settings: Vec::new(),
    })
}

/// `cargo xtask conform --plant`: every planted defect is reported by its check.
pub fn plant() -> Outcome {
    let mut command = Command::new("cargo");
    command
        .args([
            "test",
            "--quiet",
            "-p",
            "diglot-audit",
            "--lib",
            "tests",
            "--",
            "--nocapture",
        ])
        .env("DIGLOT_PLANTS", "1");
    shell::run(&mut command)?;
    Ok(Done::Passed(
        "every planted defect is named by its check".to_owned(),
    ))
}
