//! What each file of a folder is.

use std::sync::Arc;

use crate::model::{format::Format, problem::Severity};

/// Which part of the address space a text belongs to, before its front matter is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    Articles,
    Pages,
    /// The content of the home page.
    Home,
    /// The text of the page for missing addresses.
    NotFound,
}

/// What a file is.
#[derive(PartialEq, Eq, Hash)]
pub enum Role {
    /// A text. `rel` is its path below the articles folder, or below the site's root for a page.
    Text {
        format: Format,
        area: Area,
        rel: Arc<str>,
    },
    /// Published unchanged at this decoded site path.
    File(String),
    /// Not for readers, with the reason.
    Skip(String),
    /// For readers only if a published text refers to it, with the reason.
    Unlinked(String),
    /// Not published at its path, with the severity and the reason.
    SetAside(Severity, String),
}

impl Role {
    pub fn skip(reason: &str) -> Self {
        Self::Skip(reason.to_owned())
    }

    pub fn unlinked(reason: &str) -> Self {
        Self::Unlinked(reason.to_owned())
    }
}
