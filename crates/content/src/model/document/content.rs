//! A document that can be had again from its source: the tree of a text is several times as large as the text, and most are looked at once.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Document, packed};
use crate::model::fingerprint::{Digest, of_bytes};

/// How a document is made again: from the same source, so always the same.
type Again = Box<dyn Fn() -> Document + Send + Sync>;

/// A document, there when somebody looks at it. Cloning is cheap; clones share it.
#[derive(Clone, Default)]
pub struct Content {
    held: Arc<Held>,
    again: Option<Arc<Again>>,
    /// As [`number`](Self::number) says; 0 is the empty document.
    number: u64,
}

/// The number of the last document that was made.
static LAST: AtomicU64 = AtomicU64::new(0);

/// What is there of a document.
#[derive(Default)]
struct Held {
    /// In a place of its own: where it is gone, or was never there, this stays, twice for each article.
    document: OnceLock<Box<Document>>,
    /// The same document as bytes.
    packed: Mutex<Option<Arc<str>>>,
}

impl Held {
    fn packed(&self) -> Option<Arc<str>> {
        self.packed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Content {
    /// Once [released](Self::release) it makes its document again with this.
    pub(crate) fn set_source(&mut self, again: impl Fn() -> Document + Send + Sync + 'static) {
        self.again = Some(Arc::new(Box::new(again)));
    }

    /// Makes bytes of its document if it is there. Those are a fraction of it, and are read much faster than its source.
    pub(crate) fn pack(&mut self) {
        thread_local! {
            static SCRATCH: RefCell<String> = const { RefCell::new(String::new()) };
        }
        let Some(document) = self.held.document.get() else { return };
        let bytes = SCRATCH.with_borrow_mut(|scratch| packed::pack(document, scratch));
        self.held = Arc::new(Held { packed: Mutex::new(Some(bytes)), ..Held::default() });
    }

    /// Lets go of its bytes where it has a source to be made from: most documents are looked at once.
    pub(crate) fn release(&self) {
        if self.again.is_some() {
            *self.held.packed.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// A digest of its document, which is bytes from now on.
    pub(crate) fn digest(&mut self) -> Digest {
        self.pack();
        of_bytes(self.held.packed().unwrap_or_default().as_bytes())
    }

    /// The same content for somebody who looks at it once: what has to be made for that is gone with this value, and `self` stays as small as it is.
    #[must_use]
    pub fn aside(&self) -> Self {
        match self.held.document.get() {
            Some(_) => self.clone(),
            None => Self { held: Arc::new(Held { packed: Mutex::new(self.held.packed()), ..Held::default() }), ..self.clone() },
        }
    }

    /// Changes the document. What comes out has no source.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut Document) -> T) -> T {
        let own = Arc::get_mut(&mut self.held).and_then(|held| held.document.take());
        let there = || self.held.document.get().cloned();
        let mut document = own.or_else(there).unwrap_or_else(|| Box::new(self.made()));
        let changed = change(&mut document);
        *self = document.into();
        changed
    }

    /// The document, made from what is left of it.
    fn made(&self) -> Document {
        let unpacked = self.held.packed().and_then(|bytes| packed::unpack(&bytes));
        unpacked.or_else(|| self.again.as_ref().map(|again| again())).unwrap_or_default()
    }

    /// A number that no other document of this process has: two contents with the same number have one and the same document.
    pub const fn number(&self) -> u64 {
        self.number
    }
}

impl From<Document> for Content {
    fn from(document: Document) -> Self {
        Box::new(document).into()
    }
}

impl From<Box<Document>> for Content {
    fn from(document: Box<Document>) -> Self {
        Self { held: Arc::new(Held { document: document.into(), ..Held::default() }), again: None, number: LAST.fetch_add(1, Ordering::Relaxed) + 1 }
    }
}

impl Deref for Content {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.held.document.get_or_init(|| Box::new(self.made()))
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
    use crate::model::document::Block;

    #[test]
    fn a_released_document_comes_back_and_a_changed_one_is_another() {
        let document = || Document { blocks: vec![Block::Rule], ..Document::default() };
        let mut content = Content::from(document());
        content.pack();
        content.release();
        assert!(content.held.packed().is_some() && content.aside().blocks.len() == 1, "it has no source, so it stays");
        content.set_source(document);
        let released = content.clone();
        released.release();
        assert!(content.held.packed().is_none() && released.number() == content.number() && released.aside().blocks.len() == 1);
        let mut changed = released.clone();
        changed.change(|document| document.blocks.clear());
        assert!(changed.number() != released.number() && changed.blocks.is_empty() && released.blocks.len() == 1);
        assert_ne!(changed.digest(), Content::from(document()).digest());
    }

    #[test]
    fn a_packed_document_comes_back_for_those_who_look_and_stays_packed_for_others() {
        let mut content = Content::from(Document { blocks: vec![Block::Rule], ..Document::default() });
        content.pack();
        assert!(content.held.document.get().is_none());
        assert_eq!(content.aside().blocks, [Block::Rule]);
        assert!(content.held.document.get().is_none(), "who looks aside leaves nothing behind");
        let mut changed = content.clone();
        changed.change(|document| document.blocks.push(Block::Rule));
        assert_eq!((changed.blocks.len(), content.blocks.len()), (2, 1));
        changed.pack();
        assert_eq!(changed.blocks.len(), 2);
    }
}
