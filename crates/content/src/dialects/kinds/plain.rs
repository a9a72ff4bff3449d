//! A plain folder of articles: every folder is one.

use crate::dialects::dialect::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    aliases_may_be_names: true,
    ..COMMON
};
