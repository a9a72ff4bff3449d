//! The markup language of a file, by its suffix.

/// The markup language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown, in any flavour.
    Markdown,
    /// A page or a fragment of HTML.
    Html,
}

impl Format {
    /// The format of a file; `None` if it is not a document.
    pub fn from_path(path: &str) -> Option<Self> {
        if is_markdown(path) {
            Some(Self::Markdown)
        } else {
            has_suffix(path, &["html", "htm", "xhtml"]).then_some(Self::Html)
        }
    }
}

/// Whether a path's suffix is one of Markdown's.
pub fn is_markdown(path: &str) -> bool {
    has_suffix(
        path,
        &[
            "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd",
        ],
    )
}

/// Whether a path's suffix is that of Pandoc's Markdown with cells of code: R Markdown, Quarto.
pub fn has_cells(path: &str) -> bool {
    has_suffix(path, &["qmd", "rmd"])
}

fn has_suffix(path: &str, suffixes: &[&str]) -> bool {
    let (_, suffix) = path.rsplit_once('.').unwrap_or_default();
    suffixes
        .iter()
        .any(|known| known.eq_ignore_ascii_case(suffix))
}
