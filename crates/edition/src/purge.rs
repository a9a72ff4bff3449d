//! The addresses whose answers differ between two editions: what caches must forget.
//!
//! An address is asked in both editions by the same resolution that a request takes, so the result
//! follows from no second set of rules. Asked are the address of each resource, old address and
//! expired text of either edition, and those that lead to it: an alias, a missing suffix, a closing
//! slash, the folder of an index page.
//!
//! Not among them, because there are endlessly many: addresses that differ by case, by a query or by
//! needless escapes, and what an error answer suggests. They are cached for no longer than their
//! `Cache-Control` says: 300 s for a redirect, 60 s for an error in HTML, nothing for other errors.

use std::borrow::Cow;
use std::collections::BTreeSet;

use diglot_content::parallel;
use http::HeaderValue;
use jiff::Timestamp;

use crate::earlier::Earlier;
use crate::edition::Edition;
use crate::policy::{self, CacheRow, KindFields};
use crate::resolve::Found;
use crate::resource::{Digest, Resource};
use crate::route::{Form, is_at_the_root};

/// The absolute URLs, in order, whose cacheable answers differ between two editions. Without one
/// before, every answer of the other differs, since an error may be cached in its place.
///
/// Markdown at a `.html` address is not compared: no shared cache may store it.
pub fn addresses(before: Option<&Edition>, after: &Edition) -> BTreeSet<String> {
    match before {
        Some(old) if old.site.base != after.site.base => {
            let mut both = addresses(None, old);
            both.extend(addresses(None, after));
            both
        }
        _ => Comparison::new(before, after).addresses(),
    }
}

/// Two editions with one base URL.
struct Comparison<'e> {
    before: Option<&'e Edition>,
    after: &'e Edition,
    /// The files of earlier themes that the later edition answers for, or will when it is published.
    left: Earlier,
    /// Whether the fields of every answer are the same.
    alike: bool,
}

impl<'e> Comparison<'e> {
    fn new(before: Option<&'e Edition>, after: &'e Edition) -> Self {
        let fields = |edition: &Edition| policy::everywhere(&edition.site, &edition.page_policy);
        Self {
            before,
            after,
            left: before.map_or_else(Earlier::default, |before| before.leaves(after)),
            alike: before.is_some_and(|before| {
                fields(before) == fields(after) && before.site.shared == after.site.shared
            }),
        }
    }

    fn editions(&self) -> impl Iterator<Item = &'e Edition> {
        self.before.into_iter().chain([self.after])
    }

    fn addresses(&self) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        for edition in self.editions() {
            let found = parallel::flat_map(&edition.resources, |resource| {
                self.differing(around(resource))
            });
            paths.extend(found);
            let earlier = edition.earlier().files().iter();
            paths.extend(earlier.flat_map(|(_, file)| self.differing(around(file))));
            let old = edition.old_addresses().keys();
            paths.extend(old.flat_map(|old| self.differing(around_old(old.as_str()))));
            let expired = edition.expired();
            paths.extend(expired.flat_map(|stem| self.differing(around_page(stem))));
        }
        paths.extend(self.differing(vec![String::new()]));
        paths
            .into_iter()
            .flat_map(|path| self.urls(&path))
            .collect()
    }

    fn differing(&self, paths: Vec<String>) -> impl Iterator<Item = String> {
        paths.into_iter().filter(|path| self.differs(path))
    }

    fn differs(&self, path: &str) -> bool {
        let old = self
            .before
            .map_or(Answer::Missing, |edition| Answer::resolve(edition, path));
        let new = match (self.left.file(path), self.before) {
            (Some(file), Some(before)) => Answer::Found(Representation::new(before, file)),
            _ => Answer::resolve(self.after, path),
        };
        old != new || !self.alike && !new.is_error()
    }

    /// The URLs at which a path is answered.
    fn urls(&self, path: &str) -> Vec<String> {
        let base = &self.after.site.base;
        let has_path = !base.path().is_empty();
        let mut urls = Vec::new();
        // The bare base URL without a path is `/`.
        if has_path || !path.is_empty() {
            urls.push(base.absolute(path));
        }
        if has_path && is_at_the_root(path) {
            urls.push([base.origin(), path].concat());
        }
        urls
    }
}

/// What a cache keeps of an answer.
#[derive(PartialEq)]
enum Answer<'e> {
    Found(Representation<'e>),
    /// At another resource's address.
    Alias(Representation<'e>),
    /// 301.
    Moved(String),
    /// 308.
    Near(String),
    /// 410.
    Gone,
    /// 404.
    Missing,
}

impl<'e> Answer<'e> {
    fn resolve(edition: &'e Edition, path: &str) -> Self {
        let whole = |id| Representation::new(edition, edition.resource(id));
        match edition.resolve(path) {
            Found::Resource(id) => Self::Found(whole(id)),
            Found::Alias(id) => Self::Alias(whole(id)),
            Found::Moved(url) => Self::Moved(url),
            Found::Near(url) => Self::Near(url),
            Found::Gone => Self::Gone,
            Found::Missing => Self::Missing,
        }
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Gone | Self::Missing)
    }
}

/// The inputs of a 200: body and header fields.
#[derive(PartialEq)]
struct Representation<'e> {
    digest: Digest,
    modified: Timestamp,
    link: Option<&'e HeaderValue>,
    media_type: &'static str,
    cache_control: Cow<'static, str>,
    own: KindFields,
}

impl<'e> Representation<'e> {
    fn new(edition: &Edition, resource: &'e Resource) -> Self {
        Self {
            digest: resource.digest,
            modified: resource.modified,
            link: resource.link.as_ref(),
            media_type: resource.route.media_type(),
            cache_control: CacheRow::for_route(&resource.route).cache_control(&edition.site),
            own: edition.kind_fields(&resource.route),
        }
    }
}

/// The paths at which a resource is found, or that lead to it.
fn around(resource: &Resource) -> Vec<String> {
    let path = &*resource.path;
    match resource.route.form() {
        Some(Form::Html) => {
            let stem = path.strip_suffix(Form::Html.suffix()).unwrap_or(path);
            let mut paths = around_page(stem);
            if let Some(folder) = stem.strip_suffix("/index") {
                paths.extend(["", "/"].map(|end| [folder, end].concat()));
            }
            paths
        }
        // The other form has the rest.
        Some(Form::Markdown) => vec![path.to_owned()],
        None => vec![path.to_owned(), [path, "/"].concat()],
    }
}

/// The paths of a page by its stem.
fn around_page(stem: &str) -> Vec<String> {
    let ends = [
        "",
        "/",
        ".html",
        ".html/",
        ".md",
        ".md/",
        ".html.md",
        ".html.md/",
    ];
    ends.map(|end| [stem, end].concat()).into()
}

/// The spellings of an old address that the resolution knows.
fn around_old(old: &str) -> Vec<String> {
    let bare = old
        .strip_suffix("/index.html")
        .or_else(|| old.strip_suffix('/'))
        .or_else(|| old.strip_suffix(".html"))
        .unwrap_or(old);
    let ends = ["", "/", ".html", "/index.html"];
    let spelled = |start: &str| ends.map(|end| [start, end].concat());
    [spelled(old), spelled(bare)].concat()
}
