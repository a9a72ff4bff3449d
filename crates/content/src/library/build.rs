//! Builds the library of a published folder: links resolved, articles built, everything sorted.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bytes::Bytes;
use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    article::{Article, Kind, PartOf, PublishedFile, Redirect, Tag},
    candidate::Candidate,
    classify::Role,
    dated,
    embed::{self, Embedded},
    frame::Frame,
    kept_ids,
    linking::{self, ArticleLinks, Links},
    memory::Memory,
    order::Order,
    publication::Publication,
    publish::Outcome,
    report::{References, Report},
    section_addresses::SectionAddresses,
    sections,
    visibility::Visibility,
};
use crate::model::{
    address::OldAddress,
    document::{Content, Target},
    fingerprint::{Digest, Fingerprint},
    language, parallel,
    problem::{Cause, Problem},
    site::Site,
    sources::Sources,
    steps::Steps,
    tree::{Shape, Tree},
};

/// All articles and pages, and everything else a folder publishes. An unchanged article is the same
/// value as in the previous library.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Articles visible now: newest first (undated last), then by slug. Shared as a whole, because
    /// sharing them one by one would visit each.
    pub articles: Arc<Vec<Arc<Article>>>,
    /// Pages visible now, by path.
    pub pages: Vec<Arc<Article>>,
    /// Files published unchanged, by path.
    pub files: Vec<PublishedFile>,
    /// Former addresses and their current targets. A closing slash is ignored on lookup.
    pub redirects: Arc<BTreeMap<OldAddress, Redirect>>,
    /// Stems of expired articles: 410.
    pub expired: BTreeSet<String>,
    /// The next instant at which something is published or expires.
    pub next_change: Option<Timestamp>,
    /// Everything the author should fix, sorted by position.
    pub problems: Vec<Problem>,
    /// The outcome of every file.
    pub report: Report,
    /// Whether it is a journal or a guide.
    pub shape: Shape,
    /// The author's order of a guide: one tree for each language with texts in it, the site's own
    /// first.
    pub trees: Arc<Vec<Tree>>,
    /// What is around every text.
    pub frame: Frame,
    /// Whether a rebuild would give the same result: no text timed out.
    pub certain: bool,
    /// Receives the progress of the build.
    pub steps: Steps,
}

impl Library {
    /// Builds the library of a folder as of `now`. It never fails: a broken text is published as
    /// well as possible, or set aside and reported.
    pub fn build(sources: &Sources, site: &Site, now: Timestamp) -> Self {
        Self::build_with(sources, site, now, &mut Memory::default())
    }

    /// Like [`build`](Self::build), with the same result. Reuses what the memory holds from earlier
    /// libraries; afterwards the memory holds what this one needed.
    pub fn build_with(sources: &Sources, site: &Site, now: Timestamp, memory: &mut Memory) -> Self {
        let library = build(sources, site, now, memory);
        memory.next();
        library
    }

    /// Drops the documents that can be parsed again from their sources. Call it once every output
    /// of the library is built.
    pub fn release_documents(&self) {
        for article in self.articles.iter().chain(&self.pages) {
            article.document.release();
        }
    }

    fn add(&mut self, article: Arc<Article>) {
        match article.kind {
            Kind::Article => Arc::make_mut(&mut self.articles).push(article),
            Kind::Page => self.pages.push(article),
        }
    }

    /// Articles newest first, undated last, then by slug; pages and files by path.
    fn sort(&mut self) {
        Arc::make_mut(&mut self.articles).par_sort_by(|a, b| {
            let (a_date, b_date) = (a.date.map(|date| date.at), b.date.map(|date| date.at));
            b_date.cmp(&a_date).then_with(|| a.stem.cmp(&b.stem))
        });
        self.pages.sort_by(|a, b| a.stem.cmp(&b.stem));
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

fn build(sources: &Sources, site: &Site, now: Timestamp, memory: &Memory) -> Library {
    let publication = Publication::build(sources, site, now, &memory.texts);
    let Links {
        table,
        addresses,
        mut linked,
        key,
    } = linking::resolve(&publication, &memory.links);
    let mut redirects = Arc::clone(&addresses.old.redirects);
    if linked.iter().any(|linked| linked.dated) || publication.plan.kind.dialect.dated_addresses {
        dated::add(&publication, &table, &mut redirects);
    }
    let order = memory.orders.get(Order::key(&publication, &key), || {
        Order::decide(&publication, &table)
    });
    let (frame, frame_problems) = Frame::resolve(&publication, &table);
    let lists = SectionAddresses::collect(&publication, &order);
    lists.redirect(&table, &mut redirects);
    lists.relink(&table, &mut linked);
    drop((table, lists));
    sections::settle(&publication, &order, &mut linked);
    let mut library = Library {
        report: publication.report(),
        redirects,
        files: files(&publication),
        certain: publication.certain,
        shape: order.shape,
        trees: Arc::clone(&order.trees),
        frame,
        steps: sources.steps,
        ..Library::default()
    };
    let mut problems = publication.problems.clone();
    library.report.shape = (order.shape, order.why.clone());
    problems.extend_from_slice(&order.problems);
    problems.extend(frame_problems);
    problems.extend_from_slice(&addresses.old.problems);
    problems.extend(file_time(&publication));
    let embedded = embed::all(&publication, &linked);
    let translations = translations(&publication);
    let texts = publication.candidates.iter().zip(linked).zip(embedded);
    let assembled = parallel::map_owned(texts, |((candidate, links), embedded)| {
        assemble(
            &publication,
            candidate,
            &links,
            embedded,
            &translations,
            memory,
        )
    });
    for (candidate, text) in publication.candidates.iter().zip(assembled) {
        problems.extend(text.problems);
        library.report.references.add(text.references);
        library.next_change = [
            library.next_change,
            next_change(&publication, candidate, now),
        ]
        .into_iter()
        .flatten()
        .min();
        if let Some(article) = text.article {
            library.add(article);
        }
    }
    library.sort();
    let articles = Arc::make_mut(&mut library.articles);
    problems.extend(kept_ids::give(sources, articles));
    problems.extend(drop_repeated_ids(articles));
    library.expired = expired(&publication, &library);
    problems.sort();
    problems.dedup();
    library.problems = problems;
    publication.release();
    library
}

/// The outcome of one candidate.
#[derive(Default)]
struct Assembled {
    /// Its article, if it is published.
    article: Option<Arc<Article>>,
    problems: Vec<Problem>,
    references: References,
}

/// What an article is built from, in addition to its description and document.
struct Inputs {
    targets: Arc<[Target]>,
    image: Option<Target>,
    tags: Vec<Tag>,
    series: Vec<PartOf>,
    translations: Vec<(String, Arc<str>)>,
}

/// Builds the article of a candidate with these links and these embedded notes.
fn assemble(
    publication: &Publication<'_>,
    candidate: &Candidate,
    links: &ArticleLinks,
    embedded: Option<Box<Embedded>>,
    translations: &Translations<'_>,
    memory: &Memory,
) -> Assembled {
    let mut assembled = Assembled::default();
    // Problems of a draft are not reported yet.
    if !matches!(candidate.visibility, Visibility::Draft(_)) {
        assembled
            .problems
            .extend_from_slice(&candidate.parsed.problems);
        assembled.problems.extend_from_slice(&candidate.problems);
    }
    if !publication.is_published(candidate) {
        return assembled;
    }
    assembled.problems.extend_from_slice(&links.problems);
    assembled.references = links.references;
    let mut inputs = Inputs {
        targets: Arc::clone(&links.targets),
        image: links.image.clone(),
        tags: publication.tags.settle(&candidate.tags),
        series: series(publication, candidate),
        translations: translations_of(candidate, translations),
    };
    let (mut own_document, mut linked) = (None, links.digest);
    if let Some(Embedded {
        document,
        targets,
        problems,
    }) = embedded.map(|embedded| *embedded)
    {
        own_document = Some(Content::from(document));
        inputs.targets = targets.into();
        linked = linking::digest(&inputs.targets, inputs.image.as_ref());
        assembled.problems.extend(problems);
    }
    let own_digest = own_document.as_ref().map(Content::digest);
    let Inputs {
        targets: _,
        image: _,
        tags,
        series,
        translations,
    } = &inputs;
    let digest = Fingerprint::hash_one(&(
        (&candidate.described.digest, linked, own_digest),
        (tags, series, translations),
    ));
    let article = memory.articles.get(digest, || Article {
        digest,
        ..article(candidate, inputs, own_document)
    });
    assembled.article = Some(article);
    assembled
}

/// The article of a candidate; `own_document` is its document if it differs from the candidate's.
fn article(candidate: &Candidate, inputs: Inputs, own_document: Option<Content>) -> Article {
    let language = candidate.language.value.as_str();
    let needs_words = match &own_document {
        Some(own) => !language.starts_with("en") && own.aside().has_default_titles(),
        None => candidate.needs_words,
    };
    let described = &candidate.described.document;
    let is_changed = needs_words || own_document.is_some();
    let mut document = own_document.unwrap_or_else(|| described.clone());
    if needs_words {
        let language = language.to_owned();
        document = document.changed(&candidate.language.value, move |document| {
            document.localise(&language)
        });
    }
    if is_changed {
        described.release();
    }
    let Inputs {
        targets,
        image,
        tags,
        series,
        translations,
    } = inputs;
    let cover = candidate.cover.as_ref().filter(|cover| cover.is_shown);
    let cover = cover.filter(|_| image.is_some());
    Article {
        kind: candidate.kind,
        source: Arc::clone(&candidate.path),
        stem: Arc::clone(&candidate.stem.value),
        title: match candidate.unpublished {
            Some(unpublished) => unpublished.marked(&candidate.title.value).into(),
            None => Arc::clone(&candidate.title.value),
        },
        summary: Arc::clone(&candidate.summary.value),
        date: candidate.dates.date.value,
        updated: candidate.dates.updated.value,
        authors: candidate.authors.clone(),
        tags,
        language: language.to_owned(),
        rtl: language::is_rtl(language),
        translations,
        image,
        cover: cover.map(|cover| cover.alt.as_str().into()),
        series,
        guid: candidate.guid.clone(),
        weight: candidate.weight,
        llms: candidate.llms,
        listed: candidate.is_listed(),
        indexed: candidate.indexed,
        document,
        targets,
        digest: Digest::default(),
    }
}

/// The series of a candidate.
fn series(publication: &Publication<'_>, candidate: &Candidate) -> Vec<PartOf> {
    let of = |(name, number): &(String, Option<i64>)| {
        let tag = publication.tags.settle(std::slice::from_ref(name)).pop()?;
        let number = *number;
        Some(PartOf { tag, number })
    };
    candidate.series.iter().filter_map(of).collect()
}

/// The stems of published texts with the same content, by kind and language group, then by
/// language; none if all texts have the same language.
type Translations<'a> = FxHashMap<(Kind, &'a str), BTreeMap<&'a str, &'a Arc<str>>>;

fn translations<'a>(publication: &'a Publication<'_>) -> Translations<'a> {
    let mut groups = Translations::default();
    let mut languages = publication.published().map(|text| &text.language.value);
    let first = languages.next();
    if languages.all(|language| Some(language) == first) {
        return groups;
    }
    for candidate in publication.published() {
        let group = groups
            .entry((candidate.kind, &candidate.language_group))
            .or_default();
        group
            .entry(&candidate.language.value)
            .or_insert(&candidate.stem.value);
    }
    groups
}

/// The translations of a candidate. If two texts of a group have the same language, the first is
/// used.
fn translations_of(
    candidate: &Candidate,
    translations: &Translations<'_>,
) -> Vec<(String, Arc<str>)> {
    let own = candidate.language.value.as_str();
    let mut others = Vec::new();
    for (language, stem) in translations
        .get(&(candidate.kind, &candidate.language_group))
        .into_iter()
        .flatten()
    {
        if *language != own {
            others.push(((*language).to_owned(), Arc::clone(stem)));
        } else if **stem != candidate.stem.value {
            return Vec::new();
        }
    }
    others
}

/// When a candidate next appears or expires; `None` unless it is scheduled or published.
fn next_change(
    publication: &Publication<'_>,
    candidate: &Candidate,
    now: Timestamp,
) -> Option<Timestamp> {
    let may_change = matches!(
        candidate.visibility,
        Visibility::Scheduled(_) | Visibility::Withheld(_)
    ) || publication.is_published(candidate);
    if may_change {
        candidate.dates.window.next_change(now)
    } else {
        None
    }
}

/// Stems of expired articles that no current page has.
fn expired(publication: &Publication<'_>, library: &Library) -> BTreeSet<String> {
    let mut expired = BTreeSet::new();
    for candidate in &publication.candidates {
        if matches!(candidate.visibility, Visibility::Expired(_)) {
            expired.insert(candidate.stem.value.to_string());
        }
    }
    if !expired.is_empty() {
        for article in library.articles.iter().chain(&library.pages) {
            expired.remove(&*article.stem);
        }
    }
    expired
}

fn files(publication: &Publication<'_>) -> Vec<PublishedFile> {
    let mut published = Vec::new();
    for (at, file) in publication.sources.files.iter().enumerate() {
        let (Role::File(path), Outcome::Published) =
            (&publication.plan.roles[at], &publication.outcomes[at])
        else {
            continue;
        };
        published.push(PublishedFile {
            path: path.as_str().into(),
            source: Arc::clone(&file.path),
            bytes: Bytes::clone(&file.bytes),
            changed: file.dates.changed,
        });
    }
    published
}

/// One warning per folder if modification dates are those of files, which differ between machines.
fn file_time(publication: &Publication<'_>) -> Option<Problem> {
    let count = publication
        .published()
        .filter(|candidate| candidate.dates.by_file_time)
        .count();
    if count == 0 {
        return None;
    }
    let problem = Problem::warning(format!(
        "{count} {} only the file time as the date of the last change, which differs between machines",
        if count == 1 { "text has" } else { "texts have" }
    ));
    Some(problem.hint(
        "give them an `updated` date, keep the folder in git, or let a state folder remember",
    ))
}

/// If two articles share a feed id, only the first keeps it.
fn drop_repeated_ids(articles: &mut Vec<Arc<Article>>) -> Vec<Problem> {
    let mut owners: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let mut problems = Vec::new();
    for article in articles {
        let Some(guid) = &article.guid else { continue };
        if let Some(first) = owners.get(guid) {
            let problem = Problem::warning(format!("`{first}` has the same `guid`: `{guid}`"));
            problems.push(
                problem
                    .at(&*article.source, 0, 0)
                    .cause(Cause::Value)
                    .hint("the feed uses its address as id"),
            );
            let article = Arc::make_mut(article);
            article.guid = None;
            article.digest = Fingerprint::hash_one(&(article.digest, "without its guid"));
        } else {
            owners.insert(guid.clone(), Arc::clone(&article.source));
        }
    }
    problems
}
