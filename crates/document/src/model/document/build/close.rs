//! Closing elements: converts each to its block or inline.

use super::open_element::{
    ContentModel, Kind, OpenCell, OpenElement, OpenImage, OpenRow, Origin, Wrapper,
};
use super::white_space::{is_blank, is_empty, is_space, is_unseen, trim};
use super::{Builder, attribute_lists, callouts, mark, table};
use crate::model::document::queries::{plain, plain_line};
use crate::model::document::tree::walk;
use crate::model::document::{
    Attributes, Block, Callout, Cell, ContainerTag, Definition, Image, Inline, Item, List,
    ReferenceId, Span, SpanTag,
};

impl Builder {
    /// Closes the innermost element and adds the result to its parent.
    pub(super) fn close_top(&mut self) {
        self.flush();
        let Some(mut element) = self.stack.pop() else {
            return;
        };
        if self.double_equals {
            mark::mark(&mut element.inlines);
        }
        // Most have one inline or block, and a vector begins with room for four: so documents take
        // half the memory.
        element.inlines.shrink_to_fit();
        element.blocks.shrink_to_fit();
        match element.kind.content_model() {
            ContentModel::Wrapper => self.close_wrapper(element),
            ContentModel::Paragraph | ContentModel::Line => {
                self.double_equals = false;
                self.close_line(element);
            }
            ContentModel::Blocks | ContentModel::Parts | ContentModel::Text => {
                self.close_block(element)
            }
        }
    }

    // -- inlines ----------------------------------------------------------------------------------

    fn close_wrapper(&mut self, element: OpenElement) {
        let OpenElement {
            kind: Kind::Wrapper(wrapper),
            inlines: content,
            ..
        } = element
        else {
            return;
        };
        let is_plain_span =
            matches!(&wrapper, Wrapper::Span(SpanTag::Span, attributes) if attributes.is_empty());
        if is_plain_span || is_blank(&content) {
            // A wrapper that is empty or has no effect is dropped; its anchors and its space stay.
            if let Wrapper::Span(_, attributes) = wrapper {
                self.keep_id(attributes);
            }
            for inline in content {
                self.push_inline(inline);
            }
        } else {
            self.push_wrapped(wrapper, content);
        }
        self.push_postponed_footnotes();
    }

    fn push_wrapped(&mut self, wrapper: Wrapper, content: Vec<Inline>) {
        self.push_inline(match wrapper {
            Wrapper::Emphasis => Inline::Emphasis(content),
            Wrapper::Strong => Inline::Strong(content),
            Wrapper::Strikethrough => Inline::Strikethrough(content),
            Wrapper::Span(SpanTag::Code, _) if is_code_text(&content) => {
                Inline::Code(plain(&content))
            }
            Wrapper::Span(tag, attributes) => Inline::Span(Span {
                tag,
                attributes,
                content,
            }),
            Wrapper::Link { reference, title } => {
                return self.close_link(reference, title, content);
            }
        });
    }

    /// Keeps the id of a dropped element as an anchor.
    fn keep_id(&mut self, attributes: Attributes) {
        for (name, id) in attributes {
            if name == "id" {
                self.push_anchor(id);
            }
        }
    }

    /// Moves white space at the edges of a link's text outside of it.
    fn close_link(&mut self, reference: ReferenceId, title: String, mut content: Vec<Inline>) {
        let leads = match content.first() {
            Some(Inline::Text(text)) => text.starts_with(' '),
            first => first.is_some_and(is_space),
        };
        let trails = match content.last() {
            Some(Inline::Text(text)) => text.ends_with(' '),
            last => last.is_some_and(is_space),
        };
        trim(&mut content);
        if leads {
            self.push_inline(Inline::text(" "));
        }
        self.push_inline(Inline::Link {
            reference,
            title,
            content,
        });
        if trails {
            self.push_inline(Inline::text(" "));
        }
    }

    fn push_postponed_footnotes(&mut self) {
        if self.in_link() || self.in_alt() {
            return;
        }
        for number in std::mem::take(&mut self.postponed) {
            self.push_inline(Inline::Footnote(number));
        }
    }

    fn close_line(&mut self, element: OpenElement) {
        let OpenElement {
            kind,
            mut inlines,
            origin,
            ..
        } = element;
        if let Kind::Alt(image) = kind {
            self.push_inline(Inline::Image(close_image(image, &inlines)));
            self.spaced = false;
            return self.push_postponed_footnotes();
        }
        trim(&mut inlines);
        match kind {
            Kind::Heading { level, id } => {
                if let Origin::Html(_) = origin {
                    self.unwrap_self_links(&mut inlines);
                }
                self.close_heading(level, id, inlines);
            }
            _ if is_empty(&inlines) => {}
            Kind::Paragraph => self.close_paragraph(inlines),
            kind => self.give_line(&kind, inlines),
        }
    }

    fn close_paragraph(&mut self, mut inlines: Vec<Inline>) {
        let block = match inlines.as_mut_slice() {
            [Inline::Math { display: true, tex }] => Block::Math(std::mem::take(tex)),
            _ => Block::Paragraph(inlines),
        };
        self.push_block(block);
    }

    /// Removes links to the heading itself, which other programs add as an icon or around the whole
    /// text.
    fn unwrap_self_links(&self, inlines: &mut Vec<Inline>) {
        let mut unwrapped = Vec::with_capacity(inlines.len());
        let mut changed = false;
        for inline in std::mem::take(inlines) {
            match inline {
                Inline::Link {
                    reference, content, ..
                } if self.is_fragment(reference) => {
                    changed = true;
                    if plain(&content).contains(char::is_alphanumeric) {
                        unwrapped.extend(content);
                    }
                }
                other => unwrapped.push(other),
            }
        }
        *inlines = unwrapped;
        if changed {
            trim(inlines);
        }
    }

    fn is_fragment(&self, reference: ReferenceId) -> bool {
        self.references
            .get(reference)
            .is_some_and(|reference| reference.raw.starts_with('#'))
    }

    fn close_heading(&mut self, level: u8, id: Option<String>, mut content: Vec<Inline>) {
        let literal_brace = std::mem::take(&mut self.encoded_brace);
        let id = if literal_brace {
            id
        } else {
            attribute_lists::take_heading_id(&mut content).or(id)
        };
        if content
            .iter()
            .all(|inline| is_unseen(inline) || matches!(inline, Inline::Anchor(_)))
        {
            // A heading without text is dropped; its anchors stay.
            for inline in content {
                if let Inline::Anchor(id) = inline {
                    self.anchors.push(id);
                }
            }
            return;
        }
        let id = id
            .and_then(|id| self.ids.explicit(&id))
            .unwrap_or_else(|| self.ids.heading(&plain(&content)));
        self.push_block(Block::Heading { level, id, content });
    }

    /// Adds terms, summaries and captions to the block that contains them.
    fn give_line(&mut self, kind: &Kind, inlines: Vec<Inline>) {
        let Some(parent) = self.stack.last_mut() else {
            return;
        };
        match (kind, &mut parent.kind) {
            (Kind::Term, Kind::Definitions(definitions)) => match definitions.last_mut() {
                Some(last) if last.descriptions.is_empty() => last.terms.push(inlines),
                _ => definitions.push(Definition {
                    terms: vec![inlines],
                    descriptions: Vec::new(),
                }),
            },
            (Kind::Summary, Kind::Details { summary, .. }) if summary.is_empty() => {
                *summary = inlines
            }
            (Kind::Caption, Kind::Figure { caption }) if caption.is_empty() => *caption = inlines,
            (Kind::Caption, Kind::Table(table)) if table.caption.is_empty() => {
                table.caption = inlines
            }
            _ => parent.blocks.push(Block::Paragraph(inlines)),
        }
    }

    // -- blocks -----------------------------------------------------------------------------------

    fn close_block(&mut self, element: OpenElement) {
        let OpenElement { kind, blocks, .. } = element;
        let is_empty = blocks.is_empty();
        let block = match kind {
            Kind::Item { task, loose } => return self.give_item(Item { task, blocks }, loose),
            Kind::Cell(cell) => return self.give_cell(OpenCell { blocks, ..cell }),
            Kind::Row(row) => return self.give_row(row),
            Kind::Description => return self.give_description(blocks),
            Kind::Footnote(label) => return self.footnotes.define(label, blocks),
            Kind::Table(table) => {
                // Invalid content between the cells is shown first, as in browsers.
                self.push_blocks(blocks);
                return self.push_blocks(table::close(*table));
            }
            Kind::Container(ContainerTag::Div, attributes) if attributes.is_empty() => {
                return self.push_blocks(blocks);
            }
            Kind::Container(_, attributes) if is_empty => return self.keep_id(attributes),
            Kind::Container(tag, attributes) => callouts::of_container(tag, attributes, blocks),
            Kind::Callout { kind, title, fold } => Block::Callout(Callout {
                kind,
                title,
                fold,
                blocks,
            }),
            Kind::Figure { caption } if is_empty && !caption.is_empty() => {
                Block::Paragraph(caption)
            }
            Kind::Quote if !is_empty => callouts::of_quote(blocks),
            Kind::Figure { caption } if !is_empty => Block::Figure { blocks, caption },
            Kind::Details { open, summary } if !(is_empty && summary.is_empty()) => {
                Block::Details {
                    summary,
                    open,
                    blocks,
                }
            }
            Kind::List {
                start,
                loose,
                items,
                ..
            } if items.iter().any(has_content) => Block::List(List {
                start,
                tight: !loose,
                items,
            }),
            Kind::Definitions(definitions) if !definitions.is_empty() => {
                Block::Definitions(definitions)
            }
            Kind::Code {
                language,
                mut info,
                mut text,
            } => {
                if text.ends_with('\n') {
                    text.pop();
                }
                if self.has_label(info.name.as_deref()) {
                    info.name = None;
                }
                Block::Code {
                    language,
                    info,
                    text,
                }
            }
            _ => return,
        };
        self.push_block(block);
    }

    /// Whether the paragraph before a code block is its name: an author wrote it, or the label of a
    /// tab became it.
    fn has_label(&self, name: Option<&str>) -> bool {
        match (name, self.stack.last().and_then(|top| top.blocks.last())) {
            (Some(name), Some(Block::Paragraph(line))) => {
                plain_line(line).trim_end_matches(':') == name
            }
            _ => false,
        }
    }

    fn push_blocks(&mut self, blocks: Vec<Block>) {
        for block in blocks {
            self.push_block(block);
        }
    }

    fn give_item(&mut self, item: Item, is_loose: bool) {
        let Some(Kind::List {
            loose,
            items,
            start,
            ..
        }) = self.top_kind()
        else {
            return self.push_blocks(item.blocks);
        };
        // An item that a dropped tag left empty is dropped, except in an ordered list, where that
        // would change the numbers after it.
        if start.is_some() || has_content(&item) {
            *loose |= is_loose;
            items.push(item);
        }
    }

    fn give_cell(&mut self, cell: OpenCell) {
        if let Some(Kind::Row(row)) = self.top_kind() {
            row.cells.push(cell);
        }
    }

    fn give_row(&mut self, row: OpenRow) {
        if let Some(Kind::Table(table)) = self.top_kind()
            && !row.cells.is_empty()
            && !row.dropped
        {
            table.rows.push(row);
        }
    }

    fn give_description(&mut self, blocks: Vec<Block>) {
        let Some(Kind::Definitions(definitions)) = self.top_kind() else {
            return;
        };
        match definitions.last_mut() {
            Some(last) => last.descriptions.push(blocks),
            None => definitions.push(Definition {
                terms: Vec::new(),
                descriptions: vec![blocks],
            }),
        }
    }
}

fn has_content(item: &Item) -> bool {
    !item.blocks.is_empty() || item.task.is_some()
}

fn close_image(image: OpenImage, inlines: &[Inline]) -> Image {
    let OpenImage {
        reference,
        title,
        sized,
    } = image;
    let mut image = Image {
        reference,
        alt: plain_line(inlines),
        title,
        width: None,
        height: None,
    };
    if sized {
        take_size(&mut image);
    }
    image
}

/// Takes the size from the alternative text: `![[picture.png|300]]`, `![[picture.png|300x200]]`,
/// `![[picture.png|words|300]]`.
fn take_size(image: &mut Image) {
    let (words, size) = image.alt.rsplit_once('|').unwrap_or(("", &image.alt));
    let (width, height) = match size.split_once('x') {
        Some((width, height)) => (width, Some(height)),
        None => (size, None),
    };
    let is_number = |text: &str| {
        !text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if is_number(width) && height.is_none_or(is_number) {
        image.width = width.parse().ok();
        image.height = height.and_then(|height| height.parse().ok());
        image.alt = words.to_owned();
    }
}

/// Whether these inlines are only code and wrappers around it.
fn is_code_text(inlines: &[Inline]) -> bool {
    let is_wrapper = |inline: &Inline| {
        matches!(
            inline,
            Inline::Emphasis(_) | Inline::Strong(_) | Inline::Strikethrough(_) | Inline::Span(_)
        )
    };
    walk(inlines).all(|inline| {
        is_wrapper(inline)
            || matches!(
                inline,
                Inline::Text(_) | Inline::Code(_) | Inline::SoftBreak
            )
    })
}

/// A cell of one paragraph.
impl From<Vec<Inline>> for Cell {
    fn from(inlines: Vec<Inline>) -> Self {
        Self {
            heads: false,
            blocks: vec![Block::Paragraph(inlines)],
        }
    }
}
