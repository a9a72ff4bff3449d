//! Journal or guide.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{
    Texts,
    outline::{EntryTarget, Resolved, ResolvedEntry},
};
use crate::dialects::FolderOrder;
use crate::dialects::order::Weight;
use crate::library::{
    article::Kind,
    paths::{folder, name, order_number},
    publication::Publication,
};
use crate::model::text::counted;
use crate::model::tree::Shape;

/// How many texts make a navigation an order of the site, however many texts are outside it.
const ENOUGH: usize = 5;

/// The shape of a site, and why.
pub fn decide(
    publication: &Publication<'_>,
    texts: &Texts<'_>,
    resolved: &Resolved<'_>,
    weight: Weight,
) -> (Shape, String) {
    if let Some(shape) = publication.site.shape {
        return (shape, "it is set".to_owned());
    }
    let named = named(texts, resolved);
    let all = texts.all.len();
    let ordered = |by: &str| {
        let why = format!("{by} orders {}", counted(named, "text"));
        (Shape::Guide, why)
    };
    let sorts_by_weight = publication.plan.kind.dialect.folder_order == FolderOrder::Newest;
    let counts = Counts::count(texts, sorts_by_weight);
    let is_navigation =
        weight == Weight::Navigation && (named >= ENOUGH || named > 0 && named * 10 >= all);
    // A blog has a menu of its sections, too.
    let is_menu = weight == Weight::Menu && named * 2 > all && !counts.are_dated();
    if is_navigation || is_menu {
        return ordered(&source(publication));
    }
    by_counts(&counts)
}

/// Where the order is from.
fn source(publication: &Publication<'_>) -> String {
    let file = &publication.outline.file;
    if file.is_empty() {
        "the folder".to_owned()
    } else {
        format!("`{file}`")
    }
}

/// The shape of a site whose author ordered few of its texts.
fn by_counts(counts: &Counts) -> (Shape, String) {
    let Counts {
        articles,
        dated,
        weighted,
        nested,
        ..
    } = *counts;
    if articles == 0 || counts.are_dated() {
        let why = format!("{dated} of {articles} articles have a date");
        return (Shape::Journal, why);
    }
    if weighted * 2 >= articles {
        return (
            Shape::Guide,
            format!("{weighted} of {articles} articles have a weight or number, {dated} a date"),
        );
    }
    if nested > 0 {
        return (
            Shape::Guide,
            format!("its articles are in folders, and {dated} of {articles} have a date"),
        );
    }
    (Shape::Journal, "nothing orders its articles".to_owned())
}

/// How many texts the author's order names.
fn named(texts: &Texts<'_>, resolved: &Resolved<'_>) -> usize {
    let mut found = FxHashSet::default();
    count(&resolved.items, texts, &mut found);
    found.len()
}

fn count(entries: &[ResolvedEntry<'_>], texts: &Texts<'_>, found: &mut FxHashSet<usize>) {
    for entry in entries {
        match &entry.to {
            EntryTarget::Text(text) => {
                found.insert(*text);
            }
            EntryTarget::Folder(path) => {
                for language in texts.languages.keys() {
                    found.extend(texts.below(path, language));
                }
            }
            EntryTarget::Nowhere | EntryTarget::Hidden | EntryTarget::Site(_) => {}
        }
        count(&entry.items, texts, found);
    }
}

/// What articles have.
#[derive(Default)]
struct Counts {
    articles: usize,
    /// With a date that their author gave.
    dated: usize,
    /// With a weight, or a number before their name.
    weighted: usize,
    /// In a folder below that of the articles.
    nested: usize,
    /// In sections that their weights order, where the generator asks for a weight before a date.
    by_weight: usize,
}

/// The articles of one section.
#[derive(Default)]
struct SectionCounts<'t> {
    articles: usize,
    weighted: usize,
    /// The different weights, by folder.
    weights: FxHashSet<(&'t str, i64)>,
}

impl SectionCounts<'_> {
    /// Whether nearly all texts have a weight, and most have one of their own: a template may give
    /// all of them the same.
    fn are_by_weight(&self) -> bool {
        self.weighted * 10 >= self.articles * 9 && self.weights.len() * 2 > self.articles
    }
}

/// How many articles are in sections that weights order.
fn by_weight(texts: &Texts<'_>) -> usize {
    let mut sections: BTreeMap<(&str, &str), SectionCounts<'_>> = BTreeMap::new();
    for text in &texts.all {
        let candidate = text.candidate;
        let Some(slug) = candidate.stem.value.strip_prefix("/articles/") else {
            continue;
        };
        let (first, _) = slug.split_once('/').unwrap_or_default();
        let language = candidate.language.value.as_str();
        let section = sections.entry((language, first)).or_default();
        section.articles += 1;
        if let Some(weight) = candidate.weight {
            section.weighted += 1;
            section.weights.insert((folder(&text.path), weight));
        }
    }
    let sections = sections.values().filter(|section| section.are_by_weight());
    sections.map(|section| section.articles).sum()
}

impl Counts {
    /// Whether most articles have a date of their author, which orders them.
    fn are_dated(&self) -> bool {
        let is_by_weight = self.by_weight * 2 > self.articles;
        self.articles > 0 && self.dated * 2 >= self.articles && !is_by_weight
    }

    fn count(texts: &Texts<'_>, sorts_by_weight: bool) -> Self {
        let mut counts = Self::default();
        if sorts_by_weight {
            counts.by_weight = by_weight(texts);
        }
        for text in &texts.all {
            let candidate = text.candidate;
            if candidate.kind != Kind::Article {
                continue;
            }
            let slug = candidate.stem.value.strip_prefix("/articles/");
            let is_weighted =
                candidate.weight.is_some() || order_number(name(&text.path)).is_some();
            counts.articles += 1;
            counts.dated += usize::from(candidate.dates.is_given());
            counts.weighted += usize::from(is_weighted);
            counts.nested += usize::from(slug.is_some_and(|slug| slug.contains('/')));
        }
        counts
    }
}
