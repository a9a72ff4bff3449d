//! The external contract judge, run on a served and an exported site, if it is installed next to
//! the repository.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::server::{self, Server};
use crate::sites::{self, Folder};
use crate::wire;
use xtask::shell::{self, beside, files_below, scratch};
use xtask::step::{Done, Outcome};

/// The step.
pub fn run() -> Outcome {
    let Some(judge) = beside("tools/contract/contract.py", "DIGLOT_CONTRACT") else {
        let reason = "no outside judge here (`../shared/tools/contract`, or the file `DIGLOT_CONTRACT` names)";
        println!("{reason}");
        return Ok(Done::Skipped(reason.to_owned()));
    };
    let binary = server::build()?;
    let folders: Vec<Folder> = std::iter::once(sites::example())
        .chain(sites::blog()?)
        .collect();
    let mut totals = Vec::new();
    for folder in &folders {
        totals.push(one(&judge, &binary, folder).map(|total| format!("{}: {total}", folder.name)));
    }
    let notes: Vec<String> = totals.into_iter().collect::<Result<_, _>>()?;
    Ok(Done::Passed(notes.join("; ")))
}

/// Serves and exports one folder under one address and has both judged; returns the judge's total.
fn one(judge: &Path, binary: &Path, folder: &Folder) -> Result<String, String> {
    let server = Server::diglot(binary, &folder.path, "")?;
    let base = format!("http://{}", server.authority);
    let export = scratch("contract")?.join(&folder.name);
    server::export(binary, &folder.path, &base, &export, &["--compress"])?;
    wait_for_codings(&server, &export)?;
    let mut command = Command::new("python3");
    command
        .arg(judge)
        .arg(&base)
        .arg("--slow")
        .arg("--export")
        .arg(&export);
    if let Some(vectors) = beside("vectors/accept.tsv", "DIGLOT_VECTORS") {
        command.arg("--vectors").arg(vectors);
    }
    let output = shell::output(&mut command)?;
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{}:\n{said}", folder.name);
    let total = said
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("contract: "))
        .unwrap_or("no total")
        .to_owned();
    if output.status.success() {
        Ok(total)
    } else {
        Err(format!("{}: {total}", folder.name))
    }
}

/// Waits until every coding in the export is served: a server builds them in the background and
/// offers none before it is built.
///
/// # Errors
/// One is not built within three minutes, or the export cannot be read.
pub fn wait_for_codings(server: &Server, export: &Path) -> Result<(), String> {
    let start = Instant::now();
    for file in files_below(export)?
        .iter()
        .filter_map(|file| file.to_str()?.strip_suffix(".br"))
    {
        let path = format!("/{}", wire::encode(file));
        let coded = || {
            wire::ask(
                "HEAD",
                &server.authority,
                &path,
                &[("accept-encoding", "br")],
            )
            .map(|answer| answer.header("content-encoding"))
        };
        while coded()?.as_deref() != Some("br") {
            if start.elapsed() > Duration::from_secs(180) {
                return Err(format!("`{path}` is not served as br after three minutes"));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    println!(
        "all codings are made after {:.1} s",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
