//! Aliases of a text as its generator reads them.

use super::{
    candidate::Candidate,
    paths::{folder, join},
    permalink,
    publication::Publication,
};

/// An alias that counts from the address of its page, from the root; one that is also a name as addresses
/// have it.
pub fn from_root(
    alias: &str,
    candidate: &Candidate,
    publication: &Publication<'_>,
) -> Option<String> {
    let kind = &publication.plan.kind;
    if kind.config.aliases_are_addresses {
        let alias = alias.strip_suffix(".md").unwrap_or(alias);
        let parts: Vec<String> = alias.split('/').map(|part| kind.spell(part)).collect();
        return Some(parts.join("/"));
    }
    let counts = kind.dialect.aliases_count_from_page;
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
