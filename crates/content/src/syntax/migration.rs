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
    /// The comments before everything else.
    pub opening: String,
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
        let is_opening = |line: &&str| line.starts_with('#') || line.trim().is_empty();
        let opening: Vec<&str> = text.lines().take_while(is_opening).collect();
        let mut migration = Self {
            opening: opening.join("\n").trim_end().to_owned(),
            ..Self::default()
        };
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

    /// The file: its tables in order, sorted by their keys.
    pub fn to_text(&self) -> String {
        let mut text = match self.opening.as_str() {
            "" => OPENING.to_owned(),
            opening => format!("{opening}\n"),
        };
        if !self.from.is_empty() {
            // Writing into a string never fails.
            let _ = write!(text, "\nfrom = {}\n", quoted(&self.from));
        }
        table(&mut text, REDIRECTS, &self.redirects, |to| quoted(to));
        table(&mut text, IDS, &self.ids, |id| quoted(&id.text));
        table(&mut text, ACCEPTED, &self.accepted, |kinds| {
            let kinds: Vec<String> = kinds.iter().map(|kind| quoted(kind)).collect();
            format!("[{}]", kinds.join(", "))
        });
        text
    }
}

fn table<V>(
    text: &mut String,
    name: &str,
    rows: &BTreeMap<String, V>,
    value: impl Fn(&V) -> String,
) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(text, "\n[{name}]\n");
    for (key, row) in rows {
        let _ = writeln!(text, "{} = {}", quoted(key), value(row));
    }
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

    #[test]
    fn what_is_written_is_read_again() {
        let mut migration = Migration {
            opening: "# Mine.".to_owned(),
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
            line: 11,
            column: 1,
        };
        migration.ids.insert("posts/a b.md".to_owned(), id);
        let kinds = vec!["words".to_owned(), "date".to_owned()];
        migration.accepted.insert("/c/".to_owned(), kinds);
        let text = migration.to_text();
        assert!(
            text.starts_with(
                "# Mine.\n\nfrom = \"https://old.example\"\n\n[redirects]\n\"/a/\" = \"/\"\n"
            ),
            "{text}"
        );
        assert_eq!(Migration::parse(&text), (migration, vec![]));
        assert!(
            Migration::default()
                .to_text()
                .starts_with("# What this site keeps")
        );
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
