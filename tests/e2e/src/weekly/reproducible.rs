//! Compiling the commit in a second place gives the same release binary, byte for byte: neither the
//! folder nor the time is in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{self, cargo, root, scratch};
use xtask::step::{Done, Outcome};

/// The step.
pub fn run() -> Outcome {
    let place = scratch("reproducible")?;
    let binaries = ["one", "a/second/place"].map(|name| compiled(&place.join(name)));
    let [first, second] = binaries;
    let (first, second) = (read(&first?)?, read(&second?)?);
    fs::remove_dir_all(&place)
        .map_err(|error| format!("cannot remove `{}`: {error}", place.display()))?;
    let differs = first
        .iter()
        .zip(&second)
        .position(|(one, other)| one != other);
    match differs {
        None if first.len() == second.len() => Ok(Done::Passed(format!("{} bytes", first.len()))),
        None => Err(format!(
            "one has {} bytes, the other {}",
            first.len(),
            second.len()
        )),
        Some(at) => Err(format!("the binaries differ from byte {at} on")),
    }
}

/// Compiles the checked-out commit in a separate folder.
fn compiled(place: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(place)
        .map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
    let archive = place.join("source.tar");
    shell::run(
        Command::new("git")
            .args(["archive", "--format=tar", "HEAD", "--output"])
            .arg(&archive)
            .current_dir(root()),
    )?;
    shell::run(
        Command::new("tar")
            .arg("-xf")
            .arg(&archive)
            .arg("-C")
            .arg(place),
    )?;
    let target = place.join("target");
    let mut command = cargo();
    command
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "diglot",
        ])
        .current_dir(place)
        .env("CARGO_TARGET_DIR", &target);
    shell::run(&mut command)?;
    Ok(target.join("release/diglot"))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}
