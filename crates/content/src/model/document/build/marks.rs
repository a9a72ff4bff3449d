//! `==mark==`, which the Markdown parser does not know.

use crate::model::document::{Inline, Span, SpanTag};

/// Turns pairs of `==` among these siblings into marks.
///
/// An opening pair stands before a character that is not white space and after none of a word's (ASCII) characters, a closing pair the other way
/// round, so that `a == b` and `a==b` stay what they are.
pub(super) fn mark(inlines: &mut Vec<Inline>) {
    if inlines.iter().filter_map(delimiters).sum::<usize>() < 2 {
        return;
    }
    let mut done = Vec::with_capacity(inlines.len() + 2);
    // The content of the mark that is open, and where in `done` its `==` stands.
    let mut open: Option<usize> = None;
    for inline in inlines.drain(..) {
        let Inline::Text(text) = inline else {
            done.push(inline);
            continue;
        };
        let mut from = 0;
        for at in positions(&text) {
            let before = &text[from..at];
            match open {
                None if opens(&text, at) => {
                    push(&mut done, before);
                    open = Some(done.len());
                    done.push(Inline::text("=="));
                    from = at + 2;
                }
                Some(start) if closes(&text, at) && (at > from || done.len() > start + 1) => {
                    push(&mut done, before);
                    let content = done.split_off(start + 1);
                    done.pop();
                    done.push(Inline::Span(Span { tag: SpanTag::Mark, attributes: Vec::new(), content }));
                    open = None;
                    from = at + 2;
                }
                _ => {}
            }
        }
        push(&mut done, &text[from..]);
    }
    *inlines = done;
    join(inlines);
}

fn push(inlines: &mut Vec<Inline>, text: &str) {
    if !text.is_empty() {
        inlines.push(Inline::text(text));
    }
}

/// Texts next to each other become one again.
fn join(inlines: &mut Vec<Inline>) {
    inlines.dedup_by(|next, previous| match (next, previous) {
        (Inline::Text(next), Inline::Text(previous)) => {
            previous.push_str(next);
            true
        }
        _ => false,
    });
}

fn delimiters(inline: &Inline) -> Option<usize> {
    if let Inline::Text(text) = inline { Some(positions(text).count()) } else { None }
}

/// Where exactly two equals signs stand.
fn positions(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    text.match_indices("==").map(|(at, _)| at).filter(move |&at| (at == 0 || bytes[at - 1] != b'=') && bytes.get(at + 2) != Some(&b'='))
}

fn opens(text: &str, at: usize) -> bool {
    let next = text[at + 2..].chars().next();
    let previous = text[..at].chars().next_back();
    next.is_none_or(|c| !c.is_whitespace()) && previous.is_none_or(|c| !c.is_ascii_alphanumeric())
}

fn closes(text: &str, at: usize) -> bool {
    let next = text[at + 2..].chars().next();
    let previous = text[..at].chars().next_back();
    previous.is_none_or(|c| !c.is_whitespace()) && next.is_none_or(|c| !c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut inlines = vec![Inline::text(text)];
        mark(&mut inlines);
        let shown: String = inlines
            .iter()
            .map(|inline| match inline {
                Inline::Text(text) => text.clone(),
                Inline::Span(span) => format!("<{}>", crate::model::document::queries::plain(&span.content)),
                _ => String::new(),
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn marks_are_found() {
        check("a ==b c== d", "a <b c> d");
        check("==x== and ==y==", "<x> and <y>");
        check("这是==高亮==文字", "这是<高亮>文字");
    }

    #[test]
    fn comparisons_are_not_marks() {
        for text in ["a == b == c", "a==b and c==d", "===x===", "==open", "close==", "== =="] {
            check(text, text);
        }
    }
}
