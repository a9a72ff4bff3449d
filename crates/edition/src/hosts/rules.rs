//! What every host has to be told, whatever its language: rules by pattern, and the few resources that no pattern fits.
//!
//! The patterns are read off the edition itself: a rule is what most resources of a kind have, and every resource that a rule would give
//! another header field is an exception of its own. So a configuration can be long, but never wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use diglot_content::site::encode_path;

use rayon::prelude::*;

use crate::edition::Edition;
use crate::policy::{self, Own, Row};
use crate::resource::Resource;
use crate::route::{Form, Route};

/// Stands in a template for the page's encoded path without its suffix, the base URL's path included: `/blog/articles/x`.
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
pub(super) struct Suffix {
    pub(super) media_type: String,
    pub(super) own: Own,
}

/// A header value in which the path of the page may stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template(String);

impl Template {
    /// The value with the page's encoded path in it.
    pub(super) fn with(&self, page: &str) -> String {
        self.0.replace(PAGE, page)
    }

    /// The parts of the value between which the page's path stands: for what the host calls the part that it matched.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split(PAGE)
    }

    /// The links of the value in which the page's path does not stand: what a host without captures can say.
    pub(super) fn constant(&self) -> Option<String> {
        let links: Vec<&str> = self.0.split(", <").filter(|link| !link.contains(PAGE)).collect();
        let value = links.join(", <");
        (!value.is_empty()).then(|| if value.starts_with('<') { value } else { format!("<{value}") })
    }
}

/// The rules of one edition.
pub(super) struct Rules<'a> {
    pub(super) edition: &'a Edition,
    /// Header fields of every answer.
    pub(super) everywhere: Vec<(&'static str, String)>,
    /// `.html` pages.
    pub(super) html: Fields,
    /// Their twins at `.md`.
    pub(super) markdown: Fields,
    /// Everything else but its media type.
    pub(super) document: Fields,
    /// Content-hashed assets, everything but their media type.
    pub(super) asset: Fields,
    /// Media types and own fields by suffix, in lower case; not `html` and `md`. Of assets the type alone.
    pub(super) suffixes: BTreeMap<String, Suffix>,
    /// What no pattern fits: the resource's decoded path, and all its fields.
    pub(super) exceptions: Vec<(&'a str, Fields)>,
    /// Old addresses: decoded path, and the URL it leads to.
    pub(super) moved: Vec<(&'a str, String)>,
    /// Decoded paths of what has expired, in all its forms.
    pub(super) gone: Vec<String>,
}

impl<'a> Rules<'a> {
    pub(super) fn of(edition: &'a Edition) -> Self {
        let site = &edition.site;
        let pattern = |row: Row, media_type: &str| Fields {
            media_type: media_type.to_owned(),
            cache_control: row.cache_control(site),
            vary: row.vary().unwrap_or(policy::VARY_CODING),
            own: policy::own(&Route::File("x".into()), site),
            link: None,
        };
        let own = |form| policy::own(&Route::Terms(form), site);
        let mut rules = Self {
            edition,
            everywhere: policy::everywhere(site, &edition.page_policy),
            html: Fields { link: usual_link(edition, Form::Html), own: own(Form::Html), ..pattern(Row::Html, Form::Html.media_type()) },
            markdown: Fields {
                link: usual_link(edition, Form::Markdown),
                own: own(Form::Markdown),
                ..pattern(Row::Document, Form::Markdown.media_type())
            },
            document: pattern(Row::Document, ""),
            asset: Fields { own: policy::own(&Route::Asset("x".into()), site), ..pattern(Row::Immutable, "") },
            suffixes: suffixes(edition),
            exceptions: Vec::new(),
            moved: edition.redirects().filter(|(old, _)| edition.get(old).is_none()).collect(),
            gone: Vec::new(),
        };
        rules.gone = gone(edition, &rules.moved);
        rules.exceptions = edition
            .resources
            .par_iter()
            .map(|resource| (&*resource.path, rules.real(resource)))
            .filter(|(path, real)| rules.predicted(path) != *real)
            .collect();
        rules
    }

    /// What the patterns alone say of a decoded path.
    pub(super) fn predicted(&self, path: &str) -> Fields {
        let suffix = suffix(path);
        let known = self.suffixes.get(&suffix);
        let media_type = known.map_or(UNKNOWN, |known| &known.media_type).to_owned();
        match suffix.as_str() {
            _ if path.starts_with(ASSETS) => Fields { media_type, ..self.asset.clone() },
            "html" => self.html.clone(),
            "md" => self.markdown.clone(),
            _ => Fields { media_type, own: known.map_or_else(|| self.document.own.clone(), |known| known.own.clone()), ..self.document.clone() },
        }
    }

    /// What the resource's own answer says.
    fn real(&self, resource: &Resource) -> Fields {
        let route = &resource.route;
        Fields {
            media_type: route.media_type().into_owned(),
            cache_control: policy::cache_control(route, &self.edition.site),
            vary: policy::vary(route),
            own: policy::own(route, &self.edition.site),
            link: resource.link_text().map(|link| template(self.edition, resource, link)),
        }
    }

    /// A decoded path with the base URL's path before it.
    pub(super) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.edition.site.base.path())
    }

    /// The origin and nothing else: what a captured path, which begins with the base URL's path, is appended to.
    pub(super) fn rooted(&self, path: &str) -> String {
        self.edition.site.base.rooted(path)
    }

    /// The fields of every answer that no resource has a value of its own for.
    pub(super) fn shared(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.everywhere.iter().filter(|(name, _)| !policy::OWN.contains(name)).map(|(name, value)| (*name, value.as_str()))
    }

    /// What an answer that is no resource says for one of [`policy::OWN`]: an error, a redirect.
    pub(super) fn otherwise(&self, number: usize) -> &str {
        let name = policy::OWN[number];
        self.everywhere.iter().find(|(other, _)| *other == name).map_or("", |(_, value)| value)
    }

    /// The value of one of [`policy::OWN`] in these fields, empty where there is none.
    pub(super) fn own<'f>(&'f self, fields: &'f Fields, number: usize) -> &'f str {
        fields.own[number].as_deref().unwrap_or_else(|| self.otherwise(number))
    }
}

/// What a suffix that no rule names stands for.
pub(super) const UNKNOWN: &str = "application/octet-stream";
/// Where content-hashed assets live.
pub(super) const ASSETS: &str = "/_/";

/// Characters that a path is written with in a URL: what a captured part may hold, so that nothing else gets into a header field.
pub(super) const URL_PATH: &str = "[A-Za-z0-9._~!$&'()*+,;=:@%/-]";

/// A media range that names `text/markdown` with the highest weight there is, so that HTML can never be wanted more (PCRE and RE2, to be
/// matched without regard to case). What weighs Markdown against HTML by fractions gets HTML: a host errs to the browser's side.
/// A quote would hide commas; whoever sends one gets HTML as well.
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
    name.rsplit_once('.').map(|(_, suffix)| suffix.to_ascii_lowercase()).unwrap_or_default()
}

/// What most resources with a suffix have. Of assets only the type counts, and only where nothing else has the suffix.
fn suffixes(edition: &Edition) -> BTreeMap<String, Suffix> {
    let mut counts: BTreeMap<String, BTreeMap<(bool, Suffix), usize>> = BTreeMap::new();
    let plain = Route::File("x".into());
    for resource in &edition.resources {
        let suffix = suffix(&resource.path);
        // A suffix with a character that configuration languages read in their own way is left to the exceptions.
        if !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !matches!(suffix.as_str(), "html" | "md") {
            let asset = resource.path.starts_with(ASSETS);
            let own = policy::own(if asset { &plain } else { &resource.route }, &edition.site);
            let says = Suffix { media_type: resource.route.media_type().into_owned(), own };
            *counts.entry(suffix).or_default().entry((!asset, says)).or_default() += 1;
        }
    }
    let most =
        |all: BTreeMap<(bool, Suffix), usize>| all.into_iter().max_by_key(|((counted, _), count)| (*counted, *count)).map(|((_, says), _)| says);
    counts.into_iter().filter_map(|(suffix, all)| Some((suffix, most(all)?))).collect()
}

/// The `Link` that most pages of a form have, with the page's path as a place to fill.
fn usual_link(edition: &Edition, form: Form) -> Option<Template> {
    let mut counts: BTreeMap<Template, usize> = BTreeMap::new();
    let pages = edition.resources.par_iter().filter(|resource| resource.route.form() == Some(form));
    let templates: Vec<Template> = pages.filter_map(|resource| Some(template(edition, resource, resource.link_text()?))).collect();
    for template in templates {
        *counts.entry(template).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(template, _)| template)
}

/// A resource's `Link` with its own path, in either form, taken out.
fn template(edition: &Edition, resource: &Resource, link: &str) -> Template {
    let Some(stem) = resource.route.stem() else { return Template(link.to_owned()) };
    let base = &edition.site.base;
    let mut value = link.to_owned();
    for form in [Form::Html, Form::Markdown] {
        let (own, place) = (format!("<{}{}>", base.absolute(&stem), form.suffix()), format!("<{}{PAGE}{}>", base.origin(), form.suffix()));
        value = value.replace(&own, &place);
    }
    Template(value)
}

/// The paths of expired articles at which nothing else is, no old address either.
fn gone(edition: &Edition, moved: &[(&str, String)]) -> Vec<String> {
    let both = |stem: &str| [format!("{stem}.html"), format!("{stem}.md")];
    let is_moved = |path: &str| moved.binary_search_by(|(old, _)| (*old).cmp(path)).is_ok();
    edition.expired().flat_map(both).filter(|path| edition.get(path).is_none() && !is_moved(path)).collect()
}

/// The encoded path, with the base URL's before it, that a client asks for.
pub(super) fn encoded(rules: &Rules<'_>, path: &str) -> String {
    encode_path(&rules.path(path))
}

/// The encoded path of a page without its suffix.
pub(super) fn page_of(rules: &Rules<'_>, path: &str) -> String {
    let encoded = encoded(rules, path);
    encoded.rsplit_once('.').map_or(encoded.clone(), |(page, _)| page.to_owned())
}
