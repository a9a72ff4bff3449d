//! Redirects that lead to other redirects: each leads to the end of its chain.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    article::Redirect,
    links::{LinkTable, RootTarget},
    moved::{LONGEST_CHAIN, circle},
    old_addresses::OldAddresses,
    paths::stem_of,
};
use crate::model::{
    address::{Destination, OldAddress},
    problem::{Cause, Problem},
};

/// Has every redirect lead to the end of its chain. One that leads in a circle is reported and
/// removed.
pub fn follow(table: &LinkTable<'_>, old: &mut OldAddresses) {
    let redirects = Arc::clone(&old.redirects);
    let leads_on = |redirect: &Redirect| {
        let path = redirect.to.path();
        path.is_some_and(|path| !is_end(table, path))
    };
    let open: Vec<_> = redirects.iter().filter(|(_, to)| leads_on(to)).collect();
    if open.is_empty() {
        return;
    }
    let chains = Chains::new(table, &redirects);
    // The addresses of one text have one place.
    let mut told = FxHashSet::default();
    for (address, redirect) in open {
        let settled = Arc::make_mut(&mut old.redirects);
        if let Some(to) = chains.end(address, &redirect.to) {
            settled.insert(
                address.clone(),
                Redirect {
                    to,
                    ..redirect.clone()
                },
            );
            continue;
        }
        settled.remove(address);
        if let Some(place) = redirect.place.clone()
            && told.insert(place.clone())
        {
            let problem = circle(address.as_str()).cause(Cause::OldAddress);
            old.problems.push(Problem {
                place: Some(place),
                ..problem
            });
        }
    }
}

/// Whether what is at a path is published there.
fn is_end(table: &LinkTable<'_>, path: &str) -> bool {
    matches!(table.exactly(path), Some(RootTarget::To(to)) if to.path() == Some(path))
}

/// All redirects of a folder, to be followed.
struct Chains<'c> {
    table: &'c LinkTable<'c>,
    /// Each by its address.
    all: &'c BTreeMap<OldAddress, Redirect>,
    /// Each by the stem of its address.
    redirects: FxHashMap<String, &'c Redirect>,
}

impl<'c> Chains<'c> {
    fn new(table: &'c LinkTable<'c>, all: &'c BTreeMap<OldAddress, Redirect>) -> Self {
        let mut redirects = FxHashMap::default();
        for (address, redirect) in all {
            redirects
                .entry(stem_of(address.as_str()))
                .or_insert(redirect);
        }
        Self {
            table,
            all,
            redirects,
        }
    }

    /// Where an address leads in the end, which may be to nothing. `None`: in a circle.
    fn end(&self, from: &OldAddress, to: &Destination) -> Option<Destination> {
        let mut seen = FxHashSet::default();
        seen.insert(from.to_string());
        let mut to = to.clone();
        for _ in 0..LONGEST_CHAIN {
            let Some(next) = to.path().and_then(|path| self.next(path)) else {
                return Some(to);
            };
            if !seen.insert(self.form(to.path().unwrap_or_default())) {
                return None;
            }
            // A browser keeps the fragment until a redirect has one of its own.
            to = match (to, next) {
                (Destination::Place { id, .. }, Destination::Here(path)) => {
                    Destination::place(path, &id)
                }
                (_, next) => next,
            };
        }
        None
    }

    /// A path as it is told from others: with a redirect of its own, it is not another form of an
    /// address.
    fn form(&self, path: &str) -> String {
        match self.all.contains_key(path) {
            true => path.to_owned(),
            false => stem_of(path),
        }
    }

    /// Where the redirect at a path leads; `None`: there is no redirect.
    fn next(&self, path: &str) -> Option<Destination> {
        match self.table.exactly(path) {
            Some(RootTarget::To(to)) if to.path() == Some(path) => None,
            _ if self.all.contains_key(path) => self.all.get(path).map(|next| next.to.clone()),
            Some(RootTarget::To(to)) => Some(to),
            _ => self
                .redirects
                .get(&stem_of(path))
                .map(|next| next.to.clone()),
        }
    }
}
