//! What an HTML page is called: its own words without those of its site. Which words are the site's, all pages of a folder say together.

use rustc_hash::FxHashMap;

use super::describe::Known;
use crate::model::document::Document;
use crate::model::fingerprint::{Digest, Fingerprint};
use crate::syntax::html::Names;

/// What stands between a page's name and its site's.
const SEPARATORS: [&str; 10] = [" | ", " — ", " – ", " - ", " · ", " • ", " :: ", " » ", " « ", ": "];

/// The words that pages of a folder share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// How many pages there are.
    pages: usize,
    /// Whole names, and what stands before the first and behind the last separator: on how many pages.
    words: FxHashMap<String, usize>,
}

impl Shared {
    /// Looks at the names of all pages.
    pub fn of<'n>(names: impl Iterator<Item = &'n Names>) -> Self {
        let mut shared = Self::default();
        for names in names {
            shared.pages += 1;
            let mut own: Vec<&str> = Vec::new();
            for name in [&names.title, &names.og_title].into_iter().flatten() {
                own.push(name);
                own.extend(before(name).map(|(first, _)| first));
                own.extend(behind(name).map(|(_, last)| last));
            }
            own.sort_unstable();
            own.dedup();
            for word in own {
                *shared.words.entry(word.to_owned()).or_default() += 1;
            }
        }
        shared
    }

    /// A digest of the words that are shared: all that a title depends on.
    pub fn digest(&self) -> Digest {
        let mut shared: Vec<&String> = self.words.keys().filter(|words| self.is_shared(words)).collect();
        shared.sort_unstable();
        Fingerprint::of(&shared)
    }

    /// Whether more than half of all pages, and more than one, have these words.
    fn is_shared(&self, words: &str) -> bool {
        self.words.get(words).is_some_and(|count| *count > 1 && *count * 2 > self.pages)
    }

    /// A name without the words of the site; `None` when there are no others.
    fn own<'n>(&self, name: Option<&'n String>, site: Option<&str>) -> Option<&'n str> {
        let mut name = name?.as_str();
        let is_site = |words: &str| self.is_shared(words) || site == Some(words);
        for _ in 0..3 {
            if let Some((rest, _)) = behind(name).filter(|(_, last)| is_site(last)) {
                name = rest;
            } else if let Some((_, rest)) = before(name).filter(|(first, _)| is_site(first)) {
                name = rest;
            }
        }
        Some(name).filter(|name| !is_site(name) && !name.is_empty())
    }

    /// The title of a page. The heading of its article is taken out where it is the same, or says the same with more or fewer words.
    pub fn title(&self, names: &Names, document: &mut Document) -> Option<Known<String>> {
        let site = names.site.as_deref();
        let title = self.own(names.title.as_ref(), site);
        let og = self.own(names.og_title.as_ref(), site);
        let named = og.or(title);
        if let Some(heading) = document.title_heading().filter(|heading| heading.chars().any(char::is_alphanumeric)) {
            let fits = [og, title].into_iter().flatten().any(|name| says_the_same(name, &heading));
            if fits || named.is_none() {
                document.take_title_heading();
                return Some(Known { value: heading, why: if fits { "its heading" } else { "the heading that the page opens with" } });
            }
        }
        let why = if og.is_some() { "`og:title`" } else { "`<title>` without the name of the site" };
        named.map(|name| Known { value: name.to_owned(), why })
    }
}

/// Whether one of two names is in the other, by letters and digits alone.
fn says_the_same(name: &str, heading: &str) -> bool {
    let fold = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (name, heading) = (fold(name), fold(heading));
    let (short, long) = if name.len() < heading.len() { (&name, &heading) } else { (&heading, &name) };
    // A word of two letters is in every other.
    name == heading || short.chars().count() >= 3 && long.contains(short.as_str()) && short.len() * 4 >= long.len()
}

fn before(name: &str) -> Option<(&str, &str)> {
    SEPARATORS.iter().filter_map(|separator| name.split_once(separator)).min_by_key(|(first, _)| first.len())
}

fn behind(name: &str) -> Option<(&str, &str)> {
    SEPARATORS.iter().filter_map(|separator| name.rsplit_once(separator)).min_by_key(|(_, last)| last.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(pages: &[(&str, &str)]) -> Vec<String> {
        let read: Vec<_> =
            pages.iter().map(|(title, body)| crate::syntax::html::parse_page(&format!("<title>{title}</title><main>{body}</main>"))).collect();
        let shared = Shared::of(read.iter().map(|page| &page.names));
        read.into_iter().map(|mut page| shared.title(&page.names, &mut page.document).map_or_else(String::new, |known| known.value)).collect()
    }

    #[test]
    fn the_name_of_the_site_is_no_title() {
        let pages = [
            ("Quickstart — Flask Documentation (2.2.x)", "<h1>Quickstart<a class=headerlink href=#q>¶</a></h1>"),
            ("API — Flask Documentation (2.2.x)", "<p>no heading</p>"),
            ("Flask Documentation (2.2.x)", "<h1>Welcome</h1>"),
        ];
        assert_eq!(titles(&pages), ["Quickstart", "API", "Welcome"]);
        assert_eq!(titles(&[("Eigen: Main", ""), ("Eigen: Tables", ""), ("Eigen: A: B", "")]), ["Main", "Tables", "A: B"]);
        assert_eq!(titles(&[("a - b", ""), ("c - d", "")]), ["a - b", "c - d"]);
    }

    #[test]
    fn a_title_that_every_page_has_gives_way_to_the_heading() {
        let pages = [("Book", "<h2>What is Ownership?</h2><p>x"), ("Book", "<h1>Slices</h1>"), ("Book", "<p>x</p>")];
        assert_eq!(titles(&pages), ["What is Ownership?", "Slices", ""]);
    }

    #[test]
    fn the_heading_says_it_better() {
        let pages = [("git-add(1)", "<h1>git-add(1) Manual Page</h1>"), ("<x> : The X", "<h1>Another thing</h1>")];
        assert_eq!(titles(&pages), ["git-add(1) Manual Page", "<x> : The X"]);
    }
}
