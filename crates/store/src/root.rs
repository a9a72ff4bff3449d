//! The root of a manifest: its chunks and segments.
//!
//! A manifest has a line for each resource of an edition, megabytes for a large site. After an edit
//! most lines are the same, so it is stored in chunks that are named by their digests. A chunk ends
//! behind a line whose own digest says so, so equal lines make equal chunks, wherever they are.

use std::io;

use blake3::Hash;
use bytes::Bytes;
use diglot_edition::segment::Segment;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The version of the format.
const FORMAT: u32 = 1;
/// One line in so many ends a chunk.
const LINES: u32 = 48;
/// A chunk of at least so many bytes ends with its line.
const LONG: usize = 256 << 10;
/// The level of Zstandard.
const LEVEL: i32 = 3;
/// The greatest length of a decompressed chunk or root in bytes. A chunk is hardly longer than
/// [`LONG`] and its longest line. That line and the root name all segments: 1 MB for a million
/// articles. A writer keeps to it, so that a small object which claims more costs a reader nothing.
const MOST: usize = 32 << 20;
/// The greatest length of a chunk or a root in bytes, compressed.
pub(crate) const LONGEST: u64 = (MOST + (1 << 20)) as u64;

/// The folders of objects that are named by digests, in the order of deletion: those that name
/// others are first.
pub(crate) const FOLDERS: [&str; 3] = ["manifests", "chunks", "segments"];

/// The key of a root.
pub(crate) fn manifest_key(digest: &str) -> String {
    format!("manifests/{digest}")
}

/// The key of a chunk.
pub(crate) fn chunk_key(digest: &str) -> String {
    format!("chunks/{digest}")
}

/// The key of a segment.
pub(crate) fn segment_key(segment: &Segment) -> String {
    format!("segments/{}", segment.name)
}

/// The root of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    format: u32,
    /// The digests of the chunks, in order.
    pub chunks: Vec<String>,
    /// The segments that hold the bodies.
    pub segments: Vec<Segment>,
}

/// An object that is named by the digest of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The digest of the content.
    pub digest: String,
    /// The object: the content, compressed.
    pub object: Bytes,
}

impl Root {
    /// Divides the bytes of a manifest. Returns its root, and the chunks.
    ///
    /// # Errors
    /// [`Error::Refused`]: the compressor's.
    pub fn divide(manifest: &[u8], segments: Vec<Segment>) -> Result<(Self, Vec<Named>)> {
        let chunks: Vec<Named> = chunks(manifest).map(named).collect::<Result<_>>()?;
        let root = Self {
            format: FORMAT,
            chunks: chunks.iter().map(|chunk| chunk.digest.clone()).collect(),
            segments,
        };
        Ok((root, chunks))
    }

    /// The keys of everything that an edition needs; `digest` is that of this root.
    pub(crate) fn keys(&self, digest: &str) -> impl Iterator<Item = String> {
        let chunks = self.chunks.iter().map(|name| chunk_key(name));
        let segments = self.segments.iter().map(segment_key);
        [manifest_key(digest)]
            .into_iter()
            .chain(chunks)
            .chain(segments)
    }

    /// The root as an object.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn to_object(&self) -> Result<Named> {
        let text = serde_json::to_vec(self)
            .map_err(|error| Error::Refused(format!("the manifest cannot be written: {error}")))?;
        named(&text)
    }

    /// Reads the object of a root.
    ///
    /// # Errors
    /// [`Error::Refused`]: it is damaged or of another version.
    pub fn parse(digest: &str, object: &[u8]) -> Result<Self> {
        let refused = |why: String| Error::Refused(format!("manifest `{digest}` {why}"));
        let text = content(digest, object)?;
        let root: Self = serde_json::from_slice(&text)
            .map_err(|error| refused(format!("cannot be read: {error}")))?;
        if root.format != FORMAT {
            return Err(refused("is of another version of Diglot".to_owned()));
        }
        let is_digest = |text: &String| Hash::from_hex(text).is_ok();
        if !root.chunks.iter().all(is_digest) || !root.segments.iter().all(Segment::is_named) {
            return Err(refused("names something else than digests".to_owned()));
        }
        Ok(root)
    }
}

/// The content of an object that is named by its digest.
///
/// # Errors
/// [`Error::Refused`]: it is not the content of this name.
pub fn content(digest: &str, object: &[u8]) -> Result<Vec<u8>> {
    let damaged = || Error::Refused(format!("the object `{digest}` is damaged"));
    let content =
        zstd::bulk::decompress(object, size(object).ok_or_else(damaged)?).map_err(|_| damaged())?;
    match Hash::from_hex(digest) {
        Ok(hash) if blake3::hash(&content) == hash => Ok(content),
        _ => Err(damaged()),
    }
}

/// The size that a frame claims, if it is within bounds.
fn size(object: &[u8]) -> Option<usize> {
    let size = zstd::zstd_safe::get_frame_content_size(object).ok()??;
    usize::try_from(size).ok().filter(|size| *size <= MOST)
}

fn named(content: &[u8]) -> Result<Named> {
    if content.len() > MOST {
        return Err(Error::Refused(format!(
            "a line of the manifest has more than {} MiB",
            MOST >> 20
        )));
    }
    let object = zstd::bulk::compress(content, LEVEL)
        .map_err(|error: io::Error| Error::Refused(format!("cannot compress: {error}")))?;
    Ok(Named {
        digest: blake3::hash(content).to_hex().to_string(),
        object: object.into(),
    })
}

/// The chunks of a manifest.
fn chunks(manifest: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = manifest;
    std::iter::from_fn(move || {
        let mut end = 0;
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            end += line.len();
            if end >= LONG || ends_chunk(line) {
                break;
            }
        }
        let (chunk, after) = rest.split_at(end);
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

fn ends_chunk(line: &[u8]) -> bool {
    let [first, second, third, fourth, ..] = *blake3::hash(line).as_bytes();
    u32::from_le_bytes([first, second, third, fourth]).is_multiple_of(LINES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_object_that_claims_to_be_large_is_refused_before_it_is_expanded() {
        let large = vec![0; MOST + 1];
        let object = zstd::bulk::compress(&large, LEVEL).unwrap();
        assert!(object.len() < 64 << 10);
        assert_eq!(size(&object), None);
        assert!(content(blake3::hash(&large).to_hex().as_ref(), &object).is_err());
        assert!(named(&large).is_err(), "nobody could read it");
        assert!(named(&large[1..]).is_ok());
    }
}
