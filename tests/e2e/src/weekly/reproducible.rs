//! Making the packages of the commit in a second place gives the same files, byte for byte: neither
//! the folder, nor cargo's, nor the time is in them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packaging::same;
use xtask::shell::{self, cargo, root, scratch};
use xtask::step::{Done, Outcome};

/// The time of everything in the packages.
const TIME: &str = "1700000000";

/// The step.
pub fn run() -> Outcome {
    let place = scratch("reproducible")?;
    let one = packaged(&place.join("one"))?;
    let other = packaged(&place.join("a/second/place"))?;
    let names = shell::files_below(&one)?;
    if names != shell::files_below(&other)? {
        return Err("the second place has other packages".to_owned());
    }
    for name in &names {
        same(&one.join(name), &other.join(name))?;
    }
    let count = names.len();
    fs::remove_dir_all(&place)
        .map_err(|error| format!("cannot remove `{}`: {error}", place.display()))?;
    Ok(Done::Passed(format!("{count} files of the packages")))
}

/// Makes the packages of the checked-out commit in a separate folder, where cargo's own folder has
/// another name as well.
fn packaged(place: &Path) -> Result<PathBuf, String> {
    let failed = |error| format!("cannot make `{}`: {error}", place.display());
    let sources = place.join("sources");
    fs::create_dir_all(&sources).map_err(failed)?;
    let archive = place.join("source.tar");
    shell::run(
        Command::new("git")
            .args(["archive", "--format=tar", "HEAD", "--output"])
            .arg(&archive)
            .current_dir(root()),
    )?;
    shell::unpack(&archive, &sources)?;
    let home = place.join("cargo");
    symlink(shell::cargo_home(), &home).map_err(failed)?;
    let target = place.join("target");
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--locked", "--package", "diglot-package"])
        .current_dir(&sources)
        .env("CARGO_HOME", &home)
        .env("CARGO_TARGET_DIR", &target)
        .env("SOURCE_DATE_EPOCH", TIME);
    shell::run(&mut command)?;
    Ok(target.join("package"))
}
