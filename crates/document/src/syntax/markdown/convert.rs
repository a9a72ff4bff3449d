//! Conversion of the parser's types to those of the document.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Alignment as CmarkAlignment, BlockQuoteKind, CodeBlockKind, LinkType};

use crate::model::document::build::{Builder, Kind, OpenImage, Wrapper};
use crate::model::document::{Alignment, CodeInfo, ReferenceKind, language_of};
use crate::syntax::clean_line;

fn kind(is_image: bool, is_wiki: bool) -> ReferenceKind {
    match (is_image, is_wiki) {
        (true, true) => ReferenceKind::Embed,
        (true, false) => ReferenceKind::Media,
        (false, true) => ReferenceKind::Wiki,
        (false, false) => ReferenceKind::Link,
    }
}

/// Begins a link or an image; one that is not possible becomes its text.
pub fn enter_link(
    builder: &mut Builder,
    is_image: bool,
    link_type: LinkType,
    address: &str,
    title: &str,
    range: &Range<usize>,
) {
    let is_nested = builder.in_alt() || builder.in_code() || !is_image && builder.in_link();
    if is_nested || address.trim().is_empty() {
        return builder.enter_inline(None, range.end);
    }
    let is_wiki = matches!(link_type, LinkType::WikiLink { .. });
    let kind = kind(is_image, is_wiki);
    builder.flush();
    let reference = builder.reference(&target(link_type, address), kind, range.start);
    let title = clean_line(title);
    if is_image {
        builder.enter_image(
            OpenImage {
                reference,
                title,
                sized: is_wiki,
            },
            range.end,
        );
    } else {
        builder.enter_inline(Some(Wrapper::Link { reference, title }), range.end);
    }
}

/// The target of a link with this address.
fn target(link_type: LinkType, address: &str) -> Cow<'_, str> {
    match link_type {
        LinkType::Email => Cow::Owned(format!("mailto:{address}")),
        // In a table the bar before the words is escaped.
        LinkType::WikiLink { has_pothole: true } => {
            Cow::Borrowed(address.strip_suffix('\\').unwrap_or(address))
        }
        _ => Cow::Borrowed(address),
    }
}

pub fn quote(kind: Option<BlockQuoteKind>) -> Kind {
    let kind = match kind {
        None => return Kind::Quote,
        Some(BlockQuoteKind::Note) => "note",
        Some(BlockQuoteKind::Tip) => "tip",
        Some(BlockQuoteKind::Important) => "important",
        Some(BlockQuoteKind::Warning) => "warning",
        Some(BlockQuoteKind::Caution) => "caution",
    };
    Kind::Callout {
        kind: kind.to_owned(),
        title: Vec::new(),
        fold: None,
    }
}

pub fn alignment(alignment: CmarkAlignment) -> Alignment {
    match alignment {
        CmarkAlignment::None => Alignment::None,
        CmarkAlignment::Left => Alignment::Left,
        CmarkAlignment::Center => Alignment::Center,
        CmarkAlignment::Right => Alignment::Right,
    }
}

pub fn code_info(kind: &CodeBlockKind<'_>) -> CodeInfo {
    match kind {
        CodeBlockKind::Indented => CodeInfo::default(),
        CodeBlockKind::Fenced(info) => CodeInfo::parse(info),
    }
}

pub fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    match kind {
        CodeBlockKind::Indented => None,
        CodeBlockKind::Fenced(info) => language_of(info),
    }
}
