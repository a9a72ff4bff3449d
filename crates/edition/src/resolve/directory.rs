//! Every path of an edition, and the number of what is there.

use std::hash::Hasher;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::redirects::Taken;
use crate::resource::{Resource, ResourceId};
use crate::route::{Form, Route};

/// Where the paths of assets begin.
const ASSETS: &str = "/_/";
/// Stands for the number of an asset while the others are ordered.
const ASSET: ResourceId = ResourceId::MAX;

/// Every path of an edition, exact and folded (without case and suffix).
///
/// The names of assets contain digests, so that an edit changes some: those of the index of the
/// search. They are kept apart, and editions share the rest.
#[derive(Debug, Default)]
pub struct Directory {
    rest: Arc<Rest>,
    assets: Assets,
}

/// The paths of everything but the assets.
#[derive(Debug, Default)]
struct Rest {
    /// The paths and forms of the resources, in order.
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
    /// The numbers of the assets.
    assets: Range<usize>,
    /// What redirects must not meet, once an edition asks.
    taken: OnceLock<Taken>,
}

/// The paths of the assets.
#[derive(Debug, Default)]
struct Assets {
    paths: Vec<Arc<str>>,
    exact: FxHashMap<Arc<str>, ResourceId>,
    folded: Folded,
}

impl Assets {
    /// The first of these resources, which are in order, has the number `first`.
    fn of(resources: &[Arc<Resource>], first: usize) -> Self {
        let mut assets = Self::default();
        for (id, resource) in (first as ResourceId..).zip(resources) {
            assets.paths.push(Arc::clone(&resource.path));
            assets.exact.insert(Arc::clone(&resource.path), id);
            assets.folded.add(&resource.path, id);
        }
        assets
    }

    fn are(&self, resources: &[Arc<Resource>]) -> bool {
        let paths = resources.iter().map(|resource| &resource.path);
        self.paths.iter().eq(paths)
    }
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

impl Rest {
    /// The directory of these resources, of which `assets` are left out.
    fn of(resources: &[Arc<Resource>], assets: Range<usize>) -> Self {
        let mut numbered: Vec<(ResourceId, &Arc<Resource>)> = (0..).zip(resources).collect();
        numbered.drain(assets.clone());
        let paths = || {
            let path = |(_, resource): &(_, &Arc<Resource>)| {
                (Arc::clone(&resource.path), resource.route.form())
            };
            numbered.par_iter().map(path).collect()
        };
        let exact = || {
            let mut exact = FxHashMap::with_capacity_and_hasher(numbered.len() + 1, FxBuildHasher);
            for &(id, resource) in &numbered {
                exact.insert(Arc::clone(&resource.path), id);
                if resource.route == Route::Home(Form::Html) {
                    exact.insert("/".into(), id);
                }
            }
            exact
        };
        let folded = || {
            let mut rest = Self::default();
            rest.pages.0.reserve(numbered.len() / 2);
            for &(id, resource) in &numbered {
                match resource.route.form() {
                    Some(Form::Html) => rest.add_page(resource, id),
                    Some(Form::Markdown) => {}
                    None => rest.others.add(&resource.path, id),
                }
            }
            rest
        };
        let (exact, (folded, paths)) = rayon::join(exact, || rayon::join(folded, paths));
        let rest = Self {
            paths,
            exact,
            assets,
            ..folded
        };
        let twin =
            |&(id, resource): &(ResourceId, &Arc<Resource>)| rest.twin_of(id, resource, resources);
        let twins = numbered.par_iter().map(twin).collect();
        Self { twins, ..rest }
    }

    fn add_page(&mut self, resource: &Resource, id: ResourceId) {
        self.pages.add(key(resource), id);
        if let Some(folder) = folder(resource) {
            self.folders.add(folder, id);
        }
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
        found.or_else(|| self.exact.get(&*resource.route.twin()?.path()).copied())
    }

    /// The place in `paths` of what has this number; `None` for an asset.
    fn place(&self, number: ResourceId) -> Option<usize> {
        let number = number as usize;
        if number < self.assets.start {
            Some(number)
        } else {
            (number >= self.assets.end).then(|| number - self.assets.len())
        }
    }

    fn is_at(&self, number: ResourceId, resource: &Resource) -> bool {
        let place = self.place(number).and_then(|place| self.paths.get(place));
        place.is_some_and(|(path, form)| {
            (Arc::ptr_eq(path, &resource.path) || *path == resource.path)
                && *form == resource.route.form()
        })
    }
}

impl Directory {
    /// The directory of these resources, which are ordered by path; their positions are their
    /// numbers.
    pub fn new(resources: &[Arc<Resource>]) -> Self {
        let start = resources.partition_point(|resource| *resource.path < *ASSETS);
        let assets = resources[start..].iter();
        let assets = assets.take_while(|resource| is_asset(resource)).count();
        let assets = start..start + assets;
        Self {
            assets: Assets::of(&resources[assets.clone()], start),
            rest: Arc::new(Rest::of(resources, assets)),
        }
    }

    /// The number of all paths.
    fn len(&self) -> usize {
        self.rest.paths.len() + self.assets.paths.len()
    }

    /// The other form of the page with this number.
    pub fn twin(&self, id: ResourceId) -> Option<ResourceId> {
        let place = self.rest.place(id)?;
        self.rest.twins.get(place).copied().flatten()
    }

    /// Sorts resources by their numbers and returns the number left over, that of `last`, and the
    /// directory with the names of these assets. Returns `None` if the directory is not theirs; then
    /// their order is any. It compares no paths with one another, except of assets, and paths in the
    /// directory are known to be plain. `before`: the numbers of another edition's resources, as a
    /// hint; replaced by the numbers of these.
    pub fn in_order(
        self: &Arc<Self>,
        resources: &mut Vec<Arc<Resource>>,
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<(usize, Arc<Self>)> {
        let (numbers, own) = self.numbers(resources, last, before)?;
        let mut places: Vec<Option<Arc<Resource>>> = Vec::new();
        places.resize_with(self.len(), || None);
        let mut assets = Vec::with_capacity(self.assets.paths.len());
        // Moved, not cloned: changing a reference count would load each resource.
        for (resource, &number) in resources.drain(..).zip(&numbers) {
            match places.get_mut(number as usize) {
                Some(place) => *place = Some(resource),
                None => assets.push(resource),
            }
        }
        assets.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        let directory = self.with_assets(&assets);
        for (place, asset) in places[self.rest.assets.clone()].iter_mut().zip(assets) {
            *place = Some(asset);
        }
        resources.extend(places.into_iter().flatten());
        *before = numbers;
        Some((own, directory?))
    }

    /// The directory with these assets; `None` if some have the same path.
    fn with_assets(self: &Arc<Self>, assets: &[Arc<Resource>]) -> Option<Arc<Self>> {
        if self.assets.are(assets) {
            return Some(Arc::clone(self));
        }
        let directory = Self {
            rest: Arc::clone(&self.rest),
            assets: Assets::of(assets, self.rest.assets.start),
        };
        (directory.assets.exact.len() == assets.len()).then(|| Arc::new(directory))
    }

    /// The distinct numbers of these resources, and the one left over, that of `last`. An asset has
    /// none yet.
    fn numbers(
        &self,
        resources: &[Arc<Resource>],
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<(Vec<ResourceId>, usize)> {
        if resources.len() + 1 != self.len() {
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
        let mut taken = vec![false; self.len()];
        *taken.get_mut(own)? = true;
        let (mut assets, mut are_apart) = (0, true);
        for &number in &numbers {
            match taken.get_mut(number as usize) {
                Some(taken) => are_apart &= !std::mem::replace(taken, true),
                None => assets += 1,
            }
        }
        // Distinct numbers fill every place except those of `last` and of the assets.
        (are_apart && assets == self.assets.paths.len()).then_some((numbers, own))
    }

    /// The number of a resource by path and form; `before` is a hint.
    fn number(&self, resource: &Resource, before: ResourceId) -> Option<ResourceId> {
        if is_asset(resource) {
            let is_known = self.assets.exact.contains_key(&resource.path);
            return (is_known || is_named_plainly(&resource.path)).then_some(ASSET);
        }
        let is_at = |number: &ResourceId| self.rest.is_at(*number, resource);
        Some(before)
            .filter(is_at)
            .or_else(|| self.exact(&resource.path).filter(is_at))
    }

    /// Whether this is the directory of these resources.
    pub fn is_of(&self, resources: &[Arc<Resource>]) -> bool {
        let assets = self.rest.assets.clone();
        self.len() == resources.len()
            && self.assets.are(&resources[assets.clone()])
            && resources.par_iter().enumerate().all(|(id, resource)| {
                assets.contains(&id) || self.rest.is_at(id as ResourceId, resource)
            })
    }

    /// What redirects must not meet, for resources of which this is the directory. The names of
    /// assets do not matter: no redirect is beside them.
    pub(crate) fn taken(&self, resources: &[Arc<Resource>]) -> &Taken {
        self.rest.taken.get_or_init(|| Taken::of(resources))
    }

    /// The resource at exactly this path.
    pub fn exact(&self, path: &str) -> Option<ResourceId> {
        let known = self.rest.exact.get(path);
        known.or_else(|| self.assets.exact.get(path)).copied()
    }

    /// The page with exactly this stem, in HTML.
    pub fn page(&self, stem: &str) -> Option<ResourceId> {
        self.exact(&[stem, Form::Html.suffix()].concat())
    }

    /// The only resource that a path without trailing slash nearly matches, and the requested form.
    pub(super) fn near(
        &self,
        path: &str,
        resources: &[Arc<Resource>],
    ) -> Option<(ResourceId, Form)> {
        let (stem, form) = split_form(path);
        let page = self
            .rest
            .pages
            .find(stem, resources, |resource| Some(key(resource)));
        let other = [&self.rest.others, &self.assets.folded]
            .into_iter()
            .find_map(|others| others.find(path, resources, |resource| Some(&*resource.path)));
        let found = match (page, other) {
            (Some(page), None) => page,
            (None, Some(other)) => other,
            // `/docs/` means `/docs/index.html` if nothing else matches.
            (None, None) if form.is_none() => self.rest.folders.find(path, resources, folder)?,
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some((found, form.unwrap_or(Form::Html)))
    }
}

/// Whether a resource is an asset at the path of one.
fn is_asset(resource: &Resource) -> bool {
    matches!(resource.route, Route::Asset(_)) && resource.path.starts_with(ASSETS)
}

/// Whether a path of an asset is plain for certain: one name of letters, digits, `.` and `-`.
fn is_named_plainly(path: &str) -> bool {
    path.strip_prefix(ASSETS).is_some_and(|name| {
        let is_usual = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'-');
        name.bytes().all(is_usual) && name.starts_with(|first: char| first != '.')
    })
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
