//! The digest of a text of which only the first bytes change, without reading the rest of it again.
//!
//! BLAKE3 is a tree (sections 2.1 and 5.1 of its paper): chunks of 1024 bytes are its leaves, and every parent is made of its two children alone. When nothing but the
//! first chunk is another, only what stands above it changes: one parent for each doubling of the length.

use blake3::hazmat::{ChainingValue, HasherExt, Mode, left_subtree_len, merge_subtrees_non_root, merge_subtrees_root};
use blake3::{CHUNK_LEN, Hasher};

use crate::resource::Digest;

/// What stands beside the way from the first chunk of a text to the root of its tree.
#[derive(Debug)]
pub(crate) struct Spine {
    /// How long the first part of the text is.
    front: usize,
    /// What stands on the right, the root's child first.
    beside: Vec<ChainingValue>,
}

impl Spine {
    /// The spine of a text that begins with so many bytes and goes on with `rest`; `None` where they do not end in the first chunk, or that is the only one.
    pub(crate) fn of(front: usize, rest: &[u8]) -> Option<Self> {
        let mut length = front + rest.len();
        if front > CHUNK_LEN || length <= CHUNK_LEN {
            return None;
        }
        let mut beside = Vec::new();
        while length > CHUNK_LEN {
            let left = left_subtree_len(length as u64);
            let start = usize::try_from(left).ok()?;
            let right = rest.get(start - front..length - front)?;
            beside.push(Hasher::new().set_input_offset(left).update(right).finalize_non_root());
            length = start;
        }
        Some(Self { front, beside })
    }

    /// Whether it was made for a first part of this length.
    pub(crate) const fn is_behind(&self, front: usize) -> bool {
        self.front == front
    }

    /// The digest of a text that begins with these bytes; `None` where they are more or fewer than those that the spine was made for. `rest` is the same as then.
    pub(crate) fn digest(&self, front: &[u8], rest: &[u8]) -> Option<Digest> {
        if !self.is_behind(front.len()) {
            return None;
        }
        let mut chunk = Hasher::new();
        chunk.update(front).update(rest.get(..CHUNK_LEN - front.len())?);
        let (root, below) = self.beside.split_first()?;
        let join = |left: ChainingValue, right: &ChainingValue| merge_subtrees_non_root(&left, right, Mode::Hash);
        let left = below.iter().rev().fold(chunk.finalize_non_root(), join);
        Some(Digest::short(&merge_subtrees_root(&left, root, Mode::Hash)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_digest_of_the_whole(front in 0..1100_usize, rest in 0..40_000_usize, other: u8) {
            let rest: Vec<u8> = (0..rest).map(|at| (at % 251) as u8).collect();
            let spine = Spine::of(front, &rest);
            prop_assert_eq!(spine.is_some(), front <= CHUNK_LEN && front + rest.len() > CHUNK_LEN);
            for byte in [7, other] {
                let begun = vec![byte; front];
                let digest = spine.as_ref().map(|spine| spine.digest(&begun, &rest));
                prop_assert_eq!(digest, spine.as_ref().map(|_| Some(Digest::of(&[&begun[..], &rest].concat()))));
            }
            prop_assert_eq!(spine.and_then(|spine| spine.digest(&vec![0; front + 1], &rest)), None);
        }
    }

    #[test]
    fn the_length_of_a_tree_may_be_any() {
        for length in [1025, 2047, 2048, 2049, 3072, 4096, 4097, 1 << 16, (1 << 16) + 1] {
            let text: Vec<u8> = (0..length).map(|at| (at % 249) as u8).collect();
            let (front, rest) = text.split_at(300);
            assert_eq!(Spine::of(300, rest).unwrap().digest(front, rest), Some(Digest::of(&text)), "{length} bytes");
        }
    }
}
