//! A second id of a heading, where another generator made another one, and ids of terms and of
//! summaries.

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::heading_id;
use super::queries::plain;
use super::tree::Part;
use super::{Block, Document, Inline};

/// How many terms of one list have ids, and how many may have the same words.
const MOST_TERMS: usize = 500;

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
    pub fn add_heading_ids(&mut self, slug: fn(&str) -> String, repeat: char) {
        let mut second = Second {
            slug,
            repeat,
            taken: self.ids().into_iter().map(str::to_owned).collect(),
            made: FxHashMap::default(),
        };
        second.visit(&mut self.blocks);
    }

    /// Gives folded parts the ids that a generator makes of their summaries, where they are free.
    pub fn add_summary_ids(&mut self, slug: fn(&str) -> String) {
        let mut taken = self.ids().into_iter().map(str::to_owned).collect();
        name_summaries(&mut self.blocks, slug, &mut taken);
    }

    /// Gives terms of definitions the ids that headings with these words would have.
    pub fn add_term_ids(&mut self) {
        let mut taken = self.ids().into_iter().map(str::to_owned).collect();
        name_terms(&mut self.blocks, &mut taken);
    }
}

/// Gives a term an id made of its words, if a free one is found.
fn name_term(term: &mut Vec<Inline>, taken: &mut FxHashSet<String>) {
    let made = heading_id(&plain(term));
    let numbered = (1..MOST_TERMS).map(|number| format!("{made}-{number}"));
    let mut ids = std::iter::once(made.clone()).chain(numbered);
    if let Some(id) = ids.find(|id| !id.is_empty() && taken.insert(id.clone())) {
        term.insert(0, Inline::Anchor(id));
    }
}

/// Nesting is bounded by the builder.
fn name_terms(blocks: &mut [Block], taken: &mut FxHashSet<String>) {
    for block in blocks {
        if let Block::Definitions(definitions) = block {
            let terms = definitions.iter_mut().flat_map(|one| &mut one.terms);
            for term in terms.take(MOST_TERMS) {
                name_term(term, taken);
            }
        }
        for part in block.parts_mut() {
            if let Part::Blocks(blocks) = part {
                name_terms(blocks, taken);
            }
        }
    }
}

/// Nesting is bounded by the builder.
fn name_summaries(blocks: &mut [Block], slug: fn(&str) -> String, taken: &mut FxHashSet<String>) {
    for block in blocks {
        if let Block::Details { summary, .. } = block {
            let id = slug(&plain(summary));
            if !id.is_empty() && taken.insert(id.clone()) {
                summary.insert(0, Inline::Anchor(id));
            }
        }
        for part in block.parts_mut() {
            if let Part::Blocks(blocks) = part {
                name_summaries(blocks, slug, taken);
            }
        }
    }
}

impl Second {
    /// Nesting is bounded by the builder.
    fn visit(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            if let Block::Heading { id, content, .. } = block {
                if let Some(other) = self.second_id(id, content) {
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

    fn second_id(&mut self, id: &str, content: &[Inline]) -> Option<String> {
        let text = plain(content);
        if !is_made(id, &heading_id(&text)) {
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
    #[test]
    fn rule_61_terms_have_the_ids_of_headings() {
        let mut document = parse(
            "## size\n\nColour `x`\n: A.\n\nsize\n: B.\n\n  inner\n  : C.\n\nsize\n: D.\n",
            &Options::default(),
        );
        document.add_term_ids();
        assert_eq!(
            document.ids(),
            ["size", "colour-x", "size-1", "size-2", "inner"]
        );
    }

    #[test]
    fn summaries_have_ids_made_of_their_words() {
        let mut document = parse(
            "## a\n\n<details>\n<summary>B c</summary>\n\nx\n\n<details>\n<summary>D</summary>\n\ny\n</details>\n</details>\n\n<details>\n<summary>a</summary>\n\nz\n</details>\n",
            &Options::default(),
        );
        document.add_summary_ids(|text| text.replace(' ', "-").to_lowercase());
        assert_eq!(document.ids(), ["a", "b-c", "d"]);
    }

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
