//! A Docusaurus site.

use super::{COMMON, Dialect};

pub(super) static DIALECT: Dialect =
    Dialect { name: "docusaurus", recognise: |evidence| evidence.begins("docusaurus.config."), outputs: &["build"], jsx: true, ..COMMON };
