//! A document that can be parsed again from its source: a document tree is several times as large
//! as its text, and most are read only once.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Document;
use crate::model::fingerprint::{Digest, Fingerprint};

/// Parses a document again; always returns the same document.
type Source = dyn Fn() -> Document + Send + Sync;

/// A document with its digest. Clones share the document until it is released; a
/// clone that is read afterwards parses it again and keeps it.
#[derive(Clone)]
pub struct Content {
    shared: Arc<Mutex<Option<Arc<Document>>>>,
    /// The document, once read.
    own: OnceLock<Arc<Document>>,
    source: Option<Arc<Source>>,
    digest: OnceLock<Digest>,
}

impl Content {
    /// Sets the function that parses the document again. `digest` covers all its inputs.
    pub fn set_source(
        &mut self,
        digest: Digest,
        source: impl Fn() -> Document + Send + Sync + 'static,
    ) {
        self.digest = digest.into();
        self.source = Some(Arc::new(source));
    }

    /// Drops the shared document, if it can be parsed again.
    pub fn release(&self) {
        if self.source.is_some() {
            *self.shared() = None;
        }
    }

    /// The same content for a single read: the document that is parsed for it is dropped with this
    /// value.
    #[must_use]
    pub fn aside(&self) -> Self {
        Self {
            own: OnceLock::new(),
            ..self.clone()
        }
    }

    /// A digest of the document, or of all its inputs.
    pub fn digest(&self) -> &Digest {
        self.digest
            .get_or_init(|| Fingerprint::hash_one(&*self.made()))
    }

    /// Changes the document. The result has no source.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut Document) -> T) -> T {
        let mut document = std::mem::take(self).into_document();
        let changed = change(&mut document);
        *self = document.into();
        changed
    }

    /// The content with a changed document. If it has a source, so has the result; `key` identifies
    /// the change.
    pub fn changed(
        &self,
        key: &impl Hash,
        change: impl Fn(&mut Document) + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.clone();
        changed.change(&change);
        if let Some(source) = self.source.clone() {
            changed.set_source(Fingerprint::hash_one(&(self.digest(), key)), move || {
                let mut document = source();
                change(&mut document);
                document
            });
        }
        changed
    }

    /// The document; a copy only if others hold it too.
    pub fn into_document(self) -> Document {
        let document = self.made();
        drop(self);
        Arc::unwrap_or_clone(document)
    }

    fn shared(&self) -> MutexGuard<'_, Option<Arc<Document>>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self) -> Arc<Document> {
        if let Some(shared) = &*self.shared() {
            return Arc::clone(shared);
        }
        self.source
            .as_ref()
            .map(|source| Arc::new(source()))
            .unwrap_or_default()
    }
}

impl From<Document> for Content {
    fn from(document: Document) -> Self {
        Self {
            shared: Arc::new(Mutex::new(Some(Arc::new(document)))),
            own: OnceLock::new(),
            source: None,
            digest: OnceLock::new(),
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Document::default().into()
    }
}

impl Deref for Content {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.own.get_or_init(|| self.made())
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::document::Block;

    fn document() -> Document {
        Document {
            blocks: vec![Block::Rule],
            ..Document::default()
        }
    }

    fn is_held(content: &Content) -> bool {
        content.shared().is_some()
    }

    #[test]
    fn a_released_document_is_made_again_and_a_changed_one_is_another() {
        let mut content = Content::from(document());
        content.release();
        assert!(is_held(&content), "it has no source, so it stays");
        content.set_source([1; 16], document);
        let released = content.clone();
        released.release();
        assert!(
            !is_held(&content)
                && released.digest() == content.digest()
                && released.aside().blocks.len() == 1
        );
        assert!(
            released.own.get().is_none(),
            "who looks aside leaves nothing behind"
        );
        let mut changed = released.clone();
        changed.change(|document| document.blocks.clear());
        assert!(
            changed.digest() != released.digest()
                && changed.blocks.is_empty()
                && released.blocks.len() == 1
        );
    }

    #[test]
    fn a_changed_document_with_a_source_can_be_made_again() {
        let mut content = Content::from(document());
        content.set_source([1; 16], document);
        let changed = content.changed(&1, |document| document.blocks.push(Block::Rule));
        changed.release();
        assert!(!is_held(&changed));
        assert_eq!((changed.aside().blocks.len(), content.blocks.len()), (2, 1));
        assert_eq!(changed.into_document().blocks.len(), 2);
    }
}
