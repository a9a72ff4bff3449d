//! A word that no reader may see, in drafts, comments, private keys, hidden files and names of
//! files: it is searched in every byte of every answer (all routes, both forms, all codings,
//! decoded) and of every export.

mod folders;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::support::build;
use crate::support::tree::files;
use diglot::limits::Limits;
use diglot_content::{BaseUrl, Library, settings};
use diglot_edition::theme::Theme;
use diglot_edition::{Coding, Edition};
use diglot_http::{refuse, respond};
use folders::{FOLDERS, Folder};
use http::{Method, Request, StatusCode};

const WORD: &str = "canarybird";
const NOW: &str = "2026-01-01T00:00:00Z";

/// Writes the folder to the disk.
fn put(Folder(_, files): &Folder, root: &Path) {
    for (path, text) in *files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The edition of a folder, with all codings made.
fn edition(root: &Path) -> Edition {
    let now = NOW.parse().unwrap();
    let sources = diglot::read::folder(root, &mut [], &Limits::default(), now).unwrap();
    let given = sources
        .files
        .iter()
        .find(|file| &*file.path == settings::FILE);
    let given = given
        .map(|file| {
            settings::Settings::parse(std::str::from_utf8(&file.bytes).unwrap(), settings::FILE).0
        })
        .unwrap_or_default();
    let given = diglot_content::dialects::settings(&sources, None).overlay(given);
    let site = Arc::new(
        given
            .into_site("Birds", BaseUrl::parse("https://example.org").unwrap())
            .unwrap(),
    );
    let library = Library::build(&sources, &site, now);
    let edition = Edition::build(&library, site, &Theme::new(&[]).unwrap(), now).unwrap();
    edition.resources.iter().for_each(|resource| {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding))
    });
    edition
}

/// Where the word is, in any case of letters, as it is or percent-encoded, with the text around it.
fn hits(place: &str, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let text = text
        .replace("%62", "b")
        .replace("%63", "c")
        .replace("&#99;", "c");
    let around = |at: usize| {
        let (from, to) = (
            text.floor_char_boundary(at.saturating_sub(60)),
            text.ceil_char_boundary((at + 60).min(text.len())),
        );
        format!("{place}: …{}…", text[from..to].escape_debug())
    };
    text.match_indices(WORD).map(|(at, _)| around(at)).collect()
}

fn decoded(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match coding {
        "" => plain.extend(bytes),
        "gzip" => drop(
            flate2::read::GzDecoder::new(bytes)
                .read_to_end(&mut plain)
                .unwrap(),
        ),
        "br" => drop(
            brotli::Decompressor::new(bytes, 4096)
                .read_to_end(&mut plain)
                .unwrap(),
        ),
        "zstd" => drop(
            zstd::Decoder::new(bytes)
                .unwrap()
                .read_to_end(&mut plain)
                .unwrap(),
        ),
        other => panic!("{other}"),
    }
    plain
}

/// Asks for a path in every way, and searches head and decoded body of each answer. How many
/// answers there were, and the hits.
fn ask_everything(edition: &Edition, path: &str) -> (usize, Vec<String>) {
    let (mut asked, mut found) = (0, Vec::new());
    for method in [Method::GET, Method::HEAD, Method::OPTIONS, Method::POST] {
        for accept in ["*/*", "text/markdown", "application/json", "text/html"] {
            for coding in ["identity", "gzip", "br", "zstd"] {
                for more in [
                    ("x-none", ""),
                    ("range", "bytes=0-"),
                    ("range", "bytes=999999999-"),
                    ("if-none-match", "*"),
                ] {
                    let request = Request::builder()
                        .method(&method)
                        .uri(path)
                        .header("accept", accept)
                        .header("accept-encoding", coding);
                    let response =
                        respond(edition, &request.header(more.0, more.1).body(()).unwrap());
                    let place = format!(
                        "{method} {path} ({accept}, {coding}, {}) {}",
                        more.0,
                        response.status()
                    );
                    let head: Vec<u8> = response
                        .headers()
                        .iter()
                        .flat_map(|(name, value)| {
                            [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat()
                        })
                        .collect();
                    found.extend(hits(&place, &head));
                    let coding = response
                        .headers()
                        .get("content-encoding")
                        .map_or("", |value| value.to_str().unwrap())
                        .to_owned();
                    // A part of a coded answer is not a whole stream, but the whole is asked for as
                    // well.
                    let body = response.body().to_bytes();
                    if !body.is_empty()
                        && (response.status() != StatusCode::PARTIAL_CONTENT || coding.is_empty())
                    {
                        found.extend(hits(&place, &decoded(&coding, &body)));
                    }
                    asked += 1;
                }
            }
        }
    }
    (asked, found)
}

#[test]
fn no_answer_holds_the_word() {
    let (mut asked, mut found) = (0, Vec::new());
    for folder in FOLDERS {
        let dir = tempfile::tempdir().unwrap();
        put(folder, dir.path());
        let edition = edition(dir.path());
        assert!(edition.articles > 0, "{}: nothing is published", folder.0);
        let known = edition
            .resources
            .iter()
            .map(|resource| resource.path.to_string());
        let moved = edition.redirects().map(|(old, _)| old.to_owned());
        let gone = edition.expired().map(str::to_owned);
        // Near misses of what must not be there: suggestions would tell its name.
        let guessed = [
            "/articles/draft-canarybirb.html",
            "/articles/open.md",
            "/articles/canarybir-later",
            "/canarybirbs.html",
            "/.env",
            "/.git/config",
            "/_config.yml",
        ];
        let guessed = guessed.map(str::to_owned);
        for path in known.chain(moved).chain(gone).chain(guessed) {
            let path = percent_encoding::utf8_percent_encode(&path, percent_encoding::CONTROLS)
                .to_string()
                .replace(' ', "%20");
            let (more, hits) = ask_everything(&edition, &path);
            asked += more;
            found.extend(hits.into_iter().map(|hit| format!("{}: {hit}", folder.0)));
        }
        for status in [400, 408, 413, 414, 429, 431, 500, 503] {
            let refused = refuse(
                &edition,
                &Request::new(()),
                StatusCode::from_u16(status).unwrap(),
            );
            found.extend(hits(
                &format!("{}: {status}", folder.0),
                &refused.into_body().to_bytes(),
            ));
        }
    }
    // Each place is reported once, not for every way of asking.
    let mut told = BTreeSet::new();
    found.retain(|hit| told.insert(hit.split_once('…').map(|(_, around)| around.to_owned())));
    assert!(
        found.is_empty(),
        "{} hits in {asked} answers:\n{}",
        found.len(),
        found.join("\n")
    );
    assert!(asked > 20_000, "only {asked} answers were asked for");
}

#[test]
fn no_export_holds_the_word() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let dir = tempfile::tempdir().unwrap();
        let (site, public) = (dir.path().join("site"), dir.path().join("public"));
        put(folder, &site);
        let output = build(&site, &public, &["--compress"]);
        assert!(
            output.status.success(),
            "{}: {}",
            folder.0,
            String::from_utf8_lossy(&output.stderr)
        );
        let files = files(&public);
        assert!(files.len() > 10, "{}: {} files", folder.0, files.len());
        for (path, bytes) in &files {
            let place = format!("{}: {path}", folder.0);
            found.extend(hits(&place, path.as_bytes()));
            let coding = [(".gz", "gzip"), (".br", "br"), (".zst", "zstd")]
                .iter()
                .find(|(suffix, _)| path.ends_with(suffix));
            found.extend(hits(
                &place,
                &decoded(coding.map_or("", |(_, coding)| coding), bytes),
            ));
        }
    }
    assert!(
        found.is_empty(),
        "{} hits:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// The search itself finds what is there: a published article with the word is reported in every
/// form and coding.
#[test]
fn the_word_is_found_where_it_is() {
    let dir = tempfile::tempdir().unwrap();
    put(
        &Folder(
            "open",
            &[("articles/open.md", "# Open\n\nThe Canarybird sings.\n")],
        ),
        dir.path(),
    );
    let edition = edition(dir.path());
    let (asked, found) = ask_everything(&edition, "/articles/open.html");
    assert_eq!(asked, 4 * 4 * 4 * 4);
    for place in [
        "(text/markdown, identity, x-none) 200",
        "(*/*, identity, range) 206",
    ] {
        assert!(
            found.iter().any(|hit| hit.contains(place)),
            "{place}: {found:#?}"
        );
    }
    let long =
        "The Canarybird sings, and nobody knows for how long it has been singing. ".repeat(40);
    fs::write(
        dir.path().join("articles/open.md"),
        format!("# Open\n\n{long}\n"),
    )
    .unwrap();
    let (_, found) = ask_everything(&self::edition(dir.path()), "/articles/open.md");
    for coding in ["gzip", "br", "zstd"] {
        assert!(
            found
                .iter()
                .any(|hit| hit.contains(&format!("(*/*, {coding}, x-none) 200"))),
            "{coding}"
        );
    }
}
