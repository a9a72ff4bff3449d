//! Tables whose columns are those of a line of dashes: simple ones with a row on each line, and
//! those whose rows have several lines and blank lines between them.

use super::{Table, part, trimmed};
use crate::dialects::scan::Line;

/// The table that begins with this line.
pub fn table(all: &[Line<'_>], at: usize) -> Option<Table> {
    let rest = all[at].rest.trim_end();
    let before = at.checked_sub(1).map(|before| all[before].rest.trim());
    if !before.unwrap_or_default().is_empty() {
        return None;
    }
    if is_line(rest) && !all[at].block {
        return multiline(all, at);
    }
    if is_columns(rest) && !all[at].block {
        // Without a header: the dashes are repeated at its end.
        let close = (at + 1..all.len()).find(|at| is_columns(all[*at].rest.trim_end()))?;
        let rows = at + 1..close;
        if rows.is_empty() {
            return None;
        }
        let blank = rows.clone().any(|at| all[at].rest.trim().is_empty());
        return built(all, None, at, rows, blank, close + 1);
    }
    let dashes = all
        .get(at + 1)
        .filter(|line| is_columns(line.rest.trim_end()))?;
    if dashes.block || all[at].rest.starts_with(['`', '~', ':', '|']) {
        return None;
    }
    let rows = all[at + 2..].iter().take_while(|line| {
        let rest = line.rest.trim();
        !rest.is_empty() && !is_columns(rest) && !is_line(rest) && !rest.starts_with(":::")
    });
    let close = at + 2 + rows.count();
    let closed = all
        .get(close)
        .is_some_and(|line| is_columns(line.rest.trim()) || is_line(line.rest.trim()));
    built(
        all,
        Some(at..at + 1),
        at + 1,
        at + 2..close,
        false,
        close + usize::from(closed),
    )
}

/// A table between two whole lines of dashes.
fn multiline(all: &[Line<'_>], at: usize) -> Option<Table> {
    const HEADER: usize = 20;
    let near = all[at + 1..].iter().take(HEADER);
    let dashes = at
        + 1
        + near
            .take_while(|line| !is_columns(line.rest.trim_end()))
            .count();
    let header = at + 1..dashes;
    let is_header = |at: usize| !all[at].rest.trim().is_empty() && !all[at].block;
    if !all
        .get(dashes)
        .is_some_and(|line| is_columns(line.rest.trim_end()))
        || header.is_empty()
        || !header.clone().all(is_header)
    {
        return None;
    }
    let close = (dashes + 1..all.len()).find(|at| is_line(all[*at].rest.trim_end()))?;
    built(
        all,
        Some(header),
        dashes,
        dashes + 1..close,
        true,
        close + 1,
    )
}

fn built(
    all: &[Line<'_>],
    header: Option<std::ops::Range<usize>>,
    dashes: usize,
    rows: std::ops::Range<usize>,
    by_blank: bool,
    end: usize,
) -> Option<Table> {
    let columns = columns(all[dashes].whole);
    let read = |range: std::ops::Range<usize>| -> Vec<Vec<String>> {
        let cell = |column: usize| {
            let to = columns.get(column + 1).copied().unwrap_or(usize::MAX);
            let from = if column == 0 { 0 } else { columns[column] };
            let lines = range.clone().map(|at| {
                let whole = all[at].whole;
                let own = if column == 0 {
                    part(whole, prefix(&all[at]), to)
                } else {
                    part(whole, from, to)
                };
                own.trim().to_owned()
            });
            trimmed(lines.collect())
        };
        (0..columns.len()).map(cell).collect()
    };
    let mut table = Table {
        end,
        base: dashes,
        header: header.map(&read).unwrap_or_default(),
        rows: Vec::new(),
        sources: Vec::new(),
    };
    let mut from = rows.start;
    for at in rows.clone() {
        let is_last = at + 1 == rows.end;
        let is_blank = all[at].rest.trim().is_empty();
        if by_blank && !is_blank && !is_last {
            continue;
        }
        let to = if is_blank { at } else { at + 1 };
        if from < to {
            table.rows.push(read(from..to));
            table.sources.push(from);
        }
        from = at + 1;
    }
    (!table.rows.is_empty()).then_some(table)
}

fn prefix(line: &Line<'_>) -> usize {
    line.prefix.chars().count()
}

/// The columns at which the groups of dashes begin.
fn columns(line: &str) -> Vec<usize> {
    let mut before = ' ';
    let mut found = Vec::new();
    for (column, c) in line.chars().enumerate() {
        if c == '-' && before != '-' {
            found.push(column);
        }
        before = c;
    }
    found
}

/// Two or more groups of dashes.
fn is_columns(line: &str) -> bool {
    line.starts_with("--")
        && line.bytes().all(|byte| matches!(byte, b'-' | b' '))
        && line.split_whitespace().count() > 1
        && line.split_whitespace().all(|group| group.len() > 1)
}

/// One line of dashes.
fn is_line(line: &str) -> bool {
    line.len() > 10 && line.bytes().all(|byte| byte == b'-')
}
