//! One digest of anything that can be hashed: for comparing within one process only, since hashing depends on the machine.

use std::hash::Hasher;

use crate::resource::Digest;

/// The bytes of what a digest is made of. They are gathered first, since a digest of many small pieces costs several times as much.
#[derive(Default)]
pub(crate) struct Sum(Vec<u8>);

impl Sum {
    /// One that takes about so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(crate) fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The beginning of the digest: nobody asks for it.
    fn finish(&self) -> u64 {
        self.digest().0.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
