//! The texts of a folder in its own order: by weights, by numbers before names, by names.

use std::{cmp::Reverse, collections::BTreeMap, hash::Hash};

use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::{
    Text, Texts,
    section::{Section, Sort},
};
use crate::dialects::FolderOrder;
use crate::dialects::order::{Arrangement, arrange::REST};
use crate::library::{
    article::Kind,
    candidate::Candidate,
    classify::Role,
    dates::{self, Calendar, Dates},
    fields, paths,
    paths::{inside, name, order_number},
    publication::Publication,
    visibility::{self, Context, Visibility},
};
use crate::model::{fingerprint::Fingerprint, language, text::presentable};

/// The name of the text of a folder itself.
const INDEX: &str = "index";
/// How deep folders may be nested; deeper ones are read as one.
const DEPTH: usize = 24;

/// What the index of a folder says of it, where that index is not a text of its own.
#[derive(Debug, Default)]
pub struct FolderFacts {
    pub title: Option<String>,
    pub weight: Option<i64>,
    pub hidden: bool,
    /// What the index says of the texts in it, whether it is a text or not.
    pub section: Section,
}

/// One entry of a folder.
pub enum Part<'f> {
    Text(usize),
    Folder(&'f str, &'f Folder),
    Site(&'f str, &'f str),
}

/// The texts below a folder, nested.
#[derive(Default)]
pub struct Folder {
    /// The text of the folder itself.
    pub index: Option<usize>,
    texts: Vec<usize>,
    folders: BTreeMap<String, Folder>,
}

impl Folder {
    /// The texts of a language below a folder.
    pub fn build(texts: &Texts<'_>, root: &str, language: &str, articles_only: bool) -> Self {
        let mut folder = Self::default();
        let length = if root.is_empty() { 0 } else { root.len() + 1 };
        for &number in texts.below(root, language) {
            let text = &texts.all[number];
            if articles_only && text.candidate.kind != Kind::Article {
                continue;
            }
            folder.add(number, text.path.get(length..).unwrap_or_default(), DEPTH);
        }
        folder.beside(&texts.all);
        folder
    }

    fn add(&mut self, number: usize, path: &str, depth: usize) {
        match path.split_once('/') {
            Some((first, rest)) if depth > 0 => {
                let inner = self.folders.entry(first.to_owned()).or_default();
                inner.add(number, rest, depth - 1);
            }
            _ if path == "index" && self.index.is_none() => self.index = Some(number),
            _ => self.texts.push(number),
        }
    }

    /// Gives the folder inside an index that is beside it.
    fn beside(&mut self, texts: &[Text<'_>]) {
        let folders = &mut self.folders;
        self.texts.retain(|number| {
            let stem = name(&texts[*number].path);
            match folders.get_mut(stem) {
                Some(folder) if folder.index.is_none() => {
                    folder.index = Some(*number);
                    false
                }
                _ => true,
            }
        });
        for folder in folders.values_mut() {
            folder.beside(texts);
        }
    }

    /// The folder at `path` without the folders around everything, which are not sections.
    pub fn innermost(&self, path: &str) -> (&Self, String) {
        let (mut folder, mut path) = (self, path.to_owned());
        while let Some((name, inner)) = folder.only() {
            path = inside(&path, name);
            folder = inner;
        }
        (folder, path)
    }

    /// The only folder inside, if there is nothing else.
    pub fn only(&self) -> Option<(&str, &Self)> {
        if self.index.is_some() || !self.texts.is_empty() || self.folders.len() != 1 {
            return None;
        }
        let (name, folder) = self.folders.iter().next()?;
        Some((name, folder))
    }
}

/// How the folders of a site are ordered.
pub struct Ordering<'o> {
    pub texts: &'o Texts<'o>,
    pub order: FolderOrder,
    pub arrangements: Option<&'o BTreeMap<String, Arrangement>>,
    pub facts: &'o Facts,
    pub language: &'o str,
}

/// What the indexes of folders say that are not texts of their own, by language and folder.
pub type Facts = BTreeMap<(String, String), FolderFacts>;

/// The sort key of an entry: smaller first.
type Key = (usize, i64, bool, Reverse<Option<Timestamp>>, String, String);

/// An entry with its sort key and the author's name for it.
type Keyed<'f> = (Key, Part<'f>, Option<&'f str>);

/// What the author's list of a folder's entries says, where there is one.
struct Listed<'f> {
    arrangement: Option<&'f Arrangement>,
    /// The places of its entries; of several with one name the first counts.
    places: FxHashMap<&'f str, usize>,
}

impl<'f> Listed<'f> {
    fn new(arrangement: Option<&'f Arrangement>) -> Self {
        let entries = arrangement.map_or(&[][..], |arrangement| &arrangement.entries);
        let mut places = FxHashMap::default();
        for (at, (name, _)) in entries.iter().enumerate() {
            places.entry(name.as_str()).or_insert(at);
        }
        Self {
            arrangement,
            places,
        }
    }

    /// The place and the title that the list gives to a name; `None` if it is hidden.
    fn entry(&self, name: &str) -> Option<(Option<usize>, Option<&'f str>)> {
        let Some(arrangement) = self.arrangement else {
            return Some((None, None));
        };
        let bare = order_number(name).map(|(_, bare)| bare);
        let names = [Some(name), bare].into_iter().flatten();
        match names.filter_map(|name| self.places.get(name)).min() {
            Some(at) => {
                let (_, entry) = &arrangement.entries[*at];
                (!entry.hidden).then_some((Some(*at), entry.title.as_deref()))
            }
            None if arrangement.only => None,
            None => Some((self.places.get(REST).copied(), None)),
        }
    }

    /// The entries that lead to other sites.
    fn sites(&self) -> impl Iterator<Item = Keyed<'f>> {
        let arrangement = self.arrangement;
        let entries = arrangement.map_or(&[][..], |arrangement| &arrangement.entries);
        entries.iter().enumerate().filter_map(|(at, (_, entry))| {
            let (site, title) = (entry.site.as_ref()?, entry.title.as_ref()?);
            let key = (at, 0, false, Reverse(None), String::new(), String::new());
            Some((key, Part::Site(title, site), None))
        })
    }
}

impl Ordering<'_> {
    fn facts(&self, path: &str) -> Option<&FolderFacts> {
        let of = |language: &str| self.facts.get(&(language.to_owned(), path.to_owned()));
        of(self.language).or_else(|| of(""))
    }

    fn section(&self, path: &str) -> Section {
        self.facts(path)
            .map_or_else(Section::default, |facts| facts.section)
    }

    /// What arranges a folder: a file in it, else one in the folder of its texts in this language.
    fn arrangement(&self, folder: &Folder, path: &str) -> Option<&Arrangement> {
        let all = self.arrangements?;
        all.get(path).or_else(|| self.own_arrangement(folder, path))
    }

    /// What arranges the folder of the texts in this language, where each language has one.
    fn own_arrangement(&self, folder: &Folder, path: &str) -> Option<&Arrangement> {
        let all = self.arrangements.filter(|all| !all.is_empty())?;
        let own = self.own_path(folder)?;
        all.get(own).filter(|_| own != path)
    }

    /// The path of a folder in this language, which its texts have.
    fn own_path(&self, folder: &Folder) -> Option<&str> {
        let candidates = folder.index.iter().chain(&folder.texts);
        let mut candidates = candidates.map(|number| self.texts.all[*number].candidate);
        let own = candidates.find(|candidate| candidate.language.value == self.language);
        if let Some(own) = own {
            return Some(paths::folder(&own.path));
        }
        let mut inner = folder.folders.values();
        inner.find_map(|inner| Some(paths::folder(self.own_path(inner)?)))
    }

    /// Whether the author's names of the entries of a folder are in this language: what arranges it
    /// is in a folder of the language.
    pub fn has_own_names(&self, folder: &Folder, path: &str) -> bool {
        self.own_arrangement(folder, path).is_some()
    }

    /// The author's name of the text of a folder itself; `None` if it is hidden.
    pub fn index_name(&self, folder: &Folder, path: &str) -> Option<Option<&str>> {
        let arrangement = self.arrangement(folder, path);
        let mut entries = arrangement.into_iter().flat_map(|one| &one.entries);
        match entries.find(|(name, _)| name == INDEX) {
            Some((_, entry)) => (!entry.hidden).then_some(entry.title.as_deref()),
            None => Some(None),
        }
    }

    /// The entries of a folder in order, with the author's names for them.
    pub fn parts<'f>(&'f self, folder: &'f Folder, path: &str) -> Vec<(Part<'f>, Option<&'f str>)> {
        let listed = Listed::new(self.arrangement(folder, path));
        let sort = self.section(path).sort;
        let mut parts: Vec<Keyed<'f>> = Vec::new();
        let mut texts = folder.texts.clone();
        for (name, inner) in &folder.folders {
            let below = paths::inside(path, name);
            if inner.folders.is_empty() && self.section(&below).is_transparent {
                texts.extend(inner.index);
                texts.extend_from_slice(&inner.texts);
            } else {
                parts.extend(self.folder_part(name, inner, &below, &listed));
            }
        }
        let texts = texts.into_iter();
        parts.extend(texts.filter_map(|number| self.text_part(number, &listed, sort)));
        parts.extend(listed.sites());
        parts.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        parts
            .into_iter()
            .map(|(_, part, label)| (part, label))
            .collect()
    }

    /// The text with this number, unless it is hidden.
    fn text_part<'f>(
        &'f self,
        number: usize,
        listed: &Listed<'f>,
        sort: Option<Sort>,
    ) -> Option<Keyed<'f>> {
        let text = &self.texts.all[number];
        let (at, label) = listed.entry(name(&text.path))?;
        let key = self.text_key(text, at, sort);
        (!text.candidate.nav().hidden).then_some((key, Part::Text(number), label))
    }

    /// The folder of this name, unless it is hidden. `path` is its whole path.
    fn folder_part<'f>(
        &'f self,
        name: &'f str,
        folder: &'f Folder,
        path: &str,
        listed: &Listed<'f>,
    ) -> Option<Keyed<'f>> {
        let (at, label) = listed.entry(name)?;
        let (own, facts) = (self.arrangement(folder, path), self.facts(path));
        if own.is_some_and(|own| own.hidden) || facts.is_some_and(|facts| facts.hidden) {
            return None;
        }
        let label = label
            .or(own.and_then(|own| own.title.as_deref()))
            .or(facts.and_then(|facts| facts.title.as_deref()));
        let key = self.folder_key(name, folder, at, own, facts);
        Some((key, Part::Folder(name, folder), label))
    }

    fn text_key(&self, text: &Text<'_>, listed: Option<usize>, sort: Option<Sort>) -> Key {
        let own = name(&text.path);
        let candidate = text.candidate;
        let newest = self.order == FolderOrder::Newest;
        let date = date_key(&candidate.dates, sort, newest);
        let by_weight = sort.is_none_or(|sort| sort == Sort::Weight);
        let weight = candidate.weight.or(number(own)).filter(|_| by_weight);
        let words = match sort {
            Some(Sort::Title) => &candidate.title.value,
            None if newest => in_menus(candidate),
            _ => own,
        };
        (
            listed.unwrap_or(usize::MAX),
            weight.unwrap_or(i64::MAX),
            false,
            Reverse(date),
            words.to_lowercase(),
            own.to_owned(),
        )
    }

    fn folder_key(
        &self,
        name: &str,
        folder: &Folder,
        listed: Option<usize>,
        own: Option<&Arrangement>,
        facts: Option<&FolderFacts>,
    ) -> Key {
        let index = folder.index.map(|index| self.texts.all[index].candidate);
        let weight = own
            .and_then(|own| own.position)
            .or(index.and_then(|index| index.weight))
            .or(facts.and_then(|facts| facts.weight))
            .or(number(name));
        let title = index.map(in_menus);
        let title = title.or(facts.and_then(|facts| facts.title.as_deref()));
        let words = title.filter(|_| self.order == FolderOrder::Newest);
        (
            listed.unwrap_or(usize::MAX),
            weight.unwrap_or(i64::MAX),
            self.order == FolderOrder::TextsFirst,
            Reverse(None),
            words.unwrap_or(name).to_lowercase(),
            name.to_owned(),
        )
    }
}

/// The title of a text in menus.
pub fn in_menus(candidate: &Candidate) -> &str {
    let label = candidate.nav().label.as_deref();
    label.unwrap_or(&candidate.title.value)
}

/// The moment by which a text is sorted, if it is.
fn date_key(dates: &Dates, sort: Option<Sort>, newest: bool) -> Option<Timestamp> {
    match sort {
        Some(Sort::Updated) => Some(dates.updated.value.at),
        Some(Sort::Date) => dates.date.value.map(|date| date.at),
        Some(Sort::Title | Sort::Weight | Sort::Name) => None,
        None => dates.date.value.map(|date| date.at).filter(|_| newest),
    }
}

/// The number before a name that only orders it.
fn number(name: &str) -> Option<i64> {
    order_number(name)?.0.parse().ok()
}

/// A folder's name as a title.
pub fn title(name: &str) -> String {
    let bare = order_number(name).map_or(name, |(_, bare)| bare);
    if bare.contains(char::is_uppercase) || bare.contains('.') {
        return bare.replace(['-', '_'], " ");
    }
    presentable(bare)
}

/// The number of each index of a folder with front matter, and whether it is a text.
fn indexes(publication: &Publication<'_>) -> Vec<(usize, bool)> {
    let mut described = vec![false; publication.parsed.len()];
    for candidate in &publication.candidates {
        described[candidate.file] = true;
    }
    let mut indexes = Vec::new();
    for (at, role) in publication.plan.roles.iter().enumerate() {
        let (Role::Text { rel, .. }, Some(parsed)) = (role, &publication.parsed[at]) else {
            continue;
        };
        if is_index(rel) && !parsed.front.entries.is_empty() {
            indexes.push((at, described[at]));
        }
    }
    indexes
}

/// Whether a path is that of the index of its folder, in any language.
fn is_index(path: &str) -> bool {
    let (first, language) = divided(path);
    let is_language = language.is_empty() || language::in_name(language).is_some();
    matches!(first, "index" | "_index") && is_language
}

/// The name of a file without suffix, and the language in it.
fn divided(path: &str) -> (&str, &str) {
    let bare = paths::without_suffix(name(path));
    bare.split_once('.').unwrap_or((bare, ""))
}

/// Hashes what [`facts`] reads of files that are not texts.
pub fn hash(publication: &Publication<'_>, sum: &mut Fingerprint) {
    for (at, _) in indexes(publication)
        .into_iter()
        .filter(|(_, is_text)| !is_text)
    {
        let front = publication.parsed[at].as_ref().map(|parsed| &parsed.front);
        (
            at,
            front,
            &publication.sources.files[at].dates,
            publication.now,
        )
            .hash(sum);
    }
}

/// Reads [`Facts`]. Nothing is known of what is not public.
pub fn facts(publication: &Publication<'_>, texts: &Texts<'_>) -> Facts {
    let mut facts = Facts::new();
    let order = publication.plan.kind.dialect.folder_order;
    for (at, is_text) in indexes(publication) {
        let Some(parsed) = &publication.parsed[at] else {
            continue;
        };
        let front = &parsed.front;
        let file = &publication.sources.files[at];
        let section = Section::from_front(front, publication.plan.kind.dialect);
        let folder = || place(&file.path, texts);
        if is_text {
            let facts_of = FolderFacts {
                section,
                ..FolderFacts::default()
            };
            if section != Section::default() {
                facts.insert(folder(), facts_of);
            }
            continue;
        }
        let window = dates::read(
            front,
            file,
            Kind::Page,
            &Calendar::default(),
            publication.now,
            &mut Vec::new(),
        )
        .window;
        let nav = fields::nav(front).unwrap_or_default();
        let context = Context {
            now: publication.now,
            status_counts: true,
            key: publication.plan.kind.publishing_key,
            audience: publication.plan.kind.dialect.audience,
        };
        let visibility = visibility::decide(front, &window, &file.path, context, &mut Vec::new());
        let is_public = visibility == Visibility::Published;
        let title = nav.label.or_else(|| fields::title(front));
        facts.insert(
            folder(),
            FolderFacts {
                title: title.filter(|_| is_public),
                weight: order.weight(fields::weight(front)),
                hidden: nav.hidden,
                section,
            },
        );
    }
    facts
}

/// The language that an index is in, if its path says so, and the path of its folder without it.
fn place(file: &str, texts: &Texts<'_>) -> (String, String) {
    let path = paths::folder(file);
    let mut parts: Vec<&str> = path.split('/').collect();
    let named = |part: &&str| {
        language::in_name(part).filter(|tag| texts.languages.contains_key(tag.as_str()))
    };
    let (_, suffix) = divided(file);
    if let Some(language) = named(&suffix) {
        return (language, path.to_owned());
    }
    let found = parts.iter().position(|part| named(part).is_some());
    let Some(at) = found else {
        return (String::new(), path.to_owned());
    };
    let language = named(&parts[at]).unwrap_or_default();
    parts.remove(at);
    (language, parts.join("/"))
}
