//! The exported folder behind real static hosts, with the configuration that was exported beside it, compared answer by answer with
//! `diglot serve`.

mod compare;
mod engine;

use std::path::Path;

use crate::server::{self, Server};
use crate::shell::{root, scratch};
use crate::sites;
use crate::step::{Done, Outcome, table};
use engine::Engine;

/// The addresses that the site is built for: at the root of its origin, and below a path.
const BASES: [&str; 2] = ["https://example.org", "https://example.org/blog"];

/// The step.
pub fn run() -> Outcome {
    let engines = engine::install()?;
    let binary = server::build()?;
    let folders = [sites::example().path, root().join("crates/diglot/tests/golden/site")];
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (folder, base) in folders.iter().filter(|folder| folder.exists()).flat_map(|folder| BASES.map(|base| (folder, base))) {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for engine in &engines {
            let verdict = one(&binary, folder, base, engine).map_err(|error| format!("{} of {name} at {base}: {error}", engine.name()))?;
            rows.push(vec![
                engine.name().to_owned(),
                engine.version(),
                name.clone(),
                base.to_owned(),
                verdict.cases.to_string(),
                verdict.failures.len().to_string(),
            ]);
            failures.extend(verdict.failures.iter().map(|failure| format!("{} of {name} at {base}: {failure}", engine.name())));
        }
    }
    for failure in failures.iter().take(40) {
        println!("{failure}");
    }
    print!("{}", table(&["host", "version", "site", "base URL", "cases", "failures"], &rows));
    let cases: usize = rows.iter().filter_map(|row| row[4].parse::<usize>().ok()).sum();
    if failures.is_empty() {
        Ok(Done::Passed(format!("{cases} answers as `diglot serve` gives them")))
    } else {
        Err(format!("{} of {cases} answers differ", failures.len()))
    }
}

/// One export behind one host.
fn one(binary: &Path, folder: &Path, base: &str, engine: &Engine) -> Result<compare::Verdict, String> {
    let path = base.strip_prefix("https://example.org").unwrap_or_default();
    let work = scratch("hosts")?;
    let document_root = work.join("root");
    let site = document_root.join(path.trim_start_matches('/'));
    std::fs::create_dir_all(&document_root).map_err(|error| error.to_string())?;
    server::export(binary, folder, base, &site, &["--compress"])?;
    let diglot = Server::for_address(binary, folder, base)?;
    let host = engine.start(&work, &document_root, path)?;
    compare::answers(&site, path, &diglot.authority, &host.authority)
}
