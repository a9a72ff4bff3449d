//! A stored edition: a manifest and its [segments](crate::segment).
//!
//! - The manifest holds everything of an edition except its bodies: paths, digests, header values,
//!   and the places of bodies and codings, so that a reader never encodes again.
//! - It is text: one line with the format version and the digest of the rest, one line ([`Head`])
//!   by which a reader decides whether the manifest is usable, one line with the rest.
//! - Segments are written before the manifest, so that a manifest names only existing ones.
//! - Bodies are found by their digests. A segment of the previous edition is reused while at least
//!   half of it is in use; from other segments, the bytes in use are written again. A segment that
//!   no manifest names may be deleted.
//! - A damaged manifest is not used at all. [`Segments`] verifies the bodies.
//!
//! This module is pure: the caller writes and reads files.

mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diglot_content::document::Parity;
use diglot_content::library::Report;
use diglot_content::{OldAddress, Problem, Site};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::coding::Coding;
use crate::edition::{Edition, Parts};
use crate::errors::{Errors, Nearest};
use crate::redirects::Moved;
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::search::SearchPage;
use crate::segment::{Place, Segment, Segments};
use crate::store;

/// The start of a manifest, with the format version. The digits of the digest follow.
const VERSION: &str = "diglot edition 5 ";

/// The part by which a reader decides whether a manifest is usable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The fingerprint of the edition's inputs.
    pub key: String,
    /// The instant of the edition.
    pub made: Timestamp,
    /// The next time at which something appears or expires without an edit.
    pub next_change: Option<Timestamp>,
    /// The segments that hold its bodies.
    pub segments: Vec<Segment>,
}

/// An edition without its bodies.
#[derive(Debug)]
pub struct Manifest {
    /// The head.
    pub head: Head,
    /// The outcome for every source file.
    pub report: Report,
    edition: StoredEdition,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredEdition {
    site: Site,
    resources: Vec<StoredResource>,
    listed: Vec<Nearest>,
    redirects: BTreeMap<OldAddress, Moved>,
    expired: BTreeSet<String>,
    errors: Errors,
    search: Option<SearchPage>,
    articles: usize,
    problems: Vec<Problem>,
    parity: Parity,
    /// The edition's id, as a check.
    id: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredResource {
    route: Route,
    digest: String,
    /// In seconds.
    modified: i64,
    link: Option<String>,
    body: Vec<Place>,
    /// In the order of [`Coding::ALL`].
    codings: [StoredCoding; Coding::ALL.len()],
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum StoredCoding {
    /// Not built yet.
    Open,
    /// Not smaller than the identity.
    Never,
    At(Place),
}

/// A verified manifest of which only the head is parsed.
#[derive(Debug)]
pub struct Opened<'a> {
    /// The head.
    pub head: Head,
    rest: &'a [u8],
}

impl<'a> Opened<'a> {
    /// Verifies the bytes of a manifest and parses its head.
    ///
    /// # Errors
    /// Why they are not a manifest of this version, in a few words.
    pub fn new(bytes: &'a [u8]) -> Result<Self, String> {
        let begin = bytes
            .strip_prefix(VERSION.as_bytes())
            .ok_or("its beginning is not that of a kept edition")?;
        let (digits, rest) = split_line(begin).ok_or("it is cut off")?;
        if blake3::hash(rest).to_hex().as_bytes() != digits {
            return Err("its index is damaged".to_owned());
        }
        let (head, rest) = split_line(rest).ok_or("it is cut off")?;
        let head: Head = serde_json::from_slice(head).map_err(unreadable)?;
        if !head.segments.iter().all(Segment::is_named) {
            return Err("its index names no segments".to_owned());
        }
        Ok(Self { head, rest })
    }

    /// Parses the rest.
    ///
    /// # Errors
    /// Why parsing failed, in a few words.
    pub fn read(self) -> Result<Manifest, String> {
        let (report, edition) = serde_json::from_slice(self.rest).map_err(unreadable)?;
        Ok(Manifest {
            head: self.head,
            report,
            edition,
        })
    }
}

fn unreadable(error: serde_json::Error) -> String {
    format!("its index cannot be read: {error}")
}

/// The first line without its line break, and the rest.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

impl Manifest {
    /// The manifest as bytes, for [`Opened::new`].
    ///
    /// # Errors
    /// Those of the JSON writer.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut rest = serde_json::to_vec(&self.head)?;
        rest.push(b'\n');
        serde_json::to_writer(&mut rest, &(&self.report, &self.edition))?;
        let first = format!("{VERSION}{}\n", blake3::hash(&rest).to_hex());
        Ok([first.as_bytes(), &rest].concat())
    }

    /// The edition with its bodies in these segments, and the report on its source files. Later
    /// codings are put in `store`. `None`: the manifest is inconsistent.
    pub fn restore(
        self,
        segments: &Arc<Segments>,
        store: store::Shared,
    ) -> Option<(Edition, Report)> {
        let Self {
            head,
            report,
            edition: stored,
        } = self;
        let resources = stored
            .resources
            .into_par_iter()
            .map(|resource| resource.restore(segments).map(Arc::new));
        let edition = Edition::assemble(Parts {
            resources: resources.collect::<Option<_>>()?,
            listed: Arc::new(stored.listed.into()),
            redirects: Arc::new(stored.redirects),
            expired: stored.expired,
            search: stored.search,
            articles: stored.articles,
            next_change: head.next_change,
            problems: stored.problems,
            parity: stored.parity,
            store,
            segments: Some(Arc::clone(segments)),
            ..Parts::new(Arc::new(stored.site), Arc::new(stored.errors))
        });
        (edition.id.to_string() == stored.id).then_some((edition, report))
    }
}

impl StoredResource {
    fn restore(self, segments: &Arc<Segments>) -> Option<Resource> {
        let body = Body::stored(self.body, segments)?;
        let modified = Timestamp::from_second(self.modified).ok()?;
        let mut resource =
            Resource::with_digest(self.route, body, Digest::parse(&self.digest)?, modified);
        if let Some(link) = self.link {
            resource = resource.linked(link);
        }
        for (coding, stored) in Coding::ALL.into_iter().zip(self.codings) {
            match stored {
                StoredCoding::Open => {}
                StoredCoding::Never => resource.codings.restore(coding, None),
                StoredCoding::At(place) => resource
                    .codings
                    .restore(coding, Some(Body::stored(vec![place], segments)?)),
            }
        }
        Some(resource)
    }
}

#[cfg(test)]
mod tests;
