//! The words that people have for callouts, and the mark that stands for one between the steps of a translation.

/// The kind that a word names, if it names one.
pub(crate) fn kind(word: &str) -> Option<&'static str> {
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

/// Whether a word names a part that opens and closes.
pub(super) fn is_details(word: &str) -> bool {
    [
        "details",
        "expand",
        "expander",
        "collapse",
        "collapsible",
        "spoiler",
        "accordion",
        "accordion-item",
        "accordionitem",
        "toggle",
        "fold",
        "folding",
        "dropdown",
    ]
    .iter()
    .any(|name| name.eq_ignore_ascii_case(word))
}

/// `[!kind]- title`; `fold` says whether it starts open.
pub(super) fn mark(kind: &str, title: &str, fold: Option<bool>) -> String {
    let title = crate::text::one_line(title);
    let sign = match fold {
        None => "",
        Some(true) => "+",
        Some(false) => "-",
    };
    let space = if title.is_empty() { "" } else { " " };
    format!("[!{kind}]{sign}{space}{title}")
}

/// A title in bold on a line of its own. Without punctuation it would read as a heading that is none.
pub(super) fn label(title: &str) -> String {
    let title = title.trim();
    let colon = if title.ends_with(char::is_alphanumeric) { ":" } else { "" };
    format!("**{title}{colon}**")
}
