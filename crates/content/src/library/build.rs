//! From a described folder to a library: links resolved, articles made, everything in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::addresses;
use super::classify::Role;
use super::describe::Candidate;
use super::linking::{self, Linked, Links};
use super::memory::Memory;
use super::transclude::{self, Shown};
use super::work::{Fate, Work};
use super::{Article, Kind, Library, PublishedFile, References, Tag};
use crate::library::visibility::Visibility;
use crate::model::AT_ONCE;
use crate::model::date::Moment;
use crate::model::document::{Content, Target};
use crate::model::fingerprint::Fingerprint;
use crate::model::language;
use crate::model::problem::Problem;
use crate::model::site::Site;
use crate::model::sources::Sources;

/// Builds a library.
pub(super) fn build(sources: &Sources, site: &Site, now: Timestamp, memory: &Memory) -> Library {
    let work = Work::of(sources, site, now, memory);
    let ((links, translations), report) = rayon::join(|| rayon::join(|| linking::resolve(&work), || translations(&work)), || work.report());
    let Links { table, old, linked } = links;
    let mut redirects = old.redirects;
    if linked.iter().any(|linked| linked.dated) || work.plan.kind.dialect.name == "jekyll" {
        addresses::add_dated(&work, &table, &mut redirects);
    }
    let mut library = Library { report, redirects, files: files(&work), certain: work.certain, ..Library::default() };
    let mut problems: Vec<Problem> = work.problems.iter().cloned().chain(old.problems).chain(file_time(&work)).collect();
    let shown = transclude::all(&work, &linked);
    let maker = Maker { work: &work, translations: &translations, now, memory };
    let all = work.candidates.par_iter().with_max_len(AT_ONCE).zip(linked).zip(shown);
    let settled: Vec<Settled> = all.map(|((candidate, linked), shown)| maker.settled(candidate, linked, shown)).collect();
    let mut articles = Vec::with_capacity(settled.len());
    for Settled { article, problems: own, references, next_change } in settled {
        library.next_change = [library.next_change, next_change].into_iter().flatten().min();
        problems.extend(own);
        references.add_to(&mut library.report.references);
        match article {
            Some(article) if article.kind == Kind::Article => articles.push(article),
            Some(page) => library.pages.push(page),
            None => {}
        }
    }
    rayon::join(|| order(&mut articles), || drop(table));
    library.pages.sort_by(|a, b| a.stem.cmp(&b.stem));
    library.files.sort_by(|a, b| a.path.cmp(&b.path));
    problems.extend(without_repeated_ids(&mut articles));
    library.articles = Arc::new(articles);
    library.expired = expired(&work, &library);
    problems.sort();
    problems.dedup();
    library.problems = problems;
    work.rest();
    library
}

/// What became of one candidate.
struct Settled {
    /// Its article, if it is published.
    article: Option<Arc<Article>>,
    problems: Vec<Problem>,
    references: References,
    next_change: Option<Timestamp>,
}

/// What makes articles.
struct Maker<'a> {
    work: &'a Work<'a>,
    translations: &'a Translations<'a>,
    now: Timestamp,
    memory: &'a Memory,
}

/// What an article is made from beside its candidate.
#[derive(Hash)]
struct Beside {
    targets: Vec<Target>,
    image: Option<Target>,
    tags: Vec<Tag>,
    translations: Vec<(String, Arc<str>)>,
}

impl Maker<'_> {
    /// What becomes of a candidate with these links, which shows these notes.
    fn settled(&self, candidate: &Candidate, linked: Linked, shown: Option<Box<Shown>>) -> Settled {
        let silent = matches!(candidate.visibility, Visibility::Draft(_));
        let told = self.work.parsed[candidate.file].iter().flat_map(|parsed| &parsed.problems).chain(&candidate.problems);
        let mut settled = Settled {
            article: None,
            problems: told.filter(|_| !silent).cloned().collect(),
            references: References::default(),
            next_change: next_change(self.work, candidate, self.now),
        };
        if !self.work.is_published(candidate) {
            return settled;
        }
        settled.problems.extend(linked.problems);
        settled.references = linked.references;
        let mut beside = Beside {
            targets: linked.targets,
            image: linked.image,
            tags: self.work.publication.tags.settle(&candidate.tags),
            translations: translated(self.translations, candidate),
        };
        let mut own = None;
        if let Some(Shown { document, targets, problems }) = shown.map(|shown| *shown) {
            (own, beside.targets) = (Some(Content::from(document)), targets);
            settled.problems.extend(problems);
        }
        let key = Fingerprint::of(&(&candidate.described.digest, &beside, own.as_mut().map(Content::digest)));
        settled.article = Some(self.memory.articles.get(key, || self.article(candidate, beside, own)));
        settled
    }

    /// The article of a candidate; `own` is its document where that is not the candidate's.
    fn article(&self, candidate: &Candidate, beside: Beside, own: Option<Content>) -> Article {
        let language = candidate.language.value.as_str();
        let needs_words = match &own {
            Some(own) => !language.starts_with("en") && own.aside().has_default_titles(),
            None => candidate.needs_words,
        };
        let mut document = own.unwrap_or_else(|| candidate.described.document.clone());
        if needs_words {
            document.change(|document| document.localise(language));
            document.pack();
        }
        let Beside { targets, image, tags, translations } = beside;
        Article {
            kind: candidate.kind,
            source: Arc::clone(&self.work.sources.files[candidate.file].path),
            stem: Arc::clone(&candidate.stem.value),
            title: Arc::clone(&candidate.title.value),
            summary: Arc::clone(&candidate.summary.value),
            date: candidate.dates.date.value,
            updated: candidate.dates.updated.value,
            authors: candidate.authors.clone(),
            tags,
            language: language.to_owned(),
            rtl: language::is_rtl(language),
            translations,
            image,
            guid: candidate.guid.clone(),
            weight: candidate.weight,
            llms: candidate.llms,
            listed: candidate.visibility == Visibility::Published,
            document,
            targets: targets.into(),
        }
    }
}

/// Language and stem of the published candidates with the same content, by kind and key; where there are several.
type Translations<'a> = FxHashMap<(Kind, &'a str), BTreeMap<&'a str, Arc<str>>>;

fn translations<'a>(work: &'a Work<'_>) -> Translations<'a> {
    let published = || work.candidates.iter().filter(|candidate| work.is_published(candidate));
    let mut groups = Translations::default();
    if !work.publication.translated {
        return groups;
    }
    let mut counts: FxHashMap<(Kind, &str), usize> = FxHashMap::with_capacity_and_hasher(work.candidates.len(), FxBuildHasher);
    for candidate in published() {
        *counts.entry((candidate.kind, &candidate.tongue)).or_default() += 1;
    }
    for candidate in published().filter(|candidate| counts.get(&(candidate.kind, &*candidate.tongue)).is_some_and(|count| *count > 1)) {
        let group = groups.entry((candidate.kind, &candidate.tongue)).or_default();
        group.entry(&candidate.language.value).or_insert_with(|| Arc::clone(&candidate.stem.value));
    }
    groups
}

/// The translations of a candidate.
fn translated(translations: &Translations<'_>, candidate: &Candidate) -> Vec<(String, Arc<str>)> {
    let language = candidate.language.value.as_str();
    let group = translations.get(&(candidate.kind, candidate.tongue.as_str()));
    let own = group.and_then(|group| group.get(language)).is_some_and(|own| *own == candidate.stem.value);
    let others = group.filter(|_| own).into_iter().flatten().filter(|(other, _)| **other != language);
    others.map(|(language, stem)| ((*language).to_owned(), Arc::clone(stem))).collect()
}

/// When a candidate appears or goes next; a draft never does.
fn next_change(work: &Work<'_>, candidate: &Candidate, now: Timestamp) -> Option<Timestamp> {
    let alive = matches!(candidate.visibility, Visibility::Scheduled(_)) || work.is_published(candidate);
    alive.then(|| candidate.dates.window.next_change(now)).flatten()
}

/// Stems of expired articles that nobody else has now.
fn expired(work: &Work<'_>, library: &Library) -> BTreeSet<String> {
    if !work.candidates.par_iter().any(|candidate| matches!(candidate.visibility, Visibility::Expired(_))) {
        return BTreeSet::new();
    }
    let live: BTreeSet<&str> = library.articles.iter().chain(&library.pages).map(|article| &*article.stem).collect();
    let gone = work.candidates.iter().filter(|candidate| matches!(candidate.visibility, Visibility::Expired(_)));
    gone.map(|candidate| candidate.stem.value.to_string()).filter(|stem| !live.contains(stem.as_str())).collect()
}

fn files(work: &Work<'_>) -> Vec<PublishedFile> {
    let published = work.sources.files.iter().zip(&work.plan.roles).zip(&work.publication.fates);
    let files = published.filter_map(|((file, role), fate)| match (role, fate) {
        (Role::File(path), Fate::Published) => Some(PublishedFile {
            path: path.as_str().into(),
            source: file.path.clone(),
            bytes: Bytes::clone(&file.bytes),
            changed: file.dates.changed,
        }),
        _ => None,
    });
    files.collect()
}

/// Articles by date, newest first, undated last, then by slug.
fn order(articles: &mut [Arc<Article>]) {
    let date = |article: &Article| article.date.map(|date: Moment| date.at);
    articles.par_sort_by(|a, b| date(b).cmp(&date(a)).then_with(|| a.stem.cmp(&b.stem)));
}

/// One warning for the folder when dates of change are those of files, which differ from machine to machine.
fn file_time(work: &Work<'_>) -> Option<Problem> {
    let count = work.candidates.par_iter().filter(|candidate| work.is_published(candidate) && candidate.dates.by_file_time).count();
    (count > 0).then(|| {
        Problem::warning(format!("the date of the last change of {count} articles and pages is the file's time, which depends on the machine"))
            .hint("give them an `updated` date, keep the folder in git, or let a state folder remember")
    })
}

/// A feed id that two articles share is the first one's alone.
fn without_repeated_ids(articles: &mut [Arc<Article>]) -> Vec<Problem> {
    let mut seen: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let mut problems = Vec::new();
    let with_id: Vec<usize> = articles.par_iter().enumerate().filter_map(|(at, article)| article.guid.is_some().then_some(at)).collect();
    for at in with_id {
        let article = &mut articles[at];
        let Some(guid) = article.guid.clone() else { continue };
        if let Some(first) = seen.get(&guid) {
            problems.push(
                Problem::warning(format!("`{first}` has the same `guid`: `{guid}`"))
                    .at(&*article.source, 0, 0)
                    .hint("the feed uses its address as id"),
            );
            Arc::make_mut(article).guid = None;
        } else {
            seen.insert(guid, article.source.clone());
        }
    }
    problems
}
