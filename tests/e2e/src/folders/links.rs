//! Which links and fragments resolve, judged from the sources and the edition.

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::{Article, Library, Sources, Target};
use diglot_edition::Edition;

use super::places;

/// How many cases there are, and how many of them pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    pub good: usize,
    pub all: usize,
}

impl Share {
    pub fn add(&mut self, good: bool) {
        self.good += usize::from(good);
        self.all += 1;
    }

    /// In percent; 100 if there are no cases.
    #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
    pub fn percent(self) -> f64 {
        if self.all == 0 {
            100.0
        } else {
            self.good as f64 * 100.0 / self.all as f64
        }
    }
}

/// Resolvable links that resolve, and fragments that do.
///
/// A broken link counts if some published file has the name that it ends in, and most folders in
/// its path exist here: then there was a target to find. (`../std/index.html` in a book that was
/// published next to others had none, although some file here is called `index.html`.) A fragment
/// counts if its page was found and its source names such a place, even if the page lacks it.
pub fn shares(sources: &Sources, library: &Library, edition: &Edition) -> (Share, Share) {
    let written = || library.articles.iter().chain(&library.pages);
    let texts: BTreeMap<&str, String> = sources
        .files
        .iter()
        .map(|file| {
            (
                &*file.path,
                String::from_utf8_lossy(&file.bytes).into_owned(),
            )
        })
        .collect();
    let named = |article: &Article, raw: &str| {
        let (_, fragment) = raw.split_once('#').unwrap_or_default();
        let text = texts.get(&*article.source);
        text.is_some_and(|text| places::names(text, fragment))
    };
    let by_stem = |stem: &str| written().find(|article| &*article.stem == stem);
    let sources = || {
        written()
            .map(|article| &article.source)
            .chain(library.files.iter().map(|file| &file.source))
    };
    let names: BTreeSet<String> = sources().map(|source| name(source)).collect();
    let folders: BTreeSet<String> = sources()
        .flat_map(|source| source.split('/').rev().skip(1))
        .map(str::to_lowercase)
        .collect();
    let findable = |raw: &str| {
        let path = raw.split(['#', '?', '|']).next().unwrap_or_default();
        names.contains(&name(path)) && leads_through(path, &folders)
    };
    let pages: BTreeMap<String, String> = edition
        .resources
        .iter()
        .filter(|resource| resource.path.ends_with(".html"))
        .map(|resource| {
            (
                resource.path.to_string(),
                String::from_utf8_lossy(&resource.body.to_bytes()).into_owned(),
            )
        })
        .collect();
    let (mut links, mut fragments) = (Share::default(), Share::default());
    for article in written() {
        let has = |stem: &str, id: &str| {
            pages
                .get(&format!("{stem}.html"))
                .is_some_and(|page| has_id(page, id))
        };
        for (reference, target) in article.document.references.iter().zip(&*article.targets) {
            match target {
                Target::Page { stem, fragment } => {
                    links.add(pages.contains_key(&format!("{stem}.html")));
                    match fragment {
                        Some(fragment) => fragments.add(
                            fragment == "top" || fragment.contains(":~:") || has(stem, fragment),
                        ),
                        None if names_place(&reference.raw)
                            && by_stem(stem).is_some_and(|to| named(to, &reference.raw)) =>
                        {
                            fragments.add(false)
                        }
                        None => {}
                    }
                }
                Target::Here(fragment) if !fragment.is_empty() && fragment != "top" => {
                    fragments.add(has(&article.stem, fragment))
                }
                Target::File { path, .. } => links.add(edition.get(path).is_some()),
                Target::Unresolved if reference.raw.starts_with('#') => {
                    if named(article, &reference.raw) {
                        fragments.add(false);
                    }
                }
                Target::Unresolved if findable(&reference.raw) => links.add(false),
                Target::Here(_) | Target::Url(_) | Target::Unresolved => {}
            }
        }
    }
    (links, fragments)
}

/// Whether an address has a fragment that is not empty.
fn names_place(raw: &str) -> bool {
    raw.trim()
        .split_once('#')
        .is_some_and(|(_, fragment)| !fragment.is_empty() && !fragment.starts_with('^'))
}

/// The last segment without its suffix, in lower case.
fn name(path: &str) -> String {
    let last = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    last.rsplit_once('.')
        .map_or(last, |(stem, _)| stem)
        .to_lowercase()
}

/// Whether most folders in the path of a link exist here. Segments of addresses need not exist;
/// dates and `..` do not count.
fn leads_through(path: &str, folders: &BTreeSet<String>) -> bool {
    let Some((way, file)) = path.rsplit_once('/') else {
        return true;
    };
    let is_file = path.starts_with("../") || file.contains('.');
    let named = way.split('/').filter(|folder| {
        !matches!(*folder, "" | "." | "..") && !folder.bytes().all(|byte| byte.is_ascii_digit())
    });
    let (here, all) = named.fold((0, 0), |(here, all), folder| {
        (
            here + usize::from(folders.contains(&folder.to_lowercase())),
            all + 1,
        )
    });
    !is_file || all == 0 || here * 2 > all
}

fn has_id(page: &str, id: &str) -> bool {
    let escaped = id.replace('&', "&amp;").replace('"', "&quot;");
    page.contains(&format!("id=\"{id}\"")) || page.contains(&format!("id=\"{escaped}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_through_folders_that_are_not_here_leads_out() {
        let folders: BTreeSet<String> = ["guide".to_owned(), "html".to_owned()].into();
        for (path, here) in [
            ("../std/index.html", false),
            ("matrix/guide/uri.html", false),
            ("/usr/share/html/x.html", false),
            ("../Guide/x", true),
            ("/html/guide/x.html", true),
            ("/blog/x/", true),
            ("/2015/03/x.html", true),
            ("../x.md", true),
            ("x.md", true),
        ] {
            assert_eq!(leads_through(path, &folders), here, "{path}");
        }
        assert_eq!(name("/blog/X.html"), "x");
    }
}
