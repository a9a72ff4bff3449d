//! The labels of a text: `(name)=` before a heading or a paragraph, and `:name:` in a directive.

use super::nesting::{Line, Nesting};
use crate::dialects::markup::is_id;
use crate::model::text::plain;

/// A label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name, in the form of [`normal`].
    pub name: String,
    /// The words of the heading that it is before.
    pub title: Option<String>,
}

impl Label {
    fn new(name: &str) -> Self {
        Self {
            name: normal(name),
            title: None,
        }
    }
}

/// What every text with a label contains.
pub const SIGNS: [&str; 4] = [")=", "{#", ":name:", ":label:"];
/// The longest label, in bytes.
const LONGEST: usize = 200;

/// Labels are the same in any case, and with any white space.
pub fn normal(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// The labels of a text.
pub fn labels(text: &str) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    // The labels that wait for the block behind them.
    let mut waiting: Vec<usize> = Vec::new();
    for line in outside_code(text) {
        let line = line.trim();
        if let Some(name) = of_line(line).or_else(|| of_attributes(line)) {
            waiting.push(labels.len());
            labels.push(Label::new(name));
        } else if let Some(name) = of_option(line) {
            labels.push(Label::new(name));
        } else if !line.is_empty() {
            for at in waiting.drain(..) {
                labels[at].title = heading(line);
            }
        }
    }
    labels
}

/// The lines of a text that are not in code.
fn outside_code(text: &str) -> Vec<&str> {
    let mut nesting = Nesting::default();
    let mut is_text = |line| match nesting.read(line) {
        Line::Text => true,
        Line::Directive(fence, ..) => {
            nesting.enter(fence);
            false
        }
        Line::End | Line::Other => false,
    };
    text.lines().filter(|line| is_text(line)).collect()
}

/// The words of a heading.
fn heading(line: &str) -> Option<String> {
    let words = line.trim_start_matches('#');
    let is_heading = words.len() < line.len() && words.starts_with(' ');
    is_heading.then(|| plain(words.trim()))
}

/// The name in `(name)=`.
pub fn of_line(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('(')?.strip_suffix(")=")?.trim();
    let is_name = !name.is_empty() && name.len() <= LONGEST && !name.contains(['(', ')']);
    is_name.then_some(name)
}

/// The id in `{#id .class}`.
pub fn of_attributes(line: &str) -> Option<&str> {
    id_in(line.trim().strip_prefix('{')?.strip_suffix('}')?)
}

/// The id among attributes.
pub fn id_in(attributes: &str) -> Option<&str> {
    let mut parts = attributes.split_whitespace();
    let id = parts.find_map(|part| part.strip_prefix('#'))?;
    is_id(id).then_some(id)
}

/// The name in `:name: a` or `:label: a`.
fn of_option(line: &str) -> Option<&str> {
    let option = line
        .strip_prefix(":name:")
        .or_else(|| line.strip_prefix(":label:"))?;
    Some(option.trim()).filter(|name| !name.is_empty() && name.len() <= LONGEST)
}
