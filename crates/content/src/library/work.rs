//! A folder, read and described: what each file is, what it says, what becomes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use rayon::prelude::*;

use super::classify::{Plan, Role};
use super::describe::{About, Candidate, Context};
use super::folder::Folder;
use super::layout::Layout;
use super::parse::{Parsed, parse, untitled};
use super::readme;
use super::standing::Standing;
use super::texts::{self, Place as TextPlace, Text, Texts};
use super::{Kind, Report};
use crate::document::{Content, Reading};
use crate::links::{Item, ItemId, Keys, Place, Table, Tail};
use crate::picture;
use crate::problem::Problem;
use crate::site::Site;
use crate::sources::{SourceFile, Sources};
use crate::sum::{Digest, Sum};
use crate::{AT_ONCE, at_once};

/// A folder, read and described, before addresses are settled.
pub(super) struct Work<'a> {
    pub sources: &'a Sources,
    pub site: &'a Site,
    pub plan: Plan,
    /// What each file holds; `None` for files that are no texts. Titles are taken out.
    pub parsed: Vec<Option<Arc<Parsed>>>,
    /// Its document, once somebody looks at it: as [`document`](Self::document) says.
    documents: Vec<OnceLock<Content>>,
    /// The same for the next reading.
    pub texts: Texts,
    /// The texts that could be published, in path order.
    pub candidates: Vec<Candidate>,
    /// What became of each file, and what else follows from what the candidates say.
    pub standing: Arc<Standing>,
    pub problems: Vec<Problem>,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    Published,
    Skipped(String),
    SetAside(String),
}

/// Where everything is that a link can lead to, but for what Diglot writes itself.
pub(super) struct Places<'w> {
    items: Vec<Item<'w>>,
    /// The item of each candidate that is published.
    ids: Vec<Option<ItemId>>,
    /// The sizes of images, one place for each file.
    pub sizes: Arc<Vec<Option<(u32, u32)>>>,
}

/// What the table of links is made from, beside the files themselves.
pub(super) struct Ground<'g> {
    /// The address parts of the tags that have a page.
    slugs: BTreeSet<&'g str>,
    /// The years that have one.
    years: &'g BTreeSet<i16>,
    /// Where the site was before.
    pub former: Option<String>,
}

/// Bytes of a face that a file has, about.
const FACE: usize = 96;
/// Room for the documents and fixed pages behind all files.
const BEHIND: usize = 32;

impl<'a> Work<'a> {
    /// Reads and describes every file. Parsing is parallel; the order stays that of the files.
    pub fn of(sources: &'a Sources, site: &'a Site, now: Timestamp) -> Self {
        Self::again(sources, site, now, &Texts::default())
    }

    /// As [`of`](Self::of), with what the reading before made of texts that nothing has changed for.
    pub fn again(sources: &'a Sources, site: &'a Site, now: Timestamp, known: &Texts) -> Self {
        let layout = Layout::again(sources, site, known.layout());
        let mut plan = layout.plan.clone();
        let known_texts = known.of_kind(&plan.kind, sources.bounds.nesting);
        let anew = |file: &SourceFile, format| Arc::new(parse(&file.bytes, &file.path, format, &plan.kind, sources, now));
        let read = |(at, role): (usize, &Role)| match role {
            Role::Text { format, .. } => {
                let (file, text) = (&sources.files[at], texts::find(known_texts, at, *format, sources, now));
                (Some(text.map_or_else(|| anew(file, *format), |text| Arc::clone(&text.parsed))), text)
            }
            _ => (None, None),
        };
        let (mut parsed, mut found): (Vec<_>, Vec<_>) = plan.roles.par_iter().with_max_len(at_once(plan.roles.len())).enumerate().map(read).unzip();
        for (at, role) in readme::indexes(sources, &layout, &parsed) {
            (parsed[at], found[at]) = read((at, &role));
            Arc::make_mut(&mut plan.roles)[at] = role;
        }
        let folder = Folder::of(sources, (&plan.roles, layout.tongues), &parsed, &plan.kind);
        let partials = partials(sources, &parsed);
        let context = Context { site, dialect: plan.kind.dialect, folder: &folder, now };
        let as_before = known.describe_like(site, &folder);
        let kind = Arc::new(plan.kind.clone());
        let nesting = sources.bounds.nesting;
        let describe = |(at, parsed, found): (usize, &mut Option<Arc<Parsed>>, Option<&Arc<Text>>)| {
            let (file, Role::Text { format, area, rel }) = (&sources.files[at], &plan.roles[at]) else { return (None, None) };
            let Some(parsed) = parsed else { return (None, None) };
            let place = || TextPlace { area: *area, rel: Arc::clone(rel), tongue: folder.tongue(rel), created: file.dates.created };
            if partials.contains(&*file.path) {
                // If it was described before, its title is gone; nobody looks for it here.
                return (None, Some(found.map_or_else(|| Arc::new(Text::new(file, *format, parsed, None, now)), Arc::clone)));
            }
            if let Some(text) = found.filter(|text| text.is_described()) {
                let here = (*area, rel, file.dates.created);
                if let Some(about) = text.about(here, &folder, now).filter(|_| as_before) {
                    let Some(dates) = about.dates.again(file, now) else {
                        return (Some(Candidate { file: at, about: Arc::clone(about) }), Some(Arc::clone(text)));
                    };
                    let about = Arc::new(About { dates, ..About::clone(about) });
                    let text = Text::new(file, *format, parsed, Some((place(), &about)), now);
                    return (Some(Candidate { file: at, about }), Some(Arc::new(text)));
                }
                *parsed = anew(file, *format);
            }
            if parsed.empty || parsed.template {
                return (None, Some(Arc::new(Text::new(file, *format, parsed, None, now))));
            }
            // What an HTML page is called depends on what all others are called: only its parsing is remembered.
            let raw = parsed.names.is_some().then(|| Arc::clone(parsed));
            let about = Arc::new(context.describe(file, *area, rel, Arc::make_mut(parsed)));
            let own = Arc::make_mut(parsed);
            own.document.pack();
            if own.asked.is_empty() && raw.is_none() {
                let (bytes, path, format, kind) = (file.bytes.clone(), Arc::clone(&file.path), *format, Arc::clone(&kind));
                own.document.set_source(move || untitled(&bytes, &path, format, &kind, nesting));
            }
            let text = match raw {
                Some(raw) => Text::new(file, *format, &raw, None, now),
                None => Text::new(file, *format, parsed, Some((place(), &about)), now),
            };
            (Some(Candidate { file: at, about }), Some(Arc::new(text)))
        };
        let some = at_once(parsed.len());
        let work = parsed.par_iter_mut().with_max_len(some).zip(found).enumerate().map(|(at, (parsed, found))| describe((at, parsed, found)));
        let (candidates, next): (Vec<_>, Vec<_>) = work.unzip();
        let candidates: Vec<Candidate> = candidates.into_iter().flatten().collect();
        let next = next.into_iter().flatten().collect();
        let mut problems: Vec<Problem> = sources.problems.iter().chain(&plan.kind.config.problems).cloned().collect();
        let partial = |file: &SourceFile| partials.contains(&*file.path);
        let files = sources.files.par_iter().zip(&*plan.roles).zip(&parsed);
        let fates: Vec<Fate> = files.map(|((file, role), parsed)| fate(&file.path, role, parsed.as_deref(), partial(file))).collect();
        drop(partials);
        let endless = endless(sources, &parsed);
        let certain = endless.is_empty();
        problems.extend(endless);
        // Who is published depends on what texts say of themselves, which was taken from their documents.
        let standing = Standing::again(known.standing(), (&layout, &plan.roles), fates, &candidates, sources);
        let documents = parsed.iter().map(|_| OnceLock::new()).collect();
        problems.extend(standing.problems.iter().cloned());
        let texts = known.next((&plan.kind, nesting), site, folder, (next, certain)).with_standing(&standing);
        Self { sources, site, plan, parsed, documents, texts, candidates, standing, problems }
    }

    /// The document of a text.
    pub fn document(&self, file: usize) -> Option<Reading<'_>> {
        Some(Reading::new(self.documents.get(file)?, &self.parsed.get(file)?.as_ref()?.document))
    }

    /// Whether a candidate is published.
    pub fn is_published(&self, candidate: &Candidate) -> bool {
        self.standing.fates[candidate.file] == Fate::Published
    }

    /// What a link can lead to.
    pub fn places(&self) -> Places<'_> {
        let files = self.sources.files.par_iter().zip(&*self.plan.roles);
        let sizes: Vec<_> =
            files.map(|(file, role)| if matches!(role, Role::File(_)) { picture::size(&file.path, &file.bytes) } else { None }).collect();
        let source = |at: usize| Some(&self.sources.files[at].path);
        // Lists of tags and years come behind them: they should not move all others.
        let behind = BEHIND + self.standing.tags.slugs().len() + self.standing.years.len();
        let mut items = Vec::with_capacity(self.standing.fates.len() + behind);
        let mut described = vec![false; self.standing.fates.len()];
        let mut ids = Vec::with_capacity(self.candidates.len());
        for candidate in &self.candidates {
            described[candidate.file] = true;
            let place = self.place(candidate);
            ids.push(matches!(place, Some(Place::Page { .. })).then_some(items.len()));
            items.extend(place.map(|place| Item { source: source(candidate.file), place }));
        }
        for (at, role) in self.plan.roles.iter().enumerate().filter(|(at, _)| !described[*at]) {
            let place = match (&self.standing.fates[at], role) {
                (Fate::Published, Role::File(path)) => Place::File { path: path.as_str().into(), size: sizes[at] },
                (Fate::Skipped(why) | Fate::SetAside(why), _) => Place::Hidden(why),
                _ => continue,
            };
            items.push(Item { source: source(at), place });
        }
        Places { items, ids, sizes: Arc::new(sizes) }
    }

    /// Where a candidate is.
    fn place<'w>(&'w self, candidate: &'w Candidate) -> Option<Place<'w>> {
        match (self.document(candidate.file), &self.standing.fates[candidate.file]) {
            (Some(document), Fate::Published) => {
                Some(Place::Page { stem: &candidate.stem.value, document, language: &candidate.language.value, ids: OnceLock::new() })
            }
            (_, Fate::Skipped(why) | Fate::SetAside(why)) => Some(Place::Hidden(why)),
            (None, Fate::Published) => None,
        }
    }

    /// What the table of links is made from, beside what links can lead to.
    pub fn ground(&self) -> Ground<'_> {
        Ground { slugs: self.standing.tags.slugs(), years: &self.standing.years, former: self.former() }
    }

    /// A digest of all that is in the table of links, and of the old addresses of the folder: two tables with the same have the same keys.
    pub fn face(&self, ground: &Ground<'_>, places: &Places<'_>) -> Digest {
        let mut sum = Sum::with_room(FACE * self.standing.fates.len());
        (&self.plan.articles, &ground.slugs, ground.years, &ground.former).hash(&mut sum);
        let mut candidates = self.candidates.iter().peekable();
        for (at, ((file, role), fate)) in self.sources.files.iter().zip(&*self.plan.roles).zip(&self.standing.fates).enumerate() {
            (&file.path, fate).hash(&mut sum);
            match candidates.next_if(|candidate| candidate.file == at) {
                Some(candidate) => candidate.face.hash(&mut sum),
                None => (role, places.sizes[at]).hash(&mut sum),
            }
        }
        sum.digest()
    }

    /// The table of links, and the item of each published candidate. `known` are the keys of a table with the same [`face`](Self::face).
    pub fn table<'t>(&'t self, ground: &Ground<'_>, places: Places<'t>, known: Option<&Arc<Keys>>) -> (Table<'t>, Vec<Option<ItemId>>) {
        let dialect = self.plan.kind.dialect;
        let roots: Vec<&str> = self.plan.kind.config.content.as_deref().into_iter().chain(dialect.roots.iter().copied()).collect();
        let mut table = Table::new(&self.site.base, &self.plan.articles, &roots, self.plan.kind.wikilinks);
        let Places { items, ids, .. } = places;
        match known {
            Some(keys) => table = table.with_keys(Arc::clone(keys), items),
            None => {
                let published = self.candidates.iter().zip(&ids).filter_map(|(candidate, id)| Some(((*id)?, candidate)));
                let names = published.flat_map(|(id, candidate)| candidate.names.iter().map(move |name| (id, name.as_str())));
                let tails = self.candidates.par_iter().with_max_len(AT_ONCE).zip(&ids).filter_map(|(candidate, id)| self.tail(candidate, (*id)?));
                table.fill(items, names, tails.collect());
            }
        }
        table.add_generated(&ground.slugs, ground.years);
        table.former.clone_from(&ground.former);
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
        let most = counts.into_iter().find(|(_, count)| *count > 1 && count * 2 > all).map(|(origin, _)| origin.to_owned());
        most.or_else(|| self.plan.kind.config.address.as_ref().map(|address| address.trim_end_matches('/').to_owned()))
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
        for (file, fate) in self.sources.files.iter().zip(&self.standing.fates) {
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
        Role::Text { .. } if parsed.is_some_and(|parsed| parsed.endless) => Fate::SetAside("it takes too long to read".to_owned()),
        Role::Text { .. } if parsed.is_none_or(|parsed| parsed.empty) => {
            Fate::Skipped(if section() { "section file".to_owned() } else { "empty body".to_owned() })
        }
        Role::Text { .. } | Role::File(_) => Fate::Published,
    }
}

/// One problem for each file that took too long.
fn endless(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> Vec<Problem> {
    let endless = sources.files.par_iter().zip(parsed).filter(|(_, parsed)| parsed.as_ref().is_some_and(|parsed| parsed.endless));
    let seconds = sources.bounds.time.as_secs_f64();
    let problem = |file: &SourceFile| {
        Problem::error(format!("set aside: reading it takes longer than {seconds} s"))
            .at(&*file.path, 0, 0)
            .hint("it may be damaged; if it is not, divide it, or raise the limit `rendering-time`")
    };
    endless.map(|(file, _)| problem(file)).collect()
}
