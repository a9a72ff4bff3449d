//! The pages of a guide's sections, and what its pages list below their texts.

use std::borrow::Cow;
use std::sync::Arc;

use diglot_content::library::Kind as ArticleKind;
use diglot_content::tree::Leads;
use diglot_content::{Article, Target};

use super::archive::PER_PAGE;
use super::guide::{Contents, ContentsEntry, NodeId};
use super::page_data::{PageData, PageKind};
use super::pager::page_stem;
use super::shared::Shared;
use crate::route::{Form, Route};

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

fn section<'a>(shared: &Shared<'a>, stem: &Arc<str>, place: NodeId) -> PageData<'a> {
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
        outline: with_rest(shared, place.0, shared.guide.contents(place)),
        ..PageData::generated(
            Route::of_stem(stem, Form::Html),
            PageKind::Section,
            node.title.to_owned(),
            language.as_str(),
        )
    }
}

/// What the page of a text lists below it: the contents of its section, if it is the index of a
/// folder and does not link most of them itself.
pub(super) fn contents_below<'a>(
    shared: &Shared<'a>,
    article: &Article,
    place: Option<NodeId>,
) -> Vec<ContentsEntry<'a>> {
    let name = article.source.rsplit('/').next().unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default();
    let is_index = INDEXES.iter().any(|index| index.eq_ignore_ascii_case(name));
    let Some(place) = place.filter(|_| is_index) else {
        return Vec::new();
    };
    let rows = with_rest(shared, place.0, shared.guide.contents(place));
    if 2 * rows.iter().filter(|row| links_to(article, row)).count() > rows.len() {
        Vec::new()
    } else {
        rows
    }
}

/// Whether a text links to what a row leads to.
fn links_to(article: &Article, row: &ContentsEntry<'_>) -> bool {
    let stem = match &row.leads {
        Leads::Text(stem) | Leads::Instead(stem) => stem,
        Leads::Nowhere | Leads::Site(_) => return false,
    };
    let to = |target: &Target| matches!(target, Target::Page { stem: to, .. } if to == stem);
    article.targets.iter().any(to)
}

/// Contents, with a link to what does not fit on the page.
pub(super) fn with_rest<'a>(
    shared: &Shared<'a>,
    number: usize,
    contents: Contents<'a>,
) -> Vec<ContentsEntry<'a>> {
    let Contents { mut rows, rest } = contents;
    let Some((first, count)) = rest else {
        return rows;
    };
    if let Some(stem) = list_from(shared, number, first) {
        let language = &shared.guide.trees[number].tree.language;
        rows.push(ContentsEntry {
            title: Cow::Owned(format!("{} ({count})", shared.word(language, "more"))),
            leads: Leads::Text(stem),
            summary: "",
            rows: Vec::new(),
        });
    }
    rows
}

/// The page of a list of articles on which the first of them from a node of a tree on is: these
/// lists are in the author's order.
fn list_from(shared: &Shared<'_>, number: usize, node: usize) -> Option<Arc<str>> {
    let nodes = &shared.guide.trees.get(number)?.nodes;
    let articles = &shared.context.library.articles;
    let is_listed = |text: &Article| text.listed && text.kind == ArticleKind::Article;
    let article = |at: &usize| nodes[*at].article.filter(|text| is_listed(text));
    let first = (node..nodes.len()).find(|at| article(at).is_some())?;
    let language = &article(&first)?.language;
    let is_foreign = shared.languages.is_foreign(language);
    let is_beside = |text: &Article| match is_foreign {
        true => text.language == *language,
        false => !shared.languages.is_foreign(&text.language),
    };
    let is_before = |text: &&Arc<Article>| {
        let place = shared.guide.place(&text.stem);
        is_listed(text) && is_beside(text) && place.is_some_and(|place| place < (number, first))
    };
    let before = articles.iter().filter(is_before).count();
    let list = shared.languages.list_of(language);
    match before / PER_PAGE {
        0 => Some(Arc::clone(list)),
        pages => shared.free(&page_stem(list, pages + 1)),
    }
}
