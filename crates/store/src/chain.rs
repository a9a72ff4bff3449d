//! The chain of pointers.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};

use crate::error::{Error, Result};
use crate::objects::{Created, Objects, PARALLEL};
use crate::pointer::{self, Pointer};
use crate::signature::{PublicKey, SigningKey};

/// The chain of pointers of a store.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// Where it is.
    pub objects: &'a Objects,
    /// Pointers that are not signed with this key are refused.
    pub key: Option<&'a PublicKey>,
}

/// How many numbers beyond the list are asked for at most, and how many numbers a search for a good
/// pointer goes back.
const BEYOND: u64 = 64;

/// A number of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number.
    pub number: u64,
    /// Its pointer.
    pub pointer: std::result::Result<Pointer, Refusal>,
}

/// Why a pointer is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub why: String,
    /// Whether nobody can read it.
    pub is_damaged: bool,
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
    /// [`Error::Store`]; also if the store seems to have every number.
    pub async fn numbers(&self) -> Result<Vec<u64>> {
        let listed = self.objects.list("editions").await?;
        let mut numbers: Vec<u64> = listed
            .iter()
            .filter_map(|object| Pointer::number_of(&object.name))
            .collect();
        for _ in 0..BEYOND {
            let next = numbers.last().map_or(1, |last| last + 1);
            if self.objects.length(&Pointer::key(next)).await?.is_none() {
                return Ok(numbers);
            }
            numbers.push(next);
        }
        Err(Error::Store {
            operation: "find the newest edition".to_owned(),
            reason: format!(
                "the store says that {BEYOND} editions exist which its list lacks, so it may say so \
                 of all"
            ),
        })
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
        let key = Pointer::key(number);
        let Some(bytes) = self.objects.read_within(&key, pointer::LONGEST).await? else {
            return Ok(None);
        };
        Pointer::parse(number, &bytes, self.key).map(Some)
    }

    /// A number with its pointer, or why that is refused; `None`: it was deleted.
    ///
    /// # Errors
    /// [`Error::Store`]; also if the pointer was cut off on its way.
    pub async fn entry(&self, number: u64) -> Result<Option<Entry>> {
        let entry = |pointer| Ok(Some(Entry { number, pointer }));
        let why = match self.get(number).await {
            Ok(None) => return Ok(None),
            Ok(Some(pointer)) => return entry(Ok(pointer)),
            Err(Error::Refused(why)) => why,
            Err(error) => return Err(error),
        };
        let key = Pointer::key(number);
        let length = self.objects.length(&key).await?;
        let bytes = match self.objects.read_within(&key, pointer::LONGEST).await {
            Ok(None) => return Ok(None),
            Ok(Some(bytes)) if Some(bytes.len() as u64) != length => {
                return Err(Error::Store {
                    operation: format!("read `{key}`"),
                    reason: "it was cut off".to_owned(),
                });
            }
            Ok(Some(bytes)) => bytes,
            // It is too long.
            Err(Error::Refused(_)) => Bytes::new(),
            Err(error) => return Err(error),
        };
        match Pointer::parse(number, &bytes, self.key) {
            Ok(pointer) => entry(Ok(pointer)),
            Err(_) => entry(Err(Refusal {
                why,
                is_damaged: Pointer::parse(number, &bytes, None).is_err()
                    && !pointer::is_foreign_pointer(&bytes),
            })),
        }
    }

    /// The newest pointer up to this number that is good, and why newer ones are refused.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn newest_good(&self, last: u64) -> Result<(Option<Pointer>, Vec<String>)> {
        let mut refused = Vec::new();
        let first = last.saturating_sub(BEYOND).max(1);
        for number in (first..=last).rev() {
            match self.get(number).await {
                Ok(Some(pointer)) => return Ok((Some(pointer), refused)),
                Ok(None) => {}
                Err(Error::Refused(why)) => refused.push(why),
                Err(error) => return Err(error),
            }
        }
        Ok((None, refused))
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
        let Some(newest) = found.pop() else {
            return Err(self.refusal(name).await?.unwrap_or_else(unknown));
        };
        match found.iter().find(|other| other.edition != newest.edition) {
            None => Ok(newest),
            Some(other) => Err(Error::Usage(format!(
                "`{name}` is the beginning of more than one id: `{}`, `{}`",
                other.edition, newest.edition
            ))),
        }
    }

    /// Why an edition of this id is refused, if there is one that is not signed as required.
    async fn refusal(&self, name: &str) -> Result<Option<Error>> {
        let unsigned = Chain { key: None, ..*self };
        let mut all = unsigned.all().await?.into_iter().rev();
        let meant = all.find(|it| name.len() >= 4 && it.edition.starts_with(name));
        match meant {
            Some(pointer) => Ok(self.get(pointer.number).await.err()),
            None => Ok(None),
        }
    }

    /// All numbers with their pointers, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn entries(&self) -> Result<Vec<Entry>> {
        let numbers = futures_util::stream::iter(self.numbers().await?);
        let entries = numbers.map(|number| self.entry(number)).buffered(PARALLEL);
        let found: Vec<Option<Entry>> = entries.try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// All pointers that can be read, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn all(&self) -> Result<Vec<Pointer>> {
        let entries = self.entries().await?.into_iter();
        Ok(entries.filter_map(|entry| entry.pointer.ok()).collect())
    }
}

/// The error of a publisher of edition `id` whose number another has taken.
pub(crate) fn lost_to(winner: &Pointer, id: &str) -> Error {
    let by = match winner.publisher.as_str() {
        "" => String::new(),
        name => format!(" by `{name}`"),
    };
    let same = match winner.edition == id {
        true => "with the same content".to_owned(),
        false => format!(
            "with other content (`{}`, this is `{id}`); `diglot diff` says what differs",
            winner.edition
        ),
    };
    Error::Conflict(format!(
        "edition {} was published at {}{by}, {same}; nothing was changed",
        winner.number, winner.published
    ))
}
