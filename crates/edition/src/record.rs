//! An edition as it is written down, for a process that comes later: everything but its bytes, and where each of those lies.
//!
//! Pure, as all here: who writes says where bytes went, who reads brings them, at their first use.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::document::Parity;
use diglot_content::{Destination, OldAddress, Problem, Site};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::coding::Coding;
use crate::edition::{Edition, Parts};
use crate::errors::{Errors, Nearest};
use crate::piece::{Bring, Piece};
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::store;

/// The codings of an edition that was written down. They are many bytes, and an answer can do without.
#[derive(Debug)]
pub struct Coded(Vec<(Arc<Resource>, Coding, Piece)>);

impl Coded {
    /// Brings all of them, and fills their slots. Whether none was damaged: else none of them is used.
    pub fn restore(self, source: &dyn Bring) -> bool {
        let brought: Option<Vec<Bytes>> = self.0.iter().map(|(.., piece)| source.bring(*piece)).collect();
        let Some(brought) = brought else { return false };
        self.0.iter().zip(brought).for_each(|((resource, coding, _), bytes)| resource.codings.restore(*coding, Some(bytes)));
        true
    }
}

/// An edition without its bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    site: Site,
    resources: Vec<Written>,
    listed: Vec<Nearest>,
    redirects: BTreeMap<OldAddress, Destination>,
    expired: BTreeSet<String>,
    errors: Errors,
    articles: usize,
    next_change: Option<Timestamp>,
    problems: Vec<Problem>,
    parity: Parity,
    /// The edition's id, as a check.
    id: String,
}

/// A resource without its bytes.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    route: Route,
    body: Vec<Piece>,
    digest: String,
    /// Seconds.
    modified: i64,
    link: Option<String>,
    /// In the order of [`Coding::ALL`].
    codings: [Decided; Coding::ALL.len()],
}

/// What is known of a coding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Decided {
    /// Nobody has made it yet.
    Open,
    /// It does not pay.
    Never,
    /// It lies here.
    At(Piece),
}

impl Edition {
    /// The edition as it can be written down; `None` where its error pages are none of the theme's. `keep` is given every slice of it, bodies of one piece first, and
    /// says where it lies.
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn record(&self, mut keep: impl FnMut(&Bytes) -> io::Result<Piece>) -> io::Result<Option<Record>> {
        let Some(errors) = self.errors.drawn() else { return Ok(None) };
        let mut bodies: Vec<Vec<Piece>> = vec![Vec::new(); self.resources.len()];
        // A rope is mostly slices of other bodies, so those are to be known first.
        for ropes in [false, true] {
            for (resource, body) in self.resources.iter().zip(&mut bodies) {
                if (resource.body.slices().len() > 1) == ropes {
                    *body = resource.body.slices().iter().map(&mut keep).collect::<io::Result<_>>()?;
                }
            }
        }
        let mut resources = Vec::with_capacity(bodies.len());
        for (resource, body) in self.resources.iter().zip(bodies) {
            let mut codings = [Decided::Open; Coding::ALL.len()];
            for (place, coding) in codings.iter_mut().zip(Coding::ALL) {
                *place = match resource.codings.decided(coding) {
                    None => Decided::Open,
                    Some(None) => Decided::Never,
                    Some(Some(coded)) => Decided::At(keep(coded)?),
                };
            }
            resources.push(Written {
                route: resource.route.clone(),
                body,
                digest: resource.digest.to_string(),
                modified: resource.modified.as_second(),
                link: resource.link_text().map(str::to_owned),
                codings,
            });
        }
        Ok(Some(Record {
            site: (*self.site).clone(),
            resources,
            listed: self.listed().to_vec(),
            redirects: self.old_addresses().clone(),
            expired: self.expired().map(str::to_owned).collect(),
            errors: errors.clone(),
            articles: self.articles,
            next_change: self.next_change,
            problems: self.problems.clone(),
            parity: self.parity.clone(),
            id: self.id.to_string(),
        }))
    }

    /// The edition that was written down, and its codings. Bodies are brought at their first use. `None`: a piece is not there, or something is not as it should be.
    pub fn restored(record: Record, store: store::Shared, source: Arc<dyn Bring>) -> Option<(Self, Coded)> {
        let Record { site, resources, listed, redirects, expired, errors, articles, next_change, problems, parity, id } = record;
        let resource = |written: Written| {
            let body = Body::elsewhere(written.body, &source)?;
            let modified = Timestamp::from_second(written.modified).ok()?;
            let mut resource = Resource::with_digest(written.route, body, Digest::parse(&written.digest)?, modified);
            if let Some(link) = written.link {
                resource = resource.linked(link);
            }
            let resource = Arc::new(resource);
            let mut coded = Vec::new();
            for (coding, decided) in Coding::ALL.into_iter().zip(written.codings) {
                match decided {
                    Decided::Open => {}
                    Decided::Never => resource.codings.restore(coding, None),
                    Decided::At(piece) if source.has(piece) => coded.push((Arc::clone(&resource), coding, piece)),
                    Decided::At(_) => return None,
                }
            }
            Some((resource, coded))
        };
        let (resources, coded): (Vec<_>, Vec<_>) = resources.into_par_iter().map(resource).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let edition = Self::assemble(Parts {
            resources,
            listed: Arc::new(listed.into()),
            redirects: Arc::new(redirects),
            expired,
            articles,
            next_change,
            problems,
            parity,
            store,
            source: Some(source),
            ..Parts::new(Arc::new(site), Arc::new(errors))
        });
        (edition.id.to_string() == id).then(|| (edition, Coded(coded.into_iter().flatten().collect())))
    }
}
