//! Whether a store honours `If-None-Match: *` on a write.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::objects::Objects;
use crate::pointer;

/// The object in which the answer is kept.
const KEY: &str = "store.json";
/// What the object of a probe holds after the first write, and after the second.
const FIRST: &str = "first";
const SECOND: &str = "second";

/// What a store can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// It creates an object only if there is none, so two publishers cannot both win.
    pub conditional_writes: bool,
}

/// How often a store is probed whose answers are not clear.
const TRIES: u32 = 5;

/// What the store can do. Until it was seen to honour the condition, one object is created twice; a
/// clear result is kept in the store. A store that did not honour it is probed again each time: it
/// may have learnt it.
///
/// # Errors
/// [`crate::Error::Store`].
pub async fn abilities(objects: &Objects) -> Result<Abilities> {
    let known: Option<Abilities> = objects
        .read(KEY)
        .await?
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if let Some(known) = known.filter(|known| known.conditional_writes) {
        return Ok(known);
    }
    let Some(conditional_writes) = clear(objects).await? else {
        // Nothing is known, and nothing is recorded.
        return Ok(Abilities {
            conditional_writes: false,
        });
    };
    let abilities = Abilities { conditional_writes };
    if known != Some(abilities) {
        let text = serde_json::to_vec(&abilities).unwrap_or_default();
        objects.write(KEY, text.into()).await?;
    }
    Ok(abilities)
}

/// Probes until the answers are clear: one of them may be lost, and the write repeated.
async fn clear(objects: &Objects) -> Result<Option<bool>> {
    let mut last = Ok(None);
    for tried in 0..TRIES {
        let key = format!("probe/{}", pointer::nonce()?);
        last = probe(objects, &key).await;
        objects.delete(vec![key]).await?;
        if matches!(last, Ok(Some(_))) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100 << tried)).await;
    }
    last
}

/// Creates an object twice. `None`: the answers contradict each other.
async fn probe(objects: &Objects, key: &str) -> Result<Option<bool>> {
    let created = objects.put_if_none(key, FIRST.into()).await?;
    let again = objects.put_if_none(key, SECOND.into()).await?;
    let found = objects.read(key).await?;
    Ok(match (created, again, found.as_deref()) {
        (true, false, Some(found)) if found == FIRST.as_bytes() => Some(true),
        (true, true, Some(found)) if found == SECOND.as_bytes() => Some(false),
        _ => None,
    })
}
