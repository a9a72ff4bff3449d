//! Pointers: which manifest is the edition of a number.
//!
//! A pointer is text: one line of JSON, and one line with the signature of the first, if it is
//! signed. The number is signed as well, so that no old pointer can take the place of a newer one.

use bytes::Bytes;
use jiff::Timestamp;
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::signature::{PublicKey, SigningKey};

/// The version of the format.
const FORMAT: u32 = 1;
/// What precedes the digits of a signature.
const SIGNATURE: &str = "ed25519 ";
/// The greatest length of a pointer in bytes.
pub(crate) const LONGEST: u64 = 16 << 10;

/// A pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The version of the format.
    pub(crate) format: u32,
    /// The number of the edition in the chain, from 1.
    pub number: u64,
    /// The id of the edition, as in `/status.json`.
    pub edition: String,
    /// The digest of the root of its manifest.
    pub manifest: String,
    /// The address of the site.
    pub base_url: String,
    /// The number of articles.
    pub articles: usize,
    /// When it was published.
    pub published: Timestamp,
    /// Who published it, as given by the publisher.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub publisher: String,
    /// The number of the edition that it repeats, if it is a rollback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u64>,
    /// A random text, by which a publisher recognises its own pointer.
    pub nonce: String,
}

impl Pointer {
    /// A pointer to a manifest. The number is assigned by the chain.
    pub fn new(
        (edition, manifest): (String, String),
        (base_url, articles): (String, usize),
        (published, publisher): (Timestamp, String),
        nonce: String,
    ) -> Self {
        Self {
            format: FORMAT,
            number: 0,
            edition,
            manifest,
            base_url,
            articles,
            published,
            publisher,
            repeats: None,
            nonce,
        }
    }

    /// The key of the pointer of a number. Numbers are padded, so that keys are in their order.
    pub fn key(number: u64) -> String {
        format!("editions/{number:012}")
    }

    /// The number in the last part of a key.
    pub fn number_of(name: &str) -> Option<u64> {
        let is_padded = name.len() >= 12 && name.bytes().all(|byte| byte.is_ascii_digit());
        let number = is_padded.then(|| name.parse().ok()).flatten();
        // There is a number behind it.
        number.filter(|number| *number < u64::MAX)
    }

    /// The pointer as bytes, signed if there is a key.
    ///
    /// # Errors
    /// [`Error::Refused`], if it cannot be written as JSON.
    pub fn to_bytes(&self, key: Option<&SigningKey>) -> Result<Bytes> {
        let mut text = serde_json::to_string(self)
            .map_err(|error| Error::Refused(format!("the pointer cannot be written: {error}")))?;
        let signature = key.map(|key| key.sign(text.as_bytes()));
        text.push('\n');
        if let Some(signature) = signature {
            text += SIGNATURE;
            text += &to_hex(&signature);
            text.push('\n');
        }
        Ok(text.into())
    }

    /// Reads the pointer of a number. With a key, an unsigned or wrongly signed one is refused.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn parse(number: u64, bytes: &[u8], key: Option<&PublicKey>) -> Result<Self> {
        let refused = |why: &str| Error::Refused(format!("edition {number} is refused: {why}"));
        if bytes.len() as u64 > LONGEST {
            return Err(refused("its pointer is too long"));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| refused("its pointer is not text"))?;
        let (line, rest) = text
            .split_once('\n')
            .ok_or_else(|| refused("its pointer is cut off"))?;
        if let Some(key) = key {
            let signature = rest.trim_end().strip_prefix(SIGNATURE).and_then(from_hex);
            let signature = signature.ok_or_else(|| refused("it is not signed"))?;
            if !key.verifies(line.as_bytes(), &signature) {
                return Err(refused("it is signed with another key"));
            }
        }
        if is_foreign(line) {
            return Err(refused("another version of Diglot published it"));
        }
        let pointer: Self = serde_json::from_str(line)
            .map_err(|error| refused(&format!("its pointer cannot be read: {error}")))?;
        if pointer.number != number {
            return Err(refused("its pointer has another number"));
        }
        if blake3::Hash::from_hex(&pointer.manifest).is_err() {
            return Err(refused("its pointer names no manifest"));
        }
        Ok(pointer)
    }
}

/// Whether these bytes are a pointer, though of another version. It may have other fields.
pub(crate) fn is_foreign_pointer(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    is_foreign(text.split('\n').next().unwrap_or_default())
}

fn is_foreign(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    serde_json::from_str::<Versioned>(line).is_ok_and(|it| it.format != FORMAT)
}

/// A text that no other process makes.
///
/// # Errors
/// [`Error::Usage`]: the system has no randomness.
pub fn nonce() -> Result<String> {
    let mut bytes = [0_u8; 16];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Error::Usage("the system provides no random numbers".to_owned()))?;
    Ok(to_hex(&bytes))
}

/// Bytes as hexadecimal digits.
fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect()
}
