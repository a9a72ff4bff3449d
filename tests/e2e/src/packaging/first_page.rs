//! Each way to install, in a root of Debian with nothing but what the documents name: the time from
//! its first command to the first page. `docs/install.md` has the table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use diglot_package::Packages;
use xtask::shell::{root, scratch, text, unpack};

use super::debian;
use crate::server::{Server, free_port};
use crate::wire;

/// What the documents name for the source, besides Rust.
const COMPILER: [&str; 2] = ["gcc", "libc6-dev"];

/// How long compiling may take.
const PATIENCE: Duration = Duration::from_secs(20 * 60);

/// Runs a way's commands in the root `$1`: of the machine it has the devices, the processes, the
/// addresses of its network and, at `/rust`, the compiler `$2`.
const IN_ROOT: &str = r#"
set -e
root=$1 rust=$2
shift 2
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mkdir -p "$root/rust"
mount --bind "$rust" "$root/rust"
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
    mkdir -p "$root${file%/*}"
    cp "$file" "$root$file"
done
exec chroot "$root" sh -c "$@"
"#;

/// A way to install.
struct Way<'a> {
    name: &'static str,
    /// Its commands, up to the server in the foreground; `$1` is where it listens.
    commands: String,
    /// The clean root that it begins in.
    clean: &'a Path,
    /// The package that the root has as `/package`; without one it has a clone at `/diglot`.
    package: Option<&'a Path>,
}

/// These commands, and then a site of the user's own is served.
fn then_own_site(install: &str) -> String {
    format!("{install} && diglot new my-site && exec diglot serve my-site --listen \"$1\"")
}

/// Prints the time that a way took.
pub fn print(name: &str, took: Duration) {
    println!("{:>8.1} s {name}", took.as_secs_f64());
}

/// Tries every way and prints its time; nothing if this machine is not Debian.
pub fn measure(packages: &Packages, clean: Option<&Path>) -> Result<(), String> {
    let with_compiler = debian::clean_with("-compiler", &COMPILER)?;
    let (Some(clean), Some(with_compiler)) = (clean, with_compiler) else {
        return Ok(());
    };
    let of_package = |name, install, package| Way {
        name,
        commands: then_own_site(install),
        clean,
        package: Some(package),
    };
    let of_source = |name, commands| Way {
        name,
        commands,
        clean: &with_compiler,
        package: None,
    };
    let ways = [
        of_package(
            "archive",
            "tar -xzf package && install diglot-*/diglot /usr/local/bin/",
            &packages.archive,
        ),
        of_package("Debian package", "dpkg --install package", &packages.debian),
        of_source(
            "first command of the README",
            "cd diglot && exec cargo run --release -- serve examples/field-notes --listen \"$1\""
                .to_owned(),
        ),
        of_source(
            "cargo install",
            then_own_site("(cd diglot && cargo install --locked --path crates/diglot)"),
        ),
    ];
    for way in &ways {
        print(way.name, way.first_page()?);
    }
    Ok(())
}

impl Way<'_> {
    /// From the first command to the first page.
    fn first_page(&self) -> Result<Duration, String> {
        let place = scratch("first-page")?;
        unpack(self.clean, &place)?;
        match self.package {
            Some(package) => {
                let copied = fs::copy(package, place.join("package"));
                copied.map_err(|error| format!("cannot copy the package: {error}"))?;
            }
            None => clone_into(&place.join("diglot"))?,
        }
        let authority = format!("127.0.0.1:{}", free_port()?);
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "sh", "-c", IN_ROOT, "sh"])
            .arg(&place)
            .arg(compiler()?)
            .args([&self.commands, "sh", &authority])
            .env_clear()
            .env("HOME", "/root")
            .env(
                "PATH",
                "/root/.cargo/bin:/rust/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            )
            .env("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt");
        let begun = Instant::now();
        let server = Server::start_within(PATIENCE, &mut command, authority, "/")?;
        let took = begun.elapsed();
        let page = wire::ask("GET", &server.authority, "/", &[])?;
        match page.status {
            200 => Ok(took),
            status => Err(format!("{}: the first page is a {status}", self.name)),
        }
    }
}

/// A clean clone of the checked-out commit.
fn clone_into(folder: &Path) -> Result<(), String> {
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--depth", "1"]);
    text(git.arg(format!("file://{}", root().display())).arg(folder)).map(drop)
}

/// The folder of the compiler that compiles the project.
fn compiler() -> Result<PathBuf, String> {
    let mut rustc = Command::new("rustc");
    let said = text(rustc.args(["--print", "sysroot"]).current_dir(root()))?;
    Ok(said.trim().into())
}
