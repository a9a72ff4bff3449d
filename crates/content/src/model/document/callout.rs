//! The names that people give to callouts.

/// The kind of callout that a word names.
pub(crate) fn callout_kind(word: &str) -> Option<&'static str> {
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
    let word = word.trim();
    let same = [
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
    let alias = same.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, kind)| kind);
    alias.or_else(|| KINDS.into_iter().find(|kind| kind.eq_ignore_ascii_case(word)))
}
