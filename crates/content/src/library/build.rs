//! From a described folder to a library: links resolved, articles made, everything in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::addresses;
use super::classify::Role;
use super::describe::Candidate;
use super::standing::Standing;
use super::tags::Tags;
use super::transclude::{self, Shown};
use super::web::{self, Linked, Links};
use super::work::{Fate, Work};
use super::{Article, Kind, Library, PublishedFile, References, Texts};
use crate::AT_ONCE;
use crate::date::Moment;
use crate::language;
use crate::problem::Problem;
use crate::site::Site;
use crate::sources::Sources;
use crate::visibility::Visibility;

/// Builds a library.
pub(super) fn build(sources: &Sources, site: &Site, now: Timestamp, known: &Texts) -> Library {
    let mut work = Work::again(sources, site, now, known);
    let texts = std::mem::take(&mut work.texts);
    let (report, places) = rayon::join(|| work.report(), || work.places());
    let tags = &work.standing.tags;
    let resolve = || web::resolve(&work, places, known.web(&work.plan.kind, site).map(|web| &**web));
    let (links, translations) = rayon::join(resolve, || translations(&work));
    let Links { table, old, articles: made, mut web } = links;
    let shown = transclude::all(&work, &web.leads);
    let dated_links = web.leads.par_iter().any(|lead| lead.linked.dated);
    let mut library = Library { report, ..Library::default() };
    library.redirects.clone_from(&old.redirects);
    if dated_links || work.plan.kind.dialect.name == "jekyll" {
        addresses::add_dated(&work, &table, &mut library.redirects);
    }
    let mut problems = work.problems.clone();
    problems.extend(old.problems.iter().cloned());
    problems.extend(file_time(&work));
    let all = work.candidates.par_iter().with_max_len(AT_ONCE).zip(&web.leads).zip(shown).zip(made);
    let settled = all.map(|(((candidate, lead), shown), made)| settled(&work, candidate, now, (&lead.linked, shown, made), (tags, &translations)));
    let settled: Vec<Settled> = settled.collect();
    let mut articles = Vec::with_capacity(settled.len());
    web.articles.reserve_exact(settled.len());
    for Settled { article, kept, problems: own, references, next_change } in settled {
        library.next_change = [library.next_change, next_change].into_iter().flatten().min();
        problems.extend(own);
        references.add_to(&mut library.report.references);
        web.articles.push(kept);
        match article {
            Some((Kind::Article, article)) => articles.push(article),
            Some((_, page)) => library.pages.push(page),
            None => {}
        }
    }
    library.files = files(&work);
    let (mut articles, ()) = rayon::join(|| order(articles, &work.standing), || drop(table));
    library.pages.sort_by(|a, b| a.stem.cmp(&b.stem));
    library.files.sort_by(|a, b| a.path.cmp(&b.path));
    problems.extend(without_repeated_ids(&mut articles));
    library.articles = Arc::new(articles);
    library.expired = expired(&work, &library);
    problems.sort();
    problems.dedup();
    library.problems = problems;
    library.texts = texts.with_web(web);
    library
}

/// What became of one candidate.
struct Settled {
    /// Its article, if it is published.
    article: Option<(Kind, Arc<Article>)>,
    /// The same where the next reading may take it over.
    kept: Option<Arc<Article>>,
    problems: Vec<Problem>,
    references: References,
    next_change: Option<Timestamp>,
}

/// What becomes of a candidate with these links, which shows these notes; `made` is what was made of the same description and links before.
fn settled(
    work: &Work<'_>,
    candidate: &Candidate,
    now: Timestamp,
    (linked, shown, made): (&Linked, Option<Box<Shown>>, Option<&Arc<Article>>),
    (tags, translations): (&Tags, &Translations<'_>),
) -> Settled {
    let silent = matches!(candidate.visibility, Visibility::Draft(_));
    let told = work.parsed[candidate.file].iter().flat_map(|parsed| &parsed.problems).chain(&candidate.problems);
    let mut settled = Settled {
        article: None,
        kept: None,
        problems: told.filter(|_| !silent).cloned().collect(),
        references: References::default(),
        next_change: next_change(work, candidate, now),
    };
    if !work.is_published(candidate) {
        return settled;
    }
    settled.problems.extend(linked.problems.iter().cloned());
    settled.references = linked.references;
    let translations = translated(translations, candidate);
    let again = shown.is_none();
    let made = made.filter(|made| again && made.translations == translations);
    let article = made.cloned().unwrap_or_else(|| {
        let mut article = article(work, candidate, tags, linked, translations);
        let mut needs_words = candidate.needs_words;
        if let Some(shown) = shown {
            needs_words = !article.language.starts_with("en") && shown.document.needs_words();
            article.document = shown.document.into();
            article.targets = shown.targets.into();
            settled.problems.extend(shown.problems);
        }
        if needs_words {
            article.document.change(|document| document.localise(&candidate.language.value));
        }
        article.document.pack();
        Arc::new(article)
    });
    settled.kept = again.then(|| Arc::clone(&article));
    settled.article = Some((candidate.kind, article));
    settled
}

/// Language and stem of the published candidates with the same content, by kind and key; where there are several.
type Translations<'a> = FxHashMap<(Kind, &'a str), BTreeMap<&'a str, Arc<str>>>;

fn translations<'a>(work: &'a Work<'_>) -> Translations<'a> {
    let published = || work.candidates.iter().filter(|candidate| work.is_published(candidate));
    let mut groups = Translations::default();
    if !work.standing.translated {
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

/// The article of a candidate. All that it is made from is in the candidate's own description, its links, the tags of the folder, and the translations.
fn article(work: &Work<'_>, candidate: &Candidate, tags: &Tags, linked: &Linked, translations: Vec<(String, Arc<str>)>) -> Article {
    let file = &work.sources.files[candidate.file];
    let language = candidate.language.value.as_str();
    let document = work.document(candidate.file).map(|document| document.get().clone()).unwrap_or_default();
    Article {
        kind: candidate.kind,
        source: file.path.clone(),
        // Copied: an article stays, and those stand between the pieces of documents that go.
        stem: Arc::from(&*candidate.stem.value),
        title: Arc::from(&*candidate.title.value),
        summary: Arc::from(&*candidate.summary.value),
        date: candidate.dates.date.value,
        updated: candidate.dates.updated.value,
        authors: candidate.authors.clone(),
        tags: tags.settle(&candidate.tags),
        language: language.to_owned(),
        rtl: language::is_rtl(language),
        translations,
        image: linked.image.clone(),
        guid: candidate.guid.clone(),
        weight: candidate.weight,
        llms: candidate.llms,
        listed: candidate.visibility == Visibility::Published,
        document,
        targets: Arc::clone(&linked.targets),
    }
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
    let published = work.sources.files.iter().zip(&*work.plan.roles).zip(&work.standing.fates);
    let files = published.filter_map(|((file, role), fate)| match (role, fate) {
        (Role::File(path), Fate::Published) => {
            Some(PublishedFile { path: path.as_str().into(), source: file.path.clone(), bytes: file.bytes.clone(), changed: file.dates.changed })
        }
        _ => None,
    });
    files.collect()
}

/// Articles by date, newest first, undated last, then by slug.
fn order(articles: Vec<Arc<Article>>, standing: &Standing) -> Vec<Arc<Article>> {
    let key = |article: &Article| article.date.map(|date: Moment| date.at);
    let all = &articles;
    // Days and addresses are part of what stays as it was.
    let places = standing.order.get_or_init(|| {
        let mut places: Vec<usize> = (0..all.len()).collect();
        places.par_sort_by(|a, b| key(&all[*b]).cmp(&key(&all[*a])).then_with(|| all[*a].stem.cmp(&all[*b].stem)));
        places
    });
    let mut all: Vec<Option<Arc<Article>>> = articles.into_iter().map(Some).collect();
    places.iter().filter_map(|place| all.get_mut(*place)?.take()).collect()
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
