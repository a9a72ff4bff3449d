//! A plain folder of articles: the fallback for every folder.

use crate::dialects::dialect::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    aliases_may_be_names: true,
    ..COMMON
};
