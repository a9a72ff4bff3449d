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
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (folder, base) in folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(|folder| BASES.map(|base| (folder, base)))
    {
        let name = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut judged = |host: &str,
                          version: String,
                          verdict: Result<compare::Verdict, String>| {
            let verdict =
                verdict.map_err(|error| format!("{host} of {name} at {base}: {error}"))?;
            let numbers = [verdict.cases, verdict.failures.len()].map(|number| number.to_string());
            let audit = verdict.audit.clone();
            rows.push(
                [
                    vec![host.to_owned(), version, name.clone(), base.to_owned()],
                    numbers.to_vec(),
                    vec![audit],
                ]
                .concat(),
            );
            failures.extend(
                verdict
                    .failures
                    .iter()
                    .map(|failure| format!("{host} of {name} at {base}: {failure}")),
            );
            Ok::<(), String>(())
        };
        for engine in &installed.engines {
            judged(
                engine.name(),
                engine.version(),
                one(&binary, folder, base, engine),
            )?;
        }
        judged(
            "Netlify's parsers",
            netlify::VERSION.to_owned(),
            netlify::check(&installed.npm, &binary, folder, base),
        )?;
    }
    for (host, version, verdict) in hostile::check(&installed.engines, &installed.npm)? {
        let numbers = [verdict.cases, verdict.failures.len()].map(|number| number.to_string());
        rows.push(
            [
                vec![
                    host.to_owned(),
                    version,
                    "hostile".to_owned(),
                    "many".to_owned(),
                ],
                numbers.to_vec(),
                vec![String::new()],
            ]
            .concat(),
        );
        failures.extend(
            verdict
                .failures
                .iter()
                .map(|failure| format!("{host}: {failure}")),
        );
    }
    for failure in failures.iter().take(200) {
        println!("{failure}");
    }
    print!(
        "{}",
        table(
            &[
                "host", "version", "site", "base URL", "cases", "failures", "audit"
            ],
            &rows
        )
    );
    let cases: usize = rows
        .iter()
        .filter_map(|row| row[4].parse::<usize>().ok())
        .sum();
    if failures.is_empty() {
        Ok(Done::Passed(format!(
            "{cases} answers as `diglot serve` gives them"
        )))
    } else {
        Err(format!("{} of {cases} answers differ", failures.len()))
    }
}

/// One export on one host.
fn one(
    binary: &Path,
    folder: &Path,
    base: &str,
    engine: &Engine,
) -> Result<compare::Verdict, String> {
    let place = Place::export(binary, folder, base)?;
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
struct Place<'a> {
    work: PathBuf,
    /// The document root of a host.
    root: PathBuf,
    /// The path of the base URL; the export is at this path below the root.
    path: &'a str,
    site: PathBuf,
}

impl<'a> Place<'a> {
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
