//! Tables as pipe tables, or as their blocks where pipe tables cannot contain them.

use super::escape::LineKind;
use super::{Writer, embed_link};
use crate::model::document::callout::shown_summary;
use crate::model::document::tree::walk;
use crate::model::document::{Alignment, Block, Cell, Inline, Table};

impl Writer<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        if !table.caption.is_empty() {
            self.paragraph(&table.caption);
            self.gap = Some(self.prefix.len());
        }
        if !table.cells().all(fits_line) {
            // Headings, code and tables are written without the grid around them.
            for cell in table.cells() {
                self.blocks(&cell.blocks);
            }
            self.gap = None;
            return;
        }
        if table.header.is_empty() {
            self.lines(&format!("|{}", " |".repeat(table.alignments.len())));
        } else {
            self.row(&table.header);
        }
        self.lines(&delimiter_row(&table.alignments));
        for row in &table.rows {
            self.row(row);
        }
    }

    fn row(&mut self, cells: &[Cell]) {
        let mut row = String::from("|");
        for cell in cells {
            let text = match cell.blocks.as_slice() {
                [Block::Paragraph(content)] => self.line(content, LineKind::Cell),
                blocks => {
                    let mut content = Vec::new();
                    push_blocks(&mut content, blocks);
                    self.line(&content, LineKind::Cell)
                }
            };
            row += " ";
            row += &text;
            row += if text.is_empty() { "|" } else { " |" };
        }
        self.lines(&row);
    }
}

/// Whether the content of a cell fits on one line.
fn fits_line(cell: &Cell) -> bool {
    !walk(&cell.blocks).any(|block| {
        matches!(
            block,
            Block::Heading { .. } | Block::Code { .. } | Block::Table(_)
        )
    })
}

/// Flattens blocks to one line.
fn push_blocks(line: &mut Vec<Inline>, blocks: &[Block]) {
    for block in blocks {
        if !line.is_empty() {
            line.push(Inline::SoftBreak);
        }
        push_block(line, block);
    }
}

fn push_block(line: &mut Vec<Inline>, block: &Block) {
    match block {
        Block::Paragraph(content) => line.extend_from_slice(content),
        Block::Quote(blocks) => push_blocks(line, blocks),
        Block::Container(container) => push_blocks(line, &container.blocks),
        Block::Callout(callout) => push_titled(line, callout.shown_title(), &callout.blocks),
        Block::Details {
            summary, blocks, ..
        } => push_titled(line, shown_summary(summary), blocks),
        Block::Figure { blocks, caption } => {
            push_blocks(line, blocks);
            line.push(Inline::SoftBreak);
            line.push(Inline::Emphasis(caption.clone()));
        }
        Block::List(list) => {
            for (index, item) in list.items.iter().enumerate() {
                line.push(Inline::text(if index > 0 { " • " } else { "• " }));
                push_blocks(line, &item.blocks);
            }
        }
        Block::Definitions(definitions) => {
            for definition in definitions {
                line.extend(definition.terms.iter().cloned().map(Inline::Strong));
                for description in &definition.descriptions {
                    push_blocks(line, description);
                }
            }
        }
        Block::Math(tex) => line.push(Inline::Math {
            tex: tex.clone(),
            display: false,
        }),
        Block::Embed(embed) => line.push(embed_link(embed)),
        Block::Rule | Block::Heading { .. } | Block::Code { .. } | Block::Table(_) => {}
    }
}

fn push_titled(line: &mut Vec<Inline>, title: Vec<Inline>, blocks: &[Block]) {
    line.push(Inline::Strong(title));
    line.push(Inline::SoftBreak);
    push_blocks(line, blocks);
}

fn delimiter_row(alignments: &[Alignment]) -> String {
    let mut row = String::from("|");
    for alignment in alignments {
        row += match alignment {
            Alignment::None => " --- |",
            Alignment::Left => " :-- |",
            Alignment::Center => " :-: |",
            Alignment::Right => " --: |",
        };
    }
    row
}
