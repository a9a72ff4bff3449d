//! Following a store: asks for the next pointer, and fetches what the cache lacks of its edition.
//!
//! A replica never goes back to a smaller number. So whoever can write into the store, but cannot
//! sign, cannot bring back an old edition.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use diglot_edition::byte_store;
use diglot_edition::segment::{Segment, Segments};
use futures_util::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, restored};
use crate::chain::Chain;
use crate::error::{Error, Result};
use crate::objects::{Objects, PARALLEL};
use crate::pointer::{self, Pointer};
use crate::root::{self, LONGEST, Root};
use crate::signature::PublicKey;

/// How many of the newest editions are tried until one can be used.
const CANDIDATES: usize = 8;
/// How many segments are fetched at a time: each is in memory as a whole.
const SEGMENTS: usize = 4;
/// How often an object is asked for that is not what its name says: a body may have been cut off.
const TRIES: usize = 2;

/// Follows a store.
#[derive(Debug)]
pub struct Follower {
    cache: Cache,
    /// Editions that are not signed with this key are refused.
    key: Option<PublicKey>,
    /// The greatest size of the cache in bytes.
    most: u64,
    /// Whether the edition in the cache seems to be whole.
    is_whole: bool,
    /// The edition that the server answers from.
    live: Option<u64>,
    /// What is new since it was last taken.
    pub news: News,
}

/// What a follower tells after each step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct News {
    /// The number of the newest edition in the cache.
    pub edition: Option<u64>,
    /// The highest number in the store, as far as known.
    pub newest: Option<u64>,
    /// The bytes that were fetched.
    pub bytes: u64,
    /// How many editions were refused: damaged, not whole, or not signed as required.
    pub refusals: u64,
    /// Why the step failed.
    pub failed: Option<String>,
}

/// An object that is fetched.
#[derive(Clone, Copy, Debug)]
enum Wanted<'a> {
    Manifest(&'a str),
    Chunk(&'a str),
    Segment(&'a Segment),
}

impl Wanted<'_> {
    fn key(self) -> String {
        match self {
            Self::Manifest(name) => root::manifest_key(name),
            Self::Chunk(name) => root::chunk_key(name),
            Self::Segment(segment) => root::segment_key(segment),
        }
    }

    fn most(self) -> u64 {
        match self {
            Self::Manifest(_) | Self::Chunk(_) => LONGEST,
            Self::Segment(segment) => segment.length,
        }
    }

    fn is(self, bytes: &[u8]) -> bool {
        match self {
            Self::Manifest(name) | Self::Chunk(name) => root::content(name, bytes).is_ok(),
            Self::Segment(segment) => Segment::from_bytes(bytes) == *segment,
        }
    }

    /// Whether it is in the cache. Of a segment only the length is compared: it is verified when it
    /// is read, and by [`Follower::check`].
    fn is_in(self, cache: &Cache) -> bool {
        match self {
            Self::Segment(segment) => cache.has(segment),
            _ => cache
                .read(&self.key(), self.most())
                .is_some_and(|bytes| self.is(&bytes)),
        }
    }
}

impl Follower {
    /// A follower that goes on from what is in the cache.
    pub fn new(cache: Cache, key: Option<PublicKey>, most: u64) -> Self {
        let edition = cache
            .newest(key.as_ref())
            .map(|(pointer, _)| pointer.number);
        Self {
            cache,
            key,
            most,
            is_whole: edition.is_some(),
            live: None,
            news: News {
                edition,
                ..News::default()
            },
        }
    }

    /// Looks for a newer edition, and fetches it. Of several the newest that can be used is taken.
    ///
    /// # Errors
    /// The edition in the cache stays, or a newer one that is not the newest was fetched.
    pub async fn step(&mut self, objects: &Objects) -> Result<()> {
        let newer = self.newer(objects).await?;
        let mut refused = Ok(());
        for number in newer.into_iter().rev().take(CANDIDATES) {
            match self.fetch(objects, number).await {
                Err(error @ Error::Refused(_)) => {
                    self.news.refusals += 1;
                    refused = refused.and(Err(error));
                }
                Err(error) => return Err(error),
                Ok(()) => {
                    (self.news.edition, self.is_whole) = (Some(number), true);
                    break;
                }
            }
        }
        refused
    }

    /// The numbers of editions that are newer than the one in the cache, and its own, if the cache
    /// lacks a part of it. The chain has a gap where editions were deleted.
    async fn newer(&mut self, objects: &Objects) -> Result<Vec<u64>> {
        let own = self.news.edition.unwrap_or_default();
        let exists = async |number| objects.length(&Pointer::key(number)).await;
        if self.is_whole && exists(own + 1).await?.is_none() && exists(own).await?.is_some() {
            self.news.newest = Some(own);
            return Ok(Vec::new());
        }
        let chain = Chain { objects, key: None };
        let mut numbers = chain.numbers().await?;
        let newest = numbers.last().copied();
        if newest.unwrap_or_default() < own {
            return Err(Error::Refused(format!(
                "the store has no edition {own} any more"
            )));
        }
        self.news.newest = newest;
        numbers.retain(|number| *number > own || (*number == own && !self.is_whole));
        Ok(numbers)
    }

    /// Fetches everything of an edition that the cache lacks, and its pointer last.
    async fn fetch(&mut self, objects: &Objects, number: u64) -> Result<()> {
        let key = Pointer::key(number);
        let found = objects.read_within(&key, pointer::LONGEST).await?;
        let found = found.ok_or_else(|| {
            Error::Refused(format!("edition {number} was deleted before it was read"))
        })?;
        self.news.bytes += found.len() as u64;
        let pointer = Pointer::parse(number, &found, self.key.as_ref())?;
        self.all(objects, [Wanted::Manifest(&pointer.manifest)], 1)
            .await?;
        let root = self.cache.root(&pointer)?;
        self.all(
            objects,
            root.chunks.iter().map(|name| Wanted::Chunk(name)),
            PARALLEL,
        )
        .await?;
        self.verify(&pointer)?;
        self.make_room(&root)?;
        self.all(objects, root.segments.iter().map(Wanted::Segment), SEGMENTS)
            .await?;
        self.cache.write(&key, &found)
    }

    /// Reads the manifest as the server will.
    fn verify(&self, pointer: &Pointer) -> Result<()> {
        let manifest = self.cache.manifest(pointer)?;
        let numbered = manifest.head.segments.clone();
        let unread = Segments::new(numbered, Box::new(|_| None), byte_store::heap());
        restored(pointer, manifest, &Arc::new(unread), byte_store::heap()).map(drop)
    }

    fn make_room(&self, root: &Root) -> Result<()> {
        let missing = root.segments.iter().filter(|it| !self.cache.has(it));
        let missing: u64 = missing.map(|segment| segment.length).sum();
        let is_enough = || self.cache.size() + missing <= self.most;
        if !is_enough()
            && let Some(live) = self.live
        {
            self.cache.forget_before(live)?;
        }
        if missing == 0 || is_enough() {
            return Ok(());
        }
        Err(Error::Refused(format!(
            "the newest edition and the live one take {} MiB together, and the cache may have {} MiB: \
             `--cache-size` gives it more",
            (self.cache.size() + missing).div_ceil(1 << 20),
            self.most >> 20
        )))
    }

    /// Fetches those objects that the cache lacks.
    async fn all<'a>(
        &mut self,
        objects: &Objects,
        wanted: impl IntoIterator<Item = Wanted<'a>>,
        parallel: usize,
    ) -> Result<()> {
        let cache = &self.cache;
        let missing = wanted.into_iter().filter(|object| !object.is_in(cache));
        let mut fetched = futures_util::stream::iter(missing)
            .map(|object| fetched(objects, cache, object))
            .buffer_unordered(parallel);
        while let Some(bytes) = fetched.try_next().await? {
            self.news.bytes += bytes;
        }
        Ok(())
    }

    /// The server answers from the edition of this number: what older ones need is deleted.
    ///
    /// # Errors
    /// Nothing was deleted.
    pub fn is_live(&mut self, number: u64) -> Result<()> {
        self.live = Some(number);
        self.cache.forget_before(number)
    }

    /// Verifies every byte of the edition in the cache, and deletes what is damaged. The next step
    /// fetches it.
    pub fn check(&mut self) {
        self.is_whole = false;
        let Some((_, manifest)) = self.cache.newest(self.key.as_ref()) else {
            return;
        };
        for segment in manifest.head.segments() {
            let bytes = self.cache.segment(segment).unwrap_or_default();
            if Segment::from_bytes(&bytes) != *segment {
                self.cache.remove(&root::segment_key(segment));
            }
        }
    }

    /// What is new since the last call.
    pub fn tell(&mut self, step: Result<()>) -> News {
        let failed = step.err().map(|error| error.to_string());
        let (bytes, refusals) = (0, 0);
        let rest = News {
            bytes,
            refusals,
            ..self.news.clone()
        };
        News {
            failed,
            ..std::mem::replace(&mut self.news, rest)
        }
    }
}

/// Fetches an object into the cache. Returns the number of bytes.
async fn fetched(objects: &Objects, cache: &Cache, wanted: Wanted<'_>) -> Result<u64> {
    let key = wanted.key();
    let mut bytes = 0;
    for _ in 0..TRIES {
        let found = objects.read_within(&key, wanted.most()).await?;
        let found = found.ok_or_else(|| broken(&key, "missing"))?;
        bytes += found.len() as u64;
        if wanted.is(&found) {
            let cache = cache.clone();
            // Flushing takes long; meanwhile others are fetched.
            let written = tokio::task::spawn_blocking(move || cache.write(&key, &found));
            let ended = |error| Error::Refused(format!("a thread ended: {error}"));
            return written.await.map_err(ended)?.map(|()| bytes);
        }
    }
    Err(broken(&key, "damaged"))
}

fn broken(key: &str, how: &str) -> Error {
    Error::Refused(format!(
        "the object `{key}` is {how}; `diglot publish --repair` sends the edition again"
    ))
}

/// The time until the next step: between three quarters of the interval and all of it, so that many
/// replicas do not ask at the same moments. It doubles with each failure, up to 16 times.
pub fn pause(interval: Duration, failures: u32) -> Duration {
    let random = RandomState::new().hash_one(failures) % 1000;
    let part = 750 + u32::try_from(random).unwrap_or_default() / 4;
    interval * part / 1000 * (1 << failures.min(4))
}
