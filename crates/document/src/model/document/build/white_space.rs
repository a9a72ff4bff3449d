//! White space among inlines.

use crate::model::document::Inline;

/// Whether these can be removed without loss.
pub(super) fn is_empty(inlines: &[Inline]) -> bool {
    inlines.iter().all(is_space)
}

/// Whether nothing is visible; there may be anchors.
pub(super) fn is_blank(inlines: &[Inline]) -> bool {
    inlines
        .iter()
        .all(|inline| is_space(inline) || matches!(inline, Inline::Anchor(_)))
}

pub(super) fn is_space(inline: &Inline) -> bool {
    match inline {
        Inline::Text(text) => text.trim().is_empty(),
        Inline::SoftBreak | Inline::HardBreak => true,
        _ => false,
    }
}

/// Whether nothing is visible when alone on a line: there blank code is equivalent to white space.
pub(super) fn is_unseen(inline: &Inline) -> bool {
    match inline {
        Inline::Code(code) => code.trim().is_empty(),
        Inline::Emphasis(_) | Inline::Strong(_) | Inline::Strikethrough(_) | Inline::Span(_) => {
            inline.content().iter().all(is_unseen)
        }
        _ => is_space(inline),
    }
}

/// Removes white space and line breaks from both ends.
pub(super) fn trim(inlines: &mut Vec<Inline>) {
    while let Some(last) = inlines.last_mut() {
        if let Inline::Text(text) = last {
            text.truncate(text.trim_ascii_end().len());
            if !text.is_empty() {
                break;
            }
        } else if !matches!(last, Inline::SoftBreak | Inline::HardBreak) {
            break;
        }
        inlines.pop();
    }
    let leading = inlines.iter().take_while(|inline| is_space(inline)).count();
    inlines.drain(..leading);
    if let Some(Inline::Text(text)) = inlines.first_mut() {
        text.drain(..text.len() - text.trim_ascii_start().len());
    }
}
