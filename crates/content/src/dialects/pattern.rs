//! Addresses with parts that match any text: `/old/*`, `/news/:year/:slug`.

use std::fmt;

/// An address of which some parts have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// Any text without a `/`, by name.
    Segment(String),
    /// Any text, empty too.
    Rest(String),
}

/// How patterns are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No address is a pattern.
    Plain,
    /// `*`, whose text is `:splat`, and `:name`.
    Splats,
    /// `:name`, `:name*`, `(.*)` of path-to-regexp, and `$1`.
    Express,
    /// `:name`, `:name*`, and globs, which are not read.
    Glob,
    /// `[name]`, `[...name]`
    Brackets,
}

/// The name of what `*` matched.
const SPLAT: &str = "splat";
/// The maximum number of parts.
const MOST: usize = 32;

impl Pattern {
    /// Exactly this address.
    pub fn exactly(text: &str) -> Self {
        Self(vec![Part::Text(text.to_owned())])
    }

    /// Reads the pattern of an old address; `None`: it is more than names and rests.
    pub(in crate::dialects) fn from(text: &str, style: Style) -> Option<Self> {
        let parts = match style {
            Style::Plain => return Some(Self::exactly(text)),
            Style::Splats => splats(text),
            Style::Express | Style::Glob => express(text, style)?,
            Style::Brackets => brackets(text)?,
        };
        let rests = parts.iter().filter(|part| matches!(part, Part::Rest(_)));
        let is_clear = rests.count() <= 1
            && parts.len() <= MOST
            && !parts
                .windows(2)
                .any(|pair| pair.iter().all(|part| !matches!(part, Part::Text(_))));
        is_clear.then_some(Self(parts))
    }

    /// Reads a target that may refer to the parts of an old address.
    pub(in crate::dialects) fn target(&self, text: &str, style: Style) -> Option<Self> {
        if self.literal().is_some() || style == Style::Plain {
            return Some(Self::exactly(text));
        }
        let names: Vec<&str> = self.names().collect();
        let mut parts = Vec::new();
        let (mut plain, mut rest) = (String::new(), text);
        while let Some(next) = rest.chars().next() {
            if let Some((name, length)) = reference(rest, style)
                && names.contains(&name)
            {
                push(&mut parts, std::mem::take(&mut plain));
                parts.push(self.named(name)?.clone());
                rest = &rest[length..];
            } else {
                plain.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        push(&mut parts, plain);
        (parts.len() <= MOST).then_some(Self(parts))
    }

    /// The text if it has no named parts.
    pub fn literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text(text)] => Some(text),
            [] => Some(""),
            _ => None,
        }
    }

    /// The text before the first named part.
    pub fn beginning(&self) -> &str {
        match self.0.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        }
    }

    /// The folder of everything that a pattern matches: `/old/` of `/old/*`.
    pub fn folder(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text(text), Part::Rest(_)] if text.len() > 1 && text.ends_with('/') => {
                Some(text)
            }
            _ => None,
        }
    }

    /// Whether all its parts are known from another pattern.
    pub fn is_known_from(&self, other: &Self) -> bool {
        self.names()
            .all(|name| other.names().any(|known| known == name))
    }

    /// The pattern without this ending.
    #[must_use]
    pub fn without_end(mut self, end: &str) -> Self {
        if let Some(Part::Text(text)) = self.0.last_mut()
            && let Some(rest) = text.strip_suffix(end)
        {
            *text = rest.to_owned();
        }
        self
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Segment(name) | Part::Rest(name) => Some(name.as_str()),
        })
    }

    fn named(&self, wanted: &str) -> Option<&Part> {
        self.0
            .iter()
            .find(|part| matches!(part, Part::Segment(name) | Part::Rest(name) if name == wanted))
    }

    /// The texts of the named parts in an address.
    pub fn captures<'p, 'a>(&'p self, address: &'a str) -> Option<Vec<(&'p str, &'a str)>> {
        let (mut found, mut rest) = (Vec::new(), address);
        for (at, part) in self.0.iter().enumerate() {
            let next = match self.0.get(at + 1) {
                Some(Part::Text(text)) if !text.is_empty() => Some(text.as_str()),
                _ => None,
            };
            let (name, end) = match part {
                Part::Text(text) => {
                    rest = rest.strip_prefix(text.as_str())?;
                    continue;
                }
                Part::Segment(name) => {
                    let segment = rest.split('/').next().unwrap_or_default();
                    let end = match next {
                        Some(text) if !text.starts_with('/') => segment.find(text)?,
                        _ => segment.len(),
                    };
                    (name, end.max(1))
                }
                Part::Rest(name) => (
                    name,
                    next.map_or(Some(rest.len()), |text| rest.rfind(text))?,
                ),
            };
            let (text, after) = rest.split_at_checked(end)?;
            match found.iter().find(|(known, _)| known == name) {
                Some((_, known)) if *known != text => return None,
                _ => found.push((name.as_str(), text)),
            }
            rest = after;
        }
        rest.is_empty().then_some(found)
    }

    /// The address with these texts in place of its named parts.
    pub fn filled(&self, captures: &[(&str, &str)]) -> Option<String> {
        let mut filled = String::new();
        for part in &self.0 {
            filled.push_str(match part {
                Part::Text(text) => text,
                Part::Segment(name) | Part::Rest(name) => {
                    captures.iter().find(|(known, _)| known == name)?.1
                }
            });
        }
        Some(filled)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Segment(name) => write!(f, ":{name}")?,
                Part::Rest(name) => write!(f, ":{name}*")?,
            }
        }
        Ok(())
    }
}

fn push(parts: &mut Vec<Part>, text: String) {
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}

/// The name at the beginning of a text.
fn name(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        &text[..end]
    }
}

/// A reference at the beginning of a target: its name, and its length.
fn reference(text: &str, style: Style) -> Option<(&str, usize)> {
    if style == Style::Brackets {
        let inner = text.strip_prefix('[')?;
        let (inner, _) = inner.split_once(']')?;
        return Some((inner.trim_start_matches("..."), inner.len() + 2));
    }
    if let Some(rest) = text.strip_prefix(':') {
        let name = name(rest);
        let modifier = rest[name.len()..].starts_with(['*', '+']);
        return (!name.is_empty()).then_some((name, name.len() + 1 + usize::from(modifier)));
    }
    let rest = text.strip_prefix('$').filter(|_| style == Style::Express)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some((&rest[..digits], digits + 1))
}

fn splats(text: &str) -> Vec<Part> {
    let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        let name = name(after);
        match next {
            '*' => {
                push(&mut parts, std::mem::take(&mut plain));
                parts.push(Part::Rest(SPLAT.to_owned()));
                rest = after;
            }
            ':' if !name.is_empty() => {
                push(&mut parts, std::mem::take(&mut plain));
                parts.push(Part::Segment(name.to_owned()));
                rest = &after[name.len()..];
            }
            _ => {
                plain.push(next);
                rest = after;
            }
        }
    }
    push(&mut parts, plain);
    parts
}

/// path-to-regexp, as far as it consists of names, rests and plain text.
fn express(text: &str, style: Style) -> Option<Vec<Part>> {
    let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
    let mut unnamed = 0;
    while let Some(next) = rest.chars().next() {
        rest = &rest[next.len_utf8()..];
        match next {
            ':' if !name(rest).is_empty() => {
                let name = name(rest).to_owned();
                push(&mut parts, std::mem::take(&mut plain));
                rest = &rest[name.len()..];
                let whole = rest.strip_prefix("(.*)").or(rest.strip_prefix('*'));
                let part = match whole.or(rest.strip_prefix('+')) {
                    Some(after) => {
                        rest = after;
                        Part::Rest(name)
                    }
                    None if rest.starts_with(['(', '?', '{']) => return None,
                    None => Part::Segment(name),
                };
                parts.push(part);
            }
            '(' => {
                rest = rest
                    .strip_prefix(".*)")
                    .filter(|_| style == Style::Express)?;
                unnamed += 1;
                push(&mut parts, std::mem::take(&mut plain));
                parts.push(Part::Rest(unnamed.to_string()));
            }
            '\\' => {
                let escaped = rest.chars().next()?;
                plain.push(escaped);
                rest = &rest[escaped.len_utf8()..];
            }
            '*' | '?' | '+' | '{' | '}' | ')' | '[' | ']' => return None,
            _ => plain.push(next),
        }
    }
    push(&mut parts, plain);
    Some(parts)
}

fn brackets(text: &str) -> Option<Vec<Part>> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        let (name, after) = after.split_once(']')?;
        push(&mut parts, before.to_owned());
        parts.push(match name.strip_prefix("...") {
            Some(name) => Part::Rest(name.to_owned()),
            None => Part::Segment(name.to_owned()),
        });
        rest = after;
    }
    push(&mut parts, rest.to_owned());
    Some(parts)
}
