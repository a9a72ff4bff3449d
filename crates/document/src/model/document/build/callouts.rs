//! Callouts written as quotes (`> [!note]`) or as HTML (`<div class="admonition note">`).

use crate::model::document::callout_kind;
use crate::model::document::queries::plain;
use crate::model::document::{Attributes, Block, Callout, Container, ContainerTag, Fold, Inline};

/// Classes of callouts, and of their titles.
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

/// Classes that are the kind of a callout.
const KINDS: [&str; 7] = [
    "note",
    "tip",
    "info",
    "warning",
    "caution",
    "danger",
    "important",
];

/// Whether a class marks a callout's title.
pub(crate) fn is_title(class: &str) -> bool {
    class.split_whitespace().any(|word| TITLES.contains(&word))
}

/// Converts a container to a callout if its class says so.
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
    let title = take_title(&mut blocks, &kind);
    Block::Callout(Callout {
        kind,
        title,
        fold: None,
        blocks,
    })
}

/// Takes the title from the blocks of a callout.
fn take_title(blocks: &mut Vec<Block>, kind: &str) -> Vec<Inline> {
    let mut title = Vec::new();
    if let Some(found) = blocks.first().and_then(title_of) {
        blocks.remove(0);
        // A title that repeats the kind equals the default.
        if !plain(&found)
            .trim()
            .trim_end_matches(':')
            .eq_ignore_ascii_case(kind)
        {
            title = found;
        }
    }
    title
}

/// The kind of callout in a class.
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

/// The kind in a class that is the only one: `warning`, `notice--danger`.
fn kind_of_only(word: &str) -> Option<&'static str> {
    if KINDS.contains(&word) {
        return callout_kind(word);
    }
    ["notice--", "callout--", "admonition-"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .and_then(callout_kind)
}

/// The rest after the name and one or two hyphens: `danger` in `notice--danger`.
fn suffix_of<'w>(word: &'w str, name: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(name)?;
    rest.strip_prefix("--").or_else(|| rest.strip_prefix('-'))
}

/// The text of a title block.
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

/// Removes the first line of a paragraph.
fn take_line(inlines: &mut Vec<Inline>) -> Vec<Inline> {
    let end = inlines
        .iter()
        .position(|inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak));
    let mut line = std::mem::take(inlines);
    if let Some(end) = end {
        *inlines = line.split_off(end).split_off(1);
    }
    line
}

/// Obsidian's callouts: a quote whose first line is `[!kind]`, with an optional `+` or `-` and
/// title.
pub(super) fn of_quote(mut blocks: Vec<Block>) -> Block {
    let Some(Block::Paragraph(first)) = blocks.first_mut() else {
        return Block::Quote(blocks);
    };
    // Ids before the quote are at the beginning of its first line.
    let is_anchor = |inline: &Inline| matches!(inline, Inline::Anchor(_));
    let anchored = first.iter().take_while(|inline| is_anchor(inline)).count();
    let Some(Inline::Text(text)) = first.get_mut(anchored) else {
        return Block::Quote(blocks);
    };
    let Some((kind, fold, rest)) = read_marker(text) else {
        return Block::Quote(blocks);
    };
    *text = rest;
    if text.is_empty() {
        first.remove(anchored);
    }
    let anchors: Vec<Inline> = first.drain(..anchored).collect();
    let mut title = take_line(first);
    if first.is_empty() {
        blocks.remove(0);
    }
    add_anchors(anchors, &mut title, &mut blocks);
    match fold {
        // Markdown has no syntax of its own for collapsible parts.
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

/// Adds anchors to the title of a callout; to its first words if it has only the default title.
fn add_anchors(anchors: Vec<Inline>, title: &mut Vec<Inline>, blocks: &mut Vec<Block>) {
    if anchors.is_empty() {
        return;
    }
    match blocks.first_mut() {
        _ if !title.is_empty() => drop(title.splice(..0, anchors)),
        Some(Block::Paragraph(words)) => drop(words.splice(..0, anchors)),
        _ => blocks.insert(0, Block::Paragraph(anchors)),
    }
}

/// The kind and the fold of `[!kind]- ` at the beginning of a quote, and the rest of the text.
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
