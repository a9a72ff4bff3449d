//! The addresses that dated file names had in the previous generator.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashSet;

use super::{
    article::{Kind, Rank, Redirect},
    links::LinkTable,
    paths::name,
    publication::Publication,
};
use crate::model::{
    address::{Destination, OldAddress},
    date,
};

/// The stems of texts that have an address of their own generator.
fn own_addresses(redirects: &BTreeMap<OldAddress, Redirect>) -> FxHashSet<String> {
    let own = redirects
        .values()
        .filter(|redirect| redirect.rank == Rank::Own);
    own.map(|redirect| redirect.to.to_string()).collect()
}

/// `/2015/03/19/x` for the stem of `2015-03-19-x.md`.
fn dated_address(stem: &str) -> Option<String> {
    let (moment, rest) = date::in_name(name(stem))?;
    let day = moment.iso().replace('-', "/");
    (!rest.is_empty()).then(|| format!("/{day}/{rest}"))
}

/// Adds the addresses that dated file names had in the previous generator: `/2015/03/19/x/`, and
/// Jekyll's own `/2015/03/19/x.html`.
pub fn add(
    publication: &Publication<'_>,
    table: &LinkTable<'_>,
    redirects: &mut Arc<BTreeMap<OldAddress, Redirect>>,
) {
    let redirects = Arc::make_mut(redirects);
    let ranked = own_addresses(redirects);
    for candidate in publication
        .published()
        .filter(|candidate| candidate.kind == Kind::Article)
    {
        let stem = &*candidate.stem.value;
        let mut rank = if ranked.contains(stem) {
            Rank::Other
        } else {
            Rank::Own
        };
        let Some(address) = dated_address(stem) else {
            continue;
        };
        if table.is_taken(&address)
            || redirects.contains_key(address.as_str())
            || redirects.contains_key(format!("{address}/").as_str())
        {
            continue;
        }
        for suffix in publication.plan.kind.dialect.dated_endings {
            if let Ok(old) = OldAddress::new(format!("{address}{suffix}")) {
                redirects.insert(
                    old,
                    Redirect {
                        to: Destination::Here(stem.to_owned()),
                        written: None,
                        place: None,
                        rank,
                    },
                );
                rank = Rank::Other;
            }
        }
    }
}
