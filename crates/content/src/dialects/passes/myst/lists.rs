//! Directives whose content is a list with a meaning of its own.

use super::place;
use super::table::{self, Cells};
use crate::dialects::markup;
use crate::dialects::myst::directive::{Directive, Row, blank, is_blank};
use crate::dialects::myst::toctree::{Entry, Toctree};
use crate::dialects::passes::page::Page;
use crate::dialects::tags::callout;

/// A table of contents: links to its texts, under their titles.
pub fn contents(directive: &Directive, page: &Page<'_>) -> Vec<Row> {
    if directive.option("hidden").is_some() {
        return Vec::new();
    }
    let Toctree {
        caption, entries, ..
    } = Toctree::from_directive(directive);
    let items = entries.into_iter().filter_map(|entry| {
        Some(Row {
            text: item(&entry, page)?,
            source: entry.line,
        })
    });
    let items: Vec<Row> = items.collect();
    match caption.filter(|_| !items.is_empty()) {
        Some(caption) => {
            let caption = directive.row(callout::label(&caption));
            [vec![caption, blank(directive.source)], items].concat()
        }
        None => items,
    }
}

/// A link to a text; `None`: the entry is a pattern, or broken.
fn item(entry: &Entry, page: &Page<'_>) -> Option<String> {
    let target = entry.target.as_str();
    let link = match target.contains("://") {
        true => place::link(target, page),
        false => place::document(target, page)?,
    };
    let title = entry.title.as_ref().unwrap_or(&link.title);
    let (title, address) = (markup::label(title), markup::address(&link.address));
    Some(format!("- [{title}]({address})"))
}

/// A table whose rows are items and whose cells are items in them; `None`: a cell has blocks.
pub fn table(directive: &Directive) -> Option<Vec<Row>> {
    let mut rows = cells(&directive.body)?;
    let head = table::head(directive, &mut rows);
    table::written(directive, head, &rows)
}

/// The rows of a table that is written as a list.
fn cells(body: &[Row]) -> Option<Vec<Cells>> {
    let mut rows: Vec<Cells> = Vec::new();
    for row in body.iter().filter(|row| !is_blank(row)) {
        let text = row.text.trim();
        let is_inside = row.text.starts_with([' ', '\t']);
        let first = behind(text, "* -").or_else(|| behind(text, "- -"));
        if let Some(cell) = first.filter(|_| !is_inside) {
            rows.push((row.source, vec![cell.to_owned()]));
            continue;
        }
        let (_, cells) = rows.last_mut()?;
        match behind(text, "-") {
            Some(cell) => cells.push(cell.to_owned()),
            None if is_block(text) => return None,
            None => {
                let cell = cells.last_mut()?;
                if !cell.is_empty() {
                    cell.push(' ');
                }
                cell.push_str(text);
            }
        }
    }
    let cells = || rows.iter().flat_map(|(_, cells)| cells);
    let has_block = cells().any(|cell| is_block(cell));
    (!has_block).then_some(rows)
}

/// What is behind the signs of an item.
fn behind<'t>(text: &'t str, signs: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(signs)?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
}

/// Whether a line of a cell begins more than a paragraph.
fn is_block(line: &str) -> bool {
    ["```", "~~~", ":::", "* ", "- ", "> "]
        .iter()
        .any(|sign| line.starts_with(sign))
}

/// Terms, each with its explanation in indented lines, as a list of definitions.
pub fn glossary(rows: &[Row]) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    let mut begins = false;
    for row in rows {
        let text = row.text.trim();
        let is_term = !text.is_empty() && !row.text.starts_with([' ', '\t']);
        let written = match (is_term, begins) {
            (true, _) => {
                if !begins && out.last().is_some_and(|last| !is_blank(last)) {
                    out.push(blank(row.source));
                }
                text.to_owned()
            }
            (false, true) if !text.is_empty() => format!(": {text}"),
            (false, _) if text.is_empty() => String::new(),
            (false, _) => format!("  {text}"),
        };
        begins = is_term || begins && text.is_empty();
        out.push(Row {
            text: written,
            source: row.source,
        });
    }
    out
}
