//! Reads one file that may be written at the same time.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::file::{self, Root};
use crate::limits::{Limits, MostBytes};

/// A file younger than this may be half saved.
pub(super) const SETTLED: Duration = Duration::from_millis(15);
/// An empty file younger than this probably is half saved: editors empty a file before they write
/// it, and a busy disk may delay the write.
const SETTLED_EMPTY: Duration = Duration::from_millis(250);
/// How long a file that keeps changing is reread.
const LONGEST: Duration = Duration::from_millis(500);

/// Suffixes of files that are parsed.
const PARSED: [&str; 12] = [
    "md", "markdown", "mdx", "html", "htm", "toml", "yml", "yaml", "json", "csv", "j2", "njk",
];

/// The bytes of a file.
pub(super) struct FileContents {
    pub bytes: Vec<u8>,
    /// The metadata from before the reading.
    pub metadata: Metadata,
    /// Whether the file did not change while it was read.
    pub steady: bool,
}

/// Reads a file; again if it changed meanwhile, or was written less than `settled` ago. A file of
/// more than `most` bytes is not read.
pub(super) fn read(
    root: &Root,
    path: &Path,
    most: MostBytes,
    settled: Duration,
) -> io::Result<FileContents> {
    let begun = Instant::now();
    loop {
        let (file, metadata) = root.with_metadata(path)?;
        let bytes = file::bytes(&file, metadata.len(), most)?;
        let wait = until_settled(
            &metadata,
            if bytes.is_empty() {
                SETTLED_EMPTY
            } else {
                settled
            },
        );
        thread::sleep(wait.min(SETTLED));
        let after = file.metadata()?;
        let unchanged =
            after.len() == bytes.len() as u64 && after.modified().ok() == metadata.modified().ok();
        let steady = unchanged && wait <= SETTLED;
        if steady || begun.elapsed() > LONGEST {
            return Ok(FileContents {
                bytes,
                metadata,
                steady,
            });
        }
    }
}

/// The time until the file's last write is this old.
fn until_settled(metadata: &Metadata, settled: Duration) -> Duration {
    let age = metadata
        .modified()
        .map(|time| SystemTime::now().duration_since(time));
    match age {
        Ok(Ok(age)) => settled.saturating_sub(age),
        // A missing time, or one in the future, proves nothing.
        _ => Duration::ZERO,
    }
}

/// The size limit of a file: parsing costs more than passing bytes through.
pub(super) fn most_bytes(path: &str, limits: &Limits) -> MostBytes {
    let suffix = path.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    let is_parsed = PARSED
        .iter()
        .any(|parsed| suffix.eq_ignore_ascii_case(parsed));
    if is_parsed && limits.article_bytes < limits.file_bytes {
        MostBytes::new("article-bytes", limits.article_bytes)
    } else {
        MostBytes::new("file-bytes", limits.file_bytes)
    }
}
