//! A plain folder of articles: the fallback for every folder.

use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    aliases_may_be_names: true,
    ..COMMON
};

/// Whether the folder belongs to Pelican, whose Markdown begins with lines `Key: value`.
pub fn has_headers(evidence: &Evidence<'_>) -> bool {
    evidence.file("pelicanconf.py").is_some()
}
