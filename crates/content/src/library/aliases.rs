//! Aliases of a text as its generator reads them.

use super::{
    candidate::Candidate,
    paths::{folder, join},
    permalink,
    publication::Publication,
};

/// An alias that counts from the address of its page, from the root.
pub fn from_page(
    alias: &str,
    candidate: &Candidate,
    publication: &Publication<'_>,
) -> Option<String> {
    let counts = publication.plan.kind.dialect.aliases_count_from_page;
    if !counts || alias.starts_with('/') || alias.contains("://") {
        return None;
    }
    let own = permalink::former_addresses(candidate, publication)
        .into_iter()
        .next()?;
    let beside = join(folder(own.trim_matches('/')), alias)?;
    let slash = if alias.ends_with('/') { "/" } else { "" };
    Some(format!("/{}{slash}", beside.trim_matches('/')))
}
