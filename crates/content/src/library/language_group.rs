//! Finds translations by the languages in paths: `de/legal.md`, `pages.de/legal.md`, `legal.de.md`.
//!
//! A name in a path is a language by evidence alone: the configuration or a text says so, or the
//! same path exists without it or with another language.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    hash::Hash,
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    classify::{Area, OTHER_MEANINGS, Role},
    parse::Parsed,
    paths::{split_name, without_suffix},
};
use crate::dialects::{Kind, Locale};
use crate::model::{
    fingerprint::{Digest, Fingerprint},
    language, parallel,
};

/// Folders of a path that may name a language: the outermost ones.
const OUTERMOST: usize = 3;
/// Marks in a folder's name behind which a language may follow.
const MOST_MARKS: usize = 8;

/// A path without its language, equal for translations of each other, and that language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LanguagePath {
    pub group: String,
    /// The tag of its language.
    pub language: Option<String>,
}

impl LanguagePath {
    /// The path of a text that is the home page in another language: `de/index.md` and `index.de.md`
    /// are the page `de`.
    pub fn home_of_language(&self, area: Area, rel: &str) -> Option<String> {
        let is_text = matches!(area, Area::Articles | Area::Pages);
        if !is_text || self.language.is_none() || self.group != INDEX {
            return None;
        }
        let path = without_suffix(rel);
        let language = path.strip_suffix("/index").or(path.strip_prefix("index."));
        language.map(|language| format!("{language}.md"))
    }
}

/// The path of a home page.
const INDEX: &str = "index";

/// A part of a path that may name a language.
struct Part {
    /// The path without it.
    group: String,
    /// The part as evidence counts it: `de` for folders, `pages.de`, `.de` for files.
    key: String,
    /// The name of the language.
    name: String,
    tag: String,
}

/// How many texts have a part, and how many of them exist without it or in another language.
#[derive(Default)]
struct Count {
    texts: usize,
    pairs: usize,
}

/// The path of a text, and the language that its front matter names.
type Declared<'t> = (&'t Arc<str>, Option<&'t str>);

/// The evidence that names in paths are languages.
#[derive(Debug, Default)]
pub struct LanguageGroups {
    locales: Vec<Locale>,
    /// How many texts may be translations of each path, by folders and by suffixes.
    folders: FxHashMap<String, usize>,
    suffixes: FxHashMap<String, usize>,
    /// The parts that are languages wherever they occur.
    proven: FxHashSet<String>,
    /// The languages in the paths of all texts.
    divided: FxHashMap<Arc<str>, LanguagePath>,
    /// The languages of texts that a slug joins with others.
    joined: FxHashMap<Arc<str>, String>,
}

/// The paths of all texts, and the languages that their front matter names.
fn texts<'t>(
    roles: &'t [Role],
    parsed: &'t [Option<Arc<Parsed>>],
) -> impl Iterator<Item = (&'t Arc<str>, Option<&'t str>)> {
    let texts = roles.iter().zip(parsed);
    texts.filter_map(|(role, parsed)| match (role, parsed) {
        (
            Role::Text {
                area: Area::Articles | Area::Pages,
                rel,
                ..
            },
            Some(parsed),
        ) => Some((rel, parsed.language.as_deref())),
        _ => None,
    })
}

/// Whether a text is the content of the home page.
fn has_home(roles: &[Role]) -> bool {
    let is_home = |role: &Role| {
        matches!(
            role,
            Role::Text {
                area: Area::Home,
                ..
            }
        )
    };
    roles.iter().any(is_home)
}

impl LanguageGroups {
    /// Scans the paths of all texts. `parsed` has one element for each file.
    pub fn infer(roles: &[Role], parsed: &[Option<Arc<Parsed>>], kind: &Kind) -> Self {
        let mut groups = Self {
            locales: kind.config.locales.clone(),
            ..Self::default()
        };
        let all: Vec<(&Arc<str>, Option<&str>)> = texts(roles, parsed).collect();
        let mut texts = Vec::with_capacity(all.len());
        for (rel, declared) in &all {
            texts.push((without_suffix(rel), *declared));
        }
        groups.find_folders(&texts);
        // A folder may have an index for other reasons than a language; a suffix of one may not.
        texts.extend(has_home(roles).then_some((INDEX, None)));
        groups.find_suffixes(&texts);
        groups.divided = groups.divide_all(&all);
        if kind.config.slugs_join_languages {
            groups.join(roles, parsed);
        }
        groups
    }

    /// Joins texts with one slug of which all but one name a language of their own.
    fn join(&mut self, roles: &[Role], parsed: &[Option<Arc<Parsed>>]) {
        let mut slugs: BTreeMap<(Area, &str), Vec<Declared<'_>>> = BTreeMap::new();
        for (role, parsed) in roles.iter().zip(parsed) {
            if let (Role::Text { area, rel, .. }, Some(parsed)) = (role, parsed)
                && let Some(slug) = parsed.front.text(&["slug"])
            {
                let language = parsed.language.as_deref();
                slugs
                    .entry((*area, slug))
                    .or_default()
                    .push((rel, language));
            }
        }
        for mut texts in slugs.into_values().filter(|texts| texts.len() > 1) {
            texts.sort_by_key(|(_, language)| *language);
            let languages: BTreeSet<_> = texts.iter().map(|(_, language)| *language).collect();
            let Some((first, _)) = texts.first().filter(|_| languages.len() == texts.len()) else {
                continue;
            };
            let group = self.divide(first).group.clone();
            for (rel, language) in &texts {
                let path = LanguagePath {
                    group: group.clone(),
                    language: language.map(str::to_owned),
                };
                self.divided.insert(Arc::clone(rel), path);
                let other = language.filter(|_| rel != first);
                self.joined
                    .extend(other.map(|one| (Arc::clone(rel), one.to_owned())));
            }
        }
    }

    /// The language of a text that a slug joins with others; `None`: its path says it.
    pub fn joined(&self, path: &str) -> Option<&str> {
        self.joined.get(path).map(String::as_str)
    }

    fn divide_all(&self, texts: &[(&Arc<str>, Option<&str>)]) -> FxHashMap<Arc<str>, LanguagePath> {
        let divided = |(rel, _): &(&Arc<str>, Option<&str>)| {
            let rel: &Arc<str> = rel;
            (Arc::clone(rel), self.divide_anew(rel))
        };
        parallel::map(texts, divided).into_iter().collect()
    }

    /// A digest of all inputs of [`infer`](Self::infer).
    pub fn key(roles: &[Role], parsed: &[Option<Arc<Parsed>>], kind: &Kind) -> Digest {
        let mut sum = Fingerprint::with_room(roles.len() * 64);
        (&kind.config.locales, has_home(roles)).hash(&mut sum);
        if kind.config.slugs_join_languages {
            for parsed in parsed.iter().flatten() {
                parsed.front.text(&["slug"]).hash(&mut sum);
            }
        }
        for text in texts(roles, parsed) {
            text.hash(&mut sum);
        }
        sum.digest()
    }

    fn find_folders(&mut self, texts: &[(&str, Option<&str>)]) {
        let parts: Vec<Vec<Part>> = texts
            .iter()
            .map(|(path, _)| self.folder_parts(path))
            .collect();
        for ((path, declared), parts) in texts.iter().zip(&parts) {
            *self.folders.entry((*path).to_owned()).or_default() += 1;
            for part in parts {
                *self.folders.entry(part.group.clone()).or_default() += 1;
                if *declared == Some(&*part.tag) {
                    self.proven.insert(part.key.clone());
                }
            }
        }
        let counts = counted(parts.iter().flatten(), &self.folders);
        self.prove(counts);
    }

    /// Suffixes of files, each counted once for all languages that folders name.
    fn find_suffixes(&mut self, texts: &[(&str, Option<&str>)]) {
        let mut seen = FxHashSet::default();
        let mut parts = Vec::new();
        for (path, declared) in texts {
            let divided = self.by_folder(path);
            let path = divided.map_or_else(|| (*path).to_owned(), |part| part.group);
            if !seen.insert(path.clone()) {
                continue;
            }
            if let Some(part) = self.suffix_part(&path) {
                *self.suffixes.entry(part.group.clone()).or_default() += 1;
                if *declared == Some(&*part.tag) {
                    self.proven.insert(part.key.clone());
                }
                parts.push(part);
            }
            *self.suffixes.entry(path).or_default() += 1;
        }
        let counts = counted(parts.iter(), &self.suffixes);
        self.prove(counts);
    }

    /// Adds the parts that most of their texts prove.
    fn prove(&mut self, counts: FxHashMap<&str, Count>) {
        let proven = counts
            .into_iter()
            .filter(|(key, count)| count.proves(key))
            .map(|(key, _)| key.to_owned());
        self.proven.extend(proven);
    }

    /// The language in a file's path.
    pub fn divide(&self, path: &str) -> Cow<'_, LanguagePath> {
        let known = self.divided.get(path);
        known.map_or_else(|| Cow::Owned(self.divide_anew(path)), Cow::Borrowed)
    }

    fn divide_anew(&self, path: &str) -> LanguagePath {
        let path = without_suffix(path);
        let part = self.by_folder(path).or_else(|| self.by_suffix(path));
        match part {
            Some(part) => LanguagePath {
                group: part.group,
                language: Some(part.tag),
            },
            None => LanguagePath {
                group: path.to_owned(),
                language: None,
            },
        }
    }

    fn by_folder(&self, path: &str) -> Option<Part> {
        let mut parts = self.folder_parts(path).into_iter();
        parts.find(|part| self.is_language(part, &self.folders))
    }

    fn by_suffix(&self, path: &str) -> Option<Part> {
        let part = self.suffix_part(path)?;
        self.is_language(&part, &self.suffixes).then_some(part)
    }

    fn is_language(&self, part: &Part, sizes: &FxHashMap<String, usize>) -> bool {
        let is_spelled_so = part.key == part.name || part.key.starts_with('.');
        is_spelled_so && self.locale(&part.name).is_some()
            || self.proven.contains(&part.key)
            || !has_other_meaning(&part.key)
                && is_plain(&part.key)
                && sizes.get(&part.group).is_some_and(|size| *size > 1)
    }

    /// The folders of a path that may be languages, outermost first.
    fn folder_parts(&self, path: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut start = 0;
        for segment in path.split('/').take(OUTERMOST) {
            let end = start + segment.len();
            let Some(rest) = path[end..].strip_prefix('/') else {
                break;
            };
            parts.extend(self.folder_part(&path[..start], segment, rest));
            start = end + 1;
        }
        parts
    }

    /// The part that a folder is, if its name or the suffix of its name is a language.
    fn folder_part(&self, before: &str, segment: &str, rest: &str) -> Option<Part> {
        let part = |group, name: &str, tag| Part {
            group,
            key: segment.to_owned(),
            name: name.to_owned(),
            tag,
        };
        if let Some(tag) = self.tag(segment) {
            return Some(part(format!("{before}{rest}"), segment, tag));
        }
        let (stem, name, tag) = self.folder_suffix(segment)?;
        Some(part(format!("{before}{stem}/{rest}"), name, tag))
    }

    /// `docs-zh-CN`: the name without the language, the language, and its tag.
    fn folder_suffix<'s>(&self, segment: &'s str) -> Option<(&'s str, &'s str, String)> {
        let mut marks = segment.match_indices(['.', '-', '_']).take(MOST_MARKS);
        marks.find_map(|(at, _)| {
            let (stem, name) = (&segment[..at], &segment[at + 1..]);
            let tag = self.tag(name).filter(|_| !stem.is_empty())?;
            Some((stem, name, tag))
        })
    }

    /// The suffix of a file that may be a language.
    fn suffix_part(&self, path: &str) -> Option<Part> {
        let (_, name) = split_name(path);
        let (stem, last) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(Part {
            group: path[..path.len() - last.len() - 1].to_owned(),
            key: format!(".{last}"),
            name: last.to_owned(),
            tag: self.tag(last)?,
        })
    }

    fn tag(&self, name: &str) -> Option<String> {
        match self.locale(name) {
            Some(locale) => Some(locale.tag.clone()),
            None => language::in_name(name),
        }
    }

    fn locale(&self, name: &str) -> Option<&Locale> {
        let mut locales = self.locales.iter();
        locales.find(|locale| locale.name.eq_ignore_ascii_case(name))
    }
}

/// The counts of these parts.
fn counted<'p>(
    parts: impl Iterator<Item = &'p Part>,
    sizes: &FxHashMap<String, usize>,
) -> FxHashMap<&'p str, Count> {
    let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
    for part in parts {
        let count = counts.entry(&part.key).or_default();
        count.texts += 1;
        count.pairs += usize::from(sizes.get(&part.group).is_some_and(|size| *size > 1));
    }
    counts
}

impl Count {
    /// Whether a part is a language in every path: so it is in half of them. A name with another meaning
    /// needs more than two.
    fn proves(&self, key: &str) -> bool {
        let least = if has_other_meaning(key) {
            3
        } else if is_plain(key) {
            1
        } else {
            2
        };
        self.pairs >= least && self.pairs * 2 >= self.texts
    }
}

/// Whether a part is only the name of a language, or a suffix of one.
fn is_plain(key: &str) -> bool {
    let name = key.strip_prefix('.').unwrap_or(key);
    language::in_name(name).is_some()
}

fn has_other_meaning(key: &str) -> bool {
    let name = key.strip_prefix('.').unwrap_or(key);
    OTHER_MEANINGS.contains(&name)
}
