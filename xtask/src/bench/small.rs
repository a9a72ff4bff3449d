//! Starts of a small site: of a few milliseconds each, so there are many.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Options;
use super::edit::{is_kept, middle};
use super::report;
use super::serving::Serving;
use crate::{shell, sites};

/// How often each kind of start is measured.
const STARTS: usize = 31;

/// The example site where no repository is around it, and where it stands: how long a start with nothing remembered takes, and one on the unchanged folder.
///
/// # Errors
/// The server does not answer as it should.
pub fn rows(options: &Options, binary: &Path) -> Result<Vec<Vec<String>>, String> {
    let here = sites::example().path;
    let alone = options.place.join("example");
    copy(&here, &alone)?;
    let mut rows = vec![row(options, binary, "the example site", &alone)?];
    if let Some(commits) = commits(&here) {
        let name = format!("the same in its repository, {} commits", report::thousands(commits));
        rows.push(row(options, binary, &name, &here)?);
    }
    let _ = fs::remove_dir_all(&alone);
    Ok(rows)
}

fn row(options: &Options, binary: &Path, name: &str, folder: &Path) -> Result<Vec<String>, String> {
    let state = options.place.join("state");
    let starts = if options.quick { 3 } else { STARTS };
    let start = || Ok::<Duration, String>(Serving::start(binary, folder, &state)?.first);
    let mut first = Vec::new();
    for _ in 0..starts {
        let _ = fs::remove_dir_all(&state);
        first.push(start()?);
    }
    let serving = Serving::start(binary, folder, &state)?;
    if !is_kept(&state, 0) {
        return Err(format!("no edition of `{}` was kept", folder.display()));
    }
    drop(serving);
    let again = (0..starts).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
    let _ = fs::remove_dir_all(&state);
    let times = [first, again].map(|times| format!("{:.1} ms", middle(times).as_secs_f64() * 1e3));
    Ok(std::iter::once(name.to_owned()).chain(times).collect())
}

/// How many commits the repository around a folder has; `None` where there is none.
fn commits(folder: &Path) -> Option<usize> {
    let mut git = Command::new("git");
    shell::text(git.current_dir(folder).args(["rev-list", "--count", "HEAD"])).ok()?.trim().parse().ok()
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    for path in shell::files_below(from)? {
        let place = to.join(&path);
        let failed = |error: std::io::Error| format!("cannot copy `{}`: {error}", path.display());
        fs::create_dir_all(place.parent().unwrap_or(to)).map_err(failed)?;
        fs::copy(from.join(&path), place).map_err(failed)?;
    }
    Ok(())
}
