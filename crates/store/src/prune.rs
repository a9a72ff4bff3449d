//! Pruning: deletes old editions, and what no edition needs.

use std::collections::BTreeSet;
use std::time::Duration;

use diglot_edition::stored::Manifest;
use jiff::{SignedDuration, Timestamp};

use crate::chain::{Appended, Chain};
use crate::error::{Error, Result};
use crate::lease::{self, Lease, Work};
use crate::objects::Objects;
use crate::pointer::{self, Pointer};
use crate::publish::{self, Sending, Sent, lost};
use crate::reading::{missing, read_manifest, read_root};
use crate::root::FOLDERS;
use crate::signature::SigningKey;

/// How often the pruner looks whether publishers have ended.
const POLL: Duration = Duration::from_secs(2);
/// How many objects are deleted between two looks at the lease.
const BATCH: usize = 1000;

/// What is kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// This many of the newest editions, at least two: if a list lacks the newest, the other still
    /// shows where the chain ends.
    pub newest: usize,
    /// And all that were published within this time.
    pub younger_than: SignedDuration,
    /// How long to wait for publishers to end.
    pub wait: Duration,
}

impl Keep {
    /// Whether an edition is kept for its age. `now` is the store's time, often in whole seconds: an
    /// edition that seems to be of the future was published just now.
    fn is_young(&self, published: Timestamp, now: Timestamp) -> bool {
        now.duration_since(published).max(SignedDuration::ZERO) < self.younger_than
    }
}

/// What is deleted, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The numbers of the editions that are kept.
    pub kept: Vec<u64>,
    /// The numbers of the editions that are deleted.
    pub editions: Vec<u64>,
    /// The keys of the other objects.
    pub objects: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
}

/// What pruning would delete now.
///
/// # Errors
/// [`Error::Store`]; [`Error::Refused`]: an edition that is kept cannot be read, so what it needs is
/// not known.
pub async fn plan(objects: &Objects, keep: Keep, now: Timestamp) -> Result<Pruned> {
    marked(objects, keep, now).await
}

/// Deletes old editions, and what no edition needs: waits for publishers to end, and keeps others
/// from beginning meanwhile.
///
/// # Errors
/// As [`plan`]; [`Error::Conflict`]: a publisher does not end, or another pruner is at work.
pub async fn prune(objects: &Objects, keep: Keep) -> Result<Pruned> {
    let mut lease = Lease::take(objects, Work::Pruning).await?;
    let pruned = pruned(objects, keep, &mut lease).await;
    let ended = lease.end().await;
    let pruned = pruned?;
    ended.map(|()| pruned)
}

async fn pruned(objects: &Objects, keep: Keep, lease: &mut Lease<'_>) -> Result<Pruned> {
    if lease.others(Work::Pruning).await? {
        return Err(Error::Conflict(
            "another `diglot prune` is running".to_owned(),
        ));
    }
    let begun = tokio::time::Instant::now();
    while lease.others(Work::Publishing).await? {
        if begun.elapsed() > keep.wait {
            return Err(Error::Conflict(format!(
                "an edition is being published; a publisher that was killed counts for {} minutes",
                lease::LIFETIME.as_secs() / 60
            )));
        }
        tokio::time::sleep(POLL).await;
        lease.renew().await?;
    }
    let pruned = marked(objects, keep, lease.now().await?).await?;
    let pointers = pruned.editions.iter().map(|number| Pointer::key(*number));
    let keys: Vec<String> = pointers.chain(pruned.objects.iter().cloned()).collect();
    for batch in keys.chunks(BATCH) {
        lease.renew().await?;
        if !lease.is_fresh() {
            return Err(Error::Conflict(
                "the store took too long to answer: prune again".to_owned(),
            ));
        }
        objects.delete(batch.to_vec()).await?;
    }
    Ok(pruned)
}

/// What no kept edition needs.
async fn marked(objects: &Objects, keep: Keep, now: Timestamp) -> Result<Pruned> {
    let chain = Chain { objects, key: None };
    let numbers = chain.numbers().await?;
    let first_newest = numbers.len().saturating_sub(keep.newest.max(2));
    let mut pruned = Pruned::default();
    // Objects without any edition are those of a publisher that was killed, or the list is wrong.
    if numbers.is_empty() {
        return Ok(pruned);
    }
    let mut needed = BTreeSet::new();
    for (at, number) in numbers.iter().copied().enumerate() {
        let pointer = match chain.get(number).await {
            Ok(Some(pointer)) => pointer,
            Ok(None) => continue,
            // What it needs is not known; it is deleted once it is old enough by its number.
            Err(Error::Refused(_)) if at < first_newest => {
                pruned.editions.push(number);
                continue;
            }
            Err(error) => return Err(error),
        };
        if at < first_newest && !keep.is_young(pointer.published, now) {
            pruned.editions.push(number);
            continue;
        }
        pruned.kept.push(number);
        let root = read_root(objects, &pointer.manifest).await?;
        needed.extend(root.keys(&pointer.manifest));
    }
    for folder in FOLDERS {
        for object in objects.list(folder).await? {
            let key = format!("{folder}/{}", object.name);
            if !needed.contains(&key) {
                pruned.bytes += object.length;
                pruned.objects.push(key);
            }
        }
    }
    Ok(pruned)
}

/// Publishes an older edition again, under a new number.
///
/// # Errors
/// [`Error::Refused`]: a part of it is missing. [`Error::Conflict`]: another process was faster.
pub async fn rollback(
    objects: &Objects,
    to: &Pointer,
    (now, publisher): (Timestamp, String),
    key: Option<&SigningKey>,
) -> Result<Pointer> {
    let mut lease = Some(publish::turn(objects).await?);
    let done = repeated(objects, to, (now, publisher), key, &mut lease).await;
    if let Some(lease) = lease {
        // It expires by itself.
        let _ = lease.end().await;
    }
    done
}

async fn repeated(
    objects: &Objects,
    to: &Pointer,
    (now, publisher): (Timestamp, String),
    key: Option<&SigningKey>,
    lease: &mut Option<Lease<'_>>,
) -> Result<Pointer> {
    let (_, manifest) = read_manifest(objects, &to.manifest).await?;
    if let Some(segment) = missing(objects, &manifest).await? {
        return Err(Error::Refused(format!(
            "edition {} is not whole: its segment `{segment}` is missing",
            to.number
        )));
    }
    let chain = Chain { objects, key: None };
    let newest = chain.last().await?;
    let pointer = Pointer {
        manifest: with_earlier_files(objects, manifest, chain.get(newest).await, lease).await?,
        published: now,
        publisher,
        repeats: Some(to.number),
        nonce: pointer::nonce()?,
        ..to.clone()
    };
    match chain.append(pointer, newest, key).await? {
        Appended::Won(pointer) => Ok(pointer),
        Appended::Lost(winner) => Err(lost(&winner, &to.edition)),
    }
}

/// Writes the manifest again, with what the newest edition leaves to the next one: its pages are in
/// caches, and need their style sheets. Returns the digest of the root.
async fn with_earlier_files(
    objects: &Objects,
    manifest: Manifest,
    newest: Result<Option<Pointer>>,
    lease: &mut Option<Lease<'_>>,
) -> Result<String> {
    let newest = match newest {
        Ok(Some(pointer)) => read_manifest(objects, &pointer.manifest).await,
        Ok(None) => Err(Error::Refused("there is none".to_owned())),
        Err(error) => Err(error),
    };
    let manifest = match newest {
        Ok((_, newest)) if missing(objects, &newest).await?.is_none() => manifest.after(&newest),
        // One that is damaged is a good reason to go back.
        Ok(_) | Err(Error::Refused(_)) => manifest,
        Err(error) => return Err(error),
    };
    let sending = Sending {
        objects,
        progress: &|_, _| {},
        dry_run: false,
        sends_all: false,
    };
    sending
        .manifest(&manifest, &mut Sent::default(), lease)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_young(younger_than: SignedDuration, age: SignedDuration) -> bool {
        let keep = Keep {
            newest: 2,
            younger_than,
            wait: Duration::ZERO,
        };
        let now = Timestamp::constant(1_800_000_000, 0);
        keep.is_young(now - age, now)
    }

    /// Stores tell their time in whole seconds, so that an edition can be ahead of it.
    #[test]
    fn without_an_age_no_edition_is_young() {
        let ahead = SignedDuration::from_millis(-700);
        assert!(!is_young(SignedDuration::ZERO, ahead));
        assert!(!is_young(SignedDuration::ZERO, SignedDuration::ZERO));
    }

    #[test]
    fn an_edition_is_young_until_its_age_is_reached() {
        let day = SignedDuration::from_hours(24);
        assert!(is_young(day, SignedDuration::from_millis(-700)));
        assert!(is_young(day, SignedDuration::from_hours(23)));
        assert!(!is_young(day, day));
    }
}
