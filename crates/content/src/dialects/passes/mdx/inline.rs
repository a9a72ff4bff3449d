//! Inline syntax of MDX.

use super::literal::{LONGEST, literal, unescape};
use super::walk::Walk;
use crate::dialects::markup::MARGIN;
use crate::model::bounds;
use crate::model::text::plain;

/// Braces that do not open an expression: template tags, attributes of kramdown and pymdownx.
const NO_EXPRESSIONS: [&str; 5] = ["{{", "{%", "{#", "{:", "{."];

impl Walk<'_> {
    /// The rest of a line, including constructs that begin in it.
    pub fn inline(&mut self) {
        while !bounds::is_over()
            && let Some(step) = self.text[self.at..].find(['\n', '`', '\\', '$', '{', '<'])
        {
            self.copy(step);
            let rest = &self.text[self.at..];
            if let Some(length) = self.formula() {
                self.copy(length);
                continue;
            }
            match rest.as_bytes()[0] {
                b'\n' => return self.copy(1),
                b'$' => self.copy_run(rest, '$'),
                b'`' => self.code_span(rest),
                b'\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => self.copy(2),
                b'\\' => self.copy(1),
                b'{' => self.expression(rest),
                _ => self.tag(rest),
            }
        }
        self.copy(self.text.len() - self.at);
    }

    fn copy_run(&mut self, rest: &str, mark: char) {
        self.copy(run(rest, mark));
    }

    /// The length of the formula that begins here, if any. A comment is never a formula, whatever
    /// surrounds it.
    fn formula(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(['$', '\\']) {
            return None;
        }
        let length = self.formulas.at(self.at, self.dollar)?.end - self.at;
        (!rest[..length].contains("{/*")).then_some(length)
    }

    fn code_span(&mut self, rest: &str) {
        let length = run(rest, '`');
        let paragraph = self
            .paragraph
            .from(self.at)
            .map_or(rest.len(), |end| end - self.at)
            .min(LONGEST);
        // The text already searched for a run of this length is not searched again.
        let known = self
            .runs
            .get(&length)
            .map_or(0, |to| to.saturating_sub(self.at));
        let mut from = length.max(known);
        while let Some(step) = memchr::memchr(b'`', rest.get(from..).unwrap_or_default().as_bytes())
            && from + step < paragraph
        {
            let other = run(&rest[from + step..], '`');
            from += step + other;
            if other == length {
                return self.copy(from);
            }
        }
        self.runs.insert(length, self.at + from.max(paragraph));
        self.copy(length);
    }

    /// `{…}`: a literal becomes its text, a front matter key its value; comments and other
    /// expressions are removed.
    fn expression(&mut self, rest: &str) {
        if let Some(length) = self.comment(rest) {
            return self.skip(length);
        }
        if NO_EXPRESSIONS.iter().any(|mark| rest.starts_with(mark)) {
            return self.copy_run(rest, '{');
        }
        let Some(length) = self.braces.length(rest) else {
            return self.copy_run(rest, '{');
        };
        let inner = rest[1..length - 1].trim();
        let text = match literal(inner) {
            Some(text) => escape(&unescape(text)),
            None => self.value(inner).unwrap_or_default(),
        };
        self.skip(length);
        self.out.push_str(&text.replace(['\n', '\r'], " "));
    }

    /// The length of the comment that begins here. One that ends a heading is its id.
    fn comment(&mut self, rest: &str) -> Option<usize> {
        let opened = rest[1..].trim_start();
        let words = opened.strip_prefix("/*")?;
        let begin = self.at + rest.len() - words.len();
        let end = self.comment_end.from(begin)?;
        let behind = self.text[end + 2..].trim_start();
        let behind = behind.strip_prefix('}')?;
        let length = self.text.len() - behind.len() - self.at;
        let is_last = behind.trim_start_matches([' ', '\t']);
        if is_heading(self.written_line())
            && (is_last.is_empty() || is_last.starts_with('\n'))
            && let Some(id) = id(&self.text[begin..end])
        {
            // Emphasis would divide the id.
            let id = id.replace('_', "\\_").replace('*', "\\*");
            self.out.push_str(&format!("{{#{id}}}"));
        }
        Some(length)
    }

    /// `frontMatter.key`
    fn value(&self, expression: &str) -> Option<String> {
        let key = expression
            .strip_prefix("frontMatter.")
            .or_else(|| expression.strip_prefix("frontmatter."))?;
        Some(plain(self.front.text(&[key])?))
    }
}

/// Whether a line begins with the sign of a heading.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start_matches(MARGIN);
    let words = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - words.len())) && words.starts_with([' ', '\t'])
}

/// The id in a comment that ends a heading: one word, and no note to oneself.
fn id(comment: &str) -> Option<&str> {
    const NOTES: [&str; 5] = ["TODO", "FIXME", "XXX", "HACK", "NOTE"];
    let id = comment.trim();
    let id = id.strip_prefix('#').unwrap_or(id);
    let is_word =
        !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || "{}<>\"'`".contains(c));
    (is_word && !NOTES.iter().any(|note| id.starts_with(note))).then_some(id)
}

/// The text of a literal, which is not Markdown.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_[]<>{}#|~$&".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// The number of markers at the start of a text; each is one byte.
fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}
