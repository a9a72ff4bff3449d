//! Traversal of a document tree, for searches and changes.

use super::{Block, Callout, Cell, Container, Definition, Document, Inline, Table};

/// A node whose children have the same type: a block or an inline.
pub trait Node: Sized {
    /// Adds the lists of its direct children, the last one first.
    fn push_children<'d>(&'d self, lists: &mut Vec<&'d [Self]>);

    /// The lists of its direct children, in order.
    fn children(&self) -> Vec<&[Self]> {
        let mut lists = Vec::new();
        self.push_children(&mut lists);
        lists.reverse();
        lists
    }
}

/// Pre-order iterator over trees.
pub struct Walk<'d, N> {
    /// The nodes to visit next. Most lines are one list without children, which needs no `rest`.
    next: &'d [N],
    /// The nodes after them; the last list is first.
    rest: Vec<&'d [N]>,
}

/// Iterates over all nodes of these trees.
pub fn walk<N: Node>(nodes: &[N]) -> Walk<'_, N> {
    Walk {
        next: nodes,
        rest: Vec::new(),
    }
}

impl<'d, N: Node> Iterator for Walk<'d, N> {
    type Item = &'d N;

    fn next(&mut self) -> Option<&'d N> {
        while self.next.is_empty() {
            self.next = self.rest.pop()?;
        }
        let (first, others) = self.next.split_first()?;
        let behind = self.rest.len();
        first.push_children(&mut self.rest);
        self.next = others;
        if self.rest.len() > behind {
            self.rest.insert(behind, others);
            self.next = &[];
        }
        Some(first)
    }
}

/// The parts of a block, mutable.
pub(super) enum Part<'d> {
    Blocks(&'d mut Vec<Block>),
    Inlines(&'d mut Vec<Inline>),
}

impl Document {
    /// Every block of the body, then of the footnotes.
    pub(crate) fn all_blocks(&self) -> Walk<'_, Block> {
        let notes = self.footnotes.iter().rev();
        Walk {
            next: &self.blocks,
            rest: notes.map(|note| note.blocks.as_slice()).collect(),
        }
    }
}

impl Block {
    /// The lists of inlines directly in it.
    pub fn lines(&self) -> impl Iterator<Item = &[Inline]> {
        let (line, definitions): (Option<&[Inline]>, &[Definition]) = match self {
            Self::Heading { content: line, .. }
            | Self::Paragraph(line)
            | Self::Figure { caption: line, .. }
            | Self::Details { summary: line, .. }
            | Self::Callout(Callout { title: line, .. })
            | Self::Table(Table { caption: line, .. }) => (Some(line), &[]),
            Self::Definitions(definitions) => (None, definitions),
            _ => (None, &[]),
        };
        let terms = definitions.iter().flat_map(|definition| &definition.terms);
        line.into_iter().chain(terms.map(Vec::as_slice))
    }

    /// All its parts, in document order.
    pub(super) fn parts_mut(&mut self) -> Vec<Part<'_>> {
        match self {
            Self::Heading { content, .. } | Self::Paragraph(content) => {
                vec![Part::Inlines(content)]
            }
            Self::Quote(blocks) | Self::Container(Container { blocks, .. }) => {
                vec![Part::Blocks(blocks)]
            }
            Self::Callout(Callout {
                title: line,
                blocks,
                ..
            })
            | Self::Details {
                summary: line,
                blocks,
                ..
            } => {
                vec![Part::Inlines(line), Part::Blocks(blocks)]
            }
            Self::Figure { blocks, caption } => vec![Part::Blocks(blocks), Part::Inlines(caption)],
            Self::List(list) => list
                .items
                .iter_mut()
                .map(|item| Part::Blocks(&mut item.blocks))
                .collect(),
            Self::Table(table) => {
                let mut parts = vec![Part::Inlines(&mut table.caption)];
                for cell in table
                    .header
                    .iter_mut()
                    .chain(table.rows.iter_mut().flatten())
                {
                    parts.push(Part::Blocks(&mut cell.blocks));
                }
                parts
            }
            Self::Definitions(definitions) => {
                let mut parts = Vec::new();
                for definition in definitions {
                    parts.extend(definition.terms.iter_mut().map(Part::Inlines));
                    parts.extend(definition.descriptions.iter_mut().map(Part::Blocks));
                }
                parts
            }
            Self::Code { .. } | Self::Rule | Self::Math(_) | Self::Embed(_) => Vec::new(),
        }
    }
}

impl Node for Block {
    fn push_children<'d>(&'d self, lists: &mut Vec<&'d [Self]>) {
        match self {
            Self::Quote(blocks)
            | Self::Figure { blocks, .. }
            | Self::Details { blocks, .. }
            | Self::Callout(Callout { blocks, .. })
            | Self::Container(Container { blocks, .. }) => lists.push(blocks),
            Self::List(list) => {
                lists.extend(list.items.iter().rev().map(|item| item.blocks.as_slice()));
            }
            Self::Table(table) => {
                lists.extend(table.cells().rev().map(|cell| cell.blocks.as_slice()));
            }
            Self::Definitions(definitions) => lists.extend(
                definitions
                    .iter()
                    .flat_map(|definition| &definition.descriptions)
                    .rev()
                    .map(Vec::as_slice),
            ),
            Self::Heading { .. }
            | Self::Paragraph(_)
            | Self::Code { .. }
            | Self::Rule
            | Self::Math(_)
            | Self::Embed(_) => {}
        }
    }
}

impl Table {
    /// Every cell, row by row.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = &Cell> {
        self.header.iter().chain(self.rows.iter().flatten())
    }
}

impl Inline {
    /// The inlines directly in it.
    pub fn content(&self) -> &[Self] {
        match self {
            Self::Emphasis(content)
            | Self::Strong(content)
            | Self::Strikethrough(content)
            | Self::Link { content, .. } => content,
            Self::Span(span) => &span.content,
            _ => &[],
        }
    }

    /// The inlines directly in it, mutable.
    pub(super) fn content_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Emphasis(content)
            | Self::Strong(content)
            | Self::Strikethrough(content)
            | Self::Link { content, .. } => Some(content),
            Self::Span(span) => Some(&mut span.content),
            _ => None,
        }
    }
}

impl Node for Inline {
    fn push_children<'d>(&'d self, lists: &mut Vec<&'d [Self]>) {
        let content = self.content();
        if !content.is_empty() {
            lists.push(content);
        }
    }
}
