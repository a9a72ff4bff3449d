//! Finds template tags outside code, in one pass over the text.

use std::ops::Range;

use crate::dialects::code::Code;
use crate::model::bounds;
use crate::syntax::markdown::literal::Literals;

/// The type of a token, with its inner text (without white-space control markers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner<'a> {
    /// `{{ … }}`
    Output(&'a str),
    /// `{% … %}`
    Tag(&'a str),
    /// `{{< … >}}` and `{{% … %}}`
    Shortcode(&'a str),
    /// `{{</* … */>}}`: an escaped shortcode, shown and not called.
    Shown(&'a str),
    /// `{# … #}`, `%%…%%`
    Comment,
}

/// A template tag and its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub range: Range<usize>,
    pub inner: Inner<'a>,
}

/// The delimiters of a tag, and the constructor for the text between them.
type Mark = (&'static str, &'static str, fn(&str) -> Inner<'_>);

/// A longer delimiter precedes its prefixes.
const MARKS: [Mark; 9] = [
    ("{{</*", "*/>}}", |text| Inner::Shown(text)),
    ("{{%/*", "*/%}}", |text| Inner::Shown(text)),
    ("{{<", ">}}", |text| Inner::Shortcode(text)),
    ("{{%", "%}}", |text| Inner::Shortcode(text)),
    ("{{{", "}}}", |text| Inner::Output(text)),
    ("{{", "}}", |text| Inner::Output(text)),
    ("{%", "%}", |text| Inner::Tag(text)),
    ("{# ", "#}", |_| Inner::Comment),
    // Obsidian's comments.
    ("%%", "%%", |_| Inner::Comment),
];

/// The longest tag, in bytes.
const LONGEST: usize = 5000;
/// How far the end of a quoted text is searched for, in characters.
const LONGEST_QUOTE: usize = 300;

/// All tokens outside code, in order. `percent`: `%%…%%` is a comment here.
pub fn tokens<'a>(text: &'a str, literals: &Literals, percent: bool) -> Vec<Token<'a>> {
    let begins: &[char] = if percent { &['{', '%'] } else { &['{'] };
    let mut code = Code::of(literals);
    let mut walk = Walk {
        text,
        closed: [0; MARKS.len()],
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while !bounds::is_over()
        && let Some(step) = text[at..].find(begins)
    {
        at += step;
        if let Some(code) = code.at(at) {
            at = code.end;
        } else if let Some(token) = walk.token(at) {
            at = token.range.end;
            tokens.push(token);
        } else {
            at += 1;
        }
    }
    tokens
}

struct Walk<'a> {
    text: &'a str,
    /// For each delimiter, where the last search for its end stopped: a text without any end is
    /// searched once.
    closed: [usize; MARKS.len()],
}

impl<'a> Walk<'a> {
    /// The token that begins here.
    fn token(&mut self, at: usize) -> Option<Token<'a>> {
        for (number, (open, close, make)) in MARKS.into_iter().enumerate() {
            if !self.text[at..].starts_with(open) {
                continue;
            }
            let inside = at + open.len();
            let Some(end) = self.end(number, inside, close) else {
                continue;
            };
            let inner = &self.text[inside..end];
            let token = Token {
                range: at..end + close.len(),
                inner: make(inner.trim_matches(['-', '~', '+']).trim()),
            };
            if token.inner == Inner::Comment
                || inner.len() <= LONGEST && !crosses_a_paragraph(inner)
            {
                return Some(token);
            }
        }
        None
    }

    /// The start of the closing delimiter, after a quoted text if the expression begins with one.
    fn end(&mut self, number: usize, inside: usize, close: &str) -> Option<usize> {
        let from = if close == "}}" {
            self.quoted(inside).unwrap_or(inside)
        } else {
            inside
        };
        if self.closed[number] < from {
            self.closed[number] = self.text[from..]
                .find(close)
                .map_or(usize::MAX, |length| from + length);
        }
        (self.closed[number] != usize::MAX).then_some(self.closed[number])
    }

    /// The end of the quoted text that begins here, on the same line.
    fn quoted(&self, inside: usize) -> Option<usize> {
        let trimmed = self.text[inside..].trim_start_matches([' ', '-']);
        let quote = trimmed.chars().next()?;
        if quote != '"' && quote != '\'' {
            return None;
        }
        let start = self.text.len() - trimmed.len() + 1;
        for (at, c) in trimmed[1..].char_indices().take(LONGEST_QUOTE) {
            if c == quote {
                return Some(start + at + 1);
            }
            if c == '\n' {
                return None;
            }
        }
        None
    }
}

/// Whether the text contains a blank line.
fn crosses_a_paragraph(inner: &str) -> bool {
    inner.contains('\n')
        && inner.split('\n').skip(1).any(|line| line.trim().is_empty())
        && !inner.ends_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown::literal::literals;

    fn check(text: &str, expected: &[Inner<'_>]) {
        let found: Vec<_> = tokens(text, &literals(text), true)
            .into_iter()
            .map(|token| token.inner)
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tags_are_found_outside_code() {
        check(
            "{{ a }} {%- b c -%} {{< d >}} {{% /e %}} {# f #} %%g%%",
            &[
                Inner::Output("a"),
                Inner::Tag("b c"),
                Inner::Shortcode("d"),
                Inner::Shortcode("/e"),
                Inner::Comment,
                Inner::Comment,
            ],
        );
        check(
            "{{</* shown */>}} {{ \"{{ x }}\" }} {{{ raw }}}",
            &[
                Inner::Shown("shown"),
                Inner::Output("\"{{ x }}\""),
                Inner::Output("raw"),
            ],
        );
        check(
            "`{{ a }}` and {{ b }}\n\n    {% c %}\n\n```\n{{ d }}\n",
            &[Inner::Output("b")],
        );
        check("{{ open\n\nnext }} {%x%}", &[Inner::Tag("x")]);
        check("# Title {#id}\n{{", &[]);
    }

    #[test]
    fn a_hostile_text_is_walked_once() {
        for text in [
            "{{".repeat(20_000),
            "{%".repeat(20_000),
            "{{ \"".repeat(20_000),
            "%%{# ".repeat(20_000),
        ] {
            tokens(&text, &Literals::default(), true);
        }
    }
}
