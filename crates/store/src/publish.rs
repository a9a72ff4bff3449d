//! Publishing an edition: segments, then chunks, then the root of the manifest, then the pointer.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::library::Report;
use diglot_edition::Edition;
use diglot_edition::segment::Segment;
use diglot_edition::stored::{Difference, Manifest};
use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::chain::{Appended, Chain, lost_to};
use crate::error::{Error, Result};
use crate::lease::Lease;
use crate::objects::{Listed, Objects, PARALLEL, holds};
use crate::pointer::{self, Pointer};
use crate::probe;
use crate::reading::{damaged, missing, read_manifest};
use crate::root::Root;
use crate::signature::SigningKey;

/// How an edition is published.
#[derive(Debug, Default)]
pub struct Options {
    /// Who publishes, for others to read.
    pub publisher: String,
    /// Refuse a store without conditional writes.
    pub lock: bool,
    /// Sign the pointer.
    pub key: Option<SigningKey>,
    /// Write nothing.
    pub dry_run: bool,
    /// Read every segment of the edition before, and send everything if one is damaged.
    pub repair: bool,
}

/// What was sent, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Objects.
    pub objects: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// The outcome of [`publish`].
#[derive(Debug)]
pub enum Outcome {
    /// The newest edition of the store is this one already.
    Unchanged(Pointer),
    /// The edition is published; in a dry run it would be, under this number.
    Published {
        /// Its pointer.
        pointer: Pointer,
        /// What was sent.
        sent: Sent,
        /// What changes for readers.
        difference: Difference,
        /// Why nothing of the edition before could be reused.
        warnings: Vec<String>,
    },
}

impl Outcome {
    /// The pointer of the edition.
    pub fn pointer(&self) -> &Pointer {
        match self {
            Self::Unchanged(pointer) | Self::Published { pointer, .. } => pointer,
        }
    }
}

/// Told of each object: its bytes, and whether it was sent.
pub type Progress<'a> = &'a (dyn Fn(u64, bool) + Sync);

/// Publishes an edition, made at `now`.
///
/// # Errors
/// Nothing is published; with [`Error::Store`] from the last step the outcome is not known, and a
/// second call finds out.
pub async fn publish(
    objects: &Objects,
    edition: Arc<Edition>,
    now: Timestamp,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let mut warnings = Vec::new();
    if !options.dry_run && !probe::abilities(objects).await?.conditional_writes {
        let what = "the store ignores `If-None-Match`, so two publishers at the same moment are \
                    not kept apart";
        if options.lock {
            return Err(Error::Usage(format!("{what}: `--lock` refuses it")));
        }
        warnings.push(what.to_owned());
    }
    let mut lease = match options.dry_run {
        true => None,
        false => Some(Lease::for_publishing(objects).await?),
    };
    let work = Publishing {
        objects,
        options,
        progress,
        edition,
        now,
        warnings,
        sends_all: false,
    };
    let outcome = work.run(&mut lease).await;
    if let Some(lease) = lease {
        // It expires by itself.
        let _ = lease.end().await;
    }
    outcome
}

struct Publishing<'a> {
    objects: &'a Objects,
    options: &'a Options,
    progress: Progress<'a>,
    edition: Arc<Edition>,
    now: Timestamp,
    warnings: Vec<String>,
    /// The edition before is damaged or foreign: an object of the right name and length may be, too.
    sends_all: bool,
}

impl Publishing<'_> {
    async fn run(mut self, lease: &mut Option<Lease<'_>>) -> Result<Outcome> {
        let public = self.options.key.as_ref().map(SigningKey::public);
        let chain = Chain {
            objects: self.objects,
            key: public.as_ref(),
        };
        let after = chain.last().await?;
        let newest = self.newest(&chain, after).await?;
        let id = self.edition.id.to_string();
        let before = self.before(newest.as_ref()).await?;
        if let Some(newest) = newest.as_ref().filter(|newest| newest.edition == id)
            && newest.number == after
            && before.is_some()
        {
            return Ok(Outcome::Unchanged(newest.clone()));
        }
        let (manifest, mut sent) = self.bodies(before, lease).await?;
        let difference = Difference::between(manifest.before.as_ref(), &manifest.manifest);
        let sending = self.sending();
        let root = sending
            .manifest(&manifest.manifest, &mut sent, lease)
            .await?;
        let pointer = self.pointer(id, root)?;
        let pointer = match lease {
            None => Pointer {
                number: after + 1,
                ..pointer
            },
            Some(lease) => self.commit(&chain, pointer, after, lease).await?,
        };
        Ok(Outcome::Published {
            pointer,
            sent,
            difference,
            warnings: self.warnings,
        })
    }

    /// The newest pointer that is good: one that is damaged, or not signed by who signs this edition,
    /// leaves nothing to it, and does not prevent publishing.
    async fn newest(&mut self, chain: &Chain<'_>, number: u64) -> Result<Option<Pointer>> {
        let (found, refused) = chain.newest_good(number).await?;
        self.sends_all = !refused.is_empty();
        let older = refused.len().saturating_sub(1);
        self.warnings
            .extend(refused.into_iter().next().map(|why| match older {
                0 => why,
                1 => format!("{why}; the edition before it is refused as well"),
                older => format!("{why}; {older} editions before it are refused as well"),
            }));
        Ok(found)
    }

    /// The manifest of the edition before, if all its segments exist.
    async fn before(&mut self, newest: Option<&Pointer>) -> Result<Option<Manifest>> {
        let Some(newest) = newest else {
            return Ok(None);
        };
        let found = match read_manifest(self.objects, &newest.manifest).await {
            Ok((_, manifest)) => self.fault(&manifest).await?.map_or(Ok(manifest), Err),
            Err(Error::Refused(why)) => Err(why),
            Err(error) => return Err(error),
        };
        self.sends_all |= found.is_err();
        Ok(found
            .map_err(|why| {
                let number = newest.number;
                self.warnings
                    .push(format!("nothing of edition {number} is reused: {why}"));
            })
            .ok())
    }

    /// What is wrong with the segments of a manifest.
    async fn fault(&self, manifest: &Manifest) -> Result<Option<String>> {
        if let Some(segment) = missing(self.objects, manifest).await? {
            return Ok(Some(format!("its segment `{segment}` is missing")));
        }
        let damaged = match self.options.repair {
            true => damaged(self.objects, manifest).await?,
            false => None,
        };
        Ok(damaged.map(|segment| format!("its segment `{segment}` is damaged")))
    }

    fn sending(&self) -> Sending<'_> {
        Sending {
            objects: self.objects,
            progress: self.progress,
            dry_run: self.options.dry_run,
            sends_all: self.sends_all,
        }
    }

    /// Writes the segments that the store lacks.
    async fn bodies(
        &self,
        before: Option<Manifest>,
        lease: &mut Option<Lease<'_>>,
    ) -> Result<(Written, Sent)> {
        // A few segments at a time are in memory.
        let (send, mut segments) = mpsc::channel::<(Segment, Bytes)>(2);
        let (edition, now) = (Arc::clone(&self.edition), self.now);
        let writer = tokio::task::spawn_blocking(move || {
            let mut put = |segment: &Segment, bytes: &[u8]| {
                let message = (segment.clone(), Bytes::copy_from_slice(bytes));
                let sent = send.blocking_send(message);
                sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
            };
            let made = (edition.id.to_string(), now, Report::default());
            let written = Manifest::write(&edition, made, before.as_ref(), &mut put)?;
            let manifest = match (written.map(Manifest::public), &before) {
                (Some(manifest), Some(before)) => Some(manifest.after(before)),
                (manifest, _) => manifest,
            };
            Ok::<_, io::Error>(manifest.map(|manifest| (before, manifest)))
        });
        let mut uploads = self.sending().uploads("segments").await?;
        while let Some((segment, bytes)) = segments.recv().await {
            uploads.add(&segment.name, bytes, self.progress).await?;
            if let Some(lease) = lease {
                lease.renew().await?;
            }
        }
        let sent = uploads.finish(self.progress).await?;
        let written = writer
            .await
            .map_err(|error| Error::Refused(format!("the edition cannot be written: {error}")))?;
        match written {
            Ok(Some((before, manifest))) => Ok((Written { before, manifest }, sent)),
            Ok(None) => Err(Error::Refused(
                "the edition cannot be stored: a body is damaged".to_owned(),
            )),
            Err(error) => Err(Error::Refused(format!(
                "the edition cannot be written: {error}"
            ))),
        }
    }

    fn pointer(&self, id: String, root: String) -> Result<Pointer> {
        let edition = &self.edition;
        Ok(Pointer::new(
            (id, root),
            (edition.site.base.to_string(), edition.articles),
            (self.now, self.options.publisher.clone()),
            pointer::nonce()?,
        ))
    }

    async fn commit(
        &self,
        chain: &Chain<'_>,
        pointer: Pointer,
        after: u64,
        lease: &Lease<'_>,
    ) -> Result<Pointer> {
        if !lease.is_fresh() {
            return Err(Error::Conflict(
                "publishing took too long without an answer of the store: publish again".to_owned(),
            ));
        }
        let id = pointer.edition.clone();
        let key = self.options.key.as_ref();
        match chain.append(pointer, after, key).await? {
            Appended::Won(pointer) => Ok(pointer),
            Appended::Lost(winner) => Err(lost_to(&winner, &id)),
        }
    }
}

#[derive(Debug)]
struct Written {
    before: Option<Manifest>,
    manifest: Manifest,
}

/// How objects are sent.
#[derive(Clone, Copy)]
pub(crate) struct Sending<'a> {
    pub(crate) objects: &'a Objects,
    pub(crate) progress: Progress<'a>,
    pub(crate) dry_run: bool,
    /// Whether to send what seems to be there.
    pub(crate) sends_all: bool,
}

impl Sending<'_> {
    async fn uploads(self, folder: &'static str) -> Result<Uploads> {
        Ok(Uploads {
            known: match self.sends_all {
                true => Vec::new(),
                false => self.objects.list(folder).await?,
            },
            objects: self.objects.clone(),
            folder,
            dry_run: self.dry_run,
            tasks: JoinSet::new(),
            sent: Sent::default(),
        })
    }

    /// Writes the chunks that the store lacks and the root. Returns its digest.
    pub(crate) async fn manifest(
        self,
        manifest: &Manifest,
        sent: &mut Sent,
        lease: &mut Option<Lease<'_>>,
    ) -> Result<String> {
        let unwritable = |error| Error::Refused(format!("the manifest cannot be written: {error}"));
        let bytes = manifest.to_bytes().map_err(unwritable)?;
        let (root, chunks) = Root::divide(&bytes, manifest.head.segments().cloned().collect())?;
        let root = root.to_object()?;
        let digest = root.digest.clone();
        let mut uploads = self.uploads("chunks").await?;
        for chunk in chunks {
            let add = uploads.add(&chunk.digest, chunk.object, self.progress);
            add.await?;
            if let Some(lease) = lease {
                lease.renew().await?;
            }
        }
        *sent += uploads.finish(self.progress).await?;
        let mut uploads = self.uploads("manifests").await?;
        let add = uploads.add(&root.digest, root.object, self.progress);
        add.await?;
        *sent += uploads.finish(self.progress).await?;
        Ok(digest)
    }
}

/// Objects on their way to a folder of the store. Each is named by its digest.
struct Uploads {
    objects: Objects,
    folder: &'static str,
    /// What the store has: it is not sent again.
    known: Vec<Listed>,
    dry_run: bool,
    tasks: JoinSet<Result<u64>>,
    sent: Sent,
}

impl Uploads {
    /// Sends an object that the store lacks, once there is room for it.
    async fn add(&mut self, name: &str, bytes: Bytes, progress: Progress<'_>) -> Result<()> {
        let length = bytes.len() as u64;
        if holds(&self.known, name, length) {
            progress(length, false);
            return Ok(());
        }
        while self.tasks.len() >= PARALLEL {
            self.next(progress).await?;
        }
        let (objects, dry_run) = (self.objects.clone(), self.dry_run);
        let key = format!("{}/{name}", self.folder);
        self.tasks.spawn(async move {
            if !dry_run {
                objects.write(&key, bytes).await?;
            }
            Ok(length)
        });
        Ok(())
    }

    async fn next(&mut self, progress: Progress<'_>) -> Result<bool> {
        let Some(done) = self.tasks.join_next().await else {
            return Ok(false);
        };
        let done = done.map_err(|error| Error::Refused(format!("a request ended: {error}")))?;
        let bytes = done?;
        progress(bytes, true);
        self.sent += Sent { objects: 1, bytes };
        Ok(true)
    }

    async fn finish(mut self, progress: Progress<'_>) -> Result<Sent> {
        while self.next(progress).await? {}
        Ok(self.sent)
    }
}

impl std::ops::AddAssign for Sent {
    fn add_assign(&mut self, other: Self) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }
}
