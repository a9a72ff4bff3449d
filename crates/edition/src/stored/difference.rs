//! What differs between two stored editions, for people and for caches.

use std::collections::BTreeMap;

use diglot_content::Destination;
use serde::Serialize;

use super::{Manifest, StoredResource};
use crate::route::{Form, Route};

/// What differs between two editions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Pages that are new.
    pub added: Vec<ChangedPage>,
    /// Pages with another text.
    pub changed: Vec<ChangedPage>,
    /// Pages that are gone.
    pub removed: Vec<ChangedPage>,
    /// Old addresses that lead elsewhere now, or are new or gone.
    pub redirected: Vec<ChangedRedirect>,
    /// Pages with the same text that look different: another theme, other neighbours.
    pub redrawn: usize,
    /// Resources beside the pages that are new, changed or gone: feeds, sitemaps, files.
    pub others: usize,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedPage {
    /// Its path.
    pub path: String,
    /// Its title, if it is in the lists of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// An old address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedRedirect {
    /// The old address.
    pub path: String,
    /// Where it leads; `None`: it no longer leads anywhere.
    pub to: Option<String>,
}

impl Difference {
    /// Whether readers see no difference.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What differs between two manifests; without one before, everything is new.
    pub fn between(before: Option<&Manifest>, after: &Manifest) -> Self {
        let (old, new) = (
            before.map(Content::from_manifest).unwrap_or_default(),
            Content::from_manifest(after),
        );
        let mut difference = Self::default();
        for (path, resource) in &new.resources {
            let Some(known) = old.resources.get(path) else {
                difference.count(&resource.route, |pages| &mut pages.added, || new.page(path));
                continue;
            };
            if known.digest == resource.digest {
                continue;
            }
            if is_page(&resource.route) && old.text(resource) == new.text(resource) {
                difference.redrawn += 1;
            } else {
                difference.count(
                    &resource.route,
                    |pages| &mut pages.changed,
                    || new.page(path),
                );
            }
        }
        for (path, resource) in &old.resources {
            if !new.resources.contains_key(path) {
                difference.count(
                    &resource.route,
                    |pages| &mut pages.removed,
                    || old.page(path),
                );
            }
        }
        difference.redirected = redirected(before, after);
        difference
    }

    /// Adds a page to a list, or counts another resource.
    fn count(
        &mut self,
        route: &Route,
        list: impl FnOnce(&mut Self) -> &mut Vec<ChangedPage>,
        page: impl FnOnce() -> ChangedPage,
    ) {
        if is_page(route) {
            list(self).push(page());
        } else if !is_twin(route) && !route.is_of_changes() {
            self.others += 1;
        }
    }
}

/// Resources and titles by path.
#[derive(Default)]
struct Content<'a> {
    resources: BTreeMap<String, &'a StoredResource>,
    titles: BTreeMap<&'a str, &'a str>,
}

impl<'a> Content<'a> {
    fn from_manifest(manifest: &'a Manifest) -> Self {
        let stored = &manifest.edition;
        let resources = stored.resources.iter();
        Self {
            resources: resources.map(|it| (it.route.path(), it)).collect(),
            titles: stored
                .listed
                .iter()
                .map(|page| (&*page.stem, &*page.title))
                .collect(),
        }
    }

    fn page(&self, path: &str) -> ChangedPage {
        let stem = path.strip_suffix(".html").unwrap_or(path);
        ChangedPage {
            path: path.to_owned(),
            title: self.titles.get(stem).map(|&title| title.to_owned()),
        }
    }

    /// The digest of a page's text: that of its twin.
    fn text(&self, page: &StoredResource) -> Option<&str> {
        let twin = page.route.twin()?.path();
        self.resources.get(&twin).map(|twin| twin.digest.as_str())
    }
}

/// Whether a person reads it: the HTML form of an article, a page of the author, or the home page.
fn is_page(route: &Route) -> bool {
    matches!(
        route,
        Route::Home(Form::Html) | Route::Article(_, Form::Html) | Route::Page(_, Form::Html)
    )
}

fn is_twin(route: &Route) -> bool {
    route.twin().is_some_and(|page| is_page(&page))
}

fn shown(target: &Destination) -> String {
    target.to_string()
}

/// The redirects of an edition: old address, target.
fn targets(manifest: &Manifest) -> BTreeMap<String, String> {
    let redirects = manifest.edition.redirects.iter();
    redirects
        .map(|(from, moved)| (from.to_string(), shown(&moved.to)))
        .collect()
}

fn redirected(before: Option<&Manifest>, after: &Manifest) -> Vec<ChangedRedirect> {
    let (old, new) = (before.map(targets).unwrap_or_default(), targets(after));
    let changed = new
        .iter()
        .filter(|(path, to)| old.get(*path) != Some(*to))
        .map(|(path, to)| (path, Some(to)));
    let gone = old.keys().filter(|path| !new.contains_key(*path));
    let mut redirected: Vec<ChangedRedirect> = changed
        .chain(gone.map(|path| (path, None)))
        .map(|(path, to)| ChangedRedirect {
            path: path.clone(),
            to: to.cloned(),
        })
        .collect();
    redirected.sort_by(|one, other| one.path.cmp(&other.path));
    redirected
}
