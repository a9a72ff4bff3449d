//! Folders of hostile authors, opened in Chromium: none of their scripts runs, no service worker is
//! registered, and no request is sent to an address that the source does not embed. Every kind of
//! folder, sanitised and not; every page, and every file by itself.
//!
//! Controls show that the step would detect a failure: the same vectors from a careless server, and
//! the same files with a setting that lets them run.

mod folder;
#[path = "../../../../crates/diglot/tests/hostile/vectors.rs"]
mod vectors;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use diglot_content::settings::DIALECTS;
use serde::{Deserialize, Serialize};

use crate::server::{self, Server};
use crate::wire;
use folder::{Author, FILES, MARK, THEME};
use xtask::shell::{root, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// Drives a browser without downloading one.
const NPM: &[&str] = &["playwright-core@1.65.1"];
/// Hosts of which the vectors embed pictures, videos and frames: by address, or by a generator's
/// tag for a player. The last is the site's own.
const EMBEDS: &[&str] = &[
    "embed.example",
    "evil.example",
    "example.org",
    "player.example",
    "player.vimeo.com",
    "www.youtube-nocookie.com",
    "published.example",
];
/// The published address of the sites: not the host that serves them here.
const BASE: &str = "https://published.example";
/// How many vectors at least run in an unprotected browser.
const FIRE: usize = 40;
/// How many findings are listed.
const NAMED: usize = 60;

/// A site, as described to the browser script.
#[derive(Serialize)]
struct Site {
    name: String,
    origin: String,
    pages: Vec<String>,
    files: Vec<String>,
    /// How many scripts its theme has.
    scripts: usize,
}

/// The input of the browser script.
#[derive(Serialize)]
struct Told {
    mark: &'static str,
    theme: &'static str,
    embeds: &'static [&'static str],
    sites: Vec<Site>,
    control: Vec<String>,
    trusted: Site,
}

/// The output of the browser script.
#[derive(Deserialize)]
struct Report {
    version: String,
    opened: usize,
    requests: usize,
    control: usize,
    stripped: Unguarded,
    trusted: Unguarded,
    found: Vec<String>,
}

/// The scripts of an author's files that ran without the policy, or with that of the setting.
#[derive(Deserialize)]
struct Unguarded {
    ran: usize,
    worker: bool,
}

/// The step. `DIGLOT_BROWSER=hugo,html` limits it to these kinds of folders.
pub fn run() -> Outcome {
    tools::debian(&["chromium"], &["chromium"])?;
    let npm = tools::npm("browser-npm", NPM)?;
    let binary = server::build()?;
    let place = scratch("browser")?;
    let mut served = Vec::new();
    let mut serve = |author: &Author| -> Result<Site, String> {
        let (server, site) = publish(&binary, &place, author)?;
        served.push(server);
        Ok(site)
    };
    let mut sites = Vec::new();
    let wanted = std::env::var("DIGLOT_BROWSER").unwrap_or_default();
    let kinds = DIALECTS
        .into_iter()
        .chain(["html"])
        .filter(|kind| wanted.is_empty() || wanted.split(',').any(|one| one == *kind));
    for kind in kinds {
        for sanitize in [false, true] {
            let theme = kind == "plain";
            sites.push(serve(&Author {
                kind,
                sanitize,
                theme,
                trusted: false,
            })?);
        }
    }
    let trusted = serve(&Author {
        kind: "plain",
        sanitize: false,
        theme: false,
        trusted: true,
    })?;
    let count = sites.len();
    let control = vectors::MARKUP
        .iter()
        .map(|vector| folder::armed(vector))
        .collect();
    let report = open(
        &npm,
        &Told {
            mark: MARK,
            theme: THEME,
            embeds: EMBEDS,
            sites,
            control,
            trusted,
        },
    )?;
    judge(&report, count)
}

fn judge(report: &Report, sites: usize) -> Outcome {
    let Report {
        version,
        opened,
        requests,
        control,
        stripped,
        trusted,
        found,
    } = report;
    found.iter().take(NAMED).for_each(|line| println!("{line}"));
    let proof = format!(
        "{control} vectors, {} files and {} service worker run without the policy",
        stripped.ran,
        usize::from(stripped.worker)
    );
    if *control < FIRE || stripped.ran == 0 || !stripped.worker || trusted.ran == 0 {
        return Err(format!(
            "the browser does not see what runs: {proof}, {} files with the setting",
            trusted.ran
        ));
    }
    if found.is_empty() {
        return Ok(Done::Passed(format!(
            "{opened} pages and files of {sites} folders, {requests} requests, Chromium {version}; {proof}"
        )));
    }
    Err(format!("{} things ran or were asked for", found.len()))
}

/// Writes and serves an author's folder, and lists what to open.
fn publish(binary: &Path, place: &Path, author: &Author) -> Result<(Server, Site), String> {
    let path: PathBuf = place.join(author.name());
    let articles = folder::write(&path, author)?;
    let server = Server::for_address(binary, &path, BASE)?;
    let sitemap = wire::ask("GET", &server.authority, "/sitemap.xml", &[])
        .map_err(|error| error.to_string())?;
    let sitemap = String::from_utf8_lossy(&sitemap.body).into_owned();
    let locations = sitemap
        .split("<loc>")
        .skip(1)
        .filter_map(|rest| rest.split("</loc>").next());
    let mut pages: Vec<String> = locations
        .filter_map(|url| url.strip_prefix(BASE))
        .map(|path| path.replace("&amp;", "&"))
        .collect();
    pages.push("/404.html".to_owned());
    let files: Vec<String> = FILES
        .iter()
        .map(|(name, _)| format!("/articles/assets/{name}"))
        .chain(["/rss.xml".to_owned()])
        .collect();
    let there = |path: &String| {
        wire::ask("GET", &server.authority, path, &[]).is_ok_and(|answer| answer.status == 200)
    };
    let files: Vec<String> = files.into_iter().filter(there).collect();
    if pages.len() < articles || files.len() < FILES.len() / 2 {
        return Err(format!(
            "{}: of {articles} articles {} pages are there, of {} files {}",
            author.name(),
            pages.len(),
            FILES.len(),
            files.len()
        ));
    }
    if there(&"/_/x.js".to_owned()) {
        return Err(format!(
            "{}: an author's file is below `/_/`",
            author.name()
        ));
    }
    let origin = format!("http://{}", server.authority);
    Ok((
        server,
        Site {
            name: author.name(),
            origin,
            pages,
            files,
            scripts: usize::from(author.theme),
        },
    ))
}

fn open(npm: &Path, told: &Told) -> Result<Report, String> {
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/browser/open.mjs"))
        .env("JUDGE_NPM", npm);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot run node: {error}"))?;
    let told = serde_json::to_vec(told).map_err(|error| error.to_string())?;
    child
        .stdin
        .take()
        .ok_or("node has no input")?
        .write_all(&told)
        .map_err(|error| format!("node does not read: {error}"))?;
    let output = child
        .wait_with_output()
        .map_err(|error| format!("node was lost: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "the browser could not open the sites: {}",
            output.status
        ));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the browser's report cannot be read: {error}"))
}
