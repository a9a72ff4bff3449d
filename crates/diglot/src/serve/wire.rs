//! The socket as hyper sees it: reads pass by the [`Framing`] scanner, and the bare answers that hyper gives to what it cannot parse get the header fields
//! and the short body of every other error of ours.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use diglot_http::framing::Framing;
use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::flood::{Allowance, Frames, PREFACE};
use super::line::Line;

/// What to write where hyper writes an empty answer of its own.
pub(super) type Refusal = Arc<dyn Fn(StatusCode) -> Bytes + Send + Sync>;

/// A socket under watch.
pub(super) struct Wire<S> {
    socket: S,
    framing: Framing,
    frames: Frames,
    allowance: Allowance,
    /// Bytes read and bytes written so far.
    read: u64,
    written: u64,
    line: Arc<Line>,
    refusal: Refusal,
    /// Our answer in place of hyper's, as far as it is not written yet.
    instead: Bytes,
    /// After a refusal the rest of the request is read and thrown away, so that the answer is not lost in a reset (RFC 9112 section 9.6).
    linger: u64,
    closed: bool,
}

/// How much of a refused request is thrown away before the connection is.
pub(super) const LINGER: u64 = 1 << 20;

impl<S> Wire<S> {
    pub(super) fn new(socket: S, line: Arc<Line>, refusal: Refusal, allowance: Allowance) -> Self {
        let (framing, frames) = (Framing::new(), Frames::default());
        Self { socket, framing, frames, allowance, read: 0, written: 0, line, refusal, instead: Bytes::new(), linger: 0, closed: false }
    }

    /// The socket itself.
    pub(super) fn socket(&self) -> &S {
        &self.socket
    }

    /// Looks at what was read; an error when it is a flood, which ends the connection.
    fn seen(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.framing.feed(bytes);
        let begun = self.read;
        self.read += bytes.len() as u64;
        if self.framing.is_http2() {
            let preface = usize::try_from(PREFACE.saturating_sub(begun)).unwrap_or(usize::MAX).min(bytes.len());
            self.frames.feed(&bytes[preface..]);
            if self.frames.is_flood(self.allowance, self.written) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        let (line, heads) = (&self.line, self.framing.heads());
        Line::add(&line.progress, bytes.len() as u64);
        line.head.store(if self.framing.in_head() { heads + 1 } else { 0 }, Relaxed);
        line.heads.store(heads, Relaxed);
        line.between.store(self.framing.is_between(), Relaxed);
        line.ambiguous.store(self.framing.ambiguous().unwrap_or(0), Relaxed);
        Ok(())
    }

    fn wrote(&mut self, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.line.flushed.store(false, Relaxed);
        if let Poll::Ready(Ok(count)) = &result {
            self.written += *count as u64;
            Line::add(&self.line.progress, *count as u64);
        }
        result
    }
}

impl<S: AsyncWrite + Unpin> Wire<S> {
    /// Notes our own answer when `bytes` are a bare one of hyper's.
    fn replace(&mut self, bytes: &[u8]) -> bool {
        let bare = bare_answer(bytes);
        if let Some(status) = bare {
            self.instead = (self.refusal)(status);
            self.linger = LINGER;
        }
        bare.is_some()
    }

    fn write_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            match ready!(Pin::new(&mut self.socket).poll_write(cx, &self.instead))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.instead.advance(count),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> Wire<S> {
    /// Throws away what still comes, up to a bound.
    fn drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut room = [0; 4096];
        while self.linger > 0 {
            let mut buffer = ReadBuf::new(&mut room);
            ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buffer))?;
            match buffer.filled().len() {
                0 => self.linger = 0,
                count => self.linger = self.linger.saturating_sub(count as u64),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(cx, into))?;
        Poll::Ready(self.seen(&into.filled()[before..]))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replace(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let result = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.wrote(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, parts: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        if let [only] = parts
            && self.replace(only)
        {
            return Poll::Ready(Ok(only.len()));
        }
        let result = Pin::new(&mut self.socket).poll_write_vectored(cx, parts);
        self.wrote(result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(cx))?;
        ready!(Pin::new(&mut self.socket).poll_flush(cx))?;
        self.line.flushed.store(true, Relaxed);
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(cx))?;
        if !self.closed {
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
            self.closed = true;
        }
        self.drain(cx)
    }
}

/// The status of an answer that hyper made without us: a 4xx head with nothing but `connection`, `content-length` and `date`.
fn bare_answer(bytes: &[u8]) -> Option<StatusCode> {
    if bytes.len() > 200 || !bytes.starts_with(b"HTTP/1.") || bytes.get(9) != Some(&b'4') {
        return None;
    }
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let ours = |line: &str| !["connection:", "content-length: 0", "date:"].iter().any(|known| line.starts_with(known));
    (!lines.any(ours)).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_answers_are_told_from_ours() {
        let bare =
            b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: Sat, 21 Nov 2026 10:00:00 GMT\r\n\r\n";
        assert_eq!(bare_answer(bare), Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
        assert_eq!(bare_answer(b"HTTP/1.1 404 Not Found\r\nvary: Accept\r\ncontent-length: 0\r\n\r\n"), None);
        assert_eq!(bare_answer(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), None);
        assert_eq!(bare_answer(b"HTTP/1.1 400"), None);
    }
}
