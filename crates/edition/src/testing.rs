//! What this crate's tests are made from.

use diglot_content::{
    BaseUrl, Site,
    site::{Lifetimes, Signals},
};

/// A site at `https://example.org`.
pub(crate) fn site() -> Site {
    site_at("https://example.org")
}

/// A site at this base URL.
pub(crate) fn site_at(base: &str) -> Site {
    Site {
        title: "Notes & Queries".into(),
        description: "A small publication <for> tests".into(),
        base: BaseUrl::parse(base).unwrap(),
        language: "en".into(),
        author: Some("Ada Lovelace".into()),
        articles: None,
        signals: Signals::default(),
        lifetimes: Lifetimes::default(),
        theme: None,
        sanitize: false,
        dialect: None,
    }
}
