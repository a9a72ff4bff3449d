//! Which pages there are, and from which parts each is made. Where an author's page has the path of a built-in one, the two become one page:
//! the author's text first, then what Diglot has to say there. So no two pages share a path.

use diglot_content::library::Kind as ArticleKind;
use diglot_content::{AT_ONCE, Article, Moment, Problem};
use jiff::Timestamp;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

use super::draft::{Draft, Group, Kind, Part, Row};
use super::shared::{Shared, TagList, is_rtl};
use super::words::Words;
use super::{archive, builtin};
use crate::policy;

/// The pages that Diglot makes: they come last. What authors wrote is [`written`] as it is, unless its stem is among theirs.
///
/// # Errors
/// The mistakes of the built-in texts' templates.
pub(super) fn made_pages<'a>(shared: &Shared<'a>) -> Result<Vec<Draft<'a>>, Vec<Problem>> {
    let library = shared.context.library;
    let language = &shared.context.site.language;
    let rows: Vec<Option<Row<'_>>> = library.articles.par_iter().with_max_len(AT_ONCE).map(|article| Row::of(article, language)).collect();
    let mut listed: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    listed.extend(rows.iter().flatten());
    let newest = newest(&listed);
    let fixed = [home(shared, &listed, newest), article_list(shared, &listed, newest)];
    let (texts, problems): (Vec<_>, Vec<_>) = [api(shared), terms(shared), not_found(shared)].into_iter().partition(Result::is_ok);
    if !problems.is_empty() {
        return Err(problems.into_iter().filter_map(Result::err).collect());
    }
    let (years, tags) = rayon::join(|| years(shared, &listed).collect::<Vec<_>>(), || tags(shared, &rows));
    Ok(fixed.into_iter().chain(texts.into_iter().flatten()).chain(years).chain(tags).collect())
}

/// What an author wrote, as it is.
pub(super) fn written(article: &Article, position: Option<usize>) -> Draft<'_> {
    Draft {
        stem: article.stem.clone(),
        kind: if article.kind == ArticleKind::Article { Kind::Article } else { Kind::Page },
        title: Cow::Borrowed(&article.title),
        description: Cow::Borrowed(&article.summary),
        language: Cow::Borrowed(&article.language),
        rtl: article.rtl,
        updated: Some(article.updated),
        article: Some(article),
        position,
        parts: vec![Part::of(article)],
        groups: Vec::new(),
        listed: article.listed,
        canonical: true,
    }
}

/// A page of Diglot's, with the author's text for the same path in front of it.
fn made<'a>(shared: &Shared<'a>, stem: &str, kind: Kind, title: String, language: &'a str) -> Draft<'a> {
    let own = shared.stems.get(stem).map(|article| Draft { kind, listed: true, ..written(article, None) });
    own.unwrap_or_else(|| Draft {
        stem: stem.into(),
        kind,
        title: Cow::Owned(title),
        description: Cow::Borrowed(""),
        language: Cow::Borrowed(language),
        rtl: is_rtl(language),
        updated: None,
        article: None,
        position: None,
        parts: Vec::new(),
        groups: Vec::new(),
        listed: true,
        canonical: true,
    })
}

impl<'a> Draft<'a> {
    /// Adds lists; the page is as new as the newest article in them.
    fn with_groups(mut self, groups: Vec<Group<'a>>, newest: Option<Moment>, summary: impl FnOnce() -> String) -> Self {
        self.updated = self.updated.max(newest);
        self.groups = groups;
        if self.description.is_empty() {
            self.description = Cow::Owned(summary());
        }
        self
    }

    /// Adds a built-in text, whose words have a date of their own: in a language of its own when it follows what an author wrote in another.
    fn with_text(mut self, mut part: Part, summary: &'static str, now: Timestamp) -> Self {
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

fn home<'a>(shared: &Shared<'a>, listed: &[Row<'a>], newest: Option<Moment>) -> Draft<'a> {
    let site = shared.context.site;
    let mut draft = made(shared, "/index", Kind::Home, site.title.clone(), &site.language);
    if draft.article.is_none() {
        draft.parts.extend(builtin::paragraph(&site.description));
    }
    draft.with_groups(archive::latest(listed, &site.language), newest, || match site.description.as_str() {
        "" => about(Words::of(&site.language).latest, &site.title),
        description => description.to_owned(),
    })
}

fn article_list<'a>(shared: &Shared<'a>, listed: &[Row<'a>], newest: Option<Moment>) -> Draft<'a> {
    let site = shared.context.site;
    let title = Words::of(&site.language).articles;
    let draft = made(shared, "/articles/index", Kind::List, title.to_owned(), &site.language);
    draft.with_groups(archive::all(listed, &site.language), newest, || about(Words::of(&site.language).all, &site.title))
}

fn years<'a>(shared: &Shared<'a>, listed: &[Row<'a>]) -> impl Iterator<Item = Draft<'a>> {
    let site = shared.context.site;
    archive::years(listed).into_iter().map(move |(year, members)| {
        let title = format!("{} {year}", Words::of(&site.language).from);
        let draft = made(shared, &format!("/years/{year}"), Kind::List, title.clone(), &site.language);
        let newest = newest(&members);
        draft.with_groups(archive::flat(members), newest, || about(&title, &site.title))
    })
}

fn tags<'a>(shared: &Shared<'a>, rows: &[Option<Row<'a>>]) -> Vec<Draft<'a>> {
    let site = shared.context.site;
    let draft = |(slug, list): (&Arc<str>, &TagList)| {
        let mut members: Vec<Row<'_>> = Vec::with_capacity(list.articles.len());
        members.extend(list.articles.iter().filter_map(|index| *rows.get(*index)?));
        let title = format!("{} {}", Words::of(&site.language).on, list.name);
        let draft = made(shared, &format!("/tags/{slug}"), Kind::List, title.clone(), &site.language);
        let newest = newest(&members);
        draft.with_groups(archive::flat(members), newest, || about(&title, &site.title))
    };
    shared.tags.par_iter().map(draft).collect()
}

fn api<'a>(shared: &Shared<'a>) -> Result<Draft<'a>, Problem> {
    let draft = made(shared, "/api", Kind::Page, "How programs read this site".to_owned(), builtin::LANGUAGE);
    Ok(draft.with_text(builtin::api(shared)?, "Every page in two forms, the index, the feed, and how to ask for them.", shared.context.now))
}

fn terms<'a>(shared: &Shared<'a>) -> Result<Draft<'a>, Problem> {
    let draft = made(shared, "/terms", Kind::Page, "Terms".to_owned(), builtin::LANGUAGE);
    let merged = draft.article.is_some();
    Ok(draft.with_text(builtin::terms(shared, merged)?, "Copyright, and what programs may do with these pages.", shared.context.now))
}

fn not_found<'a>(shared: &Shared<'a>) -> Result<Draft<'a>, Problem> {
    let draft = made(shared, "/404", Kind::Page, "Page not found".to_owned(), builtin::LANGUAGE);
    let draft = draft.with_text(builtin::not_found(shared)?, "There is no page at this address.", shared.context.now);
    Ok(Draft { listed: false, canonical: false, ..draft })
}

/// The page for what does not exist, for the bodies of error answers.
pub(super) fn missing<'a>(shared: &Shared<'a>) -> Result<Draft<'a>, Problem> {
    not_found(shared)
}

fn newest(members: &[Row<'_>]) -> Option<Moment> {
    members.iter().map(|row| row.updated).max()
}

/// `All articles – Field Notes`.
fn about(what: &str, site: &str) -> String {
    format!("{what} – {site}")
}
