//! A part of one document inside another: it brings its references and footnotes along, and leaves its ids and its outline at home.

use rustc_hash::FxHashMap;

use super::queries::{each_block, each_line};
use super::{Block, Cell, Document, Footnote, Inline, Reference, ReferenceId};

impl Document {
    /// The heading with this id at the top level and all that stands under it; the whole document for the title's own id.
    pub(crate) fn section(&self, id: &str) -> Option<&[Block]> {
        if self.title_id.as_deref() == Some(id) {
            return Some(&self.blocks);
        }
        let level = |block: &Block| if let Block::Heading { level, .. } = block { Some(*level) } else { None };
        let at = self.blocks.iter().position(|block| matches!(block, Block::Heading { id: own, .. } if own == id))?;
        let own = level(&self.blocks[at])?;
        let length = self.blocks[at + 1..].iter().position(|block| level(block).is_some_and(|level| level <= own));
        Some(&self.blocks[at..length.map_or(self.blocks.len(), |length| at + 1 + length)])
    }

    /// The block that holds a place: an item of a list by itself, any other as a whole.
    pub(crate) fn block_with(&self, id: &str) -> Option<&[Block]> {
        let at = self.blocks.iter().position(|block| holds(std::slice::from_ref(block), id))?;
        let block = &self.blocks[at..=at];
        if begins_with(block, id) {
            return Some(block);
        }
        let (mut found, mut blocks) = (block, block);
        // Down to the innermost item.
        while let Some(next) = blocks.iter().find_map(|block| match block {
            Block::List(list) => list.items.iter().map(|item| item.blocks.as_slice()).find(|blocks| holds(blocks, id)),
            Block::Quote(blocks) if holds(blocks, id) => Some(blocks.as_slice()),
            _ => None,
        }) {
            found = next;
            blocks = next;
        }
        Some(found)
    }
}

fn holds(blocks: &[Block], id: &str) -> bool {
    let mut found = false;
    each_block(blocks, &mut |block| each_line(block, &mut |line| found |= has(line, id)));
    found
}

fn has(inlines: &[Inline], id: &str) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Anchor(own) => own == id,
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) | Inline::Link { content: inner, .. } => has(inner, id),
        Inline::Span(span) => has(&span.content, id),
        _ => false,
    })
}

/// Whether the first words of the blocks stand behind the place.
fn begins_with(blocks: &[Block], id: &str) -> bool {
    let mut first = None;
    each_block(blocks, &mut |block| {
        each_line(block, &mut |line| {
            if first.is_none() && !line.is_empty() {
                first = Some(matches!(&line[0], Inline::Anchor(own) if own == id));
            }
        });
    });
    first == Some(true)
}

/// How many containers stand inside each other.
pub(crate) fn depth(blocks: &[Block]) -> usize {
    let inner = |block: &Block| match block {
        Block::Quote(blocks) | Block::Figure { blocks, .. } | Block::Details { blocks, .. } => 1 + depth(blocks),
        Block::Callout(callout) => 1 + depth(&callout.blocks),
        Block::Container(container) => 1 + depth(&container.blocks),
        Block::List(list) => 1 + list.items.iter().map(|item| depth(&item.blocks)).max().unwrap_or(0),
        Block::Table(table) => 1 + table.header.iter().chain(table.rows.iter().flatten()).map(|cell| depth(&cell.blocks)).max().unwrap_or(0),
        Block::Definitions(definitions) => {
            1 + definitions.iter().flat_map(|definition| &definition.descriptions).map(|blocks| depth(blocks)).max().unwrap_or(0)
        }
        Block::Heading { .. } | Block::Paragraph(_) | Block::Code { .. } | Block::Rule | Block::Math(_) | Block::Embed(_) => 0,
    };
    blocks.iter().map(inner).max().unwrap_or(0)
}

/// Blocks of one document on their way into another.
pub(crate) struct Graft<'d> {
    from: &'d Document,
    into: &'d mut Document,
    references: FxHashMap<ReferenceId, ReferenceId>,
    notes: FxHashMap<usize, usize>,
    /// For each reference that came along its number in `from`.
    brought: Vec<ReferenceId>,
}

impl<'d> Graft<'d> {
    pub(crate) fn new(from: &'d Document, into: &'d mut Document) -> Self {
        Self { from, into, references: FxHashMap::default(), notes: FxHashMap::default(), brought: Vec::new() }
    }

    /// Copies the blocks. Gives them, and for each new reference of the document its number in the old one.
    pub(crate) fn blocks(mut self, blocks: &[Block]) -> (Vec<Block>, Vec<ReferenceId>) {
        let mut copy = blocks.to_vec();
        self.all(&mut copy);
        (copy, self.brought)
    }

    fn all(&mut self, blocks: &mut [Block]) {
        blocks.iter_mut().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &mut Block) {
        match block {
            Block::Heading { content, .. } => {
                let mut content = flat(std::mem::take(content));
                self.inlines(&mut content);
                *block = Block::Paragraph(vec![Inline::Strong(content)]);
            }
            Block::Paragraph(inlines) => self.inlines(inlines),
            Block::Quote(blocks) => self.all(blocks),
            Block::Callout(callout) => {
                self.inlines(&mut callout.title);
                self.all(&mut callout.blocks);
            }
            Block::List(list) => list.items.iter_mut().for_each(|item| self.all(&mut item.blocks)),
            Block::Table(table) => {
                self.inlines(&mut table.caption);
                let cells = table.header.iter_mut().chain(table.rows.iter_mut().flatten());
                cells.for_each(|cell: &mut Cell| self.all(&mut cell.blocks));
            }
            Block::Definitions(definitions) => {
                for definition in definitions {
                    definition.terms.iter_mut().for_each(|term| self.inlines(term));
                    definition.descriptions.iter_mut().for_each(|blocks| self.all(blocks));
                }
            }
            Block::Figure { blocks, caption } => {
                self.all(blocks);
                self.inlines(caption);
            }
            Block::Details { summary, blocks, .. } => {
                self.inlines(summary);
                self.all(blocks);
            }
            Block::Embed(embed) => embed.reference = self.reference(embed.reference),
            Block::Container(container) => {
                container.attributes.retain(|(name, _)| name != "id");
                self.all(&mut container.blocks);
            }
            Block::Code { .. } | Block::Rule | Block::Math(_) => {}
        }
    }

    fn inlines(&mut self, inlines: &mut Vec<Inline>) {
        inlines.retain(|inline| !matches!(inline, Inline::Anchor(_)));
        for inline in inlines {
            match inline {
                Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) => self.inlines(inner),
                Inline::Span(span) => {
                    span.attributes.retain(|(name, _)| name != "id");
                    self.inlines(&mut span.content);
                }
                Inline::Link { reference, content, .. } => {
                    *reference = self.reference(*reference);
                    self.inlines(content);
                }
                Inline::Image(image) => image.reference = self.reference(image.reference),
                Inline::Footnote(note) => *note = self.note(*note),
                Inline::Text(_) | Inline::Code(_) | Inline::HardBreak | Inline::SoftBreak | Inline::Math { .. } | Inline::Anchor(_) => {}
            }
        }
    }

    fn reference(&mut self, old: ReferenceId) -> ReferenceId {
        if let Some(new) = self.references.get(&old) {
            return *new;
        }
        let reference: Option<&Reference> = self.from.references.get(old);
        let new = self.into.references.len();
        self.into.references.extend(reference.cloned());
        self.brought.extend(reference.map(|_| old));
        self.references.insert(old, new);
        new
    }

    fn note(&mut self, old: usize) -> usize {
        if let Some(new) = self.notes.get(&old) {
            return *new;
        }
        let new = self.into.footnotes.len();
        self.notes.insert(old, new);
        let Some(note) = self.from.footnotes.get(old) else { return old };
        self.into.footnotes.push(Footnote { label: note.label.clone(), blocks: Vec::new() });
        let mut blocks = note.blocks.clone();
        self.all(&mut blocks);
        self.into.footnotes[new].blocks = blocks;
        new
    }
}

/// A heading's words, without the strong ones in it: all of them are.
fn flat(content: Vec<Inline>) -> Vec<Inline> {
    let words = content.into_iter().flat_map(|inline| match inline {
        Inline::Strong(inner) => inner,
        other => vec![other],
    });
    words.collect()
}
