//! The Markdown form of a page.

use diglot_content::document::{Block, Reference};
use diglot_content::front::{self, Front, Syntax};
use diglot_content::{Document, markdown};

use super::text::prose;

/// The heading of the pointer to everything else, with which every twin ends.
const TAIL: &str = "\n## Sitemap";

/// A Markdown form, taken apart.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Its front matter.
    pub front: Front,
    /// Everything behind the front matter.
    pub document: Document,
    /// The same without the closing pointer.
    pub content: Document,
    /// The closing pointer.
    pub tail: String,
    /// The text outside code.
    pub prose: String,
    /// Whether a code fence is open at the end.
    pub open_fence: bool,
}

/// Takes a Markdown form apart.
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
    /// Whether it begins with YAML front matter.
    pub fn has_front(&self) -> bool {
        self.front.syntax == Syntax::Yaml
    }

    /// The text of a key of the front matter; empty when there is none.
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

    /// Whether the first thing is a heading of level 1.
    pub fn opens_with_title(&self) -> bool {
        matches!(
            self.document.blocks.first(),
            Some(Block::Heading { level: 1, .. })
        )
    }

    /// Every address in it.
    pub fn references(&self) -> &[Reference] {
        &self.document.references
    }
}
