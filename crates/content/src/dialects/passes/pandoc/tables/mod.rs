//! Tables in the forms of Pandoc: in a grid, and by columns of dashes; and the captions of all.

mod columns;
mod grid;

use super::{Values, caption, figcaption};
use crate::dialects::attributes::Attributes;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};
use crate::model::bounds;

/// A table by the lines of its cells.
pub struct Table {
    /// The line after it.
    pub end: usize,
    /// The line whose containers are those of the table.
    pub base: usize,
    pub header: Vec<Vec<String>>,
    pub rows: Vec<Vec<Vec<String>>>,
    /// The source line of each row.
    pub sources: Vec<usize>,
}

/// The caption of a table: its words, its id, and the line after it.
struct Title<'a> {
    words: String,
    id: Option<&'a str>,
    end: usize,
}

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    if !lines.text.contains("--") && !lines.text.contains("==") {
        return;
    }
    let all = scan(&lines.text, &lines.literals());
    let mut out = Output::default();
    let (mut at, mut changed) = (0, false);
    while at < all.len() {
        if bounds::is_over() {
            return;
        }
        match table(&all, at) {
            Some(Some(table)) => {
                let end = table.end;
                at = write(Some(&table), &all, at..end, values, &mut out);
                changed = true;
            }
            Some(None) => {
                let end = end_of_pipes(&all, at);
                let next = write(None, &all, at..end, values, &mut out);
                changed |= next > end;
                at = next;
            }
            None => {
                out.push(all[at].whole, at);
                at += 1;
            }
        }
    }
    if changed {
        out.finish(lines);
    }
}

/// The table that begins here; an inner `None` is one of pipes, which stays.
fn table(all: &[Line<'_>], at: usize) -> Option<Option<Table>> {
    let line = &all[at];
    if line.rest.is_empty() {
        return None;
    }
    // The first words of a column may be indented as far as code.
    if let Some(table) = columns::table(all, at) {
        return Some(Some(table));
    }
    if line.block {
        return None;
    }
    if let Some(table) = grid::table(all, at) {
        return Some(Some(table));
    }
    let next = all.get(at + 1)?;
    let is_delimiter = next.rest.contains('|')
        && next.rest.contains('-')
        && next.rest.bytes().all(|byte| b"|-: \t".contains(&byte));
    (line.rest.contains('|') && is_delimiter).then_some(None)
}

fn end_of_pipes(all: &[Line<'_>], at: usize) -> usize {
    let rows = all[at..]
        .iter()
        .take_while(|line| line.rest.contains('|') && !line.block);
    at + rows.count()
}

/// Writes a table with its caption; returns the line after both.
fn write(
    table: Option<&Table>,
    all: &[Line<'_>],
    range: std::ops::Range<usize>,
    values: &Values<'_>,
    out: &mut Output,
) -> usize {
    let (at, end) = (range.start, range.end);
    let prefix = all[table.map_or(at, |table| table.base)].prefix;
    let bare = prefix.trim_end();
    let title = title(all, end);
    let named = title
        .as_ref()
        .filter(|title| title.id.is_some() || !title.words.is_empty());
    if let Some(title) = named {
        let id = title
            .id
            .map(|id| format!(" id=\"{id}\""))
            .unwrap_or_default();
        for line in [bare, &format!("{prefix}<figure{id}>"), bare] {
            out.push(line, at);
        }
    }
    match table {
        Some(table) => shown(table, prefix, at, out),
        None => (at..end).for_each(|at| out.push(all[at].whole, at)),
    }
    let Some(title) = &title else { return end };
    out.push(bare, end - 1);
    if named.is_some() {
        let label = title.id.and_then(|id| values.label(id));
        for line in figcaption(prefix, &caption(label, &title.words)) {
            out.push(line, title.end - 1);
        }
        out.push(format!("{prefix}</figure>"), title.end - 1);
        out.push(bare, title.end - 1);
    }
    title.end
}

/// `: Words {#tbl-x}` after a table.
fn title<'a>(all: &[Line<'a>], end: usize) -> Option<Title<'a>> {
    let blank = all[end..]
        .iter()
        .take_while(|line| line.rest.trim().is_empty())
        .count();
    let first = end + blank;
    let rest = all.get(first).filter(|line| !line.block)?.rest;
    let words = rest
        .strip_prefix(": ")
        .or_else(|| rest.strip_prefix("Table: "))?;
    let more = all[first + 1..]
        .iter()
        .take_while(|line| !line.rest.trim().is_empty() && !line.rest.starts_with(":::"));
    let mut lines = vec![words.trim()];
    lines.extend(more.map(|line| line.rest.trim()));
    let end = first + lines.len();
    // The attributes are on the last line.
    let mut id = None;
    if let Some(last) = lines.last_mut()
        && let Some((before, found)) = last.match_indices('{').find_map(|(at, _)| {
            let found = Attributes::at(&last[at..])?;
            (at + found.length == last.len()).then_some((at, found))
        })
    {
        id = found.id;
        *last = last[..before].trim_end();
    }
    Some(Title {
        words: lines.join(" ").trim().to_owned(),
        id,
        end,
    })
}

/// A table of pipes where every cell is one line of text and there is a header, else HTML with
/// Markdown in its cells.
fn shown(table: &Table, prefix: &str, first: usize, out: &mut Output) {
    let bare = prefix.trim_end();
    out.push(bare, first);
    let all = || {
        table
            .rows
            .iter()
            .chain(std::iter::once(&table.header))
            .flatten()
    };
    if !table.header.is_empty() && all().all(|cell| is_line(cell)) {
        out.push(format!("{prefix}{}", row(&table.header)), first);
        out.push(
            format!("{prefix}|{}", "---|".repeat(table.header.len())),
            first,
        );
        for (cells, source) in table.rows.iter().zip(&table.sources) {
            out.push(format!("{prefix}{}", row(cells)), *source);
        }
        return out.push(bare, table.end - 1);
    }
    let mut push = |text: &str, at: usize| out.push(format!("{prefix}{text}").trim_end(), at);
    push("<table>", first);
    let mut cells = |tag: &str, cells: &[Vec<String>], at: usize| {
        push("<tr>", at);
        for cell in cells {
            push(&format!("<{tag}>"), at);
            push("", at);
            cell.iter().for_each(|line| push(line, at));
            push("", at);
            push(&format!("</{tag}>"), at);
        }
        push("</tr>", at);
    };
    if !table.header.is_empty() {
        cells("th", &table.header, first);
    }
    for (row, source) in table.rows.iter().zip(&table.sources) {
        cells("td", row, *source);
    }
    push("</table>", table.end - 1);
    push("", table.end - 1);
}

/// Whether the lines of a cell are one paragraph of text.
fn is_line(cell: &[String]) -> bool {
    let starts = ["- ", "* ", "+ ", "```", "~~~", "#", ">", ":::", "|", "    "];
    cell.iter().enumerate().all(|(at, line)| {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let is_item = digits > 0
            && line[digits..].starts_with(['.', ')'])
            && line[digits + 1..].starts_with(' ');
        !starts.iter().any(|start| line.starts_with(start))
            && !is_item
            && (!line.trim().is_empty() || at == 0)
    })
}

fn row(cells: &[Vec<String>]) -> String {
    let mut row = "|".to_owned();
    for cell in cells {
        let mut words = String::new();
        for line in cell {
            let line = line.trim();
            if !words.is_empty() {
                words.push(' ');
            }
            match line.strip_suffix('\\') {
                Some(line) => words += &format!("{line}<br>"),
                None => words += line,
            }
        }
        row += &format!(" {} |", words.replace('|', "\\|"));
    }
    row
}

/// The part of a line between two columns, in characters.
fn part(line: &str, from: usize, to: usize) -> &str {
    let place = |column: usize| {
        line.char_indices()
            .nth(column)
            .map_or(line.len(), |(at, _)| at)
    };
    let (from, to) = (place(from), place(to));
    &line[from..to.max(from)]
}

/// Removes the indent that all lines share, and blank lines at both ends.
fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let shared = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min();
    for line in &mut lines {
        *line = line
            .get(shared.unwrap_or(0)..)
            .unwrap_or_default()
            .trim_end()
            .to_owned();
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..blank);
    lines
}
