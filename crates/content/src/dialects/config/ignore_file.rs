//! Files with patterns in the form of `.gitignore`.

use super::Glob;
use crate::model::path::folder;
use crate::model::sources::SourceFile;
use crate::model::text::decode;

/// The patterns of a file. They count from its folder.
pub fn patterns(file: &SourceFile) -> Vec<Glob> {
    let (text, _) = decode(&file.bytes, &file.path);
    let folder = folder(&file.path);
    let globs = lines(&text).filter_map(|line| Glob::parse_below(folder, line));
    globs.collect()
}

/// How many patterns a file has.
pub fn count(file: &SourceFile) -> usize {
    lines(&decode(&file.bytes, &file.path).0).count()
}

/// The lines that have a pattern.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}
