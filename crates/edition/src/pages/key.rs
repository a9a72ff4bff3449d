//! The key of a page: a digest of all inputs of its two forms.
//!
//! It covers everything that a template or the Markdown writer can read. The inputs shared by all
//! pages are one digest per edition.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::{Article, parallel};

use super::components::{cover, navigation, series};
use super::page_data::{ArticleGroup, PageData};
use super::shared::Shared;
use crate::resource;

/// The keys of the pages of one edition.
pub(super) struct Keys<'a> {
    shared: &'a Shared<'a>,
    /// The digest of the settings, the template values of the site, and the theme.
    common: resource::Digest,
    /// A digest of what other pages say of each text, by its index: most texts are related to
    /// several.
    said: Vec<Digest>,
}

impl<'a> Keys<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        let site = shared.context.site;
        let sites = shared.sites().map(ToString::to_string);
        let parts = std::iter::once(format!("{site:?}"))
            .chain(sites)
            .map(|text| resource::Digest::hash(text.as_bytes()));
        let library = shared.context.library;
        let said =
            |text: &Arc<Article>| Fingerprint::hash_one(&(&text.title, &text.stem, &text.language));
        let texts = [library.articles.as_slice(), &library.pages];
        Self {
            shared,
            said: texts.map(|texts| parallel::map(texts, said)).concat(),
            common: resource::Digest::hash_parts(parts.chain([shared.context.theme.digest()])),
        }
    }

    /// The key of a page. It excludes the date of the last change: only the front matter of the
    /// Markdown form contains it, and all other dates are the article's.
    pub(super) fn for_page(&self, data: &PageData<'_>) -> Digest {
        let (shared, mut sum) = (self.shared, Fingerprint::new());
        let PageData {
            route,
            stem,
            kind,
            title,
            description,
            language,
            rtl,
            updated: _,
            article,
            position,
            place: _,
            parts: _,
            outline: _,
            groups: _,
            pager,
            feed,
            listed,
            canonical,
        } = data;
        sum.write(&self.common.0);
        (pager, feed).hash(&mut sum);
        article.is_some().hash(&mut sum);
        if let Some(article) = article {
            hash_article(shared, article, &mut sum);
        }
        position.is_some().hash(&mut sum);
        match position {
            // What else the page of a text says of itself follows from the digest of its article.
            Some(position) => self.hash_neighbours(*position, &mut sum),
            None => {
                (route, stem, kind, title, description).hash(&mut sum);
                (language, rtl, listed, canonical).hash(&mut sum);
            }
        }
        navigation::hash(shared, data, &mut sum);
        series::hash(shared, data, &mut sum);
        cover::hash(data, &mut sum);
        shared
            .context
            .cards
            .for_stem(stem)
            .map(|card| &card.name)
            .hash(&mut sum);
        hash_content(shared, data, &mut sum);
        sum.digest()
    }

    fn hash_neighbours(&self, position: usize, sum: &mut Fingerprint) {
        let Some(near) = self.shared.neighbours.get(position) else {
            return;
        };
        let said = |index: &usize| self.said.get(*index);
        let [previous, next] = series::previous_and_next(self.shared, position);
        (previous.as_ref().map(said), next.as_ref().map(said)).hash(sum);
        near.related.len().hash(sum);
        for index in &near.related {
            said(index).hash(sum);
        }
    }
}

/// Adds the texts and the lists of a page.
fn hash_content(shared: &Shared<'_>, data: &PageData<'_>, sum: &mut Fingerprint) {
    let PageData {
        article,
        parts,
        groups,
        ..
    } = data;
    parts.len().hash(sum);
    // The text of an article is the first part.
    for part in parts.iter().skip(usize::from(article.is_some())) {
        (part.language, part.document.digest(), &part.targets).hash(sum);
    }
    groups.len().hash(sum);
    for group in groups {
        hash_group(group, sum);
    }
    if !groups.is_empty() {
        for (slug, list) in super::html::tags_beside(shared, data) {
            (slug, &list.name, list.articles.len()).hash(sum);
        }
    }
}

/// The digest of an article covers everything that is shown of it, and its text.
fn hash_article(shared: &Shared<'_>, article: &Article, sum: &mut Fingerprint) {
    sum.write(&article.digest);
    shared.edit(article).hash(sum);
    for tag in &article.tags {
        shared.tags.contains_key(&*tag.slug).hash(sum);
    }
}

fn hash_group(group: &ArticleGroup<'_>, sum: &mut Fingerprint) {
    let ArticleGroup {
        title,
        language,
        stem,
        entries,
        label,
        links,
    } = group;
    (title, language, stem, label, links).hash(sum);
    entries.len().hash(sum);
    for row in entries {
        sum.write(&row.key);
    }
}
