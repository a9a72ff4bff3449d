//! The series that a page is a part of: their lists, and the way through them.

use std::hash::Hash;

use diglot_content::fingerprint::Fingerprint;

use super::super::all_series::View;
use super::super::page_data::PageData;
use super::super::shared::Shared;
use crate::theme::context::{PartContext, SeriesContext};

/// The series that a page is a part of.
pub(crate) fn containing<'s>(
    shared: &'s Shared<'_>,
    data: &'s PageData<'_>,
) -> impl Iterator<Item = View<'s>> {
    let part = data.article.zip(data.position);
    part.into_iter()
        .flat_map(|(article, index)| shared.series.views(article, index))
}

/// `Part 2 of 5`.
pub(crate) fn number(shared: &Shared<'_>, view: &View<'_>, language: &str) -> String {
    let [number, count] = [view.at + 1, view.all.len()].map(|number| number.to_string());
    let words = shared.words(language);
    words.map_or_else(String::new, |words| {
        words.with("part", &[("n", &number), ("count", &count)])
    })
}

/// The texts before and after the text at an index: of its series, else by date. The end of a series
/// leads on to a text outside it.
pub(crate) fn previous_and_next(shared: &Shared<'_>, index: usize) -> [Option<usize>; 2] {
    let Some(near) = shared.neighbours.get(index) else {
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
pub(crate) fn has(shared: &Shared<'_>, data: &PageData<'_>, other: usize) -> bool {
    containing(shared, data).any(|view| view.all.contains(&other))
}

/// Adds everything that a page shows of its series.
pub(crate) fn hash(shared: &Shared<'_>, data: &PageData<'_>, sum: &mut Fingerprint) {
    for view in containing(shared, data) {
        let (first, parts) = view.near();
        (&view.of.tag, view.at, view.all.len(), first).hash(sum);
        for text in parts.iter().filter_map(|index| shared.text(*index)) {
            (&text.title, &text.stem).hash(sum);
        }
    }
}

/// The series of a page in templates.
pub(crate) fn context(shared: &Shared<'_>, data: &PageData<'_>) -> Vec<SeriesContext> {
    let mut all = Vec::new();
    for view in containing(shared, data) {
        let tag = &view.of.tag;
        let (first, parts) = view.near();
        let part = |(at, index): (usize, &usize)| {
            let current = at == view.at;
            part_context(shared, data, (at, *index), current)
        };
        all.push(SeriesContext {
            title: tag.name.to_string(),
            url: shared.rooted(&format!("/tags/{}", tag.slug)),
            place: number(shared, &view, &data.language),
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
