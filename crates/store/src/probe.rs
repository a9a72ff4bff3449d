//! Whether a store honours `If-None-Match: *` on a write.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::objects::Objects;
use crate::pointer;

/// The object in which the answer is kept.
const KEY: &str = "store.json";

/// What a store can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// It creates an object only if there is none, so two publishers cannot both win.
    pub conditional_writes: bool,
}

/// What the store can do. The first time, one object is created twice; the result is kept in the
/// store.
///
/// # Errors
/// [`crate::Error::Store`].
pub async fn abilities(objects: &Objects) -> Result<Abilities> {
    let known = objects.read(KEY).await?;
    if let Some(known) = known.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        return Ok(known);
    }
    let key = format!("probe/{}", pointer::nonce()?);
    let created = objects.put_if_none(&key, "first".into()).await;
    let again = objects.put_if_none(&key, "second".into()).await;
    objects.delete(vec![key]).await?;
    let abilities = Abilities {
        conditional_writes: created? && !again?,
    };
    let text = serde_json::to_vec(&abilities).unwrap_or_default();
    objects.write(KEY, text.into()).await?;
    Ok(abilities)
}
