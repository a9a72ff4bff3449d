//! Tables whose cells are between commas: the directive `csv-table`.

use super::lists::{line, rule};
use crate::dialects::myst::directive::{Directive, Row};

/// The most cells of a table.
const MOST_CELLS: usize = 10_000;

/// The table of a directive; nothing without a cell.
pub fn table(directive: &Directive) -> Vec<Row> {
    let between = match directive.option("delim") {
        Some("tab") => '\t',
        Some("space") => ' ',
        other => other.and_then(|sign| sign.chars().next()).unwrap_or(','),
    };
    let header = directive
        .option("header")
        .map(|header| cells(header, between));
    let of_rows = |row: &Row| (row.source, cells(&row.text, between));
    let mut rows: Vec<(usize, Vec<String>)> = directive.body.iter().map(of_rows).collect();
    let has_rows = directive
        .option("header-rows")
        .is_some_and(|rows| rows != "0");
    let head = match header {
        Some(header) => Some((directive.source, header)),
        None if has_rows && !rows.is_empty() => Some(rows.remove(0)),
        None => None,
    };
    let all = || head.iter().chain(&rows).map(|(_, cells)| cells.len());
    let width = all().max().unwrap_or_default();
    if width == 0 || all().sum::<usize>() > MOST_CELLS {
        return Vec::new();
    }
    let (source, head) = head.unwrap_or((directive.source, Vec::new()));
    let row = |text: String, source: usize| Row { text, source };
    let mut out = vec![row(line(&head, width), source), row(rule(width), source)];
    out.extend(
        rows.iter()
            .map(|(source, cells)| row(line(cells, width), *source)),
    );
    out
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
