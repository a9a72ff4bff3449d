//! The container image, read by skopeo and umoci, and run as a container engine would run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use xtask::shell::{self, scratch, text};

use super::{first_page, read};
use crate::server::{Server, free_port};
use crate::wire;

/// The effect of `docker run --read-only --cap-drop=ALL`: the root is read-only, the state is a
/// volume, the user is numeric.
const CONTAINED: &str = r#"
set -e
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=0777,size=16m tmpfs "$1/state"
root=$1 user=$2
shift 2
exec chroot --userspec="$user" "$root" "$@"
"#;

/// The image is what its parts say, and serves from its own read-only root. A note if this machine
/// may not run it.
pub fn check(image: &Path) -> Result<Option<String>, String> {
    let place = scratch("image")?;
    let reference = format!("oci-archive:{}", image.display());
    // Reads every blob and compares all digests.
    let copied = format!("dir:{}", place.join("copied").display());
    text(Command::new("skopeo").args(["copy", "--quiet", &reference, &copied]))?;
    inspect(&["inspect", "--config", &reference])?;
    let about = inspect(&["inspect", &reference])?;
    for label in ["title", "version", "created", "licenses", "description"] {
        let label = format!("org.opencontainers.image.{label}");
        if !about["Labels"][&label].is_string() {
            return Err(format!("the image has no label `{label}`"));
        }
    }
    let layout = place.join("layout");
    fs::create_dir_all(&layout).map_err(|error| error.to_string())?;
    shell::unpack(image, &layout)?;
    let named = format!("{}:{}", layout.display(), diglot_package::VERSION);
    let bundle = place.join("bundle");
    let begun = Instant::now();
    text(
        Command::new("umoci")
            .args(["unpack", "--image", &named])
            .arg(&bundle),
    )?;
    // skopeo leaves out what is Docker's own.
    let index = json(&layout.join("index.json"))?;
    let manifest = json(&blob(&layout, &index["manifests"][0])?)?;
    let config = json(&blob(&layout, &manifest["config"])?)?;
    run(&bundle.join("rootfs"), &config["config"], begun)
}

/// The file of what a descriptor names.
fn blob(layout: &Path, descriptor: &Value) -> Result<PathBuf, String> {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    let (_, sum) = digest.split_once(':').ok_or("a descriptor has no digest")?;
    Ok(layout.join("blobs/sha256").join(sum))
}

fn json(path: &Path) -> Result<Value, String> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("`{}`: {error}", path.display()))
}

fn inspect(words: &[&str]) -> Result<Value, String> {
    let said = text(Command::new("skopeo").args(words))?;
    serde_json::from_str(&said).map_err(|error| format!("skopeo: {error}"))
}

/// Serves a site from the image with its user, environment and command, and asks for its health. Prints
/// the time from the moment at which its unpacking `begun`.
fn run(root: &Path, config: &Value, begun: Instant) -> Result<Option<String>, String> {
    let alone = shell::output(Command::new("unshare").args(["--mount", "true"]))?;
    if !alone.status.success() {
        let note = "container not run: no right to make a mount namespace";
        return Ok(Some(note.to_owned()));
    }
    let failed = |error| format!("cannot make a site in `{}`: {error}", root.display());
    let article = root.join("site/articles/first.md");
    fs::create_dir_all(root.join("site/articles")).map_err(failed)?;
    fs::write(&article, "# First\n\nWords in a container.\n").map_err(failed)?;
    fs::write(root.join("etc/nsswitch.conf"), "hosts: none\n").map_err(failed)?;
    fs::write(root.join("etc/hosts"), "127.0.0.1 site.test\n").map_err(failed)?;
    let (authority, admin) = (
        format!("127.0.0.1:{}", free_port()?),
        format!("127.0.0.1:{}", free_port()?),
    );
    let contained = |words: &[&Value]| {
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "sh", "-c", CONTAINED, "sh"])
            .arg(root)
            .arg(config["User"].as_str().unwrap_or_default())
            .args(words.iter().filter_map(|word| word.as_str()))
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        for pair in list(&config["Env"]) {
            let (name, value) = pair
                .as_str()
                .and_then(|pair| pair.split_once('='))
                .unwrap_or_default();
            command.env(name, value);
        }
        command
            .env("DIGLOT_LISTEN", &authority)
            .env("DIGLOT_ADMIN", &admin)
            .env("DIGLOT_BASE_URL", format!("http://{authority}"));
        command
    };
    let words = [list(&config["Entrypoint"]), list(&config["Cmd"])].concat();
    let health = list(&config["Healthcheck"]["Test"]);
    let health = health.get(1..).unwrap_or_default();
    let server = Server::start(&mut contained(&words), authority.clone(), "/")?;
    first_page::print("image, unpacked by umoci", begun.elapsed());
    let answer = wire::ask("GET", &authority, "/articles/first.md", &[])?;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    if answer.status != 200 || !body.contains("Words in a container.") {
        return Err(format!("the image answered {}: {body}", answer.status));
    }
    text(&mut contained(health))?;
    // The program asks `/etc/hosts` and DNS, whatever the machine's configuration says.
    let port = authority.rsplit(':').next().unwrap_or_default();
    let site = Value::from(format!("http://site.test:{port}"));
    let audit: Vec<Value> = ["/diglot", "audit", "--sample", "1", "--json"]
        .map(Value::from)
        .into();
    let audit: Vec<&Value> = audit.iter().chain([&site]).collect();
    let card = shell::output(&mut contained(&audit))?;
    if !String::from_utf8_lossy(&card.stdout).contains("\"score\"") {
        let said = String::from_utf8_lossy(&card.stderr).into_owned();
        return Err(format!("the program in the image finds no name: {said}"));
    }
    drop(server);
    match shell::output(&mut contained(health))?.status.success() {
        true => Err("the health check passes without a server".to_owned()),
        false => Ok(None),
    }
}

fn list(value: &Value) -> Vec<&Value> {
    value.as_array().into_iter().flatten().collect()
}
