//! Tables as pipe tables, or as the blocks in them where pipes cannot hold those.

use super::Writer;
use super::inline::Place;
use crate::model::document::tree::walk;
use crate::model::document::{Alignment, Block, Cell, Inline, Table};

impl Writer<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        if !table.caption.is_empty() {
            self.paragraph(&table.caption);
            self.gap = Some(self.prefix.len());
        }
        if !table.cells().all(fits_line) {
            // Headings, code and tables stay what they are; the grid around them goes.
            for cell in table.cells() {
                self.blocks(&cell.blocks);
            }
            self.gap = None;
            return;
        }
        let columns = table.alignments.len();
        if table.header.is_empty() {
            self.lines(&format!("|{}", " |".repeat(columns)));
        } else {
            self.row(&table.header);
        }
        let rule = |alignment: &Alignment| match alignment {
            Alignment::None => " --- |",
            Alignment::Left => " :-- |",
            Alignment::Center => " :-: |",
            Alignment::Right => " --: |",
        };
        self.lines(&format!("|{}", table.alignments.iter().map(rule).collect::<String>()));
        for row in &table.rows {
            self.row(row);
        }
    }

    fn row(&mut self, cells: &[Cell]) {
        self.begin_line();
        self.out.push('|');
        let mut text = std::mem::take(&mut self.line_room);
        for cell in cells {
            match cell.blocks.as_slice() {
                [] => text.clear(),
                [Block::Paragraph(content)] => self.line(content, Place::Cell, &mut text),
                blocks => {
                    let mut content = Vec::new();
                    gather(&mut content, blocks);
                    self.line(&content, Place::Cell, &mut text);
                }
            }
            self.out.push(' ');
            self.out.push_str(&text);
            self.out.push_str(if text.is_empty() { "|" } else { " |" });
        }
        self.line_room = text;
        self.end_line();
    }
}

/// Whether the content of a cell can be said in a line.
fn fits_line(cell: &Cell) -> bool {
    !walk(&cell.blocks).any(|block| matches!(block, Block::Heading { .. } | Block::Code { .. } | Block::Table(_)))
}

/// Says blocks in one line.
fn gather(line: &mut Vec<Inline>, blocks: &[Block]) {
    for block in blocks {
        if !line.is_empty() {
            line.push(Inline::SoftBreak);
        }
        match block {
            Block::Paragraph(content) => line.extend(content.iter().cloned()),
            Block::Quote(blocks) => gather(line, blocks),
            Block::Callout(callout) => {
                line.push(Inline::Strong(super::callout_title(callout)));
                line.push(Inline::SoftBreak);
                gather(line, &callout.blocks);
            }
            Block::Details { summary, blocks, .. } => {
                line.push(Inline::Strong(if summary.is_empty() { vec![Inline::text("Details")] } else { summary.clone() }));
                line.push(Inline::SoftBreak);
                gather(line, blocks);
            }
            Block::Figure { blocks, caption } => {
                gather(line, blocks);
                line.push(Inline::SoftBreak);
                line.push(Inline::Emphasis(caption.clone()));
            }
            Block::Container(container) => gather(line, &container.blocks),
            Block::List(list) => {
                for (index, item) in list.items.iter().enumerate() {
                    line.push(Inline::text(if index > 0 { " • " } else { "• " }));
                    gather(line, &item.blocks);
                }
            }
            Block::Definitions(definitions) => {
                for definition in definitions {
                    line.extend(definition.terms.iter().map(|term| Inline::Strong(term.clone())));
                    definition.descriptions.iter().for_each(|blocks| gather(line, blocks));
                }
            }
            Block::Math(tex) => line.push(Inline::Math { tex: tex.clone(), display: false }),
            Block::Embed(embed) => line.extend(super::embed_inlines(embed)),
            Block::Rule | Block::Heading { .. } | Block::Code { .. } | Block::Table(_) => {}
        }
    }
}
