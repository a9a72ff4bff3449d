//! TLS: versions 1.2 and 1.3, HTTP/2 and HTTP/1.1 by ALPN, a certificate that may be replaced while
//! we serve.
//!
//! The cipher suites are those of the `ring` provider, which are the ones of Mozilla's
//! *intermediate* profile without its finite-field groups: only ECDHE, only AEAD. AES-128 comes
//! first: nothing breaks it, and its handshakes need SHA-256, for which processors have
//! instructions, and not SHA-384. A client that would rather have ChaCha20 (a processor without
//! AES) gets that. Nothing is configurable, since no other choice is better.

mod pem;

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::ServerName;
use rustls::server::{Acceptor, ClientHello, ParsedCertificate, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{CipherSuite, ServerConfig, version};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

pub use pem::Files;

use crate::failure::Failure;
use pem::Contents;

/// HTTP/2 as ALPN names it (RFC 9113 section 3.2).
const H2: &[u8] = b"h2";
/// HTTP/1.1 (RFC 7301 section 6).
const HTTP11: &[u8] = b"http/1.1";

/// What speaks TLS with all clients.
#[derive(Clone)]
pub struct Tls {
    files: Files,
    provider: Arc<CryptoProvider>,
    /// For nearly all: the first suite of ours that the client has.
    ours: Arc<ServerConfig>,
    /// For clients that would rather have ChaCha20: the first suite of theirs that we have.
    theirs: Arc<ServerConfig>,
    current: Arc<Current>,
    seen: Arc<Mutex<Seen>>,
}

/// The certificate that handshakes are made with now.
#[derive(Debug)]
struct Current(ArcSwap<CertifiedKey>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

/// What the files held at the last look, and at the one before.
struct Seen {
    /// What was last taken, or complained of.
    settled: Result<Contents, Failure>,
    /// What differed from it at the last look: files are often written one after the other, so it
    /// must stay the same for two looks to be believed.
    pending: Option<Result<Contents, Failure>>,
}

impl Tls {
    /// Reads both files.
    ///
    /// # Errors
    /// A file is missing, is not PEM, holds no certificate or no key that we can use, or they do
    /// not belong together.
    pub fn load(files: Files) -> Result<Self, Failure> {
        let mut provider = ring::default_provider();
        // A stable sort: all else stays in the order of strength that it is in.
        provider
            .cipher_suites
            .sort_by_key(|suite| !is_with(suite.suite(), "AES_128"));
        let provider = Arc::new(provider);
        let contents = files.read()?;
        let current = Arc::new(Current(ArcSwap::from_pointee(
            files.parse(&contents, &provider)?,
        )));
        let cannot = |error: rustls::Error| Failure::machine(format!("cannot set up TLS: {error}"));
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&version::TLS13, &version::TLS12])
            .map_err(cannot)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![H2.to_vec(), HTTP11.to_vec()];
        // Tickets under keys that change every six hours, kept nowhere but in this process. No
        // early data: it could be replayed.
        config.ticketer = ring::Ticketer::new().map_err(cannot)?;
        let theirs = Arc::new(config.clone());
        config.ignore_client_order = true;
        let seen = Arc::new(Mutex::new(Seen {
            settled: Ok(contents),
            pending: None,
        }));
        Ok(Self {
            files,
            provider,
            ours: Arc::new(config),
            theirs,
            current,
            seen,
        })
    }

    /// Looks whether the files, or the links to them, changed since the last look. `Some(Ok)`: a
    /// new certificate is in use for connections from now on. `Some(Err)`: what is there now is not
    /// usable, and the old certificate stays; that is said once.
    pub fn renew(&self) -> Option<Result<(), Failure>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.files.read();
        if now == seen.settled {
            seen.pending = None;
            return None;
        }
        if seen.pending.as_ref() != Some(&now) {
            seen.pending = Some(now);
            return None;
        }
        seen.pending = None;
        let parsed = now
            .as_ref()
            .map_err(Failure::clone)
            .and_then(|contents| self.files.parse(contents, &self.provider));
        // Files that went and came back unchanged are no news, but what was said of them is no
        // longer true.
        let news = parsed.map(|certified| {
            self.current.0.store(Arc::new(certified));
        });
        seen.settled = now;
        Some(news)
    }

    /// Whether the certificate in use is for this host: a DNS name or an IP address.
    pub fn is_for(&self, host: &str) -> bool {
        let certified = self.current.0.load();
        let name = ServerName::try_from(host.trim_start_matches('[').trim_end_matches(']'));
        let parsed = certified.cert.first().map(ParsedCertificate::try_from);
        match (name, parsed) {
            (Ok(name), Some(Ok(parsed))) => {
                rustls::client::verify_server_name(&parsed, &name).is_ok()
            }
            _ => false,
        }
    }

    /// The handshake with one client; the bare socket comes back where it fails, after the alert.
    pub(super) async fn accept(
        &self,
        socket: TcpStream,
    ) -> Result<TlsStream<TcpStream>, Option<TcpStream>> {
        let mut waiting = LazyConfigAcceptor::new(Acceptor::default(), socket);
        let begun = match (&mut waiting).await {
            Ok(begun) => begun,
            Err(_) => return Err(waiting.take_io()),
        };
        let config = if would_rather_chacha20(begun.client_hello().cipher_suites()) {
            &self.theirs
        } else {
            &self.ours
        };
        begun
            .into_stream(Arc::clone(config))
            .into_fallible()
            .await
            .map_err(|(_, socket)| Some(socket))
    }
}

/// Whether a suite encrypts with this cipher, by its name.
fn is_with(suite: CipherSuite, cipher: &str) -> bool {
    suite.as_str().is_some_and(|name| name.contains(cipher))
}

/// Whether a client names ChaCha20 before every suite of ours with AES: it does where its processor
/// has no instructions for AES.
fn would_rather_chacha20(offered: &[CipherSuite]) -> bool {
    let ours = |suite: &&CipherSuite| {
        ring::ALL_CIPHER_SUITES
            .iter()
            .any(|known| known.suite() == **suite)
    };
    offered
        .iter()
        .find(ours)
        .is_some_and(|suite| is_with(*suite, "CHACHA20"))
}

/// Whether the client chose HTTP/2.
pub(super) fn is_http2<S>(stream: &TlsStream<S>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(H2)
}

/// Whether what a client sent first is the beginning of a TLS record: a handshake (RFC 8446 section
/// 5.1). Others are plain HTTP, or noise.
pub(super) fn is_handshake(first: u8) -> bool {
    first == 22
}
