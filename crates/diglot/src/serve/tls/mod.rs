//! TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1 by ALPN, with a certificate that can be replaced at run
//! time.
//!
//! The cipher suites are those of the `ring` provider: Mozilla's *intermediate* profile without its
//! finite-field groups, so only ECDHE and only AEAD. AES-128 is preferred: it is unbroken, and its
//! handshakes need SHA-256, for which processors have instructions, and not SHA-384. A client that
//! prefers ChaCha20 (a processor without AES) gets it. Nothing is configurable, since no other
//! choice is better.

mod challenge;
mod pem;

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::ServerName;
use rustls::server::{Acceptor, ClientHello, ParsedCertificate, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{CipherSuite, ServerConfig, version};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

pub use challenge::{Challenge, Challenges};
pub use pem::Files;

use super::wire::Protocol;
use crate::failure::Failure;
use crate::terminal;
use pem::Contents;

/// The ALPN name of HTTP/2 (RFC 9113 section 3.2).
const H2: &[u8] = b"h2";
/// The ALPN name of HTTP/1.1 (RFC 7301 section 6).
const HTTP11: &[u8] = b"http/1.1";

/// The TLS endpoint for all clients.
#[derive(Clone)]
pub struct Tls {
    files: Files,
    provider: Arc<CryptoProvider>,
    /// For nearly all clients: our order of suites.
    ours: Arc<ServerConfig>,
    /// For clients that prefer ChaCha20: the client's order of suites.
    theirs: Arc<ServerConfig>,
    current: Arc<Current>,
    seen: Arc<Mutex<Seen>>,
    /// The names, if another process asks an authority for the certificate.
    challenges: Option<Arc<Challenges>>,
}

/// The certificate of new handshakes. Without one all are refused.
#[derive(Debug)]
struct Current(ArcSwapOption<CertifiedKey>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.load_full()
    }
}

/// The content of the files at the last two checks.
struct Seen {
    /// What was last loaded or reported.
    settled: Result<Contents, Failure>,
    /// A different content at the last check: files are often written one after the other, so it
    /// must be the same at two checks.
    pending: Option<Result<Contents, Failure>>,
}

impl Tls {
    /// Reads both files.
    ///
    /// # Errors
    /// A file is missing, is not PEM, holds no usable certificate or key, or they do not match.
    pub fn load(files: Files) -> Result<Self, Failure> {
        let provider = provider();
        let contents = files.read()?;
        let certified = files.parse(&contents, &provider)?;
        Self::new(files, provider, Some(certified), Ok(contents))
    }

    /// Reads a file that another process writes once an authority has issued the certificate. Until
    /// then only the authority is answered.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn awaited(files: Files, challenges: Challenges) -> Result<Self, Failure> {
        let provider = provider();
        let contents = files.read();
        let parsed = contents.as_ref().map_err(Failure::clone);
        let parsed = parsed.and_then(|contents| files.parse(contents, &provider));
        if let Err(failure) = &parsed
            && files.certificate.exists()
        {
            let message = &failure.message;
            terminal::say(format!(
                "warning: {message}; another certificate is asked for"
            ));
        }
        let mut tls = Self::new(files, provider, parsed.ok(), contents)?;
        tls.challenges = Some(Arc::new(challenges));
        Ok(tls)
    }

    fn new(
        files: Files,
        provider: Arc<CryptoProvider>,
        certified: Option<CertifiedKey>,
        settled: Result<Contents, Failure>,
    ) -> Result<Self, Failure> {
        let current = Arc::new(Current(ArcSwapOption::from_pointee(certified)));
        let cannot = |error: rustls::Error| Failure::machine(format!("cannot set up TLS: {error}"));
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&version::TLS13, &version::TLS12])
            .map_err(cannot)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![H2.to_vec(), HTTP11.to_vec()];
        // Ticket keys change every six hours and exist only in this process. No early data: it
        // could be replayed.
        config.ticketer = ring::Ticketer::new().map_err(cannot)?;
        let theirs = Arc::new(config.clone());
        config.ignore_client_order = true;
        let seen = Arc::new(Mutex::new(Seen {
            settled,
            pending: None,
        }));
        Ok(Self {
            files,
            provider,
            ours: Arc::new(config),
            theirs,
            current,
            seen,
            challenges: None,
        })
    }

    /// The names and their challenges, if another process asks an authority.
    pub fn challenges(&self) -> Option<&Challenges> {
        self.challenges.as_deref()
    }

    /// Checks whether the files, or the links to them, changed since the last check. `Some(Ok)`:
    /// new connections use a new certificate. `Some(Err)`: the new files are unusable, and the old
    /// certificate stays; reported once.
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
        // Files that disappeared and returned unchanged are not news, but the earlier report is
        // obsolete.
        let news = parsed.map(|certified| {
            self.current.0.store(Some(Arc::new(certified)));
        });
        seen.settled = now;
        Some(news)
    }

    /// Whether the files differed from those in use at the last check, which did not use them yet.
    pub fn is_changing(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.pending.is_some()
    }

    /// Whether the certificate, or the one that is asked for, covers this host: a DNS name or an IP
    /// address.
    pub fn is_for(&self, host: &str) -> bool {
        if let Some(challenges) = &self.challenges {
            return challenges.names(host);
        }
        let Some(certified) = self.current.0.load_full() else {
            return false;
        };
        let name = ServerName::try_from(host.trim_start_matches('[').trim_end_matches(']'));
        let parsed = certified.cert.first().map(ParsedCertificate::try_from);
        match (name, parsed) {
            (Ok(name), Some(Ok(parsed))) => {
                rustls::client::verify_server_name(&parsed, &name).is_ok()
            }
            _ => false,
        }
    }

    /// The handshake with one client; on failure returns the bare socket, after the alert.
    pub(super) async fn accept(
        &self,
        socket: TcpStream,
    ) -> Result<TlsStream<TcpStream>, Option<TcpStream>> {
        let mut waiting = LazyConfigAcceptor::new(Acceptor::default(), socket);
        let begun = match (&mut waiting).await {
            Ok(begun) => begun,
            Err(_) => return Err(waiting.take_io()),
        };
        if let Some(challenges) = &self.challenges
            && let Some(name) = challenge::asked_for(&begun.client_hello())
            && let Some(config) = challenges.config(name, &self.provider)
        {
            // RFC 8737 section 3: after the handshake nothing is said.
            if let Ok(mut shown) = begun.into_stream(Arc::new(config)).await {
                let _ = shown.shutdown().await;
            }
            return Err(None);
        }
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

fn provider() -> Arc<CryptoProvider> {
    let mut provider = ring::default_provider();
    // A stable sort: the rest stays ordered by strength.
    provider
        .cipher_suites
        .sort_by_key(|suite| !is_with(suite.suite(), "AES_128"));
    Arc::new(provider)
}

/// Whether a suite uses this cipher, by its name.
fn is_with(suite: CipherSuite, cipher: &str) -> bool {
    suite.as_str().is_some_and(|name| name.contains(cipher))
}

/// Whether a client lists ChaCha20 before every AES suite of ours, as it does if its processor has
/// no AES instructions.
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

/// The protocol that the client selected.
pub(super) fn protocol<S>(stream: &TlsStream<S>) -> Protocol {
    match stream.get_ref().1.alpn_protocol() {
        Some(H2) => Protocol::Http2,
        _ => Protocol::Http1,
    }
}

/// Whether the first byte of a client starts a TLS handshake record (RFC 8446 section 5.1). Others
/// are plain HTTP, or noise.
pub(super) fn is_handshake(first: u8) -> bool {
    first == 22
}
