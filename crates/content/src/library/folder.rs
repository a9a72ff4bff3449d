//! What only the whole folder can say: the order of day and month, which folders are languages, who the authors are, what a summary names.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::classify::{Area, Role};
use super::parse::Parsed;
use crate::dialects::Kind;
use crate::model::date::{self, Order, Written};
use crate::model::format::is_markdown;
use crate::model::language;
use crate::model::sources::Sources;
use crate::syntax::front::{self, Value};

/// Keys of the date of publication, in the order in which they count.
pub(crate) const DATE_KEYS: [&str; 9] =
    ["date", "published", "pubDate", "publishDate", "publish_date", "created", "created_at", "ms.date", "date_published"];
/// Keys of the date of the last change.
pub(crate) const UPDATED_KEYS: [&str; 10] = [
    "updated",
    "lastmod",
    "last_modified",
    "last_modified_at",
    "modified",
    "updated_at",
    "last_update.date",
    "dateModified",
    "lastUpdated",
    "updatedDate",
];

/// What only the whole folder can say.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Which number of `03/04/2015` is the month, where the folder proves it.
    pub order: Option<Order>,
    /// Author ids and the names they stand for.
    pub authors: BTreeMap<String, String>,
    /// Labels and positions of files that a `SUMMARY.md` lists.
    pub summary: FxHashMap<String, (String, i64)>,
    /// The words that HTML pages share in their names.
    pub shared_names: super::names::Shared,
    /// Keys of equal content in several languages: how often each occurs.
    shared: FxHashMap<String, usize>,
    /// Folder names that a file inside calls its language.
    spoken: FxHashSet<String>,
}

/// The language that a path names, and the path without it: equal for translations of each other.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Tongue {
    pub key: String,
    /// The folder or suffix, and its tag.
    pub named: Option<(String, String)>,
}

/// A path taken apart, before anything is known of the folder.
struct Apart<'r> {
    key: &'r str,
    named: Option<(&'r str, String)>,
}

impl<'r> Apart<'r> {
    /// Takes apart `de/legal.md` and `legal.de.md`.
    fn of(rel: &'r str) -> Self {
        let bare = rel.rsplit_once('.').filter(|(_, suffix)| !suffix.contains('/')).map_or(rel, |(bare, _)| bare);
        let folder = bare.split_once('/').and_then(|(first, rest)| Some((first, language::in_name(first)?, rest)));
        if let Some((name, tag, rest)) = folder {
            return Self { key: rest, named: Some((name, tag)) };
        }
        let suffix = bare.rsplit_once('.').and_then(|(rest, last)| Some((last, language::in_name(last)?, rest)));
        match suffix {
            Some((name, tag, rest)) => Self { key: rest, named: Some((name, tag)) },
            None => Self { key: bare, named: None },
        }
    }
}

impl Folder {
    /// Looks at all files together. `parsed` has one place for each file.
    pub fn of(sources: &Sources, roles: &[Role], parsed: &[Option<Arc<Parsed>>], kind: &Kind) -> Self {
        let mut folder = Self { order: order(parsed), authors: authors(sources), summary: summary(sources, kind), ..Self::default() };
        folder.spoken.extend(kind.config.languages.iter().cloned());
        let names: Vec<_> = parsed.par_iter().flatten().filter_map(|parsed| parsed.names.as_deref()).collect();
        folder.shared_names = super::names::Shared::of(names.into_iter());
        let texts = roles.par_iter().zip(parsed).filter_map(|(role, parsed)| match (role, parsed) {
            (Role::Text { area: Area::Articles | Area::Pages, rel, .. }, Some(parsed)) => Some((Apart::of(rel), parsed)),
            _ => None,
        });
        let texts: Vec<(Apart<'_>, &Arc<Parsed>)> = texts.collect();
        // Mostly no path names a language, and then nobody asks how often a key occurs.
        if texts.iter().all(|(apart, _)| apart.named.is_none()) {
            return folder;
        }
        for (Apart { key, named }, parsed) in texts {
            if let Some((name, tag)) = named {
                let said = parsed.front.text(&["lang", "language", "locale"]).and_then(language::tag);
                if said == Some(tag) {
                    folder.spoken.insert(name.to_owned());
                }
            }
            *folder.shared.entry(key.to_owned()).or_default() += 1;
        }
        folder
    }

    /// The language that a file's path names, where the folder proves that it is one: a file inside says so, or the same path exists elsewhere.
    pub fn tongue(&self, rel: &str) -> Tongue {
        let Apart { key, named } = self.apart(rel);
        Tongue { key: key.to_owned(), named: named.map(|(name, tag)| (name.to_owned(), tag)) }
    }

    fn apart<'r>(&self, rel: &'r str) -> Apart<'r> {
        let apart = Apart::of(rel);
        let proven =
            apart.named.as_ref().is_some_and(|(name, _)| self.spoken.contains(*name) || self.shared.get(apart.key).is_some_and(|count| *count > 1));
        if proven || apart.named.is_none() {
            return apart;
        }
        Apart { key: rel.rsplit_once('.').map_or(rel, |(bare, _)| bare), named: None }
    }
}

/// Which orders of day and month the dates of one text prove.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proofs {
    month_first: bool,
    day_first: bool,
}

impl Proofs {
    pub fn of(front: &front::Front) -> Self {
        let texts = DATE_KEYS.iter().chain(&UPDATED_KEYS).filter_map(|key| front.text(&[key]));
        let orders = texts.filter(|text| text.bytes().take(3).any(|byte| matches!(byte, b'/' | b'-'))).filter_map(|text| match date::read(text) {
            Ok(Written::Slashed(slashed)) => slashed.proves(),
            _ => None,
        });
        orders.fold(Self::default(), |proofs, order| Self {
            month_first: proofs.month_first || order == Order::MonthFirst,
            day_first: proofs.day_first || order == Order::DayFirst,
        })
    }
}

/// A day over 12 proves an order; two that contradict each other prove none.
fn order(parsed: &[Option<Arc<Parsed>>]) -> Option<Order> {
    let proofs = parsed.par_iter().flatten().map(|parsed| (parsed.proofs.month_first, parsed.proofs.day_first));
    match proofs.reduce(|| (false, false), |one, other| (one.0 || other.0, one.1 || other.1)) {
        (true, false) => Some(Order::MonthFirst),
        (false, true) => Some(Order::DayFirst),
        _ => None,
    }
}

/// Author files: `_data/authors.yml` and its like (`id: { name: … }`), and one Markdown file for each author.
fn authors(sources: &Sources) -> BTreeMap<String, String> {
    const FILES: [&str; 6] = ["_data/authors.yml", "_data/authors.yaml", "data/authors.yml", "data/authors.yaml", "blog/authors.yml", "authors.yml"];
    const FOLDERS: [&str; 7] = ["_authors/", "_team_members/", "_team/", "authors/", "content/authors/", "data/authors/", "src/content/authors/"];
    let mut authors = BTreeMap::new();
    let mut insert = |id: &str, name: Option<&str>| {
        if let Some(name) = name {
            authors.entry(id.to_owned()).or_insert_with(|| crate::model::text::plain(name));
        }
    };
    let at = |path: &str| sources.files.partition_point(|file| *file.path < *path);
    for path in FILES {
        let Some(file) = sources.files.get(at(path)).filter(|file| *file.path == *path) else { continue };
        let text = format!("---\n{}\n---\n", String::from_utf8_lossy(&file.bytes).trim_start_matches("---"));
        for entry in front::split(&text, path).front.entries {
            let name = ["name", "full_name", "display_name", "title"].into_iter().find_map(|key| entry.node.get(key)?.node.text().map(str::to_owned));
            insert(&entry.key.text, name.as_deref().or_else(|| entry.node.text()));
        }
    }
    for folder in FOLDERS {
        for file in sources.files[at(folder)..].iter().take_while(|file| file.path.starts_with(folder)) {
            let id = file.path[folder.len()..].rsplit_once('.').map_or("", |(id, _)| id).trim_end_matches("/_index").trim_end_matches("/index");
            let text = String::from_utf8_lossy(&file.bytes);
            if !id.is_empty() && is_markdown(&file.path) {
                insert(id, front::split(&text, &file.path).front.text(&["name", "full_name", "display_name", "title"]));
            }
        }
    }
    authors
}

/// The labels of a `SUMMARY.md`, by the paths that they link.
pub(super) fn summary(sources: &Sources, kind: &Kind) -> FxHashMap<String, (String, i64)> {
    let mut labels = FxHashMap::default();
    let mut position = 0;
    for root in std::iter::once("").chain(kind.dialect.roots.iter().copied()) {
        let folder = if root.is_empty() { String::new() } else { format!("{root}/") };
        let path = format!("{folder}SUMMARY.md");
        let Some(file) = sources.files.binary_search_by(|file| (*file.path).cmp(path.as_str())).ok().and_then(|at| sources.files.get(at)) else {
            continue;
        };
        for line in String::from_utf8_lossy(&file.bytes).lines() {
            let found =
                line.split_once('[').and_then(|(_, rest)| rest.rsplit_once("](")).and_then(|(label, rest)| Some((label, rest.split_once(')')?.0)));
            let Some((label, target)) = found.filter(|(_, target)| is_markdown(target)) else { continue };
            position += 1;
            let target = format!("{folder}{}", target.trim_matches(['<', '>']).trim_start_matches("./").replace("%20", " "));
            labels.entry(target).or_insert_with(|| (crate::model::text::plain(label), position));
        }
    }
    labels
}

/// The texts of a value that may be a list, a text with commas, or maps with a name.
pub(crate) fn names(node: &front::Node, by_space: bool) -> Vec<String> {
    const NAMES: [&str; 6] = ["name", "title", "label", "id", "slug", "value"];
    let named = |node: &front::Node| match &node.value {
        Value::Map(_) => NAMES.into_iter().find_map(|key| node.get(key)?.node.text()).map(str::to_owned),
        _ => node.text().map(str::to_owned),
    };
    let mut names: Vec<String> = Vec::new();
    match &node.value {
        Value::Scalar { .. } => {
            let text = node.text().unwrap_or_default();
            let apart =
                |character: char| if by_space && !text.contains(',') { character.is_whitespace() } else { matches!(character, ',' | ';' | '、') };
            for part in text.split(apart) {
                match names.last_mut().filter(|_| matches!(part.trim(), "Jr." | "Jr" | "Sr." | "PhD" | "Ph.D." | "MD" | "III" | "II")) {
                    Some(before) => *before = format!("{before}, {}", part.trim()),
                    None => names.push(part.to_owned()),
                }
            }
        }
        Value::List(items) => names.extend(items.iter().filter_map(named)),
        Value::Map(entries) if NAMES.iter().any(|key| node.get(key).is_some()) || entries.is_empty() => names.extend(named(node)),
        Value::Map(entries) => names.extend(entries.iter().flat_map(|entry| entry.node.items().iter().filter_map(named))),
    }
    names.into_iter().map(|name| crate::model::text::plain(&name)).filter(|name| !name.is_empty()).collect()
}
