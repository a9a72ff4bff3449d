//! The links of a folder, resolved: where each leads depends on itself, on the names and addresses of all files, and on how the folder means its links (its
//! habits).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::References;
use super::addresses::Old;
use super::describe::Candidate;
use super::work::Work;
use crate::library::links::{ItemId, Resolved, Table};
use crate::model::AT_ONCE;
use crate::model::document::{Reference, ReferenceKind, Target};
use crate::model::problem::Problem;
use crate::model::scheme;

/// The links of a folder.
pub(super) struct Links<'w> {
    pub table: Table<'w>,
    /// The addresses that articles had before.
    pub old: Old,
    /// Those of each candidate.
    pub linked: Vec<Linked>,
}

/// Resolves the links of a folder.
pub(super) fn resolve<'w>(work: &'w Work<'_>) -> Links<'w> {
    let (mut table, ids) = work.table();
    let old = Old::of(work, &ids, &mut table);
    let published = || work.candidates.par_iter().with_max_len(AT_ONCE).zip(&ids);
    // Most links can mean one thing only.
    let votes: Vec<Votes> = published().filter_map(|(candidate, id)| Some(Votes::of(work, &table, candidate, (*id)?))).collect();
    Habits::of(&votes).apply(&mut table);
    let links = |(candidate, id): (&Candidate, &Option<ItemId>)| id.map(|id| links(work, &table, candidate, id)).unwrap_or_default();
    let linked = published().map(links).collect();
    Links { table, old, linked }
}

/// The links of one article.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// One target for each reference of its document.
    pub targets: Vec<Target>,
    /// The picture that stands for it.
    pub image: Option<Target>,
    pub problems: Vec<Problem>,
    /// Whether notes of the folder may be among what it shows.
    pub embeds: bool,
    /// Whether an old dated address was among them.
    pub dated: bool,
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
            let shown = matches!(reference.kind, ReferenceKind::Media | ReferenceKind::Player | ReferenceKind::Embed);
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
    linked.targets.reserve_exact(references.len());
    for reference in references {
        let Resolved { target, problem, dated, lands } = table.resolve(id, reference);
        linked.references.count(reference, &target, lands);
        Problem::note_all(&mut linked.problems, problem);
        linked.dated |= dated;
        linked.embeds |= reference.kind == ReferenceKind::Embed && matches!(target, Target::Page { .. });
        linked.targets.push(target);
    }
    let node = candidate.image.as_ref().and_then(|entry| entry.node.items().first());
    if let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) {
        let reference = Reference { raw: crate::model::text::plain(text), kind: ReferenceKind::Media, line: node.line, column: node.column };
        let Resolved { target, problem, .. } = table.resolve(id, &reference);
        linked.problems.extend(problem);
        let is_picture = match &target {
            Target::File { .. } => true,
            Target::Url(url) => scheme::check(url, scheme::Use::Player).is_ok(),
            _ => false,
        };
        linked.image = is_picture.then_some(target);
    }
    linked
}

/// What the links of one text say about how the folder means its links.
#[derive(Debug, Default)]
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
#[derive(Debug)]
struct Habits {
    /// Whether links that go upwards count from the page's address: what the links with only one meaning say.
    from_address: bool,
    /// Beginnings of paths from the root that most links lead nowhere with, and somewhere without.
    mounts: Vec<String>,
}

impl Habits {
    fn of(votes: &[Votes]) -> Self {
        let (address, file) = votes.iter().fold((0, 0), |(address, file), votes| (address + votes.address, file + votes.file));
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (path, fits) in votes.iter().flat_map(|votes| &votes.mounts) {
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

    fn apply(self, table: &mut Table<'_>) {
        table.from_address = self.from_address;
        table.mounts = self.mounts;
    }
}
