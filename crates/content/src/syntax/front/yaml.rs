//! YAML front matter, from the parser's events into our own tree with places.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::{Entry, Key, Node, Reading, Value, lines, mend, without_repeats};
use crate::model::bounds;
use crate::model::problem::Problem;
use crate::model::text::number;

/// Deeper front matter than this is nobody's; it bounds recursion when the tree is read and dropped.
const DEPTH: usize = 32;
/// All that aliases may add together, in values.
const ALIASED: usize = 10_000;

/// Reads YAML; what is not valid is read line by line. `None`: this is no front matter at all (prose between two rules).
pub(super) fn read(text: &str, path: &str, first_line: u32) -> Option<Reading> {
    let fault = match parse(text, path, first_line) {
        Ok(reading) => return Some(reading),
        Err(fault) => fault,
    };
    if let Some(mended) = mend::mend(text)
        && let Ok(mut reading) = parse(&mended.text, path, first_line)
    {
        let tab = mended
            .tab
            .map(|line| Problem::warning("a tab stands before a value, which YAML does not allow").at(path, first_line + number(line) - 1, 1));
        reading.problems.extend(tab.map(|problem| problem.hint("put spaces there")));
        return Some(reading);
    }
    let mut reading = lines::read(text, path, first_line);
    if reading.entries.is_empty() {
        return None;
    }
    reading.entries = without_repeats(std::mem::take(&mut reading.entries), path, &mut reading.problems);
    reading.problems.insert(0, said(fault, text, path, first_line));
    Some(reading)
}

/// Reads a map. What is valid YAML and no map is a fault without a place.
fn parse(text: &str, path: &str, first_line: u32) -> Result<Reading, Option<Fault>> {
    let mut tree = Tree { frames: Vec::new(), root: None, anchors: BTreeMap::new(), budget: ALIASED, path, first_line, problems: Vec::new() };
    tree.grow(text).map_err(Some)?;
    match tree.root.take() {
        Some(Node { value: Value::Map(entries), .. }) => Ok(Reading { entries, problems: tree.problems }),
        Some(node) if !node.is_null() => Err(None),
        _ => Ok(Reading { entries: Vec::new(), problems: tree.problems }),
    }
}

/// The problem of YAML that does not parse, with the hint that fits its line.
fn said(fault: Option<Fault>, text: &str, path: &str, first_line: u32) -> Problem {
    let Some(fault) = fault else {
        return Problem::warning("the front matter is no map of keys and is read line by line")
            .at(path, first_line, 1)
            .hint("write one `key: value` a line");
    };
    let line = text.lines().nth(fault.line.saturating_sub(1) as usize).unwrap_or_default();
    let indented_by_tab = text.lines().find(|line| line.starts_with('\t') || line.trim_start_matches(' ').starts_with('\t'));
    let hint = if let Some(line) = indented_by_tab {
        format!("YAML allows no tabs before a value: put spaces there, in `{}`", line.trim())
    } else if line.split_once(": ").is_some_and(|(_, value)| value.contains(": ") && !value.trim_start().starts_with(['"', '\''])) {
        let (key, value) = line.split_once(": ").unwrap_or_default();
        format!("a value that holds a colon needs quotes: `{}: \"{}\"`", key.trim(), value.trim().replace('"', "\\\""))
    } else {
        "the keys are read line by line; check quotes, colons and indentation here".to_owned()
    };
    Problem::warning(format!("the front matter is not valid YAML: {}", fault.message))
        .at(path, first_line + fault.line.saturating_sub(1), fault.column)
        .hint(hint)
}

/// Why and where reading stopped; the line counts from 1 inside the block.
struct Fault {
    message: String,
    line: u32,
    column: u32,
}

impl From<ScanError> for Fault {
    fn from(error: ScanError) -> Self {
        let marker = error.marker();
        Self { message: error.info().to_owned(), line: number(marker.line()), column: number(marker.col() + 1) }
    }
}

/// A list or map that is still open.
struct Frame {
    node: Node,
    key: Option<Key>,
    anchor: usize,
}

/// The tree while it grows.
struct Tree<'p> {
    frames: Vec<Frame>,
    root: Option<Node>,
    /// The values with a name, and how many values each holds.
    anchors: BTreeMap<usize, (Node, usize)>,
    budget: usize,
    path: &'p str,
    first_line: u32,
    problems: Vec<Problem>,
}

impl Tree<'_> {
    fn grow(&mut self, text: &str) -> Result<(), Fault> {
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event().filter(|_| !bounds::is_over()) {
            let (event, span) = event?;
            let (line, column) = self.place(span);
            match event {
                Event::Scalar(text, style, anchor, _) => {
                    let node = Node { value: Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain }, line, column };
                    self.put(node, anchor);
                }
                Event::SequenceStart(anchor, _) => self.open(Value::List(Vec::new()), line, column, anchor)?,
                Event::MappingStart(anchor, _) => self.open(Value::Map(Vec::new()), line, column, anchor)?,
                Event::SequenceEnd | Event::MappingEnd => self.close(),
                Event::Alias(anchor) => {
                    let known = self.anchors.get(&anchor).filter(|(_, size)| *size <= self.budget).cloned();
                    let (node, size) = known.unwrap_or_else(|| (Node::plain("", line, column), 1));
                    let node = Node { line, column, ..node };
                    self.budget = self.budget.saturating_sub(size);
                    self.put(node, 0);
                }
                Event::DocumentEnd => return Ok(()),
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
            }
        }
        Ok(())
    }

    fn place(&self, span: Span) -> (u32, u32) {
        (self.first_line + number(span.start.line()).saturating_sub(1), number(span.start.col() + 1))
    }

    fn open(&mut self, value: Value, line: u32, column: u32, anchor: usize) -> Result<(), Fault> {
        if self.frames.len() >= DEPTH {
            return Err(Fault {
                message: format!("values are nested deeper than {DEPTH} levels"),
                line: line.saturating_sub(self.first_line) + 1,
                column,
            });
        }
        self.frames.push(Frame { node: Node { value, line, column }, key: None, anchor });
        Ok(())
    }

    fn close(&mut self) {
        let Some(Frame { mut node, anchor, .. }) = self.frames.pop() else { return };
        if let Value::Map(entries) = &mut node.value {
            *entries = without_repeats(std::mem::take(entries), self.path, &mut self.problems);
        }
        self.put(node, anchor);
    }

    /// Hands a finished value to the list or map around it.
    fn put(&mut self, node: Node, anchor: usize) {
        let size = if anchor > 0 { size(&node) } else { usize::MAX };
        if size <= self.budget {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        match &mut frame.node.value {
            Value::List(items) => items.push(node),
            Value::Map(entries) => match frame.key.take() {
                Some(key) => entries.push(Entry { key, node }),
                None => {
                    let text = if let Value::Scalar { text, .. } = node.value { text } else { String::new() };
                    frame.key = Some(Key { text, line: node.line, column: node.column });
                }
            },
            Value::Scalar { .. } => {}
        }
    }
}

/// How many values a value holds, itself included. The depth is bounded by [`DEPTH`].
fn size(node: &Node) -> usize {
    match &node.value {
        Value::Scalar { .. } => 1,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|entry| 1 + size(&entry.node)).sum::<usize>(),
    }
}
