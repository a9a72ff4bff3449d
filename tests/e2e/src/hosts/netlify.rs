//! Netlify cannot run locally, but its parsers can: what they read from the exported files is
//! compared with Diglot's answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::ExportedSite;
use super::compare::{self, FIELDS, Verdict};
use crate::server::Server;
use crate::wire::ask;
use xtask::shell::root;

/// The version of the parser of `_headers`.
pub const VERSION: &str = "9.0.3";

/// What the parsers read.
#[derive(Deserialize)]
pub(super) struct Read {
    pub(super) errors: Vec<String>,
    fields: BTreeMap<String, BTreeMap<String, String>>,
    pub(super) redirects: Vec<Redirect>,
}

/// A redirect as the parsers read it.
#[derive(Deserialize)]
pub(super) struct Redirect {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) status: u16,
}

/// Fields that are judged separately, or that Netlify sets itself.
const APART: [&str; 3] = ["content-type", "link", "content-location"];

/// Fields whose values must be the same as Diglot's in every answer.
fn plain_fields() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().copied().filter(|name| !APART.contains(name))
}

/// Compares the exported files with a running Diglot.
///
/// # Errors
/// The parsers do not run, or Diglot does not answer.
pub fn check(npm: &Path, binary: &Path, folder: &Path, base: &str) -> Result<Verdict, String> {
    let place = ExportedSite::export(binary, folder, base)?;
    if !place.path.is_empty() {
        // Both files ask for this.
        for name in ["_headers", "_redirects"] {
            fs::copy(place.site.join(name), place.root.join(name))
                .map_err(|error| format!("cannot copy `{name}`: {error}"))?;
        }
    }
    let diglot = Server::for_address(binary, folder, base)?;
    let paths = compare::paths(&place.site, place.path)?;
    let read = read(npm, &place.root, &paths)?;
    let mut verdict = Verdict {
        cases: 1,
        failures: read.errors,
        audit: String::new(),
    };
    for path in &paths {
        let served = ask("GET", &diglot.authority, path, &[])?;
        if served.status == 200 {
            let fields = read.fields.get(path).cloned().unwrap_or_default();
            verdict
                .failures
                .extend(differences(path, &fields, |name| served.header(name)));
            verdict.cases += plain_fields().count() + 2;
        }
    }
    for redirect in &read.redirects {
        verdict.cases += 1;
        if redirect.to.contains("://") {
            continue;
        }
        let onward = read
            .redirects
            .iter()
            .any(|next| next.status == 301 && next.from == redirect.to);
        let target = ask("GET", &diglot.authority, &redirect.to, &[])?.status;
        if redirect.from == redirect.to || onward || target != 200 {
            verdict.failures.push(format!(
                "{} leads to {}, which is {target}",
                redirect.from, redirect.to
            ));
        }
    }
    Ok(verdict)
}

/// What the parsers read from both files of a folder, with the fields for these addresses.
///
/// # Errors
/// They do not run.
pub(super) fn read(npm: &Path, folder: &Path, paths: &[String]) -> Result<Read, String> {
    let failed = |error: &dyn std::fmt::Display| format!("Netlify's parsers: {error}");
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/judges/netlify.mjs"))
        .arg(npm)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    if let Some(mut input) = child.stdin.take() {
        let text = serde_json::to_string(paths).map_err(|error| failed(&error))?;
        input
            .write_all(text.as_bytes())
            .map_err(|error| failed(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
}

/// Whether a file's policy is added after the general one, which Netlify cannot remove: browsers
/// enforce both (CSP3 section 4.2), so scripts that either forbids stay forbidden. The search page
/// has no script there; docs/search.md says so.
fn adds(expected: Option<&str>, came: Option<&String>) -> bool {
    let is_own = |policy: &&str| policy.starts_with("sandbox;") || policy.contains("/_/search.");
    let own = expected.filter(is_own);
    own.zip(came).is_some_and(|(own, came)| {
        came.strip_suffix(own)
            .is_some_and(|before| before.ends_with(", ") && before.contains("script-src"))
    })
}

/// Differences between what Netlify is configured to send and what Diglot sends.
fn differences(
    path: &str,
    told: &BTreeMap<String, String>,
    served: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut expect =
        |name: &str, right: bool, expected: &Option<String>, came: &Option<&String>| {
            if !right {
                found.push(format!(
                    "{path} {name}\n  expected: {expected:?}\n  came:     {came:?}"
                ));
            }
        };
    for name in plain_fields() {
        let (expected, came) = (served(name), told.get(name));
        let right = expected.as_ref() == came
            || name == "content-security-policy" && adds(expected.as_deref(), came);
        expect(name, right, &expected, &came);
    }
    let (expected, came) = (served("content-type"), told.get("content-type"));
    // Every host knows the media types of pictures and the like.
    let known = expected.as_ref().is_some_and(|media| {
        ["image/", "audio/", "video/", "font/"]
            .iter()
            .any(|kind| media.starts_with(kind))
    });
    expect(
        "content-type",
        came == expected.as_ref() || (came.is_none() && known),
        &expected,
        &came,
    );
    // Links are configured as far as possible, without any other; but a pattern's links cannot be
    // removed for a single path (`/sitemap.md` is not a page).
    let (expected, came) = (served("link"), told.get("link"));
    let all: Vec<&str> = expected
        .iter()
        .flat_map(|value| value.split(", <"))
        .map(|link| link.trim_start_matches('<'))
        .collect();
    let right = expected.is_none()
        || came
            .iter()
            .flat_map(|value| value.split(", <"))
            .all(|link| all.contains(&link.trim_start_matches('<')));
    expect("link", right, &expected, &came);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let served = |name: &str| match name {
            "content-type" => Some("text/html; charset=utf-8".to_owned()),
            "vary" => Some("Accept".to_owned()),
            "link" => Some("<a>; rel=\"x\", <b>; rel=\"y\"".to_owned()),
            _ => None,
        };
        let told = |link: &str| {
            let fields = [
                ("content-type", "text/html; charset=utf-8"),
                ("vary", "Accept"),
                ("link", link),
            ];
            BTreeMap::from(fields.map(|(name, value)| (name.to_owned(), value.to_owned())))
        };
        assert_eq!(
            differences("/", &told("<b>; rel=\"y\", <b>; rel=\"y\""), served),
            Vec::<String>::new()
        );
        assert_eq!(differences("/", &told("<c>; rel=\"y\""), served).len(), 1);
        let (everywhere, own) = (
            "default-src 'self'; script-src 'none'",
            "sandbox; default-src 'none'",
        );
        assert!(adds(Some(own), Some(&format!("{everywhere}, {own}"))));
        assert!(
            !adds(Some(own), Some(&everywhere.to_owned())),
            "the file's own policy is lost"
        );
        assert!(
            !adds(
                Some(everywhere),
                Some(&format!("{everywhere}, {everywhere}"))
            ),
            "a page has one policy"
        );
        assert_eq!(differences("/", &BTreeMap::new(), served).len(), 2);
    }
}
