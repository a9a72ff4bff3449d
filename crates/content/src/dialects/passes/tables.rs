//! Rows of tables that are longer than their header. Pipes in their code are text; cells that would
//! be lost are a remark.

use crate::dialects::lines::{Lines, Remark};
use crate::dialects::markup::MARGIN;
use crate::dialects::scan::{Line, scan};
use crate::model::cause::Cause;
use crate::model::text::number;

/// The longest row that is looked at, in bytes.
const LONGEST_ROW: usize = 20_000;

/// Whether a text may have a row with more cells than its table has columns. Code is not known yet:
/// finding it takes as long as reading the text, and most tables have no such row.
pub fn may_have_long_rows(text: &str) -> bool {
    let mut at = 0;
    let mut table = Table::default();
    while let Some(pipe) = memchr::memchr(b'|', &text.as_bytes()[at..]) {
        let pipe = at + pipe;
        let above = memchr::memrchr(b'\n', &text.as_bytes()[at..pipe]);
        if let Some(end) = above {
            // The line above has no pipe.
            table = Table::default();
            at += end + 1;
        }
        let end = memchr::memchr(b'\n', &text.as_bytes()[pipe..]).map(|end| pipe + end);
        let line = &text[at..end.unwrap_or(text.len())];
        table.add(line.trim_start_matches(MARGIN));
        if table.has_long_row() {
            return true;
        }
        let Some(end) = end else { break };
        at = end + 1;
    }
    false
}

/// Lines with pipes below each other.
#[derive(Default)]
struct Table {
    /// The most cells of a line.
    most: usize,
    /// The fewest columns, if one of the lines is the one below a header.
    columns: Option<usize>,
}

impl Table {
    fn add(&mut self, line: &str) {
        let cells = cells(line);
        self.most = self.most.max(cells);
        if is_delimiter(line) {
            self.columns = Some(self.columns.map_or(cells, |columns| columns.min(cells)));
        }
    }

    fn has_long_row(&self) -> bool {
        self.columns.is_some_and(|columns| columns < self.most)
    }
}

/// Escapes the pipes in code where a row would otherwise have too many cells.
pub fn rewrite(lines: &mut Lines) {
    if may_have_long_rows(&lines.text) {
        rewrite_all(lines);
    }
}

fn rewrite_all(lines: &mut Lines) {
    let found = lines.literals();
    let all = scan(&lines.text, &found);
    let mut changed: Vec<(usize, String)> = Vec::new();
    let mut remarks = Vec::new();
    let mut at = 1;
    while at < all.len() {
        let (columns, header) = (columns(&all[at]), at - 1);
        at += 1;
        let Some(columns) = columns.filter(|_| !all[header].block) else {
            continue;
        };
        let mut rows = vec![header];
        while at < all.len() && is_row(&all[at]) {
            rows.push(at);
            at += 1;
        }
        for row in rows {
            let line = &all[row];
            if cells(line.rest) <= columns || line.rest.len() > LONGEST_ROW {
                continue;
            }
            let fitted = with_escapes(line.rest);
            let count = cells(&fitted);
            if count >= columns && fitted != line.rest {
                changed.push((row, format!("{}{fitted}", line.prefix)));
            }
            if count > columns && row != header {
                remarks.push((row, line.prefix.chars().count(), count, columns));
            }
        }
    }
    for (row, column, count, columns) in remarks {
        let place = (lines.source(row), column);
        lines.remarks.push(too_many_cells(place, count, columns));
    }
    if !changed.is_empty() {
        let text = with_rows(&all, &changed);
        lines.set(text);
    }
}

fn with_rows(all: &[Line<'_>], changed: &[(usize, String)]) -> String {
    let mut text: Vec<&str> = all.iter().map(|line| line.whole).collect();
    for (row, line) in changed {
        text[*row] = line;
    }
    text.join("\n")
}

fn too_many_cells((line, column): (usize, usize), count: usize, columns: usize) -> Remark {
    Remark {
        line: number(line),
        column: number(column + 1),
        message: format!(
            "the row has more cells ({count}) than its table has columns ({columns}): the last are not shown"
        ),
        cause: Cause::Text,
        subject: None,
    }
}

/// The number of columns, if a line is the one below a header.
fn columns(line: &Line<'_>) -> Option<usize> {
    (!line.block && is_delimiter(line.rest)).then(|| cells(line.rest))
}

/// Whether a line is the one below a header: `|---|:-:|`.
fn is_delimiter(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line
            .trim()
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

fn is_row(line: &Line<'_>) -> bool {
    !line.block && line.rest.contains('|')
}

/// The number of cells in a row.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut count = 1;
    let mut escaped = false;
    for byte in row.bytes() {
        if byte == b'|' && !escaped {
            count += 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    let closes = row.ends_with('|') && !row.ends_with("\\|");
    count - usize::from(closes)
}

/// A row with its pipes in code escaped.
fn with_escapes(row: &str) -> String {
    let mut out = String::with_capacity(row.len() + 4);
    let mut rest = row;
    while let Some(open) = rest.find('`') {
        let ticks = rest[open..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        let (before, inner) = rest.split_at(open + ticks);
        out.push_str(before);
        rest = inner;
        let Some(close) = closing(inner, ticks) else {
            continue;
        };
        push_escaped(&mut out, &inner[..close]);
        out.push_str(&inner[close..close + ticks]);
        rest = &inner[close + ticks..];
    }
    out + rest
}

/// Adds code, with its pipes escaped.
fn push_escaped(out: &mut String, code: &str) {
    let mut before = ' ';
    for c in code.chars() {
        if c == '|' && before != '\\' {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
}

/// Where a run of exactly so many backticks begins.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(step) = text[at..].find('`') {
        let start = at + step;
        let length = text[start..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        if length == ticks {
            return Some(start);
        }
        at = start + length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    fn remarks(text: &str) -> Vec<String> {
        let lines = Lines::after(text, rewrite);
        let remarks = lines.remarks.iter();
        remarks
            .map(|remark| format!("{}:{}: {}", remark.line, remark.column, remark.message))
            .collect()
    }

    #[test]
    fn rule_58_pipes_in_code_are_text_where_a_row_is_too_long() {
        check(
            "| a | b |\n|---|---|\n| `x|y` | z |",
            "| a | b |\n|---|---|\n| `x\\|y` | z |",
        );
        check(
            "| `a|b` | c |\n|---|---|\n| ``x|`|y`` | z |",
            "| `a\\|b` | c |\n|---|---|\n| ``x\\|`\\|y`` | z |",
        );
        check(
            "> | a | b |\n> |:-:|---|\n> | z | `x || y` |\n\n`a|b|c`",
            "> | a | b |\n> |:-:|---|\n> | z | `x \\|\\| y` |\n\n`a|b|c`",
        );
        for text in [
            "| a | b |\n|---|---|\n| `x\\|y` | z |",
            "| a | b | c |\n|---|---|---|\n| `x|y` | z |",
            "```\n| a | b |\n|---|---|\n| `x|y` | z |\n```",
        ] {
            check(text, text);
            assert!(remarks(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn rule_58_lost_cells_are_said_with_their_place() {
        assert_eq!(
            remarks("| a | b |\n|---|---|\n| x | y | z |\n| 1 |"),
            [
                "2:1: the row has more cells (3) than its table has columns (2): the last are not shown"
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_table_panics(text in "(\\||`|``|-|\\\\|a|é| |>|\n|\\|---\\|---\\|\n){0,40}") {
            let lines = Lines::after(&text, rewrite_all);
            proptest::prop_assert!(lines.come_from(&text));
            let is_same = lines.text == text && lines.remarks.is_empty();
            proptest::prop_assert!(is_same || may_have_long_rows(&text));
        }
    }
}
