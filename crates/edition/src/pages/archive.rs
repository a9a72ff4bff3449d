//! Lists of articles: the latest, all by year, by tag, of one year.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use diglot_content::Shape;

use super::page_data::{ArticleGroup, ListedArticle};
use super::words::Words;

/// The number of articles on the home page.
const LATEST: usize = 10;
/// Longer lists omit summaries.
const WITH_SUMMARIES: usize = 300;
/// The maximum number of articles that the list of all articles contains, newest first. For older
/// years it links their lists.
const ONE_BY_ONE: usize = 2_000;

/// The latest articles, of a guide the first, and a link to all. A translation is omitted if the list contains the article
/// in the site's language.
pub(super) fn latest<'a>(
    articles: &[ListedArticle<'a>],
    language: &str,
    shape: Shape,
) -> Vec<ArticleGroup<'a>> {
    let words = Words::of(language);
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
        Shape::Journal => words.latest,
        Shape::Guide => words.contents,
    };
    let links = vec![(
        words.all.to_owned(),
        "/articles/index".to_owned(),
        Some(articles.len()),
    )];
    vec![ArticleGroup {
        title: Some(title.to_owned()),
        entries,
        summaries: true,
        links,
        ..ArticleGroup::default()
    }]
}

/// The articles without a heading.
pub(super) fn flat(entries: Vec<ListedArticle<'_>>) -> Vec<ArticleGroup<'_>> {
    let summaries = entries.len() <= WITH_SUMMARIES;
    vec![ArticleGroup {
        entries,
        summaries,
        ..ArticleGroup::default()
    }]
}

/// All articles: those in the site's language by year, newest first, then a group for each other
/// language. Older years are links to their lists.
pub(super) fn all<'a>(
    articles: &[ListedArticle<'a>],
    language: &str,
    shape: Shape,
) -> Vec<ArticleGroup<'a>> {
    let words = Words::of(language);
    let summaries = articles.len() <= WITH_SUMMARIES;
    let mut years: BTreeMap<Reverse<Option<i16>>, Vec<ListedArticle<'a>>> = BTreeMap::new();
    let mut others: BTreeMap<&str, Vec<ListedArticle<'a>>> = BTreeMap::new();
    for row in articles {
        if row.own {
            // The author's order is not cut by years.
            let year = row.year.filter(|_| shape == Shape::Journal);
            years.entry(Reverse(year)).or_default().push(*row);
        } else {
            others.entry(&row.article.language).or_default().push(*row);
        }
    }
    let is_dated = years.keys().any(|year| year.0.is_some());
    let (mut groups, mut older) = (Vec::new(), Vec::new());
    let mut room = ONE_BY_ONE;
    for (Reverse(year), entries) in years {
        let Some(year) = year else {
            let title = is_dated.then(|| words.undated.to_owned());
            groups.push(ArticleGroup {
                title,
                entries,
                summaries,
                ..ArticleGroup::default()
            });
            continue;
        };
        let (title, stem) = (year.to_string(), format!("/years/{year}"));
        if entries.len() > room {
            room = 0;
            older.push((title, stem, Some(entries.len())));
        } else {
            room -= entries.len();
            groups.push(ArticleGroup {
                title: Some(title),
                stem: Some(stem),
                entries,
                summaries,
                ..ArticleGroup::default()
            });
        }
    }
    if !older.is_empty() {
        groups.push(ArticleGroup {
            links: older,
            ..ArticleGroup::default()
        });
    }
    for (language, entries) in others {
        let (title, language) = (
            Some(Words::language_name(language)),
            Some(language.to_owned()),
        );
        groups.push(ArticleGroup {
            title,
            language,
            entries,
            summaries,
            ..ArticleGroup::default()
        });
    }
    groups
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
