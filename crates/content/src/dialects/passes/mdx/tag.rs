//! A tag of JSX as it is written, and the literals in it.

use super::{DEEPEST_BRACES, LONGEST};
use crate::dialects::tags::{callout, shared};
use crate::model::document::callout_kind;

/// What begins an attribute that Vue evaluates.
pub(super) const BOUND: [char; 3] = ['@', ':', '#'];

/// The length of what begins with a brace, up to the brace that closes it.
pub(super) fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < LONGEST) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"' | '\''), '\n') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if !text[..at].ends_with(char::is_alphanumeric) => quote = Some(c),
            (None, '{') if depth == DEEPEST_BRACES => return None,
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text of a literal.
pub(super) fn literal(expression: &str) -> Option<&str> {
    let number = !expression.is_empty() && expression.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if number {
        return Some(expression);
    }
    ['"', '\'', '`'].into_iter().find_map(|quote| {
        let inner = expression.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote) && !inner.contains("${")).then_some(inner)
    })
}

/// A tag of JSX.
pub(in crate::dialects) struct Tag<'a> {
    pub(in crate::dialects) name: &'a str,
    pub(in crate::dialects) closes: bool,
    pub(in crate::dialects) empty: bool,
    /// Names and values as written, quotes off and braces on.
    pub(in crate::dialects) attributes: Vec<(&'a str, &'a str)>,
    pub(in crate::dialects) length: usize,
}

impl<'a> Tag<'a> {
    pub(in crate::dialects) fn of(text: &'a str) -> Option<Self> {
        let closes = text[1..].starts_with('/');
        let mut at = 1 + usize::from(closes);
        let word = |at: usize| {
            text[at..].find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@' | '#'))).unwrap_or(text.len() - at)
        };
        let name = &text[at..at + word(at)];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.contains([':', '@', '#']) {
            return None;
        }
        at += name.len();
        let mut attributes = Vec::new();
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            if at > LONGEST {
                return None;
            }
            let rest = &text[at..];
            if rest.starts_with('>') {
                return Some(Self { name, closes, empty: false, attributes, length: at + 1 });
            }
            if rest.starts_with("/>") {
                return Some(Self { name, closes, empty: true, attributes, length: at + 2 });
            }
            if rest.starts_with('{') {
                at += balanced(rest)?;
                continue;
            }
            let key = &text[at..at + word(at)];
            if key.is_empty() {
                return None;
            }
            at += key.len();
            let Some(value) = text[at..].strip_prefix('=') else {
                attributes.push((key, ""));
                continue;
            };
            let (value, length) = match value.as_bytes().first()? {
                b'{' => balanced(value).map(|length| (&value[..length], length))?,
                quote @ (b'"' | b'\'') => {
                    let end = value[1..].find(char::from(*quote))?;
                    (&value[1..=end], end + 2)
                }
                _ => return None,
            };
            attributes.push((key, value));
            at += 1 + length;
        }
    }

    /// The text of an attribute, where it is a literal.
    pub(in crate::dialects) fn texts(&self) -> impl Iterator<Item = (&'a str, String)> {
        self.attributes.iter().filter_map(|(name, value)| {
            let text = match value.strip_prefix('{').and_then(|value| value.strip_suffix('}')) {
                Some(expression) => literal(expression.trim())?,
                None => value,
            };
            Some((*name, crate::model::text::one_line(text)))
        })
    }

    /// The same as a tag that the table of common ones knows.
    pub(super) fn shortcode(&self, title: Option<String>) -> String {
        let lower = self.name.to_ascii_lowercase();
        let known = callout_kind(&lower).is_some() || callout::is_details(&lower) || shared::is_component(&lower);
        let name = if known { lower.as_str() } else { self.name };
        if self.closes {
            return format!("{{{{< /{name} >}}}}");
        }
        let attributes: String = self
            .texts()
            .filter(|(name, text)| !name.starts_with(BOUND) && !text.contains("}}"))
            .map(|(name, text)| format!(" {name}=\"{}\"", text.replace('"', "”")))
            .collect();
        let attributes = match title {
            Some(title) => format!("{attributes} label=\"{}\"", title.replace('"', "”").replace("}}", "")),
            None => attributes,
        };
        // Nothing stands between the two ends of an empty element.
        format!("{{{{< {name}{attributes} >}}}}")
    }

    /// The same as HTML, without what is no literal.
    pub(super) fn html(&self) -> String {
        let name = self.name;
        if self.closes {
            return format!("</{name}>");
        }
        let attributes: String = self
            .texts()
            .filter(|(name, _)| !name.starts_with(BOUND) && !name.starts_with("v-"))
            .map(|(name, text)| {
                let name = if name == "className" { "class" } else { name };
                format!(" {name}=\"{}\"", text.replace('"', "&quot;"))
            })
            .collect();
        format!("<{name}{attributes}{}>", if self.empty { " /" } else { "" })
    }
}
