//! Tables as HTML.

use super::{Writer, narrow};
use crate::model::document::queries::plain_line;
use crate::model::document::tree::walk;
use crate::model::document::{Alignment, Block, Cell, Table};

impl Writer<'_> {
    fn rows(&mut self, table: &Table) {
        // GFM requires a header: an author may leave it empty.
        if table.header.iter().any(|cell| !cell.blocks.is_empty()) {
            self.out += "<thead>\n";
            self.row(&table.header, table, true);
            self.out += "</thead>\n";
        }
        if !table.rows.is_empty() {
            self.out += "<tbody>\n";
            for row in &table.rows {
                self.row(row, table, false);
            }
            self.out += "</tbody>\n";
        }
    }

    /// A table; in a page, inside a box that is a region and a stop of the keyboard if it may scroll.
    pub(super) fn table(&mut self, table: &Table) {
        if !self.is_feed() {
            self.out += "<div class=\"table\"";
            if narrow::table_may_scroll(table) {
                let label = self.table_label(table);
                self.out += " role=\"region\" tabindex=\"0\"";
                self.attribute("aria-label", &label);
            }
            self.out += ">\n";
        }
        let outer = std::mem::replace(&mut self.in_table, true);
        self.out += "<table>\n";
        if !table.caption.is_empty() {
            self.line("caption", &table.caption);
        }
        self.rows(table);
        self.in_table = outer;
        self.out += if self.is_feed() {
            "</table>\n"
        } else {
            "</table>\n</div>\n"
        };
    }

    /// The caption's text, else that of the heading above; each label is unique, since assistive
    /// technology distinguishes regions by it.
    fn table_label(&mut self, table: &Table) -> String {
        let caption = plain_line(&table.caption);
        let words = if !caption.is_empty() {
            caption
        } else if !self.heading.is_empty() {
            self.heading.clone()
        } else {
            "Table".to_owned()
        };
        let count = self.table_labels.entry(words.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            words
        } else {
            format!("{words} ({count})")
        }
    }

    fn row(&mut self, cells: &[Cell], table: &Table, header: bool) {
        self.out += "<tr>";
        for (index, cell) in cells.iter().enumerate() {
            let heads = (header || cell.heads) && !cell.blocks.is_empty() && !holds_heading(cell);
            self.out += match (heads, header) {
                (false, _) => "<td",
                (true, true) => "<th scope=\"col\"",
                (true, false) => "<th scope=\"row\"",
            };
            if !self.is_feed() {
                self.out += class_of(table.alignments.get(index));
            }
            self.out += ">";
            self.flow(&cell.blocks);
            self.out += if heads { "</th>" } else { "</td>" };
        }
        self.out += "</tr>\n";
    }
}

fn class_of(alignment: Option<&Alignment>) -> &'static str {
    match alignment {
        None | Some(Alignment::None) => "",
        Some(Alignment::Left) => " class=\"left\"",
        Some(Alignment::Center) => " class=\"center\"",
        Some(Alignment::Right) => " class=\"right\"",
    }
}

/// A column header cannot contain headings.
fn holds_heading(cell: &Cell) -> bool {
    walk(&cell.blocks).any(|block| matches!(block, Block::Heading { .. }))
}
