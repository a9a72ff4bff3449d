//! Determines the pages and the parts of each.

use std::borrow::Cow;

use diglot_content::{Article, Moment, Problem, Shape};
use jiff::Timestamp;

use super::languages::{ALL, BUILT_IN};
use super::page_data::{ContentPart, GroupLink, ListedArticle, PageData, PageKind};
use super::shared::Shared;
use super::{archive, authored, builtin, guide_pages, lists, search_page};
use crate::policy;

/// The pages that Diglot generates; they are after the others. An author's page is unchanged,
/// unless its stem is that of a generated page. Also the lists that are left out.
///
/// # Errors
/// The errors in the templates of the built-in texts.
pub(super) fn made_pages<'a>(
    shared: &Shared<'a>,
) -> Result<(Vec<PageData<'a>>, Vec<Problem>), Vec<Problem>> {
    let rows = lists::rows(shared);
    let listed: Vec<ListedArticle<'_>> = lists::in_order(shared, &rows, 0..rows.len());
    let newest = newest(&listed);
    let mut made = vec![home(shared, &listed, newest)];
    made.extend(own_pages(shared)?);
    let (lists, left_out) = lists::all(shared, &rows, &listed);
    made.extend(lists);
    made.extend(guide_pages::sections(shared));
    Ok((made, left_out))
}

/// The pages that Diglot writes itself.
fn own_pages<'a>(shared: &Shared<'a>) -> Result<Vec<PageData<'a>>, Vec<Problem>> {
    let search = shared.has_search.then(|| search_page::page(shared));
    let pages = [api(shared), terms(shared), not_found(shared)];
    let (mut made, mut problems) = (Vec::new(), Vec::new());
    for page in pages.into_iter().chain(search) {
        match page {
            Ok(page) => made.push(page),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(made)
    } else {
        Err(problems)
    }
}

impl<'a> PageData<'a> {
    /// Adds a built-in text with its own date. The text has its own language if it follows an
    /// author's text in another.
    fn with_text(mut self, mut part: ContentPart, summary: &'static str, now: Timestamp) -> Self {
        if self.article.is_none() {
            self.updated = Some(policy::words_date(now));
        } else if self.language.split('-').next() != Some(BUILT_IN) {
            part.language = Some(BUILT_IN);
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
    let mut data = authored::or_generated(
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
    let words = shared.own_words();
    let current = shared.languages.own;
    let links = |count| {
        let mut links = vec![GroupLink {
            title: words.get("all").to_owned(),
            stem: ALL.to_owned(),
            language: None,
            count: Some(count),
        }];
        links.extend(lists::language_links(&shared.languages, current));
        links
    };
    let own = listed.iter().filter(|row| row.own).count();
    let Some(number) = shared.guide.tree_of(&data.language) else {
        let latest = archive::latest(listed, current, (&words, library.shape), links(own));
        return data.with_groups(latest, newest, || about_home(shared));
    };
    data.outline = guide_pages::with_rest(shared, number, shared.guide.home_contents(number));
    // A guide may have a journal: its dated texts are outside the order.
    let is_dated = |row: &ListedArticle<'_>| {
        row.article.date.is_some() && shared.guide.place(&row.article.stem).is_none()
    };
    let dated: Vec<ListedArticle<'_>> = listed.iter().copied().filter(is_dated).collect();
    let latest = archive::latest(&dated, current, (&words, Shape::Journal), links(own));
    data.with_groups(latest, newest, || about_home(shared))
}

/// What the home page says about itself.
fn about_home(shared: &Shared<'_>) -> String {
    let site = shared.context.site;
    let words = shared.own_words();
    match (site.description.as_str(), shared.context.library.shape) {
        ("", Shape::Journal) => shared.about(words.get("latest")),
        ("", Shape::Guide) => shared.about(words.get("contents")),
        (description, _) => description.to_owned(),
    }
}

fn api<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let data = authored::or_generated(
        shared,
        "/api",
        PageKind::Page,
        "How programs read this site".to_owned(),
        BUILT_IN,
    );
    Ok(data.with_text(
        builtin::api(shared)?,
        "Every page in two forms, the index, the feed, and how to ask for them.",
        shared.context.now,
    ))
}

fn terms<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let data = authored::or_generated(
        shared,
        "/terms",
        PageKind::Page,
        "Terms".to_owned(),
        BUILT_IN,
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
    let words = shared.own_words();
    let title = words.get("missing").to_owned();
    let language = &shared.context.site.language;
    let data = authored::or_generated(shared, "/404", PageKind::Page, title, language);
    let merged = data.article.is_some();
    let mut data = data;
    if !merged {
        data.updated = Some(policy::words_date(shared.context.now));
        data.description = Cow::Owned(words.get("missing_text").to_owned());
    }
    data.parts
        .push(builtin::not_found(shared, &data.language, merged)?);
    Ok(PageData {
        listed: false,
        canonical: false,
        ..data
    })
}

/// The author's text for missing addresses in another language.
pub(super) fn not_found_in<'a>(
    shared: &Shared<'a>,
    article: &'a Article,
) -> Result<PageData<'a>, Problem> {
    let mut data = authored::page(shared, article, None);
    let text = builtin::not_found(shared, &article.language, true)?;
    data.parts.push(text);
    Ok(data)
}

fn newest(members: &[ListedArticle<'_>]) -> Option<Moment> {
    members.iter().map(|row| row.updated).max()
}
