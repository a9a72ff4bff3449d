//! Every public path: a closed enum that determines path, media type, twin, caching and sitemap
//! membership.

mod kinds;

use std::sync::Arc;

use diglot_content::site::html_place;
use serde::{Deserialize, Serialize};

use crate::media::{self, Media};
use kinds::{Content, KINDS, Kind};

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Form {
    /// For people.
    Html,
    /// For machines.
    Markdown,
}

impl Form {
    /// `.html` or `.md`.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Html => ".html",
            Self::Markdown => ".md",
        }
    }

    /// The other form.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Html => Self::Markdown,
            Self::Markdown => Self::Html,
        }
    }

    /// The value of `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
        }
    }
}

/// How long, and by whom, a response may be cached: the rows of the contract's cache table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caching {
    /// Pages, twins at `.md` and documents: public, with the site's lifetimes.
    Public,
    /// `/status.json`: `no-cache`.
    Revalidate,
    /// Content-hashed assets: a year, immutable.
    Immutable,
}

/// The documents that clients request at the origin's root, whatever the base URL's path (RFC 9309
/// section 2.3, RFC 9727 section 2). Skills are requested there as well ([`is_at_the_root`]).
pub const AT_THE_ROOT: [&str; 2] = ["/robots.txt", "/.well-known/api-catalog"];
/// Where skills are (Agent Skills Discovery 0.2.0, section "URI Structure").
pub const SKILLS: &str = "/.well-known/agent-skills/";

/// Whether clients request this path at the origin's root, whatever the base URL's path.
pub fn is_at_the_root(path: &str) -> bool {
    AT_THE_ROOT.contains(&path) || path.starts_with(SKILLS)
}

/// A public path. Paths are decoded and relative to the base URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Route {
    /// `/index.html` (also served at `/`), `/index.md`.
    Home(Form),
    /// `/articles/{slug}.html`, `.md`.
    Article(Arc<str>, Form),
    /// `/articles/index.html`, `.md`.
    ArticleList(Form),
    /// `/tags/{tag}.html`, `.md`.
    Tag(Arc<str>, Form),
    /// `/years/{yyyy}.html`, `.md`.
    Year(i16, Form),
    /// `/sections/{path}.html`, `.md`: a section of a guide that has no text of its own, or the
    /// articles in a folder of a journal.
    Section(Arc<str>, Form),
    /// `/{page}.html`, `.md`; the path without suffix and leading `/`.
    Page(Arc<str>, Form),
    /// `/api.html`, `.md`.
    Api(Form),
    /// `/terms.html`, `.md`.
    Terms(Form),
    /// `/404.html`, `.md`.
    NotFound(Form),
    /// `/search.html`, `.md`: the search page, not an author's of that name.
    Search(Form),
    /// `/search/index.json`.
    SearchIndex,
    /// `/rss.xml`.
    Rss,
    /// `/sitemap.xml`.
    Sitemap,
    /// `/sitemap-{n}.xml`.
    SitemapPart(u32),
    /// `/sitemap.md`.
    SitemapMarkdown,
    /// `/llms.txt`.
    Llms,
    /// `/llms/{section}.txt`, `/llms/{section}-{n}.txt`.
    LlmsPart(Arc<str>),
    /// `/llms-full.txt`.
    LlmsFull,
    /// `/status.json`.
    Status,
    /// `/openapi.json`.
    OpenApi,
    /// `/.well-known/api-catalog`.
    ApiCatalog,
    /// `/robots.txt`.
    Robots,
    /// `/_/{name}.{hash}.{ext}`: the part after `/_/`.
    Asset(Arc<str>),
    /// An author's file: the path without leading `/`.
    File(Arc<str>),
    /// `/languages/{tag}.html`, `.md`: the articles in another language than the site's.
    Language(Arc<str>, Form),
    /// `/articles/page-{n}.html`, `.md` and so on: a further page of a list; the path without suffix
    /// and leading `/`.
    ListPage(Arc<str>, Form),
    /// `/tags/{tag}.rss`, `/languages/{tag}.rss`, `/sections/{path}.rss`: the path without suffix and
    /// leading `/`.
    Feed(Arc<str>),
    /// `/opensearch.xml`: how browsers search this site.
    OpenSearch,
    /// `/changes.json`: what each of the last editions changed.
    Changes,
    /// `/changes.md`: the same for people.
    ChangesMarkdown,
    /// `/changes/{edition}.json`: what changed since an earlier edition.
    ChangesSince(Arc<str>),
    /// `/changes/all.json`: every listed page with its digest.
    Listing,
    /// `/.well-known/agent-skills/index.json`: the skills of the site.
    Skills,
    /// `/.well-known/agent-skills/{name}/SKILL.md`: how a program reads the site.
    Skill(Arc<str>),
}

impl Route {
    /// The route of a page by its stem: its decoded path without suffix (`/index`, `/articles/x`,
    /// `/tags/y`, `/about`).
    pub fn of_stem(stem: &str, form: Form) -> Self {
        let path = stem.strip_prefix('/').unwrap_or(stem);
        match path {
            "index" => Self::Home(form),
            "articles/index" => Self::ArticleList(form),
            "api" => Self::Api(form),
            "terms" => Self::Terms(form),
            "404" => Self::NotFound(form),
            _ => Self::in_folder(path, form),
        }
    }

    /// The route of a page by its path, which none of the fixed pages has.
    fn in_folder(path: &str, form: Form) -> Self {
        match path.split_once('/') {
            Some(("articles", slug)) => Self::Article(slug.into(), form),
            Some(("tags", tag)) => Self::Tag(tag.into(), form),
            Some(("sections", path)) => Self::Section(path.into(), form),
            Some(("years", year)) => match year.parse::<i16>() {
                Ok(number) if number.to_string() == year => Self::Year(number, form),
                _ => Self::Page(path.into(), form),
            },
            _ => Self::Page(path.into(), form),
        }
    }

    /// The decoded path relative to the base URL: `/articles/x.html`. The home page is
    /// `/index.html`, and is served at `/` as well.
    pub fn path(&self) -> String {
        match self {
            Self::Home(form) => ["/index", form.suffix()].concat(),
            Self::Article(slug, form) => ["/articles/", slug, form.suffix()].concat(),
            Self::ArticleList(form) => format!("/articles/index{}", form.suffix()),
            Self::Tag(tag, form) => ["/tags/", tag, form.suffix()].concat(),
            Self::Year(year, form) => format!("/years/{year}{}", form.suffix()),
            Self::Section(path, form) => ["/sections/", path, form.suffix()].concat(),
            Self::Page(path, form) => ["/", path, form.suffix()].concat(),
            Self::Api(form) => format!("/api{}", form.suffix()),
            Self::Terms(form) => format!("/terms{}", form.suffix()),
            Self::NotFound(form) => format!("/404{}", form.suffix()),
            Self::Search(form) => format!("/search{}", form.suffix()),
            Self::SearchIndex => "/search/index.json".into(),
            Self::Rss => "/rss.xml".into(),
            Self::Sitemap => "/sitemap.xml".into(),
            Self::SitemapPart(number) => format!("/sitemap-{number}.xml"),
            Self::SitemapMarkdown => "/sitemap.md".into(),
            Self::Llms => "/llms.txt".into(),
            Self::LlmsPart(name) => format!("/llms/{name}.txt"),
            Self::LlmsFull => "/llms-full.txt".into(),
            Self::Status => "/status.json".into(),
            Self::OpenApi => "/openapi.json".into(),
            Self::ApiCatalog => "/.well-known/api-catalog".into(),
            Self::Robots => "/robots.txt".into(),
            Self::Asset(name) => format!("/_/{name}"),
            Self::File(path) => ["/", path].concat(),
            Self::Language(tag, form) => ["/languages/", tag, form.suffix()].concat(),
            Self::ListPage(path, form) => ["/", path, form.suffix()].concat(),
            Self::Feed(path) => format!("/{path}.rss"),
            Self::OpenSearch => "/opensearch.xml".into(),
            Self::Changes => "/changes.json".into(),
            Self::ChangesMarkdown => "/changes.md".into(),
            Self::ChangesSince(edition) => format!("/changes/{edition}.json"),
            Self::Listing => "/changes/all.json".into(),
            Self::Skills => [SKILLS, "index.json"].concat(),
            Self::Skill(name) => [SKILLS, name, "/SKILL.md"].concat(),
        }
    }

    /// The path in URLs of this resource: `/` for the home page in HTML, else [`path`](Self::path).
    pub fn canonical_path(&self) -> String {
        match self {
            Self::Home(Form::Html) => "/".into(),
            other => other.path(),
        }
    }

    /// A page's path without suffix: `/index`, `/articles/x`; `None` if there are not two forms.
    pub fn stem(&self) -> Option<String> {
        let form = self.form()?;
        let mut path = self.path();
        path.truncate(path.len() - form.suffix().len());
        Some(path)
    }

    /// A page's form; `None` if there are not two forms.
    pub const fn form(&self) -> Option<Form> {
        match self {
            Self::Home(form)
            | Self::Article(_, form)
            | Self::ArticleList(form)
            | Self::Tag(_, form)
            | Self::Year(_, form)
            | Self::Section(_, form)
            | Self::Search(form)
            | Self::Language(_, form)
            | Self::ListPage(_, form) => Some(*form),
            Self::Page(_, form) | Self::Api(form) | Self::Terms(form) | Self::NotFound(form) => {
                Some(*form)
            }
            Self::SearchIndex
            | Self::Rss
            | Self::Sitemap
            | Self::SitemapPart(_)
            | Self::SitemapMarkdown
            | Self::Llms
            | Self::LlmsPart(_)
            | Self::LlmsFull => None,
            Self::Status
            | Self::OpenApi
            | Self::ApiCatalog
            | Self::Robots
            | Self::Feed(_)
            | Self::OpenSearch
            | Self::Changes
            | Self::ChangesMarkdown
            | Self::ChangesSince(_)
            | Self::Listing
            | Self::Skills
            | Self::Skill(_)
            | Self::Asset(_)
            | Self::File(_) => None,
        }
    }

    /// The same page in the other form.
    pub fn twin(&self) -> Option<Self> {
        let mut twin = self.clone();
        match &mut twin {
            Self::Home(form)
            | Self::Article(_, form)
            | Self::ArticleList(form)
            | Self::Tag(_, form)
            | Self::Year(_, form)
            | Self::Section(_, form)
            | Self::Search(form)
            | Self::Language(_, form)
            | Self::ListPage(_, form) => *form = form.other(),
            Self::Page(_, form) | Self::Api(form) | Self::Terms(form) | Self::NotFound(form) => {
                *form = form.other()
            }
            Self::SearchIndex
            | Self::Rss
            | Self::Sitemap
            | Self::SitemapPart(_)
            | Self::SitemapMarkdown
            | Self::Llms
            | Self::LlmsPart(_)
            | Self::LlmsFull
            | Self::Status
            | Self::OpenApi
            | Self::ApiCatalog
            | Self::Robots
            | Self::Feed(_)
            | Self::OpenSearch
            | Self::Changes
            | Self::ChangesMarkdown
            | Self::ChangesSince(_)
            | Self::Listing
            | Self::Skills
            | Self::Skill(_)
            | Self::Asset(_)
            | Self::File(_) => return None,
        }
        Some(twin)
    }

    /// The value of `Content-Type`.
    pub fn media_type(&self) -> &'static str {
        match (self.kind().content, self.form()) {
            (Content::Document(media_type), _) => media_type,
            (_, Some(form)) => form.media_type(),
            (_, None) => self.media().content_type,
        }
    }

    /// The properties of a file by its suffix.
    fn media(&self) -> Media {
        match self {
            Self::Asset(path) | Self::File(path) => media::by_suffix(path),
            other => media::by_suffix(&other.path()),
        }
    }

    /// Whether a content-coding can reduce the size: not for pictures, fonts and archives, which
    /// are compressed.
    pub fn compressible(&self) -> bool {
        !matches!(self.kind().content, Content::File) || self.media().compressible
    }

    /// How long a 200 may be cached. The negotiated Markdown form has its own row: see
    /// [`policy`](crate::policy).
    pub fn caching(&self) -> Caching {
        self.kind().caching
    }

    /// Whether `sitemap.xml` may list it: HTML pages except the "not found" page. (Unlisted pages
    /// are excluded as well.)
    pub fn in_sitemap(&self) -> bool {
        self.form() == Some(Form::Html) && !matches!(self, Self::NotFound(_))
    }

    /// Whether `Accept` selects the form: at every page's `.html`.
    pub fn negotiated(&self) -> bool {
        self.form() == Some(Form::Html)
    }

    /// Whether only Diglot generates it, never an author's file.
    pub fn generated(&self) -> bool {
        self.kind().is_generated
    }

    const fn kind(&self) -> &'static Kind {
        &KINDS[self.kind_index()]
    }

    /// Whether it is one of the documents on changes. No edition's id covers them, since they tell
    /// what led to an edition.
    pub const fn is_of_changes(&self) -> bool {
        matches!(
            self,
            Self::Changes | Self::ChangesMarkdown | Self::ChangesSince(_) | Self::Listing
        )
    }

    /// The name of every kind in one word, in the order of [`kind_index`](Self::kind_index).
    pub const KIND_NAMES: [&str; KINDS.len()] = {
        let mut names = [""; KINDS.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = KINDS[index].name;
            index += 1;
        }
        names
    };

    /// The index of the kind, for tables of counters.
    pub const fn kind_index(&self) -> usize {
        match self {
            Self::Home(_) => 0,
            Self::Article(..) => 1,
            Self::ArticleList(_) => 2,
            Self::Tag(..) => 3,
            Self::Year(..) => 4,
            Self::Page(..) => 5,
            Self::Api(_) => 6,
            Self::Terms(_) => 7,
            Self::NotFound(_) => 8,
            Self::Rss => 9,
            Self::Sitemap => 10,
            Self::SitemapPart(_) => 11,
            Self::SitemapMarkdown => 12,
            Self::Llms => 13,
            Self::LlmsPart(_) => 14,
            Self::LlmsFull => 15,
            Self::Status => 16,
            Self::OpenApi => 17,
            Self::ApiCatalog => 18,
            Self::Robots => 19,
            Self::Asset(_) => 20,
            Self::File(_) => 21,
            Self::Section(..) => 22,
            Self::Search(_) => 23,
            Self::SearchIndex => 24,
            Self::Language(..) => 25,
            Self::ListPage(..) => 26,
            Self::Feed(_) => 27,
            Self::OpenSearch => 28,
            Self::Changes => 29,
            Self::ChangesMarkdown => 30,
            Self::ChangesSince(_) => 31,
            Self::Listing => 32,
            Self::Skills => 33,
            Self::Skill(_) => 34,
        }
    }

    /// The name of the kind in one word, for metrics and logs.
    pub const fn kind_name(&self) -> &'static str {
        self.kind().name
    }
}

/// The path in URLs of a page's HTML form: `/` for the home page.
pub(crate) fn html_path(stem: &str) -> String {
    let (path, rest) = html_place(stem);
    [path, rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_names_one_route_and_back() {
        for stem in [
            "/index",
            "/articles/index",
            "/articles/a/b c",
            "/tags/größe",
            "/years/2024",
            "/years/02024",
            "/years/x",
            "/sections/guide/first-steps",
            "/about",
            "/docs/a",
            "/api",
            "/terms",
            "/404",
        ] {
            for form in [Form::Html, Form::Markdown] {
                let route = Route::of_stem(stem, form);
                assert_eq!(route.stem().as_deref(), Some(stem));
                assert_eq!(route.path(), format!("{stem}{}", form.suffix()));
                let twin = route.twin().unwrap();
                assert_eq!(
                    (twin.form(), twin.stem()),
                    (Some(form.other()), route.stem())
                );
                assert_eq!(route.negotiated(), form == Form::Html);
            }
        }
    }

    #[test]
    fn contract_1_every_resource_has_its_path_and_type() {
        for (route, path, media_type) in [
            (Route::Rss, "/rss.xml", "application/xml; charset=utf-8"),
            (
                Route::Sitemap,
                "/sitemap.xml",
                "application/xml; charset=utf-8",
            ),
            (
                Route::SitemapPart(2),
                "/sitemap-2.xml",
                "application/xml; charset=utf-8",
            ),
            (
                Route::SitemapMarkdown,
                "/sitemap.md",
                "text/markdown; charset=utf-8",
            ),
            (Route::Llms, "/llms.txt", "text/plain; charset=utf-8"),
            (
                Route::LlmsPart("2024-1".into()),
                "/llms/2024-1.txt",
                "text/plain; charset=utf-8",
            ),
            (
                Route::LlmsFull,
                "/llms-full.txt",
                "text/plain; charset=utf-8",
            ),
            (
                Route::Home(Form::Html),
                "/index.html",
                "text/html; charset=utf-8",
            ),
            (
                Route::Article("a/b".into(), Form::Markdown),
                "/articles/a/b.md",
                "text/markdown; charset=utf-8",
            ),
            (
                Route::Year(2024, Form::Html),
                "/years/2024.html",
                "text/html; charset=utf-8",
            ),
            (
                Route::Section("guide/first-steps".into(), Form::Markdown),
                "/sections/guide/first-steps.md",
                "text/markdown; charset=utf-8",
            ),
            (Route::Status, "/status.json", "application/json"),
            (Route::OpenApi, "/openapi.json", "application/json"),
            (
                Route::ApiCatalog,
                "/.well-known/api-catalog",
                "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
            ),
            (Route::Robots, "/robots.txt", "text/plain; charset=utf-8"),
            (Route::Changes, "/changes.json", "application/json"),
            (
                Route::ChangesMarkdown,
                "/changes.md",
                "text/markdown; charset=utf-8",
            ),
            (
                Route::ChangesSince("0f".into()),
                "/changes/0f.json",
                "application/json",
            ),
            (Route::Listing, "/changes/all.json", "application/json"),
            (
                Route::Skills,
                "/.well-known/agent-skills/index.json",
                "application/json",
            ),
            (
                Route::Skill("read-a".into()),
                "/.well-known/agent-skills/read-a/SKILL.md",
                "text/markdown; charset=utf-8",
            ),
            (
                Route::OpenSearch,
                "/opensearch.xml",
                "application/opensearchdescription+xml",
            ),
            (
                Route::Asset("main.0f.css".into()),
                "/_/main.0f.css",
                "text/css; charset=utf-8",
            ),
            (
                Route::File("img/a.svg".into()),
                "/img/a.svg",
                "image/svg+xml",
            ),
        ] {
            assert_eq!(route.path(), path);
            assert_eq!(route.media_type(), media_type, "{path}");
        }
    }

    #[test]
    fn the_sitemap_names_pages_in_html_only() {
        assert!(
            Route::Home(Form::Html).in_sitemap() && Route::Tag("x".into(), Form::Html).in_sitemap()
        );
        assert!(
            !Route::Home(Form::Markdown).in_sitemap()
                && !Route::NotFound(Form::Html).in_sitemap()
                && !Route::Rss.in_sitemap()
        );
    }
}
