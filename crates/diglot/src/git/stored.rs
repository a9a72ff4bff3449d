//! The history as stored between runs, so that an unchanged one is not walked again.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use gix::ObjectId;
use serde::{Deserialize, Serialize};

use super::{FileHistory, GitHistory};

/// The version of the format. Other versions are not read.
const VERSION: u32 = 1;

#[derive(Deserialize, Serialize)]
struct Stored {
    version: u32,
    #[serde(rename = "mark")]
    identity: String,
    shallow: bool,
    /// The blob and both dates, in seconds since 1970.
    files: BTreeMap<String, (String, Option<i64>, Option<i64>)>,
}

impl GitHistory {
    /// Parses the output of [`to_bytes`](Self::to_bytes); `None` for anything else.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Stored {
            version,
            identity,
            shallow,
            files: stored,
        } = serde_json::from_slice(bytes).ok()?;
        if version != VERSION {
            return None;
        }
        let mut files = BTreeMap::new();
        for (path, (blob, created, changed)) in stored {
            files.insert(
                path,
                FileHistory {
                    blob: ObjectId::from_hex(blob.as_bytes()).ok()?,
                    created,
                    changed,
                },
            );
        }
        Some(Self {
            files,
            identity,
            repository: PathBuf::new(),
            shallow,
            stored: true,
            blobs: HashMap::new(),
        })
    }

    /// The history as JSON, ordered by path.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut files = BTreeMap::new();
        for (path, file) in &self.files {
            files.insert(
                path.clone(),
                (file.blob.to_string(), file.created, file.changed),
            );
        }
        let stored = Stored {
            version: VERSION,
            identity: self.identity.clone(),
            shallow: self.shallow,
            files,
        };
        // A map with string keys and plain values always serializes.
        serde_json::to_vec(&stored).unwrap_or_default()
    }
}
