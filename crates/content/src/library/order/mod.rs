//! The author's order: what the folder says of it, resolved against the published texts.
//!
//! `outline` finds where entries lead. `folders` orders the texts of a folder, and `parents` those
//! that name the text above them. `shape` decides between a journal and a guide. `emit` writes the
//! tree of each language.

mod emit;
mod folders;
mod outline;
mod parents;
mod section;
mod shape;

use std::{collections::BTreeMap, hash::Hash, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    article::Kind,
    candidate::Candidate,
    classify::Role,
    links::LinkTable,
    paths::{folder, inside, without_suffix},
    publication::Publication,
    untranslated,
};
use crate::dialects::order::Weight;
use crate::model::{
    fingerprint::{Digest, Fingerprint},
    problem::Problem,
    tree::{Shape, Tree},
};

/// The author's order of a folder.
#[derive(Debug, Default)]
pub struct Order {
    pub shape: Shape,
    /// Why it has this shape.
    pub why: String,
    /// The trees, one for each language with texts in it; the site's own language first.
    pub trees: Arc<Vec<Tree>>,
    pub problems: Vec<Problem>,
}

impl Order {
    /// A digest of everything that the order depends on; `addresses` is that of the links.
    pub fn key(publication: &Publication<'_>, addresses: &Digest) -> Digest {
        let mut sum = Fingerprint::new();
        (addresses, &publication.outline_key).hash(&mut sum);
        if publication.plan.kind.dialect.sorts_sections {
            for candidate in &publication.candidates {
                candidate.dates.updated.value.hash(&mut sum);
            }
        }
        folders::hash(publication, &mut sum);
        sum.digest()
    }

    /// Decides the order of a folder.
    pub fn decide(publication: &Publication<'_>, table: &LinkTable<'_>) -> Self {
        let texts = Texts::collect(publication);
        let outline = &publication.outline;
        let mut problems = outline.problems.clone();
        let mut resolved = outline::resolve(publication, table, &texts, outline, &mut problems);
        let mut weight = outline.weight;
        if weight == Weight::None
            && let Some(by_parent) = parents::resolve(publication, &texts)
        {
            (resolved, weight) = (by_parent, Weight::Menu);
        }
        let (shape, why) = shape::decide(publication, &texts, &resolved, weight);
        let is_own_nav = !publication.site.nav.is_empty();
        if shape == Shape::Journal && weight == Weight::Menu && !is_own_nav {
            // A menu of the generator orders nothing here, so its entries need no target.
            problems.clone_from(&outline.problems);
        }
        let mut trees = Vec::new();
        if shape == Shape::Guide {
            trees = emit::trees(publication, &texts, &resolved);
            if trees.is_empty() {
                resolved = outline::articles(publication);
                trees = emit::trees(publication, &texts, &resolved);
            }
        }
        Self {
            shape,
            why,
            trees: Arc::new(trees),
            problems,
        }
    }
}

/// One listed text.
struct Text<'w> {
    candidate: &'w Candidate,
    /// Its path in the folder without suffix and language; `index` at the end for the text of a
    /// folder.
    path: String,
}

/// The listed texts of a folder.
struct Texts<'w> {
    all: Vec<Text<'w>>,
    /// The number of the text of each candidate.
    numbers: Vec<Option<usize>>,
    /// The texts of each language by path.
    languages: BTreeMap<&'w str, Vec<usize>>,
    /// Translations of each other: by language.
    groups: FxHashMap<(Kind, &'w str), BTreeMap<&'w str, usize>>,
}

impl<'w> Texts<'w> {
    fn collect(publication: &'w Publication<'_>) -> Self {
        let mut texts = Self {
            all: Vec::new(),
            numbers: vec![None; publication.candidates.len()],
            languages: BTreeMap::new(),
            groups: FxHashMap::default(),
        };
        for (at, candidate) in publication.candidates.iter().enumerate() {
            if !publication.is_published(candidate) || !candidate.is_listed() {
                continue;
            }
            texts.add(publication, at, candidate);
        }
        texts.fill_in(publication);
        let Self { all, languages, .. } = &mut texts;
        for numbers in languages.values_mut() {
            numbers.sort_by(|one, other| all[*one].path.cmp(&all[*other].path));
        }
        texts
    }

    fn add(&mut self, publication: &Publication<'_>, at: usize, candidate: &'w Candidate) {
        let number = self.all.len();
        self.numbers[at] = Some(number);
        let language = candidate.language.value.as_str();
        let group = (candidate.kind, candidate.language_group.as_str());
        self.languages.entry(language).or_default().push(number);
        let group = self.groups.entry(group).or_default();
        group.entry(language).or_insert(number);
        let path = neutral(
            &candidate.path,
            &publication.plan.roles[candidate.file],
            candidate,
        );
        self.all.push(Text { candidate, path });
    }

    /// Adds texts of the default language to the languages that lack them, where the generator does.
    fn fill_in(&mut self, publication: &'w Publication<'_>) {
        for locale in untranslated::languages(publication) {
            let Some(numbers) = self.languages.get_mut(locale.tag.as_str()) else {
                continue;
            };
            for (number, text) in self.all.iter().enumerate() {
                let candidate = text.candidate;
                let group = (candidate.kind, candidate.language_group.as_str());
                if untranslated::is_default(publication, candidate)
                    && let Some(group) = self.groups.get_mut(&group)
                    && !group.contains_key(locale.tag.as_str())
                {
                    group.insert(&locale.tag, number);
                    numbers.push(number);
                }
            }
        }
    }

    fn language(&self, text: usize) -> &'w str {
        let candidate: &'w Candidate = self.all[text].candidate;
        &candidate.language.value
    }

    /// The text in another language with the same content, or what replaces it; the text itself
    /// in its own.
    fn in_language(&self, text: usize, language: &str) -> Option<usize> {
        let candidate = self.all[text].candidate;
        if candidate.language.value == language {
            return Some(text);
        }
        let group = (candidate.kind, candidate.language_group.as_str());
        self.groups.get(&group)?.get(language).copied()
    }

    /// The texts of a language below a folder, by path; the empty folder is the root.
    fn below(&self, folder: &str, language: &str) -> &[usize] {
        let Some(numbers) = self.languages.get(language) else {
            return &[];
        };
        if folder.is_empty() {
            return numbers;
        }
        let prefix = format!("{folder}/");
        let start = numbers.partition_point(|text| self.all[*text].path < prefix);
        let rest = &numbers[start..];
        let end = rest.partition_point(|text| self.all[*text].path.starts_with(&prefix));
        &rest[..end]
    }
}

/// The path of a text without suffix and language.
fn neutral(path: &str, role: &Role, candidate: &Candidate) -> String {
    let Role::Text { rel, .. } = role else {
        return without_suffix(path).to_owned();
    };
    // The part of the path that is not in the address.
    let (own, rel_folder) = (folder(path), folder(rel));
    let root = own
        .strip_suffix(rel_folder)
        .unwrap_or(own)
        .trim_matches('/');
    if candidate.language_group.is_empty() {
        return without_suffix(path).to_owned();
    }
    inside(root, &candidate.language_group)
}
