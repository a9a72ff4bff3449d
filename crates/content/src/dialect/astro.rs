//! An Astro site.

use super::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect {
    name: "astro",
    recognise: |evidence| evidence.begins("astro.config."),
    roots: &["src/content", "src/pages"],
    outputs: &["dist"],
    ..COMMON
};
