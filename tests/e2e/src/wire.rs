//! A minimal HTTP/1.1 client over a socket: enough to compare answers byte for byte.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The time limit of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// One answer as received.
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
    /// All values of a field joined; `None` if it is absent.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// A persistent connection.
#[derive(Debug)]
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Connects; `authority` is `127.0.0.1:8080`.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn to(authority: &str) -> io::Result<Self> {
        let socket = TcpStream::connect(authority)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        socket.set_nodelay(true)?;
        Ok(Self(BufReader::new(socket)))
    }

    /// Sends a request with these header fields, including `Host`, and reads one complete answer.
    ///
    /// # Errors
    /// The connection ends or times out, or the answer is not HTTP.
    pub fn ask<'a>(
        &mut self,
        method: &str,
        path: &str,
        fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> io::Result<Answer> {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in fields {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        self.0.get_mut().write_all(request.as_bytes())?;
        read(&mut self.0, method)
    }
}

/// Requests a path over a new connection; `authority` is `127.0.0.1:8080`.
///
/// # Errors
/// There is no connection, or the answer is not HTTP.
pub fn ask(
    method: &str,
    authority: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<Answer, String> {
    let fields = [("Host", authority), ("Connection", "close")]
        .into_iter()
        .chain(headers.iter().copied());
    let answer =
        Connection::to(authority).and_then(|mut connection| connection.ask(method, path, fields));
    answer.map_err(|error| format!("{method} http://{authority}{path}: {error}"))
}

/// Percent-encodes a path (RFC 3986 section 3.3).
pub fn encode(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte);
    path.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// The bytes of a percent-encoded path.
pub fn decode(path: &str) -> Vec<u8> {
    let (bytes, mut decoded, mut at) = (path.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = path
            .get(at + 1..at + 3)
            .filter(|_| byte == b'%')
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(byte));
        at += if hex.is_some() { 3 } else { 1 };
    }
    decoded
}

/// Reads one answer, delimited by its own framing (RFC 9112 section 6.3).
fn read<R: Read>(from: &mut BufReader<R>, method: &str) -> io::Result<Answer> {
    let status = line(from)?;
    let status = status
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let mut answer = Answer {
        status: status.ok_or_else(|| io::Error::other("the answer is no HTTP"))?,
        ..Answer::default()
    };
    loop {
        let line = line(from)?;
        if line.is_empty() {
            break;
        }
        answer.headers.extend(
            line.split_once(':')
                .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())),
        );
    }
    if method == "HEAD" || matches!(answer.status, 204 | 304) {
        // Unexpected bytes are kept, so that they are noticed.
        answer.body = from.buffer().to_vec();
    } else if answer
        .header("transfer-encoding")
        .is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
    {
        answer.body = unchunk(from)?;
    } else if let Some(length) = answer.header("content-length") {
        answer.body = vec![0; length.parse().map_err(io::Error::other)?];
        from.read_exact(&mut answer.body)?;
    } else {
        from.read_to_end(&mut answer.body)?;
    }
    Ok(answer)
}

/// One line without its line ending.
fn line(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    let whole = line
        .strip_suffix(b"\n")
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(String::from_utf8_lossy(whole.strip_suffix(b"\r").unwrap_or(whole)).into_owned())
}

/// Decodes chunks (RFC 9112 section 7.1).
fn unchunk(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let size = line(from)?;
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
            .map_err(io::Error::other)?;
        if size == 0 {
            // Trailers, and the empty line after them.
            while !line(from)?.is_empty() {}
            return Ok(whole);
        }
        let start = whole.len();
        whole.resize(start + size, 0);
        from.read_exact(&mut whole[start..])?;
        line(from)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_by_its_own_framing() {
        // Checks that the answer is complete, then what remains for the next one.
        let check = |answer: &[u8], method: &str, expected: Option<&[u8]>| {
            let mut from = BufReader::new(answer);
            let left = read(&mut from, method).ok().map(|_| from.buffer());
            assert_eq!(left, expected, "{}", String::from_utf8_lossy(answer));
        };
        check(
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            "GET",
            None,
        );
        check(
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP",
            "GET",
            Some(b"HTTP"),
        );
        check(
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nHTTP",
            "HEAD",
            Some(b"HTTP"),
        );
        check(b"HTTP/1.1 304 Not Modified\r\n\r\n", "GET", Some(b""));
        check(b"HTTP/1.1 304 Not Modified\r\n", "GET", None);
        check(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n",
            "GET",
            None,
        );
        check(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\nHTTP",
            "GET",
            Some(b"HTTP"),
        );
        check(b"HTTP/1.1 200 OK\r\n\r\nto the end", "GET", Some(b""));
    }

    #[test]
    fn one_address_has_many_spellings() {
        assert_eq!(decode("/c%2B%2b%C3%A9.html"), "/c++é.html".as_bytes());
        assert_eq!(decode("/100%/%zz"), b"/100%/%zz");
    }

    #[test]
    fn chunks_are_put_together() {
        let bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nVary: A\r\nvary: B\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        let answer = read(&mut BufReader::new(bytes.as_slice()), "GET").unwrap();
        assert_eq!(
            (answer.status, answer.body.as_slice()),
            (200, b"abcde".as_slice())
        );
        assert_eq!(answer.header("vary").unwrap(), "A, B");
    }
}
