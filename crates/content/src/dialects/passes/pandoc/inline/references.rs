//! References to figures, tables and sections, and to literature.

use std::ops::Range;

use super::Inline;
use crate::dialects::markup::label as escaped;
use crate::dialects::numbering::kind_of;

impl Inline<'_> {
    /// `@fig-x` in a sentence.
    pub(super) fn reference(&mut self, at: usize, to: usize) -> usize {
        let before = self.text[..at].chars().next_back();
        let id = key(&self.text[at + 1..to]);
        if before.is_some_and(char::is_alphanumeric) || id.is_empty() {
            return at + 1;
        }
        let end = at + 1 + id.len();
        if let Some(link) = self.link_to(id, None) {
            self.edit(at..end, link);
        }
        end
    }

    /// A link to a figure, a table, a section; with other words if they are given.
    fn link_to(&self, id: &str, words: Option<&str>) -> Option<String> {
        let lower = lower_first(id);
        let (label, file) = self
            .values
            .target(id)
            .or_else(|| self.values.target(&lower))?;
        let id = if self.values.target(id).is_some() {
            id
        } else {
            &lower
        };
        let words = match words {
            None if label.title => label.words.clone(),
            None => escaped(&label.text()),
            Some("") => label.number.clone(),
            Some(words) => format!("{words} {}", label.number),
        };
        Some(format!("[{words}]({})", self.values.address(file, id)))
    }

    /// `[@fig-x]`, `[see @key, p. 3; -@other]`
    pub(super) fn citation(&mut self, brackets: Range<usize>) -> usize {
        let inner = &self.text[brackets.start + 1..brackets.end];
        let range = brackets.start..brackets.end + 1;
        let mut links = Vec::new();
        let mut cited = Vec::new();
        for part in inner.split(';') {
            let Some((before, behind)) = part.split_once('@') else {
                cited.push(part.trim().to_owned());
                continue;
            };
            let id = key(behind.trim_start_matches('{'));
            let is_short = before.ends_with('-');
            let before = before.trim_end_matches('-').trim();
            let words = match (before.is_empty(), is_short) {
                (true, false) => None,
                _ => Some(before),
            };
            let rest = behind.trim_start_matches('{')[id.len()..].trim_start_matches('}');
            match self.link_to(id, words) {
                Some(link) => links.push(format!("{link}{rest}")),
                None if kind_of(id).is_some() => return self.inside(brackets.clone(), range.end),
                None => {
                    let space = if before.is_empty() { "" } else { " " };
                    cited.push(format!("{before}{space}{}{rest}", id.replace('_', "\\_")));
                }
            }
        }
        if !cited.is_empty() {
            links.push(format!("({})", cited.join("; ")));
        }
        self.edit(range.clone(), links.join(", "));
        range.end
    }
}

/// The key that a text begins with: letters, digits and single signs between them.
fn key(text: &str) -> &str {
    let is_sign =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '#' | '+');
    let end = text.find(|c: char| !is_sign(c)).unwrap_or(text.len());
    // Two signs side by side are not part of it: `@fig-x---as`.
    let mut signs = 0;
    let double = text[..end].bytes().position(|byte| {
        signs = if byte.is_ascii_punctuation() && byte != b'_' {
            signs + 1
        } else {
            0
        };
        signs > 1
    });
    let end = double.map_or(end, |at| at - 1);
    text[..end].trim_end_matches([':', '.', '/', '#', '+', '-'])
}

/// Whether brackets hold keys of literature or of figures: `see @key`, `-@key`.
pub(super) fn is_citation(inner: &str) -> bool {
    inner.match_indices('@').any(|(at, _)| {
        let before = inner[..at].trim_end_matches('-');
        let begins = before.is_empty() || before.ends_with([' ', ';', '(', '\n']);
        let behind = inner[at + 1..].trim_start_matches('{');
        begins && behind.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

fn lower_first(id: &str) -> String {
    let mut letters = id.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().collect::<String>() + letters.as_str()
    })
}
