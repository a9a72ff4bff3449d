//! Pages that were rendered before, each with all that it was rendered from: for the next edition of the same site.
//!
//! A page is taken over when rendering it again would give the same bytes. So everything that a template or the twin may look at goes into [`Inputs`]; what
//! is the same for all pages goes into one digest for the whole edition.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use diglot_content::document::Mark;
use diglot_content::sum::Sum;
use diglot_content::{Article, Moment, Target};
use rustc_hash::FxHashMap;

use super::draft::{Draft, Group};
use super::neighbours::Beside;
use super::page::Page;
use super::shared::Shared;
use crate::resource::Digest;

/// The pages of one edition with what they were rendered from. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// What is the same for all pages.
    ground: Option<Digest>,
    /// Those of articles, in the library's order; `None`: another page has its address.
    articles: Arc<Vec<Option<Arc<Leaf>>>>,
    /// All others.
    others: Arc<FxHashMap<Arc<str>, Arc<Leaf>>>,
    /// Which articles stand beside which.
    pub(super) beside: Beside,
}

/// One page and what it was rendered from.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) stem: Arc<str>,
    pub(super) inputs: Inputs,
    /// Whether a page of Diglot's may be where it is.
    pub(super) may_meet: bool,
    pub(super) page: Arc<Page>,
}

/// Pages by where they were in the library: an edit that moves articles is the only one for which they are looked up by their stems.
#[derive(Debug)]
pub(super) struct Found<'r> {
    rendered: &'r Rendered,
    by_stem: OnceLock<FxHashMap<&'r str, &'r Arc<Leaf>>>,
}

/// Which document, and where its links lead.
type Written = (Mark, Arc<[Target]>);

/// What one page is rendered from.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    /// The documents: the same values, not equal ones. And where their links lead.
    documents: Vec<Written>,
    /// When the page last changed. Only the front matter of the Markdown form says it: whatever else looks at a date has it from the article.
    pub(super) updated: Option<Moment>,
    /// Everything else.
    rest: Digest,
}

impl Rendered {
    /// The pages that were rendered on the same ground.
    pub(super) fn on(&self, ground: Digest) -> Self {
        if self.ground == Some(ground) { self.clone() } else { Self { ground: Some(ground), ..Self::default() } }
    }

    /// For looking pages up.
    pub(super) fn found(&self) -> Found<'_> {
        Found { rendered: self, by_stem: OnceLock::new() }
    }

    /// These pages on the same ground, and no others.
    pub(super) fn with(&self, beside: &Beside, articles: Vec<Option<Arc<Leaf>>>, others: impl Iterator<Item = Arc<Leaf>>) -> Self {
        let others = others.map(|leaf| (Arc::clone(&leaf.stem), leaf)).collect();
        Self { ground: self.ground, articles: Arc::new(articles), others: Arc::new(others), beside: beside.clone() }
    }
}

impl<'r> Found<'r> {
    /// The page of the article at this place of the library, when nothing that is on it has changed.
    pub(super) fn same(&self, beside: &Beside, position: usize) -> Option<&'r Arc<Leaf>> {
        self.rendered.articles.get(position)?.as_ref().filter(|_| beside.is_as(&self.rendered.beside, position))
    }

    /// The page that was rendered from the same, but for the date of its last change.
    pub(super) fn find(&self, stem: &str, position: Option<usize>, inputs: &Inputs) -> Option<&'r Arc<Leaf>> {
        let here = position.and_then(|position| self.rendered.articles.get(position)?.as_ref()).filter(|leaf| *leaf.stem == *stem);
        let leaf = here.or_else(|| self.rendered.others.get(stem)).or_else(|| self.by_stem(stem));
        leaf.filter(|leaf| leaf.inputs.are_those_of(inputs))
    }

    fn by_stem(&self, stem: &str) -> Option<&'r Arc<Leaf>> {
        let all = || self.rendered.articles.iter().flatten().map(|leaf| (&*leaf.stem, leaf)).collect();
        self.by_stem.get_or_init(all).get(stem).copied()
    }
}

impl Leaf {
    /// The same, a page that nobody else has yet at another place in memory: where it was made it stands between the pieces of documents, and would hold the
    /// memory around it once they are gone.
    pub(super) fn moved(self) -> Self {
        let page = Arc::try_unwrap(self.page).map_or_else(|shared| shared, |page| Arc::new(page.moved()));
        Self { page, ..self }
    }
}

impl Inputs {
    /// What a draft is rendered from, beside what is the same for all pages.
    pub(super) fn of(shared: &Shared<'_>, draft: &Draft<'_>) -> Self {
        let mut sum = Sum::new();
        let Draft { stem, kind, title, description, language, rtl, updated, article, position, parts, groups, listed, canonical } = draft;
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
        parts.iter().for_each(|part| part.language.hash(&mut sum));
        groups.len().hash(&mut sum);
        groups.iter().for_each(|group| hash_group(group, &mut sum));
        if !groups.is_empty() {
            super::html::tags_beside(shared, draft).for_each(|(slug, list)| (slug, &list.name, list.articles.len()).hash(&mut sum));
        }
        let documents = parts.iter().map(|part| (part.document.mark(), Arc::clone(&part.targets))).collect();
        Self { documents, updated: *updated, rest: Digest(sum.digest()) }
    }

    fn are_those_of(&self, other: &Self) -> bool {
        let same_targets = |one: &Arc<[Target]>, other: &Arc<[Target]>| Arc::ptr_eq(one, other) || one == other;
        let same = |(one, other): (&Written, &Written)| one.0 == other.0 && same_targets(&one.1, &other.1);
        self.rest == other.rest && self.documents.len() == other.documents.len() && self.documents.iter().zip(&other.documents).all(same)
    }
}

fn hash_article(shared: &Shared<'_>, article: &Article, sum: &mut Sum) {
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

fn hash_group(group: &Group<'_>, sum: &mut Sum) {
    let Group { title, language, stem, entries, summaries, links } = group;
    (title, language, stem, summaries, links).hash(sum);
    entries.len().hash(sum);
    for row in entries {
        sum.write(&row.face.0);
        if *summaries {
            row.article.summary.hash(sum);
        }
    }
}

/// What is the same for all pages of an edition.
pub(super) fn ground(shared: &Shared<'_>) -> Digest {
    let site = shared.context.site;
    let parts = [format!("{site:?}"), shared.site.to_string()].map(|text| Digest::of(text.as_bytes()));
    Digest::of_parts(parts.into_iter().chain([shared.context.theme.digest()]))
}
