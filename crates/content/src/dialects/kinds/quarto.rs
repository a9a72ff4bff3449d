//! A Quarto site: `{{< include >}}`, `:::{.callout-note}`.

use crate::dialects::config::Keys;
use crate::dialects::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "quarto",
    recognise: |evidence| evidence.first(&["_quarto.yml", "_quarto.yaml"]),
    outputs: &["_site", "_book"],
    includes: Spelling::Shortcodes,
    dollar_math: true,
    keys: Keys {
        files: &["_quarto.yml", "_quarto.yaml"],
        title: &["website.title", "book.title", "title"],
        description: &["website.description", "book.description", "description"],
        author: &["author", "book.author"],
        address: &["website.site-url", "book.site-url"],
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    ..COMMON
};
