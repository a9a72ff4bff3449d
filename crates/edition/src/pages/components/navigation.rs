//! The way through a guide: what its pages show of the author's order.

use std::hash::{Hash, Hasher};

use diglot_content::fingerprint::Fingerprint;
use diglot_content::{Article, Problem};

use super::super::guide::ContentsEntry;
use super::super::page_data::{PageData, PageKind};
use super::super::shared::Shared;
use super::tree;
use crate::theme::context::{LinkContext, PageContext, RowContext};
use crate::theme::safe;

/// The heading before the contents: none if they are all that a page has.
pub(crate) fn heading<'s>(shared: &'s Shared<'_>, data: &PageData<'_>) -> Option<&'s str> {
    let is_alone = data.outline.is_empty() || data.parts.is_empty();
    (!is_alone).then(|| shared.word(&data.language, "contents"))
}

/// The number of the tree beside a page, and its node there. A dated text outside the order has
/// none.
fn beside(shared: &Shared<'_>, data: &PageData<'_>) -> Option<(usize, Option<usize>)> {
    match data.place {
        Some((number, at)) => Some((number, Some(at))),
        None if data.kind == PageKind::Article => None,
        None => Some((shared.guide.tree_of(&data.language)?, None)),
    }
}

/// Adds everything that a page shows of the order to its key.
pub(crate) fn hash(shared: &Shared<'_>, data: &PageData<'_>, sum: &mut Fingerprint) {
    data.outline.hash(sum);
    let Some((number, at)) = beside(shared, data) else {
        return;
    };
    sum.write(&shared.sidebar.digest(&shared.guide, number, at));
    shared.trail(data).hash(sum);
    for near in previous_and_next(shared, data) {
        near.map(|text| (&text.title, &text.stem)).hash(sum);
    }
}

/// Adds the steps to the page, its contents, and a place for the tree.
pub(crate) fn add(page: &mut PageContext, shared: &Shared<'_>, data: &PageData<'_>) {
    if beside(shared, data).is_none() {
        return;
    }
    page.tree = Some(safe(""));
    page.outline = rows(shared, &data.language, &data.outline);
    page.crumbs = crumbs(shared, data);
    let link = |text: &Article| shared.article_link(text, &data.language);
    [page.previous, page.next] = previous_and_next(shared, data).map(|text| text.map(link));
}

/// Puts the tree into its place, beside other parts of so many bytes.
///
/// # Errors
/// Those in the theme's templates.
pub(crate) fn add_tree(
    page: &mut PageContext,
    shared: &Shared<'_>,
    data: &PageData<'_>,
    weight: usize,
) -> Result<(), Problem> {
    if let Some(place) = beside(shared, data) {
        page.tree = Some(safe(&tree::markup(shared, place, weight)?));
    }
    Ok(())
}

/// The texts before and after a page.
pub(crate) fn previous_and_next<'a>(
    shared: &Shared<'a>,
    data: &PageData<'_>,
) -> [Option<&'a Article>; 2] {
    if let Some(near) = shared.neighbour(data.position) {
        return [near.previous, near.next].map(|index| shared.text(index?));
    }
    // A generated page is not among the texts with neighbours.
    let around = data.place.map(|place| shared.guide.around(place));
    around.unwrap_or_default()
}

/// The home page and the sections above a page.
fn crumbs(shared: &Shared<'_>, data: &PageData<'_>) -> Vec<LinkContext> {
    let Some(trail) = shared.trail(data).filter(|_| data.kind != PageKind::Home) else {
        return Vec::new();
    };
    let printed = |title: &str| shared.printed(title, &data.language);
    let home = shared.link(shared.word(&data.language, "home"), "/index");
    let above = trail.into_iter().map(|(title, stem)| match stem {
        Some(stem) => shared.link(printed(title), stem),
        None => LinkContext {
            url: String::new(),
            ..shared.link(printed(title), "")
        },
    });
    std::iter::once(home).chain(above).collect()
}

fn rows(shared: &Shared<'_>, language: &str, of: &[ContentsEntry<'_>]) -> Vec<RowContext> {
    let row = |row: &ContentsEntry<'_>| RowContext {
        title: shared.printed(&row.title, language),
        url: shared.url_of(&row.leads),
        summary: shared.printed(row.summary, language),
        rows: rows(shared, language, &row.rows),
    };
    of.iter().map(row).collect()
}
