//! The Markdown form of a page.

use diglot_content::document::{Block, Reference};
use diglot_content::front::{self, Front, Syntax};
use diglot_content::{Document, markdown};

use super::text::prose;

/// The heading of the section that ends every twin and links to everything else.
const TAIL: &str = "\n## Sitemap";

/// A Markdown form, parsed.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Its front matter.
    pub front: Front,
    /// Everything after the front matter.
    pub document: Document,
    /// The same without the closing section.
    pub content: Document,
    /// The closing section.
    pub tail: String,
    /// The text outside code.
    pub prose: String,
    /// Whether a code fence is still open at the end.
    pub open_fence: bool,
}

/// Parses a Markdown form.
pub fn read(text: &str) -> Twin {
    let split = front::split(text, "");
    let parse = |text: &str| markdown::parse(text, &markdown::Options::default());
    let (content, tail) = split.body.rsplit_once(TAIL).unwrap_or((split.body, ""));
    let (prose, open_fence) = prose(split.body);
    Twin {
        document: parse(split.body),
        content: parse(content),
        tail: tail.to_owned(),
        prose,
        open_fence,
        front: split.front,
    }
}

impl Twin {
    /// Whether the text begins with YAML front matter.
    pub fn has_front(&self) -> bool {
        self.front.syntax == Syntax::Yaml
    }

    /// The value of a front matter key; empty if absent.
    pub fn text(&self, key: &str) -> &str {
        self.front.text(&[key]).unwrap_or_default()
    }

    /// How many headings of level 1 there are.
    pub fn titles(&self) -> usize {
        self.document
            .blocks
            .iter()
            .filter(|block| matches!(block, Block::Heading { level: 1, .. }))
            .count()
    }

    /// Whether the first block is a heading of level 1.
    pub fn opens_with_title(&self) -> bool {
        matches!(
            self.document.blocks.first(),
            Some(Block::Heading { level: 1, .. })
        )
    }

    /// Every link and image address.
    pub fn references(&self) -> &[Reference] {
        &self.document.references
    }
}
