//! Tables whose cells are between commas: the directive `csv-table`.

use super::table::{self, Cells};
use crate::dialects::myst::directive::{Directive, Row};

/// The table of a directive; nothing without a cell.
pub fn table(directive: &Directive) -> Vec<Row> {
    let between = match directive.option("delim") {
        Some("tab") => '\t',
        Some("space") => ' ',
        other => other.and_then(|sign| sign.chars().next()).unwrap_or(','),
    };
    let of_rows = |row: &Row| (row.source, cells(&row.text, between));
    let mut rows: Vec<Cells> = directive.body.iter().map(of_rows).collect();
    let header = directive.option("header");
    let head = match header.map(|header| cells(header, between)) {
        Some(header) => Some((directive.source, header)),
        None => table::head(directive, &mut rows),
    };
    table::written(directive, head, &rows).unwrap_or_default()
}

/// The cells of a line; one between quotation marks may have the sign between cells.
fn cells(text: &str, between: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for c in text.trim().chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c == between && !is_quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    let trimmed = cells.iter().map(|cell| cell.trim().to_owned());
    trimmed.collect()
}
