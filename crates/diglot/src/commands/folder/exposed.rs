//! Whether texts are public only because a file is gone.

use std::collections::BTreeSet;

use diglot_content::Sources;
use diglot_content::library::Report;

/// Whether a text that was withheld is public, and a file that was not public is gone: probably a
/// configuration is being replaced.
pub(super) fn is_exposed(before: &Report, now: &Report, sources: &Sources) -> bool {
    let files = &sources.files;
    let is_there = |path: &&str| {
        let found = files.binary_search_by(|file| (*file.path).cmp(*path));
        found.is_ok()
    };
    if withheld(before).all(|path| is_there(&path)) {
        return false;
    }
    let still: BTreeSet<&str> = withheld(now).collect();
    let mut there = withheld(before).filter(is_there);
    there.any(|path| !still.contains(path))
}

/// The files that are not public.
fn withheld(report: &Report) -> impl Iterator<Item = &str> {
    let skipped = report.skipped.values().flatten();
    let set_aside = report.set_aside.iter().map(|(path, _)| path);
    skipped.chain(set_aside).map(String::as_str)
}
