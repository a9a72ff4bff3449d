//! What a path may name that has no target of its own: the same text in the default language, or a
//! list.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::library::{
    paths::{folder, inside, stem_of, stemmed},
    publication::Publication,
    tags,
};
use crate::model::language;

/// How many segments of a path may name a language.
const OUTERMOST: usize = 5;
/// Words before the name of a tag in the addresses of lists.
const TAXONOMIES: [&str; 10] = [
    "tags",
    "tag",
    "topics",
    "topic",
    "categories",
    "category",
    "keywords",
    "labels",
    "series",
    "subjects",
];
/// Lists of all articles.
const LISTS: [&str; 12] = [
    "blog",
    "posts",
    "post",
    "news",
    "articles",
    "archive",
    "archives",
    "tags",
    "topics",
    "categories",
    "writing",
    "all",
];

/// The list of all articles.
const ALL: &str = "/articles/index";

/// What replaces a missing target.
#[derive(Clone, Debug, Default)]
pub struct Fallbacks {
    /// Names in paths that are languages, and what remains of them without: `pages` of `pages.de`.
    languages: FxHashMap<String, String>,
    /// The names that the default language may have in a path.
    default: Vec<String>,
    /// The tags' pages, by what all spellings of a tag share.
    tags: FxHashMap<String, String>,
    /// The folders of published texts on the site, without closing slash.
    sections: FxHashSet<String>,
    /// The lists that the generator makes, as paths on the site.
    made: FxHashSet<String>,
}

impl Fallbacks {
    pub fn new(publication: &Publication<'_>) -> Self {
        let mut fallbacks = Self {
            default: vec![String::new(), publication.site.language.to_lowercase()],
            ..Self::default()
        };
        fallbacks.add_locales(publication);
        for candidate in publication.published() {
            fallbacks.add_languages(&candidate.path, &candidate.language.value);
            let on_site = match publication.plan.mount(&candidate.path) {
                Some((mount, rest)) => format!("/{}", inside(&mount.at, rest)),
                None => format!("/{}", publication.plan.site_path(&candidate.path)),
            };
            fallbacks.add_sections(&on_site);
            fallbacks.add_sections(&candidate.stem.value);
        }
        let made = publication.plan.kind.config.made_lists.iter();
        fallbacks.made.extend(made.map(|list| stem_of(&list.at)));
        for slug in publication.tags.slugs() {
            fallbacks
                .tags
                .insert(tags::key(slug), format!("/tags/{slug}"));
        }
        fallbacks
    }

    /// Adds the folders above a path.
    fn add_sections(&mut self, path: &str) {
        let mut above = folder(path);
        while !above.is_empty() && self.sections.insert(above.to_owned()) {
            above = folder(above);
        }
    }

    fn add_locales(&mut self, publication: &Publication<'_>) {
        let config = &publication.plan.kind.config;
        for locale in config
            .locales
            .iter()
            .filter(|locale| !locale.name.is_empty())
        {
            if locale.tag == publication.site.language || config.is_default(&locale.name) {
                self.default.push(locale.name.clone());
            }
            self.languages.insert(locale.name.clone(), String::new());
        }
    }

    /// Adds the parts of a path that name its text's language.
    fn add_languages(&mut self, path: &str, tag: &str) {
        for segment in folder(path).split('/').take(OUTERMOST) {
            if self.languages.contains_key(segment) {
                continue;
            }
            let (stem, name) = match segment.rsplit_once('.') {
                Some(divided) => divided,
                None => ("", segment),
            };
            if language::in_name(name).as_deref() == Some(tag) {
                self.languages.insert(segment.to_owned(), stem.to_owned());
            }
        }
    }

    /// The paths of the same text in the default language.
    pub fn in_default_language(&self, path: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut start = 0;
        for segment in path.split('/').take(OUTERMOST) {
            let end = start + segment.len();
            if let Some(stem) = self.languages.get(segment) {
                let (before, after) = (&path[..start], path[end..].trim_start_matches('/'));
                for name in &self.default {
                    let name = if stem.is_empty() { name } else { stem };
                    let slash = if name.is_empty() { "" } else { "/" };
                    paths.push(format!("{before}{name}{slash}{after}"));
                }
            }
            start = end + 1;
        }
        paths
    }

    /// The paths of the same text in all languages.
    pub fn in_other_languages(&self, path: &str) -> Vec<String> {
        let mut names: Vec<&String> = self.languages.keys().collect();
        names.sort_unstable();
        let mut paths = Vec::new();
        let mut start = 0;
        for segment in path.split('/').take(OUTERMOST) {
            let end = start + segment.len();
            let (before, after) = (&path[..start], path[end..].trim_start_matches('/'));
            let stem = self.languages.get(segment).map_or(segment, String::as_str);
            let others = self.in_language(&names, stem);
            paths.extend(others.map(|name| format!("{before}{name}/{after}")));
            start = end + 1;
        }
        let beside = self.in_language(&names, "");
        paths.extend(beside.map(|name| format!("{name}/{}", path.trim_start_matches('/'))));
        let (above, rest) = path.split_once('/').unwrap_or(("", path));
        if !above.is_empty() {
            let beside = self.in_language(&names, "");
            paths.extend(beside.map(|name| format!("{above}/{name}/{rest}")));
        }
        paths
    }

    /// Those of the names whose paths are below `stem`.
    fn in_language<'n>(
        &'n self,
        names: &'n [&String],
        stem: &'n str,
    ) -> impl Iterator<Item = &'n String> {
        let names = names.iter().copied();
        names.filter(move |name| self.languages[*name] == stem)
    }

    /// The list that an address without a page of its own names, by its stem.
    pub fn list(&self, path: &str) -> Option<&str> {
        let stem = stemmed(path);
        if self.made.contains(&stem) {
            return Some(ALL);
        }
        let (folders, last) = stem
            .trim_matches('/')
            .rsplit_once('/')
            .unwrap_or(("", stem.trim_matches('/')));
        let (_, taxonomy) = folders.rsplit_once('/').unwrap_or(("", folders));
        if TAXONOMIES.contains(&taxonomy.to_lowercase().as_str()) {
            return self.tags.get(&tags::key(last)).map(String::as_str);
        }
        let is_list =
            LISTS.contains(&last.to_lowercase().as_str()) && folders.split('/').count() < 2;
        (is_list || self.sections.contains(&stem)).then_some(ALL)
    }
}
