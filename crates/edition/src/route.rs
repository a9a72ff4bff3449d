//! Every public path: a closed enum from which path, media type, twin, caching and sitemap membership follow.

use std::sync::Arc;

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

/// How long an answer may be kept, and by whom: the rows of the contract's cache table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caching {
    /// Pages, twins at `.md` and documents: public, the site's lifetimes.
    Public,
    /// `/status.json`: `no-cache`.
    Revalidate,
    /// Content-hashed assets: a year, immutable.
    Immutable,
}

/// A public path. Paths are decoded and without the base URL's path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// `/index.html` (also answered at `/`), `/index.md`.
    Home(Form),
    /// `/articles/{slug}.html`, `.md`.
    Article(Arc<str>, Form),
    /// `/articles/index.html`, `.md`.
    ArticleList(Form),
    /// `/tags/{tag}.html`, `.md`.
    Tag(Arc<str>, Form),
    /// `/years/{yyyy}.html`, `.md`.
    Year(i16, Form),
    /// `/{page}.html`, `.md`; the path without suffix and leading `/`.
    Page(Arc<str>, Form),
    /// `/api.html`, `.md`.
    Api(Form),
    /// `/terms.html`, `.md`.
    Terms(Form),
    /// `/404.html`, `.md`.
    NotFound(Form),
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
    /// A file of the author's: the path without leading `/`.
    File(Arc<str>),
}
