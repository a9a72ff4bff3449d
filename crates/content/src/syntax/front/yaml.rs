//! YAML front matter, from the parser's events into our own tree with places.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::{Block, Entry, Key, Node, Reading, Value, lines, repair, without_repeats};
use crate::model::bounds;
use crate::model::problem::Problem;
use crate::model::text::number;

/// The deepest front matter that is read; it bounds recursion when the tree is read and dropped.
const DEPTH: usize = 32;
/// All that aliases may add together, in values.
const ALIASED: usize = 10_000;

/// Reads YAML; what is not valid is read line by line. `None`: this is not front matter at all
/// (prose between two rules).
pub fn read(block: Block<'_>) -> Option<Reading> {
    let fault = match parse(block) {
        Ok(reading) => return Some(reading),
        Err(fault) => fault,
    };
    if let Some(repaired) = repair::repair(block.text)
        && let Ok(mut reading) = parse(Block {
            text: &repaired.text,
            ..block
        })
    {
        if let Some(line) = repaired.tab {
            let problem =
                Problem::warning("a tab stands before a value, which YAML does not allow");
            reading.problems.push(
                problem
                    .at(block.path, block.first_line + number(line) - 1, 1)
                    .hint("put spaces there"),
            );
        }
        return Some(reading);
    }
    let mut reading = lines::read(block);
    if reading.entries.is_empty() {
        return None;
    }
    without_repeats(&mut reading.entries, block.path, &mut reading.problems);
    reading.problems.insert(0, problem(fault, block));
    Some(reading)
}

/// Why and where reading stopped; the line counts from 1 inside the block.
enum Fault {
    NoMap,
    Invalid {
        message: String,
        line: usize,
        column: usize,
    },
}

impl Fault {
    fn new(message: impl Into<String>, marker: &Marker) -> Self {
        Self::Invalid {
            message: message.into(),
            line: marker.line(),
            column: marker.col() + 1,
        }
    }
}

/// Reads a map.
fn parse(block: Block<'_>) -> Result<Reading, Fault> {
    let mut tree = Tree {
        block,
        frames: Vec::new(),
        root: None,
        anchors: BTreeMap::new(),
        budget: ALIASED,
        problems: Vec::new(),
    };
    let mut parser = Parser::new_from_str(block.text);
    while let Some(event) = parser.next_event().filter(|_| !bounds::is_over()) {
        let (event, span) = event.map_err(|error| Fault::new(error.info(), error.marker()))?;
        if event == Event::DocumentEnd {
            break;
        }
        tree.event(event, &span.start)?;
    }
    let entries = match tree.root {
        Some(Node {
            value: Value::Map(entries),
            ..
        }) => entries,
        Some(node) if !node.is_null() => return Err(Fault::NoMap),
        _ => Vec::new(),
    };
    Ok(Reading {
        entries,
        problems: tree.problems,
    })
}

/// The problem of a fault, with the hint that fits its line.
fn problem(fault: Fault, block: Block<'_>) -> Problem {
    let Fault::Invalid {
        message,
        line,
        column,
    } = fault
    else {
        let problem =
            Problem::warning("the front matter is no map of keys and is read line by line");
        return problem
            .at(block.path, block.first_line, 1)
            .hint("write one `key: value` a line");
    };
    let above = line.saturating_sub(1);
    let problem = Problem::warning(format!("the front matter is not valid YAML: {message}"));
    problem
        .at(block.path, block.first_line + number(above), number(column))
        .hint(hint(block.text, above))
}

/// What may be wrong with a text, on the line with so many lines above it.
fn hint(text: &str, above: usize) -> String {
    if let Some(line) = text
        .lines()
        .find(|line| line.trim_start_matches(' ').starts_with('\t'))
    {
        return format!(
            "YAML allows no tabs before a value: put spaces there, in `{}`",
            line.trim()
        );
    }
    let (key, value) = text
        .lines()
        .nth(above)
        .and_then(|line| line.split_once(": "))
        .unwrap_or_default();
    if value.contains(": ") && !value.trim_start().starts_with(['"', '\'']) {
        return format!(
            "a value that holds a colon needs quotes: `{}: \"{}\"`",
            key.trim(),
            value.trim().replace('"', "\\\"")
        );
    }
    "the keys are read line by line; check quotes, colons and indentation here".to_owned()
}

/// A list or map that is still open.
struct Frame {
    node: Node,
    key: Option<Key>,
    anchor: usize,
}

/// The tree while it grows.
struct Tree<'b> {
    block: Block<'b>,
    frames: Vec<Frame>,
    root: Option<Node>,
    /// The values with a name, and how many values each holds.
    anchors: BTreeMap<usize, (Node, usize)>,
    budget: usize,
    problems: Vec<Problem>,
}

impl Tree<'_> {
    fn event(&mut self, event: Event<'_>, start: &Marker) -> Result<(), Fault> {
        let line = self.block.first_line + number(start.line()).saturating_sub(1);
        let node = |value| Node {
            value,
            line,
            column: number(start.col() + 1),
        };
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let plain = style == ScalarStyle::Plain;
                self.put(
                    node(Value::Scalar {
                        text: text.into_owned(),
                        plain,
                    }),
                    anchor,
                );
            }
            Event::SequenceStart(anchor, _) => {
                self.open(node(Value::List(Vec::new())), anchor, start)?
            }
            Event::MappingStart(anchor, _) => {
                self.open(node(Value::Map(Vec::new())), anchor, start)?
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => {
                let value = self.alias(anchor);
                self.put(node(value), 0);
            }
            _ => {}
        }
        Ok(())
    }

    /// The value with a name; nothing where it is not known, or where too much was added by now.
    fn alias(&mut self, anchor: usize) -> Value {
        match self.anchors.get(&anchor) {
            Some((node, size)) if *size <= self.budget => {
                self.budget -= size;
                node.value.clone()
            }
            _ => {
                self.budget = self.budget.saturating_sub(1);
                Value::Scalar {
                    text: String::new(),
                    plain: true,
                }
            }
        }
    }

    fn close(&mut self) {
        let Some(Frame {
            mut node, anchor, ..
        }) = self.frames.pop()
        else {
            return;
        };
        if let Value::Map(entries) = &mut node.value {
            without_repeats(entries, self.block.path, &mut self.problems);
        }
        self.put(node, anchor);
    }

    fn open(&mut self, node: Node, anchor: usize, start: &Marker) -> Result<(), Fault> {
        if self.frames.len() >= DEPTH {
            return Err(Fault::new(
                format!("values are nested deeper than {DEPTH} levels"),
                start,
            ));
        }
        self.frames.push(Frame {
            node,
            key: None,
            anchor,
        });
        Ok(())
    }

    /// Hands a finished value to the list or map around it.
    fn put(&mut self, node: Node, anchor: usize) {
        if anchor > 0 {
            let size = size(&node);
            if size <= self.budget {
                self.anchors.insert(anchor, (node.clone(), size));
            }
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        match (&mut frame.node.value, frame.key.take()) {
            (Value::List(items), _) => items.push(node),
            (Value::Map(entries), Some(key)) => entries.push(Entry { key, node }),
            _ => {
                let Node { line, column, .. } = node;
                let text = if let Value::Scalar { text, .. } = node.value {
                    text
                } else {
                    String::new()
                };
                frame.key = Some(Key { text, line, column });
            }
        }
    }
}

/// How many values a value holds, itself included. The depth is bounded by [`DEPTH`].
fn size(node: &Node) -> usize {
    match &node.value {
        Value::Scalar { .. } => 1,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => {
            1 + entries
                .iter()
                .map(|entry| 1 + size(&entry.node))
                .sum::<usize>()
        }
    }
}
