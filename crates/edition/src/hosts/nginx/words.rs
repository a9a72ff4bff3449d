//! Quotes words from the site for nginx's configuration language.
//!
//! A word is a literal, a pattern or a value with variables. So no text can end a word, a line or a
//! block, or name a variable.

use super::super::config_file::Word;
use super::super::pattern::Pattern;
use crate::resource::Digest;

/// The maximum length of a word: nginx's parse buffer has 4,096 bytes.
const LONGEST: usize = 4_000;

/// The prefix of a site's variable and location names: a server may have several sites. nginx
/// limits a capture name to 32 characters, not starting with a digit, and a variable name to about
/// 48.
#[derive(Clone, Debug)]
pub(super) struct Names(String);

impl Names {
    /// The names of the site at this base URL.
    pub(super) fn new(base: &str) -> Self {
        let digest = Digest::hash(base.as_bytes()).to_string();
        Self(format!("diglot_{}", &digest[..12]))
    }

    /// A name, without `$`.
    pub(super) fn name(&self, own: &str) -> String {
        format!("{}_{own}", self.0)
    }

    /// A variable definition (`$x`).
    pub(super) fn definition(&self, own: &str) -> Word {
        Word::new(format!("${}", self.name(own)), true)
    }

    /// A location name (`@twin`).
    pub(super) fn location(&self, own: &str) -> Word {
        quoted(&format!("@{}", self.name(own)))
    }

    /// The value of a variable.
    pub(super) fn value(&self, own: &str) -> Word {
        self.within("{}", own)
    }

    /// A constant with a variable's value in place of `{}`.
    pub(super) fn within(&self, template: &'static str, own: &str) -> Word {
        quoted(&template.replace("{}", &format!("${{{}}}", self.name(own))))
    }

    /// Parts of an encoded URL, or of header text made of URLs, with a variable's value in between.
    /// `$` is `%24` there.
    pub(super) fn between<'p>(&self, parts: impl Iterator<Item = &'p str>, own: &str) -> Word {
        let parts: Vec<String> = parts.map(|part| part.replace('$', "%24")).collect();
        quoted(&parts.join(&format!("${{{}}}", self.name(own))))
    }
}

fn quoted(text: &str) -> Word {
    quoted_if(text, true)
}

fn quoted_if(text: &str, is_sound: bool) -> Word {
    let text = format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""));
    let is_sound = is_sound && text.len() <= LONGEST && !text.contains(char::is_control);
    Word::new(text, is_sound)
}

/// A literal where nginx expands no variables: a location's path, a media type, a suffix.
pub(super) fn literal(text: &str) -> Word {
    quoted(text)
}

/// A regular expression after `location ~`.
pub(super) fn pattern(pattern: &Pattern) -> Word {
    quoted(pattern.as_str())
}

/// A regular expression as a map key.
pub(super) fn key(pattern: &Pattern) -> Word {
    quoted(&format!("~{}", pattern.as_str()))
}

/// A constant regular expression as a map key.
pub(super) fn our_key(pattern: &'static str) -> Word {
    key(&Pattern::new(pattern))
}

/// A case-insensitive regular expression as a map key.
pub(super) fn loose_key(pattern: &'static str) -> Word {
    quoted(&format!("~*{pattern}"))
}

/// A constant value. nginx cannot escape `$`, so a text with one is refused.
pub(super) fn text(text: &str) -> Word {
    quoted_if(text, !text.contains('$'))
}

/// A URL as a value. `$` is `%24` there.
pub(super) fn url(url: &str) -> Word {
    quoted(&url.replace('$', "%24"))
}

/// A URL with the captures of a location's expression between its parts.
pub(super) fn numbered(parts: &[String]) -> Word {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(&format!("${at}"));
        }
        text.push_str(&part.replace('$', "%24"));
    }
    quoted(&text)
}
