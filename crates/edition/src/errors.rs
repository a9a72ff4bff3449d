//! What error answers say: the seam between the pages that a theme draws and the answers that the HTTP part gives.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::pages::Errors;

/// The form of an error's body: the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorForm {
    /// For people.
    Html,
    /// For machines that read.
    Markdown,
    /// `application/problem+json` (RFC 9457), for machines that branch.
    Problem,
}

impl ErrorForm {
    /// The value of `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Problem => "application/problem+json",
        }
    }
}

/// An existing page near to a path that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Nearest {
    /// The page's title, plain text.
    pub title: Arc<str>,
    /// Its path without suffix, decoded: `/articles/x`.
    pub stem: Arc<str>,
}

/// Writes the bodies of error answers. An [`Edition`](crate::Edition) holds one, made by the theme.
pub trait ErrorBodies: fmt::Debug + Send + Sync {
    /// A short body for this status in this form. `requested` is the path as asked for (decoded, below the base URL's path; written escaped),
    /// `nearest` at most five existing pages, for a 404.
    fn body(&self, form: ErrorForm, status: u16, requested: &str, nearest: &[Nearest]) -> Bytes;

    /// The theme's own, which can be written down; others cannot.
    fn drawn(&self) -> Option<&Errors> {
        None
    }
}
