//! Lists of links to pages, as Markdown.

use std::sync::Arc;

use diglot_content::document::{
    Block, Inline, Item, List, Purpose, Reference, ReferenceKind, Rendering, Written,
    write_markdown,
};
use diglot_content::tree::Leads;
use diglot_content::{Document, Target};

use super::super::all_series::View;
use super::super::components::series;
use super::super::guide::ContentsEntry;
use super::super::page_data::PageData;
use super::super::shared::Shared;

/// A document of page links, under construction.
#[derive(Default)]
pub(crate) struct LinkLists {
    pub(crate) document: Document,
    targets: Vec<Target>,
}

impl LinkLists {
    pub(crate) fn link(&mut self, title: &str, stem: Arc<str>) -> Inline {
        let target = Target::Page {
            stem,
            fragment: None,
        };
        self.link_to(title, target)
    }

    pub(crate) fn link_to(&mut self, title: &str, target: Target) -> Inline {
        let reference = self.targets.len();
        self.document.references.push(Reference {
            raw: String::new(),
            kind: ReferenceKind::Link,
            line: 0,
            column: 0,
        });
        self.targets.push(target);
        Inline::Link {
            reference,
            title: String::new(),
            content: vec![Inline::text(title)],
        }
    }

    pub(crate) fn list(&mut self, lines: Vec<Vec<Inline>>) {
        let items: Vec<Item> = lines.into_iter().map(|line| item(line, None)).collect();
        self.document.blocks.extend(list(items));
    }

    /// A series, with its parts below it.
    pub(crate) fn series(
        &mut self,
        shared: &Shared<'_>,
        data: &PageData<'_>,
        view: &View<'_>,
    ) -> Item {
        let tag = &view.of.tag;
        let stem = format!("/tags/{}", tag.slug);
        let line = vec![
            Inline::text("Series: "),
            self.link(&tag.name, stem.into()),
            Inline::Text(format!(
                ", {}",
                series::number(shared, view, &data.language)
            )),
        ];
        let (first, parts) = view.near();
        let mut items = Vec::with_capacity(parts.len());
        for text in parts.iter().filter_map(|index| shared.text(*index)) {
            let line = match *text.stem == *data.stem {
                true => vec![Inline::text(&*text.title)],
                false => vec![self.link(&text.title, Arc::clone(&text.stem))],
            };
            items.push(item(line, None));
        }
        let parts = Block::List(List {
            start: u64::try_from(first + 1).ok(),
            tight: true,
            items,
        });
        item(line, Some(parts))
    }

    /// The contents of a section, each entry with those below it.
    pub(crate) fn rows(&mut self, rows: &[ContentsEntry<'_>]) -> Option<Block> {
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            let mut line = vec![match &row.leads {
                Leads::Text(stem) | Leads::Instead(stem) => self.link(&row.title, Arc::clone(stem)),
                Leads::Site(url) => self.link_to(&row.title, Target::Url(url.to_string())),
                Leads::Nowhere => Inline::text(&*row.title),
            }];
            if !row.summary.is_empty() {
                line.push(Inline::Text(format!(": {}", row.summary)));
            }
            let mut blocks = vec![Block::Paragraph(line)];
            blocks.extend(self.rows(&row.rows));
            items.push(Item { task: None, blocks });
        }
        list(items)
    }

    /// The text of this document on a page.
    pub(crate) fn write(&self, shared: &Shared<'_>, data: &PageData<'_>) -> Written {
        let rendering = Rendering {
            base: shared.base(),
            stem: &data.stem,
            targets: &self.targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        };
        write_markdown(&self.document, &rendering)
    }
}

/// An item of a line, and what is below it.
pub(crate) fn item(line: Vec<Inline>, below: Option<Block>) -> Item {
    let line = std::iter::once(Block::Paragraph(line));
    Item {
        task: None,
        blocks: line.chain(below).collect(),
    }
}

/// A list, unless it is empty.
pub(crate) fn list(items: Vec<Item>) -> Option<Block> {
    (!items.is_empty()).then_some(Block::List(List {
        start: None,
        tight: true,
        items,
    }))
}
