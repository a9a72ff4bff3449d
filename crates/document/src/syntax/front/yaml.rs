//! YAML front matter: converts the parser's events to a tree with places.

use std::collections::{BTreeMap, BTreeSet};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use super::{Block, Entry, Key, Node, Reading, Value, lines, repair, without_repeats};
use crate::model::bounds;
use crate::model::problem::Problem;
use crate::model::text::number;

/// Maximum depth; bounds recursion when the tree is parsed and dropped.
const DEPTH: usize = 32;
/// Maximum number of values that all aliases add together.
const ALIASED: usize = 10_000;
/// How many bytes of a text that an alias repeats count as one more value.
const LONG: usize = 100;

fn tab(line: usize, block: Block<'_>) -> Problem {
    Problem::warning("YAML does not allow a tab before a value")
        .at(block.path, block.first_line + number(line) - 1, 1)
        .hint("use spaces")
}

/// Parses YAML, with the line-by-line fallback if it is invalid. `None`: this is not front matter
/// (prose between two thematic breaks).
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
        reading
            .problems
            .extend(repaired.tab.map(|line| tab(line, block)));
        return Some(reading);
    }
    let mut reading = lines::read(block);
    if reading.entries.is_empty() {
        return None;
    }
    reading.repeated = without_repeats(&mut reading.entries, block.path, &mut reading.problems);
    reading.problems.insert(0, problem(fault, block));
    Some(reading)
}

/// Why and where parsing stopped; lines count from 1 in the block.
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

/// The entries of the root: none if it is null.
fn entries(root: Option<Node>) -> Result<Vec<Entry>, Fault> {
    match root {
        Some(Node {
            value: Value::Map(entries),
            ..
        }) => Ok(entries),
        Some(node) if !node.is_null() => Err(Fault::NoMap),
        _ => Ok(Vec::new()),
    }
}

/// Parses a map.
fn parse(block: Block<'_>) -> Result<Reading, Fault> {
    let mut tree = Tree {
        block,
        frames: Vec::new(),
        root: None,
        anchors: BTreeMap::new(),
        budget: ALIASED,
        problems: Vec::new(),
        repeated: Vec::new(),
    };
    let mut parser = Parser::new_from_str(block.text);
    while let Some(event) = parser.next_event().filter(|_| !bounds::is_over()) {
        let (event, span) = event.map_err(|error| Fault::new(error.info(), error.marker()))?;
        if event == Event::DocumentEnd {
            break;
        }
        tree.event(event, &span.start)?;
    }
    Ok(Reading {
        entries: entries(tree.root)?,
        repeated: tree.repeated,
        problems: tree.problems,
        ..Reading::default()
    })
}

/// Converts a fault to a problem, with a hint for its line.
fn problem(fault: Fault, block: Block<'_>) -> Problem {
    let Fault::Invalid {
        message,
        line,
        column,
    } = fault
    else {
        let problem = Problem::warning(format!(
            "{} is not a map of keys; it is read line by line",
            block.name()
        ));
        return problem
            .at(block.path, block.first_line, 1)
            .hint("write one `key: value` a line");
    };
    let above = line.saturating_sub(1);
    let problem = Problem::warning(format!("{} is not valid YAML: {message}", block.name()));
    problem
        .at(block.path, block.first_line + number(above), number(column))
        .hint(hint(block.text, above))
}

/// The likely error in the text: tabs, or a fault on the line that follows `above` others.
fn hint(text: &str, above: usize) -> String {
    if let Some(line) = text
        .lines()
        .find(|line| line.trim_start_matches(' ').starts_with('\t'))
    {
        return format!(
            "YAML allows no tabs before a value: use spaces in `{}`",
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

/// A tag as it is written; an empty text for one that is a type of YAML.
fn written(tag: &Tag) -> String {
    const TYPES: [&str; 7] = ["null", "str", "bool", "int", "float", "seq", "map"];
    let Tag { handle, suffix } = tag;
    match tag.is_yaml_core_schema() {
        true if TYPES.contains(&suffix.as_str()) => String::new(),
        true => format!("!!{suffix}"),
        false => format!("{handle}{suffix}"),
    }
}

/// An open list or map.
struct Frame {
    node: Node,
    key: Option<Key>,
    anchor: usize,
    /// Whether it names variables of the environment, and the value without them as its last.
    is_env: bool,
}

/// The tree under construction.
struct Tree<'b> {
    block: Block<'b>,
    frames: Vec<Frame>,
    root: Option<Node>,
    /// The anchored values, and the number of values in each.
    anchors: BTreeMap<usize, (Node, usize)>,
    budget: usize,
    problems: Vec<Problem>,
    repeated: Vec<Entry>,
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
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                let text = match tag {
                    // No author means a tag without a value: `!done` is a condition.
                    Some(tag) if plain && text.is_empty() => written(tag.as_ref()),
                    // The value of a variable of the environment is not known.
                    Some(tag) if plain && tag.suffix == "ENV" => String::new(),
                    // Not the scanner's buffer, which has room for more: values are kept.
                    _ => text.as_ref().to_owned(),
                };
                self.put(node(Value::Scalar { text, plain }), anchor);
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(node(Value::List(Vec::new())), anchor, start)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.is_env = tag.is_some_and(|tag| tag.suffix == "ENV");
                }
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

    /// The value of an alias; null if it is unknown, or once the limit is reached.
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
            mut node,
            anchor,
            is_env,
            ..
        }) = self.frames.pop()
        else {
            return;
        };
        if let Value::List(items) = &mut node.value
            && is_env
            && let Some(last) = items.pop()
        {
            // A variable without another value may be absent.
            node.value = match items.is_empty() {
                true => Node::plain("", 0, 0).value,
                false => last.value,
            };
        }
        match &mut node.value {
            Value::Map(entries) => {
                merge(entries);
                let dropped = without_repeats(entries, self.block.path, &mut self.problems);
                self.repeated.extend(dropped);
                entries.shrink_to_fit();
            }
            Value::List(items) => items.shrink_to_fit(),
            Value::Scalar { .. } => {}
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
            is_env: false,
        });
        Ok(())
    }

    /// Adds a finished value to the innermost list or map.
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
            _ => frame.key = Some(node.into_key()),
        }
    }
}

/// Puts the keys of the maps that a map merges (`<<: *defaults`) after its own, which win.
fn merge(entries: &mut Vec<Entry>) {
    let is_merge =
        |entry: &Entry| entry.key.text == "<<" && !matches!(entry.node.value, Value::Scalar { .. });
    if !entries.iter().any(is_merge) {
        return;
    }
    let (merges, mut own): (Vec<Entry>, Vec<Entry>) =
        std::mem::take(entries).into_iter().partition(is_merge);
    let mut known: BTreeSet<String> = own.iter().map(|entry| entry.key.text.clone()).collect();
    let maps = merges.into_iter().flat_map(|merge| match merge.node.value {
        Value::List(items) => items,
        _ => vec![merge.node],
    });
    for map in maps {
        if let Value::Map(merged) = map.value {
            own.extend(
                merged
                    .into_iter()
                    .filter(|entry| known.insert(entry.key.text.clone())),
            );
        }
    }
    *entries = own;
}

/// The number of values in a value, including itself; a long text counts as several. [`DEPTH`] bounds
/// the recursion.
fn size(node: &Node) -> usize {
    match &node.value {
        Value::Scalar { text, .. } => 1 + text.len() / LONG,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => {
            1 + entries
                .iter()
                .map(|entry| 1 + size(&entry.node))
                .sum::<usize>()
        }
    }
}
