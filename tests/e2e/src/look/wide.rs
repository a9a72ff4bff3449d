//! The pages of real folders: what must hold on any page, without a record of how they look.

use std::collections::BTreeMap;
use std::path::Path;

use super::subjects::Subject;
use super::{BASE, NAMED, browser, look};
use crate::server::{self, Server};
use crate::sites::{self, Folder};
use crate::wire;
use xtask::shell::scratch;
use xtask::step::{Done, Outcome};

/// The folders of real articles that are looked at.
const FOLDERS: [&str; 5] = [
    "18f-mini",
    "opensource-guide",
    "obsidian-vault",
    "react-docs",
    "eips",
];
/// Pages of every site.
const EVERYWHERE: [(&str, &str); 4] = [
    ("home", "/"),
    ("search", "/search.html"),
    ("results", "/search.html?q=the"),
    ("not-found", "/404.html"),
];
/// How many pages of a kind are looked at.
const OF_A_KIND: usize = 3;

/// The step. The pictures are for people; nothing of them is kept.
pub fn run() -> Outcome {
    let npm = browser()?;
    let pictures = scratch("look-wide")?;
    let binary = server::build()?;
    let mut folders = vec![sites::example()];
    let is_wanted = |folder: &Folder| FOLDERS.contains(&&*folder.name);
    folders.extend(sites::corpora()?.into_iter().filter(is_wanted));
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in folders {
        let subject = subject(&binary, folder)?;
        count += subject.pages.len();
        let report = look(&binary, &npm, &pictures, &[subject], &["--rules"])?;
        wrong.extend(report.broken);
    }
    println!("pictures: {}", pictures.display());
    wrong.iter().take(NAMED).for_each(|line| println!("{line}"));
    match wrong.len() {
        0 => Ok(Done::Passed(format!(
            "{count} pages at 3 widths, light and dark"
        ))),
        found => Err(format!("{found} things do not look as they should")),
    }
}

/// A site with some pages of every kind.
fn subject(binary: &Path, folder: Folder) -> Result<Subject, String> {
    let server = Server::for_address(binary, &folder.path, BASE)?;
    let name = |page: &str| format!("{}-{page}", folder.name);
    let mut pages: Vec<(String, String)> = EVERYWHERE
        .iter()
        .map(|(page, path)| (name(page), (*path).to_owned()))
        .collect();
    for (kind, paths) in kinds(&addresses(&server)?) {
        let step = paths.len().div_ceil(OF_A_KIND).max(1);
        let some = paths.iter().step_by(step).enumerate();
        pages.extend(some.map(|(at, path)| (name(&format!("{kind}-{at}")), path.clone())));
    }
    Ok(Subject {
        folder: folder.path,
        pages,
    })
}

/// The paths of a site's pages by their first segment.
fn kinds(paths: &[String]) -> BTreeMap<&str, Vec<String>> {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in paths {
        let first = path.split('/').nth(1).unwrap_or_default();
        let kind = first.strip_suffix(".html").map_or(first, |_| "pages");
        if !kind.is_empty() {
            kinds.entry(kind).or_default().push(path.clone());
        }
    }
    kinds
}

/// The paths in the sitemap, an index followed.
fn addresses(server: &Server) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut waiting = vec!["/sitemap.xml".to_owned()];
    while let Some(path) = waiting.pop() {
        let answer = wire::ask("GET", &server.authority, &path, &[])
            .map_err(|error| format!("cannot read `{path}`: {error}"))?;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let paths = text.split("<loc>").skip(1).filter_map(|rest| {
            let (address, _) = rest.split_once("</loc>")?;
            Some(address.strip_prefix(BASE)?.to_owned())
        });
        if text.contains("<sitemapindex") {
            waiting.extend(paths);
        } else {
            found.extend(paths);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_of_the_kind_of_their_folder() {
        let paths = ["/", "/about.html", "/tags/a.html", "/tags/b.html"].map(str::to_owned);
        let kinds = kinds(&paths);
        assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), ["pages", "tags"]);
        assert_eq!(kinds["tags"].len(), 2);
    }
}
