//! Where a path without a target of its own leads: to the same text in the default language, or to
//! the list of what the path names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    lookup::{Found, Origin},
    missing::is_of_section,
    table::{Item, ItemId, ItemKind, LinkTable},
};
use crate::library::{
    paths::{bare, folder, has_suffix, inside, is_number, join, stemmed},
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
}

impl Fallbacks {
    pub fn of(work: &Publication<'_>) -> Self {
        let mut fallbacks = Self {
            default: vec![String::new(), work.site.language.to_lowercase()],
            ..Self::default()
        };
        fallbacks.add_locales(work);
        for candidate in work.published() {
            fallbacks.add_languages(&candidate.path, &candidate.language.value);
            let on_site = match work.plan.mount(&candidate.path) {
                Some((mount, rest)) => format!("/{}", inside(&mount.at, rest)),
                None => format!("/{}", work.plan.site_path(&candidate.path)),
            };
            fallbacks.add_sections(&on_site);
            fallbacks.add_sections(&candidate.stem.value);
        }
        for slug in work.tags.slugs() {
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

    fn add_locales(&mut self, work: &Publication<'_>) {
        let config = &work.plan.kind.config;
        for locale in config
            .locales
            .iter()
            .filter(|locale| !locale.name.is_empty())
        {
            if locale.tag == work.site.language || config.is_default(&locale.name) {
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
    fn in_default_language(&self, path: &str) -> Vec<String> {
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
        (is_list || self.sections.contains(&stem)).then_some("/articles/index")
    }
}

impl LinkTable<'_> {
    /// What a path finds instead of nothing or of a section without a text: the text in the default
    /// language, or a list.
    pub fn instead(&self, origin: &Origin<'_>, path: &str, found: Option<Found>) -> Option<Found> {
        if found.is_some_and(|found| !self.is_section(found.item)) {
            return found;
        }
        let readings = self.absolute(origin, path);
        if found.is_none() && readings.iter().any(|path| is_of_section(path)) {
            return None;
        }
        if let Some(item) = self.in_default_language(origin, &readings) {
            return Some(Found::exactly(item));
        }
        // Only a section is found here.
        let names_page = found.is_some() || !has_suffix(path) || path.ends_with(".html");
        let is_address = found.is_some() || path.starts_with(['/', '.']) || path.ends_with('/');
        if !names_page || !is_address {
            return found;
        }
        let list = self.list_or_year(&readings);
        list.map(Found::exactly).or(found)
    }

    /// The list, else the list of a year, that the readings of a path name.
    fn list_or_year(&self, readings: &[String]) -> Option<ItemId> {
        let list = readings.iter().find_map(|path| {
            let list = self.fallbacks.list(path).or_else(|| {
                let mut paths = self.fallbacks.in_default_language(path).into_iter();
                paths.find_map(|path| self.fallbacks.list(&path))
            })?;
            self.paths.address(list)
        });
        let year = || readings.iter().find_map(|path| self.year(path));
        list.or_else(year)
    }

    /// What the readings of a path name in the default language.
    fn in_default_language(&self, origin: &Origin<'_>, readings: &[String]) -> Option<ItemId> {
        readings.iter().find_map(|path| {
            let mut paths = self.fallbacks.in_default_language(path).into_iter();
            paths.find_map(|path| {
                let path = path.trim_matches('/');
                let item = self
                    .at_root(origin, path, true)
                    .or_else(|| self.below_mount(origin, path))?;
                self.is_shown(item).then_some(item)
            })
        })
    }

    /// The list of a year: `/2015/`, `/archives/2015/03/`.
    fn year(&self, path: &str) -> Option<ItemId> {
        let mut numbers = path.trim_matches('/').split('/');
        let year = match numbers.next()? {
            "archive" | "archives" | "blog" | "posts" => numbers.next()?,
            year => year,
        };
        let fits = year.len() == 4 && is_number(year) && numbers.all(is_number);
        fits.then(|| self.paths.address(&format!("/years/{year}")))?
    }

    /// Whether an item is a section without a text of its own.
    fn is_section(&self, item: ItemId) -> bool {
        const LISTS: [&str; 3] = [
            "list without a text",
            "another file is the home page",
            "empty body",
        ];
        let Item { source, kind } = &self.items[item];
        let ItemKind::Hidden(why) = kind else {
            return false;
        };
        LISTS.contains(&&**why) && bare(source) != crate::library::paths::without_suffix(source)
    }

    /// Whether an item is not a withheld text.
    pub fn is_shown(&self, item: ItemId) -> bool {
        !matches!(self.items[item].kind, ItemKind::Hidden(_))
    }

    /// The readings of a path from the root: of the folder, and of the site.
    pub fn absolute(&self, origin: &Origin<'_>, path: &str) -> Vec<String> {
        for root in ["/", "@/", "~/", "@site/"] {
            if let Some(rooted) = path.strip_prefix(root) {
                return join("", self.without_base(rooted.trim_matches('/')))
                    .into_iter()
                    .collect();
            }
        }
        let stem = origin.stem();
        let starts = [
            folder(origin.source),
            bare(origin.source),
            folder(stem),
            stem,
        ];
        let readings = starts.iter().filter_map(|start| join(start, path));
        readings.collect()
    }
}
