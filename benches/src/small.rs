//! Starts of a small site: they take a few milliseconds each, so there are many.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Options;
use super::middle::median_time;
use super::report;
use super::serving::{Serving, is_kept};
use diglot_e2e::sites;
use xtask::shell;

/// How often each kind of start is measured.
const STARTS: usize = 31;

/// The example site outside any repository, and in a fresh clone of its own repository: the time of
/// a start with an empty state, and of one on the unchanged folder.
///
/// # Errors
/// The server does not answer as it should.
pub fn rows(options: &Options, binary: &Path) -> Result<Vec<Vec<String>>, String> {
    let here = sites::example().path;
    let place = options.place.join("small");
    // Leftovers of a failed run: git does not clone into a folder that is not empty.
    let _ = fs::remove_dir_all(&place);
    let (alone, clone) = (place.join("example"), place.join("clone"));
    copy(&here, &alone)?;
    let mut rows = vec![row(options, binary, "the example site", &alone)?];
    if let Some(Around {
        top,
        inside,
        commits,
    }) = Around::find(&here)
    {
        // As received from another machine: all in one pack.
        shell::text(
            Command::new("git")
                .args(["clone", "--quiet", "--no-local"])
                .args([top.as_path(), &clone]),
        )?;
        let name = format!(
            "the same in a clone of its repository, {} commits",
            report::thousands(commits)
        );
        rows.push(row(options, binary, &name, &clone.join(inside))?);
    }
    let _ = fs::remove_dir_all(&place);
    Ok(rows)
}

/// The repository around a folder.
struct Around {
    top: PathBuf,
    /// The path of the folder inside it.
    inside: PathBuf,
    commits: usize,
}

impl Around {
    /// `None` where there is none.
    fn find(folder: &Path) -> Option<Self> {
        let git = |args: &[&str]| {
            Some(
                shell::text(Command::new("git").current_dir(folder).args(args))
                    .ok()?
                    .trim()
                    .to_owned(),
            )
        };
        Some(Self {
            top: git(&["rev-parse", "--show-toplevel"])?.into(),
            inside: git(&["rev-parse", "--show-prefix"])?.into(),
            commits: git(&["rev-list", "--count", "HEAD"])?.parse().ok()?,
        })
    }
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
    let again = (0..starts)
        .map(|_| start())
        .collect::<Result<Vec<_>, _>>()?;
    let _ = fs::remove_dir_all(&state);
    let times =
        [first, again].map(|times| format!("{:.1} ms", median_time(times).as_secs_f64() * 1e3));
    Ok(std::iter::once(name.to_owned()).chain(times).collect())
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
