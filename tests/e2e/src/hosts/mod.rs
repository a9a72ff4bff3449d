//! The exported folder behind real static hosts, with the exported configuration, compared answer
//! by answer with `diglot serve`.

mod compare;
mod engine;
mod hostile;
mod netlify;

use std::path::{Path, PathBuf};

use crate::conform;
use crate::server::{self, Server};
use crate::sites;
use engine::Engine;
use xtask::shell::{root, scratch};
use xtask::step::{Done, Outcome, table};

/// The base URLs of the site: at the root of its origin, and below a path.
const BASES: [&str; 2] = ["https://example.org", "https://example.org/blog"];

/// The step.
pub fn run() -> Outcome {
    let installed = engine::install()?;
    let binary = server::build()?;
    let folders = [
        sites::example().path,
        root().join("crates/diglot/tests/golden/site"),
    ];
    let mut verdicts = Verdicts::default();
    for (folder, base) in folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(|folder| BASES.map(|base| (folder, base)))
    {
        for engine in &installed.engines {
            let verdict = one(&binary, folder, base, engine);
            verdicts.of_export(engine.name(), engine.version(), folder, base, verdict)?;
        }
        let verdict = netlify::check(&installed.npm, &binary, folder, base);
        let version = netlify::VERSION.to_owned();
        verdicts.of_export("Netlify's parsers", version, folder, base, verdict)?;
    }
    for (host, version, verdict) in hostile::check(&installed.engines, &installed.npm)? {
        verdicts.add([host, &version, "hostile", "many"], host, verdict);
    }
    verdicts.outcome()
}

/// What was found on all hosts.
#[derive(Default)]
struct Verdicts {
    rows: Vec<Vec<String>>,
    failures: Vec<String>,
    cases: usize,
}

impl Verdicts {
    /// Adds what was found for the export of a folder on one host.
    fn of_export(
        &mut self,
        host: &str,
        version: String,
        folder: &Path,
        base: &str,
        verdict: Result<compare::Verdict, String>,
    ) -> Result<(), String> {
        let name = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let place = format!("{host} of {name} at {base}");
        let verdict = verdict.map_err(|error| format!("{place}: {error}"))?;
        self.add([host, &version, &name, base], &place, verdict);
        Ok(())
    }

    /// Adds a row that begins with these cells, and the failures at a place.
    fn add(&mut self, cells: [&str; 4], place: &str, verdict: compare::Verdict) {
        let numbers = [verdict.cases, verdict.failures.len()].map(|number| number.to_string());
        let mut row: Vec<String> = cells.map(str::to_owned).into();
        row.extend(numbers);
        row.push(verdict.audit);
        self.rows.push(row);
        self.cases += verdict.cases;
        let failures = verdict.failures.iter();
        self.failures
            .extend(failures.map(|failure| format!("{place}: {failure}")));
    }

    /// Prints the first failures and the table.
    fn outcome(self) -> Outcome {
        const HEADING: [&str; 7] = [
            "host", "version", "site", "base URL", "cases", "failures", "audit",
        ];
        for failure in self.failures.iter().take(200) {
            println!("{failure}");
        }
        print!("{}", table(&HEADING, &self.rows));
        let (cases, failures) = (self.cases, self.failures.len());
        if failures == 0 {
            Ok(Done::Passed(format!(
                "{cases} answers as `diglot serve` gives them"
            )))
        } else {
            Err(format!("{failures} of {cases} answers differ"))
        }
    }
}

/// One export on one host.
fn one(
    binary: &Path,
    folder: &Path,
    base: &str,
    engine: &Engine,
) -> Result<compare::Verdict, String> {
    let place = ExportedSite::export(binary, folder, base)?;
    let diglot = Server::for_address(binary, folder, base)?;
    let host = engine.start(&place.work, &place.root, place.path)?;
    let mut verdict = compare::answers(
        &place.site,
        place.path,
        &diglot.authority,
        &host.authority,
        engine.chooses(),
    )?;
    // The audit runs on the site without odd names or texts, at the root, as in normal use. A
    // failure there harms somebody; known limits of a host are in the table of losses. Cloudflare's
    // local server gives all codings one tag, unlike the public one.
    if engine.chooses() && place.path.is_empty() && *folder == sites::example().path {
        let card = conform::audited(binary, &format!("http://{}", host.authority))?;
        verdict.audit = format!("{} of 100", card.score);
        let failures = card
            .failures
            .into_iter()
            .filter(|failure| !is_the_hosts_own(engine, failure));
        verdict
            .failures
            .extend(failures.map(|failure| format!("diglot audit: {failure}")));
    }
    Ok(verdict)
}

/// A finding that no configuration can prevent: Caddy 2.6 answers 500 where the file system refuses
/// a name.
fn is_the_hosts_own(engine: &Engine, failure: &str) -> bool {
    engine.name() == "Caddy of Debian"
        && failure.starts_with("errors.malformed ")
        && failure.contains(", got 500 ")
}

/// The place of an export.
struct ExportedSite<'a> {
    work: PathBuf,
    /// The document root of a host.
    root: PathBuf,
    /// The path of the base URL; the export is at this path below the root.
    path: &'a str,
    site: PathBuf,
}

impl<'a> ExportedSite<'a> {
    fn export(binary: &Path, folder: &Path, base: &'a str) -> Result<Self, String> {
        let path = base.strip_prefix("https://example.org").unwrap_or_default();
        let work = scratch("hosts")?;
        let root = work.join("root");
        let site = root.join(path.trim_start_matches('/'));
        std::fs::create_dir_all(&root).map_err(|error| error.to_string())?;
        server::export(binary, folder, base, &site, &["--compress"])?;
        Ok(Self {
            work,
            root,
            path,
            site,
        })
    }
}
