//! The data of a page, shared by both forms.

use std::borrow::Cow;
use std::sync::Arc;

use diglot_content::document::Content;
use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::language::{is_kin, is_rtl};
use diglot_content::{Article, Moment, Target};

use super::article_cover;
use super::guide::{ContentsEntry, NodeId};
use crate::route::Route;

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
    /// The route of its HTML form.
    pub(super) route: Route,
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
    pub(super) place: Option<NodeId>,
    /// The content, in order.
    pub(super) parts: Vec<ContentPart>,
    /// What the section contains, or the whole guide, after the content.
    pub(super) outline: Vec<ContentsEntry<'a>>,
    /// Lists of articles after the content.
    pub(super) groups: Vec<ArticleGroup<'a>>,
    /// Its place among the pages of a list that has several.
    pub(super) pager: Option<Pager>,
    /// The feed that the page is in, if it is not the site's.
    pub(super) feed: Option<PartFeed>,
    /// Whether lists and sitemaps include it.
    pub(super) listed: bool,
    /// Whether the page may be indexed: false only for "not found".
    pub(super) canonical: bool,
}

impl<'a> PageData<'a> {
    /// A generated page at an address that no author's text has.
    pub(super) fn generated(
        route: Route,
        kind: PageKind,
        title: String,
        language: impl Into<Cow<'a, str>>,
    ) -> Self {
        let language = language.into();
        Self {
            stem: route.stem().unwrap_or_default().into(),
            route,
            kind,
            title: Cow::Owned(title),
            description: Cow::Borrowed(""),
            rtl: is_rtl(&language),
            language,
            updated: None,
            article: None,
            position: None,
            place: None,
            parts: Vec::new(),
            outline: Vec::new(),
            groups: Vec::new(),
            pager: None,
            feed: None,
            listed: true,
            canonical: true,
        }
    }

    /// Adds lists. The page is as new as their newest article.
    pub(super) fn with_groups(
        mut self,
        groups: Vec<ArticleGroup<'a>>,
        newest: Option<Moment>,
        summary: impl FnOnce() -> String,
    ) -> Self {
        self.updated = self.updated.max(newest);
        self.groups = groups;
        if self.description.is_empty() {
            self.description = Cow::Owned(summary());
        }
        self
    }

    /// Gives it separate documents: those parsed from now on are dropped with this value.
    pub(super) fn set_aside(&mut self) {
        for part in &mut self.parts {
            part.document = part.document.aside();
        }
    }
}

/// The place of a page among those of its list. Pages are numbered from 1.
#[derive(Clone, Debug, Hash)]
pub(super) struct Pager {
    pub(super) number: usize,
    /// The stem of the page before it.
    pub(super) previous: Option<Arc<str>>,
    /// The stem of the page after it.
    pub(super) next: Option<Arc<str>>,
    /// The pages that it links: the first, the last, and those around it.
    pub(super) near: Vec<(usize, Arc<str>)>,
}

/// The feed of a tag, a language or a section.
#[derive(Clone, Debug, Hash)]
pub struct PartFeed {
    /// Where it is.
    pub route: Route,
    /// Plain text.
    pub title: String,
}

impl PartFeed {
    /// The kind of part, and its name in the address: `tags` and `rust`.
    pub fn part(&self) -> Option<(&str, &str)> {
        match &self.route {
            Route::Feed(path) => path.split_once('/'),
            _ => None,
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
    pub(super) fn from_article(article: &Article) -> Self {
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
    /// A digest of everything that a list shows of it, since many lists may include it.
    pub(super) key: Digest,
    pub(super) updated: Moment,
    pub(super) year: Option<i16>,
    /// Whether it is in the language of the list of all articles.
    pub(super) own: bool,
    /// The picture that lists show.
    pub(super) cover: Option<&'a Target>,
    /// Its index in the library.
    pub(super) index: usize,
}

impl<'a> ListedArticle<'a> {
    /// `None` if no list includes it.
    pub(super) fn from_article(
        article: &'a Article,
        index: usize,
        language: &str,
        is_ordered: bool,
    ) -> Option<Self> {
        let Article {
            stem,
            title,
            date,
            language: own,
            summary,
            ..
        } = article;
        let year = article.date.as_ref().map(Moment::year);
        let cover = article_cover::find(article, is_ordered);
        article.listed.then(|| Self {
            article,
            key: Fingerprint::hash_one(&(stem, title, date, own, summary, cover)),
            updated: article.updated,
            year,
            own: is_kin(own, language),
            cover,
            index,
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
    /// What its links or entries are: for people who do not see them, and before a second list in a twin.
    pub(super) label: Option<String>,
    /// Links to further lists.
    pub(super) links: Vec<GroupLink>,
}

impl ArticleGroup<'_> {
    /// The heading alone.
    pub(super) fn heading(&self) -> Self {
        Self {
            title: self.title.clone(),
            language: self.language.clone(),
            stem: self.stem.clone(),
            ..Self::default()
        }
    }
}

/// A link to a list.
#[derive(Clone, Debug, Hash)]
pub(super) struct GroupLink {
    pub(super) title: String,
    pub(super) stem: String,
    /// The language of the title, if it differs from the page's.
    pub(super) language: Option<String>,
    /// The number of articles.
    pub(super) count: Option<usize>,
}
