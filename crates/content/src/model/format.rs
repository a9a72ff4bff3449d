//! How a text is written, by its suffix.

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Markdown,
    Html,
}

impl Format {
    /// The format of a file; `None` for what is not read as a text.
    pub(crate) fn of(path: &str) -> Option<Self> {
        const HTML: [&str; 3] = ["html", "htm", "xhtml"];
        if is_markdown(path) {
            return Some(Self::Markdown);
        }
        HTML.iter().any(|known| known.eq_ignore_ascii_case(suffix(path))).then_some(Self::Html)
    }
}

/// Whether a path's suffix is one of Markdown's.
pub fn is_markdown(path: &str) -> bool {
    const MARKDOWN: [&str; 8] = ["md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd"];
    MARKDOWN.iter().any(|known| known.eq_ignore_ascii_case(suffix(path)))
}

fn suffix(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, suffix)| suffix)
}
