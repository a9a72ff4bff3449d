//! A stored edition: a manifest and its [segments](crate::segment).
//!
//! - The manifest holds everything of an edition except its bodies: paths, digests, header values,
//!   and the places of bodies and codings, so that a reader never encodes again.
//! - It is text. The first line has the format version and the digest of the rest. By the second
//!   ([`Head`]) a reader decides whether the manifest is usable. The third has what the edition has
//!   once. Then each resource, each page that a 404 may suggest and each redirect has a line. A
//!   change of an article changes few lines, so a store can share the others between editions.
//! - Files of [earlier themes](crate::earlier) are named like resources, in the line with what the
//!   edition has once.
//! - Segments are written before the manifest, so that a manifest names only existing ones.
//! - Bodies are found by their digests. A segment of the previous edition is reused while at least
//!   half of it is in use; from other segments, the bytes in use are written again. A reused segment
//!   keeps its number, so the lines that name it stay the same. A segment that no manifest names may
//!   be deleted.
//! - A damaged manifest is not used at all. [`Segments`] verifies the bodies.
//!
//! This module is pure: the caller writes and reads files.

mod difference;
mod earlier;
mod write;

use std::collections::BTreeSet;
use std::sync::Arc;

use diglot_content::document::Parity;
use diglot_content::library::Report;
use diglot_content::{OldAddress, Problem, Site, parallel};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::byte_store;
use crate::coding::Coding;
use crate::earlier::{Aged, Earlier};
use crate::edition::{Edition, Parts};
use crate::errors::{Errors, SuggestedPage};
use crate::redirects::Moved;
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::search::SearchPage;
use crate::segment::{Extent, Segment, Segments};

pub use difference::{ChangedPage, ChangedRedirect, Difference};

/// The start of a manifest, with the format version. The digits of the digest follow.
const VERSION: &str = "diglot edition 8 ";

/// The part by which a reader decides whether a manifest is usable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The fingerprint of the edition's inputs.
    pub key: String,
    /// The instant of the edition.
    pub made: Timestamp,
    /// The next time at which something appears or expires without an edit.
    pub next_change: Option<Timestamp>,
    /// The segments that hold its bodies, by number; `None`: no body is in a segment of this number.
    pub segments: Vec<Option<Segment>>,
}

impl Head {
    /// The segments, without the unused numbers.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().flatten()
    }
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

#[derive(Debug)]
struct StoredEdition {
    once: Once,
    resources: Vec<StoredResource>,
    listed: Vec<SuggestedPage>,
    redirects: Vec<(OldAddress, Moved)>,
}

/// What an edition has once.
#[derive(Debug, Serialize, Deserialize)]
struct Once {
    site: Site,
    /// The number of lines with resources, with suggested pages and with redirects.
    lines: [usize; 3],
    expired: BTreeSet<String>,
    errors: Errors,
    search: Option<SearchPage>,
    /// Files of earlier themes that are still answered.
    #[serde(default)]
    earlier: Vec<Aged<StoredResource>>,
    articles: usize,
    problems: Vec<Problem>,
    parity: Parity,
    /// The edition's id, as a check.
    id: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredResource {
    route: Route,
    digest: String,
    /// In seconds.
    modified: i64,
    link: Option<String>,
    body: Vec<Extent>,
    /// In the order of [`Coding::ALL`].
    codings: [StoredCoding; Coding::ALL.len()],
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum StoredCoding {
    /// Not built yet.
    Open,
    /// Not smaller than the identity.
    Never,
    At(Extent),
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
        if !head.segments().all(Segment::is_named) {
            return Err("its index names no segments".to_owned());
        }
        Ok(Self { head, rest })
    }

    /// Parses the rest.
    ///
    /// # Errors
    /// Why parsing failed, in a few words.
    pub fn read(self) -> Result<Manifest, String> {
        let (once, rest) = split_line(self.rest).ok_or("it is cut off")?;
        let (report, once): (Report, Once) = serde_json::from_slice(once).map_err(unreadable)?;
        let lines: Vec<&[u8]> = rest.split_inclusive(|byte| *byte == b'\n').collect();
        let [resources, listed, redirects] = once.lines;
        let (resources, lines) = lines.split_at_checked(resources).ok_or("it is cut off")?;
        let (listed, lines) = lines.split_at_checked(listed).ok_or("it is cut off")?;
        if lines.len() != redirects {
            return Err("its index has too few or too many lines".to_owned());
        }
        let edition = StoredEdition {
            resources: parsed(resources)?,
            listed: parsed(listed)?,
            redirects: parsed(lines)?,
            once,
        };
        Ok(Manifest {
            head: self.head,
            report,
            edition,
        })
    }
}

/// A value for each line.
fn parsed<T: DeserializeOwned + Send>(lines: &[&[u8]]) -> Result<Vec<T>, String> {
    let parse = |line: &&[u8]| serde_json::from_slice(line).map_err(unreadable);
    parallel::try_map(lines, parse)
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
        let stored = &self.edition;
        let mut rest = Vec::new();
        write_lines(&mut rest, [&self.head])?;
        write_lines(&mut rest, [(&self.report, &stored.once)])?;
        write_lines(&mut rest, &stored.resources)?;
        write_lines(&mut rest, &stored.listed)?;
        write_lines(&mut rest, &stored.redirects)?;
        let first = format!("{VERSION}{}\n", blake3::hash(&rest).to_hex());
        Ok([first.as_bytes(), &rest].concat())
    }

    /// The places of the body at a path, in order.
    pub fn places_of(&self, path: &str) -> Option<&[Extent]> {
        let resources = &self.edition.resources;
        let found = resources.iter().find(|it| it.route.path() == path)?;
        Some(&found.body)
    }

    /// The manifest without what only the author sees: source files and problems.
    #[must_use]
    pub fn public(self) -> Self {
        let Self {
            head, mut edition, ..
        } = self;
        edition.once.problems = Vec::new();
        Self {
            head,
            report: Report::default(),
            edition,
        }
    }

    /// The edition with everything but its bodies, which are empty when read: for its addresses and
    /// header values. `None`: the manifest is inconsistent.
    pub fn without_bodies(self) -> Option<Edition> {
        let segments = self.head.segments.clone();
        let segments = Segments::new(segments, Box::new(|_| None), byte_store::heap());
        let (edition, _) = self.restore(&Arc::new(segments), byte_store::heap())?;
        Some(edition)
    }

    /// The edition with its bodies in these segments, and the report on its source files. Later
    /// codings are put in `store`. `None`: the manifest is inconsistent.
    pub fn restore(
        self,
        segments: &Arc<Segments>,
        store: byte_store::Shared,
    ) -> Option<(Edition, Report)> {
        let Self {
            head,
            report,
            edition: stored,
        } = self;
        let once = stored.once;
        let restore = |resource: StoredResource| resource.restore(segments).map(Arc::new);
        let resources = parallel::map_owned(stored.resources, restore);
        let earlier = restored(once.earlier, segments)?;
        let edition = Edition::assemble(Parts {
            resources: resources.into_iter().collect::<Option<_>>()?,
            earlier,
            listed: Arc::new(stored.listed.into()),
            redirects: Arc::new(stored.redirects.into_iter().collect()),
            expired: once.expired,
            search: once.search,
            articles: once.articles,
            next_change: head.next_change,
            problems: once.problems,
            parity: once.parity,
            store,
            segments: Some(Arc::clone(segments)),
            ..Parts::new(Arc::new(once.site), Arc::new(once.errors))
        });
        (edition.id.to_string() == once.id).then_some((edition, report))
    }
}

/// Files of earlier themes.
fn restored(files: Vec<Aged<StoredResource>>, segments: &Arc<Segments>) -> Option<Earlier> {
    let files = files
        .into_iter()
        .map(|(age, file)| Some((age, Arc::new(file.restore(segments)?))));
    files.collect::<Option<_>>().map(Earlier::new)
}

/// Writes a line for each value.
fn write_lines<T: Serialize>(
    out: &mut Vec<u8>,
    values: impl IntoIterator<Item = T>,
) -> serde_json::Result<()> {
    for value in values {
        serde_json::to_writer(&mut *out, &value)?;
        out.push(b'\n');
    }
    Ok(())
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
