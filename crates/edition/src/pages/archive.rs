//! Lists of articles: the latest ones, all by year, of a tag, of a year.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::draft::{Group, Row};
use super::words::Words;

/// How many articles the home page names.
const LATEST: usize = 10;
/// Lists that are longer than this have no summaries.
const WITH_SUMMARIES: usize = 300;
/// The list of all articles names so many one by one, newest first; of older years it links the lists.
const ONE_BY_ONE: usize = 2_000;

/// The latest articles and the way to all. A translation is left out where the article in the site's language is named.
pub(super) fn latest<'a>(articles: &[Row<'a>], language: &str) -> Vec<Group<'a>> {
    let words = Words::of(language);
    let own = |row: &&Row<'_>| row.own || !row.article.translations.iter().any(|(other, _)| other == language);
    let entries: Vec<Row<'_>> = articles.iter().filter(own).take(LATEST).copied().collect();
    if entries.is_empty() {
        return Vec::new();
    }
    let links = vec![(words.all.to_owned(), "/articles/index".to_owned(), Some(articles.len()))];
    vec![Group { title: Some(words.latest.to_owned()), entries, summaries: true, links, ..Group::default() }]
}

/// The articles under no heading of their own.
pub(super) fn flat(entries: Vec<Row<'_>>) -> Vec<Group<'_>> {
    let summaries = entries.len() <= WITH_SUMMARIES;
    vec![Group { entries, summaries, ..Group::default() }]
}

/// All articles: those in the site's language by year, newest first, then one group a further language.
pub(super) fn all<'a>(articles: &[Row<'a>], language: &str) -> Vec<Group<'a>> {
    let words = Words::of(language);
    let summaries = articles.len() <= WITH_SUMMARIES;
    let years = by_year(articles);
    let mut others: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    for row in articles.iter().filter(|row| !row.own) {
        others.entry(&row.article.language).or_default().push(*row);
    }
    let mut older = Vec::new();
    let mut groups = Vec::new();
    let dated = years.keys().any(|year| year.0.is_some());
    for (Reverse(year), Year { count, named }) in years {
        let stem = year.map(|year| format!("/years/{year}"));
        let title = year.map_or_else(|| dated.then(|| words.undated.to_owned()), |year| Some(year.to_string()));
        match (named, title, stem) {
            (None, Some(title), Some(stem)) => older.push((title, stem, Some(count))),
            (named, title, stem) => groups.push(Group { title, stem, entries: named.unwrap_or_default(), summaries, ..Group::default() }),
        }
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

/// A year in the list of all articles.
#[derive(Default)]
struct Year<'a> {
    count: usize,
    /// Its articles, where they are named one by one.
    named: Option<Vec<Row<'a>>>,
}

/// The years of the articles in the site's language, newest first; what has no date comes last. Those of the newest years are named, and those without a date.
fn by_year<'a>(articles: &[Row<'a>]) -> BTreeMap<Reverse<Option<i16>>, Year<'a>> {
    // Counted first: of most years no article is named.
    let mut years: BTreeMap<_, Year<'_>> = BTreeMap::new();
    for row in articles.iter().filter(|row| row.own) {
        years.entry(Reverse(row.year)).or_default().count += 1;
    }
    let mut room = ONE_BY_ONE;
    for (Reverse(year), Year { count, named }) in &mut years {
        if year.is_some() && *count > room {
            room = 0;
            continue;
        }
        room -= if year.is_some() { *count } else { 0 };
        *named = Some(Vec::with_capacity(*count));
    }
    for row in articles.iter().filter(|row| row.own) {
        if let Some(Year { named: Some(named), .. }) = years.get_mut(&Reverse(row.year)) {
            named.push(*row);
        }
    }
    years
}

/// The years that have listed articles, newest first, with the articles of each.
pub(super) fn years<'a>(articles: &[Row<'a>]) -> Vec<(i16, Vec<Row<'a>>)> {
    let mut sizes: BTreeMap<i16, usize> = BTreeMap::new();
    articles.iter().filter_map(|row| row.year).for_each(|year| *sizes.entry(year).or_default() += 1);
    let mut years: BTreeMap<i16, Vec<Row<'_>>> = sizes.into_iter().map(|(year, size)| (year, Vec::with_capacity(size))).collect();
    for row in articles {
        if let Some(members) = row.year.and_then(|year| years.get_mut(&year)) {
            members.push(*row);
        }
    }
    years.into_iter().rev().collect()
}
