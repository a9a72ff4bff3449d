//! What a tag is called, what it is given, and where what it begins ends.

use std::collections::BTreeMap;

use crate::dialects::tags::token::{Inner, Token};
use crate::dialects::{Call, Form};

/// Tags between which everything is kept as it is.
pub(super) const RAW: [&str; 2] = ["raw", "verbatim"];
/// Tags between which there is code.
const CODE: [&str; 6] = ["highlight", "codeblock", "code", "code-toggle", "prism", "mermaid"];

/// How many tags may be open while the partner of one is looked for.
const OPEN_TAGS: usize = 64;

/// Where tags end: for each name the positions of its end tags, so that each is found by one search, and for each tag its partner.
pub(in crate::dialects) struct Ends<'a> {
    positions: BTreeMap<&'a str, Vec<usize>>,
    partners: Vec<Option<usize>>,
}

impl<'a> Ends<'a> {
    pub(in crate::dialects) fn of(tokens: &[Token<'a>]) -> Self {
        let mut positions = BTreeMap::<&str, Vec<usize>>::new();
        let mut partners = vec![None; tokens.len()];
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = tag_name(token) else { continue };
            let ended = match token.inner {
                Inner::Shortcode(_) => name.strip_prefix('/'),
                // Markdoc ends its tags as HTML does.
                _ => name.strip_prefix("end").or_else(|| name.strip_prefix('/')),
            };
            let Some(ended) = ended else {
                if open.len() >= OPEN_TAGS {
                    open.remove(0);
                }
                open.push((at, name));
                continue;
            };
            positions.entry(ended).or_default().push(at);
            // Zola ends what it calls like a function by a plain `{% end %}`.
            let begins = |begun: usize, name: &str| if ended.is_empty() { is_function(&tokens[begun]) } else { name == ended };
            if let Some(found) = open.iter().rposition(|(begun, name)| begins(*begun, name)) {
                partners[open[found].0] = Some(at);
                partners[at] = Some(open[found].0);
                open.truncate(found);
            }
        }
        Self { positions, partners }
    }

    /// Where what this tag begins ends, if nothing in it is a tag: `raw`, `comment`, code.
    pub(in crate::dialects) fn of_literal(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let token = tokens.get(at)?;
        // `{{< code-toggle file=x />}}` has nothing in it.
        if matches!(token.inner, Inner::Shortcode(inner) if inner.trim_end().ends_with('/')) {
            return None;
        }
        let name = tag_name(token).filter(|name| *name == "comment" || RAW.contains(name) || CODE.contains(name))?;
        self.after(name, at)
    }

    fn after(&self, name: &str, at: usize) -> Option<usize> {
        let ends = self.positions.get(name)?;
        ends.get(ends.partition_point(|end| *end <= at)).copied()
    }

    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }
}

/// The name of a `{% tag %}` or a shortcode.
pub(super) fn tag_name<'a>(token: &Token<'a>) -> Option<&'a str> {
    match token.inner {
        Inner::Tag(inner) => Some(named(Form::Tag, inner).name),
        Inner::Shortcode(inner) => Some(named(Form::Shortcode, inner).name),
        _ => None,
    }
}

/// Whether a tag is written like a function: `{% name(key="value") %}`.
fn is_function(token: &Token<'_>) -> bool {
    matches!(token.inner, Inner::Tag(inner) if tag_name(token).is_some_and(|name| inner.trim_start()[name.len()..].starts_with('(')))
}

/// A token as a call; `None` for comments and what is only shown.
pub(in crate::dialects) fn call<'a>(inner: &Inner<'a>, paired: bool) -> Option<Call<'a>> {
    let call = match inner {
        Inner::Output(inner) => output(inner),
        Inner::Tag(inner) => named(Form::Tag, inner),
        Inner::Shortcode(inner) => named(Form::Shortcode, inner),
        Inner::Shown(_) | Inner::Comment => return None,
    };
    Some(Call { paired, ..call })
}

/// Divides `name arguments`.
pub(super) fn named(form: Form, inner: &str) -> Call<'_> {
    let inner = inner.trim().trim_end_matches('/').trim_end();
    let end =
        inner.char_indices().skip(1).find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))).map_or(inner.len(), |(at, _)| at);
    let (name, arguments) = inner.split_at(end);
    let arguments = arguments.trim();
    let inside = arguments.strip_prefix('(').and_then(|arguments| arguments.strip_suffix(')')).filter(|_| form == Form::Tag);
    Call { form, name, arguments: inside.unwrap_or(arguments), paired: false }
}

/// An output is named by its last filter, else by its expression.
pub(super) fn output(inner: &str) -> Call<'_> {
    let last = inner.rsplit('|').next().unwrap_or_default().trim();
    let end = last.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(last.len());
    Call { form: Form::Output, name: if end == 0 { last } else { &last[..end] }, arguments: inner, paired: false }
}
