//! TOML front matter, as far as it can be read.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Entry, Key, Node, Reading, Value};
use crate::model::problem::Problem;
use crate::model::text::Lines;

/// Deeper tables than this are nobody's.
const DEPTH: usize = 32;

/// Reads TOML; keys that do not parse are left out and said.
pub(super) fn read(text: &str, path: &str, first_line: u32) -> Option<Reading> {
    let source = Source { text, lines: Lines::new(text), above: first_line - 1 };
    // Dotted keys nest without any other limit, and dropping what they nest recurses.
    let too_deep = text.lines().position(|line| line.split('=').next().unwrap_or_default().matches('.').count() > DEPTH);
    if let Some(at) = too_deep {
        let problem = Problem::error(format!("the front matter is left out: a key is nested deeper than {DEPTH} levels"));
        return Some(Reading { entries: Vec::new(), problems: vec![problem.at(path, first_line + crate::model::text::number(at), 1)] });
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut problems = Vec::new();
    let said = errors.iter().map(|error| {
        let (line, column) = error.span().map_or((first_line, 0), |span| source.place(&span));
        let message = crate::model::text::one_line(error.message());
        Problem::warning(format!("the front matter is not valid TOML: {message}")).at(path, line, column).hint("what could be read is used")
    });
    Problem::note_all(&mut problems, said);
    Some(Reading { problems, entries: source.entries(table.get_ref(), DEPTH) })
}

/// The text and its lines.
struct Source<'a> {
    text: &'a str,
    lines: Lines<'a>,
    above: u32,
}

impl Source<'_> {
    fn place(&self, span: &Range<usize>) -> (u32, u32) {
        let (line, column) = self.lines.place(span.start);
        (self.above + line, column)
    }

    /// The entries of a table in the author's order.
    fn entries(&self, table: &DeTable<'_>, depth: usize) -> Vec<Entry> {
        let mut pairs: Vec<_> = table.iter().collect();
        pairs.sort_by_key(|(key, _)| key.span().start);
        let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let (line, column) = self.place(&key.span());
            let text: &std::borrow::Cow<'_, str> = key.get_ref();
            Entry { key: Key { text: text.to_string(), line, column }, node: self.node(value, depth) }
        };
        pairs.into_iter().map(entry).collect()
    }

    fn node(&self, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
        let span = value.span();
        let (line, column) = self.place(&span);
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Scalar { text: text.to_string(), plain: false },
            DeValue::Array(items) if depth > 0 => Value::List(items.iter().map(|item| self.node(item, depth - 1)).collect()),
            DeValue::Table(table) if depth > 0 => Value::Map(self.entries(table, depth - 1)),
            // Numbers, bools and dates keep the author's own spelling.
            _ => Value::Scalar { text: self.text.get(span).unwrap_or_default().to_owned(), plain: true },
        };
        Node { value, line, column }
    }
}
