//! What the owner's own generator builds, and what Diglot publishes from the same folder: the same
//! texts, titles, days and order, and every address of the generator answers. Run by hand: `cargo
//! xtask weekly peers`, or `cargo xtask folders --peers PATH...` for folders of any of these kinds.

mod generators;
mod site;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::links::Share;
use super::name;
use crate::server::{self, Server};
use generators::Generator;
use site::Page;
use xtask::shell::{root, scratch, text};
use xtask::step::{Done, Outcome};

/// The fixtures, a folder for each generator.
const FIXTURES: &str = "tests/e2e/peers";
/// A word of every fixture's texts that its generator does not publish.
const CANARY: &str = "CANARY";
/// Differences that are not resolved yet: the fixture, the beginning of the difference, the reason.
const KNOWN: [(&str, &str, &str); 0] = [];
/// How many differences of one folder are printed.
const MOST: usize = 40;

/// Every fixture.
pub fn everywhere() -> Outcome {
    let folders = generators::ALL.iter().map(|generator| {
        (
            generator.fixture.to_owned(),
            root().join(FIXTURES).join(generator.fixture),
        )
    });
    compare(&folders.collect::<Vec<_>>())
}

/// The folders at these paths; without paths, the fixtures.
pub fn run(paths: &[&str]) -> Outcome {
    if paths.is_empty() {
        return everywhere();
    }
    let folders = paths.iter().map(|path| {
        let place = Path::new(path)
            .canonicalize()
            .map_err(|error| format!("`{path}`: {error}"))?;
        Ok((name(path), place))
    });
    compare(&folders.collect::<Result<Vec<_>, String>>()?)
}

/// Prints one row a folder, in Markdown: docs/folders.md shows the table of the fixtures.
fn compare(folders: &[(String, PathBuf)]) -> Outcome {
    let binary = server::build()?;
    let (mut rows, mut failures, mut expected) = (Vec::new(), Vec::new(), 0);
    for (name, folder) in folders {
        match one(&binary, folder) {
            Ok((generator, comparison)) => {
                rows.push(format!(
                    "| {generator} | {} |",
                    comparison.cells().join(" | ")
                ));
                let (known, new): (Vec<_>, Vec<_>) = comparison
                    .differences
                    .iter()
                    .partition(|difference| reason(name, difference).is_some());
                expected += known.len();
                for difference in known {
                    let why = reason(name, difference).unwrap_or_default();
                    println!("{name}: {difference} (known: {why})");
                }
                for difference in new.iter().take(MOST) {
                    failures.push(format!("{name}: {difference}"));
                }
                if new.len() > MOST {
                    failures.push(format!("{name}: and {} more", new.len() - MOST));
                }
            }
            Err(why) => failures.push(format!("{name}: {why}")),
        }
    }
    println!(
        "| Built by | Pages | Only there | Only here | Addresses that lead to the same text | Titles | Days | Order |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(|row| println!("{row}"));
    if failures.is_empty() {
        let known = match expected {
            0 => String::new(),
            known => format!(" but {known} known ones"),
        };
        let folders = rows.len();
        Ok(Done::Passed(format!(
            "{folders} folders, no difference{known}"
        )))
    } else {
        Err(failures.join("\n"))
    }
}

/// Why a difference is known.
fn reason(name: &str, difference: &str) -> Option<&'static str> {
    let known = KNOWN
        .iter()
        .find(|(fixture, start, _)| *fixture == name && difference.starts_with(start));
    known.map(|(_, _, reason)| *reason)
}

/// Builds a fixture with its generator: a copy of the folder, and what was built of it.
///
/// # Errors
/// There is no such fixture, or it cannot be built.
pub fn built(fixture: &str) -> Result<(PathBuf, PathBuf), String> {
    let generator = generators::ALL.iter().find(|own| own.fixture == fixture);
    let generator = generator.ok_or_else(|| format!("no fixture is called `{fixture}`"))?;
    let folder = root().join(FIXTURES).join(fixture);
    let copies = scratch(&format!("moves-{fixture}"))?;
    let (copy, moved) = (copies.join("copy"), copies.join("moved"));
    for copy in [&copy, &moved] {
        text(Command::new("cp").arg("-r").arg(&folder).arg(copy))?;
    }
    let out = copies.join("out");
    generator.build(&copy, &out)?;
    Ok((moved, out))
}

/// Builds one folder with its generator, serves it with Diglot, and compares.
fn one(binary: &Path, folder: &Path) -> Result<(&'static str, Comparison), String> {
    let generator = Generator::detect(folder).ok_or("no generator of this kind is known here")?;
    let copy = scratch("peers")?.join("copy");
    text(Command::new("cp").arg("-r").arg(folder).arg(&copy))?;
    let out = scratch("peers-built")?.join("out");
    generator.build(&copy, &out)?;
    let server = Server::for_address(binary, folder, "https://example.org")?;
    Ok((
        generator.name,
        Comparison::new(&site::built(&out, generator.lists)?, &server)?,
    ))
}

/// How far two sites of one folder are the same.
#[derive(Debug, Default)]
struct Comparison {
    pages: usize,
    only_there: usize,
    only_here: usize,
    addresses: Share,
    titles: Share,
    days: Share,
    order: Share,
    differences: Vec<String>,
}

impl Comparison {
    fn new(built: &[Page], server: &Server) -> Result<Self, String> {
        let here = site::served(server)?;
        let mut comparison = Self::default();
        // The address here of each text there.
        let mut same: BTreeMap<&str, String> = BTreeMap::new();
        let (stubs, texts): (Vec<&Page>, Vec<&Page>) =
            built.iter().partition(|page| page.redirect.is_some());
        for page in texts.iter().filter(|page| !page.words.is_empty()) {
            // Some generators show their first text at the root as well; here that is the home page.
            let is_again = page.address == "/"
                && texts
                    .iter()
                    .any(|other| other.address != "/" && page.words == other.words);
            if is_again {
                continue;
            }
            if let Some(shown) = comparison.page(page, &here, server) {
                same.insert(&page.address, shown);
            }
        }
        for stub in stubs {
            let target = stub
                .redirect
                .as_deref()
                .and_then(|to| Some((to, same.get(to)?)));
            if let Some((to, wanted)) = target {
                let leads = site::shown(server, &stub.address)
                    .is_some_and(|shown| shown.address == *wanted);
                comparison.addresses.add(leads);
                comparison.differ(!leads, || {
                    format!("the old address `{}` does not lead to `{to}`", stub.address)
                });
            }
        }
        // The home page here leads to lists, and not to a next page.
        for page in texts.iter().filter(|page| page.address != "/") {
            comparison.follow(page, &same, server);
        }
        for extra in here
            .iter()
            .filter(|page| !same.values().any(|address| *address == page.address))
        {
            comparison.only_here += 1;
            comparison
                .differences
                .push(format!("only here: `{}`", extra.address));
        }
        for list in ["/llms-full.txt", "/sitemap.md", "/rss.xml"] {
            let leaks = crate::wire::ask("GET", &server.authority, list, &[])
                .is_ok_and(|answer| String::from_utf8_lossy(&answer.body).contains(CANARY));
            comparison.differ(leaks, || {
                format!("`{list}` holds a text that the generator does not publish")
            });
        }
        Ok(comparison)
    }

    /// Compares one page; the address of the same text here.
    fn page(&mut self, page: &Page, here: &[Page], server: &Server) -> Option<String> {
        let shown = site::shown(server, &page.address).filter(|shown| page.is_same(shown));
        let elsewhere = || {
            here.iter()
                .find(|other| page.title == other.title && page.is_same(other))
        };
        let leads = shown.is_some();
        let Some(found) = shown.or_else(|| elsewhere().cloned()) else {
            self.pages += 1;
            self.only_there += 1;
            self.differences
                .push(format!("only there: `{}` (`{}`)", page.address, page.title));
            return None;
        };
        self.pages += 1;
        self.addresses.add(leads);
        self.differ(!leads, || {
            format!("`{}` does not lead to `{}`", page.address, found.address)
        });
        self.titles.add(page.title == found.title);
        self.differ(page.title != found.title, || {
            format!(
                "the title of `{}` is `{}`, there it is `{}`",
                found.address, found.title, page.title
            )
        });
        if let Some(day) = &page.day {
            self.days.add(found.day.as_ref() == Some(day));
            self.differ(found.day.as_ref() != Some(day), || {
                format!(
                    "the day of `{}` is {:?}, there it is `{day}`",
                    found.address, found.day
                )
            });
        }
        Some(found.address)
    }

    /// Compares the page after a page.
    fn follow(&mut self, page: &Page, same: &BTreeMap<&str, String>, server: &Server) {
        let next = page.next.as_deref().and_then(|next| {
            same.get(next)
                .or_else(|| same.get(format!("{next}.html").as_str()))
                .or_else(|| same.get(format!("{next}/").as_str()))
        });
        if let (Some(here), Some(wanted)) = (same.get(page.address.as_str()), next) {
            // The page after a post of a blog is the older one there, and the newer one here.
            let is_post = page.address.contains("/blog/");
            let (here, wanted) = if is_post {
                (wanted, here)
            } else {
                (here, wanted)
            };
            let found = site::shown(server, here).and_then(|page| page.next);
            self.order.add(found.as_ref() == Some(wanted));
            self.differ(found.as_ref() != Some(wanted), || {
                format!("after `{here}` follows {found:?}, there it is `{wanted}`")
            });
        }
    }

    fn differ(&mut self, differs: bool, difference: impl FnOnce() -> String) {
        if differs {
            self.differences.push(difference());
        }
    }

    fn cells(&self) -> Vec<String> {
        let share = |share: Share| {
            if share.all == 0 {
                "–".to_owned()
            } else {
                format!("{} of {}", share.good, share.all)
            }
        };
        let counts = [self.pages, self.only_there, self.only_here].map(|count| count.to_string());
        counts
            .into_iter()
            .chain([self.addresses, self.titles, self.days, self.order].map(share))
            .collect()
    }
}
