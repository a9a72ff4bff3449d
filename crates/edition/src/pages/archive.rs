//! Lists of articles in groups: the latest, by year, by language; and their division into pages.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use diglot_content::Shape;

use super::page_data::{ArticleGroup, GroupLink, ListedArticle};
use crate::language;
use crate::theme::Words;

/// The number of articles on the home page.
const LATEST: usize = 10;
/// The number of articles on a page of a list.
pub(super) const PER_PAGE: usize = 50;

/// The latest articles, of a guide the first, then these links. A translation is omitted if the
/// list contains the article in the site's language.
pub(super) fn latest<'a>(
    articles: &[ListedArticle<'a>],
    language: &str,
    (words, shape): (&Words, Shape),
    links: Vec<GroupLink>,
) -> Vec<ArticleGroup<'a>> {
    let own = |row: &&ListedArticle<'_>| {
        row.own
            || !row
                .article
                .translations
                .iter()
                .any(|(other, _)| other == language)
    };
    let entries: Vec<ListedArticle<'_>> =
        articles.iter().filter(own).take(LATEST).copied().collect();
    if entries.is_empty() {
        return Vec::new();
    }
    let title = match shape {
        Shape::Journal => words.get("latest"),
        Shape::Guide => words.get("contents"),
    };
    vec![ArticleGroup {
        title: Some(title.to_owned()),
        entries,
        links,
        ..ArticleGroup::default()
    }]
}

/// Articles by year, newest first. The author's order of a guide is not cut by years.
pub(super) fn by_year<'a>(
    articles: Vec<ListedArticle<'a>>,
    (words, shape): (&Words, Shape),
) -> Vec<ArticleGroup<'a>> {
    if shape == Shape::Guide {
        return flat(articles);
    }
    let mut years: BTreeMap<Reverse<Option<i16>>, Vec<ListedArticle<'a>>> = BTreeMap::new();
    for row in articles {
        years.entry(Reverse(row.year)).or_default().push(row);
    }
    let is_dated = years.keys().any(|year| year.0.is_some());
    let group = |(Reverse(year), entries): (Reverse<Option<i16>>, _)| ArticleGroup {
        title: year
            .map(|year| year.to_string())
            .or_else(|| is_dated.then(|| words.get("undated").to_owned())),
        stem: year.map(year_stem),
        entries,
        ..ArticleGroup::default()
    };
    years.into_iter().map(group).collect()
}

/// The articles without a heading, then a group for each other language under its own name.
pub(super) fn by_language(articles: Vec<ListedArticle<'_>>) -> Vec<ArticleGroup<'_>> {
    let (own, others): (Vec<_>, Vec<_>) = articles.into_iter().partition(|row| row.own);
    let mut languages: BTreeMap<&str, Vec<ListedArticle<'_>>> = BTreeMap::new();
    for row in others {
        languages
            .entry(&row.article.language)
            .or_default()
            .push(row);
    }
    // Below a title alone, one language needs no heading.
    let is_alone = own.is_empty() && languages.len() == 1;
    let mut groups = flat(own);
    groups.extend(languages.into_iter().map(|(tag, entries)| ArticleGroup {
        title: (!is_alone).then(|| language::name(tag)),
        language: (!is_alone).then(|| tag.to_owned()),
        entries,
        ..ArticleGroup::default()
    }));
    groups
}

/// The articles without a heading.
pub(super) fn flat(entries: Vec<ListedArticle<'_>>) -> Vec<ArticleGroup<'_>> {
    if entries.is_empty() {
        return Vec::new();
    }
    vec![ArticleGroup {
        entries,
        ..ArticleGroup::default()
    }]
}

/// The stem of a year's list.
pub(super) fn year_stem(year: i16) -> String {
    format!("/years/{year}")
}

/// The years with listed articles, newest first, with their articles.
pub(super) fn years<'a>(articles: &[ListedArticle<'a>]) -> Vec<(i16, Vec<ListedArticle<'a>>)> {
    let mut years: BTreeMap<i16, Vec<ListedArticle<'a>>> = BTreeMap::new();
    for row in articles {
        if let Some(year) = row.year {
            years.entry(year).or_default().push(*row);
        }
    }
    years.into_iter().rev().collect()
}

/// Cuts groups into pages of [`PER_PAGE`] articles: at least one. A group that continues on the
/// next page repeats its heading.
pub(super) fn pages(groups: Vec<ArticleGroup<'_>>) -> Vec<Vec<ArticleGroup<'_>>> {
    let mut pages = vec![Vec::new()];
    let mut room = PER_PAGE;
    for group in groups {
        let mut rest = &*group.entries;
        while !rest.is_empty() {
            if room == 0 {
                pages.push(Vec::new());
                room = PER_PAGE;
            }
            let (here, later) = rest.split_at(rest.len().min(room));
            let part = ArticleGroup {
                entries: here.to_vec(),
                ..group.heading()
            };
            if let Some(page) = pages.last_mut() {
                page.push(part);
            }
            room -= here.len();
            rest = later;
        }
    }
    pages
}
