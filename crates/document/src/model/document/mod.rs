//! The parsed document, from which both representations of a page are written.
//!
//! [`markdown`](crate::syntax::markdown) or [`html`](crate::syntax::html) builds it, and one writer
//! per representation reads it. It contains no resolved addresses: every link and image is the
//! number of a [`Reference`], and the writer gets the [`Target`] of each.
//!
//! These invariants hold, so that the writers need not repair anything. Blocks contain inlines and
//! never the reverse. Links never nest. Every explicit id is unique on its page. There are no
//! comments, scripts or styles. The nesting depth is bounded.

use std::sync::Arc;

mod address;
pub(crate) mod build;
mod callout;
mod code;
mod content;
mod levels;
mod localise;
mod outline;
mod prose;
mod queries;
mod second_ids;
mod tags;
#[cfg(test)]
mod tests;
pub mod transclude;
pub(crate) mod tree;
mod typeset;
mod write_html;
mod write_markdown;

pub use address::{POST, Purpose, REF, Rendering, Written, url_of};
pub use build::{emoji::name_of as emoji_name, heading_id};
pub use callout::callout_kind;
pub use code::{CodeInfo, Mark, Marked, language_of};
pub use content::Content;
pub use outline::{Outline, Parity};
pub use queries::{Heading, Passage};
pub use typeset::{Quotes, typeset};
pub use write_html::{write_html, write_html_after};
pub use write_markdown::write_markdown;

/// The index of a [`Reference`] in [`Document::references`].
pub type ReferenceId = usize;

/// One article or page, parsed once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Document {
    /// The content, in order.
    pub blocks: Vec<Block>,
    /// Footnotes in the order of their first mention; [`Inline::Footnote`] is an index from 0.
    pub footnotes: Vec<Footnote>,
    /// Every address in the source (links, images, media), in document order.
    pub references: Vec<Reference>,
    /// The id of the heading that [`Document::take_title`] removed: it moves to the page's `<h1>`,
    /// so that links to it still work.
    pub title_id: Option<String>,
    /// Further ids of that heading, such as those that other generators give it.
    pub title_anchors: Vec<String>,
}

/// An address as the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The raw address: `../x.md#top`, `/img/a.png`, `https://…`; a wikilink's target for
    /// [`ReferenceKind::Wiki`].
    pub raw: String,
    /// The use of the address.
    pub kind: ReferenceKind,
    /// The line in the source file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The use of a [`Reference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// `[text](address)`, `<a href>`.
    Link,
    /// `![alt](address)`, `<img src>`: the target must exist to be shown.
    Media,
    /// `<iframe src>`, `<video src>`: another document, video or audio.
    Player,
    /// `[[Note]]`, by name.
    Wiki,
    /// `![[Note]]`, by name.
    Embed,
}

/// The target of a [`Reference`], resolved against the whole library.
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
    /// A file or document of this site: its decoded path, the rest of the address
    /// (`?query#fragment`), and an image's size in pixels.
    File {
        /// The decoded path, beginning with `/`.
        path: Arc<str>,
        /// `?query#fragment` as written; usually empty.
        suffix: String,
        /// Width and height in pixels, for an image.
        size: Option<(u32, u32)>,
    },
    /// Another site, or a scheme such as `mailto:`.
    Url(String),
    /// An anchor on the same page: a fragment without `#`.
    Here(String),
    /// Not found: the text stays without a link.
    Unresolved,
}

/// A footnote and its label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footnote {
    /// The author's label. Both representations show the number instead.
    pub label: String,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// A heading. Its level is the author's; the writers close gaps and reserve level 1 for the
    /// page's title.
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
        /// What else the info string says.
        info: CodeInfo,
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
    /// Content with a caption.
    Figure {
        /// The content: images in a paragraph, code, a table, an embed.
        blocks: Vec<Block>,
        /// The caption; may be empty.
        caption: Vec<Inline>,
    },
    /// A collapsible part.
    Details {
        /// The visible summary; may be empty.
        summary: Vec<Inline>,
        /// Whether it starts open.
        open: bool,
        /// The hidden content.
        blocks: Vec<Block>,
    },
    /// Display mathematics, as TeX without its delimiters.
    Math(String),
    /// Content from another address, shown in the page.
    Embed(Embed),
    /// An author's wrapper element: kept in HTML, transparent in Markdown.
    Container(Container),
}

/// A note, tip, warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callout {
    /// Lower case: `note`, `tip`, `important`, `warning`, `caution`, or any other word from the
    /// source.
    pub kind: String,
    /// The author's title; empty for the kind's default.
    pub title: Vec<Inline>,
    /// Whether it is collapsible, and its initial state.
    pub fold: Option<Fold>,
    /// The content.
    pub blocks: Vec<Block>,
}

/// The initial state of a collapsible part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Expanded.
    Open,
    /// Collapsed to its title.
    Closed,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// The number of the first item of an ordered list.
    pub start: Option<u64>,
    /// Whether the items are lines, not paragraphs.
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
    /// One per column.
    pub alignments: Vec<Alignment>,
    /// The cells of the first row, one per column; empty for a table without a header.
    pub header: Vec<Cell>,
    /// The other rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Whether it is the header of its row.
    pub heads: bool,
    /// The content; usually one paragraph.
    pub blocks: Vec<Block>,
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// The reader's default.
    #[default]
    None,
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
}

/// One or more terms with their descriptions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The terms; may be empty in malformed HTML.
    pub terms: Vec<Vec<Inline>>,
    /// The descriptions; may be empty in malformed HTML.
    pub descriptions: Vec<Vec<Block>>,
}

/// Content from another address, shown in the page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Embed {
    /// The element that shows it.
    pub kind: EmbedKind,
    /// Its address.
    pub reference: ReferenceId,
    /// A text alternative; never empty.
    pub title: String,
}

/// The element that shows an [`Embed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmbedKind {
    /// `<iframe>`.
    Frame,
    /// `<video>`.
    Video,
    /// `<audio>`.
    Audio,
}

/// An author's wrapper element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Container {
    /// Its element.
    pub tag: ContainerTag,
    /// Attributes that are safe and valid on any element: `class`, `id`, `lang`, `dir`, `title`,
    /// `data-*`, in output order.
    pub attributes: Attributes,
    /// The content.
    pub blocks: Vec<Block>,
}

/// Cleaned attributes: names in lower case, values plain text.
pub type Attributes = Vec<(String, String)>;

/// The elements of a [`Container`]. A page has one `main`, one `article` and its own footer, so
/// those of authors become `div`.
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
    /// Deleted or outdated text.
    Strikethrough(Vec<Inline>),
    /// Any other inline element with meaning or attributes.
    Span(Span),
    /// A link. Never inside a link.
    Link {
        /// Its address.
        reference: ReferenceId,
        /// The tooltip; may be empty.
        title: String,
        /// Its text.
        content: Vec<Inline>,
    },
    /// An image.
    Image(Image),
    /// A line break that is kept.
    HardBreak,
    /// A line break that is equivalent to a space.
    SoftBreak,
    /// The index of the mentioned footnote, from 0.
    Footnote(usize),
    /// Mathematics, as TeX without its delimiters.
    Math {
        /// The TeX.
        tex: String,
        /// Whether it is on its own line.
        display: bool,
    },
    /// A link target. Its id is unique on the page and never empty.
    Anchor(String),
}

/// An inline element with meaning or attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Its element.
    pub tag: SpanTag,
    /// As for [`Container::attributes`].
    pub attributes: Attributes,
    /// The content.
    pub content: Vec<Inline>,
}

/// The elements of a [`Span`].
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
    /// The alternative text; may be empty.
    pub alt: String,
    /// The tooltip; may be empty.
    pub title: String,
    /// The width in pixels, if specified.
    pub width: Option<u32>,
    /// The height in pixels, if specified.
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
