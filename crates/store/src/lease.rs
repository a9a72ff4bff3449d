//! Leases: a process that writes says so, so that publishing and pruning take turns.
//!
//! A publisher writes its lease, then looks for pruners; a pruner writes its lease, then looks for
//! publishers. Each writes before it looks, so of two at least one sees the other. A publisher that
//! sees a pruner gives up its lease and waits; a pruner that sees a publisher waits for it to end.
//! A process that was killed leaves its lease; it counts for [`LIFETIME`]. A process that was
//! stopped for long notices by its own clock ([`Lease::is_fresh`]).

use std::time::Duration;

use bytes::Bytes;
use jiff::SignedDuration;
use tokio::time::Instant;

use crate::error::{Error, Result};
use crate::objects::{Listed, Objects};
use crate::pointer::nonce;

/// How long a lease counts that is not renewed.
pub const LIFETIME: Duration = Duration::from_secs(3600);
/// How long until a lease is renewed.
const RENEWAL: Duration = Duration::from_secs(60);
/// How long a publisher waits for a pruner to end.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a process that waits looks whether the others have ended.
pub(crate) const POLL: Duration = Duration::from_secs(2);

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It writes an edition.
    Publishing,
    /// It deletes what no edition needs.
    Pruning,
}

impl Work {
    fn folder(self) -> &'static str {
        match self {
            Self::Publishing => "publishing",
            Self::Pruning => "pruning",
        }
    }
}

/// The lease of this process.
#[derive(Debug)]
pub struct Lease<'a> {
    objects: &'a Objects,
    work: Work,
    id: String,
    renewed: Instant,
}

impl<'a> Lease<'a> {
    /// Writes a lease.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn take(objects: &'a Objects, work: Work) -> Result<Self> {
        let mut lease = Self {
            objects,
            work,
            id: nonce()?,
            renewed: Instant::now(),
        };
        lease.write().await?;
        Ok(lease)
    }

    /// Takes a lease to publish, once no pruner is at work.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Conflict`]: a pruner does not end.
    pub async fn for_publishing(objects: &'a Objects) -> Result<Self> {
        let begun = Instant::now();
        loop {
            let lease = Self::take(objects, Work::Publishing).await?;
            if !lease.others(Work::Pruning).await? {
                return Ok(lease);
            }
            lease.end().await?;
            if begun.elapsed() > PATIENCE {
                return Err(Error::Conflict(
                    "`diglot prune` is running: try again later".to_owned(),
                ));
            }
            tokio::time::sleep(POLL).await;
        }
    }

    fn key(&self) -> String {
        format!("{}/{}", self.work.folder(), self.id)
    }

    async fn write(&mut self) -> Result<()> {
        // The time before the request: the store's time of writing is not earlier.
        let now = Instant::now();
        let text = Bytes::from_static(b"{}\n");
        self.objects.write(&self.key(), text).await?;
        self.renewed = now;
        Ok(())
    }

    /// Writes the lease again if it is older than a minute.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn renew(&mut self) -> Result<()> {
        if self.renewed.elapsed() < RENEWAL {
            return Ok(());
        }
        self.write().await
    }

    /// Whether other processes still respect it, with a margin for what is under way.
    pub fn is_fresh(&self) -> bool {
        self.renewed.elapsed() < LIFETIME / 2
    }

    /// Whether another process does this work.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn others(&self, work: Work) -> Result<bool> {
        let now = self.now().await?;
        let leases = self.objects.list(work.folder()).await?;
        let is_alive = |lease: &Listed| {
            let age = now.duration_since(lease.written);
            lease.name != self.id && age < SignedDuration::from_secs(LIFETIME.as_secs() as i64)
        };
        Ok(leases.iter().any(is_alive))
    }

    /// The store's time at the last renewal, and the time since by our own clock: the clocks of
    /// store and machine may differ.
    pub async fn now(&self) -> Result<jiff::Timestamp> {
        let leases = self.objects.list(self.work.folder()).await?;
        let own = leases.into_iter().find(|lease| lease.name == self.id);
        let own = own.ok_or_else(|| {
            Error::Conflict("another process has deleted the lease of this one".to_owned())
        })?;
        let since = SignedDuration::try_from(self.renewed.elapsed()).unwrap_or_default();
        Ok(own.written.saturating_add(since).unwrap_or(own.written))
    }

    /// Deletes the lease.
    ///
    /// # Errors
    /// [`Error::Store`]: it counts until it expires.
    pub async fn end(self) -> Result<()> {
        self.objects.delete(vec![self.key()]).await
    }
}
