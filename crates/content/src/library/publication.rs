//! Who is published, and what follows from that alone: the tags and the years of lists, whether any text is a translation.

use std::collections::BTreeSet;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Kind;
use super::addresses;
use super::classify::Role;
use super::describe::Candidate;
use super::tags::Tags;
use super::work::Fate;
use crate::library::visibility::Visibility;
use crate::model::problem::Problem;
use crate::model::sources::Sources;

/// Who is published.
#[derive(Debug)]
pub(super) struct Publication {
    /// What became of each file.
    pub fates: Vec<Fate>,
    /// Whose address was taken.
    pub problems: Vec<Problem>,
    /// The tags of the folder.
    pub tags: Tags,
    /// The years that have articles in lists.
    pub years: BTreeSet<i16>,
    /// Whether any published text is another in another language.
    pub translated: bool,
}

impl Publication {
    /// Decides for these candidates; `fates` is what became of each file before anybody looked at others.
    pub fn of(fates: Vec<Fate>, roles: &[Role], candidates: &[Candidate], sources: &Sources) -> Self {
        let mut problems = Vec::new();
        let fates = settle_files(settle(fates, candidates, sources, &mut problems), roles, sources, &mut problems);
        let published = || candidates.iter().filter(|candidate| fates[candidate.file] == Fate::Published);
        let (tags, years) = lists(published());
        let mut tongues = FxHashSet::with_capacity_and_hasher(candidates.len(), FxBuildHasher);
        let translated = !published().all(|candidate| tongues.insert((candidate.kind, &candidate.tongue)));
        Self { fates, problems, tags, years, translated }
    }
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
            fates[candidate.file] = match (&candidate.visibility, candidate.redirect_to.as_ref().map(|redirect| &redirect.to)) {
                (Visibility::Draft(_), _) => Fate::Skipped("draft".to_owned()),
                (Visibility::Scheduled(_), _) => Fate::Skipped("scheduled for later".to_owned()),
                (Visibility::Expired(_), _) => Fate::Skipped("expired".to_owned()),
                (_, Some(Ok(_))) => Fate::Skipped("nothing but a redirect".to_owned()),
                // Its description tells the problem.
                (_, Some(Err(reason))) => Fate::SetAside(reason.clone()),
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
