//! From a decoded path to what it leads to: one lookup in a directory that is made once for an edition.

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::edition::{Edition, Found};
use crate::resource::{Resource, ResourceId};
use crate::route::{Form, Route};

/// Every path of an edition, and every path without case and suffix.
#[derive(Debug, Default)]
pub struct Directory {
    exact: FxHashMap<Arc<str>, ResourceId>,
    /// By the hash of the folded key (a page's stem, any other resource's path); `None` where two resources share it. A page's two forms
    /// count as one, its HTML.
    folded: FxHashMap<u64, Option<ResourceId>>,
}

impl Directory {
    /// The directory of these resources, whose places are their numbers.
    pub fn new(resources: &[Resource]) -> Self {
        let mut directory = Self::default();
        directory.exact.reserve(resources.len() + 1);
        for (id, resource) in (0..).zip(resources) {
            directory.exact.insert(resource.path.clone(), id);
            if resource.route == Route::Home(Form::Html) {
                directory.exact.insert("/".into(), id);
            }
            if resource.route.form() != Some(Form::Markdown) {
                directory.folded.entry(hash(key(resource))).and_modify(|known| *known = None).or_insert(Some(id));
            }
        }
        directory.add_folders(resources);
        directory
    }

    /// `/docs/` means `/docs/index.html` where nothing else is meant by it.
    fn add_folders(&mut self, resources: &[Resource]) {
        for (id, resource) in (0..).zip(resources) {
            if resource.route.negotiated()
                && let Some(folder) = folder(resource)
            {
                self.folded.entry(hash(folder)).or_insert(Some(id));
            }
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

    /// The only resource whose key differs from this by case alone.
    fn near(&self, key: &str, resources: &[Resource]) -> Option<ResourceId> {
        let id = (*self.folded.get(&hash(key))?)?;
        // The hash alone decides nothing: two keys may share one.
        let resource = &resources[id as usize];
        std::iter::once(self::key(resource)).chain(folder(resource)).any(|own| fold(own).eq(fold(key))).then_some(id)
    }
}

/// What a resource is found by when case and suffix are wrong: a page's stem, any other's path.
fn key(resource: &Resource) -> &str {
    let suffix = resource.route.form().map_or("", Form::suffix);
    resource.path.strip_suffix(suffix).unwrap_or(&resource.path)
}

/// The folder that a page is the index of.
fn folder(resource: &Resource) -> Option<&str> {
    resource.route.form()?;
    key(resource).strip_suffix("/index").filter(|folder| !folder.is_empty())
}

/// Characters without their case (simple lower case; the two small sigmas are one).
fn fold(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase).map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

fn hash(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for letter in fold(key) {
        hasher.write_u32(u32::from(letter));
    }
    hasher.finish()
}

/// The contract's resolution, in its order. `path` is decoded and below the base URL's path.
pub(crate) fn resolve(edition: &Edition, directory: &Directory, path: &str) -> Found {
    if let Some(id) = directory.exact(path) {
        return Found::Resource(id);
    }
    if let Some(id) = path.strip_suffix(".html.md").and_then(|stem| directory.exact(&[stem, ".md"].concat()))
        && edition.resource(id).route.form().is_some()
    {
        return Found::Alias(id);
    }
    if let Some(url) = old_address(edition, path) {
        return Found::Moved(url);
    }
    if edition.is_expired(bare(path)) {
        return Found::Gone;
    }
    near_miss(edition, directory, path).map_or(Found::Missing, Found::Near)
}

/// An old address, with or without the slash that other generators put at its end, or by its folder's index.
fn old_address(edition: &Edition, path: &str) -> Option<String> {
    let bare = path.strip_suffix("/index.html").or_else(|| path.strip_suffix('/')).unwrap_or(path);
    edition
        .redirect(path)
        .or_else(|| edition.redirect(bare))
        .or_else(|| edition.redirect(&[bare, "/"].concat()))
        .or_else(|| edition.redirect(&[bare, "/index.html"].concat()))
}

/// The path without a closing slash and without the suffix of a form (`.html.md` too): what an article's stem looks like.
fn bare(path: &str) -> &str {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_suffix(".html.md").or_else(|| path.strip_suffix(".html")).or_else(|| path.strip_suffix(".md")).unwrap_or(path)
}

/// The only resource that differs by case, one closing slash or a missing suffix; as a root-relative, encoded URL. Built from the
/// resource's own path, never from the request's, so it cannot leave the site.
fn near_miss(edition: &Edition, directory: &Directory, path: &str) -> Option<String> {
    if path.is_empty() {
        return directory.exact("/").map(|_| edition.site.base.rooted("/"));
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    let (stem, form) = split_form(path);
    let resources = &edition.resources;
    let page = directory.near(stem, resources).filter(|&id| resources[id as usize].route.form().is_some());
    let whole = directory.near(path, resources).filter(|&id| resources[id as usize].route.form().is_none());
    let found = match (page, whole) {
        (Some(page), None) => page,
        (None, Some(other)) => other,
        (None, None) | (Some(_), Some(_)) => return None,
    };
    let resource = edition.resource(found);
    let wanted = match (form, resource.twin) {
        (Some(Form::Markdown), Some(twin)) => edition.resource(twin),
        (Some(Form::Markdown | Form::Html) | None, _) => resource,
    };
    Some(edition.site.base.rooted(&wanted.route.canonical_path()))
}

/// A path's stem and the form that its suffix names, whatever the suffix's case.
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
