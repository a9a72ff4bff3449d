//! Long lists that were written before, for the next edition: an edit changes a few of their rows, and writing one costs much more than copying it. Mostly not
//! even that is needed: most of these documents come to the same text.
//!
//! A row depends on its page and on the settings alone, and a page that was taken over was made with the same settings. So a row is taken over where its page is one
//! and the same in both editions.

use std::num::NonZeroUsize;

use bytes::Bytes;
use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::Entry;
use crate::resource::{Digest, Resource};
use crate::route::Route;

/// How far ahead a row is looked for when others were removed before it.
pub(super) const AHEAD: usize = 64;

/// Bytes that a document may grow by from one edition to the next without being moved.
const SPARE: usize = 1 << 12;

/// What tells one page from all others while both are there; `None`: its rows are not remembered.
pub(crate) type Key = Option<NonZeroUsize>;

/// The rows of one list, in its order, wherever they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The documents that they stand in.
    documents: Vec<Route>,
    /// Their bytes, once they are where they stay.
    texts: Vec<(Bytes, Option<Digest>)>,
}

/// One row: of which page it is, in which document it stands, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    page: NonZeroUsize,
    document: u32,
    start: u32,
    length: u32,
    /// Two numbers that go with it.
    extra: [u16; 2],
}

impl Row {
    /// The row of an entry between two places of a document that has no number yet; `None` where it cannot be remembered.
    pub(super) fn of(entry: &Entry<'_>, start: usize, end: usize, [one, other]: [usize; 2]) -> Option<Self> {
        let number = |number: usize| u32::try_from(number).ok();
        let extra = [u16::try_from(one).ok()?, u16::try_from(other).ok()?];
        Some(Self { page: entry.key?, document: 0, start: number(start)?, length: number(end.checked_sub(start)?)?, extra })
    }
}

impl Rows {
    /// Looks up rows in the order of the list.
    pub(super) fn known(&self) -> Known<'_> {
        Known { rows: self, next: 0 }
    }

    /// Notes one more document with its rows.
    pub(super) fn note(&mut self, route: &Route, rows: impl IntoIterator<Item = Row>) {
        if let Ok(document) = u32::try_from(self.documents.len()) {
            self.documents.push(route.clone());
            self.rows.extend(rows.into_iter().map(|row| Row { document, ..row }));
        }
    }

    /// The same, once the documents are where they stay.
    pub(super) fn settled(mut self, documents: &FxHashMap<&Route, (&Bytes, Digest)>) -> Self {
        let text = |route| documents.get(route).map_or_else(Default::default, |(text, digest)| (Bytes::clone(text), Some(*digest)));
        self.texts = self.documents.iter().map(text).collect();
        self.rows.shrink_to_fit();
        self
    }
}

/// Where the documents are that rows may stand in: those of one piece.
pub(super) fn pieces<'d>(documents: &'d [Resource]) -> FxHashMap<&'d Route, (&'d Bytes, Digest)> {
    let piece = |document: &'d Resource| match document.body.slices() {
        [only] => Some((&document.route, (only, document.digest))),
        _ => None,
    };
    documents.iter().filter_map(piece).collect()
}

/// The rows of the edition before.
#[derive(Debug)]
pub(super) struct Known<'r> {
    rows: &'r Rows,
    next: usize,
}

impl<'r> Known<'r> {
    /// The row of this entry. Entries have to come in the order of the list; one that stands elsewhere now is not found.
    pub(super) fn find(&mut self, entry: &Entry<'_>) -> Option<Old<'r>> {
        let key = entry.key?;
        let ahead = self.rows.rows.get(self.next..)?;
        let place = ahead.iter().take(AHEAD).position(|row| row.page == key)?;
        self.next += place + 1;
        let old = Old { rows: self.rows, row: ahead.get(place)? };
        old.find().map(|_| old)
    }
}

/// A row of the edition before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Old<'r> {
    rows: &'r Rows,
    row: &'r Row,
}

impl<'r> Old<'r> {
    fn find(self) -> Option<&'r [u8]> {
        let start = self.row.start as usize;
        self.rows.texts.get(self.row.document as usize)?.0.get(start..start + self.row.length as usize)
    }

    /// What it says.
    pub(super) fn bytes(self) -> &'r [u8] {
        self.find().unwrap_or_default()
    }

    /// How many bytes that is.
    pub(super) const fn len(self) -> usize {
        self.row.length as usize
    }

    /// The numbers that go with it.
    pub(super) fn extra(self) -> [usize; 2] {
        self.row.extra.map(usize::from)
    }

    /// The number of the document that it stands in.
    pub(super) const fn document(self) -> usize {
        self.row.document as usize
    }
}

/// A document that is written, and compared with one of the edition before: as long as both say the same, nothing is copied, and one that says the same to its end
/// is the one that was there.
#[derive(Debug)]
pub(super) struct Rewrite<'r> {
    /// The number of the document before, its bytes and their digest.
    number: usize,
    before: &'r [u8],
    whole: Option<&'r (Bytes, Option<Digest>)>,
    /// How many bytes are written.
    length: usize,
    /// What is written, once it is another text.
    own: Option<Vec<u8>>,
    /// How many bytes it will be, about.
    room: usize,
}

impl<'r> Rewrite<'r> {
    /// One that may come to the same as the document with this number, and will else have about so many bytes.
    pub(super) fn of(before: &'r Rows, number: usize, room: usize) -> Self {
        let whole = before.texts.get(number);
        Self { number, before: whole.map_or(&[], |(text, _)| text), whole, length: 0, own: None, room }
    }

    /// How many bytes are written.
    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// Writes some bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if self.own.is_some() || self.before.get(self.length..end) != Some(bytes) {
            self.own().extend_from_slice(bytes);
        }
        self.length = end;
    }

    /// Writes a row of the edition before.
    pub(super) fn row(&mut self, old: Old<'r>) {
        // Where it stood is where it stands: it is not even looked at.
        if self.own.is_none() && old.document() == self.number && old.row.start as usize == self.length {
            self.length += old.len();
        } else {
            self.push(old.bytes());
        }
    }

    /// The bytes of its own: from now on it is another document.
    fn own(&mut self) -> &mut Vec<u8> {
        let (same, room) = (&self.before[..self.length.min(self.before.len())], self.room.max(self.before.len()) + SPARE);
        self.own.get_or_insert_with(|| {
            let mut own = Vec::with_capacity(room);
            own.extend_from_slice(same);
            own
        })
    }

    /// The document at this address.
    pub(super) fn finish(mut self, route: Route, modified: Timestamp) -> Resource {
        match self.whole {
            Some((text, Some(digest))) if self.own.is_none() && self.length == text.len() => {
                Resource::with_digest(route, text.clone().into(), *digest, modified)
            }
            _ => Resource::new(route, Bytes::from(std::mem::take(self.own())), modified),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of one document that says this, as the edition before had it.
    fn before(text: &'static str) -> Rows {
        let digest = Some(Digest::of(text.as_bytes()));
        Rows { documents: vec![Route::SitemapMarkdown], texts: vec![(Bytes::from_static(text.as_bytes()), digest)], ..Rows::default() }
    }

    fn written(before: &Rows, pieces: &[&str]) -> Resource {
        let mut text = Rewrite::of(before, 0, 0);
        pieces.iter().for_each(|piece| text.push(piece.as_bytes()));
        assert_eq!(text.len(), pieces.concat().len());
        let resource = text.finish(Route::SitemapMarkdown, Timestamp::UNIX_EPOCH);
        assert_eq!(resource.body.to_bytes(), pieces.concat());
        assert_eq!(resource.digest, Digest::of_rope(&resource.body));
        resource
    }

    #[test]
    fn a_document_that_says_the_same_is_the_one_that_was_there() {
        let rows = before("one two three");
        let is_same = |pieces: &[&str]| written(&rows, pieces).body.to_bytes().as_ptr() == rows.texts[0].0.as_ptr();
        assert!(is_same(&["one ", "two ", "", "three"]));
        for other in [&["one ", "two"][..], &["one ", "two ", "three", "!"], &["one ", "2 ", "three"], &["1"], &[]] {
            assert!(!is_same(other), "{other:?}");
        }
        assert!(!written(&Rows::default(), &["one"]).body.is_empty());
    }

    #[test]
    fn rows_are_taken_from_where_they_stood() {
        let mut rows = before("one two three");
        let page = NonZeroUsize::MIN;
        rows.rows = [(0, 4), (4, 4), (8, 5)].map(|(start, length)| Row { page, document: 0, start, length, extra: [0; 2] }).to_vec();
        let old = |at: usize| Old { rows: &rows, row: &rows.rows[at] };
        for (order, expected) in [(&[0, 1, 2][..], "one two three"), (&[1, 2], "two three"), (&[0, 2], "one three"), (&[2, 0, 1], "threeone two ")] {
            let mut text = Rewrite::of(&rows, 0, 0);
            order.iter().for_each(|at| text.row(old(*at)));
            assert_eq!(text.finish(Route::SitemapMarkdown, Timestamp::UNIX_EPOCH).body.to_bytes(), expected);
        }
    }
}
