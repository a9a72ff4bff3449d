//! The history between runs: while it is the same, nobody has to walk through it again.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use gix::ObjectId;
use serde::{Deserialize, Serialize};

use super::{History, Known};

/// The form of the file. Another one is not understood, and not guessed at.
const VERSION: u32 = 1;

#[derive(Deserialize, Serialize)]
struct Stored {
    version: u32,
    mark: String,
    shallow: bool,
    files: BTreeMap<String, File>,
}

/// The blob and both dates, in seconds since 1970.
#[derive(Deserialize, Serialize)]
struct File(String, Option<i64>, Option<i64>);

impl History {
    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` when it is anything else.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Stored { version, mark, shallow, files } = serde_json::from_slice(bytes).ok()?;
        let known = |(path, File(blob, created, changed)): (String, File)| {
            Some((path, Known { blob: ObjectId::from_hex(blob.as_bytes()).ok()?, created, changed }))
        };
        let files = files.into_iter().map(known).collect::<Option<_>>()?;
        (version == VERSION).then_some(Self { files, mark, repository: PathBuf::new(), shallow, stored: true, blobs: HashMap::new() })
    }

    /// The whole as JSON, ordered by path.
    pub fn to_bytes(&self) -> Vec<u8> {
        let file = |known: &Known| File(known.blob.to_string(), known.created, known.changed);
        let files = self.files.iter().map(|(path, known)| (path.clone(), file(known))).collect();
        let stored = Stored { version: VERSION, mark: self.mark.clone(), shallow: self.shallow, files };
        // A map with string keys and plain values is always written.
        serde_json::to_vec(&stored).unwrap_or_default()
    }
}
