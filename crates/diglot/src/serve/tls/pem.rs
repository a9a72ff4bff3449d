//! Loads a certificate and its key from two PEM files (RFC 7468), with a sentence for each possible
//! error.

use std::path::{Path, PathBuf};

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject, SectionKind};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};

use crate::failure::Failure;
use crate::{file, limits};

/// The paths of certificate and key; both may be symbolic links that are switched later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// PEM: the site's own certificate first, then its chain up to a root.
    pub certificate: PathBuf,
    /// PEM: the private key, not encrypted.
    pub key: PathBuf,
}

/// The bytes of both files at one moment.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Files {
    /// Reads both files, and checks that they can be used together.
    ///
    /// # Errors
    /// As [`Tls::load`](super::Tls::load).
    pub fn check(&self) -> Result<(), Failure> {
        self.parse(&self.read()?, &super::provider()).map(drop)
    }

    /// Checks that the content of one file for both could be used.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[cfg(feature = "acme")]
    pub fn check_content(&self, pem: &[u8]) -> Result<(), Failure> {
        let contents = Contents {
            certificate: pem.to_owned(),
            key: pem.to_owned(),
        };
        self.parse(&contents, &super::provider()).map(drop)
    }

    /// Why each of the two files cannot be read.
    pub fn unreadable(&self) -> Vec<Failure> {
        let read = [read(&self.certificate, CERTIFICATE), read(&self.key, KEY)];
        read.into_iter().filter_map(Result::err).collect()
    }

    /// Reads both files.
    pub(super) fn read(&self) -> Result<Contents, Failure> {
        Ok(Contents {
            certificate: read(&self.certificate, CERTIFICATE)?,
            key: read(&self.key, KEY)?,
        })
    }

    /// Builds what a handshake needs.
    pub(super) fn parse(
        &self,
        contents: &Contents,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, Failure> {
        let chain = self.chain(&contents.certificate)?;
        let key = self.private_key(&contents.key)?;
        let unusable = |file: &Path, error: &Error| {
            Failure::usage(format!(
                "`{}` is not usable: {}",
                file.display(),
                sentence(error)
            ))
        };
        ParsedCertificate::try_from(&chain[0])
            .map_err(|error| unusable(&self.certificate, &error))?;
        let key = provider
            .key_provider
            .load_private_key(key)
            .map_err(|error| {
                unusable(&self.key, &error).hint(
                    "keys of RSA (2048 bits or more), ECDSA (P-256, P-384) and Ed25519 are known",
                )
            })?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
            Err(_) => Err(self.mismatch(&certified)),
        }
    }

    fn chain(&self, bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, Failure> {
        let file = &self.certificate;
        let sections = sections(file, bytes)?;
        let chain: Vec<_> = sections
            .into_iter()
            .filter(|(kind, _)| *kind == SectionKind::Certificate)
            .map(|(_, der)| der.into())
            .collect();
        if chain.is_empty() {
            let failure = Failure::usage(format!("`{}` contains no certificate", file.display()));
            return Err(failure.hint("give a PEM file with `-----BEGIN CERTIFICATE-----`, the site's own first, then its chain"));
        }
        Ok(chain)
    }

    fn private_key(&self, bytes: &[u8]) -> Result<PrivateKeyDer<'static>, Failure> {
        let file = &self.key;
        if is_encrypted(bytes) {
            let failure = Failure::usage(format!("the key in `{}` is encrypted", file.display()));
            return Err(failure.hint(
                "the server cannot ask for a passphrase: remove it with `openssl pkey -in KEY -out NEW`, and let only the server read the new file",
            ));
        }
        let key = sections(file, bytes)?
            .into_iter()
            .find_map(|(kind, der)| PrivateKeyDer::from_pem(kind, der));
        key.ok_or_else(|| {
            Failure::usage(format!("`{}` contains no private key", file.display()))
                .hint("give a PEM file with `-----BEGIN PRIVATE KEY-----`")
        })
    }

    /// Why certificate and key do not match: the wrong key, or a chain that does not begin with the
    /// site's certificate.
    fn mismatch(&self, certified: &CertifiedKey) -> Failure {
        let failure = Failure::usage(format!(
            "the key in `{}` does not belong to the certificate in `{}`",
            self.key.display(),
            self.certificate.display()
        ));
        let belongs = |own: &CertificateDer<'static>| {
            CertifiedKey::new(vec![own.clone()], certified.key.clone())
                .keys_match()
                .is_ok()
        };
        if certified.cert.iter().skip(1).any(belongs) {
            failure.hint(
                "it belongs to a later certificate in that file: the site's own must be the first",
            )
        } else {
            failure.hint("use the key that was created with this certificate")
        }
    }
}

/// What a missing certificate should be.
const CERTIFICATE: &str =
    "`--tls-cert` names a PEM file with the site's certificate first, then its chain";
/// What a missing key should be.
const KEY: &str = "`--tls-key` names a PEM file with the private key of the certificate";

fn read(path: &Path, hint: &str) -> Result<Vec<u8>, Failure> {
    file::read(path, limits::PEM_BYTES).map_err(|error| Failure::named_file(path, &error, hint))
}

/// All sections of a known kind.
fn sections(file: &Path, bytes: &[u8]) -> Result<Vec<(SectionKind, Vec<u8>)>, Failure> {
    if bytes.first() == Some(&0x30) {
        let failure = Failure::usage(format!("`{}` is not PEM but DER", file.display()));
        return Err(failure.hint(
            "`openssl x509 -in FILE -out NEW` and `openssl pkey -in FILE -out NEW` write PEM",
        ));
    }
    let read: Result<Vec<_>, pem::Error> = PemObject::pem_slice_iter(bytes).collect();
    read.map_err(|error| {
        let why = match error {
            pem::Error::MissingSectionEnd { .. } => "a section has no end; is it cut off?",
            pem::Error::IllegalSectionStart { .. } => "a section begins with a broken line",
            _ => "a section is not base64",
        };
        Failure::usage(format!("`{}` is not PEM: {why}", file.display()))
    })
}

/// Whether the PEM text declares its key encrypted: PKCS #8 by its label, the older kinds by a
/// header (RFC 1421 section 4.6.1.1).
fn is_encrypted(bytes: &[u8]) -> bool {
    let has = |words: &[u8]| memchr::memmem::find(bytes, words).is_some();
    has(b"-----BEGIN ENCRYPTED PRIVATE KEY-----") || has(b"Proc-Type: 4,ENCRYPTED")
}

/// The library's error without its Rust names.
fn sentence(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(_) => "its first certificate is malformed".to_owned(),
        Error::General(why) => why.clone(),
        other => other.to_string(),
    }
}
