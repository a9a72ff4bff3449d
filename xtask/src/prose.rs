//! A linter of prose over the documents and the transcripts of the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{root, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// The linter, pinned. It needs no network once it is installed.
const PROSELINT: &str = "proselint==0.16.0";

/// Checks that are off: straight quotes and three dots are what people type into a terminal, `color`
/// is the name of an option, and dates such as 2026-11-25 have dashes.
const CONFIGURATION: &str = r#"{ "checks": {
    "typography": false, "spelling": false,
    "typography.diacritical_marks": true, "typography.exclamation": true,
    "dates_times.dates.dash_and_from": false
} }"#;

/// Lints every document and every transcript.
pub fn run() -> Outcome {
    let bin = tools::python("proselint", &[PROSELINT])?;
    let work = scratch("prose")?;
    let written = |error: std::io::Error| format!("cannot write `{}`: {error}", work.display());
    let configuration = work.join("configuration.json");
    fs::write(&configuration, CONFIGURATION).map_err(written)?;
    let mut copies = Vec::new();
    for file in files()? {
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let name = file.strip_prefix(root()).unwrap_or(&file);
        let copy = work.join(name.to_string_lossy().replace('/', "_"));
        let is_transcript = file.extension().is_some_and(|suffix| suffix == "txt");
        let prose = match is_transcript {
            true => prose(&lines_of_transcript(&text)),
            false => prose(&text),
        };
        fs::write(&copy, prose).map_err(written)?;
        copies.push(copy);
    }
    let output = Command::new(bin.join("proselint"))
        .arg("check")
        .arg("--config")
        .arg(&configuration)
        .args(&copies)
        .output()
        .map_err(|error| format!("cannot run proselint: {error}"))?;
    match output.status.success() {
        true => Ok(Done::Passed(format!("{} files, no alert", copies.len()))),
        false => Err(String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)),
    }
}

/// The documents, and the transcripts.
fn files() -> Result<Vec<PathBuf>, String> {
    let mut files: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        .iter()
        .map(|name| root().join(name))
        .collect();
    for folder in [
        "docs",
        "docs/performance",
        "crates/diglot/tests/cli/transcripts",
    ] {
        let folder = root().join(folder);
        let entries = fs::read_dir(&folder);
        let entries = entries.map_err(|error| format!("`{}`: {error}", folder.display()))?;
        files.extend(entries.flatten().map(|entry| entry.path()).filter(is_text));
    }
    files.sort();
    Ok(files)
}

fn is_text(path: &PathBuf) -> bool {
    let suffix = Path::new(path).extension();
    suffix.is_some_and(|suffix| suffix == "md" || suffix == "txt")
}

/// A transcript without its commands, each line a paragraph.
fn lines_of_transcript(text: &str) -> String {
    let said = |line: &str| !line.starts_with("$ ");
    let lines = text
        .lines()
        .flat_map(|line| [if said(line) { line } else { "" }, ""]);
    lines.collect::<Vec<_>>().join("\n")
}

/// The prose of a document, line for line: no code, and each cell of a table is a sentence.
fn prose(text: &str) -> String {
    let (mut prose, mut in_code) = (String::new(), false);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if line.is_empty() {
            // Two paragraphs are not one sentence.
            prose.push('§');
        } else if !is_fence && !in_code {
            // `HTTP/2 20` and `serve   Serve the site` repeat no word.
            for (index, part) in line
                .replace("HTTP/2", "HTTP")
                .replace("   ", ". ")
                .split('`')
                .enumerate()
            {
                match index % 2 {
                    0 => prose.push_str(&part.replace('|', ". ")),
                    _ => prose.push_str(&format!("code{index}")),
                }
            }
        }
        prose.push('\n');
    }
    prose
}
