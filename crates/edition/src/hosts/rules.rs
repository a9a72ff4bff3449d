//! The rules of every host, independent of its language: patterns, and the few resources that fit
//! no pattern.
//!
//! The patterns are derived from the edition: a rule has the fields of most resources of a kind,
//! and every resource with other fields is an exception. So a configuration can be long, but never
//! wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use diglot_content::encoding::encode_path;
use diglot_content::parallel;

use super::moved::{self, Group, Redirect};
use super::pattern::{Pattern, literal};
use crate::edition::Edition;
use crate::policy::{self, CacheRow, KindFields};
use crate::resource::Resource;
use crate::route::{Form, Route, SKILLS};

/// The placeholder in a template for the page's encoded path without suffix, including the base
/// URL's path: `/blog/articles/x`.
const PAGE: char = '\u{1}';

/// The header fields of a resource that vary by resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fields {
    pub(super) media_type: String,
    pub(super) cache_control: Cow<'static, str>,
    pub(super) vary: &'static str,
    /// The values of [`policy::KIND_FIELDS`], in its order.
    pub(super) own: KindFields,
    pub(super) link: Option<Template>,
}

/// The fields that a suffix implies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Suffix {
    media_type: String,
    own: KindFields,
}

/// A header value that may contain the page's path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template(String);

impl Template {
    /// The value for a page's encoded path.
    pub(super) fn with(&self, page: &str) -> String {
        self.0.replace(PAGE, page)
    }

    /// The parts of the value around the page's path, for a host's captures.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split(PAGE)
    }

    /// The links of the value without the page's path, for hosts without captures.
    pub(super) fn constant(&self) -> Option<String> {
        let links: Vec<&str> = self
            .0
            .split(", <")
            .filter(|link| !link.contains(PAGE))
            .collect();
        let value = links.join(", <");
        (!value.is_empty()).then(|| {
            if value.starts_with('<') {
                value
            } else {
                format!("<{value}")
            }
        })
    }
}

/// The rules of one edition.
pub(super) struct Rules<'a> {
    pub(super) edition: &'a Edition,
    /// The base URL's decoded path; empty if the site is at the origin's root.
    pub(super) base: &'a str,
    /// Header fields of every response.
    pub(super) everywhere: Vec<(&'static str, String)>,
    /// `.html` pages.
    pub(super) html: Fields,
    /// Their twins at `.md`.
    pub(super) markdown: Fields,
    /// Everything else, without media types. It has no fields of its own.
    pub(super) document: Fields,
    /// Content-hashed assets, without media types.
    pub(super) asset: Fields,
    /// The fields of each suffix, in lower case, for everything except pages and assets.
    pub(super) suffixes: BTreeMap<String, Fields>,
    /// Exceptions to the patterns: decoded path and all fields.
    pub(super) exceptions: Vec<(&'a str, Fields)>,
    /// All redirects, ordered by old path.
    pub(super) redirects: Vec<Redirect<'a>>,
    /// Patterns for many of them.
    pub(super) many: Vec<Group>,
    /// The numbers of those that no pattern replaces.
    pub(super) single: Vec<usize>,
    /// Decoded paths of expired articles, in all forms.
    pub(super) gone: Vec<String>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(edition: &'a Edition) -> Self {
        let redirects = redirects(edition);
        let gone = gone(edition, &redirects);
        let paths = edition.resources.iter().map(|resource| &*resource.path);
        let taken = paths.chain(gone.iter().map(String::as_str)).collect();
        let (many, single) = moved::divide(&redirects, &taken);
        let document = fields_of_class(edition, CacheRow::Document, &Route::File("x".into()));
        let mut rules = Self {
            edition,
            base: edition.site.base.path(),
            everywhere: policy::everywhere(&edition.site, &edition.page_policy),
            html: Fields {
                link: usual_link(edition, Form::Html),
                ..fields_of_class(edition, CacheRow::Html, &Route::Terms(Form::Html))
            },
            markdown: Fields {
                link: usual_link(edition, Form::Markdown),
                ..fields_of_class(edition, CacheRow::Document, &Route::Terms(Form::Markdown))
            },
            asset: fields_of_class(edition, CacheRow::Immutable, &Route::Asset("x".into())),
            suffixes: suffixes(edition, &document),
            document,
            exceptions: Vec::new(),
            gone,
            redirects,
            many,
            single,
        };
        rules.exceptions = parallel::flat_map(&edition.resources, |resource| {
            let (path, fields) = (&*resource.path, rules.fields_of(resource));
            (rules.predicted(path) != fields).then_some((path, fields))
        });
        rules
    }

    /// The redirects that no pattern replaces.
    pub(super) fn single(&self) -> impl Iterator<Item = &Redirect<'a>> {
        self.single.iter().map(|at| &self.redirects[*at])
    }

    /// The fields that the patterns give a decoded path, except the media type of an asset.
    pub(super) fn class_of(&self, path: &str) -> &Fields {
        match suffix(path).as_str() {
            _ if path.starts_with(ASSETS) => &self.asset,
            "html" => &self.html,
            "md" => &self.markdown,
            suffix => self.suffixes.get(suffix).unwrap_or(&self.document),
        }
    }

    /// The fields that the patterns alone give a decoded path.
    pub(super) fn predicted(&self, path: &str) -> Fields {
        let class = self.class_of(path).clone();
        if !path.starts_with(ASSETS) {
            return class;
        }
        let of_suffix = self.suffixes.get(&suffix(path)).unwrap_or(&self.document);
        Fields {
            media_type: of_suffix.media_type.clone(),
            ..class
        }
    }

    /// The fields of the resource's actual response.
    fn fields_of(&self, resource: &Resource) -> Fields {
        let (route, site) = (&resource.route, &self.edition.site);
        Fields {
            media_type: route.media_type().to_owned(),
            cache_control: policy::cache_control(route, site),
            vary: policy::vary(route),
            own: self.edition.kind_fields(route),
            link: resource
                .link_text()
                .map(|link| template(self.edition, resource, link)),
        }
    }

    /// The exceptions whose media type differs from their suffix's.
    pub(super) fn other_media_types(&self) -> impl Iterator<Item = (&'a str, &str)> {
        let other = self
            .exceptions
            .iter()
            .filter(|(path, fields)| self.predicted(path).media_type != fields.media_type);
        other.map(|(path, fields)| (*path, fields.media_type.as_str()))
    }

    /// The twins with an unusual `Link`.
    pub(super) fn other_twin_links(&self) -> impl Iterator<Item = &(&'a str, Fields)> {
        self.exceptions
            .iter()
            .filter(|(path, fields)| path.ends_with(".md") && fields.link != self.markdown.link)
    }

    /// The documents also served at the origin's root, if the site is below it.
    pub(super) fn at_root(&self) -> Vec<Route> {
        if self.base.is_empty() {
            return Vec::new();
        }
        let skills = self.edition.resources.iter();
        let skills = skills.filter(|resource| resource.path.starts_with(SKILLS));
        let skills = skills.map(|resource| resource.route.clone());
        let documents = [Route::Robots, Route::ApiCatalog].into_iter();
        documents.chain(skills).collect()
    }

    /// A decoded path after the base URL's path.
    pub(super) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The encoded path as requested, including the base URL's path.
    pub(super) fn encoded(&self, path: &str) -> String {
        encode_path(&self.path(path))
    }

    /// A page's encoded path without suffix.
    pub(super) fn page(&self, path: &str) -> String {
        let mut page = self.encoded(path);
        page.truncate(page.rfind('.').unwrap_or(page.len()));
        page
    }

    /// The pattern of paths below the base URL that continue with this expression.
    pub(super) fn below(&self, ours: &'static str) -> Pattern {
        Pattern::new("^").literal(self.base).then(ours)
    }

    /// The pattern of exactly this decoded path.
    pub(super) fn exactly(&self, path: &str) -> Pattern {
        Pattern::new("^").literal(&self.path(path)).then("$")
    }

    /// The base URL's path as requested: encoded.
    pub(super) fn requested_base(&self) -> Pattern {
        if self.base.is_ascii() {
            literal(&self.encoded(""))
        } else {
            Pattern::new(URL_PATH).then("*")
        }
    }

    /// A page's path without suffix as requested: encoded.
    pub(super) fn requested_page(&self) -> Pattern {
        self.requested_base().then("/").then(URL_PATH).then("*")
    }

    /// The fields of every response that no resource overrides.
    pub(super) fn shared(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.everywhere
            .iter()
            .filter(|(name, _)| !policy::KIND_FIELDS.contains(name))
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// The site-wide value of this field; empty if there is none.
    pub(super) fn everywhere(&self, field: &str) -> &str {
        self.everywhere
            .iter()
            .find(|(name, _)| *name == field)
            .map_or("", |(_, value)| value)
    }

    /// Name and value of each field of [`policy::KIND_FIELDS`]; an absent value is empty. Responses without
    /// a resource have those of [`document`](Self::document).
    pub(super) fn own<'f>(
        &'f self,
        fields: &'f Fields,
    ) -> [(&'static str, &'f str); policy::KIND_FIELDS.len()] {
        let mut own = policy::KIND_FIELDS.map(|name| (name, self.everywhere(name)));
        for (field, value) in own.iter_mut().zip(&fields.own) {
            field.1 = value.as_deref().unwrap_or(field.1);
        }
        own
    }

    /// The fields of [`own`](Self::own) that differ from other fields.
    pub(super) fn own_unlike<'f>(
        &'f self,
        fields: &'f Fields,
        other: &'f Fields,
    ) -> impl Iterator<Item = (&'static str, &'f str)> {
        self.own(fields)
            .into_iter()
            .zip(self.own(other))
            .filter(|(own, other)| own != other)
            .map(|(own, _)| own)
    }
}

fn redirects(edition: &Edition) -> Vec<Redirect<'_>> {
    edition
        .moved()
        .filter(|(old, ..)| edition.get(old).is_none())
        .map(|(old, moved, url)| Redirect {
            old,
            url,
            rank: moved.rank,
        })
        .collect()
}

/// The fields of a class of resources, from its row of the cache table and a route of the class.
/// The media type of files is unknown.
fn fields_of_class(edition: &Edition, row: CacheRow, route: &Route) -> Fields {
    Fields {
        media_type: route.media_type().to_owned(),
        cache_control: row.cache_control(&edition.site),
        vary: row.vary().unwrap_or_default(),
        own: edition.kind_fields(route),
        link: None,
    }
}

/// The media type of a suffix without a rule.
pub(super) const UNKNOWN: &str = "application/octet-stream";
/// The path of content-hashed assets.
pub(super) const ASSETS: &str = "/_/";

/// The URL characters of a path. Captures are limited to them, so that nothing else gets into a
/// header field.
pub(super) const URL_PATH: &str = "[A-Za-z0-9._~!$&'()*+,;=:@%/-]";

/// A media range that lists `text/markdown` with the maximum weight, so that HTML cannot outweigh
/// it (PCRE and RE2, matched case-insensitively). A client with fractional weights gets HTML: a
/// host errs on the browser's side. Quotes could hide commas, so a field with a quote gets HTML as
/// well.
pub(super) const PREFERS_MARKDOWN: &str = concat!(
    r"^([^\x22]*,)?[ \t]*text/markdown[ \t]*",
    r"(;[ \t]*[a-pr-z][^;,\x22=]*=[^;,\x22]*)*",
    r"(;[ \t]*q=1(\.0?0?0?)?[ \t]*)?",
    r"(,[^\x22]*)?$"
);

/// Top-level files of the export for the host, not for readers.
pub(super) const HIDDEN: &[&str] = &[
    "/_headers",
    "/_redirects",
    "/.htaccess",
    "/.assetsignore",
    "/.nojekyll",
];

/// The suffix of a path's last segment, in lower case; empty if there is none.
fn suffix(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map(|(_, suffix)| suffix.to_ascii_lowercase())
        .unwrap_or_default()
}

/// The fields of most resources with a suffix. For assets only the media type counts, and only if
/// nothing else has the suffix.
fn suffixes(edition: &Edition, document: &Fields) -> BTreeMap<String, Fields> {
    let mut counts: BTreeMap<String, BTreeMap<(bool, Suffix), usize>> = BTreeMap::new();
    for resource in &edition.resources {
        let suffix = suffix(&resource.path);
        // A suffix with a character that configuration languages interpret is left to the
        // exceptions.
        if suffix.is_empty()
            || !suffix.bytes().all(|byte| byte.is_ascii_alphanumeric())
            || matches!(suffix.as_str(), "html" | "md")
        {
            continue;
        }
        let is_asset = resource.path.starts_with(ASSETS);
        let own = if is_asset {
            document.own.clone()
        } else {
            edition.kind_fields(&resource.route)
        };
        let says = Suffix {
            media_type: resource.route.media_type().to_owned(),
            own,
        };
        *counts
            .entry(suffix)
            .or_default()
            .entry((!is_asset, says))
            .or_default() += 1;
    }
    let mut suffixes = BTreeMap::new();
    for (suffix, all) in counts {
        if let Some(((_, Suffix { media_type, own }), _)) = all
            .into_iter()
            .max_by_key(|((counted, _), count)| (*counted, *count))
        {
            suffixes.insert(
                suffix,
                Fields {
                    media_type,
                    own,
                    ..document.clone()
                },
            );
        }
    }
    suffixes
}

/// The `Link` of most pages of a form, with a placeholder for the page's path.
fn usual_link(edition: &Edition, form: Form) -> Option<Template> {
    let mut counts: BTreeMap<Template, usize> = BTreeMap::new();
    for resource in edition
        .resources
        .iter()
        .filter(|resource| resource.route.form() == Some(form))
    {
        if let Some(link) = resource.link_text() {
            *counts.entry(template(edition, resource, link)).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(template, _)| template)
}

/// A resource's `Link` with its own path, in either form, replaced by the placeholder.
fn template(edition: &Edition, resource: &Resource, link: &str) -> Template {
    let Some(stem) = resource.route.stem() else {
        return Template(link.to_owned());
    };
    let base = &edition.site.base;
    let page = base.absolute(&stem);
    let origin = base.origin();
    let mut value = String::with_capacity(link.len());
    // Every address is behind a `<`.
    for (index, piece) in link.split('<').enumerate() {
        if index > 0 {
            value.push('<');
        }
        match piece.strip_prefix(&*page) {
            Some(rest) if is_form(rest) => {
                value.push_str(origin);
                value.push(PAGE);
                value.push_str(rest);
            }
            _ => value.push_str(piece),
        }
    }
    Template(value)
}

/// Whether what follows a page's path is the suffix of one of its forms, and the end of an address.
fn is_form(rest: &str) -> bool {
    let mut forms = [Form::Html, Form::Markdown].into_iter();
    forms.any(|form| {
        let after = rest.strip_prefix(form.suffix());
        after.is_some_and(|after| after.starts_with('>'))
    })
}

/// The paths of expired articles that no resource or redirect has.
fn gone(edition: &Edition, moved: &[Redirect<'_>]) -> Vec<String> {
    let both = |stem: &str| [format!("{stem}.html"), format!("{stem}.md")];
    let is_moved = |path: &str| {
        moved
            .binary_search_by(|redirect| redirect.old.cmp(path))
            .is_ok()
    };
    edition
        .expired()
        .flat_map(both)
        .filter(|path| edition.get(path).is_none() && !is_moved(path))
        .collect()
}
