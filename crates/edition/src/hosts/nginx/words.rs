//! How nginx's configuration language quotes a word from the site.
//!
//! A word is made in three ways only: a literal, a pattern, a value with variables. So no text can
//! end a word, a line or a block, or name a variable.

use super::super::config_file::Word;
use super::super::pattern::Pattern;
use crate::resource::Digest;

/// nginx reads its files through a buffer of 4,096 bytes, in which a word must have room.
const LONGEST: usize = 4_000;

/// The beginning of all names of variables and locations of one site: a server may have several.
/// nginx takes at most 32 characters for the name of a captured part, which must not begin with a
/// digit, and 48 or so for that of a variable.
#[derive(Clone, Debug)]
pub(super) struct Names(String);

impl Names {
    /// The names of the site at this base URL.
    pub(super) fn of(base: &str) -> Self {
        let digest = Digest::of(base.as_bytes()).to_string();
        Self(format!("diglot_{}", &digest[..12]))
    }

    /// A name, without `$`.
    pub(super) fn name(&self, own: &str) -> String {
        format!("{}_{own}", self.0)
    }

    /// A variable to be defined (`$x`).
    pub(super) fn definition(&self, own: &str) -> Word {
        Word::new(format!("${}", self.name(own)), true)
    }

    /// The name of a location (`@twin`).
    pub(super) fn location(&self, own: &str) -> Word {
        quoted(&format!("@{}", self.name(own)))
    }

    /// The value of a variable.
    pub(super) fn value(&self, own: &str) -> Word {
        self.within("{}", own)
    }

    /// A value of ours with the value of a variable in the place of `{}`.
    pub(super) fn within(&self, template: &'static str, own: &str) -> Word {
        quoted(&template.replace("{}", &format!("${{{}}}", self.name(own))))
    }

    /// Parts of an encoded URL, or of header text made of such, with the value of a variable
    /// between them. `$` is `%24` there.
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

/// A literal where nginx looks for no variables: the path of a location, a media type, a suffix.
pub(super) fn literal(text: &str) -> Word {
    quoted(text)
}

/// A regular expression where nginx wants one: behind `location ~`.
pub(super) fn pattern(pattern: &Pattern) -> Word {
    quoted(pattern.as_str())
}

/// A regular expression as the key of a map.
pub(super) fn key(pattern: &Pattern) -> Word {
    quoted(&format!("~{}", pattern.as_str()))
}

/// A regular expression of ours as the key of a map.
pub(super) fn our_key(pattern: &'static str) -> Word {
    key(&Pattern::new(pattern))
}

/// A regular expression without regard to case as the key of a map.
pub(super) fn loose_key(pattern: &'static str) -> Word {
    quoted(&format!("~*{pattern}"))
}

/// A value that is one text. There is no way to write a `$` that begins no variable: such a text is
/// refused.
pub(super) fn text(text: &str) -> Word {
    quoted_if(text, !text.contains('$'))
}

/// A value that is one URL. `$` is `%24` there.
pub(super) fn url(url: &str) -> Word {
    quoted(&url.replace('$', "%24"))
}
