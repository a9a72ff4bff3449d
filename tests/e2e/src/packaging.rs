//! Tests of `packaging`, as far as a machine without systemd as PID 1 and without a container
//! engine allows.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::server::{Server, free_port};
use crate::wire;
use xtask::shell::{self, cargo, root, scratch, target, text};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// The limit on the exposure reported by `systemd-analyze security`, in tenths of its points (of
/// 100; less is better).
const MOST_EXPOSED: &str = "--threshold=9";

/// The effect of the container file and of `docker run --read-only --cap-drop=ALL`: the root is
/// read-only, the state is a volume, the user is numeric.
const CONTAINED: &str = r#"
set -e
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=0777,size=16m tmpfs "$1/state"
shift
root=$1 user=$2
shift 2
exec chroot --userspec="$user" "$root" "$@"
"#;

/// The step.
pub fn run() -> Outcome {
    let notes = [unit()?, container()?];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    Ok(Done::Passed(notes.join("; ")))
}

/// systemd accepts the units and rates the service as protected. A note if there is no systemd.
fn unit() -> Result<Option<String>, String> {
    if !tools::on_path("systemd-analyze") {
        return Ok(Some("units not read: no systemd-analyze".to_owned()));
    }
    let folder = scratch("packaging")?;
    for name in ["diglot.socket", "diglot.service"] {
        let unit = read(&root().join("packaging/systemd").join(name))?;
        // `systemd-analyze` needs an existing program, whatever it is.
        let unit = unit.replace("/usr/local/bin/diglot", "/bin/true");
        fs::write(folder.join(name), unit)
            .map_err(|error| format!("cannot write `{name}`: {error}"))?;
    }
    let (socket, service) = (folder.join("diglot.socket"), folder.join("diglot.service"));
    let said = shell::output(
        Command::new("systemd-analyze")
            .arg("verify")
            .arg(&socket)
            .arg(&service),
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
    let judged = text(
        Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", MOST_EXPOSED])
            .arg(&service),
    )?;
    println!("{}", shell::tail(&judged, 1));
    Ok(None)
}

/// The static binary serves from a root that contains nothing else, with the user, environment and
/// command of the container file.
fn container() -> Result<Option<String>, String> {
    let file = Containerfile::parse(&read(&root().join("packaging/container/Containerfile"))?)?;
    shell::run(cargo().args([
        "rustc",
        "--quiet",
        "--package",
        "diglot",
        "--bin",
        "diglot",
        "--",
        "-C",
        "target-feature=+crt-static",
    ]))?;
    let image = scratch("image")?;
    let failed = |error: std::io::Error| format!("cannot make `{}`: {error}", image.display());
    for folder in ["site/articles", "state"] {
        fs::create_dir_all(image.join(folder)).map_err(failed)?;
    }
    // It is moved away, so that tests and steps do not run it by mistake.
    fs::rename(target().join("debug/diglot"), image.join("diglot")).map_err(failed)?;
    fs::write(
        image.join("site/articles/first.md"),
        "# First\n\nWords in a container.\n",
    )
    .map_err(failed)?;
    let authority = format!("127.0.0.1:{}", free_port()?);
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "sh", "-c", CONTAINED, "sh"])
        .arg(&image)
        .arg(&image)
        .arg(&file.user)
        .args(&file.command);
    command
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .envs(file.environment);
    command
        .env("DIGLOT_LISTEN", &authority)
        .env("DIGLOT_BASE_URL", format!("http://{authority}"));
    if !shell::output(Command::new("unshare").args(["--mount", "true"]))?
        .status
        .success()
    {
        return Ok(Some(
            "container not run: no right to make a mount namespace".to_owned(),
        ));
    }
    let server = Server::start(&mut command, authority, "/")?;
    let answer = wire::ask("GET", &server.authority, "/articles/first.md", &[])?;
    if answer.status != 200
        || !String::from_utf8_lossy(&answer.body).contains("Words in a container.")
    {
        return Err(format!(
            "the program in an empty root answered {}",
            answer.status
        ));
    }
    Ok(None)
}

/// The last stage of a container file.
struct Containerfile {
    user: String,
    environment: Vec<(String, String)>,
    command: Vec<String>,
}

impl Containerfile {
    /// Parses the relevant instructions and checks what the file promises.
    fn parse(text: &str) -> Result<Self, String> {
        let toolchain = read(&root().join("rust-toolchain.toml"))?;
        let channel = toolchain
            .lines()
            .find_map(|line| line.strip_prefix("channel = \"")?.strip_suffix('"'))
            .unwrap_or_default();
        let (first, last) = text
            .rsplit_once("\nFROM ")
            .ok_or("the container file has one stage")?;
        let pinned = channel.rsplit_once('.').map_or(channel, |(minor, _)| minor);
        if !first.contains(&format!("/rust:{pinned}-slim ")) {
            return Err(format!(
                "the container file does not build with Rust {pinned}"
            ));
        }
        if !last.starts_with("scratch\n") {
            return Err("the image is not empty".to_owned());
        }
        let of = |name: &str| {
            last.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
                .unwrap_or_default()
        };
        let words = |name: &str| {
            serde_json::from_str::<Vec<String>>(of(name))
                .map_err(|error| format!("{name} of the container file: {error}"))
        };
        let environment = of("ENV")
            .split(' ')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let user = of("USER").to_owned();
        if !user
            .split(':')
            .all(|id| id.parse::<u32>().is_ok_and(|id| id > 0))
        {
            return Err(format!(
                "the image's user is `{user}`, not a number beyond 0"
            ));
        }
        Ok(Self {
            user,
            environment: environment.collect(),
            command: [words("ENTRYPOINT")?, words("CMD")?].concat(),
        })
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}
