//! What a text of a collection has at a key that it does not have itself, as the schema of the
//! collections says: `z.boolean().default(true)`.

use crate::dialects::collections::configuration;
use crate::dialects::config::Usual;
use crate::dialects::evidence::Evidence;
use crate::model::text::decode;
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The file that defines the collections.
pub struct Schema {
    code: Option<Code<String>>,
}

impl Schema {
    pub fn find(evidence: &Evidence<'_>, source: &str) -> Self {
        let file = configuration(evidence, source);
        let text = file.map(|file| decode(&file.bytes, &file.path).0.into_owned());
        Self {
            code: text.map(Code::new),
        }
    }

    /// The value at a key of a text that has none; unknown if a schema does not name the key here.
    pub fn usual(&self, key: &str) -> Usual {
        let Some(code) = &self.code else {
            return Usual::Nothing;
        };
        let mut values = (0..code.count())
            .filter(|at| is_key(code, *at, key))
            .map(|at| default(code, at + 2));
        let Some(first) = values.next() else {
            let has_schema = (0..code.count()).any(|at| code.is_word(at, "schema"));
            return if has_schema {
                Usual::Unknown
            } else {
                Usual::Nothing
            };
        };
        // The key of another collection may have another value.
        if values.all(|value| value == first) {
            first
        } else {
            Usual::Unknown
        }
    }
}

/// Whether a token is this key, and a value follows it.
fn is_key(code: &Code<String>, at: usize, key: &str) -> bool {
    let is_named = match code.kind(at) {
        Some(TokenKind::Word) => code.source(at) == key,
        Some(TokenKind::Text) => unquoted(code.source(at)) == key,
        _ => false,
    };
    is_named && code.is(at + 1, ':')
}

/// The literal of `.default(…)` in an expression.
fn default(code: &Code<String>, at: usize) -> Usual {
    let end = code.expression_end(at, |_| false);
    let is_default = |at: &usize| {
        let is_named = code.is_word(*at, "default") || code.is_word(*at, "catch");
        is_named && code.is(at - 1, '.') && code.is(at + 1, '(')
    };
    let Some(named) = (at + 1..end).find(is_default) else {
        return Usual::Nothing;
    };
    match code.kind(named + 2) {
        Some(TokenKind::Text) => Usual::Value(unquoted(code.source(named + 2))),
        Some(TokenKind::Word) => Usual::Value(code.source(named + 2).to_owned()),
        Some(TokenKind::Sign('[')) => Usual::Nothing,
        _ => Usual::Unknown,
    }
}
