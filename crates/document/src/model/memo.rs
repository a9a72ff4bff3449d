//! A cache of results by the digest of all their inputs, passed from one edition to the next.
//!
//! A result is a pure function of its key, so an edition built with a memo has the same bytes as
//! one built without. [`Memo::next`] drops results that the edition did not use: a memo never holds
//! more than two editions need.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::model::fingerprint::Digest;

/// A cache of results of one type. Threads may share it.
#[derive(Debug)]
pub struct Memo<T> {
    /// Results of earlier editions. Reading one takes no lock; most editions need only these.
    before: FxHashMap<Digest, Kept<T>>,
    /// Results computed for this edition.
    made: Mutex<FxHashMap<Digest, Arc<T>>>,
}

/// A result of an earlier edition.
#[derive(Debug)]
struct Kept<T> {
    result: Arc<T>,
    /// Whether this edition used it.
    asked: AtomicBool,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self {
            before: FxHashMap::default(),
            made: Mutex::default(),
        }
    }
}

impl<T> Memo<T> {
    /// The result for this key, computed on a miss. `key` is a digest of all inputs of `make`.
    pub fn get(&self, key: Digest, make: impl FnOnce() -> T) -> Arc<T> {
        self.get_while(key, |_| true, make)
    }

    /// As [`get`](Self::get), for results that are valid only within a period of time or while
    /// other files are unchanged: a result for which `holds` is false is computed again.
    pub fn get_while(
        &self,
        key: Digest,
        holds: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        // Computed outside the lock: threads that compute the same key get equal results.
        self.known(&key, holds)
            .unwrap_or_else(|| self.keep(key, make()))
    }

    /// As [`get`](Self::get); failures are not cached.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn try_get<E>(
        &self,
        key: Digest,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        match self.known(&key, |_| true) {
            Some(known) => Ok(known),
            None => make().map(|made| self.keep(key, made)),
        }
    }

    fn known(&self, key: &Digest, holds: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        if let Some(kept) = self.before.get(key).filter(|kept| holds(&kept.result)) {
            kept.asked.store(true, Ordering::Relaxed);
            return Some(Arc::clone(&kept.result));
        }
        self.made().get(key).filter(|made| holds(made)).cloned()
    }

    fn keep(&self, key: Digest, made: T) -> Arc<T> {
        let made = Arc::new(made);
        self.made().insert(key, Arc::clone(&made));
        made
    }

    fn made(&self) -> MutexGuard<'_, FxHashMap<Digest, Arc<T>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends an edition: drops every result that it did not use.
    pub fn next(&mut self) {
        self.before
            .retain(|_, kept| mem::take(kept.asked.get_mut()));
        let made = mem::take(self.made.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.before.extend(made.into_iter().map(|(key, result)| {
            (
                key,
                Kept {
                    result,
                    asked: AtomicBool::new(false),
                },
            )
        }));
    }

    /// The number of cached results.
    pub fn len(&self) -> usize {
        self.before.len() + self.made().len()
    }

    /// Whether it has no results.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Digest = [1; 16];

    #[test]
    fn a_result_is_made_once_and_dropped_when_an_edition_does_not_ask_for_it() {
        let mut memo = Memo::default();
        assert_eq!(*memo.get(KEY, || 1), 1);
        assert_eq!(*memo.get(KEY, || 2), 1, "in the same edition");
        memo.next();
        assert_eq!(*memo.get(KEY, || 3), 1, "in the next");
        memo.next();
        memo.next();
        assert!(memo.is_empty());
        assert_eq!(*memo.get(KEY, || 4), 4);
    }

    #[test]
    fn a_result_that_does_not_hold_is_made_again() {
        let mut memo = Memo::default();
        memo.get(KEY, || 1);
        memo.next();
        assert_eq!(*memo.get_while(KEY, |made| *made != 1, || 2), 2);
        memo.next();
        assert_eq!(
            (*memo.get(KEY, || 3), memo.len()),
            (2, 1),
            "the newer one stays"
        );
    }
}
