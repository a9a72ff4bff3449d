//! Callouts: the aliases of their kinds, and the titles in both representations.

use super::{Callout, Inline};

impl Callout {
    /// The author's title, or the kind's default.
    pub(super) fn shown_title(&self) -> Vec<Inline> {
        if !self.title.is_empty() {
            return self.title.clone();
        }
        let words = self.kind.replace('-', " ");
        let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
        vec![Inline::Text(first.to_uppercase() + rest)]
    }
}

/// The author's summary of a collapsible part, or the default.
pub(super) fn shown_summary(summary: &[Inline]) -> Vec<Inline> {
    if summary.is_empty() {
        vec![Inline::text("Details")]
    } else {
        summary.to_vec()
    }
}

const KINDS: [&str; 26] = [
    "abstract",
    "attention",
    "bug",
    "caution",
    "check",
    "danger",
    "error",
    "example",
    "failure",
    "faq",
    "fail",
    "help",
    "hint",
    "important",
    "info",
    "note",
    "notice",
    "question",
    "quote",
    "seealso",
    "success",
    "tip",
    "tldr",
    "todo",
    "warning",
    "experimental",
];

/// Other names of kinds.
const ALIASES: [(&str, &str); 12] = [
    ("alert", "warning"),
    ("warn", "warning"),
    ("message", "note"),
    ("information", "info"),
    ("notes", "note"),
    ("tips", "tip"),
    ("primary", "info"),
    ("secondary", "note"),
    ("default", "note"),
    ("admonition", "note"),
    ("callout", "note"),
    ("aside", "note"),
];

/// The kind of callout with this name or alias.
pub fn callout_kind(word: &str) -> Option<&'static str> {
    let word = word.trim();
    let alias = ALIASES
        .into_iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(word));
    let kind = || {
        KINDS
            .into_iter()
            .find(|kind| kind.eq_ignore_ascii_case(word))
    };
    alias.map(|(_, kind)| kind).or_else(kind)
}
