//! The error of a folder with too many files.

use std::fmt;
use std::io;

use crate::limits::Limits;

/// There are more files than this limit.
#[derive(Debug)]
pub(super) struct TooMany(pub usize);

impl TooMany {
    /// The reason of an error, if it is this one.
    pub fn from_error(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// What allows more. The walk ended early, so nobody knows how many there are.
    pub fn hint(&self) -> String {
        let more = self.0.max(Limits::default().files).saturating_mul(2);
        format!("`--limit files={more}` allows more; a folder of articles rarely has as many")
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "it has more files than the limit of {} (`files`)",
            self.0
        )
    }
}

impl std::error::Error for TooMany {}
