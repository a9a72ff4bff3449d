//! `==mark==`, which the Markdown parser does not support.

use crate::model::document::{Inline, Span, SpanTag};

/// Turns pairs of `==` among these siblings into marks.
///
/// An opening pair precedes a character other than white space and does not follow an ASCII word
/// character; a closing pair is the reverse. So `a == b` and `a==b` stay unchanged.
pub(super) fn mark(inlines: &mut Vec<Inline>) {
    if inlines.iter().map(delimiter_count).sum::<usize>() < 2 {
        return;
    }
    let mut done = Vec::with_capacity(inlines.len() + 2);
    // The position of the open `==` in `done`.
    let mut open = None;
    for inline in inlines.drain(..) {
        let Inline::Text(text) = inline else {
            done.push(inline);
            continue;
        };
        let mut from = 0;
        for at in delimiters(&text) {
            match open {
                None if can_open(&text, at) => {
                    push(&mut done, &text[from..at]);
                    open = Some(done.len());
                    done.push(Inline::text("=="));
                }
                Some(start) if can_close(&text, at) && (at > from || done.len() > start + 1) => {
                    push(&mut done, &text[from..at]);
                    let content = done.split_off(start + 1);
                    done[start] = Inline::Span(Span {
                        tag: SpanTag::Mark,
                        attributes: Vec::new(),
                        content,
                    });
                    open = None;
                }
                _ => continue,
            }
            from = at + 2;
        }
        push(&mut done, &text[from..]);
    }
    *inlines = done;
    join_texts(inlines);
}

fn push(inlines: &mut Vec<Inline>, text: &str) {
    if !text.is_empty() {
        inlines.push(Inline::text(text));
    }
}

/// Joins adjacent texts.
fn join_texts(inlines: &mut Vec<Inline>) {
    inlines.dedup_by(|next, previous| match (next, previous) {
        (Inline::Text(next), Inline::Text(previous)) => {
            previous.push_str(next);
            true
        }
        _ => false,
    });
}

fn delimiter_count(inline: &Inline) -> usize {
    if let Inline::Text(text) = inline {
        delimiters(text).count()
    } else {
        0
    }
}

/// The positions of exactly two equals signs.
fn delimiters(text: &str) -> impl Iterator<Item = usize> {
    let is_pair = |at: usize| !text[..at].ends_with('=') && !text[at + 2..].starts_with('=');
    text.match_indices("==")
        .map(|(at, _)| at)
        .filter(move |&at| is_pair(at))
}

fn can_open(text: &str, at: usize) -> bool {
    let (previous, next) = around(text, at);
    next.is_none_or(|c| !c.is_whitespace()) && previous.is_none_or(|c| !c.is_ascii_alphanumeric())
}

fn can_close(text: &str, at: usize) -> bool {
    let (previous, next) = around(text, at);
    previous.is_none_or(|c| !c.is_whitespace()) && next.is_none_or(|c| !c.is_ascii_alphanumeric())
}

fn around(text: &str, at: usize) -> (Option<char>, Option<char>) {
    (
        text[..at].chars().next_back(),
        text[at + 2..].chars().next(),
    )
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
                Inline::Span(span) => format!(
                    "<{}>",
                    crate::model::document::queries::plain(&span.content)
                ),
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
        for text in [
            "a == b == c",
            "a==b and c==d",
            "===x===",
            "==open",
            "close==",
            "== ==",
        ] {
            check(text, text);
        }
    }
}
