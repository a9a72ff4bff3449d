//! Paths compared without case.

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::resource::{Resource, ResourceId};

/// Resources by the hash of their case-folded key, if only one resource has it; `None` if several
/// do.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded(FxHashMap<u64, Option<ResourceId>>);

impl Folded {
    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, more: usize) {
        self.0.reserve(more);
    }

    /// Adds a resource.
    pub(super) fn add(&mut self, key: &str, id: ResourceId) {
        self.0
            .entry(hash(key))
            .and_modify(|known| *known = None)
            .or_insert(Some(id));
    }

    /// The number of the only resource whose key differs just by case. Keys are compared as well,
    /// because hashes may collide. `number` turns what is kept here into a number.
    pub(super) fn find<'r>(
        &self,
        asked: &str,
        (resources, number): (&'r [Arc<Resource>], impl Fn(ResourceId) -> ResourceId),
        key: impl Fn(&'r Resource) -> Option<&'r str>,
    ) -> Option<ResourceId> {
        let id = number((*self.0.get(&hash(asked))?)?);
        fold(key(&resources[id as usize])?)
            .eq(fold(asked))
            .then_some(id)
    }
}

/// Folds case (simple lower case; the two small sigmas are equal).
fn fold(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

fn hash(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    if key.is_ascii() {
        // Same result as below, faster.
        key.bytes()
            .for_each(|letter| hasher.write_u32(u32::from(letter.to_ascii_lowercase())));
    } else {
        fold(key).for_each(|letter| hasher.write_u32(u32::from(letter)));
    }
    hasher.finish()
}
