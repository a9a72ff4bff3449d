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
    let mut judge = Judge::new(sources, library, edition);
    for article in written(library) {
        for (reference, target) in article.document.references.iter().zip(&*article.targets) {
            judge.count(article, &reference.raw, target);
        }
    }
    (judge.links, judge.fragments)
}

/// Everything that has text.
fn written(library: &Library) -> impl Iterator<Item = &Article> {
    let all = library.articles.iter().chain(&library.pages);
    all.map(|article| &**article)
}

/// What links may lead to, and how many did.
struct Judge<'a> {
    library: &'a Library,
    edition: &'a Edition,
    /// The texts of the sources by their paths.
    texts: BTreeMap<&'a str, String>,
    /// The published pages by their paths.
    pages: BTreeMap<String, String>,
    /// The names of published files, and of the folders above them.
    names: BTreeSet<String>,
    folders: BTreeSet<String>,
    links: Share,
    fragments: Share,
}

impl<'a> Judge<'a> {
    fn new(sources: &'a Sources, library: &'a Library, edition: &'a Edition) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files = sources.files.iter();
        let pages = edition.resources.iter();
        let published = || {
            written(library)
                .map(|article| &article.source)
                .chain(library.files.iter().map(|file| &file.source))
        };
        Self {
            library,
            edition,
            texts: files.map(|file| (&*file.path, text(&file.bytes))).collect(),
            pages: pages
                .filter(|page| page.path.ends_with(".html"))
                .map(|page| (page.path.to_string(), text(&page.body.to_bytes())))
                .collect(),
            names: published().map(|source| name(source)).collect(),
            folders: published()
                .flat_map(|source| source.split('/').rev().skip(1))
                .map(str::to_lowercase)
                .collect(),
            links: Share::default(),
            fragments: Share::default(),
        }
    }

    /// Counts a reference of an article, unless nothing says what it should lead to.
    fn count(&mut self, article: &Article, raw: &str, target: &Target) {
        match target {
            Target::Page { stem, fragment } => {
                self.links.add(self.pages.contains_key(&page(stem)));
                match fragment {
                    Some(fragment) => {
                        let good = fragment == "top"
                            || fragment.contains(":~:")
                            || self.has(stem, fragment);
                        self.fragments.add(good);
                    }
                    None if self.lost_a_fragment(stem, raw) => self.fragments.add(false),
                    None => {}
                }
            }
            Target::Here(fragment) if !fragment.is_empty() && fragment != "top" => {
                self.fragments.add(self.has(&article.stem, fragment));
            }
            Target::File { path, .. } => self.links.add(self.edition.get(path).is_some()),
            Target::Unresolved if raw.starts_with('#') => {
                if self.source_names(article, raw) {
                    self.fragments.add(false);
                }
            }
            Target::Unresolved if self.is_findable(raw) => self.links.add(false),
            Target::Here(_) | Target::Url(_) | Target::Unresolved => {}
        }
    }

    /// Whether a page has an element with this id.
    fn has(&self, stem: &str, id: &str) -> bool {
        let page = self.pages.get(&page(stem));
        page.is_some_and(|page| has_id(page, id))
    }

    /// Whether the source of an article names the place that an address ends with.
    fn source_names(&self, article: &Article, raw: &str) -> bool {
        let (_, fragment) = raw.split_once('#').unwrap_or_default();
        let text = self.texts.get(&*article.source);
        text.is_some_and(|text| places::names(text, fragment))
    }

    /// Whether a link to a page lost the fragment of its address, although the source of that page
    /// names the place.
    fn lost_a_fragment(&self, stem: &str, raw: &str) -> bool {
        let mut written = written(self.library);
        names_place(raw)
            && written
                .find(|article| &*article.stem == stem)
                .is_some_and(|to| self.source_names(to, raw))
    }

    /// Whether there was a file to find for an address that leads nowhere.
    fn is_findable(&self, raw: &str) -> bool {
        let path = raw.split(['#', '?', '|']).next().unwrap_or_default();
        self.names.contains(&name(path)) && leads_through(path, &self.folders)
    }
}

/// The path of the page with this stem.
fn page(stem: &str) -> String {
    format!("{stem}.html")
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
