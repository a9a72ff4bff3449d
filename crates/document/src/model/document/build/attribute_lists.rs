//! Attribute lists: kramdown's `{: .class #id}`, and `{ .class #id }` of other programs. They are
//! dropped, except for ids.

use super::Builder;
use super::open_element::{Kind, OpenElement};
use crate::model::document::{Block, Inline};

impl Builder {
    /// Drops attribute lists: kramdown's after an inline or on a separate line, others' directly
    /// after an inline. An id is assigned to the preceding heading, or becomes an anchor.
    pub(super) fn take_attribute_lists(&mut self, run: &mut String) {
        let previous = self.stack.last().and_then(|element| element.inlines.last());
        let after_inline = previous.is_some_and(|last| {
            !matches!(
                last,
                Inline::SoftBreak | Inline::HardBreak | Inline::Text(_)
            )
        });
        let in_heading = self
            .stack
            .iter()
            .any(|element| matches!(element.kind, Kind::Heading { .. }));
        if after_inline && !in_heading {
            self.take_list_after_inline(run);
        }
        // The kept part of the run, up to `from`, and whether it is blank.
        let (mut kept, mut from, mut blank) = (String::new(), 0, true);
        while let Some(start) = run[from..].find("{:").map(|length| from + length) {
            let Some(end) = run[start..].find('}').map(|length| start + length + 1) else {
                break;
            };
            kept += &run[from..start];
            blank &= run[from..start].trim().is_empty();
            let list = &run[start + 2..end - 1];
            let is_placed = blank || after_inline && kept.is_empty();
            if is_placed && !self.source_map.is_encoded(kept.len()) && is_attribute_list(list) {
                if blank && let Some(id) = id_of(list) {
                    self.name_heading(id);
                }
            } else {
                kept += &run[start..end];
                blank = false;
            }
            from = end;
        }
        if from > 0 {
            kept += &run[from..];
            *run = kept;
        }
    }

    /// Removes an attribute list at the beginning of a text that follows an inline.
    fn take_list_after_inline(&mut self, run: &mut String) {
        let Some((list, rest)) = run.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
            return;
        };
        let list = list.strip_prefix(':').unwrap_or(list);
        if !is_inline_list(list) || self.source_map.is_encoded(0) {
            return;
        }
        let id = id_of(list).filter(|_| !self.in_link()).map(str::to_owned);
        *run = rest.to_owned();
        if let Some(id) = id.and_then(|id| self.claim_id(&id)) {
            self.push_inline(Inline::Anchor(id));
        }
    }

    /// `## Heading` and `{: #id}` on the next line.
    fn name_heading(&mut self, name: &str) {
        let [
            ..,
            around,
            OpenElement {
                kind: Kind::Paragraph,
                inlines,
                ..
            },
        ] = self.stack.as_mut_slice()
        else {
            return;
        };
        if let (true, Some(Block::Heading { id, .. })) =
            (inlines.is_empty(), around.blocks.last_mut())
            && let Some(name) = self.ids.explicit(name)
        {
            *id = name;
        }
    }
}

/// Whether this is a valid body of `{:` `}`: classes, ids, `key="value"`, names of lists.
fn is_attribute_list(text: &str) -> bool {
    let text = text.trim().trim_start_matches([':', '/']);
    text.split_whitespace().all(|word| {
        let name = word.strip_prefix(['.', '#']).unwrap_or(word);
        name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"')
            || word.contains('=')
            || word.ends_with(['"', '\''])
    })
}

/// Whether a whole line is a kramdown attribute list: `{: .class}`.
pub(crate) fn is_attributes(line: &str) -> bool {
    let inner = line
        .trim()
        .strip_prefix("{:")
        .and_then(|inner| inner.strip_suffix('}'));
    inner.is_some_and(|inner| !inner.contains(['{', '}', '|']) && is_attribute_list(inner))
}

/// The words of a list; white space in quotes separates none.
fn words(list: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let ends = move |c: char| {
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        quote.is_none() && c.is_whitespace()
    };
    list.split(ends).filter(|word| !word.is_empty())
}

/// The id that a list gives: `#id` or `id="id"`.
fn id_of(list: &str) -> Option<&str> {
    words(list)
        .find_map(|word| word.strip_prefix('#').or_else(|| id_value(word)))
        .filter(|id| !id.is_empty())
}

fn id_value(word: &str) -> Option<&str> {
    let value = word.strip_prefix("id=")?;
    Some(value.trim_matches(['"', '\'']))
}

/// Whether a word is `#id` or `.class`.
fn is_name(word: &str) -> bool {
    word.len() > 1 && word.starts_with(['.', '#'])
}

fn is_inline_list(list: &str) -> bool {
    let is_attribute = |word: &str| is_name(word) || word.contains('=') || word.ends_with('"');
    words(list).all(is_attribute) && list.contains(['.', '#', '=']) && !list.contains('{')
}

fn is_heading_list(list: &str) -> bool {
    let is_attribute =
        |word: &str| word.starts_with(['#', '.']) || word.contains('=') || word == "-";
    words(list).all(is_attribute)
        && words(list).any(|word| is_name(word) || id_value(word).is_some())
}

/// Removes `{#id}`, `{#id .class}`, `{: #id}` or `{ id="id" }` from the end of a heading. Other braces are
/// content: `GET /users/{id}`.
pub(super) fn take_heading_id(content: &mut Vec<Inline>) -> Option<String> {
    let is_single = content.len() == 1;
    let Some(Inline::Text(text)) = content.last_mut() else {
        return None;
    };
    let (before, list) = text.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    let list = list.strip_prefix(':').unwrap_or(list);
    let is_whole_heading = before.is_empty() && is_single;
    if is_whole_heading || !is_heading_list(list) {
        return None;
    }
    let id = id_of(list).map(str::to_owned);
    text.truncate(before.trim_end().len());
    if text.is_empty() {
        content.pop();
    }
    id
}
