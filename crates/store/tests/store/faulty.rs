//! A model of a store in memory that does what real ones do at their worst: loses answers, answers
//! too early or too late, and lists in any order.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult,
    Result,
};

/// What goes wrong, each in one of so many requests; 0: never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// A write lands, and the answer is an error.
    pub lost_answer: u64,
    /// A write does not land, and the answer is an error.
    pub lost_write: u64,
    /// A creation does not land, and the answer is that the object exists.
    pub false_conflict: u64,
    /// A read fails.
    pub lost_read: u64,
    /// A read returns half the bytes.
    pub truncated: u64,
    /// A list lacks the newest objects.
    pub stale_list: u64,
    /// A read takes twenty seconds.
    pub slow: u64,
    /// No request is answered.
    pub away: bool,
    /// No write is allowed.
    pub read_only: bool,
    /// Conditions are ignored.
    pub ignores_conditions: bool,
    /// Every object seems to exist, until it is read.
    pub all_exist: bool,
}

/// The store.
#[derive(Debug)]
pub struct Faulty {
    inner: InMemory,
    faults: Mutex<Faults>,
    random: AtomicU64,
    /// Keys that were deleted.
    pub deleted: Mutex<Vec<String>>,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a faulty store")
    }
}

fn failed(what: &str) -> Error {
    Error::Generic {
        store: "faulty",
        source: what.into(),
    }
}

impl Faulty {
    pub fn new(seed: u64, faults: Faults) -> Arc<Self> {
        Arc::new(Self {
            inner: InMemory::new(),
            faults: Mutex::new(faults),
            random: AtomicU64::new(seed.wrapping_mul(2) + 1),
            deleted: Mutex::default(),
        })
    }

    /// From now on everything works.
    pub fn heal(&self) {
        let mut faults = self.faults.lock().unwrap();
        *faults = Faults {
            ignores_conditions: faults.ignores_conditions,
            ..Faults::default()
        };
    }

    /// From now on this goes wrong.
    pub fn fail(&self, faults: Faults) {
        *self.faults.lock().unwrap() = faults;
    }

    /// Deletes everything.
    pub async fn empty(&self) {
        for key in self.keys().await {
            self.remove(&key).await;
        }
    }

    /// Cuts an object in half.
    pub async fn cut(&self, key: &str) {
        let path = Path::from(key);
        let bytes = self.inner.get(&path).await.unwrap().bytes().await.unwrap();
        let half = bytes.slice(..bytes.len() / 2);
        self.inner.put(&path, half.into()).await.unwrap();
    }

    /// Flips a bit of an object.
    pub async fn damage(&self, key: &str) {
        let path = Path::from(key);
        let bytes = self.inner.get(&path).await.unwrap().bytes().await.unwrap();
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        self.inner.put(&path, bytes.into()).await.unwrap();
    }

    /// Flips a bit of every object of a folder.
    pub async fn damage_all(&self, folder: &str) {
        for key in self.keys().await {
            if key.contains(folder) {
                self.damage(&key).await;
            }
        }
    }

    /// Writes an object, whatever is there.
    pub async fn write(&self, key: &str, bytes: &[u8]) {
        let bytes = Bytes::copy_from_slice(bytes);
        self.inner
            .put(&Path::from(key), bytes.into())
            .await
            .unwrap();
    }

    pub async fn remove(&self, key: &str) {
        self.inner.delete(&Path::from(key)).await.unwrap();
    }

    pub async fn keys(&self) -> Vec<String> {
        let objects: Vec<_> = self.inner.list(None).collect().await;
        let mut keys: Vec<String> = objects
            .into_iter()
            .map(|object| object.unwrap().location.to_string())
            .collect();
        keys.sort();
        keys
    }

    /// Whether the fault that happens in one of `every` requests happens now.
    fn happens(&self, every: impl Fn(&Faults) -> u64) -> bool {
        let every = every(&self.faults.lock().unwrap());
        // A linear congruential generator (Knuth's MMIX); its upper bits are random enough.
        let step = |seed: u64| {
            seed.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407)
        };
        let before = self
            .random
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seed| {
                Some(step(seed))
            })
            .unwrap();
        every > 0 && (step(before) >> 33).is_multiple_of(every)
    }

    /// What every request begins with.
    async fn arrive(&self) -> Result<()> {
        tokio::task::yield_now().await;
        match self.faults.lock().unwrap().away {
            true => Err(failed("connection refused")),
            false => Ok(()),
        }
    }

    async fn put(&self, at: &Path, payload: PutPayload, mut how: PutOptions) -> Result<PutResult> {
        self.arrive().await?;
        if self.faults.lock().unwrap().read_only {
            return Err(failed("read-only"));
        }
        let creates = how.mode == PutMode::Create;
        if creates && self.happens(|faults| faults.false_conflict) {
            let (path, source) = (at.to_string(), "409".into());
            return Err(Error::AlreadyExists { path, source });
        }
        if self.happens(|faults| faults.lost_write) {
            return Err(failed("503"));
        }
        if self.faults.lock().unwrap().ignores_conditions {
            how.mode = PutMode::Overwrite;
        }
        let done = self.inner.put_opts(at, payload, how).await?;
        tokio::task::yield_now().await;
        match self.happens(|faults| faults.lost_answer) {
            true => Err(failed("500 after the write")),
            false => Ok(done),
        }
    }
}

#[async_trait::async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.put(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        Err(failed("not used"))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.arrive().await?;
        // Not at a write: a paused clock does not advance while the thread of a publisher waits.
        if self.happens(|faults| faults.slow) {
            tokio::time::sleep(Duration::from_secs(20)).await;
        }
        if self.happens(|faults| faults.lost_read) {
            return Err(failed("503"));
        }
        let is_head = options.head;
        if is_head && self.faults.lock().unwrap().all_exist {
            let any = InMemory::new();
            any.put(location, Bytes::from_static(b"x").into()).await?;
            return any.get_opts(location, options).await;
        }
        let mut found = self.inner.get_opts(location, options).await?;
        if !is_head && self.happens(|faults| faults.truncated) {
            let half: Bytes = {
                let bytes = found.bytes().await?;
                bytes.slice(..bytes.len() / 2)
            };
            let other = InMemory::new();
            other.put(location, half.into()).await?;
            found = other.get(location).await?;
        }
        Ok(found)
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let store = self.inner.clone();
        let deleted: Vec<Path> = futures_util::FutureExt::now_or_never(
            locations.filter_map(async |path| path.ok()).collect(),
        )
        .unwrap();
        self.deleted
            .lock()
            .unwrap()
            .extend(deleted.iter().map(Path::to_string));
        let paths = deleted.into_iter().map(Ok);
        store.delete_stream(futures_util::stream::iter(paths).boxed())
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        if self.faults.lock().unwrap().away {
            let refused = Err(failed("connection refused"));
            return futures_util::stream::iter([refused]).boxed();
        }
        let all = self.inner.list(prefix);
        let found: Vec<_> = futures_util::FutureExt::now_or_never(all.collect::<Vec<_>>()).unwrap();
        let mut found: Vec<Result<ObjectMeta>> = found.into_iter().rev().collect();
        let is_pointer = prefix.is_some_and(|prefix| prefix.as_ref().ends_with("editions"));
        if is_pointer && self.happens(|faults| faults.stale_list) && !found.is_empty() {
            let _ = found.remove(0);
        }
        futures_util::stream::iter(found).boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
