//! Every path of an edition, and the number of what is there.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use diglot_content::parallel;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::folded::Folded;
use crate::redirects::Taken;
use crate::resource::{Resource, ResourceId};
use crate::route::{Form, Route};

/// Where the paths of assets begin.
const ASSETS: &str = "/_/";
/// Represents the place of an asset while the others are ordered.
const ASSET: ResourceId = ResourceId::MAX;

/// Every path of an edition, exact and folded (without case and suffix).
///
/// An edit changes the names of some assets, which contain digests, and of the documents on changes,
/// which contain the ids of editions. Both groups are kept apart, and editions share the rest. What
/// is not in a group has a place, its position among the rest, from which its number follows.
#[derive(Debug, Default)]
pub struct Directory {
    rest: Arc<Rest>,
    assets: Group,
    changes: Group,
}

/// The paths of everything that is in no group.
#[derive(Debug, Default)]
struct Rest {
    /// The paths and forms of the resources, in order.
    paths: Vec<(Arc<str>, Option<Form>)>,
    /// The place of the other form of each page.
    twins: Vec<Option<ResourceId>>,
    exact: FxHashMap<Arc<str>, ResourceId>,
    /// Pages by stem; the two forms count as one, the HTML.
    pages: Folded,
    /// Index pages by folder, also those that are authors' files.
    folders: Folded,
    /// Everything else by path.
    others: Folded,
    /// The place before which the assets are, and that before which the documents on changes are.
    before: [usize; 2],
    /// What redirects must not meet, once an edition asks.
    taken: OnceLock<Taken>,
}

/// The paths of resources that are beside each other.
#[derive(Clone, Debug, Default)]
struct Group {
    paths: Vec<Arc<str>>,
    /// Positions in the group.
    exact: FxHashMap<Arc<str>, ResourceId>,
    folded: Folded,
}

impl Group {
    fn new(resources: &[Arc<Resource>]) -> Self {
        let mut group = Self::default();
        for (position, resource) in (0..).zip(resources) {
            group.paths.push(Arc::clone(&resource.path));
            group.exact.insert(Arc::clone(&resource.path), position);
            group.folded.add(&resource.path, position);
        }
        group
    }

    fn len(&self) -> usize {
        self.paths.len()
    }

    fn is(&self, resources: &[Arc<Resource>]) -> bool {
        let paths = resources.iter().map(|resource| &resource.path);
        self.paths.iter().eq(paths)
    }
}

impl Rest {
    /// The directory of these resources, of which the groups are left out.
    fn new(resources: &[Arc<Resource>], [assets, changes]: [&Range<usize>; 2]) -> Self {
        let is_left = |position: &usize| !assets.contains(position) && !changes.contains(position);
        let left = (0..resources.len()).filter(is_left);
        let placed: Vec<(ResourceId, &Arc<Resource>)> = (0..)
            .zip(left.map(|position| &resources[position]))
            .collect();
        let paths = || {
            let path = |(_, resource): &(_, &Arc<Resource>)| {
                (Arc::clone(&resource.path), resource.route.form())
            };
            parallel::map(&placed, path)
        };
        let exact = || {
            let mut exact = FxHashMap::with_capacity_and_hasher(placed.len() + 1, FxBuildHasher);
            for &(place, resource) in &placed {
                exact.insert(Arc::clone(&resource.path), place);
                if resource.route == Route::Home(Form::Html) {
                    exact.insert("/".into(), place);
                }
            }
            exact
        };
        let folded = || {
            let mut rest = Self::default();
            rest.pages.reserve(placed.len() / 2);
            for &(place, resource) in &placed {
                match resource.route.form() {
                    Some(Form::Html) => rest.add_page(resource, place),
                    Some(Form::Markdown) => {}
                    None => {
                        rest.others.add(&resource.path, place);
                        if let Some(folder) = folder(resource) {
                            rest.folders.add(folder, place);
                        }
                    }
                }
            }
            rest
        };
        let (exact, (folded, paths)) = rayon::join(exact, || rayon::join(folded, paths));
        let rest = Self {
            paths,
            exact,
            before: [assets.start, changes.start - assets.len()],
            ..folded
        };
        let twin = |&(place, resource): &(ResourceId, &Arc<Resource>)| {
            rest.twin_of(place, resource, &placed)
        };
        let twins = parallel::map(&placed, twin);
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
        place: ResourceId,
        resource: &Resource,
        placed: &[(ResourceId, &Arc<Resource>)],
    ) -> Option<ResourceId> {
        let form = resource.route.form()?;
        let beside = if form == Form::Html {
            place.checked_add(1)
        } else {
            place.checked_sub(1)
        };
        let stem = resource.path.strip_suffix(form.suffix());
        let is_twin = |(_, other): &(ResourceId, &Arc<Resource>)| {
            other
                .path
                .strip_suffix(form.other().suffix())
                .is_some_and(|path| Some(path) == stem)
        };
        let found = beside.filter(|beside| placed.get(*beside as usize).is_some_and(is_twin));
        found.or_else(|| self.exact.get(&*resource.route.twin()?.path()).copied())
    }

    fn is_at(&self, place: ResourceId, resource: &Resource) -> bool {
        let place = self.paths.get(place as usize);
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
        let changes = changes_of(resources, assets.end);
        Self {
            assets: Group::new(&resources[assets.clone()]),
            changes: Group::new(&resources[changes.clone()]),
            rest: Arc::new(Rest::new(resources, [&assets, &changes])),
        }
    }

    /// The number of all paths.
    fn len(&self) -> usize {
        self.rest.paths.len() + self.assets.len() + self.changes.len()
    }

    /// The numbers of the assets, and those of the documents on changes.
    fn groups(&self) -> [Range<usize>; 2] {
        let [assets, changes] = self.rest.before;
        let changes = changes + self.assets.len();
        [
            assets..assets + self.assets.len(),
            changes..changes + self.changes.len(),
        ]
    }

    /// The number of what has this place.
    fn number(&self, place: ResourceId) -> ResourceId {
        let groups = [self.assets.len(), self.changes.len()];
        let mut number = place as usize;
        for (before, length) in self.rest.before.into_iter().zip(groups) {
            if place as usize >= before {
                number += length;
            }
        }
        number as ResourceId
    }

    /// The place of what has this number; `None`: it is in a group.
    fn place(&self, number: ResourceId) -> Option<ResourceId> {
        let number = number as usize;
        let mut place = number;
        for group in self.groups() {
            if group.contains(&number) {
                return None;
            }
            if number >= group.end {
                place -= group.len();
            }
        }
        Some(place as ResourceId)
    }

    /// The other form of the page with this number.
    pub fn twin(&self, id: ResourceId) -> Option<ResourceId> {
        let place = self.place(id)?;
        let twin = self.rest.twins.get(place as usize).copied().flatten();
        twin.map(|twin| self.number(twin))
    }

    /// Sorts resources by their places, without documents on changes. Returns the position of the one
    /// left over, `last`, and the directory with the names of these assets, without documents on
    /// changes. Returns `None` if the directory is not theirs; then their order is any. It compares
    /// no paths with one another, except of assets, and paths in the directory are known to be plain.
    /// `before`: the places of another edition's resources, as a hint; replaced by the places of
    /// these.
    pub fn in_order(
        self: &Arc<Self>,
        resources: &mut Vec<Arc<Resource>>,
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<(usize, Arc<Self>)> {
        let (placed, own) = self.placed(resources, last, before)?;
        let mut rest: Vec<Option<Arc<Resource>>> = Vec::new();
        rest.resize_with(self.rest.paths.len(), || None);
        let mut assets = Vec::with_capacity(self.assets.len());
        // Moved, not cloned: changing a reference count would load each resource.
        for (resource, &place) in resources.drain(..).zip(&placed) {
            match rest.get_mut(place as usize) {
                Some(place) => *place = Some(resource),
                None => assets.push(resource),
            }
        }
        assets.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        let directory = self.with_assets(&assets);
        let behind = rest.split_off(self.rest.before[0]);
        resources.extend(rest.into_iter().flatten());
        resources.extend(assets);
        resources.extend(behind.into_iter().flatten());
        *before = placed;
        let directory = directory?;
        let own = directory.number(own) as usize;
        Some((own, directory))
    }

    /// The directory with these assets and without documents on changes; `None` if some have the same
    /// path.
    fn with_assets(&self, assets: &[Arc<Resource>]) -> Option<Arc<Self>> {
        let directory = Self {
            rest: Arc::clone(&self.rest),
            assets: Group::new(assets),
            changes: Group::default(),
        };
        (directory.assets.exact.len() == assets.len()).then(|| Arc::new(directory))
    }

    /// The directory with these documents on changes, which are ordered by path; `None` if they are
    /// not beside each other, because the author has something between them.
    pub fn with_changes(&self, changes: &[Arc<Resource>]) -> Option<Arc<Self>> {
        let before = self.rest.before[1];
        let (first, last) = (changes.first()?, changes.last()?);
        let (left, right) = self.rest.paths.split_at_checked(before)?;
        let are_beside = left.last().is_none_or(|(path, _)| *path < first.path)
            && right.first().is_none_or(|(path, _)| last.path < *path);
        are_beside.then(|| {
            Arc::new(Self {
                rest: Arc::clone(&self.rest),
                assets: self.assets.clone(),
                changes: Group::new(changes),
            })
        })
    }

    /// The distinct places of these resources, and the one left over, that of `last`. An asset has
    /// none.
    fn placed(
        &self,
        resources: &[Arc<Resource>],
        last: &Route,
        before: &mut Vec<ResourceId>,
    ) -> Option<(Vec<ResourceId>, ResourceId)> {
        let own = self.rest.exact.get(last.path().as_str()).copied()?;
        before.resize(resources.len(), 0);
        let place = |at: usize| self.place_of(&resources[at], before[at]);
        let placed = parallel::map_numbers(resources.len(), place);
        let placed: Vec<ResourceId> = placed.into_iter().collect::<Option<_>>()?;
        let mut taken = vec![false; self.rest.paths.len()];
        *taken.get_mut(own as usize)? = true;
        let mut are_apart = true;
        for &place in &placed {
            if let Some(taken) = taken.get_mut(place as usize) {
                are_apart &= !std::mem::replace(taken, true);
            }
        }
        (are_apart && taken.into_iter().all(|taken| taken)).then_some((placed, own))
    }

    /// The place of a resource by path and form; `before` is a hint.
    fn place_of(&self, resource: &Resource, before: ResourceId) -> Option<ResourceId> {
        if is_asset(resource) {
            let is_known = self.assets.exact.contains_key(&resource.path);
            return (is_known || is_named_plainly(&resource.path)).then_some(ASSET);
        }
        let is_at = |place: &ResourceId| self.rest.is_at(*place, resource);
        let exact = || self.rest.exact.get(&resource.path).copied();
        Some(before).filter(is_at).or_else(|| exact().filter(is_at))
    }

    /// Whether this is the directory of these resources.
    pub fn is_of(&self, resources: &[Arc<Resource>]) -> bool {
        let [assets, changes] = self.groups();
        let is_elsewhere = |number: usize| {
            let place = self.place(number as ResourceId);
            place.is_some_and(|place| !self.rest.is_at(place, &resources[number]))
        };
        self.len() == resources.len()
            && self.assets.is(&resources[assets])
            && self.changes.is(&resources[changes])
            && !parallel::any_number(resources.len(), is_elsewhere)
    }

    /// What redirects must not meet, for resources of which this is the directory. The names in the
    /// groups do not matter: no redirect is beside them.
    pub(crate) fn taken(&self, resources: &[Arc<Resource>]) -> &Taken {
        self.rest.taken.get_or_init(|| Taken::new(resources))
    }

    /// The resource at exactly this path.
    pub fn exact(&self, path: &str) -> Option<ResourceId> {
        if let Some(place) = self.rest.exact.get(path) {
            return Some(self.number(*place));
        }
        let groups = [&self.assets, &self.changes].into_iter();
        let mut found = groups.zip(self.groups()).filter_map(|(group, numbers)| {
            let position = *group.exact.get(path)?;
            Some(numbers.start as ResourceId + position)
        });
        found.next()
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
        let of_rest = |place| self.number(place);
        let page = self
            .rest
            .pages
            .find(stem, (resources, of_rest), |resource| Some(key(resource)));
        let other = self.near_file(path, resources);
        let found = match (page, other) {
            (Some(page), None) => page,
            (None, Some(other)) => other,
            // `/docs/` means `/docs/index.html` if nothing else matches.
            (None, None) if form.is_none() => {
                let folders = &self.rest.folders;
                folders.find(path, (resources, of_rest), folder)?
            }
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some((found, form.unwrap_or(Form::Html)))
    }

    /// The only resource without two forms that differs by case.
    fn near_file(&self, path: &str, resources: &[Arc<Resource>]) -> Option<ResourceId> {
        let own = |resource| Some(path_of(resource));
        let [assets, changes] = self.groups();
        let rest = &self.rest.others;
        rest.find(path, (resources, |place| self.number(place)), own)
            .or_else(|| {
                let number = |position| assets.start as ResourceId + position;
                self.assets.folded.find(path, (resources, number), own)
            })
            .or_else(|| {
                let number = |position| changes.start as ResourceId + position;
                self.changes.folded.find(path, (resources, number), own)
            })
    }
}

/// The positions of the documents on changes, if they are beside each other, behind the assets; else
/// an empty range where they would be.
fn changes_of(resources: &[Arc<Resource>], behind: usize) -> Range<usize> {
    let is_one = |resource: &&Arc<Resource>| resource.route.is_of_changes();
    let all = resources.iter().filter(is_one).count();
    let path = Route::Changes.path();
    let place = || resources.partition_point(|resource| *resource.path < *path);
    let first = resources
        .iter()
        .position(|resource| resource.route.is_of_changes());
    let first = first.unwrap_or_else(place);
    let beside = resources[first..].iter().take_while(is_one).count();
    match beside == all && first >= behind {
        true => first..first + all,
        false => {
            let place = place().max(behind);
            place..place
        }
    }
}

fn path_of(resource: &Resource) -> &str {
    &resource.path
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
    let index = match resource.route.form() {
        Some(_) => "/index",
        None => "/index.html",
    };
    key(resource)
        .strip_suffix(index)
        .filter(|folder| !folder.is_empty())
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
