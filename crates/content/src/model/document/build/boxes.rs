//! Callouts that were written as HTML: `<div class="admonition note">`, `<div class="alert alert-warning">` and their like.

use crate::model::document::callout_kind;
use crate::model::document::queries::plain;
use crate::model::document::{Attributes, Block, Callout, Container, ContainerTag, Inline};

/// Classes of elements that are a callout, and of those that are its title.
const BOXES: [&str; 8] = ["admonition", "callout", "alert", "custom-block", "theme-admonition", "markdown-alert", "notice", "hint"];
const TITLES: [&str; 7] =
    ["admonition-title", "callout-title", "custom-block-title", "markdown-alert-title", "alert-heading", "callout-header", "alert-title"];

/// Whether a class says that an element is a callout's title.
pub(crate) fn is_title(class: &str) -> bool {
    class.split_whitespace().any(|word| TITLES.contains(&word))
}

/// A container as a callout, where its class says that it is one.
pub(super) fn of_container(tag: ContainerTag, attributes: Attributes, mut blocks: Vec<Block>) -> Block {
    let class = attributes.iter().find(|(name, _)| name == "class").map_or("", |(_, class)| class.as_str());
    let Some(kind) = kind(class).filter(|_| !attributes.iter().any(|(name, _)| name == "id")) else {
        return Block::Container(Container { tag, attributes, blocks });
    };
    let mut title = Vec::new();
    if let Some(found) = blocks.first().and_then(title_of) {
        title = found;
        blocks.remove(0);
    }
    let own = !plain(&title).trim().trim_end_matches(':').eq_ignore_ascii_case(&kind);
    Block::Callout(Callout { kind, title: if own { title } else { Vec::new() }, fold: None, blocks })
}

/// The kind that a class names.
fn kind(class: &str) -> Option<String> {
    let words = || class.split_whitespace();
    // A class that is a kind by itself, or that says it with its name: `warning`, `notice--danger`.
    const ALONE: [&str; 7] = ["note", "tip", "info", "warning", "caution", "danger", "important"];
    let mut only = words();
    if let (Some(word), None) = (only.next(), only.next()) {
        let said = word.strip_prefix("notice--").or_else(|| word.strip_prefix("callout--")).or_else(|| word.strip_prefix("admonition-"));
        let bare = said.filter(|word| *word != "title").or_else(|| ALONE.contains(&word).then_some(word));
        if let Some(kind) = bare.and_then(callout_kind) {
            return Some(kind.to_owned());
        }
    }
    let marker = words().find(|word| BOXES.contains(word))?;
    let named = words().filter(|word| *word != marker).find_map(|word| {
        let bare = BOXES.iter().find_map(|mark| word.strip_prefix(mark)?.strip_prefix("--").or_else(|| word.strip_prefix(mark)?.strip_prefix('-')));
        callout_kind(bare.unwrap_or(word))
    });
    let alone = matches!(marker, "admonition" | "callout" | "theme-admonition" | "custom-block").then_some("note");
    named.or(alone).map(str::to_owned)
}

/// The words of a block that is a title.
fn title_of(block: &Block) -> Option<Vec<Inline>> {
    match block {
        Block::Heading { content, .. } => Some(content.clone()),
        Block::Container(container) => {
            let class = container.attributes.iter().find(|(name, _)| name == "class")?;
            match container.blocks.as_slice() {
                [Block::Paragraph(words) | Block::Heading { content: words, .. }] if is_title(&class.1) => Some(words.clone()),
                [inner] if is_title(&class.1) => title_of(inner),
                _ => None,
            }
        }
        _ => None,
    }
}
