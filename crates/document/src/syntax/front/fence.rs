//! The word behind an opening `---`, which names the language of the front matter: `---js`.

use serde::de::IgnoredAny;

use super::{Block, Entry, Extent, FENCE, Key, Node, Reading, SPREAD, Syntax, fenced, program};
use crate::model::text::shorten;

/// The longest name of a language, in bytes.
const LONGEST: usize = 20;

/// A language as written, and how it is read.
pub struct Language<'a> {
    name: &'a str,
    syntax: Syntax,
}

/// The language that an opening fence names: one word behind `---`.
pub fn language(fence: &str) -> Option<Language<'_>> {
    let name = fence.strip_prefix("---")?.trim_start();
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.len() <= LONGEST
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#'));
    let syntax = match &*name.to_ascii_lowercase() {
        "yaml" | "yml" => Syntax::Yaml,
        "toml" => Syntax::Toml,
        "json" => Syntax::Json,
        "js" | "javascript" | "ecmascript" | "mjs" | "cjs" | "jsx" | "ts" | "typescript"
        | "json5" | "jsonc" => Syntax::Program,
        _ => Syntax::Unknown,
    };
    is_name.then_some(Language { name, syntax })
}

impl Language<'_> {
    /// The block behind the fence at `start`. What is not closed is text if its language is not
    /// known; else all of it is front matter, as `gray-matter` has it.
    pub fn extent(&self, text: &str, start: usize) -> Option<(Syntax, Extent)> {
        let closing: &[&str] = match self.syntax {
            Syntax::Yaml => &["---", "..."],
            _ => &["---"],
        };
        let extent = fenced(text, start, closing)
            .filter(|extent| extent.is_closed || self.syntax == Syntax::Yaml);
        let extent = match self.syntax {
            Syntax::Yaml | Syntax::Unknown => extent?,
            _ => match extent {
                Some(extent) => extent,
                None => Extent {
                    inside: start + text[start..].find('\n')? + 1..text.len(),
                    body: text.len(),
                    is_closed: false,
                },
            },
        };
        Some((self.syntax, extent))
    }

    /// Reads the block. A block with the name of a language is never text.
    pub fn read(&self, block: Block<'_>) -> Reading {
        let is_json = || serde_json::from_str::<IgnoredAny>(block.text).is_ok();
        // With comments, or a comma behind the last value.
        if self.syntax == Syntax::Json && !is_json() {
            return program::read(block);
        }
        if let Some(reading) = block.read(self.syntax) {
            return reading;
        }
        match self.syntax {
            Syntax::Unknown => unread(FENCE, self.name, block.first_line.saturating_sub(1)),
            _ => {
                let first = block.text.lines().next().unwrap_or_default();
                unread(SPREAD, &shorten(first, 60), block.first_line)
            }
        }
    }
}

/// A block of which no key is read.
fn unread(key: &str, written: &str, line: u32) -> Reading {
    let key = Key {
        text: key.to_owned(),
        line,
        column: 1,
    };
    let node = Node::plain(written, line, 1);
    Reading {
        unread: vec![Entry { key, node }],
        ..Reading::default()
    }
}
