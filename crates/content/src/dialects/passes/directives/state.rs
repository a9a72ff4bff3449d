//! What was read so far, and what was written for it.

use crate::dialects::passes::scan::{Line, Output};
use crate::dialects::tags::callout;

#[derive(Default)]
pub struct State {
    pub out: Output,
    /// DocFX: lines of a quotation that is only the look of what it holds.
    pub unquote: bool,
    /// DocFX: a tab was opened, and the rule that ends them all was not read yet.
    pub in_tabs: bool,
    /// `::: code-group`: how many colons opened it.
    pub code_group: Option<usize>,
    /// mkdocstrings: options of a name may follow.
    pub inside_docs: bool,
    /// pymdownx: a `///` block was opened, and its options may follow.
    pub options: bool,
}

impl State {
    /// A title in bold, with room around it.
    pub fn label(&mut self, line: &Line<'_>, title: &str, source: usize) {
        let bare = line.prefix.trim_end();
        self.out.push(bare, source);
        self.out
            .push(format!("{}{}", line.prefix, callout::label(title)), source);
        self.out.push(bare, source);
    }
}

/// Writes a line anew, but not its spans of code.
pub fn outside_spans(text: &str, write: fn(&str) -> String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
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
