//! What an authority asks this server to show that a name is its own: a certificate in the
//! handshake (RFC 8737), or a text on port 80 (RFC 8555 section 8.3).
//!
//! Another process asks the authority. It writes what is to be shown into one file, which is read
//! when somebody asks for it. So several servers with one state can show it, and no part of a
//! request names a file.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::ClientHello;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::version;
use serde::{Deserialize, Serialize};

use crate::{file, limits};

/// The ALPN name of the challenge (RFC 8737 section 6.2).
const ACME_TLS: &[u8] = b"acme-tls/1";

/// What one name is shown by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// The name.
    pub domain: String,
    /// The last part of the path under which the answer is asked for.
    pub token: String,
    /// The answer.
    pub answer: String,
    /// The certificate of the handshake, as PEM; only for RFC 8737.
    pub certificate: String,
    /// Its key, as PEM.
    pub key: String,
}

/// The names of a server whose certificate another process asks for, and where that process writes
/// what is to be shown.
#[derive(Debug)]
pub struct Challenges {
    /// The file with a list of [`Challenge`]s; missing while none is to be shown.
    pub file: PathBuf,
    /// The names, in lower case.
    pub domains: Vec<String>,
}

impl Challenges {
    /// Whether this is one of the names.
    pub fn names(&self, host: &str) -> bool {
        self.domains
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host))
    }

    fn all(&self) -> Vec<Challenge> {
        let bytes = file::read(&self.file, limits::PEM_BYTES).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// The answer to a token.
    pub fn answer(&self, token: &str) -> Option<String> {
        let found = self.all().into_iter().find(|it| it.token == token);
        found.map(|challenge| challenge.answer)
    }

    /// The configuration that shows a name to its authority.
    pub(super) fn config(
        &self,
        name: &str,
        provider: &Arc<CryptoProvider>,
    ) -> Option<ServerConfig> {
        if !self.names(name) {
            return None;
        }
        let mut all = self.all().into_iter();
        let shown = all.find(|it| it.domain.eq_ignore_ascii_case(name))?;
        let certificate = CertificateDer::from_pem_slice(shown.certificate.as_bytes()).ok()?;
        let key = PrivateKeyDer::from_pem_slice(shown.key.as_bytes()).ok()?;
        let key = provider.key_provider.load_private_key(key).ok()?;
        // Not checked against each other: its critical extension is unknown to the checker.
        let certified = CertifiedKey::new(vec![certificate], key);
        let mut config = ServerConfig::builder_with_provider(Arc::clone(provider))
            .with_protocol_versions(&[&version::TLS13, &version::TLS12])
            .ok()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
        config.alpn_protocols = vec![ACME_TLS.to_vec()];
        Some(config)
    }
}

/// The name for which an authority asks; `None` for all other clients. RFC 8737 section 3: it
/// offers this protocol alone.
pub(super) fn asked_for<'h>(hello: &'h ClientHello<'_>) -> Option<&'h str> {
    let mut offered = hello.alpn()?;
    let is_alone = offered.next() == Some(ACME_TLS) && offered.next().is_none();
    hello.server_name().filter(|_| is_alone)
}
