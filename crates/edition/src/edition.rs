//! The edition: all resources, immutable, shared by `Arc`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::document::Parity;
use diglot_content::{OldAddress, Problem, Site, parallel};
use jiff::Timestamp;
use rustc_hash::FxHashMap;

use crate::byte_store;
use crate::card::CardCache;
use crate::changes::History;
use crate::coding::Coding;
use crate::earlier::Earlier;
use crate::errors::{ErrorBodies, SuggestedPage};
use crate::nearest::Suggested;
use crate::policy::{self, Scripts};
use crate::redirects::Moved;
use crate::resolve::{Directory, Found, Resolver};
use crate::resource::{Digest, Resource, ResourceId};
use crate::route::{Form, Route};
use crate::search::{Search, SearchPage};
use crate::segment::Segments;
use crate::site_fields::SiteFields;
use crate::theme::script_name;

/// The parts of an [`Edition`].
#[derive(Debug)]
pub struct Parts {
    /// The settings.
    pub site: Arc<Site>,
    /// All resources in any order. Of two at one path, the first is kept.
    pub resources: Vec<Arc<Resource>>,
    /// The pages that a 404 may suggest.
    pub listed: Arc<Suggested>,
    /// Old addresses and their targets.
    pub redirects: Arc<BTreeMap<OldAddress, Moved>>,
    /// Stems of expired articles.
    pub expired: BTreeSet<String>,
    /// Writes the bodies of error responses.
    pub errors: Arc<dyn ErrorBodies>,
    /// The number of published articles.
    pub articles: usize,
    /// The next time at which something appears or expires without an edit.
    pub next_change: Option<Timestamp>,
    /// Problems for the author to fix.
    pub problems: Vec<Problem>,
    /// The parity of all pages.
    pub parity: Parity,
    /// The drawn cards.
    pub card_cache: CardCache,
    /// The store of the bytes, also for future codings.
    pub store: byte_store::Shared,
    /// The segments of bodies not yet read.
    pub segments: Option<Arc<Segments>>,
    /// What answers to queries are written into, if there is a search.
    pub search: Option<SearchPage>,
    /// Files of earlier themes that are still answered.
    pub earlier: Earlier,
    /// What the next edition needs to know of this one and those before.
    pub history: Arc<History>,
    /// The id, if known.
    pub id: Option<Digest>,
    /// The directory of a previous edition, reused if the paths are equal. Resources already in its
    /// order are not sorted again.
    pub directory: Option<Arc<Directory>>,
}

impl Parts {
    /// Parts without any resource.
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
            card_cache: CardCache::default(),
            store: byte_store::heap(),
            segments: None,
            search: None,
            earlier: Earlier::default(),
            history: Arc::default(),
            id: None,
            directory: None,
        }
    }
}

/// Every public byte of a site. The same sources, dates, settings and visible set give the same
/// bytes and the same id on any machine.
#[derive(Debug)]
pub struct Edition {
    /// The settings.
    pub site: Arc<Site>,
    /// All resources, ordered by path.
    pub resources: Vec<Arc<Resource>>,
    /// A hash over the paths and identity digests of every resource but `/status.json` and the
    /// documents on changes.
    pub id: Digest,
    /// The number of published articles.
    pub articles: usize,
    /// The next time at which something appears or expires without an edit.
    pub next_change: Option<Timestamp>,
    /// Problems for the author to fix, from reading to rendering.
    pub problems: Vec<Problem>,
    /// The parity of all pages: headings, links, images and code blocks.
    pub parity: Parity,
    /// The drawn cards, for the next edition and the cache.
    pub card_cache: CardCache,
    /// The store of the bytes and codings.
    pub store: byte_store::Shared,
    /// Writes the bodies of error responses.
    pub errors: Arc<dyn ErrorBodies>,
    /// `Content-Security-Policy` of everything except authors' files.
    pub page_policy: String,
    /// `Content-Security-Policy` of the search page, if it differs.
    search_policy: Option<String>,
    /// The header fields of all responses.
    pub site_fields: SiteFields,
    /// What the next edition needs to know of this one and those before; empty in a stored edition.
    pub history: Arc<History>,
    segments: Option<Arc<Segments>>,
    search: Option<Search>,
    earlier: Earlier,
    listed: Arc<Suggested>,
    redirects: Arc<BTreeMap<OldAddress, Moved>>,
    expired: BTreeSet<String>,
    directory: Arc<Directory>,
}

impl Edition {
    /// Assembles an edition: sorts the resources by path, finds twins, and computes the index of
    /// paths and the id.
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
            card_cache,
            store,
            segments,
            search,
            earlier,
            history,
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
        let routes = resources.iter().map(|resource| &resource.route);
        let others = routes.filter(|route| !is_search_script(route));
        let page_policy = Scripts::new(&site, others).policy(&site);
        let search_policy = search
            .as_ref()
            .filter(|_| page_policy == Scripts::None.policy(&site))
            .map(|_| policy::search_policy(&site, script_name()));
        Self {
            site_fields: SiteFields::new(&site, &page_policy, search_policy.as_deref()),
            page_policy,
            search_policy,
            search: search.map(Search::new),
            earlier,
            history,
            site,
            resources,
            id,
            articles,
            next_change,
            problems,
            parity,
            card_cache,
            store,
            errors,
            segments,
            listed,
            redirects,
            expired,
            directory,
        }
    }

    /// Whether all bodies read so far were intact. Otherwise stored data was damaged: a body may be
    /// empty, and a new edition is needed.
    pub fn is_sound(&self) -> bool {
        self.segments
            .as_ref()
            .is_none_or(|segments| segments.is_sound())
    }

    /// The index of paths, for the next edition of the same site.
    pub(crate) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// The same edition as the one that replaces another: it also answers for the files of earlier
    /// themes. A build with the same result replaces nothing.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        self.earlier = before.leaves(&self);
        self
    }

    /// The same edition with these files of earlier themes.
    #[must_use]
    pub fn with_earlier(self, earlier: Earlier) -> Self {
        Self { earlier, ..self }
    }

    /// The files of earlier themes that the edition after this one answers for.
    pub(crate) fn leaves(&self, next: &Self) -> Earlier {
        match self.id == next.id {
            true => self.earlier.clone(),
            false => self.earlier.left_by(&self.resources, &next.resources),
        }
    }

    /// Files of earlier themes that are still answered; no list, count or export has them.
    pub fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// The resource with this number. Those of earlier themes are numbered behind its own.
    ///
    /// # Panics
    /// If the number is not from this edition.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        let (id, own) = (id as usize, self.resources.len());
        match self.resources.get(id) {
            Some(resource) => resource,
            None => &self.earlier.files()[id - own].1,
        }
    }

    /// The other form of the page with this number.
    pub fn twin(&self, id: ResourceId) -> Option<ResourceId> {
        self.directory.twin(id)
    }

    /// The resource at exactly this decoded path relative to the base URL; `/` is the home page.
    pub fn get(&self, path: &str) -> Option<&Resource> {
        self.directory.exact(path).map(|id| self.resource(id))
    }

    /// Resolves a decoded path relative to the base URL. The caller removes the base URL's path;
    /// the bare base (`/blog`) is `""`, a near miss of the home page.
    pub fn resolve(&self, path: &str) -> Found {
        match self.earlier.position(path) {
            Some(at) => Found::Resource((self.resources.len() + at) as ResourceId),
            None => self.resolver().resolve(path),
        }
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

    /// Redirects that resolve: the decoded path and its target, a root-relative encoded URL or an
    /// absolute one. Ordered by path.
    pub fn redirects(&self) -> impl Iterator<Item = (&str, String)> {
        self.moved().map(|(old, _, url)| (old, url))
    }

    /// The same, with what is known of each.
    pub fn moved(&self) -> impl Iterator<Item = (&str, &Moved, String)> {
        let resolver = self.resolver();
        self.redirects.iter().filter_map(move |(old, moved)| {
            Some((old.as_str(), moved, resolver.moved_to(&moved.to)?))
        })
    }

    /// Stems of expired articles, in order.
    pub fn expired(&self) -> impl Iterator<Item = &str> {
        self.expired.iter().map(String::as_str)
    }

    /// The existing pages nearest to a missing path: at most four, best first. The work is bounded
    /// for any path.
    pub fn nearest(&self, path: &str) -> Vec<SuggestedPage> {
        self.listed.like(path)
    }

    /// Builds what the first 404 and the first query need ahead of them, in the background like
    /// codings.
    pub fn prepare(&self) {
        self.listed.index();
        if let Some(search) = &self.search {
            search.index(&|path| self.bytes(path));
        }
    }

    /// The answer to a query, as the search page in this form; `None` without a search.
    pub fn answer(&self, form: Form, query: &str) -> Option<Bytes> {
        let load = |path: &str| self.bytes(path);
        Some(self.search.as_ref()?.answer(form, query, &load))
    }

    /// The bytes of a resource; of a page in several pieces the last, which has its text.
    fn bytes(&self, path: &str) -> Option<Bytes> {
        let resource = self.get(path)?;
        match resource.body.slices().last() {
            Some(last) if resource.route.form().is_some() => Some(last.clone()),
            _ => Some(resource.body.to_bytes()),
        }
    }

    /// What answers to queries are written into.
    pub(crate) fn search_page(&self) -> Option<&SearchPage> {
        self.search.as_ref().map(|search| &search.page)
    }

    /// `Content-Security-Policy` of a resource, if it differs from that of pages.
    pub fn security_policy(&self, route: &Route) -> Option<Cow<'static, str>> {
        match route {
            Route::Search(Form::Html) => self.search_policy.clone().map(Cow::Owned),
            _ => policy::content_security_policy(route, &self.site).map(Cow::Borrowed),
        }
    }

    /// A resource's values of [`policy::KIND_FIELDS`], in its order.
    pub fn kind_fields(&self, route: &Route) -> policy::KindFields {
        [
            policy::content_disposition(route).map(Cow::Borrowed),
            self.security_policy(route),
        ]
    }

    /// Copies the codings of a previous edition: equal digests mean equal bytes, so only changed
    /// resources are coded again.
    pub fn adopt(&self, previous: &Self) {
        let known: FxHashMap<Digest, &Arc<Resource>> = previous
            .resources_not_in(self)
            .map(|resource| (resource.digest, resource))
            .collect();
        for resource in self.resources_not_in(previous) {
            if let Some(same) = known
                .get(&resource.digest)
                .filter(|same| same.body.len() == resource.body.len())
            {
                resource.codings.adopt(&same.codings);
            }
        }
    }

    /// Reads the codings that are still in segments, so that another edition can
    /// [`adopt`](Self::adopt) them.
    pub fn read_codings(&self) {
        let resources = self.resources.iter();
        let all = resources.flat_map(|it| Coding::ALL.map(|coding| it.codings.decided(coding)));
        all.flatten().flatten().for_each(|coded| {
            coded.slices();
        });
    }

    /// The resources that another edition does not share. Most are shared, at the same index.
    fn resources_not_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Arc<Resource>> {
        let numbered = self.resources.iter().enumerate();
        numbered.filter_map(|(at, own)| {
            let theirs = other.resources.get(at);
            let is_shared = theirs.is_some_and(|theirs| Arc::ptr_eq(own, theirs));
            (!is_shared).then_some(own)
        })
    }

    /// The pages that a 404 may suggest.
    pub(crate) fn listed(&self) -> &[SuggestedPage] {
        self.listed.pages()
    }

    /// Old addresses with their targets as written.
    pub(crate) fn old_addresses(&self) -> &BTreeMap<OldAddress, Moved> {
        &self.redirects
    }
}

/// Whether an edition built for the time `made` is also valid at `now`: nothing appears or expires
/// in between, and the clock was not set back. With an earlier `now` a text may be public too
/// early, or a date in the future.
pub fn holds(made: Timestamp, next_change: Option<Timestamp>, now: Timestamp) -> bool {
    made <= now && next_change.is_none_or(|change| now < change)
}

/// Whether this is Diglot's own script, which the search page alone may run.
fn is_search_script(route: &Route) -> bool {
    matches!(route, Route::Asset(name) if **name == *script_name())
}

/// Whether resources are sorted by path, without duplicates.
pub(crate) fn are_apart(resources: &[Arc<Resource>]) -> bool {
    let is_out_of_order = |at: usize| resources[at].path >= resources[at + 1].path;
    !parallel::any_number(resources.len().saturating_sub(1), is_out_of_order)
}

/// The edition's id, over everything except the status, which contains it, and the documents on
/// changes, which also depend on the editions before.
pub(crate) fn id_of(resources: &[Arc<Resource>]) -> Digest {
    let is_counted = |route: &Route| *route != Route::Status && !route.is_of_changes();
    let parts = parallel::flat_map(resources, |resource| {
        let parts = [resource.path_digest, resource.digest];
        is_counted(&resource.route).then_some(parts)
    });
    Digest::hash_parts(parts.into_iter().flatten())
}

#[cfg(test)]
mod tests;
