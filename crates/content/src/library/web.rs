//! The links of a folder, resolved, and what of that holds for the next reading.
//!
//! Where a link leads depends on itself, on the keys of the table, on how the folder means its links (its habits), and, where it names a place, on the page it
//! leads to. When the names and addresses of all files are what they were, only the links of changed texts are resolved again, and those that name a
//! place on one.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Old;
use super::describe::{About, Candidate};
use super::standing::Standing;
use super::work::{Ground, Places, Work};
use super::{Article, References};
use crate::AT_ONCE;
use crate::document::{Reference, ReferenceKind, Target};
use crate::links::{ItemId, Keys, Resolved, Table};
use crate::problem::Problem;
use crate::sum::Digest;

/// Where the links of a folder led.
#[derive(Debug)]
pub(super) struct Web {
    /// What the table of links was made from, as a digest.
    face: Digest,
    /// The same as values: while these are the same, the digest need not be made.
    ground: Grounds,
    keys: Arc<Keys>,
    old: Arc<Old>,
    habits: Habits,
    /// One for each candidate.
    pub leads: Vec<Lead>,
    /// The articles that were made of them, with the tags of the same standing. Not of what shows other notes.
    pub articles: Vec<Option<Arc<Article>>>,
}

/// What the table of links is made from, as values that are compared faster than hashed.
#[derive(Clone, Debug)]
struct Grounds {
    /// What files are, and what texts say of themselves.
    standing: Arc<Standing>,
    /// Where the site was before.
    former: Option<String>,
    /// The sizes of images.
    sizes: Arc<Vec<Option<(u32, u32)>>>,
}

impl Grounds {
    /// Whether this folder's are the same: its paths, what its texts say of themselves and what became of them are the standing's own.
    fn are_those_of(&self, work: &Work<'_>, ground: &Ground<'_>, places: &Places<'_>) -> bool {
        Arc::ptr_eq(&self.standing, &work.standing) && self.former == ground.former && self.sizes == places.sizes
    }
}

/// The links of one candidate, and the text that they are in.
#[derive(Debug)]
pub(super) struct Lead {
    about: Arc<About>,
    /// `None` where they say nothing: most.
    votes: Option<Arc<Votes>>,
    pub linked: Arc<Linked>,
}

impl Web {
    /// The articles by the descriptions that they were made of.
    pub(super) fn by_description(&self) -> FxHashMap<*const About, &Article> {
        let made = self.leads.iter().zip(&self.articles);
        made.filter_map(|(lead, article)| Some((Arc::as_ptr(&lead.about), &**article.as_ref()?))).collect()
    }

    /// The same, of descriptions that are at other places now.
    pub(super) fn moved(&self, to: &FxHashMap<*const About, Arc<About>>, standing: &Arc<Standing>) -> Self {
        let lead = |Lead { about, votes, linked }: &Lead| Lead {
            about: Arc::clone(to.get(&Arc::as_ptr(about)).unwrap_or(about)),
            votes: votes.clone(),
            linked: Arc::clone(linked),
        };
        Self {
            face: self.face,
            ground: Grounds { standing: Arc::clone(standing), ..self.ground.clone() },
            keys: Arc::clone(&self.keys),
            old: Arc::clone(&self.old),
            habits: self.habits.clone(),
            leads: self.leads.iter().map(lead).collect(),
            articles: self.articles.clone(),
        }
    }
}

/// The links of a folder.
pub(super) struct Links<'w> {
    pub table: Table<'w>,
    /// The addresses that articles had before.
    pub old: Arc<Old>,
    /// The articles of candidates, as far as they are those that were made before.
    pub articles: Vec<Option<&'w Arc<Article>>>,
    /// With the links of each candidate.
    pub web: Web,
}

/// Resolves the links of a folder; `known` is where they led before.
pub(super) fn resolve<'w>(work: &'w Work<'_>, places: Places<'w>, known: Option<&'w Web>) -> Links<'w> {
    let ground = work.ground();
    let face = match known.filter(|known| known.ground.are_those_of(work, &ground, &places)) {
        Some(known) => known.face,
        None => work.face(&ground, &places),
    };
    let known = known.filter(|known| known.face == face);
    let grounds = Grounds { standing: Arc::clone(&work.standing), former: ground.former.clone(), sizes: Arc::clone(&places.sizes) };
    let (mut table, ids) = work.table(&ground, places, known.map(|known| &known.keys));
    let old = known.map_or_else(|| Arc::new(Old::of(work, &ids, &mut table)), |known| Arc::clone(&known.old));
    // The same face is that of as many candidates, in the same order.
    let leads = known.map_or(&[][..], |known| &*known.leads);
    let lead = |at: usize| leads.get(at).filter(|lead| Arc::ptr_eq(&lead.about, &work.candidates[at].about));

    // Most links can mean one thing only.
    let vote = |(at, (candidate, id)): (usize, (&Candidate, &Option<ItemId>))| match lead(at) {
        Some(lead) => lead.votes.clone(),
        None => id.map(|id| Votes::of(work, &table, candidate, id)).filter(|votes| *votes != Votes::default()).map(Arc::new),
    };
    let votes: Vec<Option<Arc<Votes>>> = work.candidates.par_iter().with_max_len(AT_ONCE).zip(&ids).enumerate().map(vote).collect();
    let habits = Habits::of(votes.iter().flatten());
    habits.apply(&mut table);

    let as_before = known.is_some_and(|known| known.habits == habits);
    let changed: FxHashSet<ItemId> = (0..ids.len()).filter(|at| lead(*at).is_none()).filter_map(|at| ids[at]).collect();
    let still = |lead: &&Lead| as_before && !lead.linked.looked.iter().any(|page| changed.contains(page));
    let resolve = |(at, (candidate, votes)): (usize, (&Candidate, Option<Arc<Votes>>))| {
        let linked = match lead(at).filter(still) {
            Some(lead) => Arc::clone(&lead.linked),
            None => Arc::new(ids[at].map(|id| links(work, &table, candidate, id)).unwrap_or_default()),
        };
        Lead { about: Arc::clone(&candidate.about), votes, linked }
    };
    let leads_now: Vec<Lead> = work.candidates.par_iter().with_max_len(AT_ONCE).zip(votes).enumerate().map(resolve).collect();
    let made = known.filter(|known| known.ground.standing.tags == work.standing.tags).map_or(&[][..], |known| &*known.articles);
    let same = |at: usize| lead(at).is_some_and(|lead| Arc::ptr_eq(&lead.linked, &leads_now[at].linked));
    let articles = (0..work.candidates.len()).map(|at| made.get(at)?.as_ref().filter(|_| same(at))).collect();
    let keys = Arc::clone(table.keys());
    let web = Web { face, ground: grounds, keys, old: Arc::clone(&old), habits, leads: leads_now, articles: Vec::new() };
    Links { table, old, articles, web }
}

/// The links of one article.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// One target for each reference of its document.
    pub targets: Arc<[Target]>,
    /// The picture that stands for it.
    pub image: Option<Target>,
    pub problems: Vec<Problem>,
    /// Whether notes of the folder may be among what it shows.
    pub embeds: bool,
    /// Whether an old dated address was among them.
    pub dated: bool,
    /// How many there are.
    pub references: References,
    /// The pages whose places were looked at.
    looked: Vec<ItemId>,
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

    pub(super) fn add_to(self, all: &mut Self) {
        for (own, all) in [(self.links, &mut all.links), (self.images, &mut all.images), (self.fragments, &mut all.fragments)] {
            all.total += own.total;
            all.broken += own.broken;
        }
    }
}

fn links(work: &Work<'_>, table: &Table<'_>, candidate: &Candidate, id: ItemId) -> Linked {
    let references = work.parsed[candidate.file].as_ref().map(|parsed| &*parsed.references).unwrap_or_default();
    let mut linked = Linked::default();
    let mut targets = Vec::with_capacity(references.len());
    for reference in references {
        let Resolved { target, problem, dated, lands, looked } = table.resolve(id, reference);
        linked.references.count(reference, &target, lands);
        targets.push(target);
        linked.problems.extend(problem);
        linked.dated |= dated;
        linked.embeds |= reference.kind == ReferenceKind::Embed && matches!(targets.last(), Some(Target::Page { .. }));
        linked.looked.extend(looked.filter(|page| *page != id));
    }
    linked.targets = targets.into();
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

/// What the links of one text say about how the folder means its links.
#[derive(Debug, Default, PartialEq, Eq)]
struct Votes {
    /// How many that go upwards lead somewhere from the page's address alone.
    address: usize,
    /// How many do from the file alone.
    file: usize,
    /// Paths from the root that lead nowhere, and the ends of the beginnings without which they would lead somewhere.
    mounts: Vec<(String, Vec<usize>)>,
}

impl Votes {
    fn of(work: &Work<'_>, table: &Table<'_>, candidate: &Candidate, id: ItemId) -> Self {
        let mut votes = Self::default();
        for reference in work.parsed[candidate.file].iter().flat_map(|parsed| &*parsed.references) {
            match table.vote(id, reference) {
                Some(true) => votes.address += 1,
                Some(false) => votes.file += 1,
                None => {}
            }
            votes.mounts.extend(table.mounts_of(id, reference));
        }
        votes
    }
}

/// How the folder means its links, where they could mean several things.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Habits {
    /// Whether links that go upwards count from the page's address: what the links with only one meaning say.
    from_address: bool,
    /// Beginnings of paths from the root that most links lead nowhere with, and somewhere without.
    mounts: Vec<String>,
}

impl Habits {
    fn of<'v>(votes: impl Iterator<Item = &'v Arc<Votes>> + Clone) -> Self {
        let (address, file) = votes.clone().fold((0, 0), |(address, file), votes| (address + votes.address, file + votes.file));
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (path, fits) in votes.flat_map(|votes| &votes.mounts) {
            for end in path.match_indices('/').take(3).map(|(end, _)| end) {
                let (with, all) = counts.entry(&path[..end]).or_default();
                *with += usize::from(fits.contains(&end));
                *all += 1;
            }
        }
        let mut mounts: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, (with, all))| *with > 1 && with * 2 > *all).map(|(mount, (with, _))| (mount, with)).collect();
        mounts.sort_by_key(|(_, with)| std::cmp::Reverse(*with));
        Self { from_address: address >= file, mounts: mounts.into_iter().take(20).map(|(mount, _)| mount.to_owned()).collect() }
    }

    fn apply(&self, table: &mut Table<'_>) {
        table.from_address = self.from_address;
        table.mounts.clone_from(&self.mounts);
    }
}
