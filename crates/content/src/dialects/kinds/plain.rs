//! A plain folder of articles: the fallback for every folder.

use super::pelican;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    scope: pelican::scope,
    settle: pelican::settle,
    aliases_may_be_names: true,
    ..COMMON
};

/// Whether the folder belongs to Pelican, whose Markdown begins with lines `Key: value`.
pub fn has_headers(evidence: &Evidence<'_>) -> bool {
    pelican::is_one(evidence)
}
