//! Resolves the links of a folder.

use rayon::prelude::*;

use super::{
    addresses::OldAddresses,
    candidate::Candidate,
    links::{Conventions, ItemId, LinkTable, Resolved},
    moved,
    publication::Publication,
    report::References,
    untranslated,
};
use crate::model::{
    AT_ONCE,
    document::{Reference, ReferenceKind, Target},
    problem::Problem,
    scheme,
    text::plain,
};

/// The resolved links of a folder.
pub struct Links<'w> {
    pub table: LinkTable<'w>,
    /// The former addresses of articles.
    pub old: OldAddresses,
    /// Those of each candidate.
    pub linked: Vec<ArticleLinks>,
}

/// Resolves the links of a folder. The unambiguous links, which are most of them, decide how the
/// ambiguous ones are read.
pub fn resolve<'w>(work: &'w Publication<'w>) -> Links<'w> {
    let mut table = LinkTable::of(work);
    let mut old = OldAddresses::of(&mut table);
    table.conventions = Conventions::of(&table);
    moved::add(&mut table, &mut old);
    untranslated::add(&mut table, &mut old);
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
    /// Whether it may embed notes of the folder.
    pub embeds: bool,
    /// Whether one of them was a former dated address.
    pub dated: bool,
    /// How many links it has.
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

/// The picture in the front matter of a text.
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
