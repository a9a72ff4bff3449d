//! A folder, read and described: what each file is, what it says, what becomes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;

use super::classify::{Plan, Role};
use super::describe::{Candidate, Context};
use super::folder::Folder;
use super::memory::Memory;
use super::parse::{Parsed, Parser};
use super::publication::Publication;
use super::readme;
use super::{Kind, Report};
use crate::library::links::{Item, ItemId, Place, Table, Tail};
use crate::model::problem::Problem;
use crate::model::site::Site;
use crate::model::sources::{SourceFile, Sources};
use crate::model::{AT_ONCE, at_once};
use crate::syntax::picture;

/// A folder, read and described, before addresses are settled.
pub(super) struct Work<'a> {
    pub sources: &'a Sources,
    pub site: &'a Site,
    pub plan: Plan,
    /// What each file holds; `None` for files that are no texts.
    pub parsed: Vec<Option<Arc<Parsed>>>,
    /// The texts that could be published, in path order.
    pub candidates: Vec<Candidate>,
    /// What became of each file, and what follows from that.
    pub publication: Publication,
    pub problems: Vec<Problem>,
    /// Whether no text took so long that it was given up.
    pub certain: bool,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Published,
    Skipped(String),
    SetAside(String),
}

/// Room for the documents and fixed pages behind all files.
const BEHIND: usize = 32;

impl<'a> Work<'a> {
    /// Reads and describes every file. Parsing is parallel; the order stays that of the files.
    pub fn of(sources: &'a Sources, site: &'a Site, now: Timestamp, memory: &Memory) -> Self {
        let mut plan = Plan::of(sources, site);
        let parsed = texts(sources, &mut plan, now, memory);
        let folder = Folder::of(sources, &plan.roles, &parsed, &plan.kind);
        let partials = partials(sources, &parsed);
        let context = Context::new(site, plan.kind.dialect, &folder, now);
        let describe = |(at, (role, parsed)): (usize, (&Role, &Option<Arc<Parsed>>))| {
            let (Role::Text { area, rel, .. }, Some(parsed), file) = (role, parsed, &sources.files[at]) else { return None };
            let described = || context.description(file, (*area, rel), parsed, memory);
            let none = partials.contains(&*file.path) || parsed.empty || parsed.template;
            (!none).then(|| Candidate { file: at, described: described() })
        };
        let all = plan.roles.par_iter().zip(&parsed).with_max_len(at_once(parsed.len())).enumerate();
        let candidates: Vec<Option<Candidate>> = all.map(describe).collect();
        let candidates: Vec<Candidate> = candidates.into_iter().flatten().collect();
        let partial = |file: &SourceFile| partials.contains(&*file.path);
        let files = sources.files.par_iter().zip(&plan.roles).zip(&parsed);
        let fates: Vec<Fate> = files.map(|((file, role), parsed)| fate(&file.path, role, parsed.as_deref(), partial(file))).collect();
        // Who is published depends on what texts say of themselves, which was taken from their documents.
        let publication = Publication::of(fates, &plan.roles, &candidates, sources);
        let endless = endless(sources, &parsed);
        let certain = endless.is_empty();
        let problems = sources.problems.iter().chain(&plan.kind.config.problems).chain(&publication.problems).cloned().chain(endless).collect();
        Self { sources, site, plan, parsed, candidates, publication, problems, certain }
    }

    /// Whether a candidate is published.
    pub fn is_published(&self, candidate: &Candidate) -> bool {
        self.publication.fates[candidate.file] == Fate::Published
    }

    /// What a link can lead to, and the item of each candidate that is published.
    fn items(&self) -> (Vec<Item<'_>>, Vec<Option<ItemId>>) {
        let sizes = self.sizes();
        let fates = &self.publication.fates;
        let source = |at: usize| Some(&self.sources.files[at].path);
        let mut items = Vec::with_capacity(fates.len() + BEHIND + self.publication.years.len());
        let mut described = vec![false; fates.len()];
        let mut ids = Vec::with_capacity(self.candidates.len());
        for candidate in &self.candidates {
            described[candidate.file] = true;
            let place = self.place(candidate);
            ids.push(matches!(place, Place::Page { .. }).then_some(items.len()));
            items.push(Item { source: source(candidate.file), place });
        }
        for (at, role) in self.plan.roles.iter().enumerate().filter(|(at, _)| !described[*at]) {
            let place = match (&fates[at], role) {
                (Fate::Published, Role::File(path)) => Place::File { path: path.as_str().into(), size: sizes[at] },
                (Fate::Skipped(why) | Fate::SetAside(why), _) => Place::Hidden(why),
                _ => continue,
            };
            items.push(Item { source: source(at), place });
        }
        (items, ids)
    }

    /// The sizes of images, one place for each file.
    fn sizes(&self) -> Vec<Option<(u32, u32)>> {
        let files = self.sources.files.par_iter().zip(&self.plan.roles);
        files.map(|(file, role)| if matches!(role, Role::File(_)) { picture::size(&file.path, &file.bytes) } else { None }).collect()
    }

    /// Where a candidate is.
    fn place<'w>(&'w self, candidate: &'w Candidate) -> Place<'w> {
        let described = &*candidate.described;
        match &self.publication.fates[candidate.file] {
            Fate::Published => Place::Page {
                stem: &described.about.stem.value,
                document: &described.document,
                language: &described.about.language.value,
                ids: &described.places,
            },
            Fate::Skipped(why) | Fate::SetAside(why) => Place::Hidden(why),
        }
    }

    /// Lets go of the documents of what is not published: nobody looks at them.
    pub fn rest(&self) {
        let unpublished = self.parsed.iter().zip(&self.publication.fates).filter(|(_, fate)| **fate != Fate::Published);
        unpublished.filter_map(|(parsed, _)| parsed.as_ref()).for_each(|parsed| parsed.document.release());
    }

    /// The table of links, and the item of each published candidate.
    pub fn table(&self) -> (Table<'_>, Vec<Option<ItemId>>) {
        let dialect = self.plan.kind.dialect;
        let roots: Vec<&str> = self.plan.kind.config.content.as_deref().into_iter().chain(dialect.roots.iter().copied()).collect();
        let mut table = Table::new(&self.site.base, &self.plan.articles, &roots, self.plan.kind.wikilinks);
        let (items, ids) = self.items();
        let published = self.candidates.iter().zip(&ids).filter_map(|(candidate, id)| Some(((*id)?, candidate)));
        let names = published.flat_map(|(id, candidate)| candidate.names.iter().map(move |name| (id, name.as_str())));
        let tails = self.candidates.par_iter().with_max_len(AT_ONCE).zip(&ids).filter_map(|(candidate, id)| self.tail(candidate, (*id)?));
        table.fill(items, names, tails.collect());
        table.add_generated(&self.publication.tags.slugs(), &self.publication.years);
        table.former = self.former();
        (table, ids)
    }

    /// Where the site was before: as another generator's configuration says, else the origin that most pages which were built before call their own.
    fn former(&self) -> Option<String> {
        if let Some(address) = &self.plan.kind.config.address {
            return Some(address.clone());
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let canonical: Vec<&str> = self.parsed.par_iter().flatten().filter_map(|parsed| parsed.canonical.as_deref()).collect();
        for canonical in canonical {
            let Some(end) = canonical.find("://").map(|at| at + 3) else { continue };
            let origin = &canonical[..canonical[end..].find('/').map_or(canonical.len(), |slash| end + slash)];
            *counts.entry(origin).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        counts.into_iter().find(|(_, count)| *count > 1 && count * 2 > all).map(|(origin, _)| origin.to_owned())
    }

    /// How old addresses name an article.
    fn tail(&self, candidate: &Candidate, item: ItemId) -> Option<(String, Tail)> {
        if candidate.kind != Kind::Article {
            return None;
        }
        let slug = candidate.stem.value.strip_prefix("/articles/")?;
        let mut parts: Vec<&str> = slug.split('/').collect();
        let last = parts.pop()?;
        let name = crate::model::date::in_name(last).map(|(_, rest)| rest).filter(|rest| !rest.is_empty()).unwrap_or(last);
        // Old addresses hold the day that the file's name or the author's own clock says, which may not be that of UTC.
        let named = crate::model::date::in_name(last).map(|(moment, _)| moment).or(candidate.dates.date.value);
        let date = named.map(|moment| moment.iso());
        let front = self.parsed[candidate.file].as_ref().map(|parsed| &parsed.front);
        let categories =
            front.and_then(|front| front.first(&["categories", "category"])).map(|entry| super::folder::names(&entry.node, true)).unwrap_or_default();
        let folders = self.plan.articles.split('/').chain(parts).filter(|part| !part.is_empty());
        let words = folders.chain(categories.iter().map(String::as_str));
        Some((name.to_owned(), Tail::new(item, date.as_deref(), words)))
    }

    /// What became of every file, as the report has it.
    pub fn report(&self) -> Report {
        let mut report = Report { found: self.sources.files.len() + self.sources.unread.len(), ..Report::default() };
        for (file, fate) in self.sources.files.iter().zip(&self.publication.fates) {
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
        let config = &self.plan.kind.config;
        report.configuration = (!config.file.is_empty()).then(|| (config.file.clone(), config.said.clone()));
        report.articles_folder = (self.plan.articles.clone(), self.plan.reason.clone());
        let with_unknown: Vec<&Arc<Parsed>> = self.parsed.par_iter().flatten().filter(|parsed| !parsed.unknown_tags.is_empty()).collect();
        for parsed in with_unknown {
            for (name, count) in &parsed.unknown_tags {
                *report.unknown_tags.entry(name.clone()).or_default() += count;
            }
        }
        report
    }
}

/// What each file holds that is a text. Which READMEs are texts, others say that link to them.
fn texts(sources: &Sources, plan: &mut Plan, now: Timestamp, memory: &Memory) -> Vec<Option<Arc<Parsed>>> {
    let parser = Parser::new(sources, &plan.kind, now, memory);
    let read = |(file, role): (&SourceFile, &Role)| match role {
        Role::Text { format, .. } => Some(parser.text(file, *format)),
        _ => None,
    };
    let all = sources.files.par_iter().zip(&plan.roles).with_max_len(at_once(sources.files.len()));
    let mut parsed: Vec<Option<Arc<Parsed>>> = all.map(read).collect();
    for (at, role) in readme::indexes(sources, plan, &parsed) {
        parsed[at] = read((&sources.files[at], &role));
        plan.roles[at] = role;
    }
    parsed
}

/// Files that others include, and that lie where people keep what is included: they are no articles of their own.
fn partials<'a>(sources: &'a Sources, parsed: &[Option<Arc<Parsed>>]) -> BTreeSet<&'a str> {
    const PLACES: [&str; 12] =
        ["includes", "include", "partials", "partial", "snippets", "snippet", "fragments", "parts", "reuse", "reusable", "shared", "templates"];
    let included = parsed.par_iter().flatten().flat_map_iter(|parsed| &parsed.included);
    let paths = included.filter(|path| path.split('/').rev().skip(1).any(|folder| PLACES.contains(&folder)));
    paths.filter_map(|path| sources.files.binary_search_by(|file| (*file.path).cmp(path)).ok()).map(|at| &*sources.files[at].path).collect()
}

/// The fate of a file before anybody looked at others.
fn fate(path: &str, role: &Role, parsed: Option<&Parsed>, partial: bool) -> Fate {
    let section = || path.rsplit('/').next().is_some_and(|name| name.starts_with("_index."));
    match role {
        Role::Skip(reason) => Fate::Skipped(reason.clone()),
        Role::SetAside(reason) => Fate::SetAside(reason.clone()),
        Role::Text { .. } if partial => Fate::Skipped("partial: another file includes it".to_owned()),
        Role::Text { .. } if parsed.is_some_and(|parsed| parsed.template) => Fate::Skipped("template or partial".to_owned()),
        Role::Text { .. } if parsed.is_some_and(|parsed| parsed.endless.is_some()) => Fate::SetAside("it takes too long to read".to_owned()),
        Role::Text { .. } if parsed.is_none_or(|parsed| parsed.empty) => {
            Fate::Skipped(if section() { "section file".to_owned() } else { "empty body".to_owned() })
        }
        Role::Text { .. } | Role::File(_) => Fate::Published,
    }
}

/// One problem for each file that took too long.
fn endless(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> Vec<Problem> {
    let endless = sources.files.par_iter().zip(parsed).filter(|(_, parsed)| parsed.as_ref().is_some_and(|parsed| parsed.endless.is_some()));
    let seconds = sources.bounds.time.as_secs_f64();
    let problem = |file: &SourceFile| {
        Problem::error(format!("set aside: reading it takes longer than {seconds} s"))
            .at(&*file.path, 0, 0)
            .hint("it may be damaged; if it is not, divide it, or raise the limit `rendering-time`")
    };
    endless.map(|(file, _)| problem(file)).collect()
}
