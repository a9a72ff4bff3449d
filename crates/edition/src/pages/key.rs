//! The key of a page: a digest of everything that its two forms are written from.
//!
//! Whatever a template or the Markdown writer may look at is part of it. What no page differs in is one digest for the whole edition.

use std::hash::{Hash, Hasher};

use diglot_content::Article;
use diglot_content::fingerprint::{Digest, Fingerprint};

use super::draft::{Draft, Group};
use super::shared::Shared;
use crate::resource;

/// The keys of the pages of one edition.
pub(super) struct Keys<'a> {
    shared: &'a Shared<'a>,
    /// The settings, what templates know of the site, and the theme.
    common: resource::Digest,
}

impl<'a> Keys<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        let site = shared.context.site;
        let parts = [format!("{site:?}"), shared.site.to_string()].map(|text| resource::Digest::of(text.as_bytes()));
        Self { shared, common: resource::Digest::of_parts(parts.into_iter().chain([shared.context.theme.digest()])) }
    }

    /// The key of one page. The date of its last change is not part of it: only the front matter of the Markdown form says it, and whatever else looks at a date
    /// has it from the article.
    pub(super) fn of(&self, draft: &Draft<'_>) -> Digest {
        let (shared, mut sum) = (self.shared, Fingerprint::new());
        let Draft { stem, kind, title, description, language, rtl, updated: _, article, position, parts, groups, listed, canonical } = draft;
        sum.write(&self.common.0);
        (stem, kind, title, description, language, rtl, listed, canonical).hash(&mut sum);
        article.is_some().hash(&mut sum);
        if let Some(article) = article {
            hash_article(shared, article, &mut sum);
        }
        position.is_some().hash(&mut sum);
        if let Some(near) = position.and_then(|index| shared.neighbours.of(index)) {
            let of = |index: &usize| shared.context.library.articles.get(*index).map(|article| (&article.title, &article.stem, &article.language));
            (near.previous.as_ref().map(of), near.next.as_ref().map(of)).hash(&mut sum);
            near.related.len().hash(&mut sum);
            near.related.iter().for_each(|index| of(index).hash(&mut sum));
        }
        shared.context.cards.of(stem).map(|card| &card.name).hash(&mut sum);
        parts.len().hash(&mut sum);
        parts.iter().for_each(|part| (part.language, part.document.number(), &part.targets).hash(&mut sum));
        groups.len().hash(&mut sum);
        groups.iter().for_each(|group| hash_group(group, &mut sum));
        if !groups.is_empty() {
            super::html::tags_beside(shared, draft).for_each(|(slug, list)| (slug, &list.name, list.articles.len()).hash(&mut sum));
        }
        sum.digest()
    }
}

fn hash_article(shared: &Shared<'_>, article: &Article, sum: &mut Fingerprint) {
    // The source is in no page; the document and its targets are the draft's parts.
    let Article {
        kind,
        source: _,
        stem,
        title,
        summary,
        date,
        updated,
        authors,
        tags,
        language,
        rtl,
        translations,
        image,
        guid,
        weight,
        llms,
        listed,
        document: _,
        targets: _,
    } = article;
    (kind, stem, title, summary, date, updated, authors, tags).hash(sum);
    (language, rtl, translations, image, guid, weight, llms, listed).hash(sum);
    tags.iter().for_each(|tag| shared.tags.contains_key(&*tag.slug).hash(sum));
}

fn hash_group(group: &Group<'_>, sum: &mut Fingerprint) {
    let Group { title, language, stem, entries, summaries, links } = group;
    (title, language, stem, summaries, links).hash(sum);
    entries.len().hash(sum);
    for row in entries {
        sum.write(&row.key);
        if *summaries {
            row.article.summary.hash(sum);
        }
    }
}
