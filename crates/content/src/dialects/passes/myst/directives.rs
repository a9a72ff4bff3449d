//! Finds the directives of a text, from the outside in.

use std::collections::{BTreeMap, BTreeSet};

use super::place;
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::markup::block_place;
use crate::dialects::myst::directive::{Directive, Row, blank, end_of, is_blank, rows, within};
use crate::dialects::myst::fence::Fence;
use crate::dialects::passes::page::Page;
use crate::model::bounds;
use crate::model::problem::Cause;
use crate::model::text::number;

/// How deep directives may be nested; deeper ones are read as text.
const DEPTH: usize = 8;
/// What a fence with the name of a directive contains, and the end of a formula with a label.
const SIGNS: [&str; 4] = ["```{", "~~~{", ":::{", "$$ ("];
/// How many bytes one text may include.
const MOST_INCLUDED: usize = 1_000_000;
/// Between the cells of a notebook.
const BREAK: &str = "+++";

/// Writes the directives of one text.
pub struct Writer<'p> {
    pub page: &'p Page<'p>,
    /// Directives without a rule, by name, with their count.
    pub unknown: BTreeMap<String, usize>,
    /// Problems for the author, by the line of the text.
    pub remarks: Vec<(usize, String)>,
    /// The files that are included.
    pub included: BTreeSet<String>,
    /// How many bytes may still be included.
    pub room: usize,
}

/// Writes every directive of a text as plain Markdown.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let text = lines.text.as_str();
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let mut writer = Writer {
        page,
        unknown: BTreeMap::new(),
        remarks: Vec::new(),
        included: BTreeSet::new(),
        room: MOST_INCLUDED,
    };
    let rows: Vec<Row> = rows(text, |number| number).collect();
    let written = writer.write(&rows, 0);
    let remark = |(row, message)| Remark {
        line: number(lines.source(row)),
        column: 1,
        message,
        cause: Cause::Text,
        subject: None,
    };
    let remarks: Vec<Remark> = writer.remarks.into_iter().map(remark).collect();
    let sources: Vec<usize> = written.iter().map(|row| row.source).collect();
    let texts: Vec<String> = written.into_iter().map(|row| row.text).collect();
    lines.replace(texts.join("\n"), &sources);
    lines.remarks.extend(remarks);
    lines.included.extend(writer.included);
    for (name, count) in writer.unknown {
        *lines.unknown.entry(name).or_default() += count;
    }
}

impl Writer<'_> {
    /// Writes lines; the directives among them are at this depth.
    pub fn write(&mut self, rows: &[Row], depth: usize) -> Vec<Row> {
        let mut out: Vec<Row> = Vec::with_capacity(rows.len());
        let mut in_list = false;
        let mut at = 0;
        while let Some(row) = rows.get(at) {
            let fence = Fence::parse(&row.text).filter(|_| !bounds::is_over());
            let Some(fence) = fence else {
                in_list = goes_on_in_list(&row.text, in_list);
                let is_break = row.text.starts_with(BREAK) && depth == 0;
                out.push(if is_break {
                    blank(row.source)
                } else {
                    row.clone()
                });
                at += 1;
                continue;
            };
            let directive = fence.directive().filter(|_| depth < DEPTH);
            if directive.is_none() && !fence.is_code() {
                out.push(row.clone());
                at += 1;
                continue;
            }
            let indent = row.text.len() - row.text.trim_start().len();
            let end = end_of(rows, at, &fence);
            let next = rows.len().min(end + 1);
            // Code in a list may be indented as much as code without a fence.
            match directive.filter(|_| indent < 4 || in_list) {
                Some((name, arguments)) => {
                    let inner = rows[at + 1..end].iter().map(|row| within(row, indent));
                    let mut directive =
                        Directive::parse(name, arguments, inner.collect(), row.source);
                    for attribute in fence.attributes() {
                        directive.attribute(attribute);
                    }
                    let written = self.directive(directive, depth);
                    add(
                        &mut out,
                        written,
                        &row.text[..indent],
                        rows[next - 1].source,
                    );
                }
                None => out.extend(literal(&rows[at..next])),
            }
            at = next;
        }
        out
    }
}

/// Code or a formula; the label of a formula becomes a place before it.
fn literal(rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    let closing = rows.last_mut().filter(|row| row.text.contains("$$ ("));
    let Some(row) = closing else { return rows };
    let Some(id) = Fence::parse(&row.text).and_then(|fence| fence.label().map(place::id)) else {
        return rows;
    };
    row.text = "$$".to_owned();
    let source = rows.first().map_or(0, |row| row.source);
    let place = Row {
        text: block_place(&id),
        source,
    };
    [vec![blank(source), place, blank(source)], rows].concat()
}

/// Adds what a directive became, between blank lines.
fn add(out: &mut Vec<Row>, written: Vec<Row>, indent: &str, end: usize) {
    let Some(first) = written.first() else {
        out.push(blank(end));
        return;
    };
    if out.last().is_some_and(|last| !is_blank(last)) {
        out.push(blank(first.source));
    }
    out.extend(written.into_iter().map(|row| match is_blank(&row) {
        true => row,
        false => Row {
            text: format!("{indent}{}", row.text),
            source: row.source,
        },
    }));
    out.push(blank(end));
}

/// Whether the lines behind this one may belong to an item of a list.
fn goes_on_in_list(line: &str, before: bool) -> bool {
    if line.trim().is_empty() || line.starts_with([' ', '\t']) {
        return before || begins_item(line.trim_start());
    }
    begins_item(line)
}

fn begins_item(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    marker.is_some_and(|rest| rest.starts_with(' '))
}
