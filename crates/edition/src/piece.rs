//! Bytes of an edition that are stored elsewhere, and how they are brought.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Where some stored bytes begin, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece(pub u64, pub u64);

/// Brings the bytes of a stored edition.
pub trait Bring: fmt::Debug + Send + Sync {
    /// Whether there is such a piece.
    fn has(&self, piece: Piece) -> bool;

    /// The bytes of a piece, which are those that were written; `None`: something was found damaged, this piece or another, and nothing is brought any more.
    fn bring(&self, piece: Piece) -> Option<Bytes>;

    /// Whether nothing was found damaged.
    fn is_sound(&self) -> bool;
}
