//! A page before it is written: the data that both forms share.

use std::borrow::Cow;
use std::sync::Arc;

use diglot_content::document::Content;
use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::{Article, Moment, Target};

/// The kind of a page, which names its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PageKind {
    Home,
    Article,
    Page,
    List,
}

impl PageKind {
    /// As templates see it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Article => "article",
            Self::Page => "page",
            Self::List => "list",
        }
    }

    /// The template that writes it.
    pub(super) const fn template(self) -> &'static str {
        match self {
            Self::Home => "home.html",
            Self::Article => "article.html",
            Self::Page => "page.html",
            Self::List => "list.html",
        }
    }
}

/// A page before it is written.
#[derive(Debug)]
pub(super) struct PageData<'a> {
    /// The path without suffix, decoded.
    pub(super) stem: Arc<str>,
    pub(super) kind: PageKind,
    /// Plain text: the one H1.
    pub(super) title: Cow<'a, str>,
    /// Plain text; may be empty.
    pub(super) description: Cow<'a, str>,
    /// BCP 47.
    pub(super) language: Cow<'a, str>,
    pub(super) rtl: bool,
    /// When it last changed; `None` when there is nothing that could have.
    pub(super) updated: Option<Moment>,
    /// What the author wrote for it, with its own date, authors, tags, translations and picture.
    pub(super) article: Option<&'a Article>,
    /// Its place among the library's articles.
    pub(super) position: Option<usize>,
    /// The content, in order.
    pub(super) parts: Vec<ContentPart>,
    /// Lists of articles after the content.
    pub(super) groups: Vec<ArticleGroup<'a>>,
    /// Whether lists and sitemaps name it.
    pub(super) listed: bool,
    /// Whether the page may be found: not so for the one that says "not found".
    pub(super) canonical: bool,
}

impl PageData<'_> {
    /// Gives it documents of its own: what has to be made to look at them is gone with it.
    pub(super) fn set_aside(&mut self) {
        for part in &mut self.parts {
            part.document = part.document.aside();
        }
    }
}

/// A document and where its references lead.
#[derive(Clone, Debug)]
pub(super) struct ContentPart {
    pub(super) document: Content,
    pub(super) targets: Arc<[Target]>,
    /// The language where it is not the page's.
    pub(super) language: Option<&'static str>,
}

impl ContentPart {
    /// What an author wrote.
    pub(super) fn of(article: &Article) -> Self {
        Self {
            document: article.document.clone(),
            targets: Arc::clone(&article.targets),
            language: None,
        }
    }
}

/// A listed article, and what lists are divided, dated and told apart by: articles lie all over the
/// memory, so each is looked at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedArticle<'a> {
    pub(super) article: &'a Article,
    /// A digest of all that a list without summaries says of it: many lists may hold one article.
    pub(super) key: Digest,
    pub(super) updated: Moment,
    pub(super) year: Option<i16>,
    /// Whether it is in the site's language.
    pub(super) own: bool,
}

impl<'a> ListedArticle<'a> {
    /// `None` where it is in no list.
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
    /// The language of the heading where it is not the page's.
    pub(super) language: Option<String>,
    /// The stem of the page that the heading leads to.
    pub(super) stem: Option<String>,
    pub(super) entries: Vec<ListedArticle<'a>>,
    /// Whether the summaries are shown.
    pub(super) summaries: bool,
    /// Links to further lists: title, stem, number of articles.
    pub(super) links: Vec<(String, String, Option<usize>)>,
}
