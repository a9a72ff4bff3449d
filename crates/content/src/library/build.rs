//! From a described folder to a library: links resolved, articles made, everything in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;

use super::addresses;
use super::classify::Role;
use super::describe::Candidate;
use super::tags::Tags;
use super::work::{Fate, Work};
use super::{Article, Kind, Library, PublishedFile, References, Texts, transclude};
use crate::date::Moment;
use crate::document::{Reference, ReferenceKind, Target};
use crate::language;
use crate::links::{ItemId, Resolved, Table};
use crate::problem::Problem;
use crate::site::Site;
use crate::sources::Sources;
use crate::visibility::Visibility;

/// Builds a library.
pub(super) fn build(sources: &Sources, site: &Site, now: Timestamp, known: &Texts) -> Library {
    let mut work = Work::again(sources, site, now, known);
    let texts = std::mem::take(&mut work.texts);
    let report = work.report();
    let (tags, years) = work.lists();
    let (mut table, ids) = work.table(&tags, &years);
    let old = addresses::Old::of(&work, &ids, &mut table);
    habits(&work, &ids, &mut table);

    let resolve = |(candidate, id): (&Candidate, &Option<ItemId>)| id.map(|id| links(&work, &table, candidate, id)).unwrap_or_default();
    let resolved: Vec<Linked> = work.candidates.par_iter().zip(&ids).map(resolve).collect();
    let shown = transclude::all(&work, &resolved);
    let dated_links = resolved.iter().any(|linked| linked.dated);
    let mut library = Library { report, texts, ..Library::default() };
    library.redirects = old.redirects;
    if dated_links || work.plan.kind.dialect.name == "jekyll" {
        addresses::add_dated(&work, &table, &mut library.redirects);
    }
    let translations = translations(&work);
    let mut problems = work.problems.clone();
    problems.extend(old.problems);
    problems.extend(file_time(&work));
    for ((candidate, linked), shown) in work.candidates.iter().zip(resolved).zip(shown) {
        library.next_change = [library.next_change, next_change(&work, candidate, now)].into_iter().flatten().min();
        let silent = matches!(candidate.visibility, Visibility::Draft(_));
        let told = work.parsed[candidate.file].iter().flat_map(|parsed| &parsed.problems).chain(&candidate.problems);
        problems.extend(told.filter(|_| !silent).cloned());
        if !work.is_published(candidate) {
            continue;
        }
        problems.extend(linked.problems);
        linked.references.add_to(&mut library.report.references);
        let mut article = article(&work, candidate, &tags, linked.targets, linked.image, &translations);
        let mut needs_words = candidate.needs_words;
        if let Some(shown) = shown {
            needs_words = !article.language.starts_with("en") && shown.document.needs_words();
            article.document = shown.document.into();
            article.targets = shown.targets;
            problems.extend(shown.problems);
        }
        if needs_words {
            article.document.change(|document| document.localise(&candidate.language.value));
        }
        if article.kind == Kind::Article { library.articles.push(article) } else { library.pages.push(article) }
    }
    library.expired = expired(&work, &library);
    library.files = files(&work);
    order(&mut library);
    problems.extend(without_repeated_ids(&mut library));
    problems.sort();
    problems.dedup();
    library.problems = problems;
    library
}

/// The links of one article.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// One target for each reference of its document.
    pub targets: Vec<Target>,
    /// The picture that stands for it.
    image: Option<Target>,
    pub problems: Vec<Problem>,
    /// Whether an old dated address was among them.
    dated: bool,
    /// How many there are.
    pub references: References,
}

impl References {
    /// Counts one reference. A place on its own page is no link of its own.
    fn count(&mut self, reference: &Reference, target: &Target, lands: Option<bool>) {
        if let Some(lands) = lands {
            self.fragments.add(!lands);
        }
        let inside = match target {
            Target::Url(_) | Target::Here(_) => false,
            Target::Unresolved => lands.is_none(),
            Target::Page { .. } | Target::File { .. } => true,
        };
        if inside {
            let shown = matches!(reference.kind, ReferenceKind::Media | ReferenceKind::Embed);
            let tally = if shown { &mut self.images } else { &mut self.links };
            tally.add(*target == Target::Unresolved);
        }
    }

    fn add_to(self, all: &mut Self) {
        for (own, all) in [(self.links, &mut all.links), (self.images, &mut all.images), (self.fragments, &mut all.fragments)] {
            all.total += own.total;
            all.broken += own.broken;
        }
    }
}

pub(super) fn links(work: &Work<'_>, table: &Table<'_>, candidate: &Candidate, id: ItemId) -> Linked {
    let references = work.parsed[candidate.file].as_ref().map(|parsed| &*parsed.references).unwrap_or_default();
    let mut linked = Linked::default();
    for reference in references {
        let Resolved { target, problem, dated, lands } = table.resolve(id, reference);
        linked.references.count(reference, &target, lands);
        linked.targets.push(target);
        linked.problems.extend(problem);
        linked.dated |= dated;
    }
    let node = candidate.image.as_ref().and_then(|entry| entry.node.items().first());
    if let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) {
        let reference = Reference { raw: crate::text::plain(text), kind: ReferenceKind::Media, line: node.line, column: node.column };
        let Resolved { target, problem, .. } = table.resolve(id, &reference);
        linked.problems.extend(problem);
        let is_picture = match &target {
            Target::File { .. } => true,
            Target::Url(url) => !crate::html::feed::is_unsafe(url, false),
            _ => false,
        };
        linked.image = is_picture.then_some(target);
    }
    linked
}

/// What the links of the folder say about how they are meant.
pub(super) fn habits(work: &Work<'_>, ids: &[Option<ItemId>], table: &mut Table<'_>) {
    table.from_address = from_address(work, ids, table);
    table.mounts = mounts(work, ids, table);
}

/// Beginnings of paths from the root that most links lead nowhere with, and somewhere without.
fn mounts(work: &Work<'_>, ids: &[Option<ItemId>], table: &Table<'_>) -> Vec<String> {
    let votes = |(candidate, id): (&Candidate, &Option<ItemId>)| -> Vec<(String, Vec<usize>)> {
        let references = work.parsed[candidate.file].iter().flat_map(|parsed| &*parsed.references);
        references.filter_map(|reference| table.mounts_of((*id)?, reference)).collect()
    };
    let votes: Vec<_> = work.candidates.par_iter().zip(ids).flat_map_iter(votes).collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (path, fits) in &votes {
        for end in path.match_indices('/').take(3).map(|(end, _)| end) {
            let (with, all) = counts.entry(&path[..end]).or_default();
            *with += usize::from(fits.contains(&end));
            *all += 1;
        }
    }
    let mut mounts: Vec<(&str, usize)> =
        counts.into_iter().filter(|(_, (with, all))| *with > 1 && with * 2 > *all).map(|(mount, (with, _))| (mount, with)).collect();
    mounts.sort_by_key(|(_, with)| std::cmp::Reverse(*with));
    mounts.into_iter().take(20).map(|(mount, _)| mount.to_owned()).collect()
}

/// Whether links that go upwards count from the page's address in this folder: what the links with only one meaning say.
fn from_address(work: &Work<'_>, ids: &[Option<ItemId>], table: &Table<'_>) -> bool {
    let votes = |(candidate, id): (&Candidate, &Option<ItemId>)| {
        let references = work.parsed[candidate.file].iter().flat_map(|parsed| &*parsed.references);
        references
            .filter_map(|reference| table.vote((*id)?, reference))
            .fold((0_usize, 0_usize), |(address, file), vote| if vote { (address + 1, file) } else { (address, file + 1) })
    };
    let (address, file) = work.candidates.par_iter().zip(ids).map(votes).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    address >= file
}

/// Language and stem of the published candidates with the same content, by kind and key.
type Translations<'a> = BTreeMap<(Kind, &'a str), BTreeMap<&'a str, Arc<str>>>;

fn translations<'a>(work: &'a Work<'_>) -> Translations<'a> {
    let mut groups = Translations::new();
    for candidate in work.candidates.iter().filter(|candidate| work.is_published(candidate)) {
        let group = groups.entry((candidate.kind, &candidate.tongue)).or_default();
        group.entry(&candidate.language.value).or_insert_with(|| candidate.stem.value.as_str().into());
    }
    groups
}

fn article(
    work: &Work<'_>,
    candidate: &Candidate,
    tags: &Tags,
    targets: Vec<Target>,
    image: Option<Target>,
    translations: &Translations<'_>,
) -> Article {
    let file = &work.sources.files[candidate.file];
    let language = candidate.language.value.as_str();
    let stem: Arc<str> = candidate.stem.value.as_str().into();
    let group = translations.get(&(candidate.kind, candidate.tongue.as_str()));
    let own = group.and_then(|group| group.get(language)).is_some_and(|own| *own == stem);
    let others = group.filter(|_| own).into_iter().flatten().filter(|(other, _)| **other != language);
    let document = work.parsed[candidate.file].as_ref().map(|parsed| parsed.document.clone()).unwrap_or_default();
    Article {
        kind: candidate.kind,
        source: file.path.clone(),
        stem,
        title: candidate.title.value.clone(),
        summary: candidate.summary.value.clone(),
        date: candidate.dates.date.value,
        updated: candidate.dates.updated.value,
        authors: candidate.authors.clone(),
        tags: tags.settle(&candidate.tags),
        language: language.to_owned(),
        rtl: language::is_rtl(language),
        translations: others.map(|(language, stem)| ((*language).to_owned(), stem.clone())).collect(),
        image,
        guid: candidate.guid.clone(),
        weight: candidate.weight,
        llms: candidate.llms,
        listed: candidate.visibility == Visibility::Published,
        document,
        targets,
    }
}

/// When a candidate appears or goes next; a draft never does.
fn next_change(work: &Work<'_>, candidate: &Candidate, now: Timestamp) -> Option<Timestamp> {
    let alive = matches!(candidate.visibility, Visibility::Scheduled(_)) || work.is_published(candidate);
    alive.then(|| candidate.dates.window.next_change(now)).flatten()
}

/// Stems of expired articles that nobody else has now.
fn expired(work: &Work<'_>, library: &Library) -> BTreeSet<String> {
    let live: BTreeSet<&str> = library.articles.iter().chain(&library.pages).map(|article| &*article.stem).collect();
    let gone = work.candidates.iter().filter(|candidate| matches!(candidate.visibility, Visibility::Expired(_)));
    gone.map(|candidate| candidate.stem.value.clone()).filter(|stem| !live.contains(stem.as_str())).collect()
}

fn files(work: &Work<'_>) -> Vec<PublishedFile> {
    let published = work.sources.files.iter().zip(&work.plan.roles).zip(&work.fates);
    let files = published.filter_map(|((file, role), fate)| match (role, fate) {
        (Role::File(path), Fate::Published) => {
            Some(PublishedFile { path: path.as_str().into(), source: file.path.clone(), bytes: file.bytes.clone(), changed: file.dates.changed })
        }
        _ => None,
    });
    files.collect()
}

/// Date newest first, undated last, then slug; pages and files by path.
fn order(library: &mut Library) {
    let key = |article: &Article| article.date.map(|date: Moment| date.at);
    library.articles.sort_by(|a, b| key(b).cmp(&key(a)).then_with(|| a.stem.cmp(&b.stem)));
    library.pages.sort_by(|a, b| a.stem.cmp(&b.stem));
    library.files.sort_by(|a, b| a.path.cmp(&b.path));
}

/// One warning for the folder when dates of change are those of files, which differ from machine to machine.
fn file_time(work: &Work<'_>) -> Option<Problem> {
    let count = work.candidates.iter().filter(|candidate| work.is_published(candidate) && candidate.dates.by_file_time).count();
    (count > 0).then(|| {
        Problem::warning(format!("the date of the last change of {count} articles and pages is the file's time, which depends on the machine"))
            .hint("give them an `updated` date, keep the folder in git, or let a state folder remember")
    })
}

/// A feed id that two articles share is the first one's alone.
fn without_repeated_ids(library: &mut Library) -> Vec<Problem> {
    let mut seen: BTreeMap<String, Arc<str>> = BTreeMap::new();
    let mut problems = Vec::new();
    for article in &mut library.articles {
        let Some(guid) = article.guid.clone() else { continue };
        if let Some(first) = seen.get(&guid) {
            problems.push(
                Problem::warning(format!("`{first}` has the same `guid`: `{guid}`"))
                    .at(&*article.source, 0, 0)
                    .hint("the feed uses its address as id"),
            );
            article.guid = None;
        } else {
            seen.insert(guid, article.source.clone());
        }
    }
    problems
}
