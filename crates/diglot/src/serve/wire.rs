//! The socket as hyper sees it. Input passes a scanner: [`Framing`] for HTTP/1.1, [`Frames`] for
//! HTTP/2. hyper's bare answers to requests that it cannot parse are replaced by ours, with the
//! header fields and the short body of every other error.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use diglot_http::framing::Framing;
use http::{Method, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep_until};

use super::flood::Frames;
use super::shared::Client;

/// The protocol of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

/// An observed socket.
pub(super) struct Wire<'a, S> {
    socket: S,
    /// Bytes read to detect the protocol, to be read again.
    before: Bytes,
    scanner: Scanner,
    /// Bytes written so far.
    written: u64,
    client: &'a Client,
    /// The unwritten part of our answer in place of hyper's.
    instead: Bytes,
    /// Whether our side of the connection is closed.
    closed: bool,
    /// Whether it is TLS.
    secured: bool,
    linger: Linger,
}

/// The scanner of the input.
enum Scanner {
    /// With the number of the head in which the last read ended.
    Http1(Framing, Option<u64>),
    Http2(Frames),
}

/// How many bytes from a client are discarded after the last answer.
pub(super) const LINGER_BYTES: u64 = 64 << 20;
/// How long to wait for them, after the last byte.
pub(super) const LINGER_TIME: Duration = Duration::from_secs(2);

/// Input after our side is closed. Dropping a socket with unread bytes resets it, which may destroy
/// the answer (RFC 9112 section 9.6).
struct Linger {
    /// The remaining bytes that may be discarded.
    left: u64,
    /// Whether more input is expected: the rest of a request, or the client's close.
    expected: bool,
    /// When to stop waiting for it.
    until: Option<Pin<Box<Sleep>>>,
}

impl Linger {
    /// Counts discarded bytes.
    fn count(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }
}

impl<'a, S> Wire<'a, S> {
    /// A socket, the bytes already read from it, and whether TLS secures it.
    pub(super) fn new(
        socket: S,
        before: Bytes,
        protocol: Protocol,
        secured: bool,
        client: &'a Client,
    ) -> Self {
        let scanner = match protocol {
            Protocol::Http1 => Scanner::Http1(Framing::default(), None),
            Protocol::Http2 => Scanner::Http2(Frames::new()),
        };
        let linger = Linger {
            left: LINGER_BYTES,
            expected: false,
            until: None,
        };
        Self {
            socket,
            before,
            scanner,
            written: 0,
            client,
            instead: Bytes::new(),
            closed: false,
            secured,
            linger,
        }
    }

    /// Scans input; an error ends the connection if it is a flood.
    fn note_read(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let activity = &self.client.activity;
        activity.note_bytes();
        match &mut self.scanner {
            Scanner::Http1(framing, head) => {
                framing.feed(bytes);
                let now = framing.in_head().then_some(framing.heads());
                if now != *head {
                    *head = now;
                    activity.note_head(now.is_some());
                }
                if let Some(number) = framing.ambiguous() {
                    activity.note_ambiguous(number);
                }
            }
            Scanner::Http2(frames) => {
                frames.feed(bytes);
                if frames.is_flood(&self.client.shared.setup.limits, self.written) {
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
            }
        }
        Ok(())
    }

    fn note_written(&mut self, count: usize) {
        self.written += count as u64;
        self.client.activity.note_bytes();
    }
}

impl<S: AsyncWrite + Unpin> Wire<'_, S> {
    /// Prepares our own answer if `bytes` are a bare one of hyper's.
    fn replace(&mut self, bytes: &[u8]) -> bool {
        let Some(mut status) = bare_answer(bytes) else {
            return false;
        };
        let mut method = Method::GET;
        if let Scanner::Http1(framing, _) = &self.scanner {
            // hyper counts the target as a part of the head (RFC 9112 section 3).
            if status == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE && framing.in_request_line() {
                status = match framing.in_target() {
                    true => StatusCode::URI_TOO_LONG,
                    false => StatusCode::BAD_REQUEST,
                };
            }
            if framing.is_of_head() {
                method = Method::HEAD;
            }
        }
        self.instead = self.client.shared.refusal(status, method);
        self.linger.expected = true;
        true
    }

    fn write_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            match ready!(Pin::new(&mut self.socket).poll_write(cx, &self.instead))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => {
                    self.instead.advance(count);
                    self.note_written(count);
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> Wire<'_, S> {
    /// Waits until the client has had its time to finish the request.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let end = self.client.activity.last_byte() + LINGER_TIME;
        let until = &mut self.linger.until;
        let sleep = until.get_or_insert_with(|| Box::pin(sleep_until(end)));
        sleep.as_mut().poll(cx)
    }

    /// Discards input, and waits for the rest of an incomplete request or for the client's close.
    fn drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut room = [0; 8192];
        while self.linger.left > 0 {
            let mut buffer = ReadBuf::new(&mut room);
            match Pin::new(&mut self.socket).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.linger.count(buffer.filled().len() as u64);
                    self.linger.expected |= matches!(self.scanner, Scanner::Http1(..));
                }
                Poll::Pending if self.linger.expected => {
                    ready!(self.poll_linger(cx));
                    break;
                }
                Poll::Ready(_) | Poll::Pending => break,
            }
        }
        self.linger.left = 0;
        Poll::Ready(Ok(()))
    }

    /// Whether more input is expected after our side is closed. TLS has an alert for closing (RFC
    /// 8446 section 6.1), HTTP/2 has frames.
    fn expects_more(&self) -> bool {
        let is_asked = self.client.activity.is_asked();
        match &self.scanner {
            Scanner::Http1(framing, _) => self.secured && is_asked || !framing.is_between(),
            Scanner::Http2(_) => is_asked,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<'_, S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let begun = into.filled().len();
        if self.before.is_empty() {
            ready!(Pin::new(&mut self.socket).poll_read(cx, into))?;
        } else {
            let count = self.before.len().min(into.remaining());
            into.put_slice(&self.before.split_to(count));
        }
        Poll::Ready(self.note_read(&into.filled()[begun..]))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<'_, S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[io::IoSlice::new(bytes)])
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = parts
            && self.replace(only)
        {
            return Poll::Ready(Ok(only.len()));
        }
        let count = ready!(Pin::new(&mut self.socket).poll_write_vectored(cx, parts))?;
        self.note_written(count);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(cx))?;
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(cx))?;
        if !self.closed {
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
            self.closed = true;
            self.linger.expected |= self.expects_more();
        }
        self.drain(cx)
    }
}

/// The status of an answer that hyper produced itself: a 4xx head with nothing but `connection`,
/// `content-length` and `date`.
fn bare_answer(bytes: &[u8]) -> Option<StatusCode> {
    if bytes.len() > 200 || !bytes.starts_with(b"HTTP/1.") || bytes.get(9) != Some(&b'4') {
        return None;
    }
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    for line in lines {
        if !(line.starts_with("connection:")
            || line == "content-length: 0"
            || line.starts_with("date:"))
        {
            return None;
        }
    }
    Some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_answers_are_told_from_ours() {
        let bare =
            b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: Sat, 21 Nov 2026 10:00:00 GMT\r\n\r\n";
        assert_eq!(
            bare_answer(bare),
            Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
        );
        assert_eq!(
            bare_answer(b"HTTP/1.1 404 Not Found\r\nvary: Accept\r\ncontent-length: 0\r\n\r\n"),
            None
        );
        assert_eq!(
            bare_answer(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
            None
        );
        assert_eq!(bare_answer(b"HTTP/1.1 400"), None);
    }
}
