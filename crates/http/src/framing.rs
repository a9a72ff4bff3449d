//! A watch over the framing of HTTP/1.1 requests (RFC 9112 section 6), beside the parser of hyper.
//!
//! hyper settles a request with both `Content-Length` and `Transfer-Encoding` by forgetting the
//! length, so nobody behind it can refuse the request. This scanner sees the same bytes, finds
//! where heads begin and end, and notes that one fault. It decides nothing else: every other fault
//! is hyper's to refuse.
//!
//! If it ever saw a body's end elsewhere than hyper does, it would miss the fault in what follows.
//! So a length that it does not understand is a fault as well.

use std::mem;

/// The position in the stream of bytes.
#[derive(Default, PartialEq, Eq)]
enum Position {
    /// In the lines of a head.
    #[default]
    Head,
    /// In a body of which this many bytes are to come.
    Body(u64),
    /// Not looked at any more: the connection closes after this request.
    Opaque,
}

/// The scanner's state between reads.
#[derive(Default)]
pub struct Framing {
    position: Position,
    /// The beginning of the current line, as far as it matters.
    line: Vec<u8>,
    /// How many bytes the current line has so far.
    length: usize,
    /// Whether the current head has had its first line.
    begun: bool,
    content_length: Option<Option<u64>>,
    transfer_encoding: bool,
    /// Whether a field of a length is longer than we keep: its number is not known.
    cut: bool,
    /// Heads that ended so far.
    heads: u64,
    /// The number of the head whose length is ambiguous, counted from 1.
    ambiguous: Option<u64>,
}

impl Framing {
    /// No line that we understand is longer.
    const LONGEST: usize = 64;

    /// Whether a head has begun and not ended.
    pub fn in_head(&self) -> bool {
        self.position == Position::Head && (self.begun || self.length > 0)
    }

    /// Whether the next byte begins a new request of HTTP/1.1.
    pub fn is_between(&self) -> bool {
        self.position == Position::Head && !self.begun && self.length == 0
    }

    /// How many heads ended so far.
    pub fn heads(&self) -> u64 {
        self.heads
    }

    /// The number of the request with an ambiguous length, from 1: both fields, or a number behind
    /// more white space than anybody sends. There is no second one: the connection closes after it.
    pub fn ambiguous(&self) -> Option<u64> {
        self.ambiguous
    }

    /// Looks at the bytes just read.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.position {
                Position::Opaque => return,
                Position::Body(left) => {
                    let taken = left.min(bytes.len() as u64);
                    bytes = &bytes[usize::try_from(taken).unwrap_or(bytes.len())..];
                    self.position = if taken == left {
                        Position::Head
                    } else {
                        Position::Body(left - taken)
                    };
                }
                Position::Head => match memchr::memchr(b'\n', bytes) {
                    Some(end) => {
                        self.keep(&bytes[..end]);
                        self.line_ended();
                        bytes = &bytes[end + 1..];
                    }
                    None => return self.keep(bytes),
                },
            }
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = Self::LONGEST - self.line.len();
        self.line.extend_from_slice(&part[..part.len().min(room)]);
        self.length += part.len();
    }

    /// The current line is whole; of a long one the beginning was kept.
    fn line_ended(&mut self) {
        let (mut kept, length) = (mem::take(&mut self.line), mem::take(&mut self.length));
        let line = &*kept;
        let is_empty = matches!(line, b"" | b"\r");
        match (self.begun, is_empty) {
            // Empty lines before a request line are skipped (RFC 9112 section 2.2).
            (false, true) => {}
            (false, false) => self.begun = true,
            (true, false) => self.field(line, length > Self::LONGEST),
            (true, true) => self.head_ended(),
        }
        kept.clear();
        self.line = kept;
    }

    fn field(&mut self, line: &[u8], cut: bool) {
        let Some(colon) = memchr::memchr(b':', line) else {
            return;
        };
        let (name, value) = (&line[..colon], &line[colon + 1..]);
        if name.eq_ignore_ascii_case(b"content-length") {
            self.content_length = Some(number(value.trim_ascii()));
            self.cut |= cut;
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.transfer_encoding = true;
        }
    }

    fn head_ended(&mut self) {
        self.heads += 1;
        self.begun = false;
        let cut = mem::take(&mut self.cut);
        self.position = match (
            self.content_length.take(),
            mem::take(&mut self.transfer_encoding),
        ) {
            (Some(_), encoded) if encoded || cut => {
                self.ambiguous = Some(self.heads);
                Position::Opaque
            }
            // The service closes the connection after a chunked request, and hyper refuses a length
            // that is no number.
            (None, true) | (Some(None), _) => Position::Opaque,
            (Some(Some(length)), _) if length > 0 => Position::Body(length),
            _ => Position::Head,
        };
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    // `parse` takes a sign as well.
    if digits.starts_with(b"+") {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds `stream` in pieces of `step` bytes and gives (heads, ambiguous, in a head).
    fn scan(stream: &str, step: usize) -> (u64, Option<u64>, bool) {
        let mut framing = Framing::default();
        stream
            .as_bytes()
            .chunks(step)
            .for_each(|piece| framing.feed(piece));
        (framing.heads(), framing.ambiguous(), framing.in_head())
    }

    fn check(stream: &str, expected: (u64, Option<u64>, bool)) {
        for step in [1, 2, 3, 7, 1000] {
            assert_eq!(
                scan(stream, step),
                expected,
                "{stream:?} in pieces of {step}"
            );
        }
    }

    #[test]
    fn heads_are_counted_and_bodies_skipped() {
        check(
            "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
            (2, None, false),
        );
        check("\r\n\r\nGET / HTTP/1.1\nHost: x\n\nGET", (1, None, true));
        check(
            "POST / HTTP/1.1\r\nContent-length: 9\r\n\r\nA: b\r\n\r\n\rGET / HTTP/1.1\r\n\r\n",
            (2, None, false),
        );
        check(
            "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\n",
            (1, None, true),
        );
    }

    #[test]
    fn both_length_fields_are_ambiguous_in_any_order() {
        check(
            "GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 5\r\nTRANSFER-encoding: chunked\r\n\r\n0\r\n\r\n",
            (2, Some(2), false),
        );
        check(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
            (1, Some(1), false),
        );
        check(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nContent-Length: 5\r\n",
            (1, None, false),
        );
    }

    /// A number cut off would be another number, and the body would end elsewhere than for hyper.
    #[test]
    fn a_length_behind_much_white_space_is_ambiguous() {
        let padded = |spaces: usize| {
            format!(
                "POST / HTTP/1.1\r\nContent-Length:{}12\r\n\r\n0123456789abGET / HTTP/1.1\r\n\r\n",
                " ".repeat(spaces)
            )
        };
        check(&padded(40), (2, None, false));
        for spaces in [47, 48, 49, 50, 80, 500] {
            check(&padded(spaces), (1, Some(1), false));
        }
        check(
            "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n",
            (1, None, false),
        );
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(stream in "(GET / HTTP/1.1|Content-Length: [0-9]{0,3}|Transfer-Encoding: x|\r\n|\n|:|[a-z ]{0,80}){0,30}", step in 1_usize..20) {
            prop_assert_eq!(scan(&stream, step), scan(&stream, usize::MAX));
        }
    }
}
