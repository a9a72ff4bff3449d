//! Pruning: deletes old editions, and what no edition needs.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::chain::{Chain, Entry};
use crate::error::{Error, Result};
use crate::lease::{self, Lease, Work};
use crate::objects::{Listed, Objects};
use crate::pointer::Pointer;
use crate::reading::read_root;
use crate::root::FOLDERS;

/// The folders of objects that a killed process leaves.
const LEFT: [&str; 3] = ["publishing", "pruning", "probe"];
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

impl Pruned {
    fn add(&mut self, folder: &str, object: &Listed) {
        self.bytes += object.length;
        self.objects.push(format!("{folder}/{}", object.name));
    }
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
        tokio::time::sleep(lease::POLL).await;
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
    let mut pruned = Pruned::default();
    for folder in LEFT {
        let left = objects.list(folder).await?.into_iter();
        let left = left.filter(|object| is_expired(object, now));
        left.for_each(|object| pruned.add(folder, &object));
    }
    let entries = chain.entries().await?;
    // Objects without any edition are those of a publisher that was killed, or the list is wrong.
    if entries.is_empty() {
        return Ok(pruned);
    }
    let first = first_kept(&entries, keep.newest.max(2));
    let mut needed = BTreeSet::new();
    for Entry { number, pointer } in entries {
        let is_newest = number >= first;
        match pointer {
            Ok(pointer) if is_newest || keep.is_young(pointer.published, now) => {
                pruned.kept.push(number);
                let root = read_root(objects, &pointer.manifest).await?;
                needed.extend(root.keys(&pointer.manifest));
            }
            // Its number stays taken. It names nothing.
            Err(refusal) if is_newest && refusal.is_damaged => pruned.kept.push(number),
            // What it needs is not known.
            Err(refusal) if is_newest => return Err(Error::Refused(refusal.why)),
            Ok(_) | Err(_) => pruned.editions.push(number),
        }
    }
    for folder in FOLDERS {
        for object in objects.list(folder).await? {
            let key = format!("{folder}/{}", object.name);
            if !needed.contains(&key) {
                pruned.add(folder, &object);
            }
        }
    }
    Ok(pruned)
}

/// The number of the first of so many newest editions. A damaged one does not count: it would take the
/// place of one that can be served.
fn first_kept(entries: &[Entry], newest: usize) -> u64 {
    let kept = entries.iter().rev().filter(|entry| match &entry.pointer {
        Ok(_) => true,
        Err(refusal) => !refusal.is_damaged,
    });
    kept.take(newest).last().map_or(0, |entry| entry.number)
}

/// Whether nobody counts on an object of a process any more, which was killed.
fn is_expired(object: &Listed, now: Timestamp) -> bool {
    let lifetime = SignedDuration::try_from(lease::LIFETIME).unwrap_or(SignedDuration::MAX);
    now.duration_since(object.written) > lifetime
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
