//! What follows from what all texts of a folder say of themselves, and only from that: who is published, the tags and the years, whether any is a translation.
//!
//! Mostly an edit changes what one text says, and nothing of this.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Kind;
use super::addresses;
use super::classify::Role;
use super::describe::{About, Candidate};
use super::layout::Layout;
use super::tags::Tags;
use super::work::Fate;
use crate::problem::Problem;
use crate::sources::Sources;
use crate::visibility::Visibility;

/// What follows from what all texts say of themselves.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    /// Where files lie.
    pub layout: Arc<Layout>,
    /// What each file is.
    roles: Arc<Vec<Role>>,
    /// What became of each before anybody looked at others.
    first: Vec<Fate>,
    /// What texts say of themselves, each with the number of its file.
    described: Vec<(usize, Arc<About>)>,
    /// What became of each file.
    pub fates: Vec<Fate>,
    /// Whose address was taken.
    pub problems: Vec<Problem>,
    /// The tags of the folder.
    pub tags: Arc<Tags>,
    /// The years that have articles in lists.
    pub years: BTreeSet<i16>,
    /// Whether any published text is another in another language.
    pub translated: bool,
    /// The places of the published articles among them in path order, in the order of lists, once somebody has put them in order.
    pub order: OnceLock<Vec<usize>>,
}

impl Standing {
    /// What follows for these candidates; `known` is what followed the last time, `fates` what became of each file before anybody looked at others.
    pub fn again(
        known: Option<&Arc<Self>>,
        (layout, roles): (&Arc<Layout>, &Arc<Vec<Role>>),
        fates: Vec<Fate>,
        candidates: &[Candidate],
        sources: &Sources,
    ) -> Arc<Self> {
        if let Some(known) = known.filter(|known| known.is_of((layout, roles), &fates, candidates)) {
            return Arc::clone(known);
        }
        let described = candidates.iter().map(|candidate| (candidate.file, Arc::clone(&candidate.about))).collect();
        let (first, mut problems) = (fates.clone(), Vec::new());
        let fates = settle_files(settle(fates, candidates, sources, &mut problems), roles, sources, &mut problems);
        let published = || candidates.iter().filter(|candidate| fates[candidate.file] == Fate::Published);
        let (tags, years) = lists(published());
        let tags = Arc::new(tags);
        let mut tongues = FxHashSet::with_capacity_and_hasher(candidates.len(), FxBuildHasher);
        let translated = !published().all(|candidate| tongues.insert((candidate.kind, &candidate.tongue)));
        let (layout, roles) = (Arc::clone(layout), Arc::clone(roles));
        Arc::new(Self { layout, roles, first, described, fates, problems, tags, years, translated, order: OnceLock::new() })
    }

    /// Whether the same follows for these candidates.
    fn is_of(&self, (layout, roles): (&Arc<Layout>, &Arc<Vec<Role>>), fates: &[Fate], candidates: &[Candidate]) -> bool {
        let same = |((file, about), candidate): (&(usize, Arc<About>), &Candidate)| {
            *file == candidate.file && (Arc::ptr_eq(about, &candidate.about) || decides_alike(about, &candidate.about))
        };
        Arc::ptr_eq(&self.layout, layout)
            && self.roles == *roles
            && self.described.len() == candidates.len()
            && self.described.iter().zip(candidates).all(same)
            && self.first == fates
    }

    /// The same, of descriptions that are at other places now.
    pub fn moved(&self, to: &FxHashMap<*const About, Arc<About>>) -> Self {
        let described = self.described.iter().map(|(file, about)| (*file, Arc::clone(to.get(&Arc::as_ptr(about)).unwrap_or(about))));
        Self { described: described.collect(), ..self.clone() }
    }
}

/// Whether all of two descriptions is the same that anything here looks at: kind, address, day, visibility and redirect are part of the face.
fn decides_alike(one: &About, other: &About) -> bool {
    one.face == other.face && one.tags == other.tags && one.tongue == other.tongue
}

/// The tags of published texts, and the years that have articles in lists.
fn lists<'c>(published: impl Iterator<Item = &'c Candidate>) -> (Tags, BTreeSet<i16>) {
    let mut years = BTreeSet::new();
    let tags = Tags::of(published.map(|candidate| {
        let listed = candidate.kind == Kind::Article && candidate.visibility == Visibility::Published;
        years.extend(candidate.dates.date.value.filter(|_| listed).map(|date| date.year()));
        (candidate.tags.as_slice(), listed)
    }));
    (tags, years)
}

/// Decides who is published: visible, not a redirect, at an address that nobody had before.
fn settle(mut fates: Vec<Fate>, candidates: &[Candidate], sources: &Sources, problems: &mut Vec<Problem>) -> Vec<Fate> {
    let mut taken: FxHashMap<&str, usize> = FxHashMap::with_capacity_and_hasher(candidates.len(), FxBuildHasher);
    for kind in [Kind::Article, Kind::Page] {
        for candidate in candidates.iter().filter(|candidate| candidate.kind == kind) {
            let path = &sources.files[candidate.file].path;
            let stem = &*candidate.stem.value;
            let mut set_aside = |reason: String, which: &str| {
                let hint = format!("rename {which} or give it a `slug`");
                problems.push(Problem::error(format!("set aside: {reason}")).at(&**path, 0, 0).hint(hint));
                Fate::SetAside(reason)
            };
            fates[candidate.file] = match &candidate.visibility {
                Visibility::Draft(_) => Fate::Skipped("draft".to_owned()),
                Visibility::Scheduled(_) => Fate::Skipped("scheduled for later".to_owned()),
                Visibility::Expired(_) => Fate::Skipped("expired".to_owned()),
                _ if candidate.redirect_to.is_some() => Fate::Skipped("nothing but a redirect".to_owned()),
                _ if addresses::is_reserved(stem) => set_aside(format!("`{stem}.html` is a page that diglot writes itself"), "the file"),
                _ => match taken.get(stem) {
                    Some(first) => set_aside(format!("`{}` has the same address `{stem}.html`", sources.files[*first].path), "one of the two"),
                    None => {
                        taken.insert(stem, candidate.file);
                        Fate::Published
                    }
                },
            };
        }
    }
    fates
}

/// Files: the first in path order keeps an address.
fn settle_files(mut fates: Vec<Fate>, roles: &[Role], sources: &Sources, problems: &mut Vec<Problem>) -> Vec<Fate> {
    let mut taken: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, role) in roles.iter().enumerate() {
        let path = &sources.files[at].path;
        let reason = match role {
            Role::SetAside(reason) => reason.clone(),
            Role::File(address) => match taken.get(address.as_str()) {
                Some(first) => format!("`{}` has the same address `{address}`", sources.files[*first].path),
                None => {
                    taken.insert(address, at);
                    continue;
                }
            },
            _ => continue,
        };
        problems.push(Problem::error(format!("set aside: {reason}")).at(&**path, 0, 0).hint("rename the file"));
        fates[at] = Fate::SetAside(reason);
    }
    fates
}

#[cfg(test)]
mod tests;
