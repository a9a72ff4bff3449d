//! Writes a table of Markdown.

use crate::dialects::myst::directive::{Directive, Row};

/// The most cells of a table.
const MOST_CELLS: usize = 10_000;

/// A row of a table: its line of the source, and its cells.
pub type Cells = (usize, Vec<String>);

/// Takes the first row, if the directive says that it is the head.
pub fn head(directive: &Directive, rows: &mut Vec<Cells>) -> Option<Cells> {
    let count = directive.option("header-rows")?;
    (count != "0" && !rows.is_empty()).then(|| rows.remove(0))
}

/// The table; `None`: it has no cell, or too many.
pub fn written(directive: &Directive, head: Option<Cells>, rows: &[Cells]) -> Option<Vec<Row>> {
    let (source, head) = head.unwrap_or((directive.source, Vec::new()));
    let widths = || {
        rows.iter()
            .map(|(_, cells)| cells.len())
            .chain([head.len()])
    };
    let width = widths().max().filter(|width| *width > 0)?;
    if widths().sum::<usize>() > MOST_CELLS {
        return None;
    }
    let row = |text: String, source: usize| Row { text, source };
    let mut out = vec![row(line(&head, width), source), row(rule(width), source)];
    let below = rows
        .iter()
        .map(|(source, cells)| row(line(cells, width), *source));
    out.extend(below);
    Some(out)
}

/// A row of a table with this many cells.
fn line(cells: &[String], width: usize) -> String {
    let text = |at: usize| cells.get(at).map_or("", String::as_str);
    let cells: Vec<String> = (0..width).map(|at| text(at).replace('|', "\\|")).collect();
    format!("| {} |", cells.join(" | "))
}

fn rule(width: usize) -> String {
    format!("|{}", " --- |".repeat(width))
}
