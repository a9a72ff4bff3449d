//! Transclusion: copies a part of one document into another with its references and footnotes, but
//! without its ids. Its headings become paragraphs.

use rustc_hash::FxHashMap;

use super::tree::{Node, Part, walk};
use super::{Attributes, Block, Document, Footnote, Image, Inline, ReferenceId};

impl Document {
    /// The top-level heading with this id and its section; the whole document for the title's id.
    pub fn section(&self, id: &str) -> Option<&[Block]> {
        if self.title_ids().any(|own| own == id) {
            return Some(&self.blocks);
        }
        let start = self
            .blocks
            .iter()
            .position(|block| matches!(block, Block::Heading { id: own, .. } if own == id))?;
        let Block::Heading { level: own, .. } = &self.blocks[start] else {
            return None;
        };
        let section = &self.blocks[start..];
        let end = section
            .iter()
            .skip(1)
            .position(|block| matches!(block, Block::Heading { level, .. } if level <= own));
        Some(end.map_or(section, |length| &section[..=length]))
    }

    /// The block that contains an anchor: a single item of a list, any other block as a whole.
    pub fn block_with(&self, id: &str) -> Option<&[Block]> {
        let at = self
            .blocks
            .iter()
            .position(|block| holds(std::slice::from_ref(block), id))?;
        let mut found = &self.blocks[at..=at];
        if begins_with(&found[0], id) {
            return Some(found);
        }
        while let Some(inner) = found.iter().find_map(|block| inner_with(block, id)) {
            found = inner;
        }
        Some(found)
    }
}

/// The list item, or the content of the quote, that contains an anchor.
fn inner_with<'d>(block: &'d Block, id: &str) -> Option<&'d [Block]> {
    match block {
        Block::List(_) | Block::Quote(_) => block
            .children()
            .into_iter()
            .find(|blocks| holds(blocks, id)),
        _ => None,
    }
}

fn holds(blocks: &[Block], id: &str) -> bool {
    walk(blocks)
        .flat_map(Block::lines)
        .flat_map(walk)
        .any(|inline| is_anchor(inline, id))
}

fn is_anchor(inline: &Inline, id: &str) -> bool {
    matches!(inline, Inline::Anchor(own) if own == id)
}

/// Whether the first line of a block begins with the anchor.
fn begins_with(block: &Block, id: &str) -> bool {
    let mut lines = walk(std::slice::from_ref(block)).flat_map(Block::lines);
    lines
        .find_map(<[Inline]>::first)
        .is_some_and(|first| is_anchor(first, id))
}

/// The nesting depth of blocks.
pub fn depth(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .flat_map(Block::children)
        .map(|inner| 1 + depth(inner))
        .max()
        .unwrap_or(0)
}

/// A copy of blocks of one document for another.
pub struct Transclusion<'d> {
    source: &'d Document,
    target: &'d mut Document,
    /// Reference numbers in the target by those in the source.
    references: FxHashMap<ReferenceId, ReferenceId>,
    footnotes: FxHashMap<usize, usize>,
    /// The source number of each reference added to the target, in order.
    added: Vec<ReferenceId>,
}

impl<'d> Transclusion<'d> {
    /// Copies nothing yet.
    pub fn new(source: &'d Document, target: &'d mut Document) -> Self {
        Self {
            source,
            target,
            references: FxHashMap::default(),
            footnotes: FxHashMap::default(),
            added: Vec::new(),
        }
    }

    /// Copies the blocks. Returns them, and the source number of each new reference of the target.
    pub fn copy(mut self, blocks: &[Block]) -> (Vec<Block>, Vec<ReferenceId>) {
        let mut copy = blocks.to_vec();
        self.blocks(&mut copy);
        (copy, self.added)
    }

    fn blocks(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            match block {
                Block::Heading { content, .. } => {
                    let content = without_strong(std::mem::take(content));
                    *block = Block::Paragraph(vec![Inline::Strong(content)]);
                }
                Block::Embed(embed) => embed.reference = self.reference(embed.reference),
                Block::Container(container) => remove_id(&mut container.attributes),
                _ => {}
            }
            for part in block.parts_mut() {
                match part {
                    Part::Blocks(blocks) => self.blocks(blocks),
                    Part::Inlines(inlines) => self.inlines(inlines),
                }
            }
        }
    }

    fn inlines(&mut self, inlines: &mut Vec<Inline>) {
        inlines.retain(|inline| !matches!(inline, Inline::Anchor(_)));
        for inline in inlines {
            match inline {
                Inline::Span(span) => remove_id(&mut span.attributes),
                Inline::Link { reference, .. } | Inline::Image(Image { reference, .. }) => {
                    *reference = self.reference(*reference)
                }
                Inline::Footnote(number) => *number = self.footnote(*number),
                _ => {}
            }
            if let Some(content) = inline.content_mut() {
                self.inlines(content);
            }
        }
    }

    fn reference(&mut self, old: ReferenceId) -> ReferenceId {
        if let Some(&new) = self.references.get(&old) {
            return new;
        }
        let new = self.target.references.len();
        if let Some(reference) = self.source.references.get(old) {
            self.target.references.push(reference.clone());
            self.added.push(old);
        }
        self.references.insert(old, new);
        new
    }

    fn footnote(&mut self, old: usize) -> usize {
        if let Some(&new) = self.footnotes.get(&old) {
            return new;
        }
        let new = self.target.footnotes.len();
        self.footnotes.insert(old, new);
        let Some(note) = self.source.footnotes.get(old) else {
            return old;
        };
        // Reserves the position first: the note may mention others, or itself.
        self.target.footnotes.push(Footnote {
            label: note.label.clone(),
            blocks: Vec::new(),
        });
        let mut blocks = note.blocks.clone();
        self.blocks(&mut blocks);
        self.target.footnotes[new].blocks = blocks;
        new
    }
}

fn remove_id(attributes: &mut Attributes) {
    attributes.retain(|(name, _)| name != "id");
}

/// A heading's inlines without strong emphasis, since the whole text becomes strong.
fn without_strong(content: Vec<Inline>) -> Vec<Inline> {
    let mut flat = Vec::with_capacity(content.len());
    for inline in content {
        match inline {
            Inline::Strong(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    flat
}
