//! A digest of any hashable value, for comparison within one process only: `Hash` depends on the
//! platform, and XXH3 is not a cryptographic hash. For the few hundred bytes of a key it takes a
//! small part of the time of BLAKE3.

use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::xxh3_128;

/// The bytes to digest. They are buffered, since hashing many small pieces costs several times as
/// much.
#[derive(Debug)]
pub struct Fingerprint(Vec<u8>);

/// A finished digest: equal for equal values, and in practice only for those.
pub type Digest = [u8; 16];

/// The digest of these bytes: the first half of their BLAKE3.
pub fn of_bytes(bytes: &[u8]) -> Digest {
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    digest
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::with_room(1024)
    }
}

impl Fingerprint {
    /// An empty fingerprint.
    pub fn new() -> Self {
        Self::default()
    }

    /// A fingerprint with capacity for about this many bytes.
    pub fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// The digest of one value.
    pub fn hash_one(value: &impl Hash) -> Digest {
        let mut sum = Self::new();
        value.hash(&mut sum);
        sum.digest()
    }

    /// The digest of everything hashed so far.
    pub fn digest(&self) -> Digest {
        xxh3_128(&self.0).to_ne_bytes()
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The first eight bytes of the digest; required by the trait but unused.
    fn finish(&self) -> u64 {
        self.digest()
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
