//! Tables of contents: the directive `toctree`.

use super::directive::{Directive, Row, rows, within};
use super::named;
use super::nesting::{Line, Nesting};

/// What every text with a table of contents contains.
pub const SIGN: &str = "{toctree}";
/// The name of the directive.
const NAME: &str = "toctree";
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
    let rows: Vec<Row> = rows(text, |number| number).collect();
    let mut nesting = Nesting::default();
    let mut found = Vec::new();
    // The line that opens a table, and its arguments.
    let mut open: Option<(usize, &str)> = None;
    for (at, row) in rows.iter().enumerate() {
        match nesting.read(&row.text) {
            Line::Directive(fence, NAME, arguments) => {
                open = Some((at, arguments));
                nesting.skip(fence);
            }
            Line::Directive(fence, ..) => nesting.enter(fence),
            Line::End => found.extend(open.take().map(|open| table(&rows[..at], open))),
            Line::Text | Line::Other => {}
        }
    }
    found.extend(open.map(|open| table(&rows, open)));
    found
}

/// The table of the last rows, whose first one is here and has these arguments.
fn table(rows: &[Row], (first, arguments): (usize, &str)) -> Toctree {
    let inner = rows[first + 1..].iter().map(|row| within(row, usize::MAX));
    let source = rows[first].source;
    let directive = Directive::parse(NAME, arguments, inner.collect(), source);
    Toctree::from_directive(&directive)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<String> {
        let entries = toctrees(text).into_iter().flat_map(|table| table.entries);
        entries.map(|entry| entry.target).collect()
    }

    #[test]
    fn tables_are_found_in_directives_and_not_in_code() {
        for (text, expected) in [
            (
                "```{toctree}\n:maxdepth: 1\n\na\nWords <b>\n```\n",
                &["a", "b"][..],
            ),
            ("```{toctree}\na", &["a"]),
            (
                "::::{note}\n:::{toctree}\na\n:::\n```{toctree}\nb\n```\n::::\n",
                &["a", "b"],
            ),
            ("```\nx\n```\n```{toctree}\na\n```\n", &["a"]),
            // Code may begin with a fence that has no words.
            ("~~~\n```{toctree}\na\n```\n~~~\n", &[]),
            ("````md\n```{toctree}\na\n```\n````\n", &[]),
            ("Write ```{toctree}``` for it.\n```{toctree}` `\na\n", &[]),
        ] {
            assert_eq!(targets(text), expected, "{text}");
        }
    }
}
