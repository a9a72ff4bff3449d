//! Third-party tools, pinned and installed below the target folder: a Python environment, an npm
//! prefix, Debian packages, programs from crates.io.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{cargo, output, target, text};

/// A Python environment below the target folder with exactly these requirements (`name==version`).
///
/// # Errors
/// Python or the package index is missing.
pub fn python(name: &str, requirements: &[&str]) -> Result<PathBuf, String> {
    let folder = target().join("tools").join(name);
    installed(&folder, requirements, || {
        text(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        // The pip of Python 3.11 fails on some of today's wheels.
        let pip = |packages: &[&str]| {
            text(
                Command::new(folder.join("bin/python"))
                    // Python compiles what is imported; compiling all of it takes half of the time.
                    .args(["-m", "pip", "install", "--quiet", "--no-compile"])
                    .args(packages),
            )
        };
        pip(&["pip==25.3"])?;
        pip(requirements)
    })?;
    Ok(folder.join("bin"))
}

/// An npm prefix below the target folder with these packages (`name@version`): the folder that
/// holds `node_modules`.
///
/// # Errors
/// npm or the registry is missing.
pub fn npm(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = target().join("tools").join(name);
    installed(&folder, packages, || {
        let flags = [
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--ignore-scripts",
            "--loglevel=error",
        ];
        text(
            Command::new("npm")
                .args(flags)
                .arg("--prefix")
                .arg(&folder)
                .args(packages),
        )
    })?;
    Ok(folder)
}

/// A program from crates.io, compiled below the target folder; `requirement` is `name@version`.
///
/// # Errors
/// The registry is missing, or the program does not compile.
pub fn crate_program(requirement: &str, features: &[&str]) -> Result<PathBuf, String> {
    let name = requirement.split('@').next().unwrap_or_default();
    let folder = target().join("tools").join(format!("crate-{name}"));
    installed(&folder, &[&[requirement], features].concat(), || {
        println!("compiling {requirement}: some minutes, once");
        let mut install = cargo();
        install.args(["install", "--locked", "--quiet", "--root"]);
        install.arg(&folder).arg(requirement);
        text(install.args(features.iter().flat_map(|feature| ["--features", feature])))
    })?;
    Ok(folder.join("bin").join(name))
}

/// Ensures that Debian packages are installed; `commands` are those they provide.
///
/// # Errors
/// Neither the commands nor `apt-get` are there, or the install failed.
pub fn debian(packages: &[&str], commands: &[&str]) -> Result<(), String> {
    // Another step may be installing them, which takes a while after the command is there.
    let _only = apt_lock()?;
    if commands.iter().all(|command| on_path(command)) {
        return Ok(());
    }
    debian_install(packages)
}

/// Installs packages; the caller holds the lock.
fn debian_install(packages: &[&str]) -> Result<(), String> {
    let apt = |arguments: &[&str]| {
        let lock = ["-qq", "-y", "-o", "DPkg::Lock::Timeout=300"];
        text(
            Command::new("apt-get")
                .args(lock)
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    apt(&["update"])?;
    apt(&[&["install", "--no-install-recommends"], packages].concat())?;
    Ok(())
}

/// Ensures that a file of Debian packages is installed, where they provide no command.
///
/// # Errors
/// As [`debian`].
pub fn debian_file(packages: &[&str], file: &Path) -> Result<(), String> {
    let _only = apt_lock()?;
    if file.exists() {
        Ok(())
    } else {
        debian_install(packages)
    }
}

/// A Debian package unpacked below the target folder, in addition to what is installed.
///
/// # Errors
/// `apt-get` or the package is missing.
pub fn debian_package(name: &str) -> Result<PathBuf, String> {
    let folder = target().join("tools").join(format!("debian-{name}"));
    installed(&folder, &[name], || {
        let _only = apt_lock()?;
        text(Command::new("apt-get").args(["-qq", "update"]))?;
        text(
            Command::new("apt-get")
                .args(["-qq", "download", name])
                .current_dir(&folder),
        )?;
        let packages = fs::read_dir(&folder)
            .map_err(|error| error.to_string())?
            .filter_map(|entry| Some(entry.ok()?.path()));
        let package = packages
            .into_iter()
            .find(|path| path.extension().is_some_and(|suffix| suffix == "deb"));
        let package = package.ok_or_else(|| format!("`apt-get` brought no package `{name}`"))?;
        text(Command::new("dpkg").arg("-x").arg(package).arg(&folder))
    })?;
    Ok(folder)
}

/// Held while `apt-get` runs: it does not wait for another one that reads the lists of packages.
fn apt_lock() -> Result<fs::File, String> {
    let (folder, failed) = (target().join("tools"), |error| {
        format!("cannot lock the tools below the target folder: {error}")
    });
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = fs::File::create(folder.join("apt.lock")).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Whether a command is on the path.
pub fn on_path(command: &str) -> bool {
    find(command).is_some()
}

/// The path of a command: on `PATH`, or where Debian installs servers.
pub fn find(command: &str) -> Option<PathBuf> {
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places)
        .chain(["/usr/sbin".into()])
        .map(|folder| folder.join(command))
        .find(|file| file.is_file())
}

/// The first line that a command prints about its version.
pub fn version(command: &mut Command) -> String {
    let said = output(command)
        .map(|output| [output.stdout, output.stderr].concat())
        .unwrap_or_default();
    String::from_utf8_lossy(&said)
        .lines()
        .next()
        .unwrap_or("unknown")
        .trim()
        .to_owned()
}

/// Runs `install` unless the folder's marker says that exactly this is installed.
fn installed(
    folder: &Path,
    wanted: &[&str],
    install: impl FnOnce() -> Result<String, String>,
) -> Result<(), String> {
    let (marker, wanted) = (folder.join("installed.txt"), wanted.join("\n"));
    if fs::read_to_string(&marker).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)?;
    println!("installing {}", wanted.replace('\n', ", "));
    install()?;
    fs::write(&marker, wanted).map_err(failed)
}
