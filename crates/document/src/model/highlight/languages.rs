//! The supported languages, by their names and aliases.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

/// The scanner of a language.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Grammar {
    /// Words and operators of a program.
    #[default]
    Program,
    /// By tags.
    Elements,
    /// By selectors and declarations.
    Css,
    /// Keys at the beginning of lines: YAML, TOML, INI.
    Keys,
    /// The first character of each line.
    Diff,
    /// Headings, code and links.
    Markdown,
}

/// A language, as `languages.toml` describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Language {
    pub names: Words,
    pub grammar: Grammar,
    pub line_comments: Vec<String>,
    pub block_comment: Option<(String, String)>,
    pub strings: Vec<Quoting>,
    pub keywords: Words,
    pub constants: Words,
    pub types: Words,
    pub ignore_case: bool,
    pub capitals: bool,
    pub lifetimes: bool,
    pub keys: bool,
    pub sigils: String,
    pub annotations: String,
    pub commands: bool,
}

/// The syntax of one kind of string.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Quoting {
    pub quote: String,
    pub escapes: bool,
    pub lines: bool,
}

/// Words, separated by white space.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "String")]
pub(super) struct Words(pub FxHashSet<String>);

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }
}

impl Words {
    pub(super) fn contain(&self, word: &str, ignore_case: bool) -> bool {
        if ignore_case {
            self.0.contains(&word.to_ascii_lowercase())
        } else {
            self.0.contains(word)
        }
    }
}

#[derive(Default, Deserialize)]
pub(super) struct Languages {
    pub language: Vec<Language>,
}

pub(super) const TABLE: &str = include_str!("languages.toml");

static LANGUAGES: LazyLock<Languages> = LazyLock::new(|| toml::from_str(TABLE).unwrap_or_default());

/// The language with this name.
pub(super) fn by_name(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    LANGUAGES
        .language
        .iter()
        .find(|language| language.names.0.contains(&name))
}
