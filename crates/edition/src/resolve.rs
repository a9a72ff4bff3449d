//! Resolves a decoded path by one lookup in a directory that is built once per edition.

mod directory;
mod folded;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diglot_content::{BaseUrl, Destination, OldAddress};

use crate::redirects::Moved;
use crate::resource::{Resource, ResourceId};
use crate::route::Form;
pub use directory::Directory;

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
            Destination::Here(path) | Destination::Place { path, .. } => path.as_str(),
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
        let path = self.resource(found).route.canonical_path();
        Some(self.base.rooted(&path) + &target.fragment())
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

#[cfg(test)]
mod tests;
