//! One parsed document: what both forms of a page are written from.
//!
//! The model is made by [`markdown`](crate::markdown) or [`html`](crate::html) and written by two writers, one a form. It knows nothing of
//! addresses: every link and image is a [`Reference`] by number, and a writer is given the [`Target`] of each.

use std::sync::Arc;

/// The number of a [`Reference`] in [`Document::references`].
pub type ReferenceId = usize;

/// One article or page, parsed once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The content, in order.
    pub blocks: Vec<Block>,
    /// Footnotes in the order of their first mention.
    pub footnotes: Vec<Footnote>,
    /// Every address the author wrote (links, images, media), in document order.
    pub references: Vec<Reference>,
}

/// An address as the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The raw address: `../x.md#top`, `/img/a.png`, `https://…`; a wikilink's target for [`ReferenceKind::Wiki`].
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
    /// `![alt](address)`, `<img src>`, `<video src>`: must be there to be seen.
    Media,
    /// `[[Note]]`, by name.
    Wiki,
    /// `![[Note]]`, by name.
    Embed,
}

/// Where a [`Reference`] leads, decided against the whole library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A page of this site: its path without suffix (`/articles/x`, `/about`, `/index`), decoded, and a fragment without `#`.
    Page {
        /// The path without suffix, decoded, beginning with `/`.
        stem: Arc<str>,
        /// The fragment without its `#`.
        fragment: Option<String>,
    },
    /// A file or document of this site: its decoded path, what followed it (`?query#fragment`), and an image's size in pixels.
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
    /// A place on the same page: a fragment without `#`.
    Here(String),
    /// Nothing was found: the text stays, the link goes.
    Unresolved,
}

/// A footnote and its label as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// The author's label.
    pub label: String,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
}

/// An inline of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Plain text.
    Text(String),
}
