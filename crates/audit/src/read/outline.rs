//! The sections of a page: the headings of its Markdown form, with the ids of its HTML form.

use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::text::{Fences, heading};

/// The beginning of ids that belong to the theme and not to the text.
const OF_THE_THEME: &str = "page:";
/// Both forms have the same headings in the same order, but those of the frame around the text are
/// in the HTML form alone. So the id of a heading is looked for among this many.
const AHEAD: usize = 64;

/// A section: a heading and what follows it, up to the next heading of its level or above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The id of its heading: the fragment of its address.
    pub id: String,
    /// The text of its heading, as Markdown.
    pub heading: String,
    /// The level of its heading in the Markdown form, from 1.
    pub level: usize,
    /// Its lines in the Markdown form, counted from 0.
    pub lines: Range<usize>,
}

/// The sections of a page with these two forms, in order. Headings without an id are left out.
pub fn sections(markdown: &str, html: &str) -> Vec<Section> {
    let headings = headings(markdown);
    let end = markdown.lines().count();
    let ids = ids(html);
    let mut rest = &ids[..];
    let mut sections = Vec::new();
    for (number, (line, level, text)) in headings.iter().enumerate() {
        let Some(at) = place_of(text, rest) else {
            continue;
        };
        let id = rest[at].0.clone();
        rest = &rest[at + 1..];
        let until = end_of(*level, &headings[number + 1..]).unwrap_or(end);
        sections.push(Section {
            id,
            heading: (*text).to_owned(),
            level: *level,
            lines: *line..until,
        });
    }
    sections
}

/// Which of the next headings of the page has this text.
fn place_of(text: &str, ids: &[(String, String)]) -> Option<usize> {
    let letters = letters(text);
    let mut near = ids.iter().take(AHEAD);
    near.position(|(_, own)| *own == letters)
}

/// The line of the first heading that is not below `level`.
fn end_of(level: usize, next: &[(usize, usize, &str)]) -> Option<usize> {
    let mut next = next.iter();
    let (line, ..) = next.find(|(_, other, _)| *other <= level)?;
    Some(*line)
}

/// Line, level and text of every heading of a Markdown text.
pub fn headings(markdown: &str) -> Vec<(usize, usize, &str)> {
    let mut fences = Fences::default();
    let outside = markdown
        .lines()
        .enumerate()
        .filter(|(_, line)| fences.is_outside(line));
    outside
        .filter_map(|(number, line)| heading(line).map(|(level, text)| (number, level, text)))
        .collect()
}

/// The ids of the headings of an HTML page, with the letters of their text.
fn ids(html: &str) -> Vec<(String, String)> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut ids, mut open) = (Vec::new(), None::<(String, String)>);
    let is_heading = |name: &[u8]| matches!(name, [b'h', b'1'..=b'6']);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) if is_heading(&tag.name) => {
                let id = tag.attributes.get(&b"id"[..]);
                let id = id.map(|id| String::from_utf8_lossy(&id.value).into_owned());
                open = id
                    .filter(|id| !id.is_empty() && !id.starts_with(OF_THE_THEME))
                    .map(|id| (id, String::new()));
            }
            Token::EndTag(tag) if is_heading(&tag.name) => {
                let closed = open.take().map(|(id, text)| (id, letters(&text)));
                ids.extend(closed);
            }
            Token::String(text) => {
                if let Some((_, open)) = &mut open {
                    open.push_str(&String::from_utf8_lossy(&text.value));
                }
            }
            _ => {}
        }
    }
    ids
}

/// The letters and digits of a text in lower case: what both forms of a heading have in common.
fn letters(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    // The target of a Markdown link is in one form alone.
    while let Some(at) = rest.find("](") {
        plain.push_str(&rest[..at]);
        rest = rest[at..].find(')').map_or("", |end| &rest[at + end..]);
    }
    plain.push_str(rest);
    let letters = plain.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_the_ids_of_one_form_and_the_lines_of_the_other() {
        let markdown = "# Title\n\nText\n\n## A [b](https://e.org/x)\n\n```\n## not one\n```\n\n### C & `d`\n\n## E\n\n## E\nend\n\n## Sitemap\n\n- x\n";
        let html = "<nav><h2 id=menu>Menu</h2></nav><h1>Title</h1><h2 id=a-b>A <a href=x>b</a></h2>\
                    <h3 id=c>C &amp; <code>d</code></h3><h2 id=e>E</h2><h2 id=e-1>E</h2><h2 id=page:related>Sitemap</h2>";
        let found: Vec<_> = sections(markdown, html)
            .into_iter()
            .map(|section| (section.id, section.level, section.lines))
            .collect();
        assert_eq!(
            found,
            [
                ("a-b".to_owned(), 2, 4..12),
                ("c".to_owned(), 3, 10..12),
                ("e".to_owned(), 2, 12..14),
                ("e-1".to_owned(), 2, 14..17),
            ]
        );
    }
}
