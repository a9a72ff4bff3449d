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
const MARKS: [Mark; 10] = [
    ("{{</*", "*/>}}", |text| Inner::Shown(text)),
    ("{{%/*", "*/%}}", |text| Inner::Shown(text)),
    ("{{<", ">}}", |text| Inner::Shortcode(text)),
    ("{{%", "%}}", |text| Inner::Shortcode(text)),
    ("{{{", "}}}", |text| Inner::Output(text)),
    ("{{", "}}", |text| Inner::Output(text)),
    ("{%", "%}", |text| Inner::Tag(text)),
    ("{#-", "#}", |_| Inner::Comment),
    ("{#", "#}", |_| Inner::Comment),
    (PERCENT, PERCENT, |_| Inner::Comment),
];
/// The delimiter of Obsidian's comments. On a line of its own it hides the rest of the text if none
/// follows.
const PERCENT: &str = "%%";

/// The longest tag, in bytes.
const LONGEST: usize = 5000;
/// The longest tag where `{%` always begins one, in bytes.
const LONGEST_LIQUID: usize = 100_000;
/// How long a tag may be for its quotes to be read, in bytes.
const LONGEST_QUOTED: usize = 1_000;
/// How far the end of a quoted text is searched for, in characters.
const LONGEST_QUOTE: usize = 300;

/// How tags are read in a kind of folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether `%%…%%` is a comment.
    pub percent: bool,
    /// Whether `{% name` to `%}` is always a tag, however long it is.
    pub liquid: bool,
}

/// All tokens outside code, in order.
pub fn tokens<'a>(text: &'a str, literals: &Literals, reading: Reading) -> Vec<Token<'a>> {
    let Reading { percent, liquid } = reading;
    let begins: &[char] = if percent { &['{', '%'] } else { &['{'] };
    let mut code = Code::from_literals(literals);
    let mut walk = Walk {
        text,
        liquid,
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
    liquid: bool,
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
                if open == PERCENT && self.is_alone(at, inside) {
                    return Some(Token {
                        range: at..self.text.len(),
                        inner: Inner::Comment,
                    });
                }
                continue;
            };
            let inner = &self.text[inside..end];
            // `{#id}` is an attribute.
            let is_apart = inner.starts_with(char::is_whitespace);
            if open.starts_with("{#") && !is_apart && inner.contains('}') {
                continue;
            }
            let token = Token {
                range: at..end + close.len(),
                inner: make(inner.trim_matches(['-', '~', '+']).trim()),
            };
            let always =
                self.liquid && matches!(token.inner, Inner::Tag(inner) if begins_with_name(inner));
            if token.inner == Inner::Comment
                || always && inner.len() <= LONGEST_LIQUID
                || inner.len() <= LONGEST && !crosses_a_paragraph(inner)
            {
                return Some(token);
            }
        }
        None
    }

    /// Whether nothing else is on the line of this range.
    fn is_alone(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].rsplit('\n').next().unwrap_or_default();
        let after = self.text[end..].split('\n').next().unwrap_or_default();
        before.trim().is_empty() && after.trim().is_empty()
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
        let end = self.closed[number];
        if end == usize::MAX {
            return None;
        }
        let outside = (close == "%}")
            .then(|| self.outside_quotes(inside, end))
            .flatten();
        Some(outside.unwrap_or(end))
    }

    /// The end of a tag whose first `%}` is in quotes, on the same line.
    fn outside_quotes(&self, inside: usize, end: usize) -> Option<usize> {
        let inner = &self.text[inside..end];
        if inner.len() > LONGEST_QUOTED {
            return None;
        }
        let (quote, from) = open_quote(inner)?;
        if !inner[..from].trim_end().ends_with(['=', ':']) {
            return None;
        }
        let rest = &self.text[end..];
        let near = &rest[..rest.floor_char_boundary(LONGEST_QUOTE)];
        let line = near.split('\n').next()?;
        let closing = line.find(quote)?;
        let behind = line[closing..].find("%}")?;
        let between = &line[closing + 1..closing + behind];
        (!between.contains(['{', '}'])).then_some(end + closing + behind)
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

/// The quote that is open at the end of a text, and where it begins.
fn open_quote(text: &str) -> Option<(char, usize)> {
    let mut open = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((quote, _)) if quote == c => open = None,
            None if matches!(c, '"' | '\'') => open = Some((c, at)),
            _ => {}
        }
    }
    open
}

fn begins_with_name(inner: &str) -> bool {
    inner.starts_with(|c: char| c.is_ascii_alphabetic())
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
        let found: Vec<_> = tokens(
            text,
            &literals(text),
            Reading {
                percent: true,
                liquid: false,
            },
        )
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
    fn rule_57_marks_that_trim_white_space_are_no_part_of_a_tag() {
        check(
            "{{- a -}} {%- b -%} {{~ c ~}} {%~ d +%} {{% e -%}}",
            &[
                Inner::Output("a"),
                Inner::Tag("b"),
                Inner::Output("c"),
                Inner::Tag("d"),
                Inner::Shortcode("e"),
            ],
        );
        for comment in [
            "{#- a -#}",
            "{# a #}",
            "{#a#}",
            "{#\na\n\nb\n#}",
            "{#- {{ a }} -#}",
            "{#-\n{% if %}\n#}",
        ] {
            check(comment, &[Inner::Comment]);
        }
        check("# A {#a}\n\n# B {#b} #}", &[]);
        check("# A {#-a}\n\n{# b #}", &[Inner::Comment]);
    }

    #[test]
    fn rule_57_long_tags_of_liquid_are_tags() {
        let check = |text: &str, liquid: bool, expected: &[&str]| {
            let reading = Reading {
                percent: false,
                liquid,
            };
            let found: Vec<_> = tokens(text, &literals(text), reading)
                .into_iter()
                .map(|token| &text[token.range])
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        let long = format!("{{% include a.html\n\n  b=\"{}\"\n%}}", "c ".repeat(4_000));
        check(&long, true, &[&long]);
        check(&long, false, &[]);
        check("{% a b=\"x %} y\" %} c", true, &["{% a b=\"x %} y\" %}"]);
        check("{% a it's %} c's %}", true, &["{% a it's %}"]);
        check("{% %} {%=\n\nx %}", true, &["{% %}"]);
    }

    #[test]
    fn a_hostile_text_is_walked_once() {
        for text in [
            "{{".repeat(20_000),
            "{%".repeat(20_000),
            "{{ \"".repeat(20_000),
            "%%{# ".repeat(20_000),
        ] {
            tokens(
                &text,
                &Literals::default(),
                Reading {
                    percent: true,
                    liquid: true,
                },
            );
        }
    }
}
