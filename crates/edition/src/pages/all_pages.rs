//! Determines the pages and the parts of each. An author's page at the path of a built-in one is
//! merged with it, the author's text first. So no two pages have the same path.

use diglot_content::library::Kind as ArticleKind;
use diglot_content::{AT_ONCE, Article, Moment, Problem, Shape};
use jiff::Timestamp;
use rayon::prelude::*;
use std::borrow::Cow;

use super::page_data::{ArticleGroup, ContentPart, ListedArticle, PageData, PageKind};
use super::shared::{Shared, is_rtl};
use super::words::Words;
use super::{archive, builtin, search, way};
use crate::policy;

/// The pages that Diglot generates; they come after the others. An author's page is unchanged
/// ([`written`]), unless its stem is that of a generated page.
///
/// # Errors
/// The errors in the templates of the built-in texts.
pub(super) fn made_pages<'a>(shared: &Shared<'a>) -> Result<Vec<PageData<'a>>, Vec<Problem>> {
    let library = shared.context.library;
    let language = &shared.context.site.language;
    let rows: Vec<Option<ListedArticle<'_>>> = library
        .articles
        .par_iter()
        .with_max_len(AT_ONCE)
        .map(|article| ListedArticle::of(article, language))
        .collect();
    let listed: Vec<ListedArticle<'_>> = in_order(shared, &rows, 0..rows.len());
    let newest = newest(&listed);
    let mut made = vec![
        home(shared, &listed, newest),
        article_list(shared, &listed, newest),
    ];
    let mut problems = Vec::new();
    let search = shared.has_search.then(|| search::page(shared));
    for page in [api(shared), terms(shared), not_found(shared)]
        .into_iter()
        .chain(search)
    {
        match page {
            Ok(page) => made.push(page),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    made.extend(years(shared, &listed));
    made.extend(tags(shared, &rows));
    made.extend(way::sections(shared));
    Ok(made)
}

/// The listed articles among these, in the author's order of a guide, else as in the library.
fn in_order<'a>(
    shared: &Shared<'a>,
    rows: &[Option<ListedArticle<'a>>],
    indexes: impl Iterator<Item = usize>,
) -> Vec<ListedArticle<'a>> {
    let mut listed: Vec<(usize, ListedArticle<'a>)> = indexes
        .filter_map(|index| Some((index, (*rows.get(index)?)?)))
        .collect();
    if !shared.context.library.trees.is_empty() {
        listed.sort_by_key(|(index, _)| {
            let place = shared.neighbour(Some(*index)).and_then(|near| near.place);
            place.unwrap_or((usize::MAX, 0))
        });
    }
    listed.into_iter().map(|(_, row)| row).collect()
}

/// An author's page, unchanged.
pub(super) fn written<'a>(
    shared: &Shared<'a>,
    article: &'a Article,
    position: Option<usize>,
) -> PageData<'a> {
    let place = shared.guide.place(&article.stem);
    PageData {
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
        parts: vec![ContentPart::of(article)],
        outline: way::outline(shared, article, place),
        groups: Vec::new(),
        listed: article.listed,
        canonical: true,
    }
}

/// A generated page, after the author's text for the same path.
fn made<'a>(
    shared: &Shared<'a>,
    stem: &str,
    kind: PageKind,
    title: String,
    language: &'a str,
) -> PageData<'a> {
    let own = shared.stems.get(stem).map(|article| PageData {
        kind,
        listed: true,
        ..written(shared, article, None)
    });
    own.unwrap_or_else(|| PageData {
        stem: stem.into(),
        kind,
        title: Cow::Owned(title),
        description: Cow::Borrowed(""),
        language: Cow::Borrowed(language),
        rtl: is_rtl(language),
        updated: None,
        article: None,
        position: None,
        place: None,
        parts: Vec::new(),
        outline: Vec::new(),
        groups: Vec::new(),
        listed: true,
        canonical: true,
    })
}

impl<'a> PageData<'a> {
    /// Adds lists. The page is as new as their newest article.
    fn with_groups(
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

    /// Adds a built-in text with its own date. The text has its own language if it follows an
    /// author's text in another.
    fn with_text(mut self, mut part: ContentPart, summary: &'static str, now: Timestamp) -> Self {
        if self.article.is_none() {
            self.updated = Some(policy::words_date(now));
        } else if self.language.split('-').next() != Some(builtin::LANGUAGE) {
            part.language = Some(builtin::LANGUAGE);
        }
        if self.description.is_empty() {
            self.description = Cow::Borrowed(summary);
        }
        self.parts.push(part);
        self
    }
}

fn home<'a>(
    shared: &Shared<'a>,
    listed: &[ListedArticle<'a>],
    newest: Option<Moment>,
) -> PageData<'a> {
    let site = shared.context.site;
    let mut data = made(
        shared,
        "/index",
        PageKind::Home,
        site.title.clone(),
        &site.language,
    );
    if data.article.is_none() {
        data.parts.extend(builtin::paragraph(&site.description));
    }
    let library = shared.context.library;
    let Some(number) = shared.guide.tree_of(&data.language) else {
        let latest = archive::latest(listed, &site.language, library.shape);
        return data.with_groups(latest, newest, || about_home(shared));
    };
    data.outline = shared.guide.home_contents(number);
    // A guide may have a journal: its dated texts are outside the order.
    let is_dated = |row: &ListedArticle<'_>| {
        row.article.date.is_some() && shared.guide.place(&row.article.stem).is_none()
    };
    let dated: Vec<ListedArticle<'_>> = listed.iter().copied().filter(is_dated).collect();
    let latest = archive::latest(&dated, &site.language, Shape::Journal);
    data.with_groups(latest, newest, || about_home(shared))
}

/// What the home page says about itself.
fn about_home(shared: &Shared<'_>) -> String {
    let site = shared.context.site;
    let words = Words::of(&site.language);
    match (site.description.as_str(), shared.context.library.shape) {
        ("", Shape::Journal) => about(words.latest, &site.title),
        ("", Shape::Guide) => about(words.contents, &site.title),
        (description, _) => description.to_owned(),
    }
}

fn article_list<'a>(
    shared: &Shared<'a>,
    listed: &[ListedArticle<'a>],
    newest: Option<Moment>,
) -> PageData<'a> {
    let site = shared.context.site;
    let title = Words::of(&site.language).articles;
    let data = made(
        shared,
        "/articles/index",
        PageKind::List,
        title.to_owned(),
        &site.language,
    );
    data.with_groups(
        archive::all(listed, &site.language, shared.context.library.shape),
        newest,
        || about(Words::of(&site.language).all, &site.title),
    )
}

fn years<'a>(shared: &Shared<'a>, listed: &[ListedArticle<'a>]) -> Vec<PageData<'a>> {
    let words = Words::of(&shared.context.site.language);
    let mut pages = Vec::new();
    for (year, members) in archive::years(listed) {
        pages.push(list(
            shared,
            &format!("/years/{year}"),
            format!("{} {year}", words.from),
            members,
        ));
    }
    pages
}

fn tags<'a>(shared: &Shared<'a>, rows: &[Option<ListedArticle<'a>>]) -> Vec<PageData<'a>> {
    let words = Words::of(&shared.context.site.language);
    let mut pages = Vec::new();
    for (slug, tag) in &shared.tags {
        let members = in_order(shared, rows, tag.articles.iter().copied());
        pages.push(list(
            shared,
            &format!("/tags/{slug}"),
            format!("{} {}", words.on, tag.name),
            members,
        ));
    }
    pages
}

/// The list of the articles of a year or tag.
fn list<'a>(
    shared: &Shared<'a>,
    stem: &str,
    title: String,
    members: Vec<ListedArticle<'a>>,
) -> PageData<'a> {
    let site = shared.context.site;
    let data = made(shared, stem, PageKind::List, title.clone(), &site.language);
    let newest = newest(&members);
    data.with_groups(archive::flat(members), newest, || {
        about(&title, &site.title)
    })
}

fn api<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let data = made(
        shared,
        "/api",
        PageKind::Page,
        "How programs read this site".to_owned(),
        builtin::LANGUAGE,
    );
    Ok(data.with_text(
        builtin::api(shared)?,
        "Every page in two forms, the index, the feed, and how to ask for them.",
        shared.context.now,
    ))
}

fn terms<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let data = made(
        shared,
        "/terms",
        PageKind::Page,
        "Terms".to_owned(),
        builtin::LANGUAGE,
    );
    let merged = data.article.is_some();
    Ok(data.with_text(
        builtin::terms(shared, merged)?,
        "Copyright, and what programs may do with these pages.",
        shared.context.now,
    ))
}

/// The "not found" page, which error responses also use.
pub(super) fn not_found<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let data = made(
        shared,
        "/404",
        PageKind::Page,
        "Page not found".to_owned(),
        builtin::LANGUAGE,
    );
    let merged = data.article.is_some();
    let data = data.with_text(
        builtin::not_found(shared, merged)?,
        "There is no page at this address.",
        shared.context.now,
    );
    Ok(PageData {
        listed: false,
        canonical: false,
        ..data
    })
}

fn newest(members: &[ListedArticle<'_>]) -> Option<Moment> {
    members.iter().map(|row| row.updated).max()
}

/// `All articles – Field Notes`.
fn about(what: &str, site: &str) -> String {
    format!("{what} – {site}")
}
