//! Lists of articles: the latest ones, all by year, of a tag, of a year.

use std::collections::BTreeMap;

use diglot_content::{Article, Moment};

use super::draft::Group;
use super::words::Words;

/// How many articles the home page names.
const LATEST: usize = 10;
/// Lists that are longer than this have no summaries.
const WITH_SUMMARIES: usize = 300;
/// The list of all articles names so many one by one, newest first; of older years it links the lists.
const ONE_BY_ONE: usize = 2_000;

/// A listed article, and what lists are divided and dated by: articles lie all over the memory, so each is looked at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    article: &'a Article,
    pub(super) updated: Moment,
    year: Option<i16>,
    /// Whether it is in the site's language.
    own: bool,
}

impl<'a> Row<'a> {
    /// `None` where it is in no list.
    pub(super) fn of(article: &'a Article, language: &str) -> Option<Self> {
        let year = article.date.as_ref().map(Moment::year);
        article.listed.then(|| Self { article, updated: article.updated, year, own: article.language == language })
    }
}

/// The latest articles and the way to all. A translation is left out where the article in the site's language is named.
pub(super) fn latest<'a>(articles: &[Row<'a>], language: &str) -> Vec<Group<'a>> {
    let words = Words::of(language);
    let own = |row: &&Row<'_>| row.own || !row.article.translations.iter().any(|(other, _)| other == language);
    let entries: Vec<&Article> = articles.iter().filter(own).take(LATEST).map(|row| row.article).collect();
    if entries.is_empty() {
        return Vec::new();
    }
    let links = vec![(words.all.to_owned(), "/articles/index".to_owned(), Some(articles.len()))];
    vec![Group { title: Some(words.latest.to_owned()), entries, summaries: true, links, ..Group::default() }]
}

/// The articles under no heading of their own.
pub(super) fn flat<'a>(articles: &[Row<'a>]) -> Vec<Group<'a>> {
    let entries: Vec<&Article> = articles.iter().map(|row| row.article).collect();
    let summaries = entries.len() <= WITH_SUMMARIES;
    vec![Group { entries, summaries, ..Group::default() }]
}

/// All articles: those in the site's language by year, newest first, then one group a further language.
pub(super) fn all<'a>(articles: &[Row<'a>], language: &str) -> Vec<Group<'a>> {
    let words = Words::of(language);
    let summaries = articles.len() <= WITH_SUMMARIES;
    let mut years: BTreeMap<std::cmp::Reverse<Option<i16>>, Vec<&Article>> = BTreeMap::new();
    let mut others: BTreeMap<&str, Vec<&Article>> = BTreeMap::new();
    for Row { article, year, own, .. } in articles {
        if *own {
            years.entry(std::cmp::Reverse(*year)).or_default().push(article);
        } else {
            others.entry(&article.language).or_default().push(article);
        }
    }
    let mut room = ONE_BY_ONE;
    let mut older = Vec::new();
    let mut groups = Vec::new();
    let dated = years.keys().any(|year| year.0.is_some());
    for (year, entries) in years {
        let Some(year) = year.0 else {
            let title = dated.then(|| words.undated.to_owned());
            groups.push(Group { title, entries, summaries, ..Group::default() });
            continue;
        };
        let stem = format!("/years/{year}");
        if entries.len() > room {
            room = 0;
            older.push((year.to_string(), stem, Some(entries.len())));
            continue;
        }
        room -= entries.len();
        groups.push(Group { title: Some(year.to_string()), stem: Some(stem), entries, summaries, ..Group::default() });
    }
    if !older.is_empty() {
        groups.push(Group { links: older, ..Group::default() });
    }
    groups.extend(others.into_iter().map(|(language, entries)| Group {
        title: Some(Words::language_name(language)),
        language: Some(language.to_owned()),
        entries,
        summaries,
        ..Group::default()
    }));
    groups
}

/// The years that have listed articles, newest first, with the articles of each.
pub(super) fn years<'a>(articles: &[Row<'a>]) -> Vec<(i16, Vec<Row<'a>>)> {
    let mut years: BTreeMap<i16, Vec<Row<'_>>> = BTreeMap::new();
    for row in articles {
        if let Some(year) = row.year {
            years.entry(year).or_default().push(*row);
        }
    }
    years.into_iter().rev().collect()
}
