//! A parsed JSX tag and its conversions.

use super::literal::{Braces, LONGEST_EXPRESSION, literal, named_file, unbraced};
use crate::dialects::code::Code;
use crate::dialects::markup::is_id;
use crate::dialects::tags::callout::is_details;
use crate::dialects::tags::common::{fields, is_component};
use crate::model::bounds;
use crate::model::document::callout_kind;
use crate::model::text::one_line;
use crate::syntax::html::is_void;

/// Prefixes of attributes that Vue evaluates.
pub const BOUND: [char; 3] = ['@', ':', '#'];

/// A tag of JSX.
pub struct Tag<'a> {
    pub name: &'a str,
    pub closes: bool,
    pub empty: bool,
    /// Names and values as written, without quotes, with braces.
    pub attributes: Vec<(&'a str, &'a str)>,
    pub length: usize,
}

impl<'a> Tag<'a> {
    /// The next tag outside code, and where it begins, at or after a position.
    pub fn next(text: &'a str, code: &mut Code<'_>, mut at: usize) -> Option<(usize, Self)> {
        let mut braces = Braces::default();
        while !bounds::is_over()
            && let Some(step) = memchr::memchr(b'<', &text.as_bytes()[at..])
        {
            at += step;
            if let Some(code) = code.at(at) {
                at = code.end;
                continue;
            }
            let before = &text[..at];
            let backslashes = before.len() - before.trim_end_matches('\\').len();
            let is_escaped = backslashes % 2 == 1;
            if let Some(tag) = Self::among(&text[at..], &mut braces).filter(|_| !is_escaped) {
                return Some((at, tag));
            }
            at += 1;
        }
        None
    }

    /// Parses the tag at the start of a text.
    pub fn parse(text: &'a str) -> Option<Self> {
        Self::among(text, &mut Braces::default())
    }

    /// Parses the tag at the start of the rest of a text, in which these braces were found.
    pub fn among(text: &'a str, braces: &mut Braces) -> Option<Self> {
        let closes = text[1..].starts_with('/');
        let mut at = 1 + usize::from(closes);
        let name = word(&text[at..]);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.contains(BOUND) {
            return None;
        }
        at += name.len();
        let mut attributes = Vec::new();
        loop {
            let rest = text[at..].trim_start();
            at = text.len() - rest.len();
            if at > LONGEST_EXPRESSION {
                return None;
            }
            if rest.starts_with('>') {
                return Some(Self {
                    name,
                    closes,
                    empty: false,
                    attributes,
                    length: at + 1,
                });
            }
            if rest.starts_with("/>") {
                return Some(Self {
                    name,
                    closes,
                    empty: true,
                    attributes,
                    length: at + 2,
                });
            }
            if rest.starts_with('{') {
                at += braces.length(rest)?;
                continue;
            }
            let key = word(rest);
            if key.is_empty() {
                return None;
            }
            at += key.len();
            let mut value = "";
            if let Some(assigned) = text[at..].strip_prefix('=') {
                let length = value_length(assigned, braces)?;
                value = &assigned[..length];
                at += 1 + length;
            }
            attributes.push((
                key,
                value
                    .strip_prefix(['"', '\''])
                    .map_or(value, |quoted| &quoted[..quoted.len() - 1]),
            ));
        }
    }

    /// The value of an attribute as written.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let (_, value) = self.attributes.iter().find(|(own, _)| *own == name)?;
        Some(value)
    }

    /// The attributes that are literals.
    pub fn texts(&self) -> impl Iterator<Item = (&'a str, String)> {
        self.attributes.iter().filter_map(|(name, value)| {
            let text = match unbraced(value) {
                Some(expression) => literal(expression).or(named_file(expression))?,
                None => value,
            };
            Some((*name, one_line(text)))
        })
    }

    /// The first attribute with one of these names that is a literal.
    pub fn text(&self, names: &[&str]) -> Option<String> {
        let (_, text) = self.texts().find(|(name, _)| names.contains(name))?;
        Some(text)
    }

    /// The id that a component gives to its place on the page. An empty one has an `id` for other
    /// things: a video, a message.
    pub fn place(&self) -> Option<String> {
        let names: &[&str] = match (self.closes, self.empty) {
            (true, _) => return None,
            (false, true) => &["titleId", "permalink", "anchor"],
            (false, false) => &["id", "titleId", "permalink", "anchor"],
        };
        let id = self.text(names).filter(|id| is_id(id));
        id.or_else(|| self.place_of_field())
    }

    /// The id of a parameter of an API.
    fn place_of_field(&self) -> Option<String> {
        let component = self.name.to_ascii_lowercase();
        let is_field = fields::COMPONENTS.contains(&&*component);
        is_field.then(|| fields::id(&self.text(fields::NAMES)?))?
    }

    /// The tag as a shortcode known to the table of common tags.
    pub fn shortcode(&self, title: Option<String>) -> String {
        // `Tabs.Tab` is a `Tab`.
        let own = self.name.rsplit('.').next().unwrap_or(self.name);
        let lower = own.to_ascii_lowercase();
        let known = callout_kind(&lower).is_some() || is_details(&lower) || is_component(&lower);
        let name = if known { lower.as_str() } else { self.name };
        if self.closes {
            return format!("{{{{< /{name} >}}}}");
        }
        let mut attributes = String::new();
        for (name, text) in self.texts() {
            if !name.starts_with(BOUND) && !text.contains("}}") {
                attributes.push_str(&format!(" {name}=\"{}\"", text.replace('"', "”")));
            }
        }
        if let Some(title) = title {
            attributes.push_str(&format!(
                " label=\"{}\"",
                title.replace('"', "”").replace("}}", "")
            ));
        }
        // An empty element has no content between its tags.
        format!("{{{{< {name}{attributes} >}}}}")
    }

    /// The tag as HTML, with literal attributes only. HTML has no empty tags but those of void
    /// elements.
    pub fn html(&self) -> String {
        let name = self.name;
        if self.closes {
            return format!("</{name}>");
        }
        let mut attributes = String::new();
        for (name, text) in self.texts() {
            if !name.starts_with(BOUND) && !name.starts_with("v-") {
                let name = if name == "className" { "class" } else { name };
                attributes.push_str(&format!(" {name}=\"{}\"", text.replace('"', "&quot;")));
            }
        }
        match (self.empty, is_void(name)) {
            (true, true) => format!("<{name}{attributes} />"),
            (true, false) => format!("<{name}{attributes}></{name}>"),
            (false, _) => format!("<{name}{attributes}>"),
        }
    }
}

/// The name of a tag or an attribute at the start of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| {
        !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@' | '#'))
    });
    &text[..end.unwrap_or(text.len())]
}

/// The length of an attribute's value, with its quotes or braces.
fn value_length(text: &str, braces: &mut Braces) -> Option<usize> {
    match text.chars().next()? {
        '{' => braces.length(text),
        quote @ ('"' | '\'') => Some(text[1..].find(quote)? + 2),
        _ => None,
    }
}
