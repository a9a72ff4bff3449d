//! A plain folder of articles: every folder is one.

use crate::dialects::{COMMON, Dialect};

pub(in crate::dialects) static DIALECT: Dialect = Dialect { name: "plain", recognise: |_| Some("nothing says otherwise".to_owned()), ..COMMON };
