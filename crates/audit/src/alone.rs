//! One request on its own connection, read to its end: a client library would hide a body that must
//! not be there.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::answer::{Answer, Ask, end_of_head};

/// How many bytes of an answer are read at most.
const MOST_BYTES: u64 = 64 << 10;
/// How long to wait for the connection to close.
const SILENCE: Duration = Duration::from_secs(3);

/// Sends the request and returns every byte after the head as the body.
///
/// # Errors
/// Network errors, and an answer that is not HTTP/1.
pub fn exchange(ask: &Ask, url: &str, user_agent: &str, deadline: Instant) -> io::Result<Answer> {
    let uri: http::Uri = url.parse().map_err(io::Error::other)?;
    let (host, secure) = (
        uri.host().unwrap_or_default(),
        uri.scheme_str() == Some("https"),
    );
    let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
    let target = match ask.method {
        "CONNECT" => format!("{host}:{port}"),
        _ => uri
            .path_and_query()
            .map_or("/", |target| target.as_str())
            .to_owned(),
    };
    let mut head = format!(
        "{} {target} HTTP/1.1\r\nHost: {}\r\n",
        ask.method,
        uri.authority().map_or(host, |authority| authority.as_str())
    );
    for (name, value) in ask
        .fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .chain([("User-Agent", user_agent), ("Connection", "close")])
    {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let socket = connect(host, port, deadline)?;
    let bytes = if secure {
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())
            .map_err(io::Error::other)?;
        let connection =
            ClientConnection::new(Arc::new(config()?), name).map_err(io::Error::other)?;
        talk(
            StreamOwned::new(connection, socket),
            head.as_bytes(),
            deadline,
        )?
    } else {
        talk(socket, head.as_bytes(), deadline)?
    };
    Answer::parse(&bytes).ok_or_else(|| io::Error::other("the answer is not HTTP/1"))
}

fn connect(host: &str, port: u16, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the host does not exist");
    for address in (host.trim_matches(['[', ']']), port).to_socket_addrs()? {
        let left = deadline
            .saturating_duration_since(Instant::now())
            .clamp(Duration::from_millis(1), Duration::from_secs(10));
        match TcpStream::connect_timeout(&address, left) {
            Ok(socket) => {
                socket.set_read_timeout(Some(SILENCE))?;
                socket.set_write_timeout(Some(SILENCE))?;
                return Ok(socket);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// TLS with the system's trusted roots.
fn config() -> io::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// Writes the request and reads until the server closes, falls silent, or has sent enough.
fn talk(mut stream: impl Read + Write, head: &[u8], deadline: Instant) -> io::Result<Vec<u8>> {
    stream.write_all(head)?;
    stream.flush()?;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    while (bytes.len() as u64) < MOST_BYTES && Instant::now() < deadline {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Silence after a complete head counts as the end; so does a TLS connection closed
            // without close_notify.
            Err(error) => {
                return if end_of_head(&bytes).is_some() {
                    Ok(bytes)
                } else {
                    Err(error)
                };
            }
        }
    }
    Ok(bytes)
}
