//! Matches opening and closing template tags.

use std::collections::BTreeMap;

use super::call::{ended, parts};
use super::token::{Inner, Token};

/// Tags whose content is kept unchanged.
pub const RAW: [&str; 2] = ["raw", "verbatim"];
/// Tags whose content is code.
const CODE: [&str; 6] = [
    "highlight",
    "codeblock",
    "code",
    "code-toggle",
    "prism",
    "mermaid",
];

/// How many open tags are searched for a partner.
const OPEN_TAGS: usize = 64;

/// The matched tags of a text.
pub struct Pairs<'a> {
    /// For each name the positions of its closing tags, so that one search finds the next.
    ends: BTreeMap<&'a str, Vec<usize>>,
    /// The partner of each tag.
    partners: Vec<Option<usize>>,
}

impl<'a> Pairs<'a> {
    pub fn of(tokens: &[Token<'a>]) -> Self {
        let mut ends = BTreeMap::<&str, Vec<usize>>::new();
        let mut partners = vec![None; tokens.len()];
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let Some((form, name, _)) = parts(token) else {
                continue;
            };
            let Some(ended) = ended(form, name) else {
                if open.len() >= OPEN_TAGS {
                    open.remove(0);
                }
                open.push((at, name));
                continue;
            };
            ends.entry(ended).or_default().push(at);
            if let Some(found) = opener(tokens, &open, ended) {
                let begun = open[found].0;
                partners[begun] = Some(at);
                partners[at] = Some(begun);
                open.truncate(found);
            }
        }
        Self { ends, partners }
    }

    /// The end of this tag, if its content contains no tags: `raw`, `comment`, code.
    pub fn end_of_literal(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let token = tokens.get(at)?;
        // `{{< code-toggle file=x />}}` has no content.
        if matches!(token.inner, Inner::Shortcode(inner) if inner.trim_end().ends_with('/')) {
            return None;
        }
        let (_, name, _) = parts(token)?;
        if name != "comment" && !RAW.contains(&name) && !CODE.contains(&name) {
            return None;
        }
        let ends = self.ends.get(name)?;
        ends.get(ends.partition_point(|end| *end <= at)).copied()
    }

    /// The partner of this tag.
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }
}

/// The innermost open tag that a closing tag of this name ends. In Zola a plain `{% end %}` closes
/// a tag with the syntax of a function call.
fn opener(tokens: &[Token<'_>], open: &[(usize, &str)], ended: &str) -> Option<usize> {
    open.iter().rposition(|(at, name)| {
        if ended.is_empty() {
            is_function(&tokens[*at])
        } else {
            *name == ended
        }
    })
}

/// Whether a tag has the syntax of a function call: `{% name(key="value") %}`.
fn is_function(token: &Token<'_>) -> bool {
    let (Inner::Tag(inner), Some((_, name, _))) = (token.inner, parts(token)) else {
        return false;
    };
    inner.trim_start()[name.len()..].starts_with('(')
}
