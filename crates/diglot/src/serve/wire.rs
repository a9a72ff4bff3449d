//! The socket as hyper sees it: reads pass by the [`Framing`] scanner, and the bare answers that hyper gives to what it cannot parse get the header fields
//! and the short body of every other error of ours.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use diglot_http::framing::Framing;
use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::flood::{Allowance, Frames, PREFACE};
use super::line::{Command, Line};

/// What to write where hyper writes an empty answer of its own.
pub(super) type Refusal = Arc<dyn Fn(StatusCode) -> Bytes + Send + Sync>;

/// A socket under watch.
pub(super) struct Wire<S> {
    socket: S,
    /// What was read before, and is to be read again.
    before: Bytes,
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
    /// Whether our side of the connection is closed.
    closed: bool,
    linger: Linger,
}

/// How much is thrown away of what a client sends after the last answer.
pub(super) const LINGER_BYTES: u64 = 64 << 20;
/// How long it is waited for.
pub(super) const LINGER_TIME: Duration = Duration::from_secs(2);

/// What still comes once our side is closed. A socket that is dropped with unread bytes is reset, and a reset may take the answer with it (RFC 9112 section 9.6).
struct Linger {
    /// How many bytes are thrown away at most.
    left: u64,
    /// Whether the client has not sent all that it began.
    expected: bool,
    /// Whether its protocol has words of leaving: TLS has an alert (RFC 8446 section 6.1), HTTP/2 its frames.
    farewell: bool,
    /// When we stop waiting for that.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> Wire<S> {
    pub(super) fn new(socket: S, before: Bytes, line: Arc<Line>, refusal: Refusal, allowance: Allowance, secured: bool) -> Self {
        let (framing, frames) = (Framing::new(), Frames::default());
        let linger = Linger { left: LINGER_BYTES, expected: false, farewell: secured, until: None };
        Self { socket, before, framing, frames, allowance, read: 0, written: 0, line, refusal, instead: Bytes::new(), closed: false, linger }
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
            self.linger.expected = true;
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
    /// Throws away what came, and waits for the rest of a request that is not whole, or for words of leaving, unless we were told to close.
    fn drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut room = [0; 8192];
        while self.linger.left > 0 {
            let mut buffer = ReadBuf::new(&mut room);
            match Pin::new(&mut self.socket).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.linger.left = self.linger.left.saturating_sub(buffer.filled().len() as u64);
                    self.linger.expected |= !self.framing.is_http2();
                }
                Poll::Pending if self.linger.expected || (self.linger.farewell && self.line.command() < Command::Close) => {
                    let until = self.linger.until.get_or_insert_with(|| Box::pin(sleep(LINGER_TIME)));
                    ready!(until.as_mut().poll(cx));
                    break;
                }
                Poll::Ready(_) | Poll::Pending => break,
            }
        }
        self.linger.left = 0;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let begun = into.filled().len();
        if self.before.is_empty() {
            ready!(Pin::new(&mut self.socket).poll_read(cx, into))?;
        } else {
            let count = self.before.len().min(into.remaining());
            into.put_slice(&self.before.split_to(count));
        }
        Poll::Ready(self.seen(&into.filled()[begun..]))
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
            self.linger.farewell |= self.framing.is_http2();
            self.linger.expected |= !self.framing.is_http2() && !self.framing.is_between();
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
