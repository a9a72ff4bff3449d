//! Resolves the links of a folder.

use std::{hash::Hash, sync::Arc};

use super::{
    candidate::Candidate,
    chains,
    classify::Role,
    links::{Conventions, Evidence, Index, ItemId, LinkTable, Resolved, former},
    moved,
    old_addresses::OldAddresses,
    publication::Publication,
    report::References,
    untranslated,
};
use crate::model::{
    document::{Reference, ReferenceKind, Target},
    fingerprint::{Digest, Fingerprint},
    memo::Memo,
    parallel,
    problem::Problem,
    scheme,
};

/// The resolved links of a folder.
pub struct Links<'w> {
    pub table: LinkTable<'w>,
    /// The addresses that the table was made from, with the former ones.
    pub addresses: Arc<Addresses>,
    /// The links of each candidate.
    pub linked: Vec<Arc<ArticleLinks>>,
    /// A digest of everything that the table depends on.
    pub key: Digest,
}

/// What earlier editions leave to the links of the next.
#[derive(Debug, Default)]
pub struct Memos {
    addresses: Memo<Addresses>,
    /// How links are written.
    evidence: Memo<Evidence>,
    links: Memo<ArticleLinks>,
}

impl Memos {
    /// Ends a build: drops what it did not ask for.
    pub fn next(&mut self) {
        self.addresses.next();
        self.evidence.next();
        self.links.next();
    }
}

/// The addresses of a folder, and what is at each of them.
#[derive(Debug)]
pub struct Addresses {
    index: Arc<Index>,
    /// The former addresses of articles.
    pub old: OldAddresses,
}

impl Addresses {
    fn collect(publication: &Publication<'_>) -> Self {
        let mut table = LinkTable::new(publication);
        let old = OldAddresses::collect(&mut table);
        Self {
            index: table.index,
            old,
        }
    }

    /// With the redirects that the owner wrote and the addresses in other languages, which follow
    /// the conventions of the table. Then every redirect leads to the end of its chain.
    fn settled(&self, table: &mut LinkTable<'_>) -> Self {
        let mut old = self.old.clone();
        if has_more(table.publication) {
            moved::add(table, &mut old);
            untranslated::add(table, &mut old);
        }
        chains::follow(table, &mut old);
        Self {
            index: Arc::clone(&table.index),
            old,
        }
    }
}

/// Whether a folder may have addresses that follow its conventions.
fn has_more(publication: &Publication<'_>) -> bool {
    !publication.plan.redirects.rules.is_empty() || untranslated::has_any(publication)
}

/// Resolves the links of a folder. The unambiguous links, which are most of them, decide how the
/// ambiguous ones are read.
pub fn resolve<'w>(publication: &'w Publication<'w>, memos: &Memos) -> Links<'w> {
    let key = key(publication);
    let addresses = memos.addresses.get(key, || Addresses::collect(publication));
    let mut table = LinkTable::with(publication, Arc::clone(&addresses.index));
    table.conventions = Conventions::infer(&table, &key, &memos.evidence);
    let key = Fingerprint::hash_one(&(key, &table.conventions));
    let addresses = memos.addresses.get(key, || addresses.settled(&mut table));
    table.index = Arc::clone(&addresses.index);
    let linked = all_links(&table, memos, key);
    Links {
        table,
        addresses,
        linked,
        key,
    }
}

/// The links of each candidate.
fn all_links(table: &LinkTable<'_>, memos: &Memos, key: Digest) -> Vec<Arc<ArticleLinks>> {
    let candidates = &table.publication.candidates;
    parallel::map_numbers(candidates.len(), |item| {
        let candidate = &candidates[item];
        let key = Fingerprint::hash_one(&(key, &candidate.described.digest));
        memos.links.get_while(
            key,
            |links| links.hold(table),
            || links(table, candidate, item),
        )
    })
}

/// A digest of everything that the addresses of a folder depend on.
fn key(publication: &Publication<'_>) -> Digest {
    let mut sum = Fingerprint::with_room(publication.outcomes.len() * 200);
    format!("{:?}", publication.site).hash(&mut sum);
    publication.plan.hash_addresses(&mut sum);
    (
        former(publication),
        publication.tags.slugs(),
        &publication.years,
    )
        .hash(&mut sum);
    hash_files(publication, &mut sum);
    for candidate in &publication.candidates {
        (candidate.file, &candidate.described.addressed).hash(&mut sum);
    }
    sum.digest()
}

/// Adds the files, and what became of them.
fn hash_files(publication: &Publication<'_>, sum: &mut Fingerprint) {
    let files = publication
        .sources
        .files
        .iter()
        .zip(&publication.plan.roles);
    for ((file, role), outcome) in files.zip(&publication.outcomes) {
        (&file.path, role, outcome).hash(sum);
        if matches!(role, Role::File(_)) {
            // The size of a picture.
            file.bytes.digest().hash(sum);
        }
    }
}

/// The links of one article.
#[derive(Clone, Debug, Default)]
pub struct ArticleLinks {
    /// One target for each reference of its document.
    pub targets: Arc<[Target]>,
    /// The picture that represents it.
    pub image: Option<Target>,
    /// A digest of both: an article has many targets, and every edition asks.
    pub digest: Digest,
    pub problems: Vec<Problem>,
    /// Whether it may embed notes of the folder.
    pub embeds: bool,
    /// Whether one of them was a former dated address.
    pub dated: bool,
    /// How many links it has.
    pub references: References,
    /// The pages in which fragments were looked for, and the digests of their descriptions.
    looked_in: Vec<(ItemId, Digest)>,
    /// The numbers of links to sections, and the problem of each if there is no such section.
    sections: Vec<(usize, Option<Problem>)>,
}

/// The links of a candidate; none if it is not published.
fn links(table: &LinkTable<'_>, candidate: &Candidate, item: ItemId) -> ArticleLinks {
    let mut links = ArticleLinks::default();
    if !table.publication.is_published(candidate) {
        return links;
    }
    let references = candidate.parsed.references.iter();
    let targets = references.enumerate().map(|(at, reference)| {
        let mut resolved = table.resolve(item, reference);
        links.looked_in(table, &resolved);
        if resolved.is_section {
            links.sections.push((at, resolved.problem.take()));
        }
        links.add(reference, resolved)
    });
    links.targets = targets.collect();
    if let Some(cover) = &candidate.cover {
        links.add_cover(table, table.resolve(item, &cover.reference));
    }
    links.digest = digest(&links.targets, links.image.as_ref());
    links
}

/// A digest of the targets of an article and its picture.
pub fn digest(targets: &[Target], image: Option<&Target>) -> Digest {
    Fingerprint::hash_one(&(targets, image))
}

impl ArticleLinks {
    /// Whether resolving them now would give the same result, with the same addresses.
    fn hold(&self, table: &LinkTable<'_>) -> bool {
        self.looked_in
            .iter()
            .all(|(item, digest)| table.page(*item).is_some_and(|page| page.digest == *digest))
    }

    fn looked_in(&mut self, table: &LinkTable<'_>, resolved: &Resolved) {
        let page = resolved
            .looked_in
            .and_then(|item| Some((item, table.page(item)?.digest)));
        self.looked_in.extend(page);
    }

    /// Whether it has links to sections.
    pub fn has_sections(&self) -> bool {
        !self.sections.is_empty()
    }

    /// Drops the links to sections that do not exist.
    pub fn drop_sections(&mut self, exists: &impl Fn(&Target) -> bool) {
        let mut targets = self.targets.to_vec();
        for (at, problem) in std::mem::take(&mut self.sections) {
            if !exists(&targets[at]) {
                targets[at] = Target::Unresolved;
                self.references.links.broken += 1;
                Problem::note_all(&mut self.problems, problem);
            }
        }
        self.targets = targets.into();
        self.digest = digest(&self.targets, self.image.as_ref());
    }

    /// Adds the picture of the article.
    fn add_cover(&mut self, table: &LinkTable<'_>, resolved: Resolved) {
        self.looked_in(table, &resolved);
        self.problems.extend(resolved.problem);
        self.image = is_picture(&resolved.target).then_some(resolved.target);
    }

    /// Counts a reference. Returns its target.
    fn add(&mut self, reference: &Reference, resolved: Resolved) -> Target {
        let Resolved {
            target,
            problem,
            dated,
            fragment_found,
            looked_in: _,
            is_section: _,
        } = resolved;
        self.references.count(reference, &target, fragment_found);
        Problem::note_all(&mut self.problems, problem);
        self.dated |= dated;
        self.embeds |=
            reference.kind == ReferenceKind::Embed && matches!(target, Target::Page { .. });
        target
    }
}

fn is_picture(target: &Target) -> bool {
    match target {
        Target::File { .. } => true,
        Target::Url(url) => scheme::check(url, scheme::Use::Player).is_ok(),
        _ => false,
    }
}
