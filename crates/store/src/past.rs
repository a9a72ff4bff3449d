//! What the newest edition of a store leaves to the next one: its documents on changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_edition::Route;
use diglot_edition::changes::{self, History};
use diglot_edition::segment::{Extent, Segment, Segments};
use diglot_edition::stored::Manifest;

use crate::chain::Chain;
use crate::error::{Error, Result};
use crate::objects::Objects;
use crate::reading::read_manifest;
use crate::root;
use crate::signature::PublicKey;

/// The base URL of the newest edition, and what it leaves to the next one. With a key, only an edition
/// that is signed with it leaves anything. `None`: the store has no such edition, or one that is
/// damaged or without these documents; then clients start over.
///
/// # Errors
/// [`Error::Store`].
pub async fn past(objects: &Objects, key: Option<&PublicKey>) -> Result<Option<(String, History)>> {
    match newest(objects, key).await {
        Err(Error::Refused(_)) => Ok(None),
        found => found,
    }
}

async fn newest(objects: &Objects, key: Option<&PublicKey>) -> Result<Option<(String, History)>> {
    let chain = Chain { objects, key };
    let last = chain.last().await?;
    let (Some(pointer), _) = chain.newest_good(last).await? else {
        return Ok(None);
    };
    let (_, manifest) = read_manifest(objects, &pointer.manifest).await?;
    let paths = [Route::Changes.path(), Route::Listing.path()];
    let Some(places) = places(&manifest, &paths) else {
        return Ok(None);
    };
    let segments = segments(objects, &manifest, &places).await?;
    let read = |places: &Vec<Extent>| {
        let slices = places.iter().map(|place| segments.bytes(*place));
        Some(slices.collect::<Option<Vec<_>>>()?.concat())
    };
    let bodies: Option<Vec<Vec<u8>>> = places.iter().map(read).collect();
    Ok(match bodies.as_deref() {
        Some([changes, pages]) => changes::read(&pointer.edition, changes, pages).ok(),
        _ => None,
    })
}

fn places(manifest: &Manifest, paths: &[String]) -> Option<Vec<Vec<Extent>>> {
    let places = |path: &String| manifest.places_of(path).map(<[Extent]>::to_vec);
    paths.iter().map(places).collect()
}

/// The segments of which one of these places is a part.
async fn segments(
    objects: &Objects,
    manifest: &Manifest,
    places: &[Vec<Extent>],
) -> Result<Arc<Segments>> {
    let numbered = &manifest.head.segments;
    let mut fetched: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for place in places.iter().flatten() {
        let Some(Some(segment)) = numbered.get(place.segment) else {
            continue;
        };
        if !fetched.contains_key(&segment.name) {
            let key = root::segment_key(segment);
            let bytes = objects.read_within(&key, segment.length).await?;
            fetched.insert(segment.name.clone(), bytes.unwrap_or_default().into());
        }
    }
    let fetch = move |segment: &Segment| fetched.get(&segment.name).cloned();
    let store = diglot_edition::byte_store::heap();
    let segments = Segments::new(numbered.clone(), Box::new(fetch), store);
    Ok(Arc::new(segments))
}
