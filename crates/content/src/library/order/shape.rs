//! Journal or guide.

use rustc_hash::FxHashSet;

use super::{
    Texts,
    outline::{Entry, EntryTarget, Resolved},
};
use crate::dialects::order::Weight;
use crate::library::{
    article::Kind,
    paths::{name, order_number},
    publication::Publication,
};
use crate::model::tree::Shape;

/// How many texts make a navigation an order of the site, however many texts are outside it.
const ENOUGH: usize = 5;

/// The shape of a site, and why.
pub fn decide(
    work: &Publication<'_>,
    texts: &Texts<'_>,
    resolved: &Resolved<'_>,
    weight: Weight,
) -> (Shape, String) {
    if let Some(shape) = work.site.shape {
        return (shape, "it is set".to_owned());
    }
    let named = named(texts, resolved);
    let all = texts.all.len();
    let ordered = |by: &str| (Shape::Guide, format!("{by} orders {named} texts"));
    let counts = Counts::of(texts);
    let is_navigation =
        weight == Weight::Navigation && (named >= ENOUGH || named > 0 && named * 10 >= all);
    // A blog has a menu of its sections, too.
    let is_menu = weight == Weight::Menu && named * 2 > all && !counts.are_dated();
    if is_navigation || is_menu {
        return ordered(&source(work));
    }
    by_counts(&counts)
}

/// Where the order is from.
fn source(work: &Publication<'_>) -> String {
    let file = &work.outline.file;
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

fn count(entries: &[Entry<'_>], texts: &Texts<'_>, found: &mut FxHashSet<usize>) {
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
}

impl Counts {
    /// Whether most articles have a date of their author.
    fn are_dated(&self) -> bool {
        self.articles > 0 && self.dated * 2 >= self.articles
    }

    fn of(texts: &Texts<'_>) -> Self {
        let mut counts = Self::default();
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
