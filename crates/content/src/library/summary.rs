//! `SUMMARY.md`: the author's labels and order of files.

use rustc_hash::FxHashMap;

use super::{files, paths};
use crate::dialects::Kind;
use crate::model::{format::is_markdown, sources::Sources, text::plain};

/// The entry of one file in a `SUMMARY.md`.
#[derive(Hash)]
pub struct Listed {
    pub label: String,
    pub position: i64,
}

/// The listed files, by path.
pub type Summary = FxHashMap<String, Listed>;

/// Reads every `SUMMARY.md` at the root and in content folders.
pub fn read(sources: &Sources, kind: &Kind) -> Summary {
    let mut summary = Summary::default();
    let mut position = 0;
    for folder in std::iter::once("").chain(kind.dialect.roots.iter().copied()) {
        let Some(file) = files::find(sources, &paths::inside(folder, "SUMMARY.md")) else {
            continue;
        };
        for (label, target) in String::from_utf8_lossy(&file.bytes)
            .lines()
            .filter_map(link)
        {
            position += 1;
            let target = target
                .trim_matches(['<', '>'])
                .trim_start_matches("./")
                .replace("%20", " ");
            let listed = Listed {
                label: plain(label),
                position,
            };
            summary
                .entry(paths::inside(folder, &target))
                .or_insert(listed);
        }
    }
    summary
}

/// The label and address of the link in a line, if it names a text.
fn link(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once('[')?;
    let (label, rest) = rest.rsplit_once("](")?;
    let (target, _) = rest.split_once(')')?;
    is_markdown(target).then_some((label, target))
}
