//! From files to a library: plan, parse, describe, settle addresses, resolve links, order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::addresses;
use super::classify::{Plan, Role};
use super::describe::{Candidate, Context};
use super::folder::Folder;
use super::parse::{Parsed, parse};
use super::tags::Tags;
use super::{Article, Kind, Library, PublishedFile, Report};
use crate::date::Moment;
use crate::document::{Reference, ReferenceKind, Target};
use crate::language;
use crate::links::{Item, ItemId, Place, Resolved, Table, Tail};
use crate::problem::Problem;
use crate::site::Site;
use crate::sources::{SourceFile, Sources};
use crate::visibility::Visibility;

/// A folder, read and described, before addresses are settled.
pub(super) struct Work<'a> {
    pub sources: &'a Sources,
    pub site: &'a Site,
    pub plan: Plan,
    /// What each file holds; `None` for files that are no texts. Titles are taken out.
    pub parsed: Vec<Option<Parsed>>,
    /// The texts that could be published, in path order.
    pub candidates: Vec<Candidate>,
    /// What became of each file.
    pub fates: Vec<Fate>,
    pub problems: Vec<Problem>,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Published,
    Skipped(String),
    SetAside(String),
}

impl<'a> Work<'a> {
    /// Reads and describes every file. Parsing is parallel; the order stays that of the files.
    pub fn of(sources: &'a Sources, site: &'a Site, now: Timestamp) -> Self {
        let plan = Plan::of(sources, site);
        let read = |(file, role): (&SourceFile, &Role)| match role {
            Role::Text { format, .. } => Some(parse(&file.bytes, &file.path, *format, &plan.kind)),
            _ => None,
        };
        let mut parsed: Vec<Option<Parsed>> = sources.files.par_iter().zip(&plan.roles).map(read).collect();
        let folder = Folder::of(sources, &plan.roles, &parsed, &plan.kind);
        let context = Context { site, dialect: plan.kind.dialect, folder: &folder, now };
        let describe = |(at, ((file, role), parsed)): (usize, ((&SourceFile, &Role), &mut Option<Parsed>))| match (role, parsed) {
            (Role::Text { area, rel, .. }, Some(parsed)) if !parsed.is_empty() => Some(context.describe(at, file, *area, rel, parsed)),
            _ => None,
        };
        let candidates: Vec<Candidate> = sources.files.par_iter().zip(&plan.roles).zip(&mut parsed).enumerate().filter_map(describe).collect();
        let fates = plan.roles.iter().zip(&parsed).map(|(role, parsed)| fate(role, parsed.as_ref())).collect();
        let mut work = Self { sources, site, plan, parsed, candidates, fates, problems: sources.problems.clone() };
        work.settle();
        work
    }

    /// Decides who is published: visible, not a redirect, at an address that nobody had before.
    fn settle(&mut self) {
        let mut taken: FxHashMap<String, usize> = FxHashMap::default();
        for kind in [Kind::Article, Kind::Page] {
            for candidate in self.candidates.iter().filter(|candidate| candidate.kind == kind) {
                let path = &self.sources.files[candidate.file].path;
                let stem = &candidate.stem.value;
                let fate = match &candidate.visibility {
                    Visibility::Draft(_) => Fate::Skipped("draft".to_owned()),
                    Visibility::Scheduled(_) => Fate::Skipped("scheduled for later".to_owned()),
                    Visibility::Expired(_) => Fate::Skipped("expired".to_owned()),
                    _ if candidate.redirect_to.is_some() => Fate::Skipped("nothing but a redirect".to_owned()),
                    _ if addresses::is_reserved(stem) => {
                        let reason = format!("`{stem}.html` is a page that diglot writes itself");
                        self.problems
                            .push(Problem::error(format!("set aside: {reason}")).at(&**path, 0, 0).hint("rename the file or give it a `slug`"));
                        Fate::SetAside(reason)
                    }
                    _ => match taken.get(stem.as_str()) {
                        Some(first) => {
                            let first = &self.sources.files[*first].path;
                            let reason = format!("`{first}` has the same address `{stem}.html`");
                            self.problems.push(
                                Problem::error(format!("set aside: {reason}")).at(&**path, 0, 0).hint("rename one of the two or give it a `slug`"),
                            );
                            Fate::SetAside(reason)
                        }
                        None => {
                            taken.insert(stem.clone(), candidate.file);
                            Fate::Published
                        }
                    },
                };
                self.fates[candidate.file] = fate;
            }
        }
        self.settle_files();
    }

    /// Files: the first in path order keeps an address.
    fn settle_files(&mut self) {
        let mut taken: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, role) in self.plan.roles.iter().enumerate() {
            let path = &self.sources.files[at].path;
            let reason = match role {
                Role::SetAside(reason) => reason.clone(),
                Role::File(address) => match taken.get(address.as_str()) {
                    Some(first) => format!("`{}` has the same address `{address}`", self.sources.files[*first].path),
                    None => {
                        taken.insert(address, at);
                        continue;
                    }
                },
                _ => continue,
            };
            self.problems.push(Problem::error(format!("set aside: {reason}")).at(&**path, 0, 0).hint("rename the file"));
            self.fates[at] = Fate::SetAside(reason);
        }
    }

    /// Whether a candidate is published.
    pub fn is_published(&self, candidate: &Candidate) -> bool {
        self.fates[candidate.file] == Fate::Published
    }

    /// The tags of the folder, and the years that have articles in lists.
    pub fn lists(&self) -> (Tags, BTreeSet<i16>) {
        let published = || self.candidates.iter().filter(|candidate| self.is_published(candidate));
        let listed = || published().filter(|candidate| candidate.kind == Kind::Article && candidate.visibility == Visibility::Published);
        let tags = Tags::of(listed().map(|candidate| candidate.tags.as_slice()), published().map(|candidate| candidate.tags.as_slice()));
        (tags, listed().filter_map(|candidate| candidate.dates.date.value.map(|date| date.year())).collect())
    }

    /// The table of links, and the item of each published candidate.
    pub fn table(&self, tags: &Tags, years: &BTreeSet<i16>) -> (Table<'_>, Vec<Option<ItemId>>) {
        let dialect = self.plan.kind.dialect;
        let mut table = Table::new(&self.site.base, &self.plan.articles, dialect.roots, self.plan.kind.wikilinks);
        let mut ids = Vec::with_capacity(self.candidates.len());
        let mut described = vec![false; self.fates.len()];
        for candidate in &self.candidates {
            described[candidate.file] = true;
            let source = &*self.sources.files[candidate.file].path;
            let published = self.is_published(candidate);
            let place = match (&self.parsed[candidate.file], &self.fates[candidate.file]) {
                (Some(parsed), Fate::Published) => Place::Page {
                    stem: candidate.stem.value.as_str().into(),
                    document: &parsed.document,
                    language: &candidate.language.value,
                    ids: OnceLock::new(),
                },
                (_, Fate::Skipped(why) | Fate::SetAside(why)) => Place::Hidden(why),
                _ => continue,
            };
            let id = table.add(Item { source, place });
            if published {
                candidate.names.iter().for_each(|name| table.name(name, id));
                if let Some((name, tail)) = self.tail(candidate, id) {
                    table.tail(&name, tail);
                }
            }
            ids.push(published.then_some(id));
        }
        let sizes: Vec<Option<(u32, u32)>> = self
            .sources
            .files
            .par_iter()
            .zip(&self.plan.roles)
            .map(|(file, role)| if matches!(role, Role::File(_)) { image_size(file) } else { None })
            .collect();
        for (at, role) in self.plan.roles.iter().enumerate().filter(|(at, _)| !described[*at]) {
            let source = &*self.sources.files[at].path;
            let place = match (&self.fates[at], role) {
                (Fate::Published, Role::File(path)) => Place::File { path: path.as_str().into(), size: sizes[at] },
                (Fate::Skipped(why) | Fate::SetAside(why), _) => Place::Hidden(why),
                _ => continue,
            };
            table.add(Item { source, place });
        }
        table.add_generated(&tags.slugs(), years);
        (table, ids)
    }

    /// How old addresses name an article.
    fn tail(&self, candidate: &Candidate, item: ItemId) -> Option<(String, Tail)> {
        if candidate.kind != Kind::Article {
            return None;
        }
        let slug = candidate.stem.value.strip_prefix("/articles/")?;
        let mut parts: Vec<&str> = slug.split('/').collect();
        let last = parts.pop()?;
        let name = crate::date::in_name(last).map(|(_, rest)| rest).filter(|rest| !rest.is_empty()).unwrap_or(last);
        // Old addresses hold the day that the file's name or the author's own clock says, which may not be that of UTC.
        let named = crate::date::in_name(last).map(|(moment, _)| moment).or(candidate.dates.date.value);
        let date = named.map(|moment| moment.iso()).and_then(|iso| {
            let mut parts = iso.get(..10)?.split('-').map(str::to_owned);
            Some([parts.next()?, parts.next()?, parts.next()?])
        });
        let front = self.parsed[candidate.file].as_ref().map(|parsed| &parsed.front);
        let categories =
            front.and_then(|front| front.first(&["categories", "category"])).map(|entry| super::folder::names(&entry.node, true)).unwrap_or_default();
        let folders = self.plan.articles.split('/').chain(parts).filter(|part| !part.is_empty()).map(str::to_owned);
        Some((name.to_owned(), Tail { item, date, words: folders.chain(categories).collect() }))
    }

    /// What became of every file, as the report has it.
    pub fn report(&self) -> Report {
        let mut report = Report { found: self.sources.files.len() + self.sources.unread.len(), ..Report::default() };
        for (file, fate) in self.sources.files.iter().zip(&self.fates) {
            match fate {
                Fate::Published => report.published += 1,
                Fate::Skipped(reason) => report.skipped.entry(reason.clone()).or_default().push(file.path.to_string()),
                Fate::SetAside(reason) => report.set_aside.push((file.path.to_string(), reason.clone())),
            }
        }
        for unread in &self.sources.unread {
            report.skipped.entry(unread.reason.clone()).or_default().push(unread.path.clone());
        }
        report.dialect = Some((self.plan.kind.dialect.name.to_owned(), self.plan.kind.evidence.clone()));
        report.articles_folder = (self.plan.articles.clone(), self.plan.reason.clone());
        for parsed in self.parsed.iter().flatten() {
            for (name, count) in &parsed.unknown_tags {
                *report.unknown_tags.entry(name.clone()).or_default() += count;
            }
        }
        report
    }
}

/// The fate of a file before anybody looked at others.
fn fate(role: &Role, parsed: Option<&Parsed>) -> Fate {
    match role {
        Role::Skip(reason) => Fate::Skipped(reason.clone()),
        Role::SetAside(reason) => Fate::SetAside(reason.clone()),
        Role::Text { .. } if parsed.is_none_or(Parsed::is_empty) => Fate::Skipped("empty body".to_owned()),
        Role::Text { .. } | Role::File(_) => Fate::Published,
    }
}

/// An image's size in pixels, from its first bytes.
fn image_size(file: &SourceFile) -> Option<(u32, u32)> {
    let suffix = file.path.rsplit_once('.')?.1.to_ascii_lowercase();
    if !matches!(suffix.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "bmp" | "ico" | "apng" | "jxl") {
        return None;
    }
    let size = imagesize::blob_size(&file.bytes).ok()?;
    Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?)).filter(|(width, height)| *width > 0 && *height > 0)
}

/// Builds a library.
pub(super) fn build(sources: &Sources, site: &Site, now: Timestamp) -> Library {
    let work = Work::of(sources, site, now);
    let report = work.report();
    let (tags, years) = work.lists();
    let (mut table, ids) = work.table(&tags, &years);
    let old = addresses::Old::of(&work, &ids, &mut table);
    table.from_address = from_address(&work, &ids, &table);

    let resolve = |(candidate, id): (&Candidate, &Option<ItemId>)| id.map(|id| links(&work, &table, candidate, id)).unwrap_or_default();
    let resolved: Vec<Linked> = work.candidates.par_iter().zip(&ids).map(resolve).collect();
    let dated_links = resolved.iter().any(|linked| linked.dated);
    let mut library = Library { report, ..Library::default() };
    library.redirects = old.redirects;
    if dated_links || work.plan.kind.dialect.name == "jekyll" {
        addresses::add_dated(&work, &table, &mut library.redirects);
    }
    let translations = translations(&work);
    let mut problems = work.problems.clone();
    problems.extend(old.problems);
    problems.extend(file_time(&work));
    for (candidate, linked) in work.candidates.iter().zip(resolved) {
        library.next_change = [library.next_change, next_change(&work, candidate, now)].into_iter().flatten().min();
        let silent = matches!(candidate.visibility, Visibility::Draft(_));
        let told = work.parsed[candidate.file].iter().flat_map(|parsed| &parsed.problems).chain(&candidate.problems);
        problems.extend(told.filter(|_| !silent).cloned());
        if !work.is_published(candidate) {
            continue;
        }
        problems.extend(linked.problems);
        let article = article(&work, candidate, &tags, linked.targets, linked.image, &translations);
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
}

pub(super) fn links(work: &Work<'_>, table: &Table<'_>, candidate: &Candidate, id: ItemId) -> Linked {
    let references = work.parsed[candidate.file].as_ref().map(|parsed| parsed.document.references.as_slice()).unwrap_or_default();
    let mut linked = Linked::default();
    for reference in references {
        let Resolved { target, problem, dated } = table.resolve(id, reference);
        linked.targets.push(target);
        linked.problems.extend(problem);
        linked.dated |= dated;
    }
    let node = candidate.image.as_ref().and_then(|entry| entry.node.items().first());
    if let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) {
        let reference = Reference { raw: crate::text::plain(text), kind: ReferenceKind::Media, line: node.line, column: node.column };
        let Resolved { target, problem, .. } = table.resolve(id, &reference);
        linked.problems.extend(problem);
        linked.image = matches!(target, Target::File { .. } | Target::Url(_)).then_some(target);
    }
    linked
}

/// Whether links that go upwards count from the page's address in this folder: what the links with only one meaning say.
pub(super) fn from_address(work: &Work<'_>, ids: &[Option<ItemId>], table: &Table<'_>) -> bool {
    let votes = |(candidate, id): (&Candidate, &Option<ItemId>)| {
        let references = work.parsed[candidate.file].iter().flat_map(|parsed| &parsed.document.references);
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
