//! An mdBook.

use crate::dialects::config::Keys;
use crate::dialects::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "mdbook",
    recognise: |evidence| {
        evidence.first(&["book.toml"]).zip(evidence.first(&["src/SUMMARY.md", "SUMMARY.md"])).map(|(book, summary)| format!("{book} and {summary}"))
    },
    roots: &["src"],
    outputs: &["book"],
    machinery: &["theme"],
    includes: Spelling::Hashes,
    keys: Keys {
        files: &["book.toml"],
        title: &["book.title"],
        description: &["book.description"],
        author: &["book.authors", "book.author"],
        language: &["book.language"],
        address: &["output.html.site-url"],
        content: &["book.src"],
        usual: Some("src"),
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    readme_is_index: true,
    ..COMMON
};
