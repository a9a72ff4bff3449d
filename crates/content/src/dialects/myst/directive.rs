//! A directive: a fence with a name, arguments, options and content.

use super::fence::Fence;

/// A line, and the line of the source that it is from.
#[derive(Clone, Debug)]
pub struct Row {
    pub text: String,
    pub source: usize,
}

/// The lines of a text, whose sources are known by their numbers.
pub fn rows(text: &str, source: impl Fn(usize) -> usize) -> impl Iterator<Item = Row> {
    text.split('\n').enumerate().map(move |(number, text)| Row {
        text: text.to_owned(),
        source: source(number),
    })
}

/// A directive.
pub struct Directive {
    pub name: String,
    /// What is behind its name.
    pub arguments: String,
    /// Its options, in their order.
    options: Vec<(String, String)>,
    /// Its content, without blank lines around it.
    pub body: Vec<Row>,
    /// The line of the source that opens it.
    pub source: usize,
}

/// A blank line from a line of the source.
pub fn blank(source: usize) -> Row {
    Row {
        text: String::new(),
        source,
    }
}

pub fn is_blank(row: &Row) -> bool {
    row.text.trim().is_empty()
}

impl Directive {
    /// A directive of these lines, which are behind its first one.
    pub fn parse(name: &str, arguments: &str, mut rows: Vec<Row>, source: usize) -> Self {
        let mut options = Vec::new();
        let body = match rows.first().is_some_and(|row| row.text.trim() == "---") {
            true => {
                let block = rows
                    .iter()
                    .skip(1)
                    .take_while(|row| row.text.trim() != "---");
                for row in block {
                    add(&mut options, &row.text);
                }
                let lines = rows.iter().skip(1).position(|row| row.text.trim() == "---");
                rows.split_off(lines.map_or(rows.len(), |lines| lines + 2))
            }
            false => {
                let written = rows
                    .iter()
                    .map_while(|row| row.text.trim().strip_prefix(':'));
                options.extend(written.map_while(pair));
                rows.split_off(options.len())
            }
        };
        Self {
            // Names are the same in any case.
            name: name.to_ascii_lowercase(),
            arguments: arguments.to_owned(),
            options,
            body: trimmed(body),
            source,
        }
    }

    /// Adds `.class` and `#id`.
    pub fn attribute(&mut self, attribute: &str) {
        let (key, value) = match attribute.strip_prefix('.') {
            Some(class) => ("class", class),
            None => ("name", attribute.strip_prefix('#').unwrap_or_default()),
        };
        if value.is_empty() {
            return;
        }
        match self.options.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.extend([" ", value]),
            None => self.options.push((key.to_owned(), value.to_owned())),
        }
    }

    /// The value of an option; one without a value is empty.
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A line that the directive's first one became.
    pub fn row(&self, text: impl Into<String>) -> Row {
        Row {
            text: text.into(),
            source: self.source,
        }
    }
}

/// Adds `key: value`, or `- item` to the value before.
fn add(options: &mut Vec<(String, String)>, line: &str) {
    match (pair(line), line.trim().strip_prefix("- ")) {
        (Some(option), None) => options.push(option),
        (_, Some(item)) => {
            if let Some((_, value)) = options.last_mut() {
                value.extend([" ", item.trim()]);
            }
        }
        (None, None) => {}
    }
}

/// `key: value`, where a key has letters, digits, `-` and `_`.
fn pair(line: &str) -> Option<(String, String)> {
    let (key, value) = line.trim().split_once(':')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_key = !key.is_empty() && key.chars().all(is_name);
    let value = value.trim().trim_matches('"');
    is_key.then(|| (key.to_owned(), value.to_owned()))
}

/// Lines without the blank ones around them.
pub fn trimmed(mut rows: Vec<Row>) -> Vec<Row> {
    let end = rows.iter().rposition(|row| !is_blank(row));
    rows.truncate(end.map_or(0, |end| end + 1));
    let begin = rows.iter().position(|row| !is_blank(row));
    rows.split_off(begin.unwrap_or_default())
}

/// The number of the line that ends what the fence at a line opens.
pub fn end_of(rows: &[Row], at: usize, opening: &Fence<'_>) -> usize {
    let mut behind = rows[at + 1..].iter();
    let end =
        behind.position(|row| Fence::parse(&row.text).is_some_and(|fence| fence.closes(opening)));
    end.map_or(rows.len(), |end| at + 1 + end)
}

/// A line without the indent of the fence around it.
pub fn within(row: &Row, indent: usize) -> Row {
    let margin = row.text.len() - row.text.trim_start_matches([' ', '\t']).len();
    Row {
        text: row.text[margin.min(indent)..].to_owned(),
        source: row.source,
    }
}
