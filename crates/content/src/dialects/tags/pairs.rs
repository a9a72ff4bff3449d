//! Which template tags belong together: a tag that begins something, and the one that ends it.

use std::collections::BTreeMap;

use super::call::{ended, parts};
use super::token::{Inner, Token};

/// Tags between which everything is kept as it is.
pub const RAW: [&str; 2] = ["raw", "verbatim"];
/// Tags between which there is code.
const CODE: [&str; 6] = [
    "highlight",
    "codeblock",
    "code",
    "code-toggle",
    "prism",
    "mermaid",
];

/// How many tags may be open while the partner of one is looked for.
const OPEN_TAGS: usize = 64;

/// The pairs among the tags of a text.
pub struct Pairs<'a> {
    /// For each name the positions of its end tags, so that one search finds the next.
    ends: BTreeMap<&'a str, Vec<usize>>,
    /// For each tag its partner.
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

    /// Where this tag ends, if nothing inside is a tag: `raw`, `comment`, code.
    pub fn end_of_literal(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let token = tokens.get(at)?;
        // `{{< code-toggle file=x />}}` has nothing inside.
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

    /// The tag that begins or ends with this one.
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }
}

/// The innermost open tag that a tag of this name ends. Zola ends a tag that is written like a
/// function by a plain `{% end %}`.
fn opener(tokens: &[Token<'_>], open: &[(usize, &str)], ended: &str) -> Option<usize> {
    open.iter().rposition(|(at, name)| {
        if ended.is_empty() {
            is_function(&tokens[*at])
        } else {
            *name == ended
        }
    })
}

/// Whether a tag is written like a function: `{% name(key="value") %}`.
fn is_function(token: &Token<'_>) -> bool {
    let (Inner::Tag(inner), Some((_, name, _))) = (token.inner, parts(token)) else {
        return false;
    };
    inner.trim_start()[name.len()..].starts_with('(')
}
