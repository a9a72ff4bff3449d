//! Links to the pages of sections, which depend on the order of all texts.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{linking::ArticleLinks, order::Order, publication::Publication};
use crate::model::{document::Target, sections, tree::Shape};

/// Drops the links to sections that do not exist. The order of texts decides which do, and the other
/// links decide that order.
pub fn settle(publication: &Publication<'_>, order: &Order, linked: &mut [Arc<ArticleLinks>]) {
    if linked.iter().all(|links| !links.has_sections()) {
        return;
    }
    let known = sections(publication, order);
    let exists = |target: &Target| match target {
        Target::Page { stem, .. } => known.contains(&**stem),
        Target::File { path, .. } => known.contains(&**path),
        _ => false,
    };
    for links in linked {
        if links.has_sections() {
            Arc::make_mut(links).drop_sections(&exists);
        }
    }
}

/// The stems of the pages of sections, and the paths of their feeds.
fn sections(publication: &Publication<'_>, order: &Order) -> FxHashSet<String> {
    let pages = publication.published().map(|text| &*text.stem.value);
    let mut known = FxHashSet::default();
    for tree in sections::of_trees(&order.trees, pages) {
        known.extend(
            tree.stems
                .into_iter()
                .flatten()
                .map(|stem| stem.to_string()),
        );
    }
    if order.shape == Shape::Journal {
        let articles = publication.listed_articles();
        let articles = articles.map(|text| (&*text.stem.value, text.language.value.as_str()));
        for folder in sections::of_journal(articles) {
            let stem = [sections::FOLDER, folder].concat();
            known.extend([format!("{stem}.rss"), stem]);
        }
    }
    known
}
