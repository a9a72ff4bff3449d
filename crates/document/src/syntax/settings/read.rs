//! Parsing of the settings file.

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Field, KEYS, Settings, frame, similar};
use crate::model::problem::{MOST_OF_ONE_FILE, Problem, SourceLocation};
use crate::model::text::{Lines, one_line};

/// The tables of the file.
const TABLES: [&str; 6] = ["links", "nav", "footer", "signals", "cache", "security"];

impl Settings {
    /// Parses a settings file. Unknown keys and wrong types are reported, and the rest is still
    /// read.
    pub fn parse(text: &str, path: &str) -> (Self, Vec<Problem>) {
        let mut reader = Reader {
            path,
            lines: Lines::new(text),
            settings: Self::default(),
            problems: Vec::new(),
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors.iter().take(MOST_OF_ONE_FILE + 1) {
            let message = format!(
                "the settings are not valid TOML: {}",
                one_line(error.message())
            );
            match error.span() {
                Some(span) => reader.report(Problem::error(message), span.start),
                None => Problem::note_all(
                    &mut reader.problems,
                    [Problem::error(message).at(path, 0, 0)],
                ),
            }
        }
        reader.table(table.get_ref(), "");
        reader.problems.sort_by(|a, b| a.place.cmp(&b.place));
        (reader.settings, reader.problems)
    }
}

/// Fills settings from a table and collects problems.
struct Reader<'a> {
    path: &'a str,
    lines: Lines<'a>,
    settings: Settings,
    problems: Vec<Problem>,
}

/// The keys that may be written below a prefix, and the tables where there is none.
fn keys_of(prefix: &str) -> Vec<&'static str> {
    let tables = TABLES.iter().filter(|_| prefix.is_empty()).copied();
    let keys = KEYS.iter().map(|(known, _)| *known);
    let below = keys.filter(|known| {
        let rest = known.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.contains('.'))
    });
    let mut names: Vec<&str> = tables.chain(below).collect();
    // `nav` is a list and a table.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

impl Reader<'_> {
    /// Reads a table; `prefix` is empty or `signals.`.
    fn table(&mut self, table: &DeTable<'_>, prefix: &str) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Table(inner) if TABLES.contains(&name.as_str()) => {
                    self.table(inner, &format!("{name}."))
                }
                _ => self.key(&name, prefix, key.span().start, value),
            }
        }
    }

    fn key(&mut self, name: &str, prefix: &str, start: usize, value: &Spanned<DeValue<'_>>) {
        let Some((_, field)) = KEYS.iter().find(|(known, _)| *known == name) else {
            let (what, hint) = match TABLES.contains(&name) {
                true => ("is a table", format!("write its keys below `[{name}]`")),
                false => ("is not a known key", similar(name, &keys_of(prefix))),
            };
            let problem = Problem::error(format!("`{name}` {what}"));
            return self.report(problem.hint(hint), start);
        };
        let start = value.span().start;
        if self.structured(name, *field, value) {
            let place = self.place(start);
            self.settings.places.insert(name.to_owned(), place);
            return;
        }
        match field(&mut self.settings).set(value.get_ref()) {
            Ok(()) => {
                let place = self.place(start);
                self.settings.places.insert(name.to_owned(), place);
            }
            Err(wanted) => {
                let problem = Problem::error(format!("`{name}` must be {wanted}"));
                let problem = match wanted {
                    TEXT => problem.hint("put it in quotes"),
                    _ => problem,
                };
                self.report(problem, start);
            }
        }
    }

    /// Reads a value that has parts; `false`: it has none.
    fn structured(
        &mut self,
        name: &str,
        field: fn(&mut Settings) -> Field<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> bool {
        let mut problems = Vec::new();
        let mut reader = frame::Reader {
            key: name,
            lines: &self.lines,
            problems: &mut problems,
        };
        match field(&mut self.settings) {
            Field::Nav(nav) => *nav = Some(super::nav::items(value, &self.lines, &mut problems)),
            Field::Menu(menu) => *menu = Some(reader.menu(value, name == "nav.links")),
            Field::Logo(logo) => *logo = reader.logo(value),
            Field::Colours(accent) => *accent = reader.accent(value),
            Field::Text(_) | Field::Switch(_) | Field::Seconds(_) => return false,
        }
        for (start, problem) in problems {
            self.report(problem, start);
        }
        true
    }

    fn place(&self, start: usize) -> SourceLocation {
        let (line, column) = self.lines.place(start);
        SourceLocation {
            path: self.path.to_owned(),
            line,
            column,
        }
    }

    fn report(&mut self, problem: Problem, start: usize) {
        let place = Some(self.place(start));
        Problem::note_all(&mut self.problems, [Problem { place, ..problem }]);
    }
}

/// What most values are.
const TEXT: &str = "text";

impl Field<'_> {
    /// Sets a value from the file. The error says which type is expected.
    fn set(self, value: &DeValue<'_>) -> Result<(), &'static str> {
        match self {
            Self::Text(text) => *text = Some(value.as_str().ok_or(TEXT)?.to_owned()),
            Self::Switch(switch) => *switch = Some(value.as_bool().ok_or("`true` or `false`")?),
            Self::Seconds(number) => {
                *number = Some(seconds(value).ok_or("a number of seconds, such as `300`")?)
            }
            Self::Nav(_) | Self::Menu(_) => return Err("a list"),
            Self::Logo(_) | Self::Colours(_) => return Err("a text or a table"),
        }
        Ok(())
    }
}

fn seconds(value: &DeValue<'_>) -> Option<u32> {
    let integer = value.as_integer()?;
    u32::from_str_radix(integer.as_str(), integer.radix()).ok()
}
