//! What the program is made of: its crates, as the section that `cargo auditable` writes and as a
//! CycloneDX bill of materials.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use xtask::shell::{self, cargo, root};

/// A crate by its name and version.
type Crate = (String, String);

/// The crates of the program.
#[derive(Debug)]
pub struct Bill {
    crates: BTreeMap<Crate, Part>,
}

/// What is known of a crate.
#[derive(Debug, Default)]
struct Part {
    licence: String,
    is_from_registry: bool,
    is_in_program: bool,
    uses: BTreeSet<Crate>,
}

impl Bill {
    /// The crates of the program for a machine.
    ///
    /// # Errors
    /// Cargo failed.
    pub fn for_target(target: &str) -> Result<Self, String> {
        let compiled = tree(target, "normal,build")?;
        let linked = tree(target, "normal,no-proc-macro")?;
        let metadata = metadata(target)?;
        let mut names = BTreeMap::new();
        let mut crates = BTreeMap::new();
        for package in list(&metadata["packages"]) {
            let name = (text(&package["name"]), text(&package["version"]));
            names.insert(text(&package["id"]), name.clone());
            if compiled.contains(&name) {
                let part = Part {
                    licence: text(&package["license"]).replace('/', " OR "),
                    is_from_registry: package["source"].is_string(),
                    is_in_program: linked.contains(&name),
                    uses: BTreeSet::new(),
                };
                crates.insert(name, part);
            }
        }
        for node in list(&metadata["resolve"]["nodes"]) {
            let uses = used(node, &names, &compiled);
            if let Some(part) = names
                .get(&text(&node["id"]))
                .and_then(|name| crates.get_mut(name))
            {
                part.uses = uses;
            }
        }
        Ok(Self { crates })
    }

    /// The bytes of the section `.dep-v0`: JSON in a zlib stream.
    ///
    /// # Errors
    /// None in memory.
    pub fn audited(&self) -> Result<Vec<u8>, String> {
        let names: Vec<&Crate> = self.crates.keys().collect();
        let mut packages = Vec::new();
        for (name, part) in &self.crates {
            let mut uses = Vec::new();
            for used in &part.uses {
                uses.extend(names.binary_search(&used).ok());
            }
            let mut package = json!({
                "name": name.0,
                "version": name.1,
                "source": if part.is_from_registry { "crates.io" } else { "local" },
                "dependencies": uses,
            });
            if !part.is_in_program {
                package["kind"] = "build".into();
            }
            if is_root(name) {
                package["root"] = true.into();
            }
            packages.push(package);
        }
        let text = json!({ "packages": packages }).to_string();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(text.as_bytes());
        written
            .and_then(|()| encoder.finish())
            .map_err(|error| format!("cannot compress the list of crates: {error}"))
    }

    /// The bill of materials, CycloneDX 1.6 as JSON.
    ///
    /// # Errors
    /// The time is out of range.
    pub fn cyclonedx(&self, time: u64) -> Result<Vec<u8>, String> {
        let (mut components, mut edges) = (Vec::new(), Vec::new());
        let mut program = Value::Null;
        for (name, part) in &self.crates {
            let uses: Vec<String> = part.uses.iter().map(reference).collect();
            edges.push(json!({ "ref": reference(name), "dependsOn": uses }));
            let mut component = json!({
                "type": if is_root(name) { "application" } else { "library" },
                "bom-ref": reference(name),
                "name": name.0,
                "version": name.1,
                "purl": reference(name),
            });
            if !part.licence.is_empty() {
                component["licenses"] = json!([{ "expression": part.licence }]);
            }
            if is_root(name) {
                program = component;
            } else {
                component["scope"] = match part.is_in_program {
                    true => "required".into(),
                    false => "excluded".into(),
                };
                components.push(component);
            }
        }
        let bill = json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": { "timestamp": crate::rfc3339(time)?, "component": program },
            "components": components,
            "dependencies": edges,
        });
        let mut text = serde_json::to_vec_pretty(&bill)
            .map_err(|error| format!("cannot write the bill of materials: {error}"))?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Whether this is the crate of the program.
fn is_root(name: &Crate) -> bool {
    name.0 == "diglot"
}

/// The package URL of a crate.
fn reference(name: &Crate) -> String {
    format!("pkg:cargo/{}@{}", name.0, name.1.replace('+', "%2B"))
}

/// The crates that `cargo tree` names. Unlike the metadata it knows which features are used.
fn tree(target: &str, edges: &str) -> Result<BTreeSet<Crate>, String> {
    let said = shell::text(
        cargo()
            .args(["tree", "--quiet", "--locked", "--package", "diglot"])
            .args(["--features", "store,acme,mcp", "--target", target])
            .args(["--edges", edges, "--prefix", "none", "--format", "{p}"])
            .current_dir(root()),
    )?;
    let mut found = BTreeSet::new();
    for line in said.lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            let version = version.trim_start_matches('v');
            found.insert((name.to_owned(), version.to_owned()));
        }
    }
    Ok(found)
}

fn metadata(target: &str) -> Result<Value, String> {
    let said = shell::text(
        cargo()
            .args(["metadata", "--format-version", "1", "--locked", "--quiet"])
            .args([
                "--features",
                "diglot/store,diglot/acme,diglot/mcp",
                "--filter-platform",
                target,
            ])
            .current_dir(root()),
    )?;
    serde_json::from_str(&said).map_err(|error| format!("`cargo metadata`: {error}"))
}

/// The crates that a node of the graph uses, except for its tests.
fn used(
    node: &Value,
    names: &BTreeMap<String, Crate>,
    compiled: &BTreeSet<Crate>,
) -> BTreeSet<Crate> {
    let mut found = BTreeSet::new();
    for edge in list(&node["deps"]) {
        let kinds = list(&edge["dep_kinds"]);
        let is_for_tests = kinds.iter().all(|kind| kind["kind"] == "dev");
        if let Some(name) = names.get(&text(&edge["pkg"]))
            && !is_for_tests
            && compiled.contains(name)
        {
            found.insert(name.clone());
        }
    }
    found
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
