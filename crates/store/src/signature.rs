//! Signatures of pointers: Ed25519 (RFC 8032).

use std::path::Path;

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};

use crate::error::{Error, Result};

/// What precedes the 32 bytes of a key in its SubjectPublicKeyInfo (RFC 8410 section 4).
const SPKI: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// A private key.
pub struct SigningKey(Ed25519KeyPair);

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Vec<u8>);

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey")
    }
}

impl SigningKey {
    /// Reads a PEM file as written by `openssl genpkey -algorithm ed25519`.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub fn read(file: &Path) -> Result<Self> {
        let unreadable = |why: &str| {
            let hint = "make one with `openssl genpkey -algorithm ed25519 -out key.pem`";
            Error::Usage(format!(
                "`{}` is not an Ed25519 private key in PEM: {why}; {hint}",
                file.display()
            ))
        };
        let der = PrivatePkcs8KeyDer::from_pem_file(file)
            .map_err(|error| unreadable(&error.to_string()))?;
        let key = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der())
            .map_err(|error| unreadable(&error.to_string()))?;
        Ok(Self(key))
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key().as_ref().to_vec())
    }

    /// The signature of a message.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).as_ref().to_vec()
    }
}

impl PublicKey {
    /// Reads a PEM file as written by `openssl pkey -pubout`.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub fn read(file: &Path) -> Result<Self> {
        let unreadable = |why: &str| {
            let hint = "make it with `openssl pkey -in key.pem -pubout`";
            Error::Usage(format!(
                "`{}` is not an Ed25519 public key in PEM: {why}; {hint}",
                file.display()
            ))
        };
        let der = SubjectPublicKeyInfoDer::from_pem_file(file)
            .map_err(|error| unreadable(&error.to_string()))?;
        match der.strip_prefix(&SPKI) {
            Some(key) if key.len() == 32 => Ok(Self(key.to_vec())),
            _ => Err(unreadable("it is a key for something else")),
        }
    }

    /// Whether this is the signature of a message.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, &self.0)
            .verify(message, signature)
            .is_ok()
    }
}
