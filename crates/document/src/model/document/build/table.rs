//! Makes tables rectangular.

use super::open_element::{OpenCell, OpenRow, OpenTable};
use crate::model::document::{Alignment, Block, Cell, Table};

/// Maximum number of columns; larger spans are reduced to it.
const MAX_COLUMNS: usize = 200;

/// Parses a `colspan` or `rowspan`.
pub(crate) fn span(value: &str) -> usize {
    value.trim().parse().unwrap_or(1).clamp(1, MAX_COLUMNS)
}

/// The table, with the same number of cells in each row. If the padding would exceed the content,
/// its blocks are returned instead.
pub(super) fn close(table: OpenTable) -> Vec<Block> {
    let OpenTable {
        caption,
        mut alignments,
        rows,
        ..
    } = table;
    let cells: usize = rows.iter().map(|row| row.cells.len()).sum();
    let columns = rows
        .iter()
        .map(width)
        .max()
        .unwrap_or(0)
        .max(alignments.len());
    let is_grid =
        columns <= MAX_COLUMNS.max(alignments.len()) && columns * rows.len() <= 16 * cells + 4096;
    if rows.is_empty() || !is_grid {
        let mut blocks = Vec::new();
        if !caption.is_empty() {
            blocks.push(Block::Paragraph(caption));
        }
        blocks.extend(
            rows.into_iter()
                .flat_map(|row| row.cells)
                .flat_map(|cell| cell.blocks),
        );
        return blocks;
    }
    alignments.resize(columns, Alignment::None);
    let mut grid = Grid {
        alignments,
        reserved: vec![0; columns],
        header: Vec::new(),
        rows: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        grid.push_row(row);
    }
    vec![Block::Table(Table {
        caption,
        alignments: grid.alignments,
        header: grid.header,
        rows: grid.rows,
    })]
}

fn width(row: &OpenRow) -> usize {
    row.cells.iter().map(|cell| cell.columns.max(1)).sum()
}

struct Grid {
    /// One per column.
    alignments: Vec<Alignment>,
    /// For each column, the number of further rows that a cell from above spans.
    reserved: Vec<usize>,
    header: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    fn push_row(&mut self, row: OpenRow) {
        let columns = self.alignments.len();
        let is_first = self.header.is_empty() && self.rows.is_empty();
        let heads = row.is_header();
        let mut cells = Vec::with_capacity(columns);
        let mut left_over = Vec::new();
        for cell in row.cells {
            self.skip_reserved(&mut cells);
            if cells.len() < columns {
                self.push_cell(cell, &mut cells, heads);
            } else {
                left_over.extend(cell.blocks);
            }
        }
        self.skip_reserved(&mut cells);
        cells.resize_with(columns, Cell::default);
        if let Some(last) = cells.last_mut() {
            last.blocks.extend(left_over);
        }
        if is_first && heads {
            self.header = cells
        } else {
            self.rows.push(cells)
        }
    }

    /// Adds empty cells where one from above spans this row.
    fn skip_reserved(&mut self, cells: &mut Vec<Cell>) {
        while let Some(rows @ 1..) = self.reserved.get_mut(cells.len()) {
            *rows -= 1;
            cells.push(Cell::default());
        }
    }

    fn push_cell(&mut self, cell: OpenCell, cells: &mut Vec<Cell>, heads: bool) {
        let column = cells.len();
        if self.alignments[column] == Alignment::None {
            self.alignments[column] = cell.alignment;
        }
        cells.push(Cell {
            heads: cell.heads || heads,
            blocks: cell.blocks,
        });
        let end = (column + cell.columns.max(1)).min(self.alignments.len());
        self.reserved[column..end].fill(cell.rows.max(1) - 1);
        cells.resize_with(end, Cell::default);
    }
}
