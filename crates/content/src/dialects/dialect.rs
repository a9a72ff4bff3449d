//! What a kind of folder says about itself.

use super::config::Keys;
use super::evidence::Evidence;
use super::tags::{Call, Form, Piece, Rule, apply};

/// A kind of folder.
#[derive(Debug)]
pub struct Dialect {
    /// Its name, as settings and reports write it.
    pub name: &'static str,
    /// What in a folder says that it is of this kind, in a few words.
    pub(super) recognise: fn(&Evidence<'_>) -> Option<String>,

    /// Folders whose own name is not part of an address.
    pub roots: &'static [&'static str],
    /// Folders that hold what the other generator built.
    pub outputs: &'static [&'static str],
    /// Folders of templates and other machinery, at the root.
    pub machinery: &'static [&'static str],

    /// Its configuration, and its names for a title, a language and the like.
    pub(super) keys: Keys,

    /// The address of a text where nothing else is said, as a pattern; `None`: as its path is here.
    pub addresses: Option<&'static str>,
    /// Whether that pattern is for articles alone, and pages have the addresses of their paths.
    pub pages_keep_paths: bool,
    /// Whether a dated file name gives an address by its day (`/2015/03/19/x/`) in every folder,
    /// not only where a link asks for it.
    pub dated_addresses: bool,
    /// What follows the name in an address by the day.
    pub dated_endings: &'static [&'static str],
    /// Whether a README is the index of its folder.
    pub readme_is_index: bool,
    /// Whether `aliases` are names of a note, not addresses.
    pub aliases_are_names: bool,
    /// Whether an alias that is a name of the note itself is not an address.
    pub aliases_may_be_names: bool,
    /// Whether a file's name is its title, rather than a heading below the first level.
    pub titled_by_name: bool,
    /// Whether tags in one text without commas are divided by white space.
    pub tags_by_space: bool,

    /// Whether Markdown files may hold JSX, not only those called `.mdx`.
    pub jsx: bool,
    /// Whether a text may hold components of Vue.
    pub vue: bool,
    /// Whether `$…$` is mathematics on every page.
    pub dollar_math: bool,
    /// Whether `%%comments%%` and `^ids` of blocks are read, and `[[names]]` are links.
    pub(super) vault: bool,
    /// Which includes are its own: those are tags in code too, and reported when there is no such
    /// file.
    pub(super) includes: Spelling,
    /// What `{% tags %}` of this kind become.
    pub(super) tags: &'static [Rule],
    /// What `{{< shortcodes >}}` of this kind become.
    pub(super) shortcodes: &'static [Rule],
    /// What an `{{ output }}` of this kind becomes.
    pub(super) output: fn(&Call<'_>) -> Option<Piece>,
}

/// Which includes are a kind's own. All others are read as well, where there is such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// None in particular.
    Any,
    /// `{{#include file}}`
    Hashes,
    /// `--8<-- "file"` and `{!file!}`
    Scissors,
    /// `{{< include file >}}`
    Shortcodes,
}

/// What holds where a kind says nothing else.
pub const COMMON: Dialect = Dialect {
    name: "",
    recognise: |_| None,
    roots: &[],
    outputs: &[],
    machinery: &[],
    keys: Keys::NONE,
    addresses: None,
    pages_keep_paths: false,
    dated_addresses: false,
    dated_endings: &["/"],
    readme_is_index: false,
    aliases_are_names: false,
    aliases_may_be_names: false,
    titled_by_name: false,
    tags_by_space: false,
    jsx: false,
    vue: false,
    dollar_math: false,
    vault: false,
    includes: Spelling::Any,
    tags: &[],
    shortcodes: &[],
    output: |_| None,
};

impl Dialect {
    /// What a template tag of this kind becomes; `None`: it is not known here.
    pub(super) fn replace(&self, call: &Call<'_>) -> Option<Piece> {
        match call.form {
            Form::Output => (self.output)(call),
            Form::Tag => apply(self.tags, call),
            Form::Shortcode => apply(self.shortcodes, call),
        }
    }
}
