//! One parsed document: what both forms of a page are written from.
//!
//! The model is made by [`markdown`](crate::syntax::markdown) or [`html`](crate::syntax::html) and
//! written by two writers, one a form. It knows nothing of addresses: every link and image is a
//! [`Reference`] by number, and a writer is given the [`Target`] of each.
//!
//! What the types promise, so that no writer has to repair anything: blocks hold inlines and never
//! the reverse, links never nest, every explicit id is unique on its page, comments, scripts and
//! styles are gone, and the nesting depth is bounded.

use std::sync::Arc;

mod address;
pub(crate) mod build;
mod callout;
mod code;
mod content;
mod levels;
mod localise;
mod outline;
mod queries;
#[cfg(test)]
mod tests;
pub(crate) mod transclude;
mod tree;
mod write_html;
mod write_markdown;

pub(crate) use address::{POST, REF};
pub use address::{Purpose, Rendering, Written};
pub(crate) use callout::callout_kind;
pub(crate) use code::language_of;
pub use content::Content;
pub use outline::{Outline, Parity};
pub use queries::Heading;
pub use write_html::write_html;
pub use write_markdown::write_markdown;

/// The number of a [`Reference`] in [`Document::references`].
pub type ReferenceId = usize;

/// One article or page, parsed once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Document {
    /// The content, in order.
    pub blocks: Vec<Block>,
    /// Footnotes in the order of their first mention; [`Inline::Footnote`] counts from 0 into it.
    pub footnotes: Vec<Footnote>,
    /// Every address the author wrote (links, images, media), in document order.
    pub references: Vec<Reference>,
    /// The id of the heading that [`Document::take_title`] took away: belongs on the page's `<h1>`,
    /// so that links to it still land.
    pub title_id: Option<String>,
}

/// An address as the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The raw address: `../x.md#top`, `/img/a.png`, `https://…`; a wikilink's target for
    /// [`ReferenceKind::Wiki`].
    pub raw: String,
    /// What it is used for.
    pub kind: ReferenceKind,
    /// The line in the source file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// What a [`Reference`] is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// `[text](address)`, `<a href>`.
    Link,
    /// `![alt](address)`, `<img src>`: must be there to be seen.
    Media,
    /// `<iframe src>`, `<video src>`: another document, a film or a sound.
    Player,
    /// `[[Note]]`, by name.
    Wiki,
    /// `![[Note]]`, by name.
    Embed,
}

/// Where a [`Reference`] leads, decided against the whole library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A page of this site: its path without suffix (`/articles/x`, `/about`, `/index`), decoded,
    /// and a fragment without `#`.
    Page {
        /// The path without suffix, decoded, beginning with `/`.
        stem: Arc<str>,
        /// The fragment without its `#`.
        fragment: Option<String>,
    },
    /// A file or document of this site: its decoded path, what followed it (`?query#fragment`), and
    /// an image's size in pixels.
    File {
        /// The decoded path, beginning with `/`.
        path: Arc<str>,
        /// `?query#fragment` as written; mostly empty.
        suffix: String,
        /// Width and height in pixels, for an image.
        size: Option<(u32, u32)>,
    },
    /// Another site, or a scheme such as `mailto:`.
    Url(String),
    /// An anchor on the same page: a fragment without `#`.
    Here(String),
    /// Nothing was found: the text stays without a link.
    Unresolved,
}

/// A footnote and its label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footnote {
    /// The author's label. Both forms show the number instead.
    pub label: String,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// A heading. Its level is the author's; the writers close gaps and leave level 1 to the page's
    /// title.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Unique on the page, never empty.
        id: String,
        /// The text.
        content: Vec<Inline>,
    },
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A code block.
    Code {
        /// The first word of the info string.
        language: Option<String>,
        /// The code, without a line break at its end.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A note, tip, warning.
    Callout(Callout),
    /// A list.
    List(List),
    /// A table.
    Table(Table),
    /// Terms and their descriptions.
    Definitions(Vec<Definition>),
    /// A thematic break.
    Rule,
    /// Something shown with a caption.
    Figure {
        /// What is shown: images in a paragraph, code, a table, an embed.
        blocks: Vec<Block>,
        /// The caption; may be empty.
        caption: Vec<Inline>,
    },
    /// A part that opens and closes.
    Details {
        /// What stays visible; may be empty.
        summary: Vec<Inline>,
        /// Whether it starts open.
        open: bool,
        /// What opens.
        blocks: Vec<Block>,
    },
    /// Display mathematics, as TeX without its delimiters.
    Math(String),
    /// Something of another place shown in the page.
    Embed(Embed),
    /// A wrapper of the author's: kept in HTML, transparent in Markdown.
    Container(Container),
}

/// A note, tip, warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callout {
    /// Lower case: `note`, `tip`, `important`, `warning`, `caution`, or any other word of the
    /// author's.
    pub kind: String,
    /// The author's own title; empty when the kind says it.
    pub title: Vec<Inline>,
    /// Whether it folds, and then whether it starts open.
    pub fold: Option<Fold>,
    /// The content.
    pub blocks: Vec<Block>,
}

/// How something that folds starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Visible.
    Open,
    /// Hidden behind its title.
    Closed,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// The number of the first item of an ordered list.
    pub start: Option<u64>,
    /// Whether the items are lines rather than paragraphs.
    pub tight: bool,
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Item {
    /// Whether it is a task, and then whether it is done.
    pub task: Option<bool>,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Table {
    /// The caption; may be empty.
    pub caption: Vec<Inline>,
    /// One a column.
    pub alignments: Vec<Alignment>,
    /// The first row's cells, as many as columns; empty for a table without a header.
    pub header: Vec<Cell>,
    /// The other rows, each with as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Whether it heads its row.
    pub heads: bool,
    /// The content; mostly one paragraph.
    pub blocks: Vec<Block>,
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// As the reader's program likes.
    #[default]
    None,
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
}

/// One or more terms with what they mean.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The terms; may be empty in careless HTML.
    pub terms: Vec<Vec<Inline>>,
    /// The descriptions; may be empty in careless HTML.
    pub descriptions: Vec<Vec<Block>>,
}

/// Something of another place shown in the page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Embed {
    /// What shows it.
    pub kind: EmbedKind,
    /// Its address.
    pub reference: ReferenceId,
    /// What it is, in words; never empty.
    pub title: String,
}

/// What shows an [`Embed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmbedKind {
    /// A page in the page: `<iframe>`.
    Frame,
    /// `<video>`.
    Video,
    /// `<audio>`.
    Audio,
}

/// A wrapper of the author's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Container {
    /// Which element writes it.
    pub tag: ContainerTag,
    /// Attributes that are safe and valid on any element: `class`, `id`, `lang`, `dir`, `title`,
    /// `data-*`, in the order of writing.
    pub attributes: Attributes,
    /// The content.
    pub blocks: Vec<Block>,
}

/// Cleaned attributes: names in lower case, values plain text.
pub type Attributes = Vec<(String, String)>;

/// The elements that may write a [`Container`]. A page has one `main`, one `article`, and a footer
/// of its own: theirs become a `div`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerTag {
    /// `<div>`.
    Div,
    /// `<aside>`.
    Aside,
}

/// An inline of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    /// Plain text, without line breaks.
    Text(String),
    /// Code.
    Code(String),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// No longer true.
    Strikethrough(Vec<Inline>),
    /// Any other inline element with meaning or attributes.
    Span(Span),
    /// A link. Never inside a link.
    Link {
        /// Its address.
        reference: ReferenceId,
        /// What a pointer shows; may be empty.
        title: String,
        /// Its text.
        content: Vec<Inline>,
    },
    /// An image.
    Image(Image),
    /// A line break that counts.
    HardBreak,
    /// A line break that is a space.
    SoftBreak,
    /// The mention of a footnote, counted from 0.
    Footnote(usize),
    /// Mathematics, as TeX without its delimiters.
    Math {
        /// The TeX.
        tex: String,
        /// Whether it is on a line of its own.
        display: bool,
    },
    /// An id that can be linked to. Unique on the page, never empty.
    Anchor(String),
}

/// An inline element with meaning or attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which element writes it.
    pub tag: SpanTag,
    /// As for [`Container::attributes`].
    pub attributes: Attributes,
    /// The content.
    pub content: Vec<Inline>,
}

/// The elements that may write a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is named after its element")]
pub enum SpanTag {
    Abbr,
    Bdi,
    Bdo,
    Cite,
    Code,
    Dfn,
    Ins,
    Kbd,
    Mark,
    Quote,
    Samp,
    Small,
    Span,
    Sub,
    Sup,
    Underline,
    Var,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    /// Its address.
    pub reference: ReferenceId,
    /// What it shows, in words; may be empty.
    pub alt: String,
    /// What a pointer shows; may be empty.
    pub title: String,
    /// The width in pixels where the author gave one.
    pub width: Option<u32>,
    /// The height in pixels where the author gave one.
    pub height: Option<u32>,
}

impl Inline {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl SpanTag {
    /// The element's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Abbr => "abbr",
            Self::Bdi => "bdi",
            Self::Bdo => "bdo",
            Self::Cite => "cite",
            Self::Code => "code",
            Self::Dfn => "dfn",
            Self::Ins => "ins",
            Self::Kbd => "kbd",
            Self::Mark => "mark",
            Self::Quote => "q",
            Self::Samp => "samp",
            Self::Small => "small",
            Self::Span => "span",
            Self::Sub => "sub",
            Self::Sup => "sup",
            Self::Underline => "u",
            Self::Var => "var",
        }
    }
}
