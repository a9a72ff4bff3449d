//! Which boxes are so narrow that they never scroll: only the others are stops of the keyboard.

use crate::model::document::queries::plain;
use crate::model::document::{Block, Cell, Inline, Table};

/// The most columns of a line of code or a formula that fit into every window. The narrowest that
/// WCAG 2.2 asks for has 320 CSS pixels, less the margins of the page, the box and two lists.
const MOST_COLUMNS: usize = 24;
/// The most columns of cells that the theme lets shrink as far as their words allow.
const MOST_CELLS: usize = 3;
/// The width of what may be wider than every window. It can be added up for all columns.
const ANY_WIDTH: usize = MOST_COLUMNS + 1;

/// Whether a line of this text may be wider than a window.
pub(super) fn may_scroll(text: &str) -> bool {
    text.lines().any(|line| width(line) > MOST_COLUMNS)
}

/// Whether a table may be wider than a window, although its cells break between words.
pub(super) fn table_may_scroll(table: &Table) -> bool {
    let rows = || table.rows.iter().map(Vec::as_slice).chain([&*table.header]);
    let cells = rows().map(<[Cell]>::len).max().unwrap_or_default();
    let column = |at: usize| rows().filter_map(|row| row.get(at).map(narrowest)).max();
    cells > MOST_CELLS || (0..cells).filter_map(column).sum::<usize>() > MOST_COLUMNS
}

/// The width of the longest word of a cell. What is more than words may have any width.
fn narrowest(cell: &Cell) -> usize {
    let mut longest = 0;
    for block in &cell.blocks {
        let Block::Paragraph(content) = block else {
            return ANY_WIDTH;
        };
        if content
            .iter()
            .any(|inline| matches!(inline, Inline::Image(_) | Inline::Math { .. }))
        {
            return ANY_WIDTH;
        }
        longest = plain(content)
            .split_whitespace()
            .map(width)
            .fold(longest, usize::max);
    }
    longest
}

/// The width in columns of a line, at most: a tab has four, and a letter of another script two.
fn width(line: &str) -> usize {
    line.chars()
        .map(|letter| match letter {
            '\t' => 4,
            letter if letter.is_ascii() => 1,
            _ => 2,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_scrolls_only_if_a_line_is_longer_than_a_narrow_window() {
        assert!(!may_scroll(""));
        assert!(!may_scroll(&format!("{}\nb\n", "a".repeat(MOST_COLUMNS))));
        assert!(may_scroll(&format!("b\n{}", "a".repeat(MOST_COLUMNS + 1))));
        assert!(may_scroll(&"語".repeat(13)));
        assert!(may_scroll(&"\t".repeat(7)));
    }

    #[test]
    fn a_table_scrolls_if_its_words_or_its_columns_are_many() {
        let cell = |text: &str| Cell {
            blocks: vec![Block::Paragraph(vec![Inline::text(text)])],
            ..Cell::default()
        };
        let table = |texts: &[&str]| Table {
            rows: vec![texts.iter().map(|text| cell(text)).collect()],
            ..Table::default()
        };
        let long = "a".repeat(MOST_COLUMNS + 1);
        assert!(!table_may_scroll(&table(&[])));
        assert!(!table_may_scroll(&table(&[
            "many short words in one cell",
            "and more words",
            "x"
        ])));
        assert!(table_may_scroll(&table(&["a", "b", "c", "d"])));
        assert!(table_may_scroll(&table(&["a", &long])));
        let rule = Cell {
            blocks: vec![Block::Rule],
            ..Cell::default()
        };
        assert!(table_may_scroll(&Table {
            header: vec![rule],
            ..Table::default()
        }));
    }
}
