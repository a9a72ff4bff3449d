//! Callouts that were written as quotes (`> [!note]`) or as HTML (`<div class="admonition note">`).

use crate::model::document::callout_kind;
use crate::model::document::queries::plain;
use crate::model::document::{Attributes, Block, Callout, Container, ContainerTag, Fold, Inline};

/// Classes of elements that are a callout, and of those that are its title.
const CALLOUTS: [&str; 8] = [
    "admonition",
    "callout",
    "alert",
    "custom-block",
    "theme-admonition",
    "markdown-alert",
    "notice",
    "hint",
];
const TITLES: [&str; 7] = [
    "admonition-title",
    "callout-title",
    "custom-block-title",
    "markdown-alert-title",
    "alert-heading",
    "callout-header",
    "alert-title",
];

/// Classes that are a callout's kind by themselves.
const KINDS: [&str; 7] = [
    "note",
    "tip",
    "info",
    "warning",
    "caution",
    "danger",
    "important",
];

/// Whether a class says that an element is a callout's title.
pub(crate) fn is_title(class: &str) -> bool {
    class.split_whitespace().any(|word| TITLES.contains(&word))
}

/// A container as a callout, where its class says that it is one.
pub(super) fn of_container(
    tag: ContainerTag,
    attributes: Attributes,
    mut blocks: Vec<Block>,
) -> Block {
    let class = attributes
        .iter()
        .find(|(name, _)| name == "class")
        .map_or("", |(_, class)| class);
    let has_id = attributes.iter().any(|(name, _)| name == "id");
    let kind = if has_id { None } else { kind_of_class(class) };
    let Some(kind) = kind.map(str::to_owned) else {
        return Block::Container(Container {
            tag,
            attributes,
            blocks,
        });
    };
    let mut title = Vec::new();
    if let Some(found) = blocks.first().and_then(title_of) {
        blocks.remove(0);
        // A title that repeats the kind is the default.
        if !plain(&found)
            .trim()
            .trim_end_matches(':')
            .eq_ignore_ascii_case(&kind)
        {
            title = found;
        }
    }
    Block::Callout(Callout {
        kind,
        title,
        fold: None,
        blocks,
    })
}

/// The kind that a class names.
fn kind_of_class(class: &str) -> Option<&'static str> {
    let words: Vec<&str> = class.split_whitespace().collect();
    if let [word] = words.as_slice()
        && let Some(kind) = kind_of_only(word)
    {
        return Some(kind);
    }
    let marker = *words.iter().find(|word| CALLOUTS.contains(word))?;
    for word in words {
        let suffix = CALLOUTS.iter().find_map(|callout| suffix_of(word, callout));
        if word != marker
            && let Some(kind) = callout_kind(suffix.unwrap_or(word))
        {
            return Some(kind);
        }
    }
    matches!(
        marker,
        "admonition" | "callout" | "theme-admonition" | "custom-block"
    )
    .then_some("note")
}

/// The kind of a class that is the only one: `warning`, `notice--danger`.
fn kind_of_only(word: &str) -> Option<&'static str> {
    if KINDS.contains(&word) {
        return callout_kind(word);
    }
    ["notice--", "callout--", "admonition-"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .and_then(callout_kind)
}

/// What follows the name and one or two hyphens: `danger` in `notice--danger`.
fn suffix_of<'w>(word: &'w str, name: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(name)?;
    rest.strip_prefix("--").or_else(|| rest.strip_prefix('-'))
}

/// The words of a block that is a title.
fn title_of(block: &Block) -> Option<Vec<Inline>> {
    match block {
        Block::Heading { content, .. } => Some(content.clone()),
        Block::Container(container) => {
            let (_, class) = container
                .attributes
                .iter()
                .find(|(name, _)| name == "class")?;
            match container.blocks.as_slice() {
                _ if !is_title(class) => None,
                [Block::Paragraph(words)] => Some(words.clone()),
                [inner] => title_of(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Obsidian's callouts: a quote whose first line is `[!kind]`, perhaps with `+` or `-` and a title.
pub(super) fn of_quote(mut blocks: Vec<Block>) -> Block {
    let Some(Block::Paragraph(first)) = blocks.first_mut() else {
        return Block::Quote(blocks);
    };
    let Some(Inline::Text(text)) = first.first_mut() else {
        return Block::Quote(blocks);
    };
    let Some((kind, fold, rest)) = read_marker(text) else {
        return Block::Quote(blocks);
    };
    *text = rest;
    if text.is_empty() {
        first.remove(0);
    }
    let line_end = first
        .iter()
        .position(|inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak));
    let mut title = std::mem::take(first);
    if let Some(end) = line_end {
        *first = title.split_off(end).split_off(1);
    }
    if first.is_empty() {
        blocks.remove(0);
    }
    match fold {
        // Parts that open and close have no mark of their own in Markdown.
        Some(fold) if kind == "details" => Block::Details {
            summary: title,
            open: fold == Fold::Open,
            blocks,
        },
        _ => Block::Callout(Callout {
            kind,
            title,
            fold,
            blocks,
        }),
    }
}

/// The kind and the fold of `[!kind]- ` at the beginning of a quote, and the text behind it.
fn read_marker(text: &str) -> Option<(String, Option<Fold>, String)> {
    let (kind, rest) = text.strip_prefix("[!")?.split_once(']')?;
    let kind = kind.split('|').next().unwrap_or_default().trim();
    if kind.is_empty()
        || !kind
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '))
    {
        return None;
    }
    let (fold, rest) = if let Some(rest) = rest.strip_prefix('+') {
        (Some(Fold::Open), rest)
    } else if let Some(rest) = rest.strip_prefix('-') {
        (Some(Fold::Closed), rest)
    } else {
        (None, rest)
    };
    Some((
        kind.to_lowercase().replace(' ', "-"),
        fold,
        rest.trim_start().to_owned(),
    ))
}
