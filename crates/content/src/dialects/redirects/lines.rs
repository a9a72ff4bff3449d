//! Redirects in lines.

use super::{Pattern, Reader, Style, is_redirect};
use crate::model::text::number;

impl Reader<'_> {
    /// `_redirects`: `/from [query] /to [status][!] [conditions]`.
    pub(super) fn lines(&mut self, text: &str) {
        for (at, line) in text.lines().enumerate() {
            let place = place(at, line);
            let mut words = line
                .split_whitespace()
                .take_while(|word| !word.starts_with('#'));
            let Some(from) = words.next() else { continue };
            let mut words = words.peekable();
            let mut has_query = false;
            while let Some(word) = words.peek()
                && !is_target(word)
                && word.contains('=')
            {
                has_query = true;
                words.next();
            }
            let Some(to) = words.next() else {
                self.skip(place, "it has no target");
                continue;
            };
            let status = match words.peek() {
                Some(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
                    words.next().unwrap_or_default().trim_end_matches('!')
                }
                _ => "301",
            };
            if !is_redirect(status) {
                continue;
            }
            let has_conditions = words.next().is_some();
            if has_query || has_conditions {
                self.skip(place, "it depends on more than the path");
            } else {
                self.rule(from, to, Style::Splats, place);
            }
        }
    }

    /// `Redirect [status] /from /to`, `RedirectPermanent` and `RedirectTemp`; other rules of Apache
    /// are not redirects of single addresses.
    pub(super) fn apache(&mut self, text: &str) {
        for (at, line) in text.lines().enumerate() {
            let place = place(at, line);
            let words: Vec<&str> = line.split_whitespace().collect();
            let [command, rest @ ..] = words.as_slice() else {
                continue;
            };
            let rest = match (command.to_ascii_lowercase().as_str(), rest) {
                ("redirectpermanent" | "redirecttemp", rest) => rest,
                ("redirect", [status, rest @ ..]) if !status.starts_with('/') => {
                    let named = ["permanent", "temp", "seeother"];
                    if !is_redirect(status)
                        && !named.contains(&status.to_ascii_lowercase().as_str())
                    {
                        continue;
                    }
                    rest
                }
                ("redirect", rest) => rest,
                ("redirectmatch", _) => {
                    self.skip(place, "its pattern is more than names and `*`");
                    continue;
                }
                _ => continue,
            };
            match rest {
                [from, to] => {
                    let (from, to) = (from.trim_matches('"'), to.trim_matches('"'));
                    self.rule(from, to, Style::Plain, place);
                }
                _ => self.skip(place, "it has no target"),
            }
        }
    }

    /// A redirect between two addresses.
    pub(super) fn rule(&mut self, from: &str, to: &str, style: Style, at: (u32, u32)) {
        let from = from.trim();
        let address = match from.split_once("://") {
            // Of which host is not known here, so it is taken for the site's own.
            Some((_, rest)) => match rest.find('/') {
                Some(path) => &rest[path..],
                None => return self.skip(at, "it is one of a whole host"),
            },
            None => from,
        };
        if !from.starts_with('/') && address.contains('*') && from.contains("://") {
            return self.skip(at, "it is one of a whole host");
        }
        // Browsers keep fragments to themselves; express reads `?` as a modifier.
        let address = address.split('#').next().unwrap_or_default();
        if address.is_empty() || from.contains('#') {
            return self.skip(at, "servers do not see fragments");
        }
        let address = if address.starts_with('/') {
            address.to_owned()
        } else {
            format!("/{address}")
        };
        let from = Pattern::from(&address, style);
        let to = from.as_ref().and_then(|from| from.target(to.trim(), style));
        self.add(from, to, false, at);
    }
}

/// Whether a word of a line is a target.
fn is_target(word: &str) -> bool {
    word.starts_with('/') || word.contains("://")
}

/// The place of a line's first word.
fn place(at: usize, line: &str) -> (u32, u32) {
    let indent = line.chars().take_while(|c| c.is_whitespace()).count();
    (number(at + 1), number(indent + 1))
}
