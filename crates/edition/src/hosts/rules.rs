//! What every host has to be told, whatever its language: rules by pattern, and the few resources that no pattern fits.
//!
//! The patterns are read off the edition itself: a rule is what most resources of a kind have, and every resource that a rule would give
//! another header field is an exception of its own. So a configuration can be long, but never wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use diglot_content::site::encode_path;

use rayon::prelude::*;

use crate::edition::Edition;
use crate::policy::{self, Row};
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
    pub(super) disposition: Option<&'static str>,
    pub(super) link: Option<Template>,
}

/// A header value in which the path of the page may stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template(String);

impl Template {
    /// The value with the page's path written as `capture`: what the host calls the matched part, or the path itself.
    pub(super) fn with(&self, capture: &str) -> String {
        self.0.replace(PAGE, capture)
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
    /// Media types by suffix, in lower case; not `html` and `md`.
    pub(super) suffixes: BTreeMap<String, String>,
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
            disposition: None,
            link: None,
        };
        let sample = Route::Terms(Form::Markdown);
        let mut rules = Self {
            edition,
            everywhere: policy::everywhere(site),
            html: Fields { link: usual_link(edition, Form::Html), ..pattern(Row::Html, Form::Html.media_type()) },
            markdown: Fields {
                link: usual_link(edition, Form::Markdown),
                disposition: policy::content_disposition(&sample),
                ..pattern(Row::Document, Form::Markdown.media_type())
            },
            document: pattern(Row::Document, ""),
            asset: pattern(Row::Immutable, ""),
            suffixes: suffixes(edition),
            exceptions: Vec::new(),
            moved: edition.redirects().filter(|(old, _)| edition.get(old).is_none()).collect(),
            gone: gone(edition),
        };
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
        let media_type = self.suffixes.get(&suffix).map_or(UNKNOWN, String::as_str).to_owned();
        match suffix.as_str() {
            _ if path.starts_with(ASSETS) => Fields { media_type, ..self.asset.clone() },
            "html" => self.html.clone(),
            "md" => self.markdown.clone(),
            _ => Fields { media_type, ..self.document.clone() },
        }
    }

    /// What the resource's own answer says.
    fn real(&self, resource: &Resource) -> Fields {
        let route = &resource.route;
        Fields {
            media_type: route.media_type().into_owned(),
            cache_control: policy::cache_control(route, &self.edition.site),
            vary: policy::vary(route),
            disposition: policy::content_disposition(route),
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

    /// A name made of the site's address, for variables that must be unique on a host with several sites: `example_org_blog`.
    pub(super) fn name(&self) -> String {
        let address = self.edition.site.base.to_string();
        let host = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        host.chars().map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '_' }).collect()
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
pub(super) const PREFERS_MARKDOWN: &str =
    concat!(r#"^([^"]*,)?[ \t]*text/markdown[ \t]*"#, r#"(;[ \t]*[a-pr-z][^;,"=]*=[^;,"]*)*"#, r"(;[ \t]*q=1(\.0?0?0?)?[ \t]*)?", r#"(,[^"]*)?$"#);

/// Files of the export that are for the host and not for readers.
pub(super) const HIDDEN: &[&str] = &["/_headers", "/_redirects", "/.htaccess", "/.assetsignore"];

/// A literal in a regular expression (PCRE and RE2).
pub(super) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii_punctuation()
            && !matches!(char, '/' | '_' | '-' | '%' | '"' | '\'' | '<' | '>' | '!' | ',' | '=' | ':' | ';' | '&' | '@' | '~' | '`' | '#')
        {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

/// The suffix of a path's last segment, in lower case; empty where there is none.
fn suffix(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, suffix)| suffix.to_ascii_lowercase()).unwrap_or_default()
}

/// The media type that most resources with a suffix have.
fn suffixes(edition: &Edition) -> BTreeMap<String, String> {
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for resource in &edition.resources {
        let suffix = suffix(&resource.path);
        // A suffix with a character that configuration languages read in their own way is left to the exceptions.
        if !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !matches!(suffix.as_str(), "html" | "md") {
            *counts.entry(suffix).or_default().entry(resource.route.media_type().into_owned()).or_default() += 1;
        }
    }
    let most = |types: BTreeMap<String, usize>| types.into_iter().max_by_key(|(_, count)| *count).map(|(media_type, _)| media_type);
    counts.into_iter().filter_map(|(suffix, types)| Some((suffix, most(types)?))).collect()
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

/// The paths of expired articles that nothing else stands at.
fn gone(edition: &Edition) -> Vec<String> {
    let both = |stem: &str| [format!("{stem}.html"), format!("{stem}.md")];
    edition.expired().flat_map(both).filter(|path| edition.get(path).is_none()).collect()
}

/// A URL or path with every character encoded that some host's configuration would read as its own.
pub(super) fn safe_url(url: &str) -> String {
    url.replace('$', "%24").replace('\'', "%27").replace('{', "%7B").replace('}', "%7D")
}

/// The encoded path, with the base URL's before it, that a client asks for.
pub(super) fn encoded(rules: &Rules<'_>, path: &str) -> String {
    encode_path(&rules.path(path))
}
