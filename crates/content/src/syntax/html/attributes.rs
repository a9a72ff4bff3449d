//! What of an author's attributes may stand on a page.

use super::tokens::StartTag;
use crate::model::document::build::{Builder, clean};
use crate::model::document::{Attributes, language_of};

/// The attributes that are safe and valid on any element: `class`, `id`, `lang`, `dir`, `title`, `data-*`.
///
/// `style` and `on*` are forbidden by the pages' own policy; `role` and `aria-*` are valid only together with structures that the document does
/// not promise to keep, and a checker would blame the page for them.
pub(super) fn kept(builder: &mut Builder, tag: &StartTag) -> Attributes {
    let mut attributes = Attributes::new();
    for attribute in &tag.attributes {
        let value = attribute.value.trim();
        let kept = match attribute.name.as_str() {
            "class" => Some(classes(value)).filter(|classes| !classes.is_empty()),
            "id" => builder.claim_id(value),
            "lang" => is_language(value).then(|| value.to_owned()),
            "dir" => matches!(value, "ltr" | "rtl" | "auto").then(|| value.to_owned()),
            "title" => (!value.is_empty()).then(|| clean(value).into_owned()),
            name => (is_data(name) && value.len() <= 1000).then(|| clean(value).into_owned()),
        };
        if let Some(value) = kept {
            attributes.push((attribute.name.clone(), value));
        }
    }
    attributes
}

/// The author's classes, without those that hide text or that belong to a page's furniture: to readers and programs they would say something else
/// than the author's own style sheet did.
fn classes(value: &str) -> String {
    const BOILERPLATE: [&str; 12] = [
        "anchor",
        "permalink",
        "headerlink",
        "header-link",
        "heading-link",
        "heading-anchor",
        "footnote",
        "footnotes",
        "footnote-ref",
        "footnote-backref",
        "visually-hidden",
        "sr-only",
    ];
    let is_own = |class: &&str| !BOILERPLATE.iter().any(|furniture| class.to_ascii_lowercase().contains(furniture));
    clean(value).split_whitespace().filter(is_own).collect::<Vec<_>>().join(" ")
}

/// The form of a BCP 47 tag.
fn is_language(value: &str) -> bool {
    let mut parts = value.split('-');
    let primary = parts.next().unwrap_or_default();
    (2..=3).contains(&primary.len())
        && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn is_data(name: &str) -> bool {
    name.strip_prefix("data-").is_some_and(|rest| {
        !rest.is_empty()
            && !rest.starts_with("xml")
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.'))
    })
}

/// The language that a highlighter's classes name: `language-rust`, `lang-rust`, `highlight-source-rust`, `brush: rust`.
pub(super) fn code_language(tag: &StartTag) -> Option<String> {
    if let Some(language) = tag.get("data-lang").or_else(|| tag.get("data-language")) {
        return language_of(language);
    }
    let mut words = tag.get("class")?.split_whitespace();
    while let Some(word) = words.next() {
        let named = ["language-", "lang-", "highlight-source-", "sourceCode-"].iter().find_map(|prefix| word.strip_prefix(prefix));
        if let Some(named) = named {
            return language_of(named);
        }
        if word == "brush:" {
            return words.next().and_then(language_of);
        }
    }
    None
}

/// The language that a box around code names, or the code itself by a bare word: `highlight-python`, `highlight js`, `sourceCode haskell`, `src src-sh`.
pub(super) fn language_of_box(tag: &StartTag) -> Option<String> {
    const BOXES: [&str; 10] =
        ["highlight", "highlighter-rouge", "hljs", "sourceCode", "codehilite", "src", "prettyprint", "shiki", "chroma", "rust-example-rendered"];
    if !matches!(tag.name.as_str(), "pre" | "code" | "div" | "figure" | "section" | "td") {
        return None;
    }
    let words = || tag.get("class").into_iter().flat_map(str::split_whitespace).take(20);
    let prefixed = || words().find_map(|word| word.strip_prefix("highlight-").or_else(|| word.strip_prefix("src-")).and_then(language_of));
    let is_box = words().any(|word| BOXES.contains(&word));
    let bare = || words().find(|word| is_box && !BOXES.contains(word) && crate::model::highlight::knows(word)).map(str::to_owned);
    let diagram = || words().find(|word| *word == "mermaid" && tag.name == "pre").map(str::to_owned);
    let found = code_language(tag).or_else(prefixed).or_else(bare).or_else(diagram)?;
    (!matches!(found.as_str(), "default" | "none" | "text" | "plaintext" | "source" | "wrapper" | "container")).then_some(found)
}
