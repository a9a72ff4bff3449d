//! Matches opening and closing template tags.

use std::collections::BTreeMap;

use super::call::{Form, ended, parts};
use super::token::{Inner, Token};

/// Tags whose content is kept unchanged.
pub const RAW: [&str; 2] = ["raw", "verbatim"];
/// Tags whose content is code.
pub const CODE: [&str; 6] = [
    "highlight",
    "codeblock",
    "code",
    "code-toggle",
    "prism",
    "mermaid",
];

/// The matched tags of a text.
pub struct Pairs<'a> {
    /// For each name the positions of its closing tags, so that one search finds the next.
    ends: BTreeMap<&'a str, Vec<usize>>,
    /// The partner of each tag.
    partners: Vec<Option<usize>>,
}

impl<'a> Pairs<'a> {
    pub fn find(tokens: &[Token<'a>]) -> Self {
        let mut ends = BTreeMap::<&str, Vec<usize>>::new();
        let mut partners = vec![None; tokens.len()];
        let mut open = Open::default();
        for (at, token) in tokens.iter().enumerate() {
            let Some((form, name, _)) = parts(token) else {
                continue;
            };
            let Some(ended) = ended(form, name) else {
                open.push(at, name, is_function(token));
                continue;
            };
            ends.entry(ended).or_default().push(at);
            if let Some(begun) = open.close(ended) {
                partners[begun] = Some(at);
                partners[at] = Some(begun);
            }
        }
        Self { ends, partners }
    }

    /// The end of this tag, if its content contains no tags: `raw`, `comment`, code. `own` tells which
    /// shortcodes of the site hold code.
    pub fn end_of_literal(
        &self,
        tokens: &[Token<'_>],
        at: usize,
        own: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let token = tokens.get(at)?;
        // `{{< code-toggle file=x />}}` has no content.
        if matches!(token.inner, Inner::Shortcode(inner) if inner.trim_end().ends_with('/')) {
            return None;
        }
        let (form, name, _) = parts(token)?;
        let is_own = form == Form::Shortcode && own(name);
        // Hugo pairs shortcodes of the site with their ends, also inside others of the same name.
        if is_own && let Some(end) = self.partner(at) {
            return Some(end).filter(|end| *end > at);
        }
        let is_literal = name == "comment" || RAW.contains(&name) || CODE.contains(&name);
        if !is_literal && !is_own {
            return None;
        }
        let ends = self.ends.get(name)?;
        ends.get(ends.partition_point(|end| *end <= at)).copied()
    }

    /// The partner of this tag.
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }

    /// The partner of this tag, if it is behind the tag.
    pub fn partner_behind(&self, at: usize) -> Option<usize> {
        self.partner(at).filter(|end| *end > at)
    }
}

/// The tags that may still be closed. However many there are, each is pushed and taken once.
#[derive(Default)]
struct Open<'a> {
    /// All of them, in order.
    tags: Vec<usize>,
    /// Those of each name, and those with the syntax of a function call under an empty one: in Zola
    /// a plain `{% end %}` closes them. Some of these are no longer open.
    by_name: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Open<'a> {
    fn push(&mut self, at: usize, name: &'a str, is_function: bool) {
        self.tags.push(at);
        self.by_name.entry(name).or_default().push(at);
        if is_function {
            self.by_name.entry("").or_default().push(at);
        }
    }

    /// The innermost tag that a closing tag of this name ends. Those inside it are not closed any
    /// more.
    fn close(&mut self, ended: &str) -> Option<usize> {
        let named = self.by_name.get_mut(ended)?;
        while let Some(at) = named.pop() {
            if let Ok(place) = self.tags.binary_search(&at) {
                self.tags.truncate(place);
                return Some(at);
            }
        }
        None
    }
}

/// Whether a tag has the syntax of a function call: `{% name(key="value") %}`.
fn is_function(token: &Token<'_>) -> bool {
    let (Inner::Tag(inner), Some((_, name, _))) = (token.inner, parts(token)) else {
        return false;
    };
    inner.trim_start()[name.len()..].starts_with('(')
}
