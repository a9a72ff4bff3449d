//! The chain of pointers.

use futures_util::{StreamExt, TryStreamExt};

use crate::error::{Error, Result};
use crate::objects::{Created, Objects, PARALLEL};
use crate::pointer::Pointer;
use crate::signature::{PublicKey, SigningKey};

/// The chain of pointers of a store.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// Where it is.
    pub objects: &'a Objects,
    /// Pointers that are not signed with this key are refused.
    pub key: Option<&'a PublicKey>,
}

/// The outcome of [`Chain::append`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// This pointer is the newest.
    Won(Pointer),
    /// Another process has published under the number.
    Lost(Pointer),
}

impl Chain<'_> {
    /// The numbers of all pointers, in order. A list may be older than the store, so the next
    /// numbers are asked for: pruning must not miss the newest edition.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn numbers(&self) -> Result<Vec<u64>> {
        let listed = self.objects.list("editions").await?;
        let mut numbers: Vec<u64> = listed
            .iter()
            .filter_map(|object| Pointer::number_of(&object.name))
            .collect();
        loop {
            let next = numbers.last().map_or(1, |last| last + 1);
            if self.objects.length(&Pointer::key(next)).await?.is_none() {
                return Ok(numbers);
            }
            numbers.push(next);
        }
    }

    /// The highest number; 0 without an edition.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn last(&self) -> Result<u64> {
        Ok(self.numbers().await?.pop().unwrap_or_default())
    }

    /// The pointer of a number.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Refused`].
    pub async fn get(&self, number: u64) -> Result<Option<Pointer>> {
        let Some(bytes) = self.objects.read(&Pointer::key(number)).await? else {
            return Ok(None);
        };
        Pointer::parse(number, &bytes, self.key).map(Some)
    }

    /// The pointer with the highest number.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Refused`].
    pub async fn newest(&self) -> Result<Option<Pointer>> {
        match self.numbers().await?.last() {
            Some(last) => self.get(*last).await,
            None => Ok(None),
        }
    }

    /// Adds a pointer behind the one of the number `after`.
    ///
    /// # Errors
    /// [`Error::Store`]: the outcome is not known. [`Error::Refused`]: another process has published
    /// something unreadable.
    pub async fn append(
        &self,
        pointer: Pointer,
        after: u64,
        key: Option<&SigningKey>,
    ) -> Result<Appended> {
        let pointer = Pointer {
            number: after + 1,
            ..pointer
        };
        // A store that ignores conditions would replace the pointer of another process.
        if let Some(winner) = self.get(pointer.number).await? {
            return Ok(Appended::Lost(winner));
        }
        let bytes = pointer.to_bytes(key)?;
        let key = Pointer::key(pointer.number);
        match self.objects.create(&key, &bytes).await? {
            Created::New => Ok(Appended::Won(pointer)),
            Created::Taken(bytes) => {
                let winner = Pointer::parse(pointer.number, &bytes, None)?;
                Ok(Appended::Lost(winner))
            }
        }
    }

    /// The pointer of an edition: by its number, or by the beginning of its id.
    ///
    /// # Errors
    /// [`Error::Usage`]: none or several are meant.
    pub async fn find(&self, name: &str) -> Result<Pointer> {
        let unknown = || {
            Error::Usage(format!(
                "the store has no edition `{name}`; `diglot editions` lists all"
            ))
        };
        if let Ok(number) = name.parse::<u64>()
            && let Some(pointer) = self.get(number).await?
        {
            return Ok(pointer);
        }
        let mut found: Vec<Pointer> = self.all().await?;
        found.retain(|pointer| name.len() >= 4 && pointer.edition.starts_with(name));
        let newest = found.pop().ok_or_else(unknown)?;
        match found.iter().find(|other| other.edition != newest.edition) {
            None => Ok(newest),
            Some(other) => Err(Error::Usage(format!(
                "`{name}` is the beginning of more than one id: `{}`, `{}`",
                other.edition, newest.edition
            ))),
        }
    }

    /// All pointers that can be read, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn all(&self) -> Result<Vec<Pointer>> {
        let get = async |number| match self.get(number).await {
            Err(Error::Refused(_)) => Ok(None),
            found => found,
        };
        let numbers = futures_util::stream::iter(self.numbers().await?);
        let found: Vec<Option<Pointer>> = numbers.map(get).buffered(PARALLEL).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }
}
