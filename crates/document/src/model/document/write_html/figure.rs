//! Pictures and other content with a caption.

use super::Writer;
use crate::model::document::{Block, Image, Inline};

impl Writer<'_> {
    /// A picture whose title is its caption.
    pub(super) fn captioned(&mut self, content: &[Inline], image: &Image) {
        self.out += "<figure>\n";
        self.has_caption = true;
        self.inlines(content);
        self.has_caption = false;
        self.out += "\n";
        self.line("figcaption", &[Inline::text(image.title.as_str())]);
        self.out += "</figure>\n";
    }

    pub(super) fn figure(&mut self, blocks: &[Block], caption: &[Inline]) {
        self.out += "<figure>\n";
        for block in blocks {
            match block {
                Block::Paragraph(content) if content.iter().all(is_picture) => {
                    self.task_text(content);
                    self.out += "\n";
                }
                block => self.block(block),
            }
        }
        if !caption.is_empty() {
            self.line("figcaption", caption);
        }
        self.out += "</figure>\n";
    }
}

/// The picture that is alone in its paragraph, if it has a title: its caption.
pub(super) fn captioned(content: &[Inline]) -> Option<&Image> {
    match content {
        [Inline::Image(image)] if !image.title.trim().is_empty() => Some(image),
        [Inline::Link { content, .. }] => captioned(content),
        _ => None,
    }
}

/// Whether a paragraph of these needs no `<p>` in a figure.
fn is_picture(inline: &Inline) -> bool {
    match inline {
        Inline::Image(_) | Inline::SoftBreak | Inline::HardBreak | Inline::Anchor(_) => true,
        Inline::Link { content, .. } => content.iter().all(is_picture),
        Inline::Text(text) => text.trim().is_empty(),
        _ => false,
    }
}
