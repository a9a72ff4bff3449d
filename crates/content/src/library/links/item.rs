//! What a link may lead to.

use std::sync::Arc;

/// A link target.
#[derive(Clone, Debug)]
pub struct Item {
    /// The source file; empty for Diglot's own documents.
    pub source: Arc<str>,
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// An author's page, by its stem. The number of its item is that of its candidate.
    Page(Arc<str>),
    /// A page that Diglot writes, by its stem.
    Generated(Arc<str>),
    /// A file or document, with the size of an image.
    File {
        path: Arc<str>,
        size: Option<(u32, u32)>,
    },
    /// Not visible, with the reason.
    Hidden(Arc<str>),
}

impl Item {
    /// The stem of a page.
    pub fn stem(&self) -> Option<&Arc<str>> {
        match &self.kind {
            ItemKind::Page(stem) | ItemKind::Generated(stem) => Some(stem),
            ItemKind::File { .. } | ItemKind::Hidden(_) => None,
        }
    }
}

/// The number of an item. Candidates keep their own number.
pub type ItemId = usize;
