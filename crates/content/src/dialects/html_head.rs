//! Front matter in the head of an HTML text: its title, and `<meta name="status" content="draft">`.

use std::collections::BTreeSet;

use crate::syntax::front::{Entry, Front, Split};
use crate::syntax::html::tokens::{Token, Tokens};

/// A text with what its head says as front matter. The whole text is the body.
pub fn split_with_head(text: &str) -> Split<'_> {
    Split {
        front: Front {
            entries: entries(text),
            ..Front::default()
        },
        body: text,
        first_line: 1,
        problems: Vec::new(),
    }
}

fn entries(text: &str) -> Vec<Entry> {
    let mut head = Head::default();
    let (mut is_in_head, mut is_title) = (false, false);
    for token in Tokens::new(text) {
        match token {
            Token::Start(tag) if tag.name == "head" => is_in_head = true,
            Token::End(name) if name == "head" => break,
            Token::Start(tag) if tag.name == "body" => break,
            _ if !is_in_head => {}
            Token::Start(tag) if tag.name == "meta" => {
                if let Some(name) = tag.filled("name") {
                    let name = match name.to_ascii_lowercase() {
                        name if name == "keywords" => "tags".to_owned(),
                        name => name,
                    };
                    head.add(&name, &tag.line("content"));
                }
            }
            Token::Start(tag) => is_title = tag.name == "title",
            Token::Text(title, _) if is_title => head.add("title", title.trim()),
            Token::End(_) => is_title = false,
            _ => {}
        }
    }
    head.entries
}

/// What a head says. Of a name given twice the first counts.
#[derive(Default)]
struct Head {
    entries: Vec<Entry>,
    names: BTreeSet<String>,
}

impl Head {
    fn add(&mut self, key: &str, value: &str) {
        if self.names.insert(key.to_owned()) {
            self.entries.push(Entry::plain(key, value, 0, 0));
        }
    }
}
