//! Series: articles that their author put in an order of their own.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use diglot_content::Article;
use diglot_content::fingerprint::Fingerprint;
use diglot_content::library::PartOf;

use super::page_data::PageData;
use super::shared::Shared;
use crate::theme::context::{PartContext, SeriesContext};

/// The most parts that a page lists: the tag's list has all.
const MOST: usize = 50;

/// The listed articles of each series, in order, by the slug of its tag and the language.
#[derive(Debug, Default)]
pub(super) struct AllSeries<'a> {
    of: BTreeMap<(&'a str, &'a str), Vec<usize>>,
}

/// A series from the point of view of one part.
pub(super) struct View<'v> {
    pub(super) of: &'v PartOf,
    /// All parts, by index in the library.
    all: &'v [usize],
    /// The place of this part, from 0.
    at: usize,
}

impl<'a> AllSeries<'a> {
    pub(super) fn new(articles: &'a [Arc<Article>]) -> Self {
        let mut of: BTreeMap<(&str, &str), Vec<(Key<'a>, usize)>> = BTreeMap::new();
        for (index, article) in articles.iter().enumerate() {
            for part in article.series.iter().filter(|_| article.listed) {
                let series = of.entry((&part.tag.slug, &article.language)).or_default();
                series.push((key(article, part), index));
            }
        }
        // A series has several parts.
        of.retain(|_, parts| parts.len() > 1);
        let ordered = |(name, mut parts): (_, Vec<(Key<'_>, usize)>)| {
            parts.sort_unstable();
            (name, parts.into_iter().map(|(_, index)| index).collect())
        };
        Self {
            of: of.into_iter().map(ordered).collect(),
        }
    }

    /// The series of an article.
    fn views<'v>(&'v self, article: &'v Article, index: usize) -> impl Iterator<Item = View<'v>> {
        article.series.iter().filter_map(move |of| {
            let all = self.of.get(&(&*of.tag.slug, article.language.as_str()))?;
            let at = all.iter().position(|part| *part == index)?;
            Some(View { of, all, at })
        })
    }

    /// Puts the articles of a tag in the order of a series, if the tag has no others.
    pub(super) fn sort<T>(&self, slug: &str, members: &mut [T], index: impl Fn(&T) -> usize) {
        let series = self.of.range((slug, "")..);
        let series = series.take_while(|((of, _), _)| *of == slug);
        let mut ranks = BTreeMap::new();
        for (_, parts) in series {
            ranks.extend(parts.iter().enumerate().map(|(rank, part)| (*part, rank)));
        }
        let rank = |member: &T| ranks.get(&index(member)).copied();
        if members.iter().all(|member| rank(member).is_some()) {
            members.sort_by_key(|member| rank(member));
        }
    }
}

/// The number of a part, then its date and address.
type Key<'a> = (i64, Option<jiff::Timestamp>, &'a str);

fn key<'a>(article: &'a Article, part: &PartOf) -> Key<'a> {
    let number = part.number.or(article.weight);
    (
        number.unwrap_or(i64::MAX),
        article.date.map(|date| date.at),
        &article.stem,
    )
}

impl View<'_> {
    /// The parts that a page lists: all, or those around its own. The place of the first, and the
    /// indexes in the library.
    pub(super) fn near(&self) -> (usize, &[usize]) {
        let first = self.at.saturating_sub(MOST / 2);
        let first = first.min(self.all.len().saturating_sub(MOST));
        let end = (first + MOST).min(self.all.len());
        (first, &self.all[first..end])
    }

    /// `Part 2 of 5`.
    pub(super) fn number(&self, shared: &Shared<'_>, language: &str) -> String {
        let [number, count] = [self.at + 1, self.all.len()].map(|number| number.to_string());
        let words = shared.words(language);
        words.map_or_else(String::new, |words| {
            words.with("part", &[("n", &number), ("count", &count)])
        })
    }
}

/// The series that a page is a part of.
pub(super) fn of<'s>(
    shared: &'s Shared<'_>,
    data: &'s PageData<'_>,
) -> impl Iterator<Item = View<'s>> {
    let part = data.article.zip(data.position);
    part.into_iter()
        .flat_map(|(article, index)| shared.series.views(article, index))
}

/// The texts before and after the text at an index: of its series, else by date. The end of a series
/// leads on to a text outside it.
pub(super) fn previous_and_next(shared: &Shared<'_>, index: usize) -> [Option<usize>; 2] {
    let Some(near) = shared.neighbours.of(index) else {
        return [None, None];
    };
    let by_date = [near.previous, near.next];
    let article = shared.text(index).filter(|_| near.place.is_none());
    let Some(view) = article.and_then(|article| shared.series.views(article, index).next()) else {
        return by_date;
    };
    let outside = |other: &usize| !view.all.contains(other);
    let before = view.at.checked_sub(1).and_then(|at| view.all.get(at));
    let after = view.all.get(view.at + 1);
    let [previous, next] = by_date.map(|turn| turn.filter(outside));
    [before.copied().or(previous), after.copied().or(next)]
}

/// Whether another text is a part of a series of the page.
pub(super) fn has(shared: &Shared<'_>, data: &PageData<'_>, other: usize) -> bool {
    of(shared, data).any(|view| view.all.contains(&other))
}

/// Adds everything that a page shows of its series.
pub(super) fn hash(shared: &Shared<'_>, data: &PageData<'_>, sum: &mut Fingerprint) {
    for view in of(shared, data) {
        let (first, parts) = view.near();
        (&view.of.tag, view.at, view.all.len(), first).hash(sum);
        for text in parts.iter().filter_map(|index| shared.text(*index)) {
            (&text.title, &text.stem).hash(sum);
        }
    }
}

/// The series of a page in templates.
pub(super) fn context(shared: &Shared<'_>, data: &PageData<'_>) -> Vec<SeriesContext> {
    let mut all = Vec::new();
    for view in of(shared, data) {
        let tag = &view.of.tag;
        let (first, parts) = view.near();
        let part = |(at, index): (usize, &usize)| {
            let current = at == view.at;
            part_context(shared, data, (at, *index), current)
        };
        all.push(SeriesContext {
            title: tag.name.to_string(),
            url: shared.rooted(&format!("/tags/{}", tag.slug)),
            place: view.number(shared, &data.language),
            parts: (first..).zip(parts).filter_map(part).collect(),
        });
    }
    all
}

fn part_context(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    (at, index): (usize, usize),
    current: bool,
) -> Option<PartContext> {
    let text = shared.text(index)?;
    let link = shared.article_link(text, &data.language);
    Some(PartContext {
        number: at + 1,
        title: link.title,
        url: link.url,
        current,
    })
}
