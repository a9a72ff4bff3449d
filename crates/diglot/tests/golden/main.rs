//! A whole site, output compared byte for byte: every file of the expected tree must be made, and every file made must be expected.
//!
//! The site is read at a fixed moment with fixed dates, straight into the pure crates, so that no clock and no file time gets into it.
//! After a change that is meant: `UPDATE_GOLDEN=1 cargo test -p diglot --test golden`, and read the difference before committing it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates};
use diglot_content::{BaseUrl, Library, Problem, SourceFile, Sources};
use diglot_edition::theme::Theme;
use diglot_edition::{Edition, hosts, policy};
use jiff::Timestamp;

/// The moment at which the site is built.
const NOW: &str = "2026-01-01T00:00:00Z";
/// When every file is said to have changed last.
const CHANGED: &str = "2025-06-01T12:00:00Z";

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Every file below a folder by its relative path, `/` between segments.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut waiting) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The fixture as the binary would have gathered it.
fn sources() -> Sources {
    let changed: Timestamp = CHANGED.parse().unwrap();
    let dates = FileDates { created: None, changed, origin: ChangeOrigin::Remembered };
    let files = tree(&here().join("site"));
    let files = files.into_iter().map(|(path, bytes)| SourceFile { path: path.into(), bytes: Bytes::from(bytes), dates }).collect();
    Sources { name: "site".to_owned(), files, ..Sources::default() }
}

fn build(sources: &Sources) -> (Edition, Library) {
    let now: Timestamp = NOW.parse().unwrap();
    let settings = fs::read_to_string(here().join("site/diglot.toml")).unwrap();
    let (settings, problems) = Settings::parse(&settings, "diglot.toml");
    assert_eq!(problems, []);
    let site = Arc::new(settings.into_site("site", BaseUrl::parse("http://localhost").unwrap()).unwrap());
    let library = Library::build(sources, &site, now);
    let theme = Theme::new(&[]).unwrap();
    let edition = Edition::build(&library, site, &theme, now).unwrap();
    (edition, library)
}

/// What the edition says: its resources and the files for hosts, then its header fields, redirects, problems and report as one text each.
fn output() -> BTreeMap<String, Vec<u8>> {
    let (edition, library) = build(&sources());
    let (files, host_problems) = hosts::files(&edition);
    let mut output: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for resource in &edition.resources {
        output.insert(format!("site{}", resource.path), resource.body.to_bytes().to_vec());
    }
    for file in files {
        output.insert(format!("site/{}", file.path), file.text.into_bytes());
    }
    output.insert("headers.txt".to_owned(), headers(&edition).into_bytes());
    output.insert("redirects.txt".to_owned(), redirects(&edition).into_bytes());
    let problems: Vec<&Problem> = edition.problems.iter().chain(&host_problems).collect();
    output.insert("problems.txt".to_owned(), lines(problems).into_bytes());
    output.insert("report.json".to_owned(), format!("{}\n", serde_json::to_string_pretty(&library.report).unwrap()).into_bytes());
    output
}

fn headers(edition: &Edition) -> String {
    let mut text = String::new();
    for resource in &edition.resources {
        let route = &resource.route;
        writeln!(text, "{}\n  {}\n  {}", resource.path, route.kind_name(), route.media_type()).unwrap();
        writeln!(text, "  {}\n  {}", policy::cache_control(route, &edition.site), policy::vary(route)).unwrap();
        writeln!(text, "  {}\n  {}", resource.modified, resource.link_text().unwrap_or("no link")).unwrap();
    }
    text
}

fn redirects(edition: &Edition) -> String {
    let moved = edition.redirects().map(|(old, new)| format!("301 {old} {new}\n"));
    let gone = edition.expired().map(|stem| format!("410 {stem}\n"));
    moved.chain(gone).collect()
}

fn lines<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> String {
    problems.into_iter().fold(String::new(), |text, problem| text + &problem.to_string() + "\n")
}

#[test]
fn the_whole_output_is_as_expected() {
    let (output, folder) = (output(), here().join("expected"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(&folder);
        for (path, bytes) in &output {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        return;
    }
    let expected = tree(&folder);
    let names: BTreeSet<&String> = output.keys().chain(expected.keys()).collect();
    let mut wrong = String::new();
    for name in names {
        match (expected.get(name), output.get(name)) {
            (Some(expected), Some(came)) if expected != came => writeln!(wrong, "{}", difference(name, expected, came)).unwrap(),
            (Some(_), None) => writeln!(wrong, "{name}: expected, and not made").unwrap(),
            (None, Some(_)) => writeln!(wrong, "{name}: made, and not expected").unwrap(),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}\nif this is meant: UPDATE_GOLDEN=1 cargo test -p diglot --test golden");
}

/// The first line that differs.
fn difference(name: &str, expected: &[u8], came: &[u8]) -> String {
    let (Ok(expected), Ok(came)) = (std::str::from_utf8(expected), std::str::from_utf8(came)) else {
        return format!("{name}: {} bytes expected, {} other bytes came", expected.len(), came.len());
    };
    let pairs = expected.split('\n').map(Some).chain(std::iter::repeat(None)).zip(came.split('\n').map(Some).chain(std::iter::repeat(None)));
    let end = "the end of the file";
    let first = pairs.take_while(|pair| *pair != (None, None)).enumerate().find(|(_, (one, other))| one != other);
    let (line, (one, other)) = first.unwrap_or_default();
    format!("{name}:{}:\n  expected: {}\n  came:     {}", line + 1, one.unwrap_or(end), other.unwrap_or(end))
}

#[test]
fn nothing_unpublished_is_in_any_answer() {
    for (path, bytes) in output().iter().filter(|(path, _)| path.starts_with("site/")) {
        let text = String::from_utf8_lossy(bytes);
        for canary in ["CANARY-DRAFT", "CANARY-SCHEDULED", "CANARY-EXPIRED", "CANARY-COMMENT", "CANARY-TAG", "CANARY-PARTIAL"] {
            assert!(!text.contains(canary), "`{canary}` is in `{path}`");
        }
    }
}
