//! What was read so far, and the lines written for it.

use crate::dialects::passes::files::Files;
use crate::dialects::scan::{Line, Output};
use crate::dialects::tags::callout;
use crate::model::text::shorten;

#[derive(Default)]
pub struct State<'a> {
    pub out: Output,
    /// The files of the folder.
    pub files: Option<&'a Files<'a>>,
    /// The way from the page to the root of the folder: `../`.
    pub way: String,
    /// Problems for the author, by the line of the text.
    pub remarks: Vec<(usize, String)>,
    /// DocFX: lines of a quotation that only styles its content.
    pub unquote: bool,
    /// DocFX: a tab is open, and the rule that ends all tabs was not read yet.
    pub in_tabs: bool,
    /// `::: code-group`: the number of colons that opened it.
    pub code_group: Option<usize>,
    /// mkdocstrings: options of a name may follow.
    pub inside_docs: bool,
    /// pymdownx: a `///` block is open, and its options may follow.
    pub options: bool,
}

impl State<'_> {
    /// Reports that nothing in the folder has a `uid`.
    pub fn miss(&mut self, uid: &str, line: usize) {
        let uid = shorten(uid, 200);
        self.remarks
            .push((line, format!("no text of the folder has the `uid` `{uid}`")));
    }

    /// A title in bold between blank lines.
    pub fn label(&mut self, line: &Line<'_>, title: &str, source: usize) {
        let bare = line.prefix.trim_end();
        self.out.push(bare, source);
        self.out
            .push(format!("{}{}", line.prefix, callout::label(title)), source);
        self.out.push(bare, source);
    }
}

/// The parts of a line between backticks. One in an autolink is a part of it (CommonMark 6.5).
fn split_at_marks(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(length) = text[at..].find(['`', '<']) {
        at += length;
        let is_outside = parts.len() % 2 == 0;
        if text.as_bytes()[at] == b'`' {
            parts.push(&text[start..at]);
            start = at + 1;
            at = start;
        } else {
            at += autolink(&text[at..]).filter(|_| is_outside).unwrap_or(1);
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The length of the autolink that a text begins with.
fn autolink(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?;
    // Where another may begin, the search ends: a line full of `<` is read once.
    let end = rest.find(['>', '<', ' ', '\t', '\n'])?;
    let (scheme, _) = rest[..end].split_once(':')?;
    let is_scheme = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_scheme && rest[end..].starts_with('>')).then_some(end + 2)
}

/// Rewrites a line except for its code spans.
pub fn outside_spans(text: &str, write: &mut dyn FnMut(&str) -> String) -> String {
    let parts = split_at_marks(text);
    if parts.len().is_multiple_of(2) {
        return write(text);
    }
    let mut written = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        written.push(if at % 2 == 0 {
            write(part)
        } else {
            part.to_owned()
        });
    }
    written.join("`")
}
