//! The stem of a text: the path of its page without suffix, by the contract's slug rule.

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{
    article::Kind,
    classify::Area,
    explained::Explained,
    fields::quoted,
    generated::{NOT_FOUND, is_reserved},
    paths::{folder, inside, name, without_suffix},
};
use crate::model::{
    problem::{Cause, Problem},
    slug,
};
use crate::syntax::front::Front;

/// The stem, from the text's `slug`, its path, or its title, because a file name may give none.
pub fn derive(
    path: &str,
    (area, rel): (Area, &str),
    kind: Kind,
    (front, sharing): (&Front, &Sharing),
    title: &str,
    problems: &mut Vec<Problem>,
) -> Explained<Arc<str>> {
    if area == Area::Home {
        return Explained::new("/index", "it is the home page's content");
    }
    if area == Area::NotFound {
        return Explained::new(NOT_FOUND, "it is the text for missing addresses");
    }
    let folder = match kind {
        Kind::Article => "/articles/",
        Kind::Page => "/",
    };
    let given = given(path, front, problems).map(|slug| sharing.in_language(slug));
    let given = given.filter(|_| sharing.with != Shared::InFolder);
    if let Some(stem) = given.and_then(|slug| of_slug(folder, rel, &slug, sharing.with)) {
        return stem;
    }
    let why = match slug::slug(without_suffix(rel)) {
        Ok(slug) => return Explained::new(format!("{folder}{slug}"), "its path"),
        Err(why) => why,
    };
    let stem = format!("{folder}{}", slug::fallback(Some(title), path));
    problems.push(no_address(path, &stem, why));
    Explained::new(stem, "its title, since its name gives no address")
}

/// The stem that the author's slug gives: with the folder of its text if another page has the slug
/// alone. `None` if Diglot writes a page at both.
fn of_slug(area: &str, rel: &str, slug: &str, shared: Shared) -> Option<Explained<Arc<str>>> {
    let alone = format!("{area}{slug}");
    let in_folder = || Some(format!("{area}{}", in_its_folder(rel, slug)?));
    let (stem, why) = if is_reserved(&alone) && alone != NOT_FOUND {
        let why = "the key `slug` in its folder, since Diglot writes a page of this name";
        (in_folder()?, why)
    } else if let (Shared::Elsewhere, Some(stem)) = (shared, in_folder()) {
        let why = "the key `slug` in its folder, since another text has the same `slug`";
        (stem, why)
    } else {
        (alone, "the key `slug`")
    };
    (stem == NOT_FOUND || !is_reserved(&stem)).then(|| Explained::new(stem, why))
}

fn no_address(path: &str, stem: &str, why: impl fmt::Display) -> Problem {
    let problem = Problem::warning(format!("the file's name gives no address: {why}"));
    problem.at(path, 0, 0).cause(Cause::Value).hint(format!(
        "it is published as `{stem}`; rename it or give it a `slug`"
    ))
}

/// The slug as the last part of a path below the folder of its text, if that folder is not the root.
fn in_its_folder(rel: &str, slug: &str) -> Option<String> {
    let (own, _) = folder(rel).rsplit_once('/').unwrap_or(("", ""));
    // The folder of `x/index.md` and `x/index.de.md` is its bundle, which has the place of a file.
    let is_index = name(rel).split('.').next() == Some("index");
    let folder = if is_index { own } else { folder(rel) };
    slug::slug(&inside(folder, slug)).ok()
}

/// The texts that would have the same stem, and whether each of them was given it by its author.
type Owners<'t> = BTreeMap<(Area, String), Vec<(&'t Arc<str>, bool)>>;

/// Which other texts have the `slug` of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    No,
    /// Texts in other folders.
    Elsewhere,
    /// Texts in its own folder, of other days: in its generator the day is a part of the address.
    InFolder,
}

/// How a text shares its `slug` with others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sharing {
    with: Shared,
    /// The language in the name of its file, if a translation in another language has the same `slug`.
    language: Option<String>,
}

impl Sharing {
    /// The slug of a text: that of a translation ends with its language, as the names of files do.
    fn in_language(&self, slug: String) -> String {
        match &self.language {
            Some(language) => format!("{slug}.{language}"),
            None => slug,
        }
    }
}

/// A text whose stem is compared with those of all others.
pub struct Slugged<'t> {
    pub path: &'t Arc<str>,
    pub area: Area,
    /// Its path below that area.
    pub rel: &'t str,
    pub front: &'t Front,
    /// Its path without its language.
    pub group: String,
    /// The language of a translation whose path does not name it.
    pub language: Option<&'t str>,
}

impl Slugged<'_> {
    /// The language in the name of the file.
    fn language(&self) -> Option<&str> {
        let in_name = || {
            let language = without_suffix(self.rel).strip_prefix(&*self.group)?;
            language.strip_prefix('.')
        };
        self.language.or_else(in_name)
    }
}

/// The texts with a date that would have the same stem in their own folder, and their dates.
type Dated<'t> = BTreeMap<(Area, String), Vec<(&'t str, &'t Arc<str>)>>;

/// Texts whose `slug` is that of another text.
#[derive(Default)]
pub struct SharedSlugs {
    /// Their paths, sorted.
    pub texts: Vec<Arc<str>>,
    /// Those that share it with a text of their own folder, sorted.
    in_folder: Vec<Arc<str>>,
    /// The languages of those that share it with a translation.
    languages: BTreeMap<Arc<str>, String>,
}

impl SharedSlugs {
    /// Compares the stems of all texts.
    pub fn find(texts: &[Slugged<'_>]) -> Self {
        let mut shared = Self {
            languages: in_languages(texts),
            ..Self::default()
        };
        let (mut owners, mut dated) = (Owners::new(), Dated::new());
        for Slugged {
            path,
            area,
            rel,
            front,
            ..
        } in texts
        {
            let given = given(path, front, &mut Vec::new());
            let given = given.map(|slug| shared.of_text(path).in_language(slug));
            let is_given = given.is_some();
            if let (Some(slug), Some(date)) = (&given, front.text(&["date"])) {
                let slug = in_its_folder(rel, slug).unwrap_or_else(|| slug.clone());
                let texts = dated.entry((*area, slug)).or_default();
                texts.push((date, path));
            }
            if let Some(slug) = given.or_else(|| slug::slug(without_suffix(rel)).ok()) {
                let owners = owners.entry((*area, slug)).or_default();
                owners.push((path, is_given));
            }
        }
        shared.add_given(owners);
        shared.add_dated(dated);
        shared.texts.sort();
        shared.in_folder.sort();
        shared
    }

    /// Adds the texts that have the same `slug` in their folder, and different dates.
    fn add_dated(&mut self, dated: Dated<'_>) {
        for mut texts in dated.into_values() {
            let all = texts.len();
            texts.sort();
            texts.dedup_by_key(|(date, _)| *date);
            if texts.len() == all && all > 1 {
                let paths = texts.into_iter().map(|(_, path)| Arc::clone(path));
                self.in_folder.extend(paths);
            }
        }
    }

    /// Adds the texts whose own `slug` is that of another text.
    fn add_given(&mut self, owners: Owners<'_>) {
        for owners in owners.into_values().filter(|owners| owners.len() > 1) {
            let given = owners.iter().filter(|(_, is_given)| *is_given);
            self.texts.extend(given.map(|(path, _)| Arc::clone(path)));
        }
    }

    /// Which other texts have the slug of a text.
    pub fn of_text(&self, path: &str) -> Sharing {
        let has = |texts: &[Arc<str>]| texts.binary_search_by(|text| (**text).cmp(path)).is_ok();
        let with = if !has(&self.texts) {
            Shared::No
        } else if has(&self.in_folder) {
            Shared::InFolder
        } else {
            Shared::Elsewhere
        };
        Sharing {
            with,
            language: self.languages.get(path).cloned(),
        }
    }
}

/// The languages in the names of files whose text has the `slug` of a translation.
fn in_languages(texts: &[Slugged<'_>]) -> BTreeMap<Arc<str>, String> {
    let slug = |text: &Slugged<'_>| given(text.path, text.front, &mut Vec::new());
    let mut groups: BTreeMap<(Area, &str, String), Vec<&Slugged<'_>>> = BTreeMap::new();
    for text in texts {
        if let Some(slug) = slug(text) {
            let group = groups.entry((text.area, &text.group, slug)).or_default();
            group.push(text);
        }
    }
    let shared = groups.into_values().filter(|group| group.len() > 1);
    let languages = shared.flatten().filter_map(|text| {
        let language = text.language()?;
        Some((Arc::clone(text.path), language.to_owned()))
    });
    languages.collect()
}

/// The author's slug.
fn given(path: &str, front: &Front, problems: &mut Vec<Problem>) -> Option<String> {
    let entry = front.first(&["slug"])?;
    let text = entry.node.text().unwrap_or_default();
    if text == "/" {
        // The page of its folder, as some generators say.
        return None;
    }
    match slug::slug(text) {
        Ok(slug) => Some(slug),
        Err(why) => {
            let problem =
                Problem::warning(format!("`slug` is not usable: {why}: `{}`", quoted(text)));
            problems.push(
                problem
                    .at(path, entry.node.line, entry.node.column)
                    .cause(Cause::Value)
                    .hint("the file's path is used"),
            );
            None
        }
    }
}
