//! Tables as HTML.

use super::{Writer, escape};
use crate::model::document::queries::plain_line;
use crate::model::document::tree::walk;
use crate::model::document::{Alignment, Block, Cell, Table};

impl Writer<'_> {
    /// A table, in a page in a region that scrolls by itself and can be reached by keyboard.
    pub(super) fn table(&mut self, table: &Table) {
        if !self.is_feed() {
            let label = self.table_label(table);
            self.out.push_str("<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"");
            escape::attribute(&mut self.out, &label);
            self.out.push_str("\">\n");
        }
        self.out.push_str("<table>\n");
        if !table.caption.is_empty() {
            self.out.push_str("<caption>");
            self.inlines(&table.caption);
            self.out.push_str("</caption>\n");
        }
        if !table.header.is_empty() {
            self.out.push_str("<thead>\n");
            self.row(&table.header, &table.alignments, true);
            self.out.push_str("</thead>\n");
        }
        if !table.rows.is_empty() {
            self.out.push_str("<tbody>\n");
            for row in &table.rows {
                self.row(row, &table.alignments, false);
            }
            self.out.push_str("</tbody>\n");
        }
        self.out.push_str("</table>\n");
        if !self.is_feed() {
            self.out.push_str("</div>\n");
        }
    }

    /// The caption's words, else those of the heading above; each label is its own, since regions are told apart by it.
    fn table_label(&mut self, table: &Table) -> String {
        let caption = plain_line(&table.caption);
        let words = [caption.as_str(), self.heading.as_str(), "Table"].into_iter().find(|words| !words.is_empty()).unwrap_or("Table").to_owned();
        let count = self.labels.entry(words.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { words } else { format!("{words} ({count})") }
    }

    fn row(&mut self, cells: &[Cell], alignments: &[Alignment], header: bool) {
        self.out.push_str("<tr>");
        for (column, cell) in cells.iter().enumerate() {
            let heads = (header || cell.heads) && !cell.blocks.is_empty() && !holds_heading(cell);
            self.out.push_str(if heads { "<th" } else { "<td" });
            if heads {
                self.out.push_str(if header { " scope=\"col\"" } else { " scope=\"row\"" });
            }
            if !self.is_feed() {
                self.out.push_str(match alignments.get(column).copied().unwrap_or_default() {
                    Alignment::None => "",
                    Alignment::Left => " class=\"left\"",
                    Alignment::Center => " class=\"center\"",
                    Alignment::Right => " class=\"right\"",
                });
            }
            self.out.push('>');
            self.flow(&cell.blocks);
            self.out.push_str(if heads { "</th>" } else { "</td>" });
        }
        self.out.push_str("</tr>\n");
    }
}

/// A cell that heads a column cannot hold headings of its own.
fn holds_heading(cell: &Cell) -> bool {
    walk(&cell.blocks).any(|block| matches!(block, Block::Heading { .. }))
}
