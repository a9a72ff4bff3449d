//! An mdBook: `{{#include file}}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::evidence::Evidence;

pub(super) static DIALECT: Dialect = Dialect {
    name: "mdbook",
    recognise,
    roots: &["src"],
    outputs: &["book"],
    machinery: &["theme"],
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
    includes: Spelling::Hashes,
    ignores_status: true,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let book = evidence.first(&["book.toml"])?;
    let summary = evidence.first(&["src/SUMMARY.md", "SUMMARY.md"])?;
    Some(format!("{book} and {summary}"))
}
