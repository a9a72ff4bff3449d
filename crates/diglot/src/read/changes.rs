//! What may have changed in a folder since it was read.

use std::ffi::OsString;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

/// What may have changed since the last reading.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Changes {
    /// Nothing was reported, so anything may have changed.
    #[default]
    Unsaid,
    Anything,
    /// The bytes of these files, by their paths on disk.
    Only(FxHashSet<OsString>),
}

impl Changes {
    /// Adds changes, `None` for anything.
    pub(super) fn note(&mut self, files: Option<Vec<PathBuf>>) {
        let Some(files) = files.filter(|_| *self != Self::Anything) else {
            *self = Self::Anything;
            return;
        };
        let files = files.into_iter().map(PathBuf::into_os_string);
        match self {
            Self::Only(known) => known.extend(files),
            _ => *self = Self::Only(files.collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_once_stays_unknown_until_all_is_read() {
        let file = |name: &str| Some(vec![PathBuf::from(name)]);
        let mut changes = Changes::default();
        changes.note(file("a"));
        changes.note(file("b"));
        let both = ["a", "b"].map(OsString::from).into_iter().collect();
        assert_eq!(changes, Changes::Only(both));
        changes.note(None);
        changes.note(file("a"));
        assert_eq!(changes, Changes::Anything);
    }
}
