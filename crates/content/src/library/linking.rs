//! The links of a folder, resolved.

use rayon::prelude::*;

use super::{
    addresses::OldAddresses,
    candidate::Candidate,
    links::{Conventions, ItemId, LinkTable, Resolved},
    publication::Publication,
    report::References,
};
use crate::model::{
    AT_ONCE,
    document::{Reference, ReferenceKind, Target},
    problem::Problem,
    scheme,
    text::plain,
};

/// The links of a folder.
pub struct Links<'w> {
    pub table: LinkTable<'w>,
    /// The addresses that articles had before.
    pub old: OldAddresses,
    /// Those of each candidate.
    pub linked: Vec<ArticleLinks>,
}

/// Resolves the links of a folder. Most links have one meaning: those prove how the others are
/// meant.
pub fn resolve<'w>(work: &'w Publication<'w>) -> Links<'w> {
    let mut table = LinkTable::of(work);
    let old = OldAddresses::of(&mut table);
    table.conventions = Conventions::of(&table);
    let candidates = work.candidates.par_iter().enumerate().with_max_len(AT_ONCE);
    let linked = candidates
        .map(|(item, candidate)| links(&table, candidate, item))
        .collect();
    Links { table, old, linked }
}

/// The links of one article.
#[derive(Default)]
pub struct ArticleLinks {
    /// One target for each reference of its document.
    pub targets: Vec<Target>,
    /// The picture that represents it.
    pub image: Option<Target>,
    pub problems: Vec<Problem>,
    /// Whether notes of the folder may be among what it shows.
    pub embeds: bool,
    /// Whether an old dated address was among them.
    pub dated: bool,
    /// How many there are.
    pub references: References,
}

/// The links of a candidate; none if it is not published.
fn links(table: &LinkTable<'_>, candidate: &Candidate, item: ItemId) -> ArticleLinks {
    let mut links = ArticleLinks::default();
    if !table.work.is_published(candidate) {
        return links;
    }
    let references = &candidate.parsed.references;
    links.targets.reserve_exact(references.len());
    for reference in references {
        links.add(reference, table.resolve(item, reference));
    }
    if let Some(reference) = image(candidate) {
        let Resolved {
            target, problem, ..
        } = table.resolve(item, &reference);
        links.problems.extend(problem);
        links.image = is_picture(&target).then_some(target);
    }
    links
}

impl ArticleLinks {
    fn add(&mut self, reference: &Reference, resolved: Resolved) {
        let Resolved {
            target,
            problem,
            dated,
            fragment_found,
        } = resolved;
        self.references.count(reference, &target, fragment_found);
        Problem::note_all(&mut self.problems, problem);
        self.dated |= dated;
        self.embeds |=
            reference.kind == ReferenceKind::Embed && matches!(target, Target::Page { .. });
        self.targets.push(target);
    }
}

/// The picture that a text names in its front matter.
fn image(candidate: &Candidate) -> Option<Reference> {
    let node = candidate.image.as_ref()?.node.items().first()?;
    Some(Reference {
        raw: plain(node.text()?),
        kind: ReferenceKind::Media,
        line: node.line,
        column: node.column,
    })
}

fn is_picture(target: &Target) -> bool {
    match target {
        Target::File { .. } => true,
        Target::Url(url) => scheme::check(url, scheme::Use::Player).is_ok(),
        _ => false,
    }
}
