//! The way through a guide: what its pages show of the author's order.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use diglot_content::fingerprint::Fingerprint;
use diglot_content::tree::Leads;
use diglot_content::{Article, Problem, Target};

use super::all_pages::made_at;
use super::guide::{Place, Row};
use super::page_data::{PageData, PageKind};
use super::shared::Shared;
use crate::route::{Form, Route};
use crate::theme::context::{LinkContext, PageContext, RowContext};
use crate::theme::safe;

/// The names of files that are the index of their folder.
const INDEXES: [&str; 3] = ["index", "_index", "readme"];

/// The pages of sections without a text of their own.
pub(super) fn sections<'a>(shared: &Shared<'a>) -> Vec<PageData<'a>> {
    let mut pages = Vec::new();
    for (number, branches) in shared.guide.trees.iter().enumerate() {
        let nodes = branches.nodes.iter().enumerate();
        for (at, node) in nodes.filter(|(_, node)| node.is_made) {
            pages.extend(node.stem().map(|stem| section(shared, stem, (number, at))));
        }
    }
    pages
}

fn section<'a>(shared: &Shared<'a>, stem: &Arc<str>, place: Place) -> PageData<'a> {
    let branches = &shared.guide.trees[place.0];
    let (tree, node) = (branches.tree, &branches.nodes[place.1]);
    let language = &tree.language;
    let below = &branches.nodes[place.1 + 1..tree.nodes[place.1].end];
    let texts = below.iter().filter_map(|node| node.article);
    let description = format!(
        "{}: {} – {}",
        shared.word(language, "contents"),
        node.title,
        shared.context.site.title
    );
    PageData {
        description: Cow::Owned(description),
        updated: texts.map(|article| article.updated).max(),
        place: Some(place),
        outline: shared.guide.contents(place),
        ..made_at(
            Route::of_stem(stem, Form::Html),
            PageKind::Section,
            node.title.to_owned(),
            language.as_str(),
        )
    }
}

/// What the page of a text lists below it: the contents of its section, if it is the index of a
/// folder and does not link most of them itself.
pub(super) fn outline<'a>(
    shared: &Shared<'a>,
    article: &Article,
    place: Option<Place>,
) -> Vec<Row<'a>> {
    let name = article.source.rsplit('/').next().unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default();
    let is_index = INDEXES.iter().any(|index| index.eq_ignore_ascii_case(name));
    let Some(place) = place.filter(|_| is_index) else {
        return Vec::new();
    };
    let rows = shared.guide.contents(place);
    let links = |row: &&Row<'_>| {
        let stem = match &row.leads {
            Leads::Text(stem) | Leads::Instead(stem) => stem,
            Leads::Nowhere | Leads::Site(_) => return false,
        };
        let to = |target: &Target| matches!(target, Target::Page { stem: to, .. } if to == stem);
        article.targets.iter().any(to)
    };
    if 2 * rows.iter().filter(links).count() > rows.len() {
        Vec::new()
    } else {
        rows
    }
}

/// The heading before the contents: none if they are all that a page has.
pub(super) fn heading<'s>(shared: &'s Shared<'_>, data: &PageData<'_>) -> Option<&'s str> {
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
pub(super) fn hash(shared: &Shared<'_>, data: &PageData<'_>, sum: &mut Fingerprint) {
    data.outline.hash(sum);
    let Some((number, at)) = beside(shared, data) else {
        return;
    };
    sum.write(&shared.sidebar.digest(&shared.guide, number, at));
    shared.trail(data).hash(sum);
    for near in turns(shared, data) {
        near.map(|text| (&text.title, &text.stem)).hash(sum);
    }
}

/// Adds the tree, the steps to the page, and its contents.
///
/// # Errors
/// Those in the theme's templates.
pub(super) fn add(
    page: &mut PageContext,
    shared: &Shared<'_>,
    data: &PageData<'_>,
) -> Result<(), Problem> {
    let Some((number, at)) = beside(shared, data) else {
        return Ok(());
    };
    page.tree = Some(safe(&shared.sidebar.markup(shared, number, at)?));
    page.outline = rows(shared, &data.outline);
    page.crumbs = crumbs(shared, data);
    let link = |text: &Article| shared.article_link(text, &data.language);
    [page.previous, page.next] = turns(shared, data).map(|text| text.map(link));
    Ok(())
}

/// The texts before and after a page.
pub(super) fn turns<'a>(shared: &Shared<'a>, data: &PageData<'_>) -> [Option<&'a Article>; 2] {
    if let Some(near) = shared.neighbour(data.position) {
        return [near.previous, near.next].map(|index| shared.text(index?));
    }
    // A page that is made is none of the texts that have neighbours.
    let around = data.place.map(|place| shared.guide.around(place));
    around.unwrap_or_default()
}

/// The home page and the sections above a page.
fn crumbs(shared: &Shared<'_>, data: &PageData<'_>) -> Vec<LinkContext> {
    let Some(trail) = shared.trail(data).filter(|_| data.kind != PageKind::Home) else {
        return Vec::new();
    };
    let home = shared.link(shared.word(&data.language, "home"), "/index");
    let above = trail.into_iter().map(|(title, stem)| match stem {
        Some(stem) => shared.link(title, stem),
        None => LinkContext {
            url: String::new(),
            ..shared.link(title, "")
        },
    });
    std::iter::once(home).chain(above).collect()
}

fn rows(shared: &Shared<'_>, of: &[Row<'_>]) -> Vec<RowContext> {
    let row = |row: &Row<'_>| RowContext {
        title: row.title.to_owned(),
        url: shared.url_of(&row.leads),
        summary: row.summary.to_owned(),
        rows: rows(shared, &row.rows),
    };
    of.iter().map(row).collect()
}
