//! The languages of listed articles: which of them the list of all articles is in, and which have a
//! list of their own. Also the language of the built-in texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diglot_content::language::of_lists;

use super::Context;

/// The language of the built-in texts.
pub(super) const BUILT_IN: &str = "en";
/// The stem of the list of all articles.
pub(super) const ALL: &str = "/articles/index";

/// The languages of listed articles.
#[derive(Debug)]
pub(super) struct Languages<'a> {
    /// The language of the list of all articles: the site's, if it has an article in it; else that
    /// of most articles.
    pub(super) own: &'a str,
    /// The other languages.
    pub(super) others: BTreeSet<&'a str>,
    all: Arc<str>,
    /// The lists of the other languages.
    lists: BTreeMap<&'a str, Arc<str>>,
}

impl<'a> Languages<'a> {
    /// `free` gives a list another stem, or none, where an author's text or file has it.
    pub(super) fn new(context: &Context<'a>, free: impl Fn(&str) -> Option<Arc<str>>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for article in context.library.articles.iter() {
            if article.listed {
                *counts.entry(&article.language).or_default() += 1;
            }
        }
        let (own, others) = of_lists(counts, &context.site.language);
        let list = |tag: &&'a str| Some((*tag, free(&stem(tag))?));
        Self {
            own,
            lists: others.iter().filter_map(list).collect(),
            others,
            all: ALL.into(),
        }
    }

    /// The stem of the list that has the articles in a language.
    pub(super) fn list_of(&self, language: &str) -> &Arc<str> {
        self.lists.get(language).unwrap_or(&self.all)
    }

    /// The stem of the list of another language; none if it is left out.
    pub(super) fn list(&self, language: &str) -> Option<Arc<str>> {
        self.lists.get(language).map(Arc::clone)
    }

    /// Whether a language has a list of its own.
    pub(super) fn is_foreign(&self, language: &str) -> bool {
        self.others.contains(language)
    }
}

/// The stem of a language's list.
pub(super) fn stem(language: &str) -> String {
    format!("/languages/{language}")
}
