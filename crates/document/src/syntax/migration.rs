//! `migration.toml`: what a site that moved here keeps of its former place. `diglot move` writes it,
//! and people edit it.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::problem::Problem;
use crate::syntax::front::{self, Entry, Syntax, Value};

/// The name of the file, at the root of the folder.
pub const FILE: &str = "migration.toml";
/// The table of old addresses and where they lead.
pub const REDIRECTS: &str = "redirects";
/// The table of the ids in the feed, by the file of the text.
const IDS: &str = "ids";
/// The table of losses that the author accepts, by the old address.
const ACCEPTED: &str = "accepted";

/// The first lines of a new file.
const OPENING: &str =
    "# What this site keeps of its former place. `diglot move` adds to it; edit it as you like.\n";

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migration {
    /// The address of the former site.
    pub from: String,
    /// Where old addresses lead. Both are paths from the root of the site; a target may be a URL.
    pub redirects: BTreeMap<String, String>,
    /// The ids in the feed, by the path of the text in the folder.
    pub ids: BTreeMap<String, Id>,
    /// The kinds of losses that the author accepts, by the old address.
    pub accepted: BTreeMap<String, Vec<String>>,
}

/// An id in the feed, and its place in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Id {
    /// The id.
    pub text: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Migration {
    /// Reads the file as far as possible.
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let text = text.trim_start_matches('\u{feff}');
        let (front, problems) = front::read(text, FILE, Syntax::Toml);
        let mut migration = Self::default();
        for Entry { key, node } in &front.entries {
            let Value::Map(entries) = &node.value else {
                if let ("from", Some(url)) = (key.text.as_str(), node.text()) {
                    url.clone_into(&mut migration.from);
                }
                continue;
            };
            for entry in entries {
                migration.add(&key.text, entry);
            }
        }
        (migration, problems)
    }

    fn add(&mut self, table: &str, Entry { key, node }: &Entry) {
        let name = key.text.clone();
        match (table, node.text()) {
            (REDIRECTS, Some(to)) => drop(self.redirects.insert(name, to.to_owned())),
            (IDS, Some(id)) => {
                let id = Id {
                    text: id.to_owned(),
                    line: key.line,
                    column: key.column,
                };
                self.ids.insert(name, id);
            }
            (ACCEPTED, _) => {
                let kinds = node.items().iter().filter_map(|kind| kind.text());
                self.accepted
                    .insert(name, kinds.map(str::to_owned).collect());
            }
            _ => {}
        }
    }

    /// The text of the file with what this one has and the file lacks. Each line of the file stays
    /// as it is. `None` if it is written so that no line can be added, such as with a table in
    /// braces.
    pub fn added_to(&self, text: &str) -> Option<String> {
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(text) => ("\u{feff}", text),
            None => ("", text),
        };
        let (kept, _) = Self::parse(text);
        let opening = if text.trim().is_empty() {
            OPENING
        } else {
            text
        };
        let mut lines: Vec<String> = opening.lines().map(str::to_owned).collect();
        if kept.from.is_empty() && !self.from.is_empty() {
            put_from(&mut lines, &self.from);
        }
        let redirects = rows(&self.redirects, &kept.redirects, |to| quoted(to));
        put_rows(&mut lines, REDIRECTS, redirects);
        let ids = rows(&self.ids, &kept.ids, |id| quoted(&id.text));
        put_rows(&mut lines, IDS, ids);
        let accepted = rows(&self.accepted, &kept.accepted, |kinds| {
            let kinds: Vec<String> = kinds.iter().map(|kind| quoted(kind)).collect();
            format!("[{}]", kinds.join(", "))
        });
        put_rows(&mut lines, ACCEPTED, accepted);
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let added = [mark, &lines.join(end), end].concat();
        self.is_added(kept, &added).then_some(added)
    }

    /// Whether a text has what was kept, and this.
    fn is_added(&self, mut kept: Self, text: &str) -> bool {
        kept.add_all(self.clone());
        let (found, problems) = Self::parse(text);
        problems.is_empty() && found.without_places() == kept.without_places()
    }

    /// Takes what another has, and keeps its own.
    pub fn add_all(&mut self, other: Self) {
        if self.from.is_empty() {
            self.from = other.from;
        }
        for (from, to) in other.redirects {
            self.redirects.entry(from).or_insert(to);
        }
        for (file, id) in other.ids {
            self.ids.entry(file).or_insert(id);
        }
        for (old, kinds) in other.accepted {
            self.accepted.entry(old).or_insert(kinds);
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn without_places(mut self) -> Self {
        for id in self.ids.values_mut() {
            (id.line, id.column) = (0, 0);
        }
        self
    }
}

/// Writes the address of the former site before the first table, after the comments at the beginning.
fn put_from(lines: &mut Vec<String>, url: &str) {
    let opening = lines.iter().take_while(|line| is_silent(line)).count();
    let comments = &lines[..opening];
    let at = comments.iter().rposition(|line| line.trim().is_empty());
    // A comment right above the first line belongs to it.
    let at = match at {
        Some(blank) if opening < lines.len() => blank,
        _ if opening < lines.len() => 0,
        _ => opening,
    };
    let own = [String::new(), format!("from = {}", quoted(url))];
    let own = own.into_iter().skip(usize::from(at == 0));
    let gap = (at == 0 && !lines.is_empty()).then(String::new);
    lines.splice(at..at, own.chain(gap));
}

/// Writes rows at the end of a table; a table that is missing at the end of the file.
fn put_rows(lines: &mut Vec<String>, table: &str, rows: Vec<String>) {
    if rows.is_empty() {
        return;
    }
    let Some(heading) = lines.iter().position(|line| is_heading(line, table)) else {
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        lines.extend([String::new(), format!("[{table}]")]);
        return lines.extend(rows);
    };
    let inside = &lines[heading + 1..];
    let end = inside
        .iter()
        .position(|line| line.trim_start().starts_with('['))
        .unwrap_or(inside.len());
    let last = inside[..end].iter().rposition(|line| !is_silent(line));
    let at = heading + 1 + last.map_or(0, |last| last + 1);
    lines.splice(at..at, rows);
}

/// Whether a line is the heading of this table.
fn is_heading(line: &str, table: &str) -> bool {
    let name = line
        .trim()
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    name.is_some_and(|(name, rest)| {
        name.trim().trim_matches(['"', '\'']) == table && is_silent(rest)
    })
}

/// Whether a line, or the rest of one, says nothing: it is blank, or a comment.
fn is_silent(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// The rows of a table that are not kept yet.
fn rows<V>(
    all: &BTreeMap<String, V>,
    kept: &BTreeMap<String, V>,
    value: impl Fn(&V) -> String,
) -> Vec<String> {
    let new = all.iter().filter(|(key, _)| !kept.contains_key(*key));
    new.map(|(key, row)| format!("{} = {}", quoted(key), value(row)))
        .collect()
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Migration {
        let mut migration = Migration {
            from: "https://old.example".to_owned(),
            ..Migration::default()
        };
        for (from, to) in [
            ("/b.c/\"x\"\\y", "/articles/b.html"),
            ("/a/", "/"),
            ("/ü", "/x\u{1}"),
        ] {
            migration.redirects.insert(from.to_owned(), to.to_owned());
        }
        let id = Id {
            text: "tag:old,2009:1".to_owned(),
            ..Id::default()
        };
        migration.ids.insert("posts/a b.md".to_owned(), id);
        let kinds = vec!["words".to_owned(), "date".to_owned()];
        migration.accepted.insert("/c/".to_owned(), kinds);
        migration
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = full().added_to("").unwrap();
        let begin =
            format!("{OPENING}\nfrom = \"https://old.example\"\n\n[redirects]\n\"/a/\" = \"/\"\n");
        assert!(text.starts_with(&begin), "{text}");
        let (read, problems) = Migration::parse(&text);
        assert_eq!((read.without_places(), problems), (full(), vec![]));
    }

    /// That each line of a file stays, in order.
    fn check(before: &str, after: &str) {
        let text = full().added_to(before).unwrap();
        assert_eq!(text, after);
        let mut lines = text.lines();
        for line in before.lines() {
            assert!(lines.any(|own| own == line), "{line}: {text}");
        }
    }

    #[test]
    fn lines_are_added_and_none_is_replaced() {
        let rows = "\"/b.c/\\\"x\\\"\\\\y\" = \"/articles/b.html\"\n\"/ü\" = \"/x\\u0001\"\n";
        let ids = "\"posts/a b.md\" = \"tag:old,2009:1\"\n";
        let accepted = "\"/c/\" = [\"words\", \"date\"]\n";
        check(
            &format!(
                "# Mine.\n\n# Of the site.\nfrom = 'https://x.example' # stays\n\n[redirects] # old ones\n'/a/' = '/mine.html' # by hand\n# The end.\n\n[ids]\n# None.\n\n[accepted]\n{accepted}"
            ),
            &format!(
                "# Mine.\n\n# Of the site.\nfrom = 'https://x.example' # stays\n\n[redirects] # old ones\n'/a/' = '/mine.html' # by hand\n{rows}# The end.\n\n[ids]\n{ids}# None.\n\n[accepted]\n{accepted}"
            ),
        );
        let more = format!("\"/a/\" = \"/\"\n{rows}\n[ids]\n{ids}\n[accepted]\n{accepted}");
        check(
            "# Mine.\n\n# Where they went.\n[redirects]\n",
            &format!(
                "# Mine.\n\nfrom = \"https://old.example\"\n\n# Where they went.\n[redirects]\n{more}"
            ),
        );
        check(
            "[redirects]",
            &format!("from = \"https://old.example\"\n\n[redirects]\n{more}"),
        );
    }

    #[test]
    fn a_file_to_which_no_line_can_be_added_is_left() {
        for text in [
            "redirects = { \"/x\" = \"/y\" }\n",
            "x = \"\"\"\n[redirects]\n\"\"\"\n",
        ] {
            assert_eq!(full().added_to(text), None, "{text}");
        }
        let crlf = full()
            .added_to("[redirects]\r\n\"/x\" = \"/y\"\r\n")
            .unwrap();
        assert_eq!(crlf.matches('\n').count(), crlf.matches("\r\n").count());
    }

    #[test]
    fn a_broken_file_is_said_with_its_place() {
        let (migration, problems) = Migration::parse("[redirects]\n\"/a\" = \"/b\"\n\"/c\" = \n");
        assert_eq!(problems.len(), 1, "{problems:?}");
        let place = problems[0].place.as_ref().unwrap();
        assert_eq!((place.path.as_str(), place.line), (FILE, 3));
        assert!(migration.ids.is_empty());
    }
}
