//! What a frame becomes when it closes.

use super::frame::{Class, Frame, Kind, OpenImage, Origin, Wrapper};
use super::{Builder, marks, table, text};
use crate::model::document::queries::{plain, plain_line};
use crate::model::document::{Attributes, Block, Callout, Cell, ContainerTag, Definition, Image, Inline, Item, List, ReferenceId, Span, SpanTag};

impl Builder {
    /// Closes the innermost frame and gives what it became to the one around it.
    pub(super) fn close_top(&mut self) {
        self.flush();
        let Some(mut frame) = self.stack.pop() else { return };
        if !frame.inlines.is_empty() && self.equals {
            marks::mark(&mut frame.inlines);
        }
        match frame.kind.class() {
            Class::Wrapper => self.close_wrapper(frame),
            Class::Paragraph | Class::Line => {
                self.equals = false;
                self.close_line(frame);
            }
            _ => self.close_block(frame),
        }
    }

    fn close_wrapper(&mut self, frame: Frame) {
        let Frame { kind: Kind::Wrapper(wrapper), inlines: content, .. } = frame else { return };
        if let Wrapper::Link { .. } = wrapper {
            self.links = self.links.saturating_sub(1);
        }
        let plain_span = matches!(&wrapper, Wrapper::Span(SpanTag::Span, attributes) if attributes.is_empty());
        if plain_span || is_blank(&content) {
            // A wrapper that is empty or says nothing goes; its anchors and its space stay.
            if let Wrapper::Span(_, attributes) = wrapper {
                self.keep_id(attributes);
            }
            for inline in content {
                self.push_inline(inline);
            }
        } else {
            self.push_inline(match wrapper {
                Wrapper::Emphasis => Inline::Emphasis(content),
                Wrapper::Strong => Inline::Strong(content),
                Wrapper::Strikethrough => Inline::Strikethrough(content),
                Wrapper::Span(SpanTag::Code, _) if content.iter().all(is_code_text) => Inline::Code(plain(&content)),
                Wrapper::Span(tag, attributes) => Inline::Span(Span { tag, attributes, content }),
                Wrapper::Link { reference, title } => return self.close_link(reference, title, content),
            });
        }
        self.place_postponed();
    }

    /// The id of an element that is not kept: still a place to link to.
    fn keep_id(&mut self, attributes: Attributes) {
        let ids = attributes.into_iter().filter(|(name, _)| name == "id").map(|(_, id)| id);
        for id in ids {
            if matches!(self.class(), Class::Paragraph | Class::Line | Class::Wrapper) {
                self.push_inline(Inline::Anchor(id));
            } else {
                self.anchors.push(id);
            }
        }
    }

    /// White space at the edges of a link's text belongs outside of it.
    fn close_link(&mut self, reference: ReferenceId, title: String, mut content: Vec<Inline>) {
        let is_edge = |inline: Option<&Inline>, at_end: bool| match inline {
            Some(Inline::Text(text)) => {
                if at_end {
                    text.ends_with(' ')
                } else {
                    text.starts_with(' ')
                }
            }
            Some(inline) => is_space(inline),
            None => false,
        };
        let (leads, trails) = (is_edge(content.first(), false), is_edge(content.last(), true));
        trim(&mut content);
        if leads {
            self.push_inline(Inline::text(" "));
        }
        self.push_inline(Inline::Link { reference, title, content });
        if trails {
            self.push_inline(Inline::text(" "));
        }
        self.place_postponed();
    }

    fn place_postponed(&mut self) {
        if !self.in_link() && !self.in_alt() && !self.postponed.is_empty() {
            for number in std::mem::take(&mut self.postponed) {
                self.push_inline(Inline::Footnote(number));
            }
        }
    }

    fn close_line(&mut self, frame: Frame) {
        let Frame { kind, mut inlines, origin, .. } = frame;
        if let Kind::Alt(image) = kind {
            self.alts = self.alts.saturating_sub(1);
            self.push_inline(Inline::Image(close_image(image, &inlines)));
            self.spaced = false;
            self.place_postponed();
            return;
        }
        trim(&mut inlines);
        match kind {
            Kind::Paragraph => self.close_paragraph(inlines),
            Kind::Heading { level, id } => {
                if let Origin::Html(_) = origin {
                    self.unwrap_self_links(&mut inlines);
                }
                self.close_heading(level, id, inlines);
            }
            _ if is_empty(&inlines) => {}
            kind => self.give_line(&kind, inlines),
        }
    }

    fn close_paragraph(&mut self, mut inlines: Vec<Inline>) {
        if is_empty(&inlines) {
            return;
        }
        if let [Inline::Math { display: true, tex }] = inlines.as_mut_slice() {
            let tex = std::mem::take(tex);
            self.push_block(Block::Math(tex));
            return;
        }
        self.push_block(Block::Paragraph(inlines));
    }

    /// Other programs' headings link to themselves, by a sign beside the text or by the whole of it.
    fn unwrap_self_links(&self, inlines: &mut Vec<Inline>) {
        let is_self = |inline: &Inline| matches!(inline, Inline::Link { reference, .. } if self.references.get(*reference).is_some_and(|reference| reference.raw.starts_with('#')));
        if !inlines.iter().any(is_self) {
            return;
        }
        let unwrap = |inline: Inline| {
            if !is_self(&inline) {
                return vec![inline];
            }
            let Inline::Link { content, .. } = inline else { return Vec::new() };
            if plain(&content).contains(char::is_alphanumeric) { content } else { Vec::new() }
        };
        *inlines = std::mem::take(inlines).into_iter().flat_map(unwrap).collect();
        trim(inlines);
    }

    fn close_heading(&mut self, level: u8, id: Option<String>, mut content: Vec<Inline>) {
        let named = if std::mem::take(&mut self.literal_brace) { None } else { text::take_heading_id(&mut content) };
        let explicit = named.or(id);
        let first_anchor = content.iter().position(|inline| matches!(inline, Inline::Anchor(_)));
        if content.iter().all(|inline| is_unseen(inline) || matches!(inline, Inline::Anchor(_))) {
            // A heading without words is none; a place to link to stays one.
            content.retain(|inline| matches!(inline, Inline::Anchor(_)));
            self.anchors.extend(content.into_iter().filter_map(|inline| if let Inline::Anchor(id) = inline { Some(id) } else { None }));
            return;
        }
        let id = match (explicit.and_then(|id| self.ids.explicit(&id)), first_anchor) {
            (Some(id), _) => id,
            (None, _) => self.ids.heading(&plain(&content)),
        };
        self.push_block(Block::Heading { level, id, content });
    }

    /// Terms, summaries and captions go to the block that has a place for them.
    fn give_line(&mut self, kind: &Kind, inlines: Vec<Inline>) {
        let Some(parent) = self.stack.last_mut() else { return };
        match (kind, &mut parent.kind) {
            (Kind::Term, Kind::Definitions(definitions)) => match definitions.last_mut() {
                Some(last) if last.descriptions.is_empty() => last.terms.push(inlines),
                _ => definitions.push(Definition { terms: vec![inlines], descriptions: Vec::new() }),
            },
            (Kind::Summary, Kind::Details { summary, .. }) if summary.is_empty() => *summary = inlines,
            (Kind::Caption, Kind::Figure { caption }) if caption.is_empty() => *caption = inlines,
            (Kind::Caption, Kind::Table(table)) if table.caption.is_empty() => table.caption = inlines,
            _ => parent.blocks.push(Block::Paragraph(inlines)),
        }
    }

    fn close_block(&mut self, frame: Frame) {
        let Frame { kind, blocks, .. } = frame;
        match kind {
            Kind::Item { task, loose } => return self.give_item(Item { task, blocks }, loose),
            Kind::Cell(mut cell) => {
                cell.blocks = blocks;
                if let Some(Kind::Row(row)) = self.top_kind() {
                    row.cells.push(cell);
                }
                return;
            }
            Kind::Row(row) => {
                if let Some(Kind::Table(table)) = self.top_kind()
                    && !row.cells.is_empty()
                    && !row.dropped
                {
                    table.rows.push(row);
                }
                return;
            }
            Kind::Description => {
                if let Some(Kind::Definitions(definitions)) = self.top_kind() {
                    match definitions.last_mut() {
                        Some(last) => last.descriptions.push(blocks),
                        None => definitions.push(Definition { terms: Vec::new(), descriptions: vec![blocks] }),
                    }
                }
                return;
            }
            Kind::Container(ContainerTag::Div, attributes) if attributes.is_empty() => {
                blocks.into_iter().for_each(|block| self.push_block(block));
                return;
            }
            Kind::Container(_, attributes) if blocks.is_empty() => return self.keep_id(attributes),
            Kind::Note(label) => return self.footnotes.define(label, blocks),
            Kind::Table(table) => {
                // What careless HTML put between the cells comes first, as browsers show it.
                for block in blocks.into_iter().chain(table::close(*table)) {
                    self.push_block(block);
                }
                return;
            }
            _ => {}
        }
        if let Some(block) = finished(kind, blocks) {
            self.push_block(block);
        }
    }

    fn give_item(&mut self, item: Item, is_loose: bool) {
        if let Some(Kind::List { loose, items, start }) = self.top_kind() {
            // What a dropped tag left behind is no point. In a list of numbers it keeps those behind it as they were.
            if start.is_none() && item.blocks.is_empty() && item.task.is_none() {
                return;
            }
            *loose |= is_loose;
            items.push(item);
        } else {
            for block in item.blocks {
                self.push_block(block);
            }
        }
    }
}

/// The block that a frame of blocks became; `None` when nothing is in it.
fn finished(kind: Kind, blocks: Vec<Block>) -> Option<Block> {
    let empty = blocks.is_empty();
    match kind {
        Kind::Quote if empty => None,
        Kind::Quote => Some(text::callout_of_quote(blocks)),
        Kind::Callout { kind, title, fold } => Some(Block::Callout(Callout { kind, title, fold, blocks })),
        Kind::Details { open, summary } if !(empty && summary.is_empty()) => Some(Block::Details { summary, open, blocks }),
        Kind::Figure { caption } if empty => (!caption.is_empty()).then_some(Block::Paragraph(caption)),
        Kind::Figure { caption } => Some(Block::Figure { blocks, caption }),
        Kind::Container(tag, attributes) => Some(super::boxes::of_container(tag, attributes, blocks)),
        Kind::List { start, loose, items } if items.iter().any(|item| !item.blocks.is_empty() || item.task.is_some()) => {
            Some(Block::List(List { start, tight: !loose, items }))
        }
        Kind::Definitions(definitions) if !definitions.is_empty() => Some(Block::Definitions(definitions)),
        Kind::Code { language, mut text } => {
            if text.ends_with('\n') {
                text.pop();
            }
            Some(Block::Code { language, text })
        }
        _ => None,
    }
}

fn close_image(image: OpenImage, inlines: &[Inline]) -> Image {
    let alt = plain_line(inlines);
    let OpenImage { reference, title, sized } = image;
    let mut image = Image { reference, alt, title, width: None, height: None };
    if sized {
        text::take_size(&mut image);
    }
    image
}

/// Whether nothing would be seen, and nothing is lost without it.
fn is_empty(inlines: &[Inline]) -> bool {
    inlines.iter().all(is_space)
}

/// Whether nothing would be seen; anchors may be in it.
pub(super) fn is_blank(inlines: &[Inline]) -> bool {
    inlines.iter().all(|inline| is_space(inline) || matches!(inline, Inline::Anchor(_)))
}

fn is_space(inline: &Inline) -> bool {
    match inline {
        Inline::Text(text) => text.trim().is_empty(),
        Inline::SoftBreak | Inline::HardBreak => true,
        _ => false,
    }
}

/// Whether nothing would be seen in a line of its own: blank code is no more than white space there.
fn is_unseen(inline: &Inline) -> bool {
    match inline {
        Inline::Code(code) => code.trim().is_empty(),
        Inline::Emphasis(content) | Inline::Strong(content) | Inline::Strikethrough(content) => content.iter().all(is_unseen),
        Inline::Span(span) => span.content.iter().all(is_unseen),
        _ => is_space(inline),
    }
}

fn is_code_text(inline: &Inline) -> bool {
    match inline {
        Inline::Text(_) | Inline::Code(_) | Inline::SoftBreak => true,
        Inline::Emphasis(content) | Inline::Strong(content) | Inline::Strikethrough(content) => content.iter().all(is_code_text),
        Inline::Span(span) => span.content.iter().all(is_code_text),
        _ => false,
    }
}

/// Takes white space and line breaks from both ends.
fn trim(inlines: &mut Vec<Inline>) {
    while let Some(last) = inlines.last_mut() {
        match last {
            Inline::Text(text) => {
                text.truncate(text.trim_ascii_end().len());
                if !text.is_empty() {
                    break;
                }
            }
            Inline::SoftBreak | Inline::HardBreak => {}
            _ => break,
        }
        inlines.pop();
    }
    let leading = inlines.iter().take_while(|inline| is_space(inline)).count();
    inlines.drain(..leading);
    if let Some(Inline::Text(text)) = inlines.first_mut()
        && text.starts_with([' ', '\t', '\n'])
    {
        *text = text.trim_ascii_start().to_owned();
    }
}

/// A cell of one paragraph.
impl From<Vec<Inline>> for Cell {
    fn from(inlines: Vec<Inline>) -> Self {
        Self { heads: false, blocks: vec![Block::Paragraph(inlines)] }
    }
}
