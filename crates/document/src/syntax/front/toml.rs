//! TOML front matter; invalid parts are skipped.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Block, Entry, Key, Node, Reading, Value, recover};
use crate::model::problem::Problem;
use crate::model::text::{Lines, number, one_line};

/// Maximum depth of tables.
const DEPTH: usize = 32;

/// Dotted keys nest without limit, and dropping nested values recurses.
fn is_too_deep(line: &str) -> bool {
    let key = line.split('=').next().unwrap_or_default();
    key.matches('.').count() > DEPTH
}

/// Parses TOML; invalid keys are left out and reported.
pub fn read(block: Block<'_>) -> Reading {
    let mut reading = Reading::default();
    if let Some(at) = block.text.lines().position(is_too_deep) {
        let problem = Problem::error(format!(
            "the front matter is left out: a key is nested deeper than {DEPTH} levels"
        ));
        reading
            .problems
            .push(problem.at(block.path, block.first_line + number(at), 1));
        reading.entries = recover::toml(block);
        return reading;
    }
    let reader = Reader {
        block,
        lines: Lines::new(block.text),
    };
    let (table, errors) = DeTable::parse_recoverable(block.text);
    for error in errors {
        Problem::note_all(&mut reading.problems, [reader.problem(&error)]);
    }
    reading.entries = reader.entries(table.get_ref(), DEPTH);
    reading
}

struct Reader<'a> {
    block: Block<'a>,
    lines: Lines<'a>,
}

impl Reader<'_> {
    fn problem(&self, error: &toml::de::Error) -> Problem {
        let (line, column) = error
            .span()
            .map_or((self.block.first_line, 0), |span| self.place(&span));
        let problem = Problem::warning(format!(
            "{} is not valid TOML: {}",
            self.block.name(),
            one_line(error.message())
        ));
        problem
            .at(self.block.path, line, column)
            .hint("the readable part is used")
    }

    fn place(&self, span: &Range<usize>) -> (u32, u32) {
        let (line, column) = self.lines.place(span.start);
        (self.block.first_line - 1 + line, column)
    }

    /// The entries of a table in the author's order.
    fn entries(&self, table: &DeTable<'_>, depth: usize) -> Vec<Entry> {
        let mut pairs: Vec<_> = table.iter().collect();
        pairs.sort_by_key(|(key, _)| key.span().start);
        let mut entries = Vec::new();
        for (key, value) in pairs {
            let (line, column) = self.place(&key.span());
            entries.push(Entry {
                key: Key {
                    text: key.get_ref().to_string(),
                    line,
                    column,
                },
                node: self.node(value, depth),
            });
        }
        entries
    }

    fn node(&self, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
        let span = value.span();
        let (line, column) = self.place(&span);
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Scalar {
                text: text.to_string(),
                plain: false,
            },
            DeValue::Array(items) if depth > 0 => Value::List(
                items
                    .iter()
                    .map(|item| self.node(item, depth - 1))
                    .collect(),
            ),
            DeValue::Table(table) if depth > 0 => Value::Map(self.entries(table, depth - 1)),
            // Numbers, bools and dates keep the author's notation.
            _ => Value::Scalar {
                text: self.block.text.get(span).unwrap_or_default().to_owned(),
                plain: true,
            },
        };
        Node {
            value,
            line,
            column,
        }
    }
}
