//! The edition: all resources, immutable, shared by `Arc`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diglot_content::document::Parity;
use diglot_content::{Destination, OldAddress, Problem, Site};
use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::card::CardCache;
use crate::errors::{ErrorBodies, Nearest};
use crate::nearest::Suggested;
use crate::policy::{Scripts, SiteValues};
use crate::resolve::{Directory, Found, Resolver};
use crate::resource::{Digest, Resource, ResourceId};
use crate::route::Route;
use crate::segment::Segments;
use crate::store;

/// What an [`Edition`] is assembled from.
#[derive(Debug)]
pub struct Parts {
    /// The settings.
    pub site: Arc<Site>,
    /// All resources, in any order; of two at one path the first stays.
    pub resources: Vec<Arc<Resource>>,
    /// The pages that a 404 may suggest.
    pub listed: Arc<Suggested>,
    /// Old addresses and where they lead now.
    pub redirects: Arc<BTreeMap<OldAddress, Destination>>,
    /// Stems of expired articles.
    pub expired: BTreeSet<String>,
    /// Writes the bodies of error answers.
    pub errors: Arc<dyn ErrorBodies>,
    /// How many articles are published.
    pub articles: usize,
    /// The instant at which something appears or expires by itself.
    pub next_change: Option<Timestamp>,
    /// What the author should fix.
    pub problems: Vec<Problem>,
    /// How far the two forms of all pages agree.
    pub parity: Parity,
    /// The pictures that were drawn for it.
    pub gallery: CardCache,
    /// Where the bytes lie; codings will, too.
    pub store: store::Shared,
    /// Where bodies are that are still to be read.
    pub segments: Option<Arc<Segments>>,
    /// The id, where it is known already.
    pub id: Option<Digest>,
    /// The directory of an edition before: it is this one's as well, where the paths are the same.
    /// Resources that are in its order already are not put in order.
    pub directory: Option<Arc<Directory>>,
}

impl Parts {
    /// The parts of an edition without any resource.
    pub fn new(site: Arc<Site>, errors: Arc<dyn ErrorBodies>) -> Self {
        Self {
            site,
            resources: Vec::new(),
            listed: Arc::default(),
            redirects: Arc::default(),
            expired: BTreeSet::new(),
            errors,
            articles: 0,
            next_change: None,
            problems: Vec::new(),
            parity: Parity::default(),
            gallery: CardCache::default(),
            store: store::heap(),
            segments: None,
            id: None,
            directory: None,
        }
    }
}

/// Every public byte of a site. Same sources, dates, settings and visible set: same bytes, same id,
/// on any machine.
#[derive(Debug)]
pub struct Edition {
    /// The settings it was made from.
    pub site: Arc<Site>,
    /// All resources, ordered by path.
    pub resources: Vec<Arc<Resource>>,
    /// A hash over the paths and identity digests of every resource but `/status.json`.
    pub id: Digest,
    /// How many articles are published.
    pub articles: usize,
    /// The instant at which something appears or expires by itself.
    pub next_change: Option<Timestamp>,
    /// What the author should fix, from reading to rendering.
    pub problems: Vec<Problem>,
    /// How far the two forms of all pages agree: headings, links, images and code blocks.
    pub parity: Parity,
    /// The pictures that were drawn for it: for the next edition, and for keeping.
    pub gallery: CardCache,
    /// Where the bytes lie, and codings are put.
    pub store: store::Shared,
    /// Writes the bodies of error answers.
    pub errors: Arc<dyn ErrorBodies>,
    /// `Content-Security-Policy` of everything but authors' files.
    pub page_policy: String,
    /// What every answer says of the site.
    pub site_values: SiteValues,
    segments: Option<Arc<Segments>>,
    listed: Arc<Suggested>,
    redirects: Arc<BTreeMap<OldAddress, Destination>>,
    expired: BTreeSet<String>,
    directory: Arc<Directory>,
}

impl Edition {
    /// Puts the parts together: orders the resources by path, finds twins, makes the index of paths
    /// and the id.
    pub fn assemble(parts: Parts) -> Self {
        let Parts {
            site,
            mut resources,
            listed,
            redirects,
            expired,
            errors,
            articles,
            next_change,
            problems,
            parity,
            gallery,
            store,
            segments,
            ..
        } = parts;
        let (id, directory) = (parts.id, parts.directory);
        let directory = directory
            .filter(|known| known.is_of(&resources))
            .unwrap_or_else(|| {
                if !are_apart(&resources) {
                    resources.sort_by(|one, other| one.path.cmp(&other.path));
                    resources.dedup_by(|later, first| later.path == first.path);
                }
                Arc::new(Directory::new(&resources))
            });
        let id = id.unwrap_or_else(|| id_of(&resources));
        let page_policy =
            Scripts::of(&site, resources.iter().map(|resource| &resource.route)).policy(&site);
        Self {
            site_values: SiteValues::new(&site, &page_policy),
            page_policy,
            site,
            resources,
            id,
            articles,
            next_change,
            problems,
            parity,
            gallery,
            store,
            errors,
            segments,
            listed,
            redirects,
            expired,
            directory,
        }
    }

    /// Whether every body that was asked for is there. Else some of it was damaged where it was
    /// kept: a body may be empty, and another edition has to be made.
    pub fn is_sound(&self) -> bool {
        self.segments
            .as_ref()
            .is_none_or(|segments| segments.is_sound())
    }

    /// Which path leads to what: for the next edition of the same site.
    pub(crate) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// The resource with this number.
    ///
    /// # Panics
    /// When the number is not one of this edition's.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id as usize]
    }

    /// The other form of the page with this number.
    pub fn twin(&self, id: ResourceId) -> Option<ResourceId> {
        self.directory.twin(id)
    }

    /// The resource at exactly this decoded path below the base URL's path, `/` included.
    pub fn get(&self, path: &str) -> Option<&Resource> {
        self.directory.exact(path).map(|id| self.resource(id))
    }

    /// What a decoded path below the base URL's path leads to. The caller has taken off the base
    /// URL's path; what is left of the bare base (`/blog`) is `""`, a near miss of the home page.
    pub fn resolve(&self, path: &str) -> Found {
        self.resolver().resolve(path)
    }

    fn resolver(&self) -> Resolver<'_> {
        Resolver {
            base: &self.site.base,
            resources: &self.resources,
            directory: &self.directory,
            redirects: &self.redirects,
            expired: &self.expired,
        }
    }

    /// Old addresses that resolve: the decoded path and where it leads, a root-relative encoded URL
    /// or an absolute one. In path order.
    pub fn redirects(&self) -> impl Iterator<Item = (&str, String)> {
        let resolver = self.resolver();
        self.redirects
            .iter()
            .filter_map(move |(old, target)| Some((old.as_str(), resolver.moved_to(target)?)))
    }

    /// Stems of expired articles, in order.
    pub fn expired(&self) -> impl Iterator<Item = &str> {
        self.expired.iter().map(String::as_str)
    }

    /// The existing pages nearest to a path that does not exist: at most five, best first. The work
    /// is bounded whatever is asked for.
    pub fn nearest(&self, path: &str) -> Vec<Nearest> {
        self.listed.like(path)
    }

    /// Makes now what the first 404 would wait for. For the background, like codings.
    pub fn prepare(&self) {
        self.listed.index();
    }

    /// Takes over the codings that a previous edition has made: equal digests mean equal bytes, so
    /// only what changed is coded again.
    pub fn adopt(&self, previous: &Self) {
        // Most are one and the same resource in both, and at the same place.
        let shared = |at: usize| matches!((self.resources.get(at), previous.resources.get(at)), (Some(own), Some(theirs)) if Arc::ptr_eq(own, theirs));
        let others = |resources: &[Arc<Resource>]| {
            (0..resources.len())
                .filter(|at| !shared(*at))
                .collect::<Vec<_>>()
        };
        let known: FxHashMap<Digest, &Arc<Resource>> = others(&previous.resources)
            .into_iter()
            .map(|at| &previous.resources[at])
            .map(|resource| (resource.digest, resource))
            .collect();
        for resource in others(&self.resources)
            .into_iter()
            .map(|at| &self.resources[at])
        {
            if let Some(same) = known
                .get(&resource.digest)
                .filter(|same| same.body.len() == resource.body.len())
            {
                resource.codings.adopt(&same.codings);
            }
        }
    }

    /// The pages that a 404 may suggest.
    pub(crate) fn listed(&self) -> &[Nearest] {
        self.listed.pages()
    }

    /// Old addresses with what they lead to, as they are written.
    pub(crate) fn old_addresses(&self) -> &BTreeMap<OldAddress, Destination> {
        &self.redirects
    }
}

/// Whether an edition that was made for the time `made` is also that of `now`: nothing appears or
/// expires between, and the clock was not set back. Of a time before it nothing is known: a text
/// may be public too early, and a date lie in the future.
pub fn holds(made: Timestamp, next_change: Option<Timestamp>, now: Timestamp) -> bool {
    made <= now && next_change.is_none_or(|change| now < change)
}

/// Whether resources are in the order of their paths, no two at one.
pub(crate) fn are_apart(resources: &[Arc<Resource>]) -> bool {
    resources
        .par_windows(2)
        .all(|pair| pair[0].path < pair[1].path)
}

/// The edition's id, over everything but the document that names it.
pub(crate) fn id_of(resources: &[Arc<Resource>]) -> Digest {
    let counted = resources
        .par_iter()
        .filter(|resource| resource.route != Route::Status);
    let parts: Vec<[Digest; 2]> = counted
        .map(|resource| [resource.path_digest, resource.digest])
        .collect();
    Digest::of_parts(parts.into_iter().flatten())
}

#[cfg(test)]
mod tests;
