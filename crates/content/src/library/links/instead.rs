//! Where a path leads: to what it names, else to the same text in the default language, or to the
//! list of what it names.

use super::{
    item::{Item, ItemId, ItemKind},
    keys::composed,
    lookup::{Found, Origin},
    table::LinkTable,
};
use crate::library::paths::{
    bare, decoded, folder, has_suffix, is_number, is_of_section, join, name, without_suffix,
};
use crate::model::language;

impl LinkTable<'_> {
    /// A path, decoded or, if no file has that name, as written.
    pub fn path(&self, origin: &Origin<'_>, path: &str) -> Option<Found> {
        let decoded = decoded(path);
        let plain = composed(&decoded);
        let mut found = self.readings(origin, &plain);
        if found.is_none() && plain != path {
            found = self.readings(origin, &composed(path));
        }
        let translated = self.translated(origin, &plain, found);
        translated.or_else(|| self.instead(origin, &plain, found))
    }

    /// The text in the language of the page that links, where names of files say their language:
    /// `a.fr.md` for a link to `a.md` in `index.fr.md`.
    fn translated(&self, origin: &Origin<'_>, path: &str, found: Option<Found>) -> Option<Found> {
        if !self.publication.plan.kind.config.translates_links {
            return None;
        }
        let (suffix, language) = language_in_name(origin.source)?;
        let source = match found {
            Some(found) => self.items[found.item].source.to_string(),
            None => join(folder(origin.source), path)?,
        };
        // An author who names a language means that one.
        if language_in_name(path).is_some() || self.page_language(origin.item)? != language {
            return None;
        }
        let (stem, ending) = source.split_at(without_suffix(&source).len());
        // The text that was found may name a language: `a.en.md` for `a.md`.
        let stem = match language_in_name(&source) {
            Some((other, _)) => &stem[..stem.len() - other.len() - ".".len()],
            None => stem,
        };
        let translation = format!("{stem}.{suffix}{ending}");
        let item = self.paths.source(&translation)?;
        let is_translation = *self.items[item].source == *translation
            && self.page_language(item).is_some_and(|own| own == language);
        is_translation.then_some(Found {
            item,
            other_case: false,
            dated: found.is_some_and(|found| found.dated),
        })
    }

    fn page_language(&self, item: ItemId) -> Option<&str> {
        self.page(item).map(|page| &*page.metadata.language.value)
    }

    /// What a path finds instead of nothing or of a section without a text: the text in the default
    /// language, or a list.
    fn instead(&self, origin: &Origin<'_>, path: &str, found: Option<Found>) -> Option<Found> {
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
        LISTS.contains(&&**why) && bare(source) != without_suffix(source)
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

/// The last part of a file's name before its ending, and the language that it is: `fr` of `a.fr.md`.
fn language_in_name(path: &str) -> Option<(&str, String)> {
    let (_, suffix) = without_suffix(name(path)).rsplit_once('.')?;
    Some((suffix, language::in_name(suffix)?))
}
