//! Tables as authors write them become rectangular.

use super::frame::{OpenCell, OpenRow, OpenTable};
use crate::model::document::{Alignment, Block, Cell, Table};

/// More columns than anyone reads; spans are cut to it.
const MAX_COLUMNS: usize = 200;

/// Reads a `colspan` or `rowspan`.
pub(crate) fn span(value: &str) -> usize {
    value.trim().parse().unwrap_or(1).clamp(1, MAX_COLUMNS)
}

/// The table, each row with as many cells as there are columns. One whose filling would outgrow its content is not a table but a series of blocks.
pub(super) fn close(table: OpenTable) -> Vec<Block> {
    let OpenTable { caption, alignments, rows, .. } = table;
    if rows.is_empty() {
        return if caption.is_empty() { Vec::new() } else { vec![Block::Paragraph(caption)] };
    }
    let real: usize = rows.iter().map(|row| row.cells.len()).sum();
    let columns = rows.iter().map(width).max().unwrap_or(0).max(alignments.len());
    if columns > MAX_COLUMNS.max(alignments.len()) || columns * rows.len() > 16 * real + 4096 {
        let blocks = rows.into_iter().flat_map(|row| row.cells).flat_map(|cell| cell.blocks);
        return (!caption.is_empty()).then_some(Block::Paragraph(caption)).into_iter().chain(blocks).collect();
    }
    let mut grid = Grid { columns, alignments, held: vec![0; columns], header: Vec::new(), rows: Vec::with_capacity(rows.len()) };
    for row in rows {
        grid.row(row);
    }
    grid.alignments.resize(columns, Alignment::None);
    vec![Block::Table(Table { caption, alignments: grid.alignments, header: grid.header, rows: grid.rows })]
}

fn width(row: &OpenRow) -> usize {
    row.cells.iter().map(|cell| cell.columns.max(1)).sum()
}

struct Grid {
    columns: usize,
    alignments: Vec<Alignment>,
    /// For how many further rows a cell from above stands in each column.
    held: Vec<usize>,
    header: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    fn row(&mut self, row: OpenRow) {
        let first = self.header.is_empty() && self.rows.is_empty();
        let heads = row.header || (row.cells.len() > 1 && row.cells.iter().all(|cell| cell.heads));
        let mut cells = Vec::with_capacity(self.columns);
        let mut left_over = Vec::new();
        for cell in row.cells {
            self.skip_held(&mut cells);
            if cells.len() < self.columns {
                self.place(cell, &mut cells, heads);
            } else {
                left_over.extend(cell.blocks);
            }
        }
        self.skip_held(&mut cells);
        cells.resize_with(self.columns, Cell::default);
        if let Some(last) = cells.last_mut() {
            last.blocks.extend(left_over);
        }
        if first && heads { self.header = cells } else { self.rows.push(cells) }
    }

    /// Where a cell from above reaches down there is an empty one.
    fn skip_held(&mut self, cells: &mut Vec<Cell>) {
        while let Some(held) = self.held.get_mut(cells.len())
            && *held > 0
        {
            *held -= 1;
            cells.push(Cell::default());
        }
    }

    fn place(&mut self, cell: OpenCell, cells: &mut Vec<Cell>, heads: bool) {
        let column = cells.len();
        if self.alignments.len() <= column {
            self.alignments.resize(column + 1, Alignment::None);
        }
        if self.alignments[column] == Alignment::None {
            self.alignments[column] = cell.alignment;
        }
        let OpenCell { columns, rows, blocks, heads: own, .. } = cell;
        cells.push(Cell { heads: own || heads, blocks });
        let end = (column + columns.max(1)).min(self.columns);
        for held in &mut self.held[column..end] {
            *held = rows.max(1) - 1;
        }
        cells.resize_with(end, Cell::default);
    }
}
