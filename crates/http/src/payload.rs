//! The body of an answer: shared slices of what the edition holds, never a copy of them.

use std::convert::Infallible;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use diglot_edition::Body;
use http_body::{Frame, SizeHint};

/// Pieces shorter than this are put together: each would be a frame of HTTP/2, and clients end connections whose frames are mostly their own heads.
const SMALL: usize = 1024;

/// A body that knows its exact length and is ready at once: one piece, or a part of a rope whose slices are handed out one after another.
#[derive(Clone, Debug, Default)]
pub struct Payload {
    source: Source,
    /// How many bytes are still to come.
    left: u64,
}

#[derive(Clone, Debug)]
enum Source {
    Piece(Bytes),
    /// The next slice of the rope, and where to begin in it.
    Rope {
        rope: Body,
        next: usize,
        skip: usize,
    },
}

impl Default for Source {
    fn default() -> Self {
        Self::Piece(Bytes::new())
    }
}

impl Payload {
    /// Nothing: HEAD, 204, 304, redirects.
    pub fn empty() -> Self {
        Self::default()
    }

    /// All of a rope.
    pub fn whole(rope: &Body) -> Self {
        Self::part(rope, 0..rope.len())
    }

    /// These bytes of a rope; what lies behind its end is left out.
    pub fn part(rope: &Body, part: Range<u64>) -> Self {
        match rope.slices() {
            [] => Self::empty(),
            [only] => Self::piece(only, part),
            slices => {
                let (next, skip) = seek(slices, part.start);
                let left = part.end.min(rope.len()).saturating_sub(part.start);
                Self { source: Source::Rope { rope: rope.clone(), next, skip }, left }
            }
        }
    }

    /// These bytes of one piece; what lies behind its end is left out.
    pub fn piece(piece: &Bytes, part: Range<u64>) -> Self {
        let inside = |offset: u64| usize::try_from(offset).map_or(piece.len(), |offset| offset.min(piece.len()));
        let (start, end) = (inside(part.start), inside(part.end));
        Self::from(piece.slice(start..end.max(start)))
    }

    /// The slices that are still to come.
    pub fn slices(mut self) -> impl Iterator<Item = Bytes> {
        std::iter::from_fn(move || self.take_slice(usize::MAX))
    }

    /// Takes the next slice, or its first `most` bytes; none is empty.
    fn take_slice(&mut self, most: usize) -> Option<Bytes> {
        if self.left == 0 {
            return None;
        }
        let slice = match &mut self.source {
            Source::Piece(piece) => piece.split_to(piece.len().min(most)),
            Source::Rope { rope, next, skip } => {
                let whole = rope.slices().get(*next)?;
                let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(most);
                let (start, end) = (*skip, whole.len().min(skip.saturating_add(most)));
                (*next, *skip) = if end == whole.len() { (*next + 1, 0) } else { (*next, end) };
                whole.slice(start..end)
            }
        };
        self.left -= slice.len() as u64;
        Some(slice)
    }

    /// Takes what one frame shall hold: a slice as it is, or several with the beginning of the next copied into one of at least [`SMALL`] bytes.
    fn take_frame(&mut self) -> Option<Bytes> {
        let first = self.take_slice(usize::MAX)?;
        if first.len() >= SMALL || self.left == 0 {
            return Some(first);
        }
        let mut frame = BytesMut::with_capacity(SMALL);
        frame.extend_from_slice(&first);
        while frame.len() < SMALL {
            let Some(more) = self.take_slice(SMALL - frame.len()) else { break };
            frame.extend_from_slice(&more);
        }
        Some(frame.freeze())
    }

    /// The rest of it as one piece. A copy when it is not one already: for tests and tools.
    pub fn to_bytes(&self) -> Bytes {
        let mut slices: Vec<Bytes> = self.clone().slices().collect();
        if slices.len() == 1 { slices.remove(0) } else { slices.concat().into() }
    }
}

/// The slice that holds the byte at `offset`, and where in it.
fn seek(slices: &[Bytes], offset: u64) -> (usize, usize) {
    let mut skip = offset;
    for (index, slice) in slices.iter().enumerate() {
        let length = slice.len() as u64;
        if skip < length {
            return (index, skip as usize);
        }
        skip -= length;
    }
    (slices.len(), 0)
}

impl From<Bytes> for Payload {
    fn from(piece: Bytes) -> Self {
        Self { left: piece.len() as u64, source: Source::Piece(piece) }
    }
}

impl http_body::Body for Payload {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.take_frame().map(|slice| Ok(Frame::data(slice))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use http_body::Body as _;
    use proptest::prelude::*;

    use super::*;

    fn rope(pieces: &[&'static str]) -> Body {
        Body::rope(pieces.iter().map(|piece| Bytes::from_static(piece.as_bytes())))
    }

    #[test]
    fn slices_are_handed_out_without_a_copy() {
        let rope = rope(&["abc", "de", "fghi"]);
        let slices: Vec<_> = Payload::part(&rope, 1..8).slices().collect();
        assert_eq!(slices, ["bc", "de", "fgh"]);
        assert_eq!(slices[1].as_ptr(), rope.slices()[1].as_ptr());
    }

    #[test]
    fn one_piece_is_one_frame() {
        let piece = rope(&["abcdef"]);
        assert_eq!(Payload::whole(&piece).slices().collect::<Vec<_>>(), ["abcdef"]);
        assert_eq!(Payload::part(&piece, 2..4).to_bytes(), "cd");
        assert_eq!(Payload::part(&piece, 2..400).to_bytes(), "cdef");
    }

    #[test]
    fn nothing_ends_at_once() {
        for empty in [
            Payload::empty(),
            Payload::whole(&rope(&[])),
            Payload::part(&rope(&["a", "b"]), 2..2),
            Payload::part(&rope(&["a", "b"]), 7..9),
            Payload::part(&rope(&["a"]), 7..9),
        ] {
            assert!(empty.is_end_stream());
            assert_eq!(empty.size_hint().exact(), Some(0));
            assert_eq!(empty.to_bytes(), "");
        }
    }

    proptest! {
        #[test]
        fn any_part_is_that_part_of_the_whole(pieces in prop::collection::vec("[a-z]{0,5}", 0..8), start in 0u64..40, length in 0u64..40, most in 1usize..9) {
            let text = pieces.concat();
            let rope = Body::rope(pieces.into_iter().map(Bytes::from));
            let mut payload = Payload::part(&rope, start..start + length);
            let expected = text.get(start as usize..).map_or("", |rest| &rest[..rest.len().min(length as usize)]);
            prop_assert_eq!(payload.to_bytes(), expected);
            let mut left = expected.len() as u64;
            loop {
                prop_assert_eq!(payload.size_hint().exact(), Some(left));
                let Some(slice) = payload.take_slice(most) else { break };
                prop_assert!(!slice.is_empty() && slice.len() <= most);
                left -= slice.len() as u64;
            }
            prop_assert_eq!(left, 0);
        }

        #[test]
        fn frames_are_the_whole_and_small_only_at_its_end(lengths in prop::collection::vec(prop_oneof![0usize..100, 900usize..1200, 2000usize..5000], 0..20)) {
            let pieces: Vec<Vec<u8>> = (0..).zip(&lengths).map(|(n, length)| vec![n; *length]).collect();
            let mut payload = Payload::whole(&Body::rope(pieces.iter().cloned().map(Bytes::from)));
            let frames: Vec<Bytes> = std::iter::from_fn(|| payload.take_frame()).collect();
            prop_assert_eq!(frames.concat(), pieces.concat());
            prop_assert!(frames.iter().rev().skip(1).all(|frame| frame.len() >= SMALL));
        }
    }
}
