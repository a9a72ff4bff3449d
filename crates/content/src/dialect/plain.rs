//! A plain folder of articles: every folder is one.

use super::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect { name: "plain", recognise: |_| Some("nothing says otherwise".to_owned()), ..COMMON };
