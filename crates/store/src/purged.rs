//! Which editions caches may still have.
//!
//! A publisher that purges records the number of the edition. So one that fails, or is killed, leaves
//! to the next what it did not purge.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::chain::Chain;
use crate::error::{Error, Result};
use crate::objects::Objects;
use crate::pointer::Pointer;

/// The object in which the number is kept.
const KEY: &str = "purged.json";
/// The greatest length of it.
const LONGEST: u64 = 1 << 10;
/// With more editions since the last purge, everything is purged.
const MOST: u64 = 16;

/// The number that is recorded if caches may have anything.
pub const EVERYTHING: u64 = 0;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Purged {
    /// Caches have answers of this edition and of newer ones.
    edition: u64,
}

/// Records that caches may have answers of this edition and of newer ones, and of no older ones.
///
/// # Errors
/// [`Error::Store`].
pub async fn record(objects: &Objects, edition: u64) -> Result<()> {
    let text = serde_json::to_vec(&Purged { edition }).unwrap_or_default();
    objects.write(KEY, Bytes::from(text)).await
}

/// The recorded number; `None`: nobody has purged, or the record is damaged.
async fn recorded(objects: &Objects) -> Result<Option<u64>> {
    match objects.read_within(KEY, LONGEST).await {
        Err(Error::Refused(_)) => Ok(None),
        found => {
            let read = |bytes: Bytes| serde_json::from_slice::<Purged>(&bytes).ok();
            Ok(found?.and_then(read).map(|purged| purged.edition))
        }
    }
}

/// The editions that differ from this one and may be in caches, newest first. `None`: one of them
/// cannot be read, or there is none, so everything is to be purged. Without a record, and for the
/// edition that was purged last, it is the edition before.
///
/// # Errors
/// [`Error::Store`].
pub async fn since(objects: &Objects, pointer: &Pointer) -> Result<Option<Vec<Pointer>>> {
    let recorded = match recorded(objects).await? {
        Some(EVERYTHING) => return Ok(None),
        recorded => recorded.filter(|number| *number < pointer.number),
    };
    let chain = Chain { objects, key: None };
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([pointer.edition.clone()]);
    for number in (1..pointer.number).rev() {
        let is_enough = match recorded {
            Some(recorded) => number < recorded,
            None => !found.is_empty(),
        };
        if is_enough {
            break;
        }
        let read = match chain.get(number).await {
            Err(Error::Refused(_)) => None,
            read => read?,
        };
        match read {
            Some(other) if seen.contains(&other.edition) => {}
            Some(other) if (found.len() as u64) < MOST => {
                seen.insert(other.edition.clone());
                found.push(other);
            }
            _ => return Ok(None),
        }
    }
    // Without another edition, only one that was recorded has been purged with the same answers.
    let is_known = !found.is_empty() || recorded.is_some();
    Ok(is_known.then_some(found))
}
