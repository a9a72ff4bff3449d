//! Response bodies: shared slices of the edition's bytes, never copies.

use std::convert::Infallible;
use std::io::IoSlice;
use std::mem;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use diglot_edition::Body;
use http_body::{Frame, SizeHint};

/// A body of known length that is ready at once. It is a single frame, however many slices it has.
#[derive(Clone, Debug, Default)]
pub struct Payload(Slices);

/// The content of a response's frame: a part of a rope. Many slices reach the system in one call,
/// without a copy.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    rope: Body,
    /// The next slice of the rope, and the offset in it.
    next: usize,
    skip: usize,
    /// The number of bytes left.
    left: u64,
}

impl Payload {
    /// An empty body: HEAD, 204, 304, redirects.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A whole rope.
    pub fn whole(rope: &Body) -> Self {
        Self::part(rope, 0..rope.len())
    }

    /// A range of a rope, clamped to its end.
    pub fn part(rope: &Body, part: Range<u64>) -> Self {
        let rope = match rope.whole() {
            Some(joined) if rope.slices().len() > 1 => joined.clone().into(),
            _ => rope.clone(),
        };
        let left = part.end.min(rope.len()).saturating_sub(part.start);
        let mut slices = Slices {
            rope,
            next: 0,
            skip: 0,
            left,
        };
        if left > 0 {
            slices.skip(part.start);
        }
        Self(slices)
    }

    /// The remaining bytes, copied into one buffer: for tests, tools and short bodies.
    pub fn to_bytes(&self) -> Bytes {
        let mut rest = self.0.clone();
        rest.copy_to_bytes(rest.remaining())
    }
}

impl Slices {
    /// Skips `count` bytes of the rope.
    fn skip(&mut self, count: u64) {
        let mut skip = count + self.skip as u64;
        while let Some(slice) = self.rope.slices().get(self.next) {
            let length = slice.len() as u64;
            if skip < length {
                break;
            }
            skip -= length;
            self.next += 1;
        }
        self.skip = size(skip);
    }

    /// The remaining slices, without consuming them.
    fn rest(&self) -> impl Iterator<Item = &[u8]> {
        let (mut skip, mut left) = (self.skip, size(self.left));
        let slices = self.rope.slices().get(self.next..).unwrap_or_default();
        slices.iter().map_while(move |slice| {
            let slice = &slice[mem::take(&mut skip)..];
            let slice = &slice[..slice.len().min(left)];
            left -= slice.len();
            (!slice.is_empty()).then_some(slice)
        })
    }
}

/// A byte count as `usize`, saturating.
fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

impl Buf for Slices {
    fn remaining(&self) -> usize {
        size(self.left)
    }

    fn chunk(&self) -> &[u8] {
        self.rest().next().unwrap_or_default()
    }

    fn chunks_vectored<'a>(&'a self, into: &mut [IoSlice<'a>]) -> usize {
        into.iter_mut()
            .zip(self.rest())
            .map(|(place, slice)| *place = IoSlice::new(slice))
            .count()
    }

    fn advance(&mut self, count: usize) {
        assert!(
            count <= self.remaining(),
            "there are no {count} bytes to pass by"
        );
        self.left -= count as u64;
        self.skip(count as u64);
    }
}

impl From<Bytes> for Payload {
    fn from(piece: Bytes) -> Self {
        Self::whole(&piece.into())
    }
}

impl http_body::Body for Payload {
    type Data = Slices;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Slices>, Infallible>>> {
        let all = mem::take(&mut self.0);
        Poll::Ready((all.left > 0).then(|| Ok(Frame::data(all))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.left)
    }
}

#[cfg(test)]
mod tests {
    use diglot_edition::byte_store::Heap;
    use http_body::Body as _;
    use proptest::prelude::*;

    use super::*;

    fn rope(pieces: &[&'static str]) -> Body {
        Body::rope(
            pieces
                .iter()
                .map(|piece| Bytes::from_static(piece.as_bytes())),
        )
    }

    #[test]
    fn slices_are_handed_out_without_a_copy() {
        let rope = rope(&["abc", "de", "fghi"]);
        let payload = Payload::part(&rope, 1..8);
        let slices: Vec<_> = payload.0.rest().collect();
        assert_eq!(slices, [&b"bc"[..], b"de", b"fgh"]);
        assert_eq!(slices[1].as_ptr(), rope.slices()[1].as_ptr());
    }

    #[test]
    fn one_piece_is_one_frame() {
        let piece = rope(&["abcdef"]);
        assert_eq!(
            Payload::whole(&piece).0.rest().collect::<Vec<_>>(),
            [b"abcdef"]
        );
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
        fn any_part_is_that_part_of_the_whole(pieces in prop::collection::vec("[a-z]{0,5}", 0..8), start in 0u64..40, length in 0u64..40) {
            let text = pieces.concat();
            let rope = Body::rope(pieces.into_iter().map(Bytes::from));
            let payload = Payload::part(&rope, start..start + length);
            let expected = text.get(start as usize..).map_or("", |rest| &rest[..rest.len().min(length as usize)]);
            prop_assert_eq!(payload.to_bytes(), expected);
            rope.join(&Heap, 40);
            prop_assert_eq!(Payload::part(&rope, start..start + length).to_bytes(), expected);
            prop_assert_eq!(payload.size_hint().exact(), Some(expected.len() as u64));
            prop_assert!(payload.0.rest().all(|slice| !slice.is_empty()));
        }

        #[test]
        fn however_much_is_taken_at_once_it_is_the_whole(pieces in prop::collection::vec("[a-z]{0,5}", 0..8), start in 0u64..20, length in 0u64..40, places in 1usize..4, taken in prop::collection::vec(1usize..9, 1..9)) {
            let mut payload = Payload::part(&Body::rope(pieces.into_iter().map(Bytes::from)), start..start + length);
            let expected = payload.to_bytes();
            let frame = match Pin::new(&mut payload).poll_frame(&mut Context::from_waker(std::task::Waker::noop())) {
                Poll::Ready(Some(Ok(frame))) => frame.into_data().unwrap(),
                other => {
                    prop_assert!(expected.is_empty() && matches!(other, Poll::Ready(None)));
                    return Ok(());
                }
            };
            prop_assert!(payload.is_end_stream());
            let (mut frame, mut got, mut turn) = (frame, Vec::new(), 0);
            while frame.has_remaining() {
                let mut slices = vec![IoSlice::new(&[]); places];
                let count = frame.chunks_vectored(&mut slices);
                let seen: Vec<u8> = slices[..count].iter().flat_map(|slice| slice.iter().copied()).collect();
                prop_assert!(count > 0 && slices[..count].iter().all(|slice| !slice.is_empty()));
                prop_assert_eq!(frame.chunk(), &*slices[0]);
                let taken = taken[turn % taken.len()].min(seen.len());
                got.extend_from_slice(&seen[..taken]);
                frame.advance(taken);
                prop_assert_eq!(frame.remaining(), expected.len() - got.len());
                turn += 1;
            }
            prop_assert_eq!(got, expected);
        }
    }
}
