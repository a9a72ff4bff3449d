//! What a 404 may suggest, for as long as the listed pages are the same: an edit seldom changes what one is called.

use std::sync::Arc;

use diglot_content::Article;
use rayon::prelude::*;

use crate::documents::rows::Key;
use crate::documents::{Entry, Material};
use crate::errors::Nearest;
use crate::nearest::Suggested;

/// The pages that an edition may suggest, for the next.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// What tells their pages from others.
    keys: Vec<Key>,
    pub(super) pages: Arc<Suggested>,
}

impl Listed {
    /// Those of this material; `self` are those of the edition before.
    pub(super) fn again(&self, material: &Material<'_>) -> Self {
        let entries = &material.entries;
        let keys = entries.iter().map(|entry| entry.key).collect();
        let pages = if self.are_of(entries) { Arc::clone(&self.pages) } else { Arc::new(listed(entries).into()) };
        Self { keys, pages }
    }

    fn are_of(&self, entries: &[Entry<'_>]) -> bool {
        let same = |((entry, key), page): ((&Entry<'_>, &Key), &Nearest)| {
            let is_called_so = || *page.title == *entry.title && entry.route.stem().is_some_and(|stem| *stem == *page.stem);
            key.is_some() && *key == entry.key || is_called_so()
        };
        let pages = self.pages.pages();
        entries.len() == self.keys.len() && entries.len() == pages.len() && entries.par_iter().zip(&self.keys).zip(pages).all(same)
    }
}

/// They stay as long as the edition, so they have no more room than they need.
fn listed(entries: &[Entry<'_>]) -> Vec<Nearest> {
    let mut listed = Vec::with_capacity(entries.len());
    listed.extend(entries.iter().filter_map(nearest));
    listed
}

/// What a 404 may suggest of a page; its texts are the article's own where it has them.
fn nearest(entry: &Entry<'_>) -> Option<Nearest> {
    let own = |text: fn(&Article) -> &Arc<str>, of: &str| entry.article.map(text).filter(|own| ***own == *of).map_or_else(|| of.into(), Arc::clone);
    Some(Nearest { title: own(|article| &article.title, entry.title), stem: own(|article| &article.stem, &entry.route.stem()?) })
}
