//! A second id of a heading, where another generator made another one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::heading_id as slug;
use super::queries::plain;
use super::tree::Part;
use super::{Block, Document, Inline};

/// What is known while the headings of a document get their second ids.
struct Second {
    slug: fn(&str) -> String,
    repeat: char,
    taken: FxHashSet<String>,
    /// How often each id was made.
    made: FxHashMap<String, usize>,
}

impl Document {
    /// Adds the ids that another generator gives to headings, where they differ and are free; a
    /// repeated one gets a number. Headings with an id of the author's have no other.
    pub(crate) fn add_heading_ids(&mut self, slug: fn(&str) -> String, repeat: char) {
        let mut second = Second {
            slug,
            repeat,
            taken: self.ids().into_iter().map(str::to_owned).collect(),
            made: FxHashMap::default(),
        };
        second.visit(&mut self.blocks);
    }
}

impl Second {
    /// Nesting is bounded by the builder.
    fn visit(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            if let Block::Heading { id, content, .. } = block {
                if let Some(other) = self.of(id, content) {
                    content.insert(0, Inline::Anchor(other));
                }
                continue;
            }
            for part in block.parts_mut() {
                if let Part::Blocks(blocks) = part {
                    self.visit(blocks);
                }
            }
        }
    }

    fn of(&mut self, id: &str, content: &[Inline]) -> Option<String> {
        let text = plain(content);
        if !is_made(id, &slug(&text)) {
            return None;
        }
        let mut other = (self.slug)(&text);
        if other.is_empty() {
            return None;
        }
        let count = self.made.entry(other.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            other.push(self.repeat);
            other.push_str(&(*count - 1).to_string());
        }
        self.taken.insert(other.clone()).then_some(other)
    }
}

/// Whether an id was made from the text of its heading.
fn is_made(id: &str, slug: &str) -> bool {
    let slug = if slug.is_empty() { "section" } else { slug };
    let number = id.strip_prefix(slug);
    number.is_some_and(|number| {
        number.is_empty()
            || number
                .strip_prefix('-')
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use crate::syntax::markdown::{Options, parse};

    #[test]
    fn rule_61_a_second_id_is_added_only_where_it_differs() {
        let mut document = parse(
            "## A b\n\n## A b\n\n> ## C d\n\n## same\n\n## E f {#own}\n\n## 1-a B\n",
            &Options::default(),
        );
        document.add_heading_ids(|text| text.replace(' ', "_").to_lowercase(), '_');
        assert_eq!(
            document.ids(),
            [
                "a-b", "a_b", "a-b-1", "a_b_1", "c-d", "c_d", "same", "own", "1-a-b", "1-a_b"
            ]
        );
    }
}
