//! Checks the framing of HTTP/1.1 requests (RFC 9112 section 6) in addition to hyper's parser.
//!
//! For a request with both `Content-Length` and `Transfer-Encoding` hyper drops the length, so
//! later layers cannot refuse the request. This scanner reads the same bytes, finds where heads
//! start and end, and reports that one fault. It leaves every other fault to hyper.
//!
//! If it placed a body's end elsewhere than hyper does, it would miss a later fault. So a length
//! that it cannot parse is a fault as well.

use std::mem;

/// The position in the byte stream.
#[derive(Default, PartialEq, Eq)]
enum Position {
    /// In a request head.
    #[default]
    Head,
    /// In a body with this many bytes left.
    Body(u64),
    /// No longer scanned: the connection closes after this request.
    Opaque,
}

/// The scanner's state between reads.
#[derive(Default)]
pub struct Framing {
    position: Position,
    /// The start of the current line, up to `LONGEST` bytes.
    line: Vec<u8>,
    /// The length of the current line so far, in bytes.
    length: usize,
    /// Whether the first line of the current head was read.
    begun: bool,
    /// Whether the last such line had the method HEAD.
    head: bool,
    content_length: Option<Option<u64>>,
    transfer_encoding: bool,
    /// Whether a length field exceeds `LONGEST`, so its number is unknown.
    cut: bool,
    /// Heads completed so far.
    heads: u64,
    /// The number of the head whose length is ambiguous, counted from 1.
    ambiguous: Option<u64>,
}

impl Framing {
    /// The bytes kept of a line. No line that the scanner evaluates is longer.
    const LONGEST: usize = 64;

    /// Whether a head is incomplete.
    pub fn in_head(&self) -> bool {
        self.position == Position::Head && (self.begun || self.length > 0)
    }

    /// Whether the first line of a head is incomplete.
    pub fn in_request_line(&self) -> bool {
        self.position == Position::Head && !self.begun && self.length > 0
    }

    /// Whether the target of an incomplete first line has begun.
    pub fn in_target(&self) -> bool {
        self.in_request_line() && self.line.contains(&b' ')
    }

    /// Whether the last head, which may be incomplete, has the method HEAD.
    pub fn is_of_head(&self) -> bool {
        match self.in_request_line() {
            true => is_of_head(&self.line),
            false => self.head,
        }
    }

    /// Whether the next byte starts a new HTTP/1.1 request.
    pub fn is_between(&self) -> bool {
        self.position == Position::Head && !self.begun && self.length == 0
    }

    /// Heads completed so far.
    pub fn heads(&self) -> u64 {
        self.heads
    }

    /// The number of the request with an ambiguous length, from 1: it has both fields, or its
    /// number follows unusually long white space. There is at most one, because the connection then
    /// closes.
    pub fn ambiguous(&self) -> Option<u64> {
        self.ambiguous
    }

    /// Scans the bytes just read.
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

    /// Handles a complete line, of which at most `LONGEST` bytes were kept.
    fn line_ended(&mut self) {
        let (mut kept, length) = (mem::take(&mut self.line), mem::take(&mut self.length));
        let line = &*kept;
        let is_empty = matches!(line, b"" | b"\r");
        match (self.begun, is_empty) {
            // Empty lines before a request line are skipped (RFC 9112 section 2.2).
            (false, true) => {}
            (false, false) => (self.begun, self.head) = (true, is_of_head(line)),
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
            // The service closes the connection after a chunked request, and hyper refuses an
            // invalid length.
            (None, true) | (Some(None), _) => Position::Opaque,
            (Some(Some(length)), _) if length > 0 => Position::Body(length),
            _ => Position::Head,
        };
    }
}

/// Whether a request line has the method HEAD.
fn is_of_head(line: &[u8]) -> bool {
    line.starts_with(b"HEAD ")
}

fn number(digits: &[u8]) -> Option<u64> {
    // `parse` also accepts a sign.
    if digits.starts_with(b"+") {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds `stream` in chunks of `step` bytes. Returns (heads, ambiguous, in a head).
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
    fn a_request_line_and_its_target_have_an_end() {
        let long = "x".repeat(900);
        for (stream, expected) in [
            ("", (false, false)),
            ("\r\n", (false, false)),
            ("GET", (true, false)),
            (&long, (true, false)),
            ("GET /", (true, true)),
            ("GET / HTTP/1.1\r\n", (false, false)),
            ("GET / HTTP/1.1\r\nHost", (false, false)),
            ("GET / HTTP/1.1\r\nHost: x", (false, false)),
            ("GET / HTTP/1.1\r\n\r\nGET", (true, false)),
            ("GET / HTTP/1.1\r\n\r\nGET /", (true, true)),
        ] {
            let mut framing = Framing::default();
            framing.feed(stream.as_bytes());
            let found = (framing.in_request_line(), framing.in_target());
            assert_eq!(found, expected, "{stream:?}");
        }
    }

    #[test]
    fn a_head_is_known_by_its_method() {
        for (stream, expected) in [
            ("HEAD", false),
            ("HEAD /", true),
            ("HEAD / HTTP/1.1\r\nHost: x", true),
            ("GET /HEAD HTTP/1.1\r\nHEAD : x", false),
            ("HEAD / HTTP/1.1\r\n\r\n", true),
            ("HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost", false),
        ] {
            let mut framing = Framing::default();
            framing.feed(stream.as_bytes());
            assert_eq!(framing.is_of_head(), expected, "{stream:?}");
        }
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

    /// A truncated number would end the body elsewhere than hyper does.
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
