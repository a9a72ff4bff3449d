//! The edition: all resources, immutable, shared by `Arc`.

use std::sync::Arc;

use diglot_content::{Problem, Site};
use jiff::Timestamp;

use crate::resource::{Digest, Resource, ResourceId};

/// What a decoded path (below the base URL's path) leads to: the contract's resolution, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This resource.
    Resource(ResourceId),
    /// Another spelling of this resource (`/articles/x.html.md`): 200 with `Content-Location` of its own path.
    Alias(ResourceId),
    /// An old address: 301 to this URL (root-relative, encoded, with the base path; absolute for another site).
    Moved(String),
    /// An expired article: 410.
    Gone,
    /// A near miss: 308 to this root-relative, encoded URL, the query kept.
    Near(String),
    /// Nothing: 404.
    Missing,
}

/// Every public byte of a site. Same sources, dates, settings and visible set: same bytes, same id, on any machine.
#[derive(Debug)]
pub struct Edition {
    /// The settings it was made from.
    pub site: Arc<Site>,
    /// All resources, ordered by path.
    pub resources: Vec<Resource>,
    /// A hash over the identity digests of every resource but `/status.json`.
    pub id: Digest,
    /// How many articles are published.
    pub articles: usize,
    /// The instant at which something appears or expires by itself.
    pub next_change: Option<Timestamp>,
    /// What the author should fix, from reading to rendering.
    pub problems: Vec<Problem>,
}
