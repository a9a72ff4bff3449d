//! Files that a text of MyST includes: as text, or as code.

use super::directives::Writer;
use super::{hidden, place};
use crate::dialects::lines::Lines;
use crate::dialects::markup;
use crate::dialects::myst::directive::{Directive, Row, rows};
use crate::dialects::passes::files::Named;

/// Options that choose a part in a way that needs the language of the file.
const UNKNOWN_PARTS: [&str; 2] = ["pyobject", "diff"];

impl Writer<'_> {
    /// The text of a file.
    pub fn include(&mut self, directive: &Directive, depth: usize) -> Vec<Row> {
        if directive.option("literal").is_some() || directive.option("code").is_some() {
            return self.include_code(directive);
        }
        let Some(text) = self.included(directive) else {
            return Vec::new();
        };
        let mut lines = Lines::new(&text);
        hidden::rewrite(&mut lines, !self.has_titles());
        let rows: Vec<Row> = rows(&lines.text, |_| directive.source).collect();
        self.write(&rows, depth + 1)
    }

    /// A file as code.
    pub fn include_code(&mut self, directive: &Directive) -> Vec<Row> {
        let Some(text) = self.included(directive) else {
            return Vec::new();
        };
        let text = text.trim_end_matches('\n');
        let language = directive.option("language").or(directive.option("code"));
        let language = match language.filter(|language| !language.is_empty()) {
            Some(language) => language,
            None => {
                let name = directive.arguments.rsplit('/').next().unwrap_or_default();
                name.rsplit_once('.').map_or("", |(_, ending)| ending)
            }
        };
        let fence = markup::fence(text);
        let code = format!("{fence}{language}\n{text}\n{fence}");
        rows(&code, |_| directive.source).collect()
    }

    /// The chosen part of the file, if readers may see it; it is reported otherwise.
    fn included(&mut self, directive: &Directive) -> Option<String> {
        let path = place::path(&directive.arguments, self.page);
        let found = path.as_ref().map(|path| (self.page.files.read)(path));
        let why = match found {
            Some(Named::Text(_)) if needs_language(directive) => {
                "its part is chosen by the language".to_owned()
            }
            Some(Named::Text(text)) => {
                let part = part(&text, directive);
                if part.len() <= self.room {
                    self.room -= part.len();
                    self.included.extend(path);
                    return Some(part);
                }
                "the text includes too much".to_owned()
            }
            Some(Named::Closed(why)) => why,
            Some(Named::Missing) | None => "there is no such file".to_owned(),
        };
        let message = format!("`{}` is not included: {why}", directive.arguments);
        self.remarks.push((directive.source, message));
        None
    }
}

/// Whether the part of a file is chosen in a way that needs its language.
fn needs_language(directive: &Directive) -> bool {
    let mut unknown = UNKNOWN_PARTS.iter();
    unknown.any(|part| directive.option(part).is_some())
}

/// The lines of a file that the options choose.
fn part(text: &str, directive: &Directive) -> String {
    let number = |name: &str| directive.option(name).and_then(|value| value.parse().ok());
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len();
    let from_end = |at: isize| match usize::try_from(at) {
        Ok(at) => at.min(count),
        Err(_) => count.saturating_sub(at.unsigned_abs()),
    };
    let mut begin = number("start-line").map_or(0, from_end);
    let mut end = number("end-line").map_or(count, from_end);
    let find = |from: usize, sign: &str| {
        let mut behind = lines[from.min(count)..].iter();
        behind
            .position(|line| line.contains(sign))
            .map(|at| from + at)
    };
    for (name, more) in [("start-after", 1), ("start-at", 0)] {
        if let Some(sign) = directive.option(name) {
            begin = find(begin, sign).map_or(end, |at| at + more);
        }
    }
    for (name, more) in [("end-before", 0), ("end-at", 1)] {
        if let Some(sign) = directive.option(name) {
            end = find(begin, sign).map_or(end, |at| at + more);
        }
    }
    let inner = &lines[begin.min(end)..end];
    match directive.option("lines") {
        Some(list) => numbered(inner, list).join("\n"),
        None => inner.join("\n"),
    }
}

/// The lines that `1,3,5-10,20-` names; at most as many as there are.
fn numbered<'t>(lines: &[&'t str], list: &str) -> Vec<&'t str> {
    let count = lines.len();
    let mut chosen = Vec::new();
    for part in list.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let to = to.trim().parse().unwrap_or(count).min(count);
        let from = from.trim().parse().unwrap_or(1).max(1) - 1;
        chosen.extend_from_slice(&lines[from.min(to)..to]);
        chosen.truncate(count);
    }
    chosen
}
