//! Each generator's keys for the same few values.

use super::{Config, Patterns};
use crate::syntax::front::Front;

/// A generator's configuration files and the keys read from them.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The files: the first existing one is read. A closing `*` matches any ending,
    /// `*/` any folder at the root.
    pub files: &'static [&'static str],
    /// Files that are all read too; those above and earlier ones win.
    pub weaker: &'static [&'static str],
    /// Folders of files that are all read too; these and later ones win.
    pub folders: &'static [&'static str],
    /// The keys below which a file of these folders has its place; `None`: it is not read.
    pub below: fn(&str) -> Option<Vec<String>>,
    /// The file that may have its values in a table, and the name of that table.
    pub within: Option<(&'static str, &'static str)>,
    /// The key that names the file on which a file builds.
    pub inherit: Option<&'static str>,
    pub title: &'static [&'static str],
    pub description: &'static [&'static str],
    pub author: &'static [&'static str],
    pub language: &'static [&'static str],
    /// The origin, or the full address.
    pub address: &'static [&'static str],
    /// The path below the origin.
    pub base: &'static [&'static str],
    pub content: &'static [&'static str],
    /// The default content folder.
    pub usual: Option<&'static str>,
    pub permalink: &'static [&'static str],
    pub exclude: &'static [&'static str],
    /// How exclusions are written.
    pub patterns: Patterns,
    /// The zone of dates that are written without one.
    pub zone: &'static [&'static str],
    /// Whether a time with seconds and without a zone is UTC all the same.
    pub seconds_are_utc: bool,
    /// Reads where the sources of texts can be edited.
    pub edit: fn(&mut Config, &Front),
    /// Reads what only this generator's configuration has.
    pub more: fn(&mut Config, &Front),
}

impl Keys {
    pub const NONE: Self = Self {
        files: &[],
        weaker: &[],
        folders: &[],
        below: |_| None,
        within: None,
        inherit: None,
        title: &["title"],
        description: &["description"],
        author: &["author"],
        language: &["language", "lang", "locale"],
        address: &["url"],
        base: &[],
        content: &[],
        usual: None,
        permalink: &[],
        exclude: &[],
        patterns: Patterns::Ignore,
        zone: &[],
        seconds_are_utc: false,
        edit: |_, _| {},
        more: |_, _| {},
    };
}
