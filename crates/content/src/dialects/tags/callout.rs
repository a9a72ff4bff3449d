//! Callouts between the steps of a translation: the opening marker, and the names of foldable
//! blocks.

use crate::model::text::one_line;

/// Names of foldable blocks.
const DETAILS: [&str; 14] = [
    "details",
    "expand",
    "expander",
    "expandable",
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
];

/// Whether a word names a foldable block.
pub fn is_details(word: &str) -> bool {
    DETAILS.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// `[!kind]- title`; `fold` is whether it is initially open.
pub fn mark(kind: &str, title: &str, fold: Option<bool>) -> String {
    let title = one_line(title);
    let sign = match fold {
        None => "",
        Some(true) => "+",
        Some(false) => "-",
    };
    let space = if title.is_empty() { "" } else { " " };
    format!("[!{kind}]{sign}{space}{title}")
}

/// A title in bold on a line of its own. Without punctuation the parser would read it as a heading.
pub fn label(title: &str) -> String {
    let title = title.trim();
    let colon = if title.ends_with(char::is_alphanumeric) {
        ":"
    } else {
        ""
    };
    format!("**{title}{colon}**")
}
