//! Elements that are open while a document is built.

use crate::model::document::{
    Alignment, Attributes, Block, CodeInfo, ContainerTag, Definition, Fold, Inline, Item,
    ReferenceId, SpanTag,
};

/// The opener of an element, which determines what may close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The Markdown parser: only its end event closes it.
    Markdown,
    /// The builder, because the content required it.
    Implied,
    /// A raw HTML tag of this name.
    Html(&'static str),
}

/// An inline wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    Emphasis,
    Strong,
    Strikethrough,
    Span(SpanTag, Attributes),
    Link {
        reference: ReferenceId,
        title: String,
    },
}

/// An image whose alternative text is being read.
#[derive(Clone, Debug)]
pub(crate) struct OpenImage {
    pub reference: ReferenceId,
    pub title: String,
    /// Whether the text may be a size, as in `![[picture.png|300]]`.
    pub sized: bool,
}

/// A finished cell, before its table is made rectangular.
#[derive(Debug, Default)]
pub(crate) struct OpenCell {
    pub heads: bool,
    pub alignment: Alignment,
    pub columns: usize,
    pub rows: usize,
    pub blocks: Vec<Block>,
}

/// A finished row.
#[derive(Debug, Default)]
pub(crate) struct OpenRow {
    pub header: bool,
    /// Whether it is left out because it has no meaning for readers.
    pub dropped: bool,
    pub cells: Vec<OpenCell>,
}

impl OpenRow {
    /// Whether all its cells are heads of columns.
    pub(super) fn is_header(&self) -> bool {
        self.header || (self.cells.len() > 1 && self.cells.iter().all(|cell| cell.heads))
    }
}

/// An open table.
#[derive(Debug, Default)]
pub(crate) struct OpenTable {
    pub caption: Vec<Inline>,
    pub alignments: Vec<Alignment>,
    /// Whether the current rows are in a `thead`.
    pub heading: bool,
    pub rows: Vec<OpenRow>,
}

/// The block or inline that an element becomes when it closes.
#[derive(Debug)]
pub(crate) enum Kind {
    // These contain blocks.
    Root,
    Quote,
    Callout {
        kind: String,
        title: Vec<Inline>,
        fold: Option<Fold>,
    },
    Item {
        task: Option<bool>,
        loose: bool,
    },
    Cell(OpenCell),
    Description,
    Details {
        open: bool,
        summary: Vec<Inline>,
    },
    Figure {
        caption: Vec<Inline>,
    },
    Container(ContainerTag, Attributes),
    Footnote(String),
    // These contain only their own parts.
    List {
        start: Option<u64>,
        /// Whether its numbers descend: those of its items are not its start.
        reversed: bool,
        loose: bool,
        items: Vec<Item>,
    },
    Table(Box<OpenTable>),
    Row(OpenRow),
    Definitions(Vec<Definition>),
    // These contain inlines.
    Paragraph,
    Heading {
        level: u8,
        id: Option<String>,
    },
    Term,
    Summary,
    Caption,
    Wrapper(Wrapper),
    Alt(OpenImage),
    // This contains text.
    Code {
        language: Option<String>,
        info: CodeInfo,
        text: String,
    },
}

/// The content model of an element (roughly HTML's).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentModel {
    /// Blocks; inlines open a paragraph.
    Blocks,
    /// Its own parts; anything else opens one implicitly.
    Parts,
    /// Inlines; a block ends it.
    Paragraph,
    /// Inlines; a block is flattened to inlines.
    Line,
    /// Inlines, inside one of the two above.
    Wrapper,
    /// Only text.
    Text,
}

impl Kind {
    pub(crate) fn content_model(&self) -> ContentModel {
        match self {
            Self::Root
            | Self::Quote
            | Self::Callout { .. }
            | Self::Item { .. }
            | Self::Cell(_)
            | Self::Description
            | Self::Details { .. }
            | Self::Figure { .. }
            | Self::Container(..)
            | Self::Footnote(_) => ContentModel::Blocks,
            Self::List { .. } | Self::Table(_) | Self::Row(_) | Self::Definitions(_) => {
                ContentModel::Parts
            }
            Self::Paragraph => ContentModel::Paragraph,
            Self::Heading { .. } | Self::Term | Self::Summary | Self::Caption | Self::Alt(_) => {
                ContentModel::Line
            }
            Self::Wrapper(_) => ContentModel::Wrapper,
            Self::Code { .. } => ContentModel::Text,
        }
    }
}

/// An open element: its kind, its opener, and its content so far.
#[derive(Debug)]
pub(crate) struct OpenElement {
    pub kind: Kind,
    pub origin: Origin,
    pub blocks: Vec<Block>,
    pub inlines: Vec<Inline>,
}

impl OpenElement {
    pub(crate) fn new(kind: Kind, origin: Origin) -> Self {
        Self {
            kind,
            origin,
            blocks: Vec::new(),
            inlines: Vec::new(),
        }
    }
}
