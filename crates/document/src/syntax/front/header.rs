//! Front matter without fences: lines `Key: value` at the beginning of a text, up to an empty line
//! (the metadata of MultiMarkdown).

use super::{Entry, Front, Node, Split, Syntax, first_filled_line, line_at};

/// The maximum number of lines.
const MOST: usize = 200;
/// Keys of a state, and the states that a reader must not overlook.
const STATE: [&str; 2] = ["status", "state"];
const STATES: [&str; 8] = [
    "draft",
    "drafts",
    "hidden",
    "private",
    "pending",
    "unpublished",
    "trash",
    "skip",
];
/// Keys that withhold a text if they are true, and if they are false.
const WHEN_TRUE: [&str; 3] = ["draft", "private", "unpublished"];
const WHEN_FALSE: [&str; 2] = ["published", "publish"];

/// A header where the kind of the folder has one: its lines begin in the first line, and the first
/// line that does not belong to it begins the text.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    match header(text, 0) {
        Some(header) if !super::is_fenced(text) => header.split(text),
        _ => super::split(text, path),
    }
}

/// A header in any other folder: only one that withholds its text, all of whose lines are
/// `Key: value`.
pub(super) fn withholding(text: &str) -> Option<Split<'_>> {
    let header = header(text, first_filled_line(text))?;
    let is_whole = text[..header.end].ends_with("\n\n") || header.end == text.len();
    let withholds = header.entries.iter().any(withholds);
    (is_whole && withholds).then(|| header.split(text))
}

/// Metadata in lines without a fence.
pub(super) struct Header {
    pub entries: Vec<Entry>,
    /// Where the text begins.
    pub end: usize,
}

impl Header {
    /// The text behind it, with it as front matter.
    pub fn split(self, text: &str) -> Split<'_> {
        Split {
            front: Front {
                syntax: Syntax::Header,
                entries: self.entries,
                ..Front::default()
            },
            body: &text[self.end..],
            first_line: line_at(text, self.end),
            problems: Vec::new(),
        }
    }
}

fn header(text: &str, start: usize) -> Option<Header> {
    let first_line = line_at(text, start);
    let mut header = Header {
        entries: Vec::new(),
        end: start,
    };
    let lines = text[start..].split_inclusive('\n').zip(first_line..);
    for (line, number) in lines.take(MOST) {
        let trimmed = line.trim();
        if let Some((key, value)) = key(line) {
            header.add(key, value, number);
        } else if trimmed.is_empty() {
            header.end += line.len();
            break;
        } else if line.starts_with('\t') || line.starts_with("    ") {
            header.continue_with(trimmed)?;
        } else {
            break;
        }
        header.end += line.len();
    }
    (!header.entries.is_empty()).then_some(header)
}

impl Header {
    /// Of a key given twice the last counts.
    fn add(&mut self, key: &str, value: &str, line: u32) {
        self.entries
            .retain(|known| !known.key.text.eq_ignore_ascii_case(key));
        self.entries.push(Entry::plain(key, value, line, 1));
    }

    /// Adds a line to the value above it; `None`: nothing is above it.
    fn continue_with(&mut self, line: &str) -> Option<()> {
        let node = &mut self.entries.last_mut()?.node;
        let value = format!("{} {line}", node.text().unwrap_or_default());
        *node = Node::plain(value.trim(), node.line, node.column);
        Some(())
    }
}

/// The key of a line and its value. The scheme of an address is not a key.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let indent = name.len() - name.trim_start_matches(' ').len();
    let name = &name[indent..];
    let is_key = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let is_good = indent < 4
        && !name.is_empty()
        && name.chars().all(is_key)
        && !value.starts_with("//")
        && !value.starts_with(':');
    is_good.then(|| (name, value.trim()))
}

fn withholds(entry: &Entry) -> bool {
    let Some(value) = entry.node.text() else {
        return false;
    };
    let (key, value) = (entry.key.text.to_lowercase(), value.to_lowercase());
    let first = value.split(|character: char| !character.is_alphanumeric());
    let first = first.into_iter().next().unwrap_or_default();
    let is = |keys: &[&str]| keys.contains(&key.as_str());
    match first {
        "true" | "yes" | "on" | "1" => is(&WHEN_TRUE),
        "false" | "no" | "off" | "0" => is(&WHEN_FALSE),
        state => is(&STATE) && STATES.contains(&state),
    }
}
