//! Footnotes: mentioned in one place, written in another, numbered by their first mention.

use rustc_hash::FxHashMap;

use crate::model::document::{Block, Cell, Document, Footnote, Inline};

/// Footnotes by label while a document is read.
#[derive(Debug, Default)]
pub(super) struct Notes {
    numbers: FxHashMap<String, usize>,
    labels: Vec<String>,
    contents: FxHashMap<String, Vec<Block>>,
}

impl Notes {
    /// The provisional number of a label.
    pub(super) fn mention(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        self.numbers.insert(label.to_owned(), self.labels.len());
        self.labels.push(label.to_owned());
        self.labels.len() - 1
    }

    /// The content of a label; the first counts.
    pub(super) fn define(&mut self, label: String, blocks: Vec<Block>) {
        self.contents.entry(label).or_insert(blocks);
    }

    /// Numbers the notes by their first mention in the body, then in the notes themselves; a note never mentioned is left out.
    pub(super) fn settle(mut self, document: &mut Document) {
        if self.labels.is_empty() {
            return;
        }
        let mut order = Order { provisional: vec![None; self.labels.len()], labels: Vec::new() };
        order.blocks(&mut document.blocks);
        let mut next = 0;
        while next < order.labels.len() {
            let label = self.labels[order.labels[next]].clone();
            let mut blocks = self.contents.remove(&label).unwrap_or_default();
            order.blocks(&mut blocks);
            document.footnotes.push(Footnote { label, blocks });
            next += 1;
        }
    }
}

/// Gives each provisional number its final one in the order of first sight.
struct Order {
    provisional: Vec<Option<usize>>,
    /// Provisional numbers by final number.
    labels: Vec<usize>,
}

impl Order {
    fn number(&mut self, provisional: &mut usize) {
        let labels = &mut self.labels;
        let Some(slot) = self.provisional.get_mut(*provisional) else { return };
        let known = *slot.get_or_insert_with(|| {
            labels.push(*provisional);
            labels.len() - 1
        });
        *provisional = known;
    }

    fn blocks(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &mut Block) {
        match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => self.inlines(content),
            Block::Quote(blocks) => self.blocks(blocks),
            Block::Callout(callout) => {
                self.inlines(&mut callout.title);
                self.blocks(&mut callout.blocks);
            }
            Block::List(list) => list.items.iter_mut().for_each(|item| self.blocks(&mut item.blocks)),
            Block::Table(table) => {
                self.inlines(&mut table.caption);
                self.cells(&mut table.header);
                table.rows.iter_mut().for_each(|row| self.cells(row));
            }
            Block::Definitions(definitions) => {
                for definition in definitions {
                    definition.terms.iter_mut().for_each(|term| self.inlines(term));
                    definition.descriptions.iter_mut().for_each(|blocks| self.blocks(blocks));
                }
            }
            Block::Figure { blocks, caption: line } => {
                self.blocks(blocks);
                self.inlines(line);
            }
            Block::Details { summary, blocks, .. } => {
                self.inlines(summary);
                self.blocks(blocks);
            }
            Block::Container(container) => self.blocks(&mut container.blocks),
            Block::Code { .. } | Block::Rule | Block::Math(_) | Block::Embed(_) => {}
        }
    }

    fn cells(&mut self, cells: &mut [Cell]) {
        cells.iter_mut().for_each(|cell| self.blocks(&mut cell.blocks));
    }

    fn inlines(&mut self, inlines: &mut [Inline]) {
        for inline in inlines {
            match inline {
                Inline::Footnote(number) => self.number(number),
                Inline::Emphasis(content) | Inline::Strong(content) | Inline::Strikethrough(content) | Inline::Link { content, .. } => {
                    self.inlines(content)
                }
                Inline::Span(span) => self.inlines(&mut span.content),
                Inline::Text(_)
                | Inline::Code(_)
                | Inline::Image(_)
                | Inline::HardBreak
                | Inline::SoftBreak
                | Inline::Math { .. }
                | Inline::Anchor(_) => {}
            }
        }
    }
}
