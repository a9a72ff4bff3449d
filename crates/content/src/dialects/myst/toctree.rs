//! Tables of contents: the directive `toctree`.

use super::directive::{Directive, end_of, rows, within};
use super::fence::Fence;
use super::named;

/// What every text with a table of contents contains.
pub const SIGN: &str = "{toctree}";
/// The page itself, as an entry.
const SELF: &str = "self";

/// A table of contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toctree {
    pub caption: Option<String>,
    /// Whether names may be patterns.
    pub glob: bool,
    pub entries: Vec<Entry>,
}

/// An entry of a table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub title: Option<String>,
    /// The name of a text, an address, or a pattern.
    pub target: String,
    /// The line of the text, from 0.
    pub line: usize,
}

impl Toctree {
    /// The table that a directive is.
    pub fn from_directive(directive: &Directive) -> Self {
        let caption = directive.option("caption").filter(|text| !text.is_empty());
        let lines = directive.body.iter();
        Self {
            caption: caption.map(str::to_owned),
            glob: directive.option("glob").is_some(),
            entries: lines
                .filter_map(|row| {
                    let (title, target) = named(&row.text);
                    (!target.is_empty() && target != SELF).then(|| Entry {
                        title: title.map(str::to_owned),
                        target: target.to_owned(),
                        line: row.source,
                    })
                })
                .collect(),
        }
    }
}

/// The tables of contents of a text, in their order; those in other directives, too.
pub fn toctrees(text: &str) -> Vec<Toctree> {
    let rows: Vec<_> = rows(text, |number| number).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        at += 1;
        let fence = Fence::parse(&row.text).filter(|fence| !fence.is_span());
        let Some(fence) = fence else { continue };
        match fence.directive() {
            Some(("toctree", arguments)) => {
                let end = end_of(&rows, at - 1, &fence);
                let inner = rows[at..end].iter().map(|row| within(row, usize::MAX));
                let directive = Directive::parse("toctree", arguments, inner.collect(), row.source);
                found.push(Toctree::from_directive(&directive));
                at = end + 1;
            }
            None if fence.is_code() && !fence.is_bare() => at = end_of(&rows, at - 1, &fence) + 1,
            _ => {}
        }
    }
    found
}
