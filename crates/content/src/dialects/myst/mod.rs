//! The syntax of MyST, the Markdown of Sphinx, for those who read it: directives, labels and tables of
//! contents.

pub mod containers;
pub mod directive;
pub mod fence;
pub mod labels;
pub mod nesting;
pub mod toctree;

/// What the settings say of texts in MyST.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Myst {
    /// The folder of the settings.
    pub root: String,
    /// Values that texts name.
    pub substitutions: Vec<(String, String)>,
    /// Whether the words behind the name of a callout are its title.
    pub titles: bool,
    /// The addresses of other projects, by their names in links.
    pub projects: Vec<(String, String)>,
}

impl Myst {
    /// The value with a name.
    pub fn substitution(&self, name: &str) -> Option<&str> {
        named_value(&self.substitutions, name)
    }

    /// The address of a project.
    pub fn project(&self, name: &str) -> Option<&str> {
        named_value(&self.projects, name)
    }
}

fn named_value<'v>(values: &'v [(String, String)], name: &str) -> Option<&'v str> {
    let found = values.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// The words and the name in `words <name>`.
pub fn named(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    let inner = text
        .strip_suffix('>')
        .and_then(|text| text.rsplit_once('<'));
    match inner {
        Some((words, name)) if !words.trim().is_empty() => (Some(words.trim()), name.trim()),
        Some((_, name)) => (None, name.trim()),
        None => (None, text),
    }
}
