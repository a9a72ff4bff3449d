//! The objects of a store: reading, writing, and writing only what is new.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use jiff::Timestamp;
use object_store::path::{Path, PathPart};
use object_store::{
    Error as StoreError, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};

use crate::error::{Error, Result};

/// How many requests are under way at a time.
pub const PARALLEL: usize = 16;
/// How often a creation with an unclear answer is tried.
const TRIES: u32 = 5;

/// A store and the prefix of its keys.
#[derive(Clone, Debug)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
}

/// An object in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The part of the key behind the last `/`.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// When the store says that it was written.
    pub written: Timestamp,
}

/// Whether a list has an object of this name and length.
pub(crate) fn holds(listed: &[Listed], name: &str, length: u64) -> bool {
    let found = listed.binary_search_by(|object| object.name.as_str().cmp(name));
    found.is_ok_and(|at| listed[at].length == length)
}

/// The outcome of a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// The object holds these bytes, and this call wrote them.
    New,
    /// The object existed, with these bytes.
    Taken(Bytes),
}

impl Objects {
    /// The objects below a prefix of a store.
    pub fn new(store: Arc<dyn ObjectStore>, prefix: Path) -> Self {
        Self { store, prefix }
    }

    fn path(&self, key: &str) -> Path {
        let mut path = self.prefix.clone();
        path.extend(key.split('/').map(PathPart::from));
        path
    }

    /// The bytes of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn read(&self, key: &str) -> Result<Option<Bytes>> {
        self.read_within(key, u64::MAX).await
    }

    /// The bytes of an object of at most this length; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Refused`]: it is longer.
    pub async fn read_within(&self, key: &str, most: u64) -> Result<Option<Bytes>> {
        let failed = |error: &StoreError| Error::store("read", key, error);
        let found = match self.store.get(&self.path(key)).await {
            Err(StoreError::NotFound { .. }) => return Ok(None),
            found => found.map_err(|error| failed(&error))?,
        };
        if found.meta.size > most {
            return Err(Error::Refused(format!("the object `{key}` is too long")));
        }
        let bytes = found.bytes().await.map_err(|error| failed(&error))?;
        Ok(Some(bytes))
    }

    /// The length of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn length(&self, key: &str) -> Result<Option<u64>> {
        match self.store.head(&self.path(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(Error::store("read", key, &error)),
        }
    }

    /// Writes an object, or replaces it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn write(&self, key: &str, bytes: Bytes) -> Result<()> {
        let written = self.store.put(&self.path(key), bytes.into()).await;
        written
            .map(drop)
            .map_err(|error| Error::store("write", key, &error))
    }

    /// Writes an object only if there is none. `bytes` must differ from what any other process
    /// writes, so that reading them back tells who wrote the object: an answer of the store may be
    /// lost, late or wrong.
    ///
    /// # Errors
    /// [`Error::Store`]: the outcome is not known.
    pub async fn create(&self, key: &str, bytes: &Bytes) -> Result<Created> {
        let path = self.path(key);
        let mut tried = 0;
        loop {
            let put = PutPayload::from(bytes.clone());
            let options = PutOptions::from(PutMode::Create);
            let answer = self.store.put_opts(&path, put, options).await;
            if let Err(StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. }) =
                &answer
            {
                return answer
                    .map(|_| Created::New)
                    .map_err(|error| Error::store("create", key, &error));
            }
            match (self.read(key).await, answer) {
                (Ok(Some(found)), _) if found == *bytes => return Ok(Created::New),
                (Ok(Some(found)), _) => return Ok(Created::Taken(found)),
                (Ok(None), Err(error)) if tried + 1 >= TRIES => {
                    return Err(Error::store("create", key, &error));
                }
                (Err(error), _) if tried + 1 >= TRIES => return Err(error),
                (Ok(None), Ok(_)) if tried + 1 >= TRIES => {
                    return Err(Error::Store {
                        operation: format!("create `{key}`"),
                        reason: "the store took it, and does not return it".to_owned(),
                    });
                }
                _ => {}
            }
            tokio::time::sleep(Duration::from_millis(100 << tried)).await;
            tried += 1;
        }
    }

    /// Writes an object on the condition that there is none, once, and believes the answer.
    pub(crate) async fn put_if_none(&self, key: &str, bytes: Bytes) -> Result<bool> {
        let options = PutOptions::from(PutMode::Create);
        match self
            .store
            .put_opts(&self.path(key), bytes.into(), options)
            .await
        {
            Ok(_) => Ok(true),
            Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => Ok(false),
            Err(error) => Err(Error::store("create", key, &error)),
        }
    }

    /// The objects whose keys begin with `{folder}/`, by name.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        let objects = self.store.list(Some(&self.path(folder)));
        let objects: Vec<_> = objects
            .try_collect()
            .await
            .map_err(|error| Error::store("list", folder, &error))?;
        let mut listed: Vec<Listed> = objects
            .into_iter()
            .filter_map(|object| {
                let written = Timestamp::from_millisecond(object.last_modified.timestamp_millis());
                Some(Listed {
                    name: object.location.filename()?.to_owned(),
                    length: object.size,
                    written: written.ok()?,
                })
            })
            .collect();
        // A store may list in any order, and one object twice.
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        listed.dedup_by(|one, other| one.name == other.name);
        Ok(listed)
    }

    /// Deletes objects; those that do not exist are deleted already.
    ///
    /// # Errors
    /// [`Error::Store`]: some may be deleted.
    pub async fn delete(&self, keys: Vec<String>) -> Result<()> {
        let paths: Vec<_> = keys.iter().map(|key| Ok(self.path(key))).collect();
        let mut deleted = self
            .store
            .delete_stream(futures_util::stream::iter(paths).boxed());
        while let Some(answer) = deleted.next().await {
            match answer {
                Ok(_) | Err(StoreError::NotFound { .. }) => {}
                Err(error) => return Err(Error::store("delete", "objects", &error)),
            }
        }
        Ok(())
    }
}
