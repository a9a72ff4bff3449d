//! Rollback: publishes an older edition again.

use diglot_edition::stored::Manifest;
use jiff::Timestamp;

use crate::chain::{Appended, Chain, lost_to};
use crate::error::{Error, Result};
use crate::lease::Lease;
use crate::objects::Objects;
use crate::pointer::{self, Pointer};
use crate::publish::{Sending, Sent};
use crate::reading::{missing, read_manifest};
use crate::signature::SigningKey;

/// Publishes an older edition again, under a new number. With a key, only one that is signed with it:
/// a signature says that the signer has made the edition.
///
/// # Errors
/// [`Error::Refused`]: a part of it is missing, or it is not signed. [`Error::Conflict`]: another process was faster.
pub async fn rollback(
    objects: &Objects,
    to: &Pointer,
    (now, publisher): (Timestamp, String),
    key: Option<&SigningKey>,
) -> Result<Pointer> {
    let mut lease = Some(Lease::for_publishing(objects).await?);
    let done = repeated(objects, to, (now, publisher), key, &mut lease).await;
    if let Some(lease) = lease {
        // It expires by itself.
        let _ = lease.end().await;
    }
    done
}

async fn repeated(
    objects: &Objects,
    to: &Pointer,
    (now, publisher): (Timestamp, String),
    key: Option<&SigningKey>,
    lease: &mut Option<Lease<'_>>,
) -> Result<Pointer> {
    let public = key.map(SigningKey::public);
    let chain = Chain {
        objects,
        key: public.as_ref(),
    };
    if public.is_some() && chain.get(to.number).await?.as_ref() != Some(to) {
        return Err(Error::Refused(format!(
            "edition {} is not what its pointer in the store says",
            to.number
        )));
    }
    let (_, manifest) = read_manifest(objects, &to.manifest).await?;
    if let Some(segment) = missing(objects, &manifest).await? {
        return Err(Error::Refused(format!(
            "edition {} is not whole: its segment `{segment}` is missing",
            to.number
        )));
    }
    let newest = chain.last().await?;
    let (withdrawn, _) = chain.newest_good(newest).await?;
    let pointer = Pointer {
        manifest: with_earlier_files(objects, manifest, withdrawn, lease).await?,
        published: now,
        publisher,
        repeats: Some(to.number),
        nonce: pointer::nonce()?,
        ..to.clone()
    };
    match chain.append(pointer, newest, key).await? {
        Appended::Won(pointer) => Ok(pointer),
        Appended::Lost(winner) => Err(lost_to(&winner, &to.edition)),
    }
}

/// Writes the manifest again, with what the newest edition leaves to the next one: its pages are in
/// caches, and need their style sheets. Returns the digest of the root.
async fn with_earlier_files(
    objects: &Objects,
    manifest: Manifest,
    newest: Option<Pointer>,
    lease: &mut Option<Lease<'_>>,
) -> Result<String> {
    let newest = match newest {
        Some(pointer) => read_manifest(objects, &pointer.manifest).await,
        None => Err(Error::Refused("there is none".to_owned())),
    };
    let manifest = match newest {
        Ok((_, newest)) if missing(objects, &newest).await?.is_none() => manifest.after(&newest),
        // One that is damaged is a good reason to go back.
        Ok(_) | Err(Error::Refused(_)) => manifest,
        Err(error) => return Err(error),
    };
    let sending = Sending {
        objects,
        progress: &|_, _| {},
        dry_run: false,
        sends_all: false,
    };
    sending
        .manifest(&manifest, &mut Sent::default(), lease)
        .await
}
