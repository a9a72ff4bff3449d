//! Caches told exactly: after an edit, `diglot publish` has nginx, Varnish and Cloudflare's interface
//! forget what changed, and nothing else.

mod cloudflare;
mod fronts;
mod site;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::server::{self, Server, free_port};
use crate::wire::{self, Answer, Connection};
use fronts::Kind;
use site::Site;
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// The articles of the site: some 10,000 addresses with both forms and what leads to them.
const ARTICLES: usize = 1_400;
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const AGENT: &str = "text/markdown, text/html;q=0.9";

/// The step.
pub fn run() -> Outcome {
    tools::debian(
        &["nginx-light", "varnish", "curl"],
        &["nginx", "varnishd", "curl"],
    )?;
    let binary = server::build()?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        let found = one(&binary, kind).map_err(|error| format!("{}: {error}", kind.name()))?;
        rows.push(found.row(kind));
        failures.extend(found.failures(kind));
    }
    let columns = [
        "cache",
        "addresses",
        "hits before",
        "purged",
        "stale",
        "asked again",
        "markdown",
    ];
    print!("{}", table(&columns, &rows));
    failures.extend(cloudflare::run(&binary)?);
    match failures.is_empty() {
        true => Ok(Done::Passed(
            "nginx, Varnish, Cloudflare's interface".into(),
        )),
        false => Err(failures.join("\n")),
    }
}

/// What was seen through one cache.
#[derive(Debug, Default)]
struct Found {
    addresses: usize,
    /// Answers from the cache before the edit, when everything was asked a second time.
    hits: usize,
    purged: usize,
    /// Addresses with an older answer than the origin's, after the purge.
    stale: Vec<String>,
    /// Requests that reached the origin after the purge.
    asked: usize,
    /// Addresses at which a browser got Markdown.
    markdown: Vec<String>,
}

impl Found {
    fn row(&self, kind: Kind) -> Vec<String> {
        let numbers = [
            self.addresses,
            self.hits,
            self.purged,
            self.stale.len(),
            self.asked,
            self.markdown.len(),
        ];
        let numbers = numbers.map(|number| number.to_string());
        [vec![kind.name().to_owned()], numbers.to_vec()].concat()
    }

    fn failures(&self, kind: Kind) -> Vec<String> {
        let mut failures = Vec::new();
        let mut check = |holds: bool, what: String| {
            if !holds {
                failures.push(format!("{}: {what}", kind.name()));
            }
        };
        check(
            self.addresses > 8_000,
            format!("only {} addresses", self.addresses),
        );
        check(
            self.hits * 10 > self.addresses * 9,
            format!("only {} of {} were cached", self.hits, self.addresses),
        );
        check(self.stale.is_empty(), format!("stale: {:?}", self.stale));
        check(
            self.markdown.is_empty(),
            format!("Markdown: {:?}", self.markdown),
        );
        check(
            self.asked <= self.purged && self.purged * 4 < self.addresses,
            format!(
                "{} asked again, {} purged of {}",
                self.asked, self.purged, self.addresses
            ),
        );
        failures
    }
}

/// One cache in front of a server, an edit, and a purge by `publish`.
fn one(binary: &Path, kind: Kind) -> Result<Found, String> {
    let work = scratch("purge")?;
    let place = format!("127.0.0.1:{}", free_port()?);
    let site = Site::new(&work, &format!("http://{place}"), ARTICLES)?;
    let all = site.purged(binary, &["--dry-run", "--json", "--purge-command", "true"])?;
    site.publish(binary, &[])?;
    let origin = Origin::start(binary, &site)?;
    let _front = kind.start(&work, &place, &origin.server.authority)?;
    let mut asked: BTreeSet<String> = all.iter().map(|url| site.path(url)).collect();
    asked.extend(site.added().map(str::to_owned));
    read(&place, &asked, BROWSER)?;
    let mut found = Found {
        addresses: asked.len(),
        hits: read(&place, &asked, BROWSER)?
            .values()
            .filter(|answer| is_hit(answer))
            .count(),
        ..Found::default()
    };
    read(&place, &asked, AGENT)?;
    site.edit()?;
    let purged = site.purged(binary, &["--dry-run", "--json", "--purge-command", "true"])?;
    found.purged = purged.len();
    let wait = format!("http://{}", origin.server.authority);
    let told = kind.command(&work, &place);
    site.publish(binary, &["--purge-wait", &wait, "--purge-command", &told])?;
    asked.extend(purged.iter().map(|url| site.path(url)));
    let truth = read(&origin.server.authority, &asked, BROWSER)?;
    let before = origin.requests()?;
    let answers = read(&place, &asked, BROWSER)?;
    found.asked = origin.requests()? - before;
    for (path, answer) in &answers {
        if truth.get(path).map(told_apart) != Some(told_apart(answer)) {
            found.stale.push(path.clone());
        }
        let media = answer.header("content-type").unwrap_or_default();
        if media.starts_with("text/markdown") && !path.ends_with(".md") && !path.ends_with(".md/") {
            found.markdown.push(path.clone());
        }
    }
    Ok(found)
}

/// By what an answer differs from another: its status, its validator without the coding, and where
/// it leads.
fn told_apart(answer: &Answer) -> (u16, String, Option<String>) {
    let tag = answer.header("etag").unwrap_or_default();
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let digest: String = tag.chars().take(32).collect();
    (answer.status, digest, answer.header("location"))
}

fn is_hit(answer: &Answer) -> bool {
    let said = answer.header("x-cache");
    said.is_some_and(|said| said.starts_with("HIT"))
}

/// The answers to every path, over one connection.
fn read(
    authority: &str,
    paths: &BTreeSet<String>,
    accept: &str,
) -> Result<BTreeMap<String, Answer>, String> {
    let connect = || Connection::to(authority).map_err(|error| format!("{authority}: {error}"));
    let mut connection = connect()?;
    let host = authority.to_owned();
    let fields = [
        ("Host", host.as_str()),
        ("Accept", accept),
        ("Accept-Encoding", "gzip"),
    ];
    let mut answers = BTreeMap::new();
    for path in paths {
        let answer = match connection.ask("GET", path, fields) {
            Ok(answer) => answer,
            // A server may close a connection after some requests.
            Err(_) => {
                connection = connect()?;
                let again = connection.ask("GET", path, fields);
                again.map_err(|error| format!("http://{authority}{path}: {error}"))?
            }
        };
        let bodiless = Answer {
            body: Vec::new(),
            ..answer
        };
        answers.insert(path.clone(), bodiless);
    }
    Ok(answers)
}

/// The server behind the cache, with its metrics.
struct Origin {
    server: Server,
    admin: String,
}

impl Origin {
    fn start(binary: &Path, site: &Site) -> Result<Self, String> {
        let (authority, admin) = (
            format!("127.0.0.1:{}", free_port()?),
            format!("127.0.0.1:{}", free_port()?),
        );
        let mut command = Command::new(binary);
        command.arg("serve").arg(&site.folder).args([
            "--listen",
            &authority,
            "--admin",
            &admin,
            "--base-url",
            &site.base,
            "--no-state",
        ]);
        Ok(Self {
            server: Server::start(&mut command, authority, "/")?,
            admin,
        })
    }

    /// How many requests it has answered.
    fn requests(&self) -> Result<usize, String> {
        let text = wire::ask("GET", &self.admin, "/metrics", &[])?.body;
        let text = String::from_utf8_lossy(&text).into_owned();
        let counts = text
            .lines()
            .filter(|line| line.starts_with("diglot_requests_total{"))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok());
        Ok(counts.sum())
    }
}

/// The standard output of a command as JSON.
fn json(command: &mut Command) -> Result<Value, String> {
    let text = shell::text(command)?;
    serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}\n{text}"))
}
