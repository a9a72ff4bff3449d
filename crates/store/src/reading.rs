//! Reading what an edition in a store is made of.

use diglot_edition::segment::Segment;
use diglot_edition::stored::{Manifest, Opened};
use futures_util::{StreamExt, TryStreamExt};

use crate::error::{Error, Result};
use crate::objects::{Objects, PARALLEL, holds};
use crate::root::{self, LONGEST, Root, segment_key};

/// Reads the manifest of a root, and verifies it. Returns its bytes as well.
///
/// # Errors
/// [`Error::Store`]; [`Error::Refused`]: a part is missing or damaged.
pub async fn read_manifest(objects: &Objects, digest: &str) -> Result<(Vec<u8>, Manifest)> {
    let root = read_root(objects, digest).await?;
    let chunk = |name: String| async move {
        let missing = || Error::Refused(format!("the chunk `{name}` is missing"));
        let object = objects
            .read_within(&root::chunk_key(&name), LONGEST)
            .await?;
        root::content(&name, &object.ok_or_else(missing)?)
    };
    let mut chunks = futures_util::stream::iter(root.chunks)
        .map(chunk)
        .buffered(PARALLEL);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
    }
    let refused = |why| Error::Refused(format!("manifest `{digest}`: {why}"));
    let manifest = Opened::new(&bytes)
        .and_then(Opened::read)
        .map_err(refused)?;
    Ok((bytes, manifest))
}

/// Reads the root of a manifest.
///
/// # Errors
/// As [`read_manifest`].
pub async fn read_root(objects: &Objects, digest: &str) -> Result<Root> {
    let missing = || Error::Refused(format!("the manifest `{digest}` is missing"));
    let object = objects
        .read_within(&root::manifest_key(digest), LONGEST)
        .await?;
    Root::parse(digest, &object.ok_or_else(missing)?)
}

/// A segment of the manifest that the store lacks.
///
/// # Errors
/// [`Error::Store`].
pub async fn missing(objects: &Objects, manifest: &Manifest) -> Result<Option<String>> {
    let listed = objects.list("segments").await?;
    let exists = |segment: &&Segment| holds(&listed, &segment.name, segment.length);
    let lacking = manifest
        .head
        .segments()
        .find(|segment| !exists(segment))
        .map(|segment| segment.name.clone());
    Ok(lacking)
}

/// How many segments are read at a time: each is in memory as a whole.
const SEGMENTS: usize = 4;

/// A segment of the manifest whose bytes in the store are not those that its name says. All are read.
///
/// # Errors
/// [`Error::Store`].
pub async fn damaged(objects: &Objects, manifest: &Manifest) -> Result<Option<String>> {
    let read = async |segment: Segment| {
        let key = segment_key(&segment);
        match objects.read_within(&key, segment.length).await {
            Ok(Some(bytes)) if Segment::from_bytes(&bytes) == segment => Ok(None),
            Ok(_) | Err(Error::Refused(_)) => Ok(Some(segment.name)),
            Err(error) => Err(error),
        }
    };
    let segments: Vec<Segment> = manifest.head.segments().cloned().collect();
    let read = futures_util::stream::iter(segments).map(read);
    let found: Vec<Option<String>> = read.buffered(SEGMENTS).try_collect().await?;
    Ok(found.into_iter().flatten().next())
}
