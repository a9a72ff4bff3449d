//! Callouts in HTML, as generators write them.

use super::tokens::StartTag;
use super::tree::Tree;
use crate::model::document::callout_kind;

/// Classes of boxes that are always callouts, and of those that need a kind to be one.
const NOTICES: [&str; 9] = [
    "admonition",
    "admonitionblock",
    "theme-admonition",
    "markdown-alert",
    "starlight-aside",
    "custom-block",
    "blockquote-tag",
    "book-hint",
    "callout-block",
];
const BOXES: [&str; 5] = ["alert", "callout", "hint", "notice", "note"];
/// Classes of titles.
const TITLES: [&str; 10] = [
    "admonition-title",
    "admonitionheading",
    "alert-heading",
    "alert-title",
    "blockquote-tag-title",
    "callout-header",
    "callout-title",
    "custom-block-title",
    "markdown-alert-title",
    "starlight-aside__title",
];

/// The kind of a callout, and the element that is its title.
pub fn callout(
    tree: &Tree<'_>,
    at: usize,
    tag: &StartTag,
) -> Option<(&'static str, Option<usize>)> {
    if !matches!(
        tag.name.as_str(),
        "div" | "aside" | "section" | "blockquote"
    ) {
        return None;
    }
    let classes = tag.get("class")?.to_ascii_lowercase();
    let classes: Vec<&str> = classes.split_whitespace().take(30).collect();
    let kind = kind(&classes, tag.name == "section")?;
    let title = tree
        .beginning(at, 14)
        .find(|at| tree.tag(*at).is_some_and(is_title));
    Some((kind, title))
}

fn kind(classes: &[&str], is_section: bool) -> Option<&'static str> {
    let is_notice = classes.iter().any(|class| NOTICES.contains(class));
    let boxed = classes.iter().find(|class| BOXES.contains(class));
    if !is_notice && (boxed.is_none() || is_section) {
        return None;
    }
    for class in classes {
        let word = class
            .rsplit_once("--")
            .or_else(|| class.rsplit_once('-'))
            .map_or(*class, |(_, word)| word);
        if !NOTICES.contains(class)
            && Some(class) != boxed
            && let Some(kind) = callout_kind(word)
        {
            return Some(kind);
        }
    }
    match boxed {
        Some(&name @ ("note" | "hint" | "notice")) if let Some(kind) = callout_kind(name) => {
            Some(kind)
        }
        _ => is_notice.then_some("note"),
    }
}

fn is_title(tag: &StartTag) -> bool {
    for class in tag.classes() {
        let class = class.to_ascii_lowercase();
        // Some generators' scripts add a suffix that makes classes unique:
        // `admonitionHeading_Gvgb`.
        let class = if class.starts_with("admonitionheading_") {
            "admonitionheading"
        } else {
            &class
        };
        if TITLES.contains(&class) || class == "icon" && tag.name == "td" {
            return true;
        }
    }
    false
}
