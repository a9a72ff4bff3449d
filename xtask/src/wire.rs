//! One HTTP/1.1 request over a socket of its own: enough to compare what servers say, byte for byte.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One answer as it came.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The header fields, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The content, without its transfer-coding.
    pub body: Vec<u8>,
}

impl Answer {
    /// All values of a field as one, or `None` when it is not there.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Asks for a path; `authority` is `127.0.0.1:8080`.
///
/// # Errors
/// No connection, or what came is no HTTP.
pub fn ask(method: &str, authority: &str, path: &str, headers: &[(&str, &str)]) -> Result<Answer, String> {
    let failed = |error: std::io::Error| format!("{method} http://{authority}{path}: {error}");
    let mut stream = TcpStream::connect(authority).map_err(failed)?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).map_err(failed)?;
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16 * 1024]);
    // Not every server closes the connection when it is asked to.
    while !is_whole(&bytes, method) {
        match stream.read(&mut buffer).map_err(failed)? {
            0 => break,
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
    parse(&bytes).ok_or_else(|| format!("{method} http://{authority}{path}: the answer is no HTTP"))
}

/// Percent-encodes a path (RFC 3986 section 3.3).
pub fn encode(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Where the empty line begins.
fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n")
}

/// The bytes of a percent-encoded path.
pub fn decode(path: &str) -> Vec<u8> {
    let (bytes, mut decoded, mut at) = (path.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = path.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(byte));
        at += if hex.is_some() { 3 } else { 1 };
    }
    decoded
}

/// Whether an answer has ended by its own framing (RFC 9112 section 6.3).
fn is_whole(bytes: &[u8], method: &str) -> bool {
    let Some(end) = head_end(bytes) else { return false };
    let Some(head) = parse_head(bytes, end) else { return false };
    let body = &bytes[end + 4..];
    if method == "HEAD" || matches!(head.status, 204 | 304) {
        return true;
    }
    if head.header("transfer-encoding").is_some() {
        return body.ends_with(b"0\r\n\r\n") && unchunk(body).is_some();
    }
    head.header("content-length").and_then(|length| length.parse().ok()).is_some_and(|length: usize| body.len() >= length)
}

/// The status and the header section; `end` is where the empty line begins.
fn parse_head(bytes: &[u8], end: usize) -> Option<Answer> {
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> =
        lines.filter_map(|line| line.split_once(':')).map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    Some(Answer { status, headers, body: Vec::new() })
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = head_end(bytes)?;
    let mut answer = Answer { body: bytes[end + 4..].to_vec(), ..parse_head(bytes, end)? };
    if answer.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        answer.body = unchunk(&answer.body)?;
    }
    Some(answer)
}

fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let size = std::str::from_utf8(&rest[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        let start = end + 2;
        if size == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(rest.get(start..start + size)?);
        rest = rest.get(start + size + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_by_its_own_framing() {
        let check =
            |answer: &[u8], method: &str, expected: bool| assert_eq!(is_whole(answer, method), expected, "{}", String::from_utf8_lossy(answer));
        check(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "GET", false);
        check(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "GET", true);
        check(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "HEAD", true);
        check(b"HTTP/1.1 304 Not Modified\r\n\r\n", "GET", true);
        check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n", "GET", false);
        check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n", "GET", true);
        check(b"HTTP/1.1 200 OK\r\n\r\nto the end", "GET", false);
    }

    #[test]
    fn one_address_has_many_spellings() {
        assert_eq!(decode("/c%2B%2b%C3%A9.html"), "/c++é.html".as_bytes());
        assert_eq!(decode("/100%/%zz"), b"/100%/%zz");
    }

    #[test]
    fn chunks_are_put_together() {
        let answer =
            parse(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nVary: A\r\nvary: B\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (200, b"abcde".as_slice()));
        assert_eq!(answer.header("vary").unwrap(), "A, B");
    }
}
