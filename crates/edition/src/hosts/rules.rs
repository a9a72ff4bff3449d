//! What every host has to be told, whatever its language: rules by pattern, and the few resources
//! that no pattern fits.
//!
//! The patterns are read off the edition itself: a rule is what most resources of a kind have, and
//! every resource that a rule would give another header field is an exception of its own. So a
//! configuration can be long, but never wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use diglot_content::site::encode_path;

use rayon::prelude::*;

use super::pattern::{Pattern, literal};
use crate::edition::Edition;
use crate::policy::{self, Own, Row};
use crate::resource::Resource;
use crate::route::{Form, Route};

/// Stands in a template for the page's encoded path without its suffix, the base URL's path
/// included: `/blog/articles/x`.
const PAGE: char = '\u{1}';

/// The header fields of one resource that differ from resource to resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fields {
    pub(super) media_type: String,
    pub(super) cache_control: Cow<'static, str>,
    pub(super) vary: &'static str,
    /// Those of [`policy::OWN`], in their order.
    pub(super) own: Own,
    pub(super) link: Option<Template>,
}

/// What a suffix says of a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Suffix {
    media_type: String,
    own: Own,
}

/// A header value in which the path of the page may stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template(String);

impl Template {
    /// The value with the page's encoded path in it.
    pub(super) fn with(&self, page: &str) -> String {
        self.0.replace(PAGE, page)
    }

    /// The parts of the value between which the page's path stands: for what the host calls the
    /// part that it matched.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split(PAGE)
    }

    /// The links of the value in which the page's path does not stand: what a host without captures
    /// can say.
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
    /// The path of the base URL, decoded; empty where the site is at the root of its origin.
    pub(super) base: &'a str,
    /// Header fields of every answer.
    pub(super) everywhere: Vec<(&'static str, String)>,
    /// `.html` pages.
    pub(super) html: Fields,
    /// Their twins at `.md`.
    pub(super) markdown: Fields,
    /// Everything else but its media type. It has no field of its own.
    pub(super) document: Fields,
    /// Content-hashed assets, everything but their media type.
    pub(super) asset: Fields,
    /// What a suffix, in lower case, says of everything but pages and assets.
    pub(super) suffixes: BTreeMap<String, Fields>,
    /// What no pattern fits: the resource's decoded path, and all its fields.
    pub(super) exceptions: Vec<(&'a str, Fields)>,
    /// Old addresses: decoded path, and the URL it leads to.
    pub(super) moved: Vec<(&'a str, String)>,
    /// Decoded paths of what has expired, in all its forms.
    pub(super) gone: Vec<String>,
}

impl<'a> Rules<'a> {
    pub(super) fn of(edition: &'a Edition) -> Self {
        let moved: Vec<_> = edition
            .redirects()
            .filter(|(old, _)| edition.get(old).is_none())
            .collect();
        let document = fields_of_class(edition, Row::Document, &Route::File("x".into()));
        let mut rules = Self {
            edition,
            base: edition.site.base.path(),
            everywhere: policy::everywhere(&edition.site, &edition.page_policy),
            html: Fields {
                link: usual_link(edition, Form::Html),
                ..fields_of_class(edition, Row::Html, &Route::Terms(Form::Html))
            },
            markdown: Fields {
                link: usual_link(edition, Form::Markdown),
                ..fields_of_class(edition, Row::Document, &Route::Terms(Form::Markdown))
            },
            asset: fields_of_class(edition, Row::Immutable, &Route::Asset("x".into())),
            suffixes: suffixes(edition, &document),
            document,
            exceptions: Vec::new(),
            gone: gone(edition, &moved),
            moved,
        };
        let all = edition
            .resources
            .par_iter()
            .map(|resource| (&*resource.path, rules.fields_of(resource)));
        rules.exceptions = all
            .filter(|(path, fields)| rules.predicted(path) != *fields)
            .collect();
        rules
    }

    /// The class of a decoded path: what the patterns say of it, but for the media type of an
    /// asset.
    pub(super) fn class_of(&self, path: &str) -> &Fields {
        match suffix(path).as_str() {
            _ if path.starts_with(ASSETS) => &self.asset,
            "html" => &self.html,
            "md" => &self.markdown,
            suffix => self.suffixes.get(suffix).unwrap_or(&self.document),
        }
    }

    /// What the patterns alone say of a decoded path.
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

    /// What the resource's own answer says.
    fn fields_of(&self, resource: &Resource) -> Fields {
        let (route, site) = (&resource.route, &self.edition.site);
        Fields {
            media_type: route.media_type().into_owned(),
            cache_control: policy::cache_control(route, site),
            vary: policy::vary(route),
            own: policy::own(route, site),
            link: resource
                .link_text()
                .map(|link| template(self.edition, resource, link)),
        }
    }

    /// The exceptions whose media type is another than their suffix says.
    pub(super) fn other_media_types(&self) -> impl Iterator<Item = (&'a str, &str)> {
        let other = self
            .exceptions
            .iter()
            .filter(|(path, fields)| self.predicted(path).media_type != fields.media_type);
        other.map(|(path, fields)| (*path, fields.media_type.as_str()))
    }

    /// The twins whose `Link` is another than that of most.
    pub(super) fn other_twin_links(&self) -> impl Iterator<Item = &(&'a str, Fields)> {
        self.exceptions
            .iter()
            .filter(|(path, fields)| path.ends_with(".md") && fields.link != self.markdown.link)
    }

    /// The documents that are answered at the origin's root as well, when the site is below it.
    pub(super) fn at_root(&self) -> &'static [Route] {
        if self.base.is_empty() {
            &[]
        } else {
            &[Route::Robots, Route::ApiCatalog]
        }
    }

    /// A decoded path with the base URL's path before it.
    pub(super) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The encoded path, with the base URL's before it, that a client asks for.
    pub(super) fn encoded(&self, path: &str) -> String {
        encode_path(&self.path(path))
    }

    /// The encoded path of a page without its suffix.
    pub(super) fn page(&self, path: &str) -> String {
        let mut page = self.encoded(path);
        page.truncate(page.rfind('.').unwrap_or(page.len()));
        page
    }

    /// The pattern of everything below the base URL's path that goes on like this.
    pub(super) fn below(&self, ours: &'static str) -> Pattern {
        Pattern::new("^").literal(self.base).then(ours)
    }

    /// The pattern of exactly this decoded path.
    pub(super) fn exactly(&self, path: &str) -> Pattern {
        Pattern::new("^").literal(&self.path(path)).then("$")
    }

    /// The base URL's path as it is in a request: encoded.
    pub(super) fn requested_base(&self) -> Pattern {
        if self.base.is_ascii() {
            literal(&self.encoded(""))
        } else {
            Pattern::new(URL_PATH).then("*")
        }
    }

    /// The path of a page without its suffix as it is in a request: encoded.
    pub(super) fn requested_page(&self) -> Pattern {
        self.requested_base().then("/").then(URL_PATH).then("*")
    }

    /// The fields of every answer that no resource has a value of its own for.
    pub(super) fn shared(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.everywhere
            .iter()
            .filter(|(name, _)| !policy::OWN.contains(name))
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// What every answer says of the field with this name; empty where it says nothing.
    pub(super) fn everywhere(&self, field: &str) -> &str {
        self.everywhere
            .iter()
            .find(|(name, _)| *name == field)
            .map_or("", |(_, value)| value)
    }

    /// Name and value of each of [`policy::OWN`]; the value is empty where there is none. Those of
    /// [`document`](Self::document) are what answers that are no resource have.
    pub(super) fn own<'f>(
        &'f self,
        fields: &Fields,
    ) -> [(&'static str, &'f str); policy::OWN.len()] {
        let mut own = policy::OWN.map(|name| (name, self.everywhere(name)));
        for (field, value) in own.iter_mut().zip(fields.own) {
            field.1 = value.unwrap_or(field.1);
        }
        own
    }

    /// Those of [`own`](Self::own) that are not what they are in other fields.
    pub(super) fn own_unlike<'f>(
        &'f self,
        fields: &Fields,
        other: &Fields,
    ) -> impl Iterator<Item = (&'static str, &'f str)> {
        self.own(fields)
            .into_iter()
            .zip(self.own(other))
            .filter(|(own, other)| own != other)
            .map(|(own, _)| own)
    }
}

/// The fields of a class of resources: its row of the cache table, the rest as a route of the class
/// has it. The media type of files is unknown.
fn fields_of_class(edition: &Edition, row: Row, route: &Route) -> Fields {
    Fields {
        media_type: route.media_type().into_owned(),
        cache_control: row.cache_control(&edition.site),
        vary: row.vary().unwrap_or_default(),
        own: policy::own(route, &edition.site),
        link: None,
    }
}

/// What a suffix that no rule names stands for.
pub(super) const UNKNOWN: &str = "application/octet-stream";
/// Where content-hashed assets live.
pub(super) const ASSETS: &str = "/_/";

/// Characters that a path is written with in a URL: what a captured part may hold, so that nothing
/// else gets into a header field.
pub(super) const URL_PATH: &str = "[A-Za-z0-9._~!$&'()*+,;=:@%/-]";

/// A media range that names `text/markdown` with the highest weight there is, so that HTML can
/// never be wanted more (PCRE and RE2, to be matched without regard to case). What weighs Markdown
/// against HTML by fractions gets HTML: a host errs to the browser's side. A quote would hide
/// commas; whoever sends one gets HTML as well.
pub(super) const PREFERS_MARKDOWN: &str = concat!(
    r"^([^\x22]*,)?[ \t]*text/markdown[ \t]*",
    r"(;[ \t]*[a-pr-z][^;,\x22=]*=[^;,\x22]*)*",
    r"(;[ \t]*q=1(\.0?0?0?)?[ \t]*)?",
    r"(,[^\x22]*)?$"
);

/// Files of the export at the top that are for the host and not for readers.
pub(super) const HIDDEN: &[&str] = &["/_headers", "/_redirects", "/.htaccess", "/.assetsignore"];

/// The suffix of a path's last segment, in lower case; empty where there is none.
fn suffix(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map(|(_, suffix)| suffix.to_ascii_lowercase())
        .unwrap_or_default()
}

/// What most resources with a suffix have. Of assets only the type counts, and only where nothing
/// else has the suffix.
fn suffixes(edition: &Edition, document: &Fields) -> BTreeMap<String, Fields> {
    let mut counts: BTreeMap<String, BTreeMap<(bool, Suffix), usize>> = BTreeMap::new();
    for resource in &edition.resources {
        let suffix = suffix(&resource.path);
        // A suffix with a character that configuration languages read in their own way is left to
        // the exceptions.
        if suffix.is_empty()
            || !suffix.bytes().all(|byte| byte.is_ascii_alphanumeric())
            || matches!(suffix.as_str(), "html" | "md")
        {
            continue;
        }
        let is_asset = resource.path.starts_with(ASSETS);
        let own = if is_asset {
            document.own
        } else {
            policy::own(&resource.route, &edition.site)
        };
        let says = Suffix {
            media_type: resource.route.media_type().into_owned(),
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

/// The `Link` that most pages of a form have, with the page's path as a place to fill.
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

/// A resource's `Link` with its own path, in either form, taken out.
fn template(edition: &Edition, resource: &Resource, link: &str) -> Template {
    let Some(stem) = resource.route.stem() else {
        return Template(link.to_owned());
    };
    let base = &edition.site.base;
    let mut value = link.to_owned();
    for form in [Form::Html, Form::Markdown] {
        let (own, place) = (
            format!("<{}{}>", base.absolute(&stem), form.suffix()),
            format!("<{}{PAGE}{}>", base.origin(), form.suffix()),
        );
        value = value.replace(&own, &place);
    }
    Template(value)
}

/// The paths of expired articles at which nothing else is, no old address either.
fn gone(edition: &Edition, moved: &[(&str, String)]) -> Vec<String> {
    let both = |stem: &str| [format!("{stem}.html"), format!("{stem}.md")];
    let is_moved = |path: &str| moved.binary_search_by(|(old, _)| (*old).cmp(path)).is_ok();
    edition
        .expired()
        .flat_map(both)
        .filter(|path| edition.get(path).is_none() && !is_moved(path))
        .collect()
}
