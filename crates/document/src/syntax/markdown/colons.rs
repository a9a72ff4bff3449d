//! Colons at the beginning of a line that begin no definition.
//!
//! The parser takes every line that begins with a colon for a definition of the paragraph before
//! it: `:smile:`, `:::note`, and the row `:--|--:` below the head of a table. So it reads a text in
//! which another character represents those colons, and the events get them back.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag};

/// Represents a colon; as long as one, and without a meaning in Markdown.
const MASK: char = '\u{1a}';

/// The text as the parser gets it, of the same length; whether it may hold definitions.
pub fn masked(text: &str) -> (Cow<'_, str>, bool) {
    let (mut masks, mut has_definitions) = (Vec::new(), false);
    for (at, _) in text.match_indices(':') {
        let before = text[..at].trim_end_matches([' ', '\t', '>']);
        if !before.is_empty() && !before.ends_with('\n') {
            continue;
        }
        let rest = &text[at + 1..];
        match rest.starts_with([' ', '\t']) {
            true => has_definitions = true,
            false if is_delimiter_row(rest) => {}
            false => masks.push(at),
        }
    }
    if masks.is_empty() || !has_definitions {
        return (Cow::Borrowed(text), has_definitions);
    }
    if text.contains(MASK) {
        return (Cow::Borrowed(text), false);
    }
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    for at in masks {
        masked.push_str(&text[end..at]);
        masked.push(MASK);
        end = at + 1;
    }
    masked.push_str(&text[end..]);
    (Cow::Owned(masked), true)
}

/// Whether a colon with this text behind it begins the row below the head of a table (GFM 4.10).
fn is_delimiter_row(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    line.contains('-') && line.bytes().all(|byte| b"-:| \t".contains(&byte))
}

/// An event of a text that was masked, with its colons.
pub fn unmasked(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => Event::Text(string(text)),
        Event::Code(text) => Event::Code(string(text)),
        Event::Html(text) => Event::Html(string(text)),
        Event::InlineHtml(text) => Event::InlineHtml(string(text)),
        Event::InlineMath(text) => Event::InlineMath(string(text)),
        Event::DisplayMath(text) => Event::DisplayMath(string(text)),
        Event::Start(tag) => Event::Start(unmasked_tag(tag)),
        event => event,
    }
}

fn unmasked_tag(tag: Tag<'_>) -> Tag<'_> {
    match tag {
        Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        } => Tag::Link {
            link_type,
            dest_url: string(dest_url),
            title: string(title),
            id,
        },
        Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        } => Tag::Image {
            link_type,
            dest_url: string(dest_url),
            title: string(title),
            id,
        },
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            Tag::CodeBlock(CodeBlockKind::Fenced(string(info)))
        }
        tag => tag,
    }
}

/// A string of a text that was masked, with its colons.
pub fn string(text: CowStr<'_>) -> CowStr<'_> {
    match text.contains(MASK) {
        true => text.replace(MASK, ":").into(),
        false => text,
    }
}
