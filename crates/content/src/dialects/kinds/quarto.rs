//! A Quarto site: `{{< include >}}`, `:::{.callout-note}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect, Spelling};

const CONFIG: &[&str] = &["_quarto.yml", "_quarto.yaml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "quarto",
    recognise: |evidence| evidence.first(CONFIG),
    outputs: &["_site", "_book"],
    keys: Keys {
        files: CONFIG,
        title: &["website.title", "book.title", "title"],
        description: &["website.description", "book.description", "description"],
        author: &["author", "book.author"],
        address: &["website.site-url", "book.site-url"],
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    dollar_math: true,
    includes: Spelling::Shortcodes,
    ignores_status: true,
    ..COMMON
};
