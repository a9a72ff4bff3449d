//! What `cargo xtask package` makes, looked at by the programs that will read it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use diglot_package::{Order, Packages, VERSION};
use xtask::shell::{self, root, scratch, target, text};
use xtask::tools;

use super::{debian, first_page, image, publish, read};
use crate::server;

/// Programs that judge the packages, and the Debian packages that have them.
const DEBIAN: [&str; 6] = [
    "mandoc",
    "minisign",
    "skopeo",
    "umoci",
    "lintian",
    "mmdebstrap",
];

/// The largest image, in bytes.
const LARGEST_IMAGE: u64 = 30_000_000;

/// Makes all packages, and again with the next revision of the Debian package; notes on what could
/// not be tried.
pub fn check() -> Result<Vec<String>, String> {
    let shared = kept(&server::packaged()?)?;
    let triple = diglot_package::host()?;
    // Linking keeps one processor busy.
    let (fixed, clean) = std::thread::scope(|scope| {
        let compiling = scope.spawn(|| fixed(&triple));
        let clean = tools::debian(&DEBIAN, &DEBIAN).and_then(|()| debian::clean());
        let ended = compiling.join();
        let fixed = ended.unwrap_or_else(|_| Err("the compiler's thread ended".to_owned()));
        (fixed, clean)
    });
    let (fixed, clean) = (fixed?, clean?);
    let key = key()?;
    let mut order = Order {
        target: triple,
        fixed,
        shared,
        revision: 1,
        key: Some(key.with_extension("key")),
        output: target().join("package"),
    };
    let packages = diglot_package::make(&order)?;
    order.revision = 2;
    order.output = target().join("xtask/package-again");
    let again = diglot_package::make(&order)?;
    for (one, other) in [
        (&packages.archive, &again.archive),
        (&packages.image, &again.image),
        (&packages.bill, &again.bill),
    ] {
        same(one, other)?;
    }
    archive(&packages)?;
    bill(&packages.bill)?;
    signed(&packages, &key)?;
    publish::install(&packages, &key)?;
    let size = fs::metadata(&packages.image).map_or(u64::MAX, |data| data.len());
    if size > LARGEST_IMAGE {
        return Err(format!("the image has {size} bytes"));
    }
    let mut notes = Vec::new();
    notes.extend(image::check(&packages.image)?);
    notes.extend(debian::check(
        &packages.debian,
        &again.debian,
        clean.as_deref(),
    )?);
    first_page::measure(&packages, clean.as_deref())?;
    sizes(&packages);
    Ok(notes)
}

/// The static program; `DIGLOT_STATIC_BINARY` names an existing one.
fn fixed(triple: &str) -> Result<PathBuf, String> {
    match std::env::var_os("DIGLOT_STATIC_BINARY") {
        Some(binary) => Ok(binary.into()),
        None => diglot_package::compile_static(triple),
    }
}

/// A copy: cargo puts the static program into the same place.
fn kept(program: &Path) -> Result<PathBuf, String> {
    let copy = scratch("programs")?.join("shared");
    fs::copy(program, &copy)
        .map(|_| copy)
        .map_err(|error| format!("cannot copy `{}`: {error}", program.display()))
}

/// A key that is thrown away, without a password: `minisign.key` and `minisign.pub`.
fn key() -> Result<PathBuf, String> {
    let key = scratch("minisign")?.join("minisign.pub");
    text(
        Command::new("minisign")
            .args(["-G", "-W", "-f", "-p"])
            .arg(&key)
            .arg("-s")
            .arg(key.with_extension("key")),
    )?;
    Ok(key)
}

/// Two files have the same bytes.
pub fn same(one: &Path, other: &Path) -> Result<(), String> {
    let failed = |path: &Path, error| format!("cannot read `{}`: {error}", path.display());
    let first = fs::read(one).map_err(|error| failed(one, error))?;
    let second = fs::read(other).map_err(|error| failed(other, error))?;
    if first == second {
        return Ok(());
    }
    Err(format!(
        "`{}` and `{}` differ: look with diffoscope",
        one.display(),
        other.display()
    ))
}

/// The archive has what it should have, and its program runs without any library.
fn archive(packages: &Packages) -> Result<(), String> {
    let place = scratch("archive")?;
    let name = packages.archive.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let folder = place.join(name.trim_end_matches(".tar.gz"));
    shell::unpack(&packages.archive, &place)?;
    let said = text(Command::new(folder.join("diglot")).arg("--version"))?;
    if said.trim() != format!("diglot {VERSION}") {
        return Err(format!("the program of the archive is `{said}`"));
    }
    let headers = text(Command::new("objdump").arg("-p").arg(folder.join("diglot")))?;
    if headers.contains("NEEDED") || headers.contains("INTERP") {
        return Err("the program of the archive needs libraries".to_owned());
    }
    for file in [
        "LICENSE-MIT",
        "README.md",
        "completions/_diglot",
        "completions/_diglot.ps1",
        "completions/diglot.fish",
        "man/diglot-serve.1",
        "systemd/diglot.service",
    ] {
        if !folder.join(file).is_file() {
            return Err(format!("the archive has no `{file}`"));
        }
    }
    text(
        Command::new("bash")
            .arg("-n")
            .arg(folder.join("completions/diglot.bash")),
    )?;
    pages(&folder.join("man"))?;
    binstall(&name)
}

/// mandoc finds nothing wrong with the man pages.
fn pages(folder: &Path) -> Result<(), String> {
    let mut mandoc = Command::new("mandoc");
    mandoc.args(["-T", "lint", "-W", "warning"]);
    for page in shell::files_below(folder)? {
        mandoc.arg(page);
    }
    text(mandoc.current_dir(folder)).map(drop)
}

/// `cargo binstall` finds the archive, and the program in it, by the manifest.
fn binstall(archive: &str) -> Result<(), String> {
    let manifest = read(&root().join("crates/diglot/Cargo.toml"))?;
    let folder = archive.trim_end_matches(".tar.gz");
    let triple = diglot_package::host()?;
    let filled = |text: &str| {
        text.replace("{ version }", VERSION)
            .replace("{ target }", &triple)
            .replace("{ bin }{ binary-ext }", "diglot")
    };
    let mut found = 0;
    for line in manifest.lines() {
        let (name, value) = line.split_once(" = ").unwrap_or((line, ""));
        let value = filled(value.trim_matches('"'));
        let expected = match name {
            "pkg-url" => format!("/{archive}"),
            "bin-dir" => format!("{folder}/diglot"),
            "pkg-fmt" => "tgz".to_owned(),
            _ => continue,
        };
        if !value.ends_with(&expected) {
            return Err(format!("cargo binstall would look for `{value}`"));
        }
        found += 1;
    }
    match found {
        3 => Ok(()),
        _ => Err("the manifest does not say all that `cargo binstall` reads".to_owned()),
    }
}

/// CycloneDX' own library reads the bill of materials by its schema, and it names the crates.
fn bill(path: &Path) -> Result<(), String> {
    const READ: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = open(sys.argv[1]).read()
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
sys.exit(str(error) if error else 0)
";
    let tools = tools::python(
        "cyclonedx",
        &["cyclonedx-python-lib[json-validation]==11.12.0"],
    )?;
    text(
        Command::new(tools.join("python"))
            .args(["-c", READ])
            .arg(path),
    )?;
    let bill = read(path)?;
    for name in ["pkg:cargo/hyper@", "pkg:cargo/object_store@", "\"MIT"] {
        if !bill.contains(name) {
            return Err(format!("the bill of materials does not name `{name}`"));
        }
    }
    match bill.contains("pkg:cargo/proptest@") {
        true => Err("the bill of materials names crates of tests".to_owned()),
        false => Ok(()),
    }
}

/// The checksums are right, and the signature is the key's.
fn signed(packages: &Packages, key: &Path) -> Result<(), String> {
    let folder = packages.sums.parent().unwrap_or(Path::new("."));
    text(
        Command::new("sha256sum")
            .args(["--check", "--strict"])
            .arg(&packages.sums)
            .current_dir(folder),
    )?;
    let mut verify = Command::new("minisign");
    verify.args(["-V", "-q", "-p"]).arg(key).arg("-m");
    text(verify.arg(&packages.sums)).map(drop)
}

fn sizes(packages: &Packages) {
    for file in [
        &packages.archive,
        &packages.debian,
        &packages.image,
        &packages.bill,
    ] {
        let size = fs::metadata(file).map_or(0, |data| data.len());
        println!("{size:>10} {}", file.display());
    }
}
