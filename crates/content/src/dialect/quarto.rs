//! A Quarto site: `{{< include >}}`, `:::{.callout-note}`.

use super::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "quarto",
    recognise: |evidence| evidence.first(&["_quarto.yml", "_quarto.yaml"]),
    outputs: &["_site", "_book"],
    includes: Spelling::Shortcodes,
    ..COMMON
};
