//! Resolves a decoded path by one lookup in a directory that is built once per edition.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;
use std::sync::Arc;

use diglot_content::{BaseUrl, Destination, OldAddress};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::redirects::Moved;
use crate::resource::{Resource, ResourceId};
use crate::route::{Form, Route};

/// The result for a decoded path relative to the base URL, in the contract's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A resource.
    Resource(ResourceId),
    /// An alias of a resource (`/articles/x.html.md`): 200 with `Content-Location`.
    Alias(ResourceId),
    /// A redirect: 301 to this URL (root-relative, encoded, with the base path; absolute for
    /// another site).
    Moved(String),
    /// An expired article: 410.
    Gone,
    /// A near miss: 308 to this root-relative, encoded URL; the query is kept.
    Near(String),
    /// Nothing: 404.
    Missing,
}

/// Every path of an edition, exact and folded (without case and suffix).
#[derive(Debug, Default)]
pub struct Directory {
    /// The paths and forms of the resources, by number.
    paths: Vec<(Arc<str>, Option<Form>)>,
    /// The other form of each page.
    twins: Vec<Option<ResourceId>>,
    exact: FxHashMap<Arc<str>, ResourceId>,
    /// Pages by stem; the two forms count as one, the HTML.
    pages: Folded,
    /// Index pages by folder.
    folders: Folded,
    /// Everything else by path.
    others: Folded,
}

/// Resources by the hash of their case-folded key, if only one resource has it; `None` if several
/// do.
#[derive(Debug, Default)]
struct Folded(FxHashMap<u64, Option<ResourceId>>);

impl Folded {
    fn add(&mut self, key: &str, id: ResourceId) {
        self.0
            .entry(hash(key))
            .and_modify(|known| *known = None)
            .or_insert(Some(id));
    }

    /// The only resource whose key differs just by case. Keys are compared as well, because hashes
    /// may collide.
    fn find<'r>(
        &self,
        asked: &str,
        resources: &'r [Arc<Resource>],
        key: impl Fn(&'r Resource) -> Option<&'r str>,
    ) -> Option<ResourceId> {
        let id = (*self.0.get(&hash(asked))?)?;
        fold(key(&resources[id as usize])?)
            .eq(fold(asked))
            .then_some(id)
    }
}

impl Directory {
    /// The directory of these resources; their positions are their numbers.
    pub fn new(resources: &[Arc<Resource>]) -> Self {
        let paths = || {
            resources
                .par_iter()
                .map(|resource| (Arc::clone(&resource.path), resource.route.form()))
                .collect()
        };
        let exact = || {
            let mut exact = FxHashMap::with_capacity_and_hasher(resources.len() + 1, FxBuildHasher);
            for (id, resource) in (0..).zip(resources) {
                exact.insert(Arc::clone(&resource.path), id);
                if resource.route == Route::Home(Form::Html) {
                    exact.insert("/".into(), id);
                }
            }
            exact
        };
        let folded = || {
            let mut directory = Self::default();
            directory.pages.0.reserve(resources.len() / 2);
            for (id, resource) in (0..).zip(resources) {
                match resource.route.form() {
                    Some(Form::Html) => directory.add_page(resource, id),
                    Some(Form::Markdown) => {}
                    None => directory.others.add(&resource.path, id),
                }
            }
            directory
        };
        let (exact, (folded, paths)) = rayon::join(exact, || rayon::join(folded, paths));
        let directory = Self {
            paths,
            exact,
            ..folded
        };
        let twins = (0..resources.len() as ResourceId)
            .into_par_iter()
            .zip(resources);
        let twins = twins
            .map(|(id, resource)| directory.twin_of(id, resource, resources))
            .collect();
        Self { twins, ..directory }
    }

    /// The other form of a page, which is usually adjacent in path order.
    fn twin_of(
        &self,
        id: ResourceId,
        resource: &Resource,
        resources: &[Arc<Resource>],
    ) -> Option<ResourceId> {
        let form = resource.route.form()?;
        let beside = if form == Form::Html {
            id.checked_add(1)
        } else {
            id.checked_sub(1)
        };
        let stem = resource.path.strip_suffix(form.suffix());
        let is_twin = |other: &Arc<Resource>| {
            other
                .path
                .strip_suffix(form.other().suffix())
                .is_some_and(|path| Some(path) == stem)
        };
        let found = beside.filter(|beside| resources.get(*beside as usize).is_some_and(is_twin));
        found.or_else(|| self.exact(&resource.route.twin()?.path()))
    }

    /// The other form of the page with this number.
    pub fn twin(&self, id: ResourceId) -> Option<ResourceId> {
        self.twins.get(id as usize).copied().flatten()
    }

    /// Sorts resources by their numbers and returns the number left over, that of `last`. Returns
    /// `None`, without a change, if the directory is not theirs. It compares no paths with one
    /// another, and paths in the directory are known to be plain. `before`: the numbers of another
    /// edition's resources, as a hint; replaced by the numbers of these.
    /// place.
    pub fn in_order(
        &self,
        resources: &mut Vec<Arc<Resource>>,
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<usize> {
        let (numbers, own) = self.numbers(resources, last, before)?;
        let mut places: Vec<Option<Arc<Resource>>> = Vec::new();
        places.resize_with(self.paths.len(), || None);
        // Moved, not cloned: changing a reference count would load each resource.
        for (resource, &number) in resources.drain(..).zip(&numbers) {
            places[number as usize] = Some(resource);
        }
        resources.extend(places.into_iter().flatten());
        *before = numbers;
        Some(own)
    }

    /// The distinct numbers of these resources, and the one left over, that of `last`.
    fn numbers(
        &self,
        resources: &[Arc<Resource>],
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<(Vec<ResourceId>, usize)> {
        if resources.len() + 1 != self.paths.len() {
            return None;
        }
        let own = self.exact(&last.path())? as usize;
        before.resize(resources.len(), 0);
        let numbers: Option<Vec<ResourceId>> = resources
            .par_iter()
            .zip(&*before)
            .map(|(resource, before)| self.number(resource, *before))
            .collect();
        let numbers = numbers?;
        let mut taken = vec![false; self.paths.len()];
        *taken.get_mut(own)? = true;
        // Distinct numbers fill every place except that of `last`.
        let all_apart = numbers.iter().all(|number| {
            taken
                .get_mut(*number as usize)
                .is_some_and(|taken| !std::mem::replace(taken, true))
        });
        all_apart.then_some((numbers, own))
    }

    /// The number of a resource by path and form; `before` is a hint.
    fn number(&self, resource: &Resource, before: ResourceId) -> Option<ResourceId> {
        let is_at = |number: &ResourceId| {
            self.paths
                .get(*number as usize)
                .is_some_and(|place| is_at(place, resource))
        };
        Some(before)
            .filter(is_at)
            .or_else(|| self.exact(&resource.path).filter(is_at))
    }

    /// Whether this is the directory of these resources.
    pub fn is_of(&self, resources: &[Arc<Resource>]) -> bool {
        self.paths.len() == resources.len()
            && self
                .paths
                .par_iter()
                .zip(resources)
                .all(|(place, resource)| is_at(place, resource))
    }

    fn add_page(&mut self, resource: &Resource, id: ResourceId) {
        self.pages.add(key(resource), id);
        if let Some(folder) = folder(resource) {
            self.folders.add(folder, id);
        }
    }

    /// The resource at exactly this path.
    pub fn exact(&self, path: &str) -> Option<ResourceId> {
        self.exact.get(path).copied()
    }

    /// The page with exactly this stem, in HTML.
    pub fn page(&self, stem: &str) -> Option<ResourceId> {
        self.exact(&[stem, Form::Html.suffix()].concat())
    }

    /// The only resource that a path without trailing slash nearly matches, and the requested form.
    fn near(&self, path: &str, resources: &[Arc<Resource>]) -> Option<(ResourceId, Form)> {
        let (stem, form) = split_form(path);
        let page = self
            .pages
            .find(stem, resources, |resource| Some(key(resource)));
        let other = self
            .others
            .find(path, resources, |resource| Some(&*resource.path));
        let found = match (page, other) {
            (Some(page), None) => page,
            (None, Some(other)) => other,
            // `/docs/` means `/docs/index.html` if nothing else matches.
            (None, None) if form.is_none() => self.folders.find(path, resources, folder)?,
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some((found, form.unwrap_or(Form::Html)))
    }
}

/// Whether an entry of the directory is this resource.
fn is_at((path, form): &(Arc<str>, Option<Form>), resource: &Resource) -> bool {
    (Arc::ptr_eq(path, &resource.path) || *path == resource.path) && *form == resource.route.form()
}

/// A page's path without its suffix.
fn key(resource: &Resource) -> &str {
    let suffix = resource.route.form().map_or("", Form::suffix);
    resource.path.strip_suffix(suffix).unwrap_or(&resource.path)
}

/// The folder of an index page.
fn folder(resource: &Resource) -> Option<&str> {
    key(resource)
        .strip_suffix("/index")
        .filter(|folder| !folder.is_empty())
}

/// Folds case (simple lower case; the two small sigmas are equal).
fn fold(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

fn hash(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    if key.is_ascii() {
        // Same result as below, faster.
        key.bytes()
            .for_each(|letter| hasher.write_u32(u32::from(letter.to_ascii_lowercase())));
    } else {
        fold(key).for_each(|letter| hasher.write_u32(u32::from(letter)));
    }
    hasher.finish()
}

/// The inputs of the resolution.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'e> {
    pub base: &'e BaseUrl,
    pub resources: &'e [Arc<Resource>],
    pub directory: &'e Directory,
    /// Old addresses and their targets, a stem or URL each.
    pub redirects: &'e BTreeMap<OldAddress, Moved>,
    /// Stems of expired articles.
    pub expired: &'e BTreeSet<String>,
}

impl Resolver<'_> {
    /// Resolves in the contract's order. `path` is decoded and relative to the base URL.
    pub fn resolve(&self, path: &str) -> Found {
        if let Some(id) = self.directory.exact(path) {
            return Found::Resource(id);
        }
        if let Some(id) = path
            .strip_suffix(".html.md")
            .and_then(|stem| self.directory.exact(&[stem, ".md"].concat()))
            && self.resource(id).route.form().is_some()
        {
            return Found::Alias(id);
        }
        if let Some(url) = self.old_address(path) {
            return Found::Moved(url);
        }
        if self.expired.contains(bare(path)) {
            return Found::Gone;
        }
        self.near_miss(path).map_or(Found::Missing, Found::Near)
    }

    /// The URL of a redirect's target: an existing page or file here, or another site if the author
    /// gave an absolute URL.
    pub fn moved_to(&self, target: &Destination) -> Option<String> {
        let here = match target {
            Destination::Here(path) => path.as_str(),
            Destination::Elsewhere(url) => {
                let rest = url
                    .as_str()
                    .strip_prefix(self.base.to_string().as_str())
                    .filter(|rest| rest.starts_with('/'));
                let Some(rest) = rest else {
                    return Some(url.as_str().to_owned());
                };
                rest.strip_suffix(".html").unwrap_or(rest)
            }
        };
        let found = self
            .directory
            .page(here)
            .or_else(|| self.directory.exact(here))?;
        Some(
            self.base
                .rooted(&self.resource(found).route.canonical_path()),
        )
    }

    fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id as usize]
    }

    /// The redirect of an old address, with or without a trailing slash or `.html`, or by its
    /// folder's index.
    fn old_address(&self, path: &str) -> Option<String> {
        let bare = path
            .strip_suffix("/index.html")
            .or_else(|| path.strip_suffix('/'))
            .or_else(|| path.strip_suffix(".html"))
            .unwrap_or(path);
        let redirect = |old: &str| self.moved_to(&self.redirects.get(old)?.to);
        redirect(path)
            .or_else(|| redirect(bare))
            .or_else(|| redirect(&[bare, "/"].concat()))
            .or_else(|| redirect(&[bare, ".html"].concat()))
            .or_else(|| redirect(&[bare, "/index.html"].concat()))
    }

    /// The only resource that differs by case, one trailing slash or a missing suffix, as a
    /// root-relative, encoded URL. The URL is built from the resource's path, never from the
    /// request's, so it cannot leave the site.
    fn near_miss(&self, path: &str) -> Option<String> {
        if path.is_empty() {
            return self.directory.exact("/").map(|_| self.base.rooted("/"));
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let (found, form) = self.directory.near(path, self.resources)?;
        let resource = self.resource(found);
        let wanted = match (form, self.directory.twin(found)) {
            (Form::Markdown, Some(twin)) => self.resource(twin),
            (Form::Markdown | Form::Html, _) => resource,
        };
        Some(self.base.rooted(&wanted.route.canonical_path()))
    }
}

/// The path without a trailing slash and a form's suffix (`.html.md` too), like an article's stem.
fn bare(path: &str) -> &str {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_suffix(".html.md")
        .or_else(|| path.strip_suffix(".html"))
        .or_else(|| path.strip_suffix(".md"))
        .unwrap_or(path)
}

/// A path's stem and the form of its suffix, ignoring case.
fn split_form(path: &str) -> (&str, Option<Form>) {
    for form in [Form::Html, Form::Markdown] {
        let at = path.len().wrapping_sub(form.suffix().len());
        if let Some(suffix) = path.get(at..)
            && suffix.eq_ignore_ascii_case(form.suffix())
        {
            return (&path[..at], Some(form));
        }
    }
    (path, None)
}

#[cfg(test)]
mod tests;
