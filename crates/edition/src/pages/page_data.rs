//! The data of a page, shared by both forms.

use std::borrow::Cow;
use std::sync::Arc;

use diglot_content::document::Content;
use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::{Article, Moment, Target};

use super::guide::{Place, Row};

/// The kind of a page, which determines its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PageKind {
    Home,
    Article,
    Page,
    Section,
    List,
    Search,
}

impl PageKind {
    /// The name in templates.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Article => "article",
            Self::Page => "page",
            Self::Section => "section",
            Self::List => "list",
            Self::Search => "search",
        }
    }

    /// The template of this kind.
    pub(super) const fn template(self) -> &'static str {
        match self {
            Self::Home => "home.html",
            Self::Article => "article.html",
            Self::Page => "page.html",
            Self::Section => "section.html",
            Self::List => "list.html",
            Self::Search => "search.html",
        }
    }
}

/// The data of a page.
#[derive(Debug)]
pub(super) struct PageData<'a> {
    /// The decoded path without suffix.
    pub(super) stem: Arc<str>,
    pub(super) kind: PageKind,
    /// Plain text: the one H1.
    pub(super) title: Cow<'a, str>,
    /// Plain text; may be empty.
    pub(super) description: Cow<'a, str>,
    /// BCP 47.
    pub(super) language: Cow<'a, str>,
    pub(super) rtl: bool,
    /// The last change; `None` if nothing can change.
    pub(super) updated: Option<Moment>,
    /// The source article, with its date, authors, tags, translations and picture.
    pub(super) article: Option<&'a Article>,
    /// The index of the text among the articles and pages of the library.
    pub(super) position: Option<usize>,
    /// Its place in the author's order of a guide.
    pub(super) place: Option<Place>,
    /// The content, in order.
    pub(super) parts: Vec<ContentPart>,
    /// What the section contains, or the whole guide, after the content.
    pub(super) outline: Vec<Row<'a>>,
    /// Lists of articles after the content.
    pub(super) groups: Vec<ArticleGroup<'a>>,
    /// Whether lists and sitemaps include it.
    pub(super) listed: bool,
    /// Whether the page may be indexed: false only for "not found".
    pub(super) canonical: bool,
}

impl PageData<'_> {
    /// Gives it separate documents: those parsed from now on are dropped with this value.
    pub(super) fn set_aside(&mut self) {
        for part in &mut self.parts {
            part.document = part.document.aside();
        }
    }
}

/// A document and the targets of its references.
#[derive(Clone, Debug)]
pub(super) struct ContentPart {
    pub(super) document: Content,
    pub(super) targets: Arc<[Target]>,
    /// The language, if it differs from the page's.
    pub(super) language: Option<&'static str>,
}

impl ContentPart {
    /// The parts of an author's text.
    pub(super) fn of(article: &Article) -> Self {
        Self {
            document: article.document.clone(),
            targets: Arc::clone(&article.targets),
            language: None,
        }
    }
}

/// A listed article with the keys for grouping, dating and comparing. Articles are spread over
/// memory, so each is read only once.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedArticle<'a> {
    pub(super) article: &'a Article,
    /// A digest of everything that a list without summaries shows of it, since many lists may
    /// include it.
    pub(super) key: Digest,
    pub(super) updated: Moment,
    pub(super) year: Option<i16>,
    /// Whether it is in the site's language.
    pub(super) own: bool,
}

impl<'a> ListedArticle<'a> {
    /// `None` if no list includes it.
    pub(super) fn of(article: &'a Article, language: &str) -> Option<Self> {
        let Article {
            stem,
            title,
            date,
            language: own,
            ..
        } = article;
        let year = article.date.as_ref().map(Moment::year);
        article.listed.then(|| Self {
            article,
            key: Fingerprint::of(&(stem, title, date, own)),
            updated: article.updated,
            year,
            own: article.language == language,
        })
    }
}

/// Articles under one heading.
#[derive(Debug, Default)]
pub(super) struct ArticleGroup<'a> {
    /// The heading.
    pub(super) title: Option<String>,
    /// The language of the heading, if it differs from the page's.
    pub(super) language: Option<String>,
    /// The stem of the page that the heading links.
    pub(super) stem: Option<String>,
    pub(super) entries: Vec<ListedArticle<'a>>,
    /// Whether the summaries are shown.
    pub(super) summaries: bool,
    /// Links to further lists: title, stem, number of articles.
    pub(super) links: Vec<(String, String, Option<usize>)>,
}
