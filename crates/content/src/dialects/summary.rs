//! The chapters that a `SUMMARY.md` lists, as mdBook reads it.

use crate::model::document::{Block, Document, Inline, List};
use crate::syntax::markdown::{Options, parse};

/// The level of the heading of a part.
const PART: u8 = 1;
/// How many inlines are looked through for the links of a line.
const MOST_INLINES: usize = 10_000;

/// Where the reading is.
#[derive(PartialEq, Eq)]
enum Place {
    /// Before the lists: links in paragraphs are chapters.
    Before,
    /// Behind the heading of a part, whose first paragraph lists nothing.
    Part,
    /// Behind a list.
    Lists,
    /// Behind all lists: links in paragraphs are chapters again.
    After,
}

impl Place {
    /// Where the reading is behind a block; `is_first`: it is the first block of the file.
    fn behind(self, block: &Block, is_first: bool) -> Self {
        match block {
            Block::List(_) => Self::Lists,
            // The first is the title of the list.
            Block::Heading { level: PART, .. } if !is_first => Self::Part,
            Block::Paragraph(_) if self == Self::Part => Self::Lists,
            Block::Paragraph(_) if self == Self::Lists => Self::After,
            _ => self,
        }
    }
}

/// The addresses of the chapters, in order: those of links that begin an item of a list, and those in
/// paragraphs before and after all lists.
pub fn addresses(text: &str) -> Vec<String> {
    let document = parse(text, &Options::default());
    let mut found = Vec::new();
    let mut place = Place::Before;
    for (at, block) in document.blocks.iter().enumerate() {
        if let Block::List(list) = block {
            items(list, &document, &mut found);
        }
        place = place.behind(block, at == 0);
        if matches!(place, Place::Before | Place::After) {
            for line in block.lines() {
                found.extend(links(line, &document));
            }
        }
    }
    found
}

/// The chapters of a list, and of those in it. Lists are nested only as deep as a document may be.
fn items(list: &List, document: &Document, found: &mut Vec<String>) {
    for item in &list.items {
        let first = item.blocks.first().into_iter().flat_map(Block::lines);
        found.extend(first.flat_map(|line| links(line, document)).next());
        for block in &item.blocks {
            if let Block::List(list) = block {
                items(list, document, found);
            }
        }
    }
}

/// The addresses of the links of a line, in order.
fn links(line: &[Inline], document: &Document) -> Vec<String> {
    let mut addresses = Vec::new();
    let mut open: Vec<&Inline> = line.iter().rev().collect();
    let mut left = MOST_INLINES;
    while let Some(inline) = open.pop().filter(|_| left > 0) {
        left -= 1;
        match inline {
            Inline::Link { reference, .. } => {
                let address = document.references.get(*reference);
                addresses.extend(address.map(|reference| reference.raw.clone()));
            }
            _ => open.extend(inline.content().iter().rev()),
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_links_of_items_and_of_paragraphs_around_the_lists() {
        let check = |text: &str, expected: &[&str]| assert_eq!(addresses(text), expected, "{text}");
        check(
            "# Summary\n\n[I](i.md) [J](j.md)\n\n- [A](a.md)\n    - [B](b.md)\n",
            &["i.md", "j.md", "a.md", "b.md"],
        );
        check(
            "- [P](f(1).md)\n- [Q](<q (2).md>)\n- [E](x\\_y.md)\n- [N](x&amp;z.md)\n",
            &["f(1).md", "q (2).md", "x_y.md", "x&z.md"],
        );
        check(
            "- [A](a.md)\n\n# Part two, see [plan](plan.md)\n\nwords [x](x.md)\n\n- [B](b.md)\n",
            &["a.md", "b.md"],
        );
        check(
            "- [A](a.md)\n\n  more [later](later.md)\n- [![p](p.md)](s.md) [t](t.md)\n",
            &["a.md", "s.md"],
        );
        check(
            "- [A](a.md)\n\n---\n\n[S](s.md)\n\n> [Q](q.md)\n",
            &["a.md", "s.md"],
        );
        check(
            "- [R][r]\n- `[C](c.md)`\n<!--\n- [H](h.md)\n-->\n\n[r]: r.md 'title'\n\n    [D](d.md)\n",
            &["r.md"],
        );
        check("", &[]);
    }

    proptest::proptest! {
        #[test]
        fn no_summary_panics(text in "(- |\\[|\\]|\\(|\\)|a\\.md|#|>|!|\n|  |<!--|-->|é){0,40}") {
            addresses(&text);
        }
    }
}
