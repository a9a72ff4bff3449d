//! One digest of anything that can be hashed: for comparing within one process only, since hashing
//! depends on the machine.

use std::hash::{Hash, Hasher};

/// The bytes of what a digest is made of. They are gathered first, since a digest of many small
/// pieces costs several times as much.
#[derive(Debug)]
pub struct Fingerprint(Vec<u8>);

/// A digest that is made: equal for equal values, and for no others.
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
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that takes about so many bytes.
    pub fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// The digest of one value.
    pub fn of(value: &impl Hash) -> Digest {
        let mut sum = Self::new();
        value.hash(&mut sum);
        sum.digest()
    }

    /// The digest of all that was hashed.
    pub fn digest(&self) -> Digest {
        of_bytes(&self.0)
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The beginning of the digest: nobody asks for it.
    fn finish(&self) -> u64 {
        self.digest()
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
