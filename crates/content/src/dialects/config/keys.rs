//! The names that each generator has for the same few things.

/// The configuration files of a generator, and its names for what is read there.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The files: the first that is there counts. A closing `*` matches any ending.
    pub files: &'static [&'static str],
    pub title: &'static [&'static str],
    pub description: &'static [&'static str],
    pub author: &'static [&'static str],
    pub language: &'static [&'static str],
    /// The origin, or the whole address.
    pub address: &'static [&'static str],
    /// The path below the origin.
    pub base: &'static [&'static str],
    pub content: &'static [&'static str],
    /// The folder of the content where nothing is said.
    pub usual: Option<&'static str>,
    pub permalink: &'static [&'static str],
    pub exclude: &'static [&'static str],
    /// Whether what is excluded is written as regular expressions.
    pub regular: bool,
}

impl Keys {
    pub const NONE: Self = Self {
        files: &[],
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
        regular: false,
    };
}
