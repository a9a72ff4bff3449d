//! Keeps the last published edition in the state, so that `publish` codes only what has changed.

use std::hash::Hash;
use std::path::PathBuf;

use diglot_content::library::Report;
use diglot_edition::Edition;
use jiff::Timestamp;

use super::Folder;
use crate::failure::reason;
use crate::read::Fingerprint;
use crate::stored;
use crate::terminal;

/// The folder of that edition in the state folder.
const PLACE: &str = "published";

impl Folder {
    /// Gives an edition the codings of the last published one, where resources are the same.
    pub(in crate::commands) fn recall_codings(&self, edition: &Edition) {
        let Some((folder, key)) = self.published() else {
            return;
        };
        if let Err(why) = stored::recall_codings(&folder, &key, edition, &self.store) {
            terminal::say(format!(
                "warning: the last published edition in `{}` is ignored and will be replaced: {why}",
                folder.display()
            ));
        }
    }

    /// Keeps an edition that was published.
    pub(in crate::commands) fn keep_published(
        &self,
        edition: &Edition,
        (made, report): (Timestamp, Report),
    ) {
        let Some((folder, key)) = self.published() else {
            return;
        };
        if let Err(error) = stored::write(&folder, edition, (key, made, report)) {
            terminal::say(format!(
                "warning: the published edition cannot be saved in `{}`: {}",
                folder.display(),
                reason(&error)
            ));
        }
    }

    /// Where it is, and the key of this program: another one may code in another way.
    fn published(&self) -> Option<(PathBuf, String)> {
        let (state, program) = (self.state.as_ref()?, self.program?);
        let mut sum = Fingerprint(blake3::Hasher::new());
        (env!("CARGO_PKG_VERSION"), program).hash(&mut sum);
        let key = sum.0.finalize().to_hex().to_string();
        Some((state.dir().join(PLACE), key))
    }
}
