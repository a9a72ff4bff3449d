//! Tables in a grid of `+---+` and `|`.

use super::{Table, part, trimmed};
use crate::dialects::scan::Line;

/// The most columns of a table.
const MOST: usize = 100;

/// The table that begins with this line.
pub fn table(all: &[Line<'_>], at: usize) -> Option<Table> {
    let first = all[at].rest.trim_end();
    if !is_border(first) {
        return None;
    }
    let columns = columns(first);
    let end = end(all, at)?;
    if columns.len() < 2 || columns.len() > MOST {
        return None;
    }
    let mut table = Table {
        end,
        base: at,
        header: Vec::new(),
        rows: Vec::new(),
        sources: Vec::new(),
    };
    read_rows(all, &columns, &mut table);
    if table.header.iter().all(Vec::is_empty) {
        table.header.clear();
    }
    (!table.rows.is_empty() || !table.header.is_empty()).then_some(table)
}

/// The columns of the edges of cells.
fn columns(border: &str) -> Vec<usize> {
    let edges = border.chars().enumerate().filter(|(_, c)| *c == '+');
    edges.map(|(column, _)| column).collect()
}

/// Behind the last border of a table. What follows it is not part of the table.
fn end(all: &[Line<'_>], at: usize) -> Option<usize> {
    let is_row = |line: &&Line<'_>| {
        line.prefix == all[at].prefix && (line.rest.starts_with('|') || line.rest.starts_with('+'))
    };
    let end = at + all[at..].iter().take_while(is_row).count();
    let mut lines = (at + 1..end).rev();
    let last = lines.find(|at| is_border(all[*at].rest.trim_end()))?;
    Some(last + 1)
}

fn read_rows(all: &[Line<'_>], columns: &[usize], table: &mut Table) {
    let (at, end) = (table.base, table.end);
    let empty = || vec![Vec::new(); columns.len() - 1];
    let (mut cells, mut source): (Vec<Vec<String>>, usize) = (empty(), at + 1);
    for (number, line) in all.iter().enumerate().take(end).skip(at + 1) {
        let rest = line.rest.trim_end();
        if !is_border(rest) {
            add(rest, columns, &mut cells);
            continue;
        }
        let row: Vec<Vec<String>> = cells.drain(..).map(trimmed).collect();
        cells = empty();
        if rest.contains('=') && table.header.is_empty() && table.rows.is_empty() {
            table.header = row;
        } else if row.iter().any(|cell| !cell.is_empty()) {
            table.rows.push(row);
            table.sources.push(source);
        }
        source = number + 1;
    }
}

fn is_border(line: &str) -> bool {
    line.len() > 2
        && line.starts_with('+')
        && line.ends_with('+')
        && line.contains(['-', '='])
        && line.bytes().all(|byte| b"+-=:".contains(&byte))
}

/// Adds the parts of a line to the cells. Where a border is missing, a cell spans more columns.
fn add(line: &str, columns: &[usize], cells: &mut [Vec<String>]) {
    let is_edge = |column: usize| matches!(part(line, column, column + 1), "|" | "+" | "");
    let mut from = 0;
    while from + 1 < columns.len() {
        let to = (from + 1..columns.len()).find(|to| is_edge(columns[*to]));
        let to = to.unwrap_or(columns.len() - 1);
        let words = part(line, columns[from] + 1, columns[to]);
        let is_line = words.len() > 1 && words.bytes().all(|byte| b"-=:+".contains(&byte));
        cells[from].push(if is_line {
            String::new()
        } else {
            words.to_owned()
        });
        from = to;
    }
}
