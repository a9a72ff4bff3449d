//! An mdBook.

use super::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "mdbook",
    recognise: |evidence| {
        evidence.first(&["book.toml"]).zip(evidence.first(&["src/SUMMARY.md", "SUMMARY.md"])).map(|(book, summary)| format!("{book} and {summary}"))
    },
    roots: &["src"],
    outputs: &["book"],
    machinery: &["theme"],
    includes: Spelling::Hashes,
    ..COMMON
};
