//! Footnotes: mentioned and defined in separate places, numbered by their first mention.

use rustc_hash::FxHashMap;

use crate::model::document::tree::Part;
use crate::model::document::{Block, Document, Footnote, Inline};

/// Footnotes by label, while a document is built.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// Provisional numbers, in the order in which the parser finds the labels.
    numbers: FxHashMap<String, usize>,
    labels: Vec<String>,
    contents: FxHashMap<String, Vec<Block>>,
}

impl Footnotes {
    /// The provisional number of a label.
    pub(super) fn mention(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        let number = self.labels.len();
        self.numbers.insert(label.to_owned(), number);
        self.labels.push(label.to_owned());
        number
    }

    /// Defines the content of a label; the first definition wins.
    pub(super) fn define(&mut self, label: String, blocks: Vec<Block>) {
        self.contents.entry(label).or_insert(blocks);
    }

    /// Numbers the notes by their first mention in the body, then in the notes themselves; a note
    /// that is never mentioned is left out.
    pub(super) fn number(mut self, document: &mut Document) {
        if self.labels.is_empty() {
            return;
        }
        let mut numbering = Numbering::default();
        numbering.blocks(&mut document.blocks);
        // Notes may mention further notes, so the list can grow.
        while let Some(&provisional) = numbering.order.get(document.footnotes.len()) {
            let label = self.labels[provisional].clone();
            let mut blocks = self.contents.remove(&label).unwrap_or_default();
            numbering.blocks(&mut blocks);
            document.footnotes.push(Footnote { label, blocks });
        }
    }
}

/// Assigns final numbers to provisional ones in the order of first use.
#[derive(Default)]
struct Numbering {
    numbers: FxHashMap<usize, usize>,
    /// Provisional numbers by final number.
    order: Vec<usize>,
}

impl Numbering {
    fn blocks(&mut self, blocks: &mut [Block]) {
        for part in blocks.iter_mut().flat_map(Block::parts_mut) {
            match part {
                Part::Blocks(blocks) => self.blocks(blocks),
                Part::Inlines(inlines) => self.inlines(inlines),
            }
        }
    }

    fn inlines(&mut self, inlines: &mut [Inline]) {
        for inline in inlines {
            if let Inline::Footnote(number) = inline {
                *number = self.number(*number);
            } else if let Some(content) = inline.content_mut() {
                self.inlines(content);
            }
        }
    }

    fn number(&mut self, provisional: usize) -> usize {
        let next = self.order.len();
        let number = *self.numbers.entry(provisional).or_insert(next);
        if number == next {
            self.order.push(provisional);
        }
        number
    }
}
