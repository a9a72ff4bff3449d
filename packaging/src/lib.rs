//! What is distributed, made by `cargo xtask package`: an archive of the static program, a Debian
//! package, a container image, completions, man pages, a bill of materials, checksums and their
//! signature.
//!
//! Every file is a function of the program and of the commit: the time in archives is the
//! commit's, owners are numbers, lists are sorted. So two machines make the same bytes.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a command for the terminal, which writes files"
)]

mod archive;
mod bill;
mod containerfile;
mod debian;
mod documents;
mod image;
mod program;
mod sums;

use std::fs;
use std::path::{Path, PathBuf};

pub use containerfile::Containerfile;
pub use program::{compile_shared, compile_static, host};

use archive::{Entry, Tree};
use xtask::shell::{self, root};

/// The version of everything that is packaged.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is packaged, and where the packages go.
#[derive(Debug)]
pub struct Order {
    /// The triple of the programs, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// A program without shared libraries, for the archive and the image.
    pub fixed: PathBuf,
    /// A program that uses the C library of the system, for the Debian package.
    pub shared: PathBuf,
    /// What follows the version of the Debian package: `1` of `0.1.0-1`.
    pub revision: u32,
    /// The file of the minisign key that signs the checksums.
    pub key: Option<PathBuf>,
    /// The folder of the packages. It is emptied.
    pub output: PathBuf,
}

/// What was made.
#[derive(Debug)]
pub struct Packages {
    /// The archive of the static program.
    pub archive: PathBuf,
    /// The Debian package.
    pub debian: PathBuf,
    /// The image, an OCI layout in a tar file.
    pub image: PathBuf,
    /// The bill of materials.
    pub bill: PathBuf,
    /// The checksums.
    pub sums: PathBuf,
    /// The signature of the checksums, if there is a key.
    pub signature: Option<PathBuf>,
}

/// Makes all packages.
///
/// # Errors
/// A program is missing, a tool failed, or the output cannot be written.
pub fn make(order: &Order) -> Result<Packages, String> {
    let time = time()?;
    fresh(&order.output)?;
    let bill = bill::Bill::for_target(&order.target)?;
    let work = order.output.join("work");
    let audited = bill.audited()?;
    let fixed = program::finished(&order.fixed, &audited, &order.target, &work.join("fixed"))?;
    let shared = program::finished(&order.shared, &audited, &order.target, &work.join("shared"))?;
    let documents = documents::all(time)?;
    let materials = bill.cyclonedx(time)?;

    let name = format!("diglot-{VERSION}-{}", order.target);
    let bill_file = order.output.join(format!("{name}.cdx.json"));
    write(&bill_file, &materials)?;
    let archive = order.output.join(format!("{name}.tar.gz"));
    let tree = archived(&fixed, &documents, &materials)?;
    write(&archive, &archive::gzip(&tree.tar(&name, time)?)?)?;
    let debian = debian::package(order, &shared, &documents, &work, time)?;
    let image = image::write(order, &fixed, time)?;
    fs::remove_dir_all(&work)
        .map_err(|error| format!("cannot remove `{}`: {error}", work.display()))?;

    let files = [&archive, &debian, &image, &bill_file];
    let sums = sums::write(&order.output, &files)?;
    let signature = match &order.key {
        Some(key) => Some(sums::sign(&sums, key)?),
        None => None,
    };
    Ok(Packages {
        archive,
        debian,
        image,
        bill: bill_file,
        sums,
        signature,
    })
}

/// What the archive contains.
fn archived(program: &Path, documents: &Tree, materials: &[u8]) -> Result<Tree, String> {
    let mut tree = Tree::default();
    tree.add("diglot", Entry::program(read(program)?));
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        tree.add(name, Entry::file(read(&root().join(name))?));
    }
    let font = root().join("crates/edition/card/LICENSE-OFL.txt");
    tree.add("LICENSE-OFL.txt", Entry::file(read(&font)?));
    for unit in ["diglot.service", "diglot.socket", "diglot-replica.service"] {
        let file = root().join("packaging/systemd").join(unit);
        tree.add(&format!("systemd/{unit}"), Entry::file(read(&file)?));
    }
    tree.add("diglot.cdx.json", Entry::file(materials.to_vec()));
    tree.extend(documents);
    Ok(tree)
}

/// The time of every file in a package, in seconds: `SOURCE_DATE_EPOCH`, else the commit's.
///
/// # Errors
/// Neither is known.
pub fn time() -> Result<u64, String> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => shell::text(
            std::process::Command::new("git")
                .args(["log", "-1", "--format=%ct"])
                .current_dir(root()),
        )
        .map_err(|error| format!("set SOURCE_DATE_EPOCH outside a repository: {error}"))?,
    };
    text.trim()
        .parse()
        .map_err(|_| format!("SOURCE_DATE_EPOCH is not a number of seconds: `{text}`"))
}

/// The name of a processor in Debian and in images.
fn architecture(target: &str) -> Result<&'static str, String> {
    match target.split('-').next() {
        Some("x86_64") => Ok("amd64"),
        Some("aarch64") => Ok("arm64"),
        _ => Err(format!("no Debian package and no image for `{target}`")),
    }
}

fn rfc3339(time: u64) -> Result<String, String> {
    Ok(date(time)?.to_string())
}

fn rfc2822(time: u64) -> Result<String, String> {
    let zoned = date(time)?.to_zoned(jiff::tz::TimeZone::UTC);
    jiff::fmt::rfc2822::to_string(&zoned).map_err(|error| error.to_string())
}

fn date(time: u64) -> Result<jiff::Timestamp, String> {
    let seconds = i64::try_from(time).map_err(|error| error.to_string())?;
    jiff::Timestamp::from_second(seconds).map_err(|error| error.to_string())
}

fn fresh(folder: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot make `{}`: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
