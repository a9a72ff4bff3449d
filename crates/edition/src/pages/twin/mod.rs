//! The Markdown form: front matter, one H1, the document, and links to everything else.

mod frame_links;
mod front;
mod link_lists;

use std::ops::Range;
use std::sync::Arc;

use diglot_content::date::Moment;
use diglot_content::document::{Block, Inline, Item, Outline, Purpose, Rendering, write_markdown};
use diglot_content::{Article, Document, markdown};

use super::components::{cover, navigation, series};
use super::outline;
use super::page_data::{PageData, PageKind, Pager};
use super::pager::page_name;
use super::shared::Shared;
use crate::language::date;
use crate::route::Route;
use front::Front;
use link_lists::{LinkLists, item, list};

/// A written twin.
pub(super) struct Twin {
    pub(super) text: String,
    /// The end of the front matter.
    pub(super) front: usize,
    /// The range after the H1 and before the tail.
    pub(super) merged: Range<usize>,
    /// The offsets of footnote labels.
    pub(super) labels: Vec<usize>,
    /// The range after the front matter and before the tail.
    pub(super) content: Range<usize>,
    /// The offsets and ids of headings.
    pub(super) headings: Vec<(usize, String)>,
    pub(super) outline: Outline,
}

/// What [`body`] finds on its way.
#[derive(Default)]
struct Marks {
    /// The offsets of footnote labels.
    labels: Vec<usize>,
    /// The offsets and ids of headings.
    headings: Vec<(usize, String)>,
}

impl Marks {
    /// Adds headings of a block that was written as `text` and put at `at`.
    fn add(&mut self, headings: Vec<(usize, String)>, text: &str, at: usize) {
        let cut = blank(text);
        let moved = headings.into_iter().map(|(own, id)| (at + own - cut, id));
        self.headings.extend(moved);
    }
}

/// The number of line breaks at the start of a text.
fn blank(text: &str) -> usize {
    text.len() - text.trim_start_matches('\n').len()
}

/// Writes the Markdown form of a page.
pub(super) fn write(shared: &Shared<'_>, data: &PageData<'_>) -> Twin {
    let mut text = String::new();
    text.push_str(&front(shared, data));
    let front = text.len();
    text.push('\n');
    heading(shared, data, &mut text);
    text.push('\n');
    let start = text.len();
    let mut marks = Marks::default();
    let (outline, end) = body(shared, data, &mut text, &mut marks);
    let merged = start.min(end)..end;
    let content = front..text.len();
    tail(shared, data, &mut text);
    Twin {
        text,
        front,
        merged,
        labels: marks.labels,
        content,
        headings: marks.headings,
        outline,
    }
}

/// The content between the H1 and the tail.
pub(super) fn merged(shared: &Shared<'_>, data: &PageData<'_>) -> String {
    let mut text = String::new();
    body(shared, data, &mut text, &mut Marks::default());
    text
}

/// The front matter.
pub(super) fn front(shared: &Shared<'_>, data: &PageData<'_>) -> String {
    let article = data.article;
    let own = article.filter(|_| matches!(data.kind, PageKind::Article | PageKind::Page));
    let mut front = Front::new();
    front.text("title", &data.title);
    front.text("description", &data.description);
    if data.canonical {
        front.text("canonical_url", &shared.absolute(&data.stem));
    }
    // Near the top, because a reader that truncates never reaches the tail.
    front.text("llms_txt", &shared.base().absolute(&Route::Llms.path()));
    front.text(
        "date",
        &own.and_then(|article| article.date.as_ref())
            .map(|date| date.iso())
            .unwrap_or_default(),
    );
    front.text(
        "last_updated",
        &data
            .updated
            .filter(Moment::is_known)
            .map(|moment| moment.iso())
            .unwrap_or_default(),
    );
    match own.map_or(&[][..], |article| &article.authors) {
        [one] => front.text("author", one),
        many => front.list("author", many.iter().map(String::as_str)),
    }
    front.list(
        "tags",
        article
            .iter()
            .flat_map(|article| &article.tags)
            .map(|tag| &*tag.name),
    );
    front.text("language", &data.language);
    front.finish()
}

/// The parts and the lists, separated by blank lines, with a final line break; and the end of what
/// merged documents include: they have the texts of a section themselves.
fn body(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    text: &mut String,
    marks: &mut Marks,
) -> (Outline, usize) {
    let start = text.len();
    let mut outline = Outline::default();
    let cover = cover::twin(shared, data, &mut outline);
    push_block(text, start, &cover);
    for part in &data.parts {
        let rendering = Rendering {
            base: shared.base(),
            stem: &data.stem,
            targets: &part.targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        };
        let written = write_markdown(&part.document, &rendering);
        let at = push_block(text, start, &written.text);
        if !part.document.footnotes.is_empty() {
            let own = markdown::footnote_labels(&written.text, part.document.has_math());
            let cut = blank(&written.text);
            marks
                .labels
                .extend(own.iter().map(|label| at + label - cut));
        }
        marks.add(written.headings, &written.text, at);
        outline::append(&mut outline, written.outline);
    }
    let parts = text.len();
    if !data.outline.is_empty() || !data.groups.is_empty() {
        let written = lists(shared, data).write(shared, data);
        let at = push_block(text, start, &written.text);
        marks.add(written.headings, &written.text, at);
        outline::append(&mut outline, written.outline);
    }
    let end = if data.outline.is_empty() {
        text.len()
    } else {
        parts
    };
    (outline, end)
}

/// Appends a block after a blank line, unless it is the first after `start`. Returns its offset.
fn push_block(text: &mut String, start: usize, block: &str) -> usize {
    let block = block.trim_matches('\n');
    if !block.is_empty() && text.len() > start {
        text.push('\n');
    }
    let at = text.len();
    if !block.is_empty() {
        text.push_str(block);
        text.push('\n');
    }
    at
}

/// `# Title`.
fn heading(shared: &Shared<'_>, data: &PageData<'_>, text: &mut String) {
    let content = vec![Inline::text(&*data.title)];
    let document = Document {
        blocks: vec![Block::Heading {
            level: 1,
            id: "title".to_owned(),
            content,
        }],
        ..Document::default()
    };
    let rendering = Rendering {
        base: shared.base(),
        stem: &data.stem,
        targets: &[],
        purpose: Purpose::Twin,
        typography: None,
        back: None,
    };
    // The writer reserves level 1 for the page's title, which this is.
    let written = write_markdown(&document, &rendering).text;
    text.push_str(written.get(1..).unwrap_or_default());
}

/// The lists of a page as a document, equal to the output of the theme's `outline.html` and
/// `entries.html`.
fn lists(shared: &Shared<'_>, data: &PageData<'_>) -> LinkLists {
    let mut lists = LinkLists::default();
    if let Some(title) = navigation::heading(shared, data) {
        lists.document.blocks.push(Block::Heading {
            level: 2,
            id: "contents".to_owned(),
            content: vec![Inline::text(title)],
        });
    }
    let contents = lists.rows(&data.outline);
    lists.document.blocks.extend(contents);
    for (index, group) in data.groups.iter().enumerate() {
        if let Some(title) = &group.title {
            let text = match &group.stem {
                Some(stem) => lists.link(title, stem.as_str().into()),
                None => Inline::text(title),
            };
            lists.document.blocks.push(Block::Heading {
                level: 2,
                id: format!("group-{index}"),
                content: vec![text],
            });
        }
        // Two lists in a row would be read as one.
        if let Some(label) = &group.label {
            let label = vec![Inline::Text(format!("{label}:"))];
            lists.document.blocks.push(Block::Paragraph(label));
        }
        let mut lines: Vec<Vec<Inline>> = group
            .entries
            .iter()
            .map(|row| entry(&mut lists, row.article))
            .collect();
        lines.extend(
            group
                .links
                .iter()
                .map(|link| further(&mut lists, &link.title, &link.stem, link.count)),
        );
        lists.list(lines);
    }
    lists
}

/// `[Title](…/articles/x.md): summary (1 May 2024)`.
fn entry(lists: &mut LinkLists, article: &Article) -> Vec<Inline> {
    let mut line = vec![lists.link(&article.title, article.stem.clone())];
    let mut rest = String::new();
    if !article.summary.is_empty() {
        rest.push_str(": ");
        rest.push_str(&article.summary);
    }
    if let Some(moment) = &article.date {
        rest.push_str(&format!(" ({})", date(moment, &article.language)));
    }
    if !rest.is_empty() {
        line.push(Inline::Text(rest));
    }
    line
}

/// `[2019](…/years/2019.md) (312)`.
fn further(lists: &mut LinkLists, title: &str, stem: &str, count: Option<usize>) -> Vec<Inline> {
    let link = lists.link(title, stem.into());
    std::iter::once(link)
        .chain(count.map(|count| Inline::Text(format!(" ({count})"))))
        .collect()
}

/// The links to everything else; of a text in the author's order also to what is around it, of the
/// home page to what is in header and footer of every page.
fn tail(shared: &Shared<'_>, data: &PageData<'_>, text: &mut String) {
    ways(shared, data, text);
    if data.kind == PageKind::Home {
        frame_links::write(shared, data, text);
    }
}

fn ways(shared: &Shared<'_>, data: &PageData<'_>, text: &mut String) {
    let base = shared.base();
    text.push_str(&format!(
        "\n## Sitemap\n\n- [All pages]({})\n- [Index of the content]({})\n",
        base.absolute(&Route::SitemapMarkdown.path()),
        base.absolute(&Route::Llms.path())
    ));
    if let Some(pager) = &data.pager {
        pages_beside(shared, data, pager, text);
        return;
    }
    let trail = shared.trail(data);
    let mut series = series::containing(shared, data).peekable();
    if trail.is_none() && series.peek().is_none() {
        return;
    }
    let mut lists = LinkLists::default();
    let mut lines = Vec::new();
    if let Some(trail) = &trail
        && data.kind != PageKind::Home
    {
        let home = lists.link(&shared.context.site.title, "/index".into());
        let mut above = vec![Inline::text("Above: "), home];
        for (title, stem) in trail.iter().copied() {
            above.push(Inline::text(" › "));
            above.push(match stem {
                Some(stem) => lists.link(title, Arc::clone(stem)),
                None => Inline::text(title),
            });
        }
        lines.push(above);
    }
    for (label, other) in ["Previous: ", "Next: "]
        .into_iter()
        .zip(previous_and_next(shared, data))
    {
        if let Some(other) = other {
            let link = lists.link(&other.title, other.stem.clone());
            lines.push(vec![Inline::text(label), link]);
        }
    }
    let mut items: Vec<Item> = lines.into_iter().map(|line| item(line, None)).collect();
    for view in series {
        items.push(lists.series(shared, data, &view));
    }
    lists.document.blocks.extend(list(items));
    let written = lists.write(shared, data).text;
    text.push_str(written.trim_matches('\n'));
    text.push('\n');
}

/// The texts before and after a page: in the author's order, else in its series.
fn previous_and_next<'a>(shared: &'a Shared<'_>, data: &PageData<'_>) -> [Option<&'a Article>; 2] {
    match data.position {
        Some(position) if data.place.is_none() => {
            series::previous_and_next(shared, position).map(|index| shared.text(index?))
        }
        _ => navigation::previous_and_next(shared, data),
    }
}

/// The pages of a list before and after this one.
fn pages_beside(shared: &Shared<'_>, data: &PageData<'_>, pager: &Pager, text: &mut String) {
    let pages = [
        ("Previous: ", pager.number - 1, &pager.previous),
        ("Next: ", pager.number + 1, &pager.next),
    ];
    let (mut lists, mut lines) = (LinkLists::default(), Vec::new());
    for (label, number, stem) in pages {
        if let Some(stem) = stem {
            let title = page_name(shared, &data.language, number);
            let link = lists.link(&title, Arc::clone(stem));
            lines.push(vec![Inline::text(label), link]);
        }
    }
    lists.list(lines);
    let written = lists.write(shared, data).text;
    text.push_str(written.trim_matches('\n'));
    text.push('\n');
}
