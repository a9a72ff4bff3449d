//! The attributes of authors that a page keeps.

use super::tokens::StartTag;
use crate::model::document::build::Builder;
use crate::model::document::{Attributes, language_of};
use crate::model::highlight;
use crate::model::text::clean;

/// Substrings of classes that hide text or belong to boilerplate: without the author's style sheet
/// they would mislead readers and programs.
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

/// Classes of boxes around code.
const CODE_BOXES: [&str; 10] = [
    "highlight",
    "highlighter-rouge",
    "hljs",
    "sourceCode",
    "codehilite",
    "src",
    "prettyprint",
    "shiki",
    "chroma",
    "rust-example-rendered",
];

/// The attributes that are safe and valid on any element: `class`, `id`, `lang`, `dir`, `title`,
/// `data-*`.
///
/// The pages' content security policy forbids `style` and `on*`. `role` and `aria-*` are valid only
/// with structures that the document does not guarantee to keep, so that validators would report
/// the page.
pub fn kept(builder: &mut Builder, tag: &StartTag) -> Attributes {
    let mut attributes = Attributes::new();
    for attribute in &tag.attributes {
        let name = attribute.name.as_str();
        let value = attribute.value.trim();
        let value = match name {
            "class" => classes(value),
            "id" => builder.claim_id(value).unwrap_or_default(),
            "lang" if is_language(value) => value.to_owned(),
            "dir" if matches!(value, "ltr" | "rtl" | "auto") => value.to_owned(),
            "title" => clean(value).into_owned(),
            _ if is_data(name) && value.len() <= 1000 => clean(value).into_owned(),
            _ => continue,
        };
        if !value.is_empty() || is_data(name) {
            attributes.push((name.to_owned(), value));
        }
    }
    attributes
}

/// The author's classes without those of boilerplate.
fn classes(value: &str) -> String {
    let value = clean(value);
    let mut kept = Vec::new();
    for class in value.split_whitespace() {
        let lower = class.to_ascii_lowercase();
        if !BOILERPLATE.iter().any(|part| lower.contains(part)) {
            kept.push(class);
        }
    }
    kept.join(" ")
}

/// Whether a text has the syntax of a BCP 47 tag.
fn is_language(value: &str) -> bool {
    let (primary, rest) = value.split_once('-').unwrap_or((value, "en"));
    matches!(primary.len(), 2 | 3)
        && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
        && rest.split('-').all(|part| {
            matches!(part.len(), 2..=8) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

fn is_data(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("data-") else {
        return false;
    };
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    !rest.is_empty() && !rest.starts_with("xml") && rest.bytes().all(fits)
}

/// The language in a highlighter's classes: `language-rust`, `lang-rust`, `highlight-source-rust`,
/// `brush: rust`.
pub fn code_language(tag: &StartTag) -> Option<String> {
    if let Some(language) = tag.get("data-lang").or_else(|| tag.get("data-language")) {
        return language_of(language);
    }
    let mut classes = tag.classes();
    while let Some(class) = classes.next() {
        if class == "brush:" {
            return language_of(classes.next()?);
        }
        for prefix in ["language-", "lang-", "highlight-source-", "sourceCode-"] {
            if let Some(language) = class.strip_prefix(prefix) {
                return language_of(language);
            }
        }
    }
    None
}

/// The language in the classes of a box around code, or in a bare class of the code:
/// `highlight-python`, `highlight js`, `sourceCode haskell`, `src src-sh`.
pub fn language_of_box(tag: &StartTag) -> Option<String> {
    if !matches!(
        tag.name.as_str(),
        "pre" | "code" | "div" | "figure" | "section" | "td"
    ) {
        return None;
    }
    let language = code_language(tag)
        .or_else(|| prefixed(tag))
        .or_else(|| bare(tag))?;
    (!matches!(
        language.as_str(),
        "default" | "none" | "text" | "plaintext" | "source" | "wrapper" | "container"
    ))
    .then_some(language)
}

fn prefixed(tag: &StartTag) -> Option<String> {
    for class in tag.classes().take(20) {
        let named = class
            .strip_prefix("highlight-")
            .or_else(|| class.strip_prefix("src-"));
        if let Some(language) = named.and_then(language_of) {
            return Some(language);
        }
    }
    None
}

/// A class of a code box that is a language's name, or the class of a diagram.
fn bare(tag: &StartTag) -> Option<String> {
    let mut classes = tag.classes().take(20);
    let is_box = classes.clone().any(|class| CODE_BOXES.contains(&class));
    let is_named = |class: &&str| is_box && !CODE_BOXES.contains(class) && highlight::knows(class);
    let named = classes.clone().find(is_named);
    let diagram = || classes.find(|class| *class == "mermaid" && tag.name == "pre");
    named.or_else(diagram).map(str::to_owned)
}
