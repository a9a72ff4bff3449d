//! Rows of long lists that were written before, for the next edition: an edit changes a few of them, and writing one costs much more than copying it.
//!
//! A row depends on its page and on the settings alone, and a page that was taken over was made with the same settings. So a row is taken over where its page is one
//! and the same in both editions.

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::Entry;
use crate::resource::Resource;
use crate::route::Route;

/// How far ahead a row is looked for when others were removed before it.
pub(super) const AHEAD: usize = 64;

/// Bytes that documents may grow by from one edition to the next without being moved.
const SPARE: usize = 1 << 12;

/// What tells one page from all others while both are there; `None`: its rows are not remembered.
pub(crate) type Key = Option<std::num::NonZeroUsize>;

/// The rows of one list, in its order, wherever they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The documents that they stand in.
    documents: Vec<Route>,
    /// Their bytes, once they are where they stay.
    texts: Vec<Bytes>,
}

/// One row: of which page it is, in which document it stands, and where.
#[derive(Clone, Copy, Debug)]
struct Row {
    page: Key,
    document: u32,
    start: u32,
    length: u32,
    /// A number that goes with it.
    extra: u32,
}

impl Rows {
    /// Looks up rows in the order of the list.
    pub(crate) fn known(&self) -> Known<'_> {
        Known { rows: self, next: 0 }
    }

    /// The rows that are noted from now on stand in this document.
    pub(crate) fn document(&mut self, route: &Route) {
        self.documents.push(route.clone());
    }

    /// Notes where the row of an entry stands in the last [`document`](Self::document).
    pub(crate) fn note(&mut self, entry: &Entry<'_>, start: usize, end: usize, extra: usize) {
        let number = |number: usize| u32::try_from(number).ok();
        let document = number(self.documents.len()).and_then(|count| count.checked_sub(1));
        if let (Some(document), Some(start), Some(length), Some(extra)) =
            (document, number(start), end.checked_sub(start).and_then(number), number(extra))
        {
            self.rows.push(Row { page: entry.key, document, start, length, extra });
        }
    }

    /// How many bytes the documents have that they stand in, and some more: what the next ones need, mostly.
    pub(crate) fn room(&self) -> usize {
        self.texts.iter().map(Bytes::len).sum::<usize>() + SPARE
    }

    /// The same, once the documents are where they stay.
    pub(crate) fn settled(mut self, documents: &FxHashMap<Route, Bytes>) -> Self {
        self.texts = self.documents.iter().map(|route| documents.get(route).cloned().unwrap_or_default()).collect();
        self.rows.shrink_to_fit();
        self
    }
}

/// Where the documents are that rows may stand in: those of one piece.
pub(crate) fn pieces<'r>(documents: impl Iterator<Item = &'r Resource>) -> FxHashMap<Route, Bytes> {
    let piece = |document: &Resource| match document.body.slices() {
        [only] => Some((document.route.clone(), only.clone())),
        _ => None,
    };
    documents.filter_map(piece).collect()
}

/// The rows of the edition before.
#[derive(Debug)]
pub(crate) struct Known<'r> {
    rows: &'r Rows,
    next: usize,
}

impl<'r> Known<'r> {
    /// The row of this entry, and the number that goes with it. Entries have to come in the order of the list; one that stands elsewhere now is not found.
    pub(crate) fn find(&mut self, entry: &Entry<'_>) -> Option<(&'r str, usize)> {
        let key = entry.key?;
        let ahead = self.rows.rows.get(self.next..)?;
        let place = ahead.iter().take(AHEAD).position(|row| row.page == Some(key))?;
        self.next += place + 1;
        let row = ahead.get(place)?;
        let start = row.start as usize;
        let text = self.rows.texts.get(row.document as usize)?.get(start..start + row.length as usize)?;
        Some((std::str::from_utf8(text).ok()?, row.extra as usize))
    }
}
