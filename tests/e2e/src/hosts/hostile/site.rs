//! One of the sites: what is written for hosts, and what they must answer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::{Edition, Theme, hosts};
use jiff::Timestamp;

use crate::hosts::compare::Verdict;
use crate::hosts::netlify;
use crate::wire::{self, Answer, Connection};

/// One site, in the configurations of all hosts.
pub struct Site {
    /// Its name and number.
    pub host: String,
    edition: Edition,
    pub root: PathBuf,
    pub conf: PathBuf,
}

impl Site {
    /// Builds the site and writes the published files and the files for hosts.
    pub fn write(
        work: &Path,
        number: usize,
        base: &str,
        files: &[(String, String)],
    ) -> Result<Self, String> {
        let edition = build(base, files)?;
        let host = format!("s{number}.test");
        let (root, conf) = (work.join("root").join(&host), work.join("conf").join(&host));
        let site = root.join(edition.site.base.path().trim_start_matches('/'));
        for resource in &edition.resources {
            write(
                &site.join(resource.path.trim_start_matches('/')),
                &resource.body.to_bytes(),
            )?;
        }
        for file in hosts::files(&edition).0 {
            let name = file.path.rsplit('/').next().unwrap_or_default().to_owned();
            let place = if file.path.starts_with(".diglot-hosts/cloudflare") {
                conf.join("cloudflare").join(name)
            } else {
                conf.join(name)
            };
            write(&place, file.text.as_bytes())?;
        }
        fs::copy(conf.join(".htaccess"), site.join(".htaccess"))
            .map_err(|error| error.to_string())?;
        Ok(Self {
            host,
            edition,
            root,
            conf,
        })
    }

    /// Requests the home page, a missing path, and every old address.
    pub fn ask(&self, authority: &str, verdict: &mut Verdict) -> Result<(), String> {
        let base = self.edition.site.base.path();
        let home = self.request(authority, &format!("{base}/"))?;
        self.expect(
            verdict,
            home.status == 200,
            "/",
            "200",
            &home.status.to_string(),
        );
        let vary = home.header("vary").unwrap_or_default().replace(' ', "");
        self.expect(
            verdict,
            vary == "Accept,Accept-Encoding",
            "/",
            "Vary: Accept, Accept-Encoding",
            &vary,
        );
        let nowhere = self.request(authority, &format!("{base}/no-such-page"))?;
        self.expect(
            verdict,
            nowhere.status == 404,
            "/no-such-page",
            "404",
            &nowhere.status.to_string(),
        );
        // A path that the server maps to another one cannot be requested.
        for (old, to) in self
            .edition
            .redirects()
            .filter(|(old, _)| !old.contains("//"))
        {
            let answer = self.request(authority, &format!("{base}{old}"))?;
            let location = answer.header("location").unwrap_or_default();
            let own = [
                format!("http://{}", self.host),
                format!("http://{authority}"),
            ];
            let location = own
                .iter()
                .find_map(|own| location.strip_prefix(own).map(str::to_owned))
                .unwrap_or(location);
            let same = answer.status == 301
                && wire::decode(&without_empty_query(&location))
                    == wire::decode(&without_empty_query(&to));
            self.expect(
                verdict,
                same,
                old,
                &format!("301 to {to}"),
                &format!("{} to {location}", answer.status),
            );
            self.plain(verdict, old, &answer);
        }
        self.plain(verdict, "/", &home);
        self.plain(verdict, "/no-such-page", &nowhere);
        Ok(())
    }

    fn request(&self, authority: &str, path: &str) -> Result<Answer, String> {
        let fields = [("Host", self.host.as_str()), ("Connection", "close")];
        let answer = Connection::to(authority)
            .and_then(|mut connection| connection.ask("GET", &wire::encode(path), fields));
        answer.map_err(|error| format!("{}{path}: {error}", self.host))
    }

    /// Checks that no answer has an unintended field.
    fn plain(&self, verdict: &mut Verdict, path: &str, answer: &Answer) {
        let known = |name: &str| KNOWN.contains(&name);
        let foreign: Vec<&str> = answer
            .headers
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !known(name))
            .collect();
        self.expect(
            verdict,
            foreign.is_empty(),
            path,
            "no other fields",
            &foreign.join(", "),
        );
    }

    /// Checks that Netlify's parsers read the intended rules from both files.
    pub fn read_by_netlify(&self, npm: &Path, verdict: &mut Verdict) -> Result<(), String> {
        let read = netlify::read(npm, &self.conf, &[])?;
        self.expect(
            verdict,
            read.errors.is_empty(),
            "_headers, _redirects",
            "no errors",
            &read.errors.join("; "),
        );
        let base = encoded_base(&self.edition);
        let meant: BTreeSet<(String, String)> = self
            .edition
            .redirects()
            .map(|(old, to)| {
                (
                    format!("{base}{}", diglot_content::encoding::encode_path(old)),
                    to,
                )
            })
            .collect();
        let said = read
            .redirects
            .iter()
            .filter(|redirect| redirect.status == 301);
        let foreign: Vec<String> = said
            .clone()
            .filter(|redirect| !meant.contains(&(redirect.from.clone(), redirect.to.clone())))
            .map(|redirect| redirect.from.clone())
            .collect();
        self.expect(
            verdict,
            foreign.is_empty(),
            "_redirects",
            "the redirects that were meant",
            &foreign.join(", "),
        );
        let lines =
            fs::read_to_string(self.conf.join("_redirects")).map_err(|error| error.to_string())?;
        let lines = lines.lines().filter(|line| line.ends_with(" 301")).count();
        self.expect(
            verdict,
            said.clone().count() == lines,
            "_redirects",
            &format!("{lines} redirects"),
            &said.count().to_string(),
        );
        Ok(())
    }

    fn expect(&self, verdict: &mut Verdict, holds: bool, place: &str, expected: &str, came: &str) {
        verdict.cases += 1;
        if !holds {
            let base = &self.edition.site.base;
            verdict.failures.push(format!(
                "{} at {base}: {}\n  expected: {expected}\n  came:     {came}",
                self.host,
                place.escape_debug()
            ));
        }
    }
}

/// Fields that a host's answer may have.
const KNOWN: &[&str] = &[
    "accept-ranges",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "allow",
    "alt-svc",
    "cache-control",
    "connection",
    "content-disposition",
    "content-length",
    "content-location",
    "content-security-policy",
    "content-signal",
    "content-type",
    "content-usage",
    "date",
    "etag",
    "keep-alive",
    "last-modified",
    "link",
    "location",
    "referrer-policy",
    "server",
    "transfer-encoding",
    "vary",
    "via",
    "x-content-type-options",
];

/// Apache omits a `?` with nothing after it.
fn without_empty_query(url: &str) -> String {
    url.replace("?#", "#").trim_end_matches('?').to_owned()
}

fn encoded_base(edition: &Edition) -> String {
    diglot_content::encoding::encode_path(edition.site.base.path())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let made = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes));
    made.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn build(base: &str, files: &[(String, String)]) -> Result<Edition, String> {
    let now: Timestamp = "2027-01-01T00:00:00Z"
        .parse()
        .map_err(|error| format!("{error}"))?;
    let dates = FileDates {
        created: None,
        changed: now,
        origin: ChangeOrigin::Remembered,
    };
    let named = files.iter().filter(|(path, _)| {
        !path.contains(['\0'])
            && !path
                .split('/')
                .any(|part| matches!(part, "" | "." | "..") || part.len() > 200)
    });
    let source = |(path, text): &(String, String)| SourceFile {
        path: path.as_str().into(),
        bytes: text.clone().into(),
        dates,
    };
    let mut files: Vec<SourceFile> = named.map(source).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup_by(|later, first| later.path == first.path);
    let sources = Sources {
        name: "site".to_owned(),
        files,
        ..Sources::default()
    };
    let base = BaseUrl::parse(base).map_err(|why| format!("{base}: {why}"))?;
    let settings = diglot_content::dialects::settings(&sources, None);
    let site = Arc::new(
        settings
            .into_site("site", base)
            .map_err(|problems| format!("{problems:?}"))?,
    );
    let library = Library::build(&sources, &site, now);
    let theme = Theme::new(&[]).map_err(|problems| format!("{problems:?}"))?;
    Edition::build(&library, site, &theme, now).map_err(|problems| format!("{problems:?}"))
}
