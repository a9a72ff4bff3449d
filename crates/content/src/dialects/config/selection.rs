//! The files of a site, where a configuration lists them by patterns.

use std::collections::BTreeSet;

use super::glob::{Glob, Patterns};
use crate::model::format::Format;
use crate::model::path::inside_or_folder;

/// Some files of a site, by patterns of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The folder of which it selects; empty: the whole site.
    pub folder: String,
    /// Whether it selects Markdown alone, and says nothing about the files beside it.
    pub markdown: bool,
    pub files: Vec<Glob>,
    pub exclude: Vec<Glob>,
    /// Files that it leaves out although no pattern does.
    pub others: BTreeSet<String>,
    /// Why others are left out, where that is not what the configuration lists.
    pub reason: Option<String>,
}

impl Selection {
    /// The Markdown of a folder by patterns that count from it, without what others describe. A
    /// pattern of `files` that begins with `!` leaves out as well.
    pub fn of_markdown<'p>(
        folder: &str,
        files: impl Iterator<Item = &'p str>,
        exclude: impl Iterator<Item = &'p str>,
    ) -> Self {
        let mut selection = Self {
            folder: folder.to_owned(),
            markdown: true,
            ..Self::default()
        };
        let mut left_out: Vec<&str> = exclude.collect();
        for pattern in files {
            match negated(pattern) {
                Some(pattern) => left_out.push(pattern),
                None => selection.files.extend(Glob::parse_paths(folder, pattern)),
            }
        }
        for pattern in left_out {
            let pattern = negated(pattern).unwrap_or(pattern);
            let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
            let pattern = inside_or_folder(folder, pattern);
            selection.exclude.extend(Patterns::Rooted.read(&pattern));
        }
        selection
    }

    /// Whether it says something about a file.
    pub fn is_about(&self, path: &str) -> bool {
        let is_below = self.folder.is_empty()
            || path
                .strip_prefix(&*self.folder)
                .is_some_and(|rest| rest.starts_with('/'));
        is_below && (!self.markdown || Format::from_path(path) == Some(Format::Markdown))
    }

    /// Whether a file is one of them.
    pub fn holds(&self, path: &str) -> bool {
        let any = |globs: &[Glob]| globs.iter().any(|glob| glob.fits(path));
        any(&self.files) && !any(&self.exclude) && !self.others.contains(path)
    }
}

/// The pattern behind a `!`; `!(a|b)` is a group.
fn negated(pattern: &str) -> Option<&str> {
    pattern
        .strip_prefix('!')
        .filter(|rest| !rest.starts_with('('))
}
