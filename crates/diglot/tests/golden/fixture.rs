//! A folder of the tests, read, built and exported as the binary does it, but at a fixed moment and
//! with fixed dates.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use diglot::dates::{DateSource, Facts};
use diglot::export::Export;
use diglot::limits::Limits;
use diglot_content::settings::{FILE, Settings};
use diglot_content::sources::{ChangeOrigin, FileDates};
use diglot_content::{BaseUrl, Library, Problem, Sources};
use diglot_edition::theme::Theme;
use diglot_edition::{Edition, hosts, policy};
use jiff::Timestamp;

use super::expected::{self, Files};
use crate::support::tree;

/// The moment at which a site is built.
const NOW: &str = "2026-01-01T00:00:00Z";
/// When every file is said to have changed last.
const CHANGED: &str = "2025-06-01T12:00:00Z";

/// Files that are nearly the same for every kind of folder. The tree of the site has them as text.
/// The others have their digests: otherwise they would be three times as large.
const ALIKE: &[&str] = &[
    "site/.diglot-hosts/Caddyfile",
    "site/.diglot-hosts/cloudflare/.diglot-assetsignore",
    "site/.diglot-hosts/cloudflare/_headers",
    "site/.diglot-hosts/nginx-http.conf",
    "site/.diglot-hosts/nginx-server.conf",
    "site/.diglot-wrangler.jsonc",
    "site/.htaccess",
    "site/.well-known/api-catalog",
    "site/404.html",
    "site/404.md",
    "site/_headers",
    "site/api.html",
    "site/api.md",
    "site/openapi.json",
    "site/robots.txt",
    "site/terms.html",
    "site/terms.md",
];

/// A folder, and the place of its expected tree.
pub struct Fixture {
    pub name: String,
    folder: PathBuf,
    pub expected: PathBuf,
    /// The files of which the tree has only length and digest, beside those that are not texts.
    alike: &'static [&'static str],
    /// Whether codings are written as well: for one folder, since they follow from the bytes.
    compress: bool,
}

/// A folder and what its build gave, made once for all tests.
pub struct Made {
    pub fixture: Fixture,
    /// The export below `site/`; then header fields, redirects, problems and report as one text
    /// each.
    pub output: Files,
}

/// All folders.
pub static ALL: LazyLock<Vec<Made>> = LazyLock::new(|| {
    let fixtures = std::iter::once(Fixture::site()).chain(Fixture::kinds());
    fixtures
        .map(|fixture| Made {
            output: fixture.output(),
            fixture,
        })
        .collect()
});

impl Made {
    /// How the output differs from the tree that is expected.
    pub fn difference(&self) -> Option<String> {
        let Fixture {
            name,
            expected,
            alike,
            ..
        } = &self.fixture;
        expected::difference(expected, &self.output, alike)
            .map(|wrong| format!("== {name}\n{wrong}"))
    }

    /// The exported files by their paths on the site.
    pub fn published(&self) -> Files {
        self.output
            .iter()
            .filter_map(|(path, bytes)| {
                Some((path.strip_prefix("site/")?.to_owned(), bytes.clone()))
            })
            .collect()
    }
}

/// A folder of the tests.
fn tests(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(path)
}

/// The place of the expected trees of the kinds of folders.
pub fn expected_of_kinds() -> PathBuf {
    tests("golden/folders")
}

/// Says of every file that it changed on the same day.
struct OneDay;

impl DateSource for OneDay {
    fn dates(&mut self, _: &Facts<'_>) -> Option<FileDates> {
        Some(FileDates {
            created: None,
            changed: CHANGED.parse().unwrap(),
            origin: ChangeOrigin::Remembered,
        })
    }
}

impl Fixture {
    /// The site with every kind of article.
    fn site() -> Self {
        Self {
            name: "site".to_owned(),
            folder: tests("golden/site"),
            expected: tests("golden/expected"),
            alike: &[],
            compress: true,
        }
    }

    /// The folders of all kinds, by name.
    fn kinds() -> Vec<Self> {
        let mut names: Vec<String> = fs::read_dir(tests("folders"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let kind = |name: String| {
            let (folder, expected) = (
                tests("folders").join(&name),
                expected_of_kinds().join(&name),
            );
            Self {
                name,
                folder,
                expected,
                alike: ALIKE,
                compress: false,
            }
        };
        names.into_iter().map(kind).collect()
    }

    fn sources(&self) -> Sources {
        diglot::read::folder(
            &self.folder,
            &mut [&mut OneDay],
            &Limits::default(),
            NOW.parse().unwrap(),
        )
        .unwrap()
    }

    /// What the folder holds, and every public byte of it.
    fn build(&self) -> (Library, Edition) {
        let sources = self.sources();
        let given = sources.files.iter().find(|file| &*file.path == FILE);
        let given =
            given.map(|file| Settings::parse(std::str::from_utf8(&file.bytes).unwrap(), FILE));
        let (given, problems) = given.unwrap_or_default();
        assert_eq!(problems, [], "{}", self.name);
        let given =
            diglot_content::dialects::settings(&sources, given.dialect.as_deref()).overlay(given);
        let site = Arc::new(
            given
                .into_site(&self.name, BaseUrl::parse("https://example.org").unwrap())
                .unwrap(),
        );
        let now: Timestamp = NOW.parse().unwrap();
        let library = Library::build(&sources, &site, now);
        let edition = Edition::build(&library, site, &Theme::new(&[]).unwrap(), now).unwrap();
        (library, edition)
    }

    /// The export below `site/`; then header fields, redirects, problems and report as one text
    /// each.
    fn output(&self) -> Files {
        let (library, edition) = self.build();
        let (hosts, host_problems) = hosts::files(&edition);
        let (files, export_problems) = export(&edition, hosts, self.compress);
        let mut output: Files = files
            .into_iter()
            .map(|(path, bytes)| (format!("site/{path}"), bytes))
            .collect();
        let problems: Vec<&Problem> = edition
            .problems
            .iter()
            .chain(&host_problems)
            .chain(&export_problems)
            .collect();
        let report = format!(
            "{}\n",
            serde_json::to_string_pretty(&library.report).unwrap()
        );
        for (name, text) in [
            ("headers.txt", headers(&edition)),
            ("redirects.txt", redirects(&edition)),
            ("problems.txt", lines(&problems)),
            ("report.json", report),
        ] {
            output.insert(name.to_owned(), text.into_bytes());
        }
        output
    }
}

/// Writes the edition to the disk and reads it back.
fn export(edition: &Edition, hosts: Vec<hosts::HostFile>, compress: bool) -> (Files, Vec<Problem>) {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    let mut export = Export::to(&target, Path::new("/nowhere/at/all")).unwrap();
    export.compress = compress;
    let written = export
        .write(
            edition,
            hosts.into_iter().map(|file| (file.path, file.text)),
            &|_| {},
        )
        .unwrap();
    (tree::files(&target), written.problems)
}

fn headers(edition: &Edition) -> String {
    let mut text = String::new();
    for resource in &edition.resources {
        let route = &resource.route;
        writeln!(
            text,
            "{}\n  {}\n  {}",
            resource.path,
            route.kind_name(),
            route.media_type()
        )
        .unwrap();
        writeln!(
            text,
            "  {}\n  {}",
            policy::cache_control(route, &edition.site),
            policy::vary(route)
        )
        .unwrap();
        writeln!(
            text,
            "  {}\n  {}",
            resource.modified,
            resource.link_text().unwrap_or("no link")
        )
        .unwrap();
    }
    text
}

fn redirects(edition: &Edition) -> String {
    let moved = edition
        .redirects()
        .map(|(old, new)| format!("301 {old} {new}\n"));
    let gone = edition.expired().map(|stem| format!("410 {stem}\n"));
    moved.chain(gone).collect()
}

fn lines(problems: &[&Problem]) -> String {
    problems
        .iter()
        .map(|problem| format!("{problem}\n"))
        .collect()
}
