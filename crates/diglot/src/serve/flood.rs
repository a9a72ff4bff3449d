//! Counts HTTP/2 frames (RFC 9113 section 4.1) independently of h2's parser, so that a client that
//! requests nothing cannot keep the server busy.
//!
//! h2 bounds the memory cost of a flood. It reads on only after its own answers (acknowledgements
//! of SETTINGS and PING) are written. It ends a connection with too many streams reset before they
//! were accepted, or with too many CONTINUATION or empty DATA frames. It does not bound the work:
//! our answers are ready at once, so a reset (CVE-2023-44487) nearly always arrives after its
//! stream was answered, which h2 considers normal. This count does.

use super::Limits;

/// The length of a frame header.
const HEAD: usize = 9;
/// The length of the client's preface (RFC 9113 section 3.4).
const PREFACE: u32 = 24;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;

/// The counts so far.
#[derive(Default)]
pub(super) struct Frames {
    head: [u8; HEAD],
    filled: usize,
    /// Remaining bytes of the preface or of the current frame's payload.
    payload: u32,
    requests: u64,
    resets: u64,
    others: u64,
}

impl Frames {
    /// The state at the start of a connection.
    pub(super) fn new() -> Self {
        Self {
            payload: PREFACE,
            ..Self::default()
        }
    }

    /// Scans the bytes just read, which follow those of the last call.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.payload > 0 {
                let taken = bytes.len().min(self.payload as usize);
                self.payload -= u32::try_from(taken).unwrap_or(self.payload);
                bytes = &bytes[taken..];
                continue;
            }
            let taken = bytes.len().min(HEAD - self.filled);
            self.head[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
            self.filled += taken;
            bytes = &bytes[taken..];
            if self.filled == HEAD {
                self.filled = 0;
                self.count_frame();
            }
        }
    }

    /// Counts the frame whose head is complete.
    fn count_frame(&mut self) {
        self.payload = u32::from_be_bytes([0, self.head[0], self.head[1], self.head[2]]);
        match self.head[3] {
            HEADERS => self.requests += 1,
            RST_STREAM => self.resets += 1,
            _ => self.others += 1,
        }
    }

    /// Whether there were more frames than a normal client would send; `written` is the number of
    /// bytes sent to it.
    pub(super) fn is_flood(&self, limits: &Limits, written: u64) -> bool {
        self.resets > limits.resets + self.requests / 2
            || self.others > limits.frames + 8 * self.requests + written / 2048
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        [
            &[0, 0, length, kind, 0, 0, 0, 0, 1],
            &vec![kind; usize::from(length)][..],
        ]
        .concat()
    }

    fn count(stream: &[u8], step: usize) -> (u64, u64, u64) {
        let mut frames = Frames::new();
        stream.chunks(step).for_each(|piece| frames.feed(piece));
        (frames.requests, frames.resets, frames.others)
    }

    proptest! {
        #[test]
        fn frames_are_counted_however_they_arrive(kinds in prop::collection::vec((0_u8..12, 0_u8..40), 0..30), step in 1_usize..50) {
            let frames = kinds.iter().flat_map(|(kind, length)| frame(*kind, *length));
            let stream: Vec<u8> = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".iter().copied().chain(frames).collect();
            let number = |wanted: u8| kinds.iter().filter(|(kind, _)| *kind == wanted).count() as u64;
            let expected = (number(1), number(3), kinds.len() as u64 - number(1) - number(3));
            prop_assert_eq!(count(&stream, step), expected);
        }
    }

    #[test]
    fn who_reads_what_it_asks_for_is_no_flood() {
        let limits = Limits {
            resets: 10,
            frames: 10,
            ..Limits::default()
        };
        let mut frames = Frames {
            requests: 100,
            resets: 60,
            others: 810,
            ..Frames::default()
        };
        assert!(!frames.is_flood(&limits, 0));
        frames.resets += 1;
        assert!(frames.is_flood(&limits, 0));
        let window_updates = Frames {
            requests: 1,
            others: 4096,
            ..Frames::default()
        };
        assert!(window_updates.is_flood(&limits, 0) && !window_updates.is_flood(&limits, 8 << 20));
    }
}
