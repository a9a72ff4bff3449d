//! The pages of authors' texts. One at the path of a generated page is merged with it, the author's
//! text first. So no two pages have the same path.

use std::borrow::Cow;

use diglot_content::Article;
use diglot_content::library::Kind as ArticleKind;

use super::guide_pages;
use super::page_data::{ContentPart, PageData, PageKind};
use super::shared::Shared;
use crate::route::{Form, Route};

/// The page of an author's text.
pub(super) fn page<'a>(
    shared: &Shared<'a>,
    article: &'a Article,
    position: Option<usize>,
) -> PageData<'a> {
    let place = shared.guide.place(&article.stem);
    PageData {
        route: match Route::of_stem(&article.stem, Form::Html) {
            // A text whose path is below `/sections/` is a page, not a section.
            Route::Section(path, form) => Route::Page(["sections/", &*path].concat().into(), form),
            route => route,
        },
        stem: article.stem.clone(),
        kind: if article.kind == ArticleKind::Article {
            PageKind::Article
        } else {
            PageKind::Page
        },
        title: Cow::Borrowed(&article.title),
        description: Cow::Borrowed(&article.summary),
        language: Cow::Borrowed(&article.language),
        rtl: article.rtl,
        updated: Some(article.updated),
        article: Some(article),
        position,
        place,
        parts: vec![ContentPart::from_article(article)],
        outline: guide_pages::contents_below(shared, article, place),
        groups: Vec::new(),
        pager: None,
        feed: if article.listed && article.kind == ArticleKind::Article {
            shared.feed_of(&article.language)
        } else {
            None
        },
        listed: article.listed,
        canonical: true,
    }
}

/// The author's page at this stem, to which what is generated is added; else a generated page.
pub(super) fn or_generated<'a>(
    shared: &Shared<'a>,
    stem: &str,
    kind: PageKind,
    title: String,
    language: &'a str,
) -> PageData<'a> {
    let own = shared.stems.get(stem).map(|article| PageData {
        kind,
        listed: true,
        feed: None,
        ..page(shared, article, None)
    });
    own.unwrap_or_else(|| {
        PageData::generated(Route::of_stem(stem, Form::Html), kind, title, language)
    })
}
