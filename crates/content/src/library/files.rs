//! Files of a folder by path. The folder is sorted by path.

use crate::model::sources::{SourceFile, Sources};

/// The number of the file at a path.
pub fn position(sources: &Sources, path: &str) -> Option<usize> {
    sources
        .files
        .binary_search_by(|file| (*file.path).cmp(path))
        .ok()
}

/// The file at a path.
pub fn find<'s>(sources: &'s Sources, path: &str) -> Option<&'s SourceFile> {
    position(sources, path).map(|at| &sources.files[at])
}

/// The files whose path begins with this prefix, with their numbers.
pub fn beginning<'s>(
    sources: &'s Sources,
    prefix: &str,
) -> impl Iterator<Item = (usize, &'s SourceFile)> + use<'s> {
    let start = sources.files.partition_point(|file| *file.path < *prefix);
    let length = sources.files[start..].partition_point(|file| file.path.starts_with(prefix));
    sources.files.iter().enumerate().skip(start).take(length)
}
