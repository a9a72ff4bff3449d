//! A document that can be had again from its source: the tree of a text is several times as large as the text, and most are looked at once.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::Document;

/// How a document is made again: from the same source, so always the same.
type Again = Box<dyn Fn() -> Document + Send + Sync>;

/// A document, there when somebody looks at it. Cloning is cheap; clones share it.
#[derive(Clone, Default)]
pub struct Content {
    document: Arc<OnceLock<Document>>,
    again: Option<Arc<Again>>,
}

impl Content {
    /// The same content; once [released](Self::released) it makes its document again with this.
    #[must_use]
    pub(crate) fn with_source(self, again: impl Fn() -> Document + Send + Sync + 'static) -> Self {
        Self { again: Some(Arc::new(Box::new(again))), ..self }
    }

    /// The same content without its document, which comes back when somebody looks; with it where there is no source to make it from.
    #[must_use]
    pub fn released(&self) -> Self {
        let document = if self.again.is_some() { Arc::default() } else { Arc::clone(&self.document) };
        Self { document, again: self.again.clone() }
    }

    /// Changes the document. What comes out has no source.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut Document) -> T) -> T {
        let own = Arc::get_mut(&mut self.document).and_then(OnceLock::take);
        let mut document = own.unwrap_or_else(|| Document::clone(self));
        let changed = change(&mut document);
        *self = document.into();
        changed
    }

    /// Whether both are one and the same document, not only equal ones. It costs nothing, and tells apart what may be equal.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.again, &other.again) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => Arc::ptr_eq(&self.document, &other.document),
            _ => false,
        }
    }
}

impl From<Document> for Content {
    fn from(document: Document) -> Self {
        Self { document: Arc::new(document.into()), again: None }
    }
}

impl Deref for Content {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.document.get_or_init(|| self.again.as_ref().map(|again| again()).unwrap_or_default())
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Block;

    #[test]
    fn a_released_document_comes_back_and_a_changed_one_is_another() {
        let document = || Document { blocks: vec![Block::Rule], ..Document::default() };
        let content = Content::from(document());
        assert!(content.released().is_same(&content) && content.released().blocks.len() == 1, "it has no source, so it stays");
        let content = content.with_source(document);
        let released = content.released();
        assert!(released.document.get().is_none() && released.is_same(&content));
        assert_eq!(*released, *content);
        let mut changed = released.clone();
        changed.change(|document| document.blocks.clear());
        assert!(!changed.is_same(&released) && changed.blocks.is_empty() && released.blocks.len() == 1);
    }
}
