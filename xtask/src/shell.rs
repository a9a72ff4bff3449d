//! Running other programs and locating files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder of build products: `CARGO_TARGET_DIR`, else `target`.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A fresh, empty folder below the target folder.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let folder = target().join("xtask").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("cannot empty `{}`: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    Ok(folder)
}

/// Unpacks a tar file, compressed or not, into a folder.
///
/// # Errors
/// `tar` failed.
pub fn unpack(archive: &Path, folder: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(archive).arg("-C").arg(folder);
    text(&mut tar).map(drop)
}

/// The cargo that started this process, without what it says of the package it runs: crates whose
/// build scripts read that (`ring`) would be compiled again.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let of_package = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_",
        "CARGO_CRATE_",
    ];
    for (name, _) in std::env::vars_os() {
        if of_package
            .iter()
            .any(|start| name.to_string_lossy().starts_with(start))
        {
            command.env_remove(name);
        }
    }
    command
}

/// A cargo command over the profile of packages. The program then names no folder of this machine,
/// so that it is the same wherever it is compiled.
pub fn dist(word: &str) -> Command {
    let mut flags = Vec::new();
    for (from, to) in [(cargo_home(), "/cargo"), (root(), "/diglot")] {
        flags.push(format!("\"--remap-path-prefix={}={to}\"", from.display()));
    }
    let mut command = cargo();
    command
        .args([word, "--profile", "dist", "--config"])
        .arg(format!("build.rustflags=[{}]", flags.join(",")));
    command
}

/// The folder in which cargo keeps the sources of crates.
pub fn cargo_home() -> PathBuf {
    match std::env::var_os("CARGO_HOME") {
        Some(home) => home.into(),
        None => Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
    }
}

/// A command line as shown in messages.
pub fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command whose output goes to the terminal.
///
/// # Errors
/// It cannot be started, or its exit status is not 0.
pub fn run(command: &mut Command) -> Result<(), String> {
    println!("$ {}", line(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run `{}`: {error}", line(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{}`: {status}", line(command)))
    }
}

/// Runs a command and captures its output, whatever its exit status.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command) -> Result<Output, String> {
    command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", line(command)))
}

/// Runs a command and captures its standard output as text.
///
/// # Errors
/// It cannot be started, or its exit status is not 0: the last lines it wrote.
pub fn text(command: &mut Command) -> Result<String, String> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Err(format!(
        "`{}`: {}\n{}",
        line(command),
        output.status,
        tail(&said, 20)
    ))
}

/// The last lines of a text.
pub fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// A file or folder next to the repository on development machines: `../shared/NAME`, or the path
/// in the variable.
pub fn beside(name: &str, variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable)
        .map_or_else(|| root().join("../shared").join(name), PathBuf::from);
    path.canonicalize().ok()
}

/// Every file below a folder, as a relative path, sorted.
///
/// # Errors
/// A folder cannot be read.
pub fn files_below(root: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut waiting) = (Vec::new(), vec![root.to_owned()]);
    let failed =
        |path: &Path, error: std::io::Error| format!("cannot read `{}`: {error}", path.display());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
            let path = entry.map_err(|error| failed(&folder, error))?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                files.push(path.strip_prefix(root).unwrap_or(&path).to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}
