//! The programs that are packaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{self, dist, root, target};

/// The triple of this machine.
///
/// # Errors
/// There is no compiler.
pub fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let triple = shell::text(Command::new(rustc).args(["--print", "host-tuple"]))?;
    Ok(triple.trim().to_owned())
}

/// The program that uses the system's C library.
///
/// # Errors
/// It does not compile.
pub fn compile_shared(triple: &str) -> Result<PathBuf, String> {
    compile(triple, "shared", &[])
}

/// The program without shared libraries. Only its own package is compiled for that, so build
/// scripts and procedural macros stay as they are, and so does everything already compiled.
///
/// # Errors
/// It does not compile.
pub fn compile_static(triple: &str) -> Result<PathBuf, String> {
    let place = target().join("xtask").join("compiled");
    let object = place.join("names.o");
    fs::create_dir_all(&place)
        .map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
    let mut cc = Command::new(tool("gcc", triple));
    cc.args(["-O2", "-c", "-fPIE", "-o"]).arg(&object);
    shell::text(cc.arg(root().join("packaging/src/names.c")))?;
    let object = format!("link-arg={}", object.display());
    let flags = ["-C", "target-feature=+crt-static", "-C", &object];
    compile(triple, "static", &flags)
}

/// Cargo puts both programs into the same place, so each is copied from there.
fn compile(triple: &str, name: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let mut command = dist("rustc");
    command.args(["--quiet", "--locked", "--package", "diglot"]);
    command.args(["--bin", "diglot", "--features", "store,acme,mcp"]);
    let mut made = target();
    if triple != host()? {
        command.args(["--target", triple]);
        made.push(triple);
    }
    shell::run(command.arg("--").args(flags))?;
    let kept = target().join("xtask").join("compiled").join(name);
    copy(&made.join("dist/diglot"), &kept)?;
    Ok(kept)
}

/// The program as it is packaged: without symbols, with the list of its crates in the section
/// `.dep-v0`, where `cargo audit bin` and scanners find it.
///
/// # Errors
/// `objcopy` failed, or the list cannot be read from the program.
pub fn finished(
    program: &Path,
    audited: &[u8],
    triple: &str,
    place: &Path,
) -> Result<PathBuf, String> {
    let (made, list) = (place.join("diglot"), place.join("dependencies"));
    copy(program, &made)?;
    crate::write(&list, audited)?;
    let mut objcopy = Command::new(tool("objcopy", triple));
    objcopy.args(["--strip-all", "--remove-section=.comment"]);
    objcopy.arg(format!("--add-section=.dep-v0={}", list.display()));
    shell::text(objcopy.arg(&made))?;
    let limits = auditable_info::Limits::default();
    auditable_info::audit_info_from_file(&made, limits)
        .map_err(|error| format!("`{}` has no list of its crates: {error}", made.display()))?;
    Ok(made)
}

/// A tool of gcc or binutils; for another machine, under its name there.
fn tool(name: &str, triple: &str) -> String {
    match host() {
        Ok(host) if host != triple => format!("{}-{name}", triple.replace("-unknown", "")),
        _ => name.to_owned(),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot copy `{}`: {error}", from.display());
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::copy(from, to).map(drop).map_err(failed)
}
