//! The container image: an OCI layout in a tar file, made without an engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use xtask::shell::root;

use crate::archive::{self, Entry, Tree};
use crate::{
    Containerfile, Order, VERSION, architecture, read, rfc3339, sums, write as write_file,
};

/// The user of the container file, who owns the state.
const USER: u64 = 65532;
/// Where programs look for the certificates of authorities.
const AUTHORITIES: &str = "etc/ssl/certs/ca-certificates.crt";
/// Seconds between health checks, and until the first failure counts.
const INTERVAL: u64 = 10;

const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Writes the image.
///
/// # Errors
/// The container file cannot be read, or the image cannot be written.
pub fn write(order: &Order, program: &Path, time: u64) -> Result<PathBuf, String> {
    let text = read(&root().join("packaging/container/Containerfile"))?;
    let file = Containerfile::parse(&String::from_utf8_lossy(&text))?;
    let layer = files(program)?.tar("", time)?;
    let mut layout = Layout::default();
    let packed = layout.blob(LAYER, archive::gzip(&layer)?);
    let config = config(order, &file, &layer, time)?;
    let config = layout.blob(CONFIG, config.to_string().into_bytes());
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [packed],
        "annotations": annotations(&file, time)?,
    });
    let mut manifest = layout.blob(MANIFEST, manifest.to_string().into_bytes());
    manifest["annotations"] = json!({
        // The first is read by Podman and skopeo, the second by Docker.
        "org.opencontainers.image.ref.name": VERSION,
        "io.containerd.image.name": format!("docker.io/library/diglot:{VERSION}"),
    });
    manifest["platform"] = json!({ "architecture": architecture(&order.target)?, "os": "linux" });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest] });
    layout.add("index.json", &index);
    layout.add("oci-layout", &json!({ "imageLayoutVersion": "1.0.0" }));
    let path = order
        .output
        .join(format!("diglot-{VERSION}-{}-image.tar", order.target));
    write_file(&path, &layout.tree.tar("", time)?)?;
    Ok(path)
}

/// The image's root.
fn files(program: &Path) -> Result<Tree, String> {
    let mut tree = Tree::default();
    tree.add("diglot", Entry::program(read(program)?));
    tree.add(AUTHORITIES, Entry::file(authorities().into_bytes()));
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let path = format!("usr/share/doc/diglot/{name}");
        tree.add(&path, Entry::file(read(&root().join(name))?));
    }
    tree.add("site", Entry::folder(0));
    tree.add("state", Entry::folder(USER));
    tree.add("tmp", Entry::folder(USER));
    Ok(tree)
}

/// Mozilla's list of authorities, as the lock file pins it.
fn authorities() -> String {
    let mut text = String::new();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        let coded = BASE64_STANDARD.encode(certificate);
        text += "-----BEGIN CERTIFICATE-----\n";
        for line in coded.as_bytes().chunks(64) {
            text += &String::from_utf8_lossy(line);
            text.push('\n');
        }
        text += "-----END CERTIFICATE-----\n";
    }
    text
}

fn config(order: &Order, file: &Containerfile, layer: &[u8], time: u64) -> Result<Value, String> {
    let seconds = 1_000_000_000;
    let mut test = vec!["CMD".to_owned()];
    test.extend(file.health.clone());
    Ok(json!({
        "created": rfc3339(time)?,
        "architecture": architecture(&order.target)?,
        "os": "linux",
        "config": {
            "User": file.user,
            "Env": file.environment,
            "Entrypoint": file.entrypoint,
            "Cmd": file.command,
            "ExposedPorts": { format!("{}/tcp", file.port): {} },
            "Volumes": { &file.volume: {} },
            "StopSignal": file.stop_signal,
            "Labels": annotations(file, time)?,
            // Not of OCI: Docker reads it all the same.
            "Healthcheck": { "Test": test, "Interval": INTERVAL * seconds, "StartPeriod": INTERVAL * seconds },
        },
        "rootfs": { "type": "layers", "diff_ids": [digest(layer)] },
        "history": [{ "created": rfc3339(time)?, "created_by": "cargo xtask package" }],
    }))
}

/// The labels of the container file, and those that change with each version.
fn annotations(file: &Containerfile, time: u64) -> Result<BTreeMap<String, String>, String> {
    let mut labels = file.labels.clone();
    let mut add = |name: &str, value: String| {
        labels.insert(format!("org.opencontainers.image.{name}"), value);
    };
    add("version", VERSION.to_owned());
    add("created", rfc3339(time)?);
    Ok(labels)
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", sums::sha256(bytes))
}

/// The files of an OCI layout.
#[derive(Default)]
struct Layout {
    tree: Tree,
}

impl Layout {
    /// Adds a blob and describes it.
    fn blob(&mut self, kind: &str, bytes: Vec<u8>) -> Value {
        let (size, sum) = (bytes.len(), sums::sha256(&bytes));
        self.tree
            .add(&format!("blobs/sha256/{sum}"), Entry::file(bytes));
        json!({ "mediaType": kind, "digest": format!("sha256:{sum}"), "size": size })
    }

    fn add(&mut self, name: &str, value: &Value) {
        self.tree
            .add(name, Entry::file(value.to_string().into_bytes()));
    }
}
