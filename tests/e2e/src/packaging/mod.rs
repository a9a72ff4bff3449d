//! What is distributed, and the files with which others run and publish: as far as a machine
//! without systemd as PID 1, without a container engine and without GitHub allows.

mod debian;
mod first_page;
mod image;
mod packages;
mod publish;

pub use packages::same;

use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::shell::{self, root, scratch, text};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// The limit on the exposure reported by `systemd-analyze security`, in tenths of its points (of
/// 100; less is better).
const MOST_EXPOSED: &str = "--threshold=9";

/// The same for a replica, which needs a network.
const MOST_EXPOSED_REPLICA: &str = "--threshold=13";

/// The step of CI: the files.
pub fn run() -> Outcome {
    manifests()?;
    publish::check()?;
    container_file()?;
    Ok(Done::Passed(units()?.unwrap_or_default()))
}

/// The weekly step: the packages are made and tried. Joining the static program takes minutes.
pub fn made() -> Outcome {
    Ok(Done::Passed(packages::check()?.join("; ")))
}

/// systemd accepts the units and rates the service as protected. A note if there is no systemd.
fn units() -> Result<Option<String>, String> {
    if !tools::on_path("systemd-analyze") {
        return Ok(Some("units not read: no systemd-analyze".to_owned()));
    }
    let folder = scratch("packaging")?;
    for name in ["diglot.socket", "diglot.service", "diglot-replica.service"] {
        let unit = read(&root().join("packaging/systemd").join(name))?;
        // `systemd-analyze` needs an existing program, whatever it is.
        let unit = unit.replace("/usr/local/bin/diglot", "/bin/true");
        fs::write(folder.join(name), unit)
            .map_err(|error| format!("cannot write `{name}`: {error}"))?;
    }
    let (socket, service) = (folder.join("diglot.socket"), folder.join("diglot.service"));
    let replica = folder.join("diglot-replica.service");
    let said = shell::output(
        Command::new("systemd-analyze")
            // The man pages are installed by packages alone.
            .args(["verify", "--man=no"])
            .arg(&socket)
            .arg(&service)
            .arg(&replica),
    )?;
    let said = [said.stdout, said.stderr].concat();
    let about_us: Vec<String> = String::from_utf8_lossy(&said)
        .lines()
        .filter(|line| line.contains("diglot"))
        .map(str::to_owned)
        .collect();
    if !about_us.is_empty() {
        return Err(about_us.join("\n"));
    }
    for (unit, most) in [(&service, MOST_EXPOSED), (&replica, MOST_EXPOSED_REPLICA)] {
        let judged = text(
            Command::new("systemd-analyze")
                .args(["security", "--offline=true", "--no-pager", most])
                .arg(unit),
        )?;
        println!("{}", shell::tail(&judged, 1));
    }
    Ok(None)
}

/// The manifests of Kubernetes are what its schemas say, with no field beside them.
fn manifests() -> Result<(), String> {
    let tools = tools::python("kubernetes", &["kubernetes-validate==1.37.0"])?;
    let manifest = root().join("packaging/kubernetes/replicas.yaml");
    let said = text(
        Command::new(tools.join("kubernetes-validate"))
            .args(["--strict", "--kubernetes-version", "1.37"])
            .arg(&manifest),
    )?;
    print!("{said}");
    Ok(())
}

/// The container file builds with the pinned compiler, and its image is empty but for the program.
fn container_file() -> Result<(), String> {
    let text = read(&root().join("packaging/container/Containerfile"))?;
    diglot_package::Containerfile::parse(&text)?;
    let toolchain = read(&root().join("rust-toolchain.toml"))?;
    let mut channel = "";
    for line in toolchain.lines() {
        if let Some(value) = line.strip_prefix("channel = \"") {
            channel = value.trim_end_matches('"');
        }
    }
    let pinned = channel.rsplit_once('.').map_or(channel, |(minor, _)| minor);
    if !text.contains(&format!("/rust:{pinned}-slim ")) {
        return Err(format!(
            "the container file does not build with Rust {pinned}"
        ));
    }
    if !text.contains("\nFROM scratch\n") {
        return Err("the image is not empty".to_owned());
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}
