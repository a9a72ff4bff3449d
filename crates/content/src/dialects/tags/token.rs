//! Finds template tags outside code, in one walk over the text.

use std::ops::Range;

use crate::model::bounds;
use crate::syntax::markdown::literal::Literals;

/// What a token is, with its inner text (white-space control marks off).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialects) enum Inner<'a> {
    /// `{{ … }}`
    Output(&'a str),
    /// `{% … %}`
    Tag(&'a str),
    /// `{{< … >}}` and `{{% … %}}`
    Shortcode(&'a str),
    /// `{{</* … */>}}`: a shortcode shown, not called.
    Shown(&'a str),
    /// `{# … #}`, `%%…%%`
    Comment,
}

/// A template tag and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialects) struct Token<'a> {
    pub(in crate::dialects) range: Range<usize>,
    pub(in crate::dialects) inner: Inner<'a>,
}

/// The marks that open, what closes them, and what they make of the text between.
type Mark = (&'static str, &'static str, fn(&str) -> Inner<'_>);

/// The longer marks stand before those that they begin with.
const MARKS: [Mark; 8] = [
    ("{{</*", "*/>}}", |text| Inner::Shown(text)),
    ("{{%/*", "*/%}}", |text| Inner::Shown(text)),
    ("{{<", ">}}", |text| Inner::Shortcode(text)),
    ("{{%", "%}}", |text| Inner::Shortcode(text)),
    ("{{{", "}}}", |text| Inner::Output(text)),
    ("{{", "}}", |text| Inner::Output(text)),
    ("{%", "%}", |text| Inner::Tag(text)),
    ("{# ", "#}", |_| Inner::Comment),
];
/// Obsidian's comments.
const PERCENT: Mark = ("%%", "%%", |_| Inner::Comment);

/// The longest tag, in bytes.
const LONGEST: usize = 5000;

/// All tokens outside code, in order. `percent`: `%%…%%` is a comment here.
pub(in crate::dialects) fn tokens<'a>(text: &'a str, literals: &Literals, percent: bool) -> Vec<Token<'a>> {
    let mut walk = Walk { text, code: &literals.code, closed: [0; MARKS.len() + 1] };
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(|c| c == '{' || percent && c == '%').filter(|_| !bounds::is_over()) {
        at += step;
        at = match walk.token(at) {
            Found::Token(token) => {
                let end = token.range.end;
                tokens.push(token);
                end
            }
            Found::Code(end) => end,
            Found::Nothing => at + 1,
        };
    }
    tokens
}

/// What stands at a place.
enum Found<'a> {
    Token(Token<'a>),
    /// Code that ends there.
    Code(usize),
    Nothing,
}

struct Walk<'a, 'l> {
    text: &'a str,
    /// Code that has not been passed yet.
    code: &'l [Range<usize>],
    /// For each mark, where the search for its end went on last: a text without any end is searched once.
    closed: [usize; MARKS.len() + 1],
}

impl<'a> Walk<'a, '_> {
    fn token(&mut self, at: usize) -> Found<'a> {
        let passed = self.code.iter().take_while(|code| code.end <= at).count();
        self.code = &self.code[passed..];
        if let Some(code) = self.code.first().filter(|code| code.start <= at) {
            return Found::Code(code.end);
        }
        let marks = MARKS.into_iter().chain([PERCENT]).enumerate();
        for (number, (open, close, make)) in marks.filter(|(_, (open, ..))| self.text[at..].starts_with(open)) {
            let inside = at + open.len();
            let Some(end) = self.end(number, inside, close) else { continue };
            let inner = &self.text[inside..end];
            let comment = open == PERCENT.0 || open.starts_with("{#");
            if !comment && (inner.len() > LONGEST || crosses_a_paragraph(inner)) {
                continue;
            }
            let inner = inner.trim_matches(['-', '~', '+']).trim();
            return Found::Token(Token { range: at..end + close.len(), inner: make(inner) });
        }
        Found::Nothing
    }

    /// Where the closing mark begins, behind a quoted text if the expression begins with one.
    fn end(&mut self, number: usize, inside: usize, close: &str) -> Option<usize> {
        let from = self.quoted(inside).filter(|_| close == "}}").unwrap_or(inside);
        if self.closed[number] < from {
            self.closed[number] = self.text[from..].find(close).map_or(usize::MAX, |length| from + length);
        }
        Some(self.closed[number]).filter(|end| *end != usize::MAX)
    }

    /// The end of a quoted text on the same line that begins here.
    fn quoted(&self, inside: usize) -> Option<usize> {
        let trimmed = self.text[inside..].trim_start_matches([' ', '-']);
        let start = self.text.len() - trimmed.len();
        let quote = trimmed.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let near = &trimmed[1..];
        let near = near.char_indices().nth(300).map_or(near, |(end, _)| &near[..end]);
        let end = near.find([quote, '\n']).filter(|end| near[*end..].starts_with(quote))?;
        Some(start + 1 + end + 1)
    }
}

/// Whether a blank line stands inside.
fn crosses_a_paragraph(inner: &str) -> bool {
    inner.contains('\n') && inner.split('\n').skip(1).any(|line| line.trim().is_empty()) && !inner.ends_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown::literal::literals;

    fn check(text: &str, expected: &[Inner<'_>]) {
        let found: Vec<_> = tokens(text, &literals(text), true).into_iter().map(|token| token.inner).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tags_are_found_outside_code() {
        check(
            "{{ a }} {%- b c -%} {{< d >}} {{% /e %}} {# f #} %%g%%",
            &[Inner::Output("a"), Inner::Tag("b c"), Inner::Shortcode("d"), Inner::Shortcode("/e"), Inner::Comment, Inner::Comment],
        );
        check("{{</* shown */>}} {{ \"{{ x }}\" }} {{{ raw }}}", &[Inner::Shown("shown"), Inner::Output("\"{{ x }}\""), Inner::Output("raw")]);
        check("`{{ a }}` and {{ b }}\n\n    {% c %}\n\n```\n{{ d }}\n", &[Inner::Output("b")]);
        check("{{ open\n\nnext }} {%x%}", &[Inner::Tag("x")]);
        check("# Title {#id}\n{{", &[]);
    }

    #[test]
    fn a_hostile_text_is_walked_once() {
        for text in ["{{".repeat(20_000), "{%".repeat(20_000), "{{ \"".repeat(20_000), "%%{# ".repeat(20_000)] {
            tokens(&text, &Literals::default(), true);
        }
    }
}
