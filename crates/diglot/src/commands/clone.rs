//! `diglot clone`: copies the Markdown forms of a live site into a folder, and keeps the copy
//! current.

mod manifest;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diglot_audit::listing;
use serde_json::{Value, json};

use self::manifest::{Journal, Manifest, Occupancy, Written};
use super::audit;
use crate::failure::{Failure, reason};
use crate::polite::{Cost, SiteClient, some_at_once};
use crate::sandbox;
use crate::{cli, terminal};

/// The most pages of a site.
const MOST_PAGES: usize = 500_000;
/// The product token of the `User-Agent`, and in `robots.txt`.
const TOKEN: &str = "diglot-clone";
/// What one run may cost.
const COST: Cost = Cost {
    slowest: Duration::from_secs(60),
    most_bytes: 4 << 30,
};
/// Problems that are printed.
const MOST_PROBLEMS: usize = 20;

pub(super) fn run(args: &cli::CloneSite) -> Result<(), Failure> {
    let begun = Instant::now();
    let place = prepare(args)?;
    let made = clone(args, &place.folder, begun);
    if made.is_err() {
        place.remove_empty();
    }
    match made?.problems.is_empty() {
        true => Ok(()),
        // The problems are already printed.
        false => Err(Failure::machine("")),
    }
}

fn clone(args: &cli::CloneSite, folder: &Path, begun: Instant) -> Result<Done, Failure> {
    let site = SiteClient::find(&args.url, TOKEN, COST).map_err(audit::failure)?;
    let mut manifest = Manifest::open(folder, &site.address().asked)?;
    let edition = edition(&site)?;
    let done = if edition == manifest.edition && is_whole(&manifest, folder) {
        Done {
            unchanged: manifest.files.len(),
            ..Done::default()
        }
    } else {
        copy(&site, folder, &mut manifest, &edition)?
    };
    tell(args, &done, &site, begun);
    Ok(done)
}

/// What was done.
#[derive(Debug, Default, PartialEq, Eq)]
struct Done {
    new: usize,
    changed: usize,
    unchanged: usize,
    removed: usize,
    problems: Vec<String>,
}

impl Done {
    /// `1 changed, 6 unchanged pages`; what did not happen is left out.
    fn words(&self) -> String {
        let counts = [
            (self.new, "new"),
            (self.changed, "changed"),
            (self.unchanged, "unchanged"),
            (self.removed, "removed"),
        ];
        let all: usize = counts.iter().map(|(count, _)| count).sum();
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counts
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        match all {
            0 => "no pages".to_owned(),
            1 => format!("{} page", words.join(", ")),
            _ => format!("{} pages", words.join(", ")),
        }
    }
}

/// The folder of the copy.
struct Target {
    folder: PathBuf,
    /// The folder above those that were made for it, if there were none.
    above: Option<PathBuf>,
}

impl Target {
    /// Removes the folders that were made, as far as they are empty.
    fn remove_empty(&self) {
        let Some(above) = &self.above else { return };
        let made = self.folder.ancestors();
        let made = made.take_while(|made| *made != above && made.starts_with(above));
        for folder in made {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// Makes the folder, and gives up all rights but to write it and to connect.
fn prepare(args: &cli::CloneSite) -> Result<Target, Failure> {
    let failure = |error| {
        Failure::path("write", &args.folder, &error)
            .hint("after the address, name a folder that you can write to")
    };
    let wanted = std::path::absolute(&args.folder).map_err(failure)?;
    let above = wanted.ancestors().skip(1).find(|above| above.exists());
    let above = above.filter(|_| !wanted.exists()).map(Path::canonicalize);
    let above = above.transpose().map_err(failure)?;
    fs::create_dir_all(&args.folder).map_err(failure)?;
    let folder = args.folder.canonicalize().map_err(failure)?;
    if !args.no_sandbox {
        let mut needs = sandbox::to_connect(&args.url);
        needs.write.push(folder.clone());
        needs.remove_empty.extend(above.clone());
        sandbox::confine(&needs);
    }
    Ok(Target { folder, above })
}

fn cannot(path: &str, why: &str) -> Failure {
    Failure::machine(format!("cannot read `{path}` of the site: {why}"))
}

/// The id of the site's edition.
fn edition(site: &SiteClient) -> Result<String, Failure> {
    let path = "/status.json";
    let answer = site.get(path, "").map_err(|why| cannot(path, &why))?;
    let status: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let id = status["releaseId"]
        .as_str()
        .filter(|_| answer.status == 200);
    id.map(str::to_owned).ok_or_else(|| {
        let url = &site.address().asked;
        Failure::machine(format!(
            "`{}` is not the status of a site that Diglot made",
            site.address().url(path)
        ))
        .hint(format!(
            "give the address of the home page; `diglot audit {url}` says what the site lacks"
        ))
    })
}

/// Whether every file is as it was written.
fn is_whole(manifest: &Manifest, folder: &Path) -> bool {
    let is_ours = |name: &String| matches!(manifest.place(folder, name), Ok(Occupancy::Ours));
    !manifest.files.is_empty() && manifest.files.keys().all(is_ours)
}

/// Fetches what is new or changed, and removes what is gone.
fn copy(
    site: &SiteClient,
    folder: &Path,
    manifest: &mut Manifest,
    edition: &str,
) -> Result<Done, Failure> {
    let mut done = Done::default();
    let pages = pages(site, &mut done.problems)?;
    // Until this run is complete.
    manifest.edition.clear();
    manifest.save(folder)?;
    let journal = Journal::begin(folder)?;
    let wanted: Vec<(&String, &String)> = pages.iter().collect();
    let outcomes = some_at_once(&wanted, |(name, path)| {
        let page = (name.as_str(), path.as_str());
        fetch_one(site, folder, manifest, page, &journal)
    });
    for ((name, _), outcome) in wanted.into_iter().zip(outcomes) {
        match outcome {
            Outcome::New(written) => {
                done.new += 1;
                manifest.files.insert(name.clone(), written);
            }
            Outcome::Changed(written) => {
                done.changed += 1;
                manifest.files.insert(name.clone(), written);
            }
            Outcome::Same(written) => {
                done.unchanged += 1;
                manifest
                    .files
                    .extend(written.map(|written| (name.clone(), written)));
            }
            Outcome::Failed(why) => done.problems.push(format!("`{name}`: {why}")),
        }
    }
    remove_gone(folder, manifest, &pages, &mut done);
    if done.problems.is_empty() {
        edition.clone_into(&mut manifest.edition);
    }
    manifest.save(folder)?;
    journal.end(folder);
    Ok(done)
}

/// Removes the pages that are gone from the site.
fn remove_gone(
    folder: &Path,
    manifest: &mut Manifest,
    pages: &BTreeMap<String, String>,
    done: &mut Done,
) {
    let gone: Vec<String> = manifest
        .files
        .keys()
        .filter(|name| !pages.contains_key(*name))
        .cloned()
        .collect();
    for name in gone {
        match manifest.place(folder, &name) {
            Ok(Occupancy::Ours) => match manifest::remove(folder, &name) {
                Ok(()) => done.removed += 1,
                Err(error) => done.problems.push(format!("`{name}`: {}", reason(&error))),
            },
            Ok(Occupancy::Free) => done.removed += 1,
            Ok(Occupancy::Foreign) | Err(_) => {
                let why = "it is gone from the site, but was edited here, and stays";
                done.problems.push(format!("`{name}`: {why}"));
            }
        }
        manifest.files.remove(&name);
    }
}

/// The paths of the pages on the site by their names in the folder.
fn pages(
    site: &SiteClient,
    problems: &mut Vec<String>,
) -> Result<BTreeMap<String, String>, Failure> {
    let path = "/sitemap.md";
    let answer = site.get(path, "").map_err(|why| cannot(path, &why))?;
    if answer.status != 200 {
        return Err(cannot(path, &format!("the answer is {}", answer.status)));
    }
    let listed = listing::read(&answer.text());
    if listed.is_empty() || listed.len() > MOST_PAGES {
        let count = terminal::counted(listed.len(), "page");
        return Err(cannot(path, &format!("it lists {count}")));
    }
    let (mut pages, mut small) = (BTreeMap::new(), BTreeMap::new());
    for listed in listed {
        let path = listed.path.strip_prefix(site.address().prefix());
        let (Some(path), Some(name)) = (path, path.and_then(listing::file)) else {
            let path = listed.path.replace(char::is_control, "\u{fffd}");
            problems.push(format!("`{path}`: it has no place in the folder"));
            continue;
        };
        // On many systems these are the same file.
        let other = small.insert(name.to_lowercase(), name.clone());
        if let Some(other) = other.filter(|other| *other != name) {
            let why = format!("its name differs from `{other}` in upper and lower case alone");
            problems.push(format!("`{name}`: {why}"));
            small.insert(name.to_lowercase(), other);
            continue;
        }
        pages.insert(name, path.to_owned());
    }
    Ok(pages)
}

/// What became of a page.
enum Outcome {
    New(Written),
    Changed(Written),
    /// The same bytes as before, perhaps with another entity tag.
    Same(Option<Written>),
    Failed(String),
}

fn fetch_one(
    site: &SiteClient,
    folder: &Path,
    manifest: &Manifest,
    (name, path): (&str, &str),
    journal: &Journal,
) -> Outcome {
    let place = match manifest.place(folder, name) {
        Ok(place) => place,
        Err(error) => return Outcome::Failed(reason(&error)),
    };
    let known = manifest
        .files
        .get(name)
        .filter(|_| place == Occupancy::Ours);
    let tag = known.map_or("", |known| &known.tag);
    let answer = match site.get(path, tag) {
        Ok(answer) => answer,
        Err(why) => return Outcome::Failed(why),
    };
    match answer.status {
        304 if known.is_some() => return Outcome::Same(None),
        200 if answer.media() == "text/markdown" => {}
        200 => return Outcome::Failed(format!("it is `{}`", answer.field("content-type"))),
        status => return Outcome::Failed(format!("the answer is {status}")),
    }
    let written = Written::new(path, answer.field("etag"), &answer.body);
    // Whoever wrote it.
    if written.is_at(folder, name) {
        return Outcome::Same(Some(written));
    }
    match manifest.write(folder, (name, &written), &answer.body, journal) {
        Ok(Occupancy::Ours) => Outcome::Changed(written),
        Ok(Occupancy::Free) => Outcome::New(written),
        Ok(Occupancy::Foreign) => Outcome::Failed(
            "it is kept: you edited it, or it is not from this site; delete it to copy the page"
                .to_owned(),
        ),
        Err(error) => Outcome::Failed(reason(&error)),
    }
}

/// Says what was done.
fn tell(args: &cli::CloneSite, done: &Done, site: &SiteClient, begun: Instant) {
    let (requests, bytes) = site.sent();
    if args.json {
        let json = json!({
            "new": done.new, "changed": done.changed, "unchanged": done.unchanged, "removed": done.removed,
            "problems": done.problems, "requests": requests, "bytes": bytes,
        });
        terminal::print(format!("{json:#}"));
        return;
    }
    for problem in done.problems.iter().take(MOST_PROBLEMS) {
        terminal::say(format!("warning: {problem}"));
    }
    let more = done.problems.len().saturating_sub(MOST_PROBLEMS);
    if more > 0 {
        terminal::say(format!(
            "warning: {more} more problems: `--json` prints all"
        ));
    }
    terminal::say(format!(
        "`{}`: {}, with {} in {}",
        args.folder.display(),
        done.words(),
        terminal::counted(usize::try_from(requests).unwrap_or(usize::MAX), "request"),
        terminal::seconds(begun.elapsed())
    ));
}
