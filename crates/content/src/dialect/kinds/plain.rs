//! A plain folder of articles: every folder is one.

use crate::dialect::{COMMON, Dialect};

pub(in crate::dialect) static DIALECT: Dialect = Dialect { name: "plain", recognise: |_| Some("nothing says otherwise".to_owned()), ..COMMON };
