//! One builder for Markdown and HTML: a stack of open elements that is always balanced.
//!
//! Both parsers report start, end and content; the builder decides where each is allowed.
//! Markdown's events are always balanced: each element is a [`Builder::enter`] and
//! [`Builder::leave`], and at its end everything inside it is closed. HTML tags may be in any
//! order: a stray end tag is dropped, and an element left open is closed with the Markdown element
//! around it.

mod attribute_lists;
mod autolinks;
mod callouts;
mod close;
pub(crate) mod emoji;
mod footnotes;
mod ids;
mod mark;
mod open;
mod open_element;
mod source_map;
mod table;
mod text;
mod white_space;

pub(crate) use attribute_lists::is_attributes;
pub(crate) use autolinks::addresses;
pub(crate) use callouts::is_title;
pub use ids::heading_id;
pub(crate) use open_element::{Kind, OpenCell, OpenImage, OpenRow, OpenTable, Wrapper};
pub(crate) use source_map::{Positions, SourceMap};
pub(crate) use table::span as table_span;

use super::{Block, Document, Embed, Inline, Reference, ReferenceId, ReferenceKind};
use crate::model::text::clean;
use footnotes::Footnotes;
use ids::Ids;
use open_element::{ContentModel, OpenElement, Origin};

/// Maximum number of inline elements carried over block borders (`<b><p>…</p><p>…</p></b>`).
const MAX_FORMATTING: usize = 8;

/// An HTML inline element that a block interrupted: reopened in the next paragraph, until its end
/// tag.
#[derive(Clone, Debug)]
struct Formatting {
    tag: &'static str,
    wrapper: Wrapper,
    /// The number of Markdown elements open around it: it ends with them.
    scopes: usize,
}

/// An open Markdown element.
#[derive(Clone, Copy, Debug)]
struct Scope {
    /// The number of elements open before it.
    depth: usize,
    /// Its end in the source.
    end: usize,
}

/// Builds one [`Document`].
#[derive(Debug, Default)]
pub(crate) struct Builder {
    /// Whether kramdown's attribute lists (`{: .class}`) are dropped.
    pub(crate) attribute_lists: bool,
    stack: Vec<OpenElement>,
    /// Maximum nesting depth; deeper elements are flattened without loss of text. It also bounds
    /// the recursion of the writers, to slightly more than this.
    nesting: usize,
    scopes: Vec<Scope>,
    formatting: Vec<Formatting>,
    /// Tags not opened because of the depth, so that their end tags do not close other elements.
    flattened: Vec<&'static str>,
    /// The text since the last inline, and the sources of its parts.
    run: String,
    source_map: SourceMap,
    /// Whether the open paragraph is empty or ends with white space.
    spaced: bool,
    /// Whether text that is still open contains `==`.
    double_equals: bool,
    /// Whether the last brace of the heading's text was encoded as `&#123;`: it does not start an
    /// id.
    encoded_brace: bool,
    /// Ids of elements that cannot carry them, for the next text.
    anchors: Vec<String>,
    /// Footnotes mentioned inside a link, to add after it.
    postponed: Vec<usize>,
    ids: Ids,
    references: Vec<Reference>,
    /// The offset of each reference in the text.
    offsets: Vec<usize>,
    footnotes: Footnotes,
}

impl Builder {
    pub(crate) fn new() -> Self {
        let root = OpenElement::new(Kind::Root, Origin::Implied);
        Self {
            stack: vec![root],
            nesting: crate::model::bounds::nesting(),
            spaced: true,
            ..Self::default()
        }
    }

    /// For an HTML page, whose footnotes are elements with ordinary ids.
    pub(crate) fn with_own_notes(mut self) -> Self {
        self.ids.own_notes = true;
        self
    }

    /// Closes everything and returns the document.
    pub(crate) fn finish(mut self) -> Document {
        self.scopes.clear();
        while self.stack.len() > 1 {
            self.close_top();
        }
        self.flush();
        let blocks = self.stack.pop().map(|root| root.blocks).unwrap_or_default();
        let mut document = Document {
            blocks,
            footnotes: Vec::new(),
            references: self.references,
            title_id: None,
            title_anchors: Vec::new(),
        };
        self.footnotes.number(&mut document);
        document
    }

    // -- open elements ----------------------------------------------------------------------------

    fn content_model(&self) -> ContentModel {
        self.stack
            .last()
            .map_or(ContentModel::Blocks, |element| element.kind.content_model())
    }

    fn push_element(&mut self, kind: Kind, origin: Origin) {
        self.stack.push(OpenElement::new(kind, origin));
    }

    /// The text of the open code block.
    fn open_code(&mut self) -> Option<&mut String> {
        if let Some(Kind::Code { text, .. }) = self.top_kind() {
            Some(text)
        } else {
            None
        }
    }

    /// Whether one more element may open.
    pub(crate) fn has_room(&self) -> bool {
        self.stack.len() < self.nesting
    }

    /// Whether text is added to a code block unchanged.
    pub(crate) fn in_code(&self) -> bool {
        self.content_model() == ContentModel::Text
    }

    /// Whether a link is open.
    pub(crate) fn in_link(&self) -> bool {
        self.stack
            .iter()
            .any(|element| matches!(element.kind, Kind::Wrapper(Wrapper::Link { .. })))
    }

    /// Whether an image's alternative text is being read.
    pub(crate) fn in_alt(&self) -> bool {
        self.stack
            .iter()
            .any(|element| matches!(element.kind, Kind::Alt(_)))
    }

    /// The kind of the nearest open element that contains blocks or parts.
    pub(crate) fn holder(&self) -> &Kind {
        let is_holder = |kind: &&Kind| {
            matches!(
                kind.content_model(),
                ContentModel::Blocks | ContentModel::Parts
            )
        };
        self.stack
            .iter()
            .rev()
            .map(|element| &element.kind)
            .find(is_holder)
            .unwrap_or(&Kind::Root)
    }

    /// The kind of the innermost open element, mutable.
    pub(crate) fn top_kind(&mut self) -> Option<&mut Kind> {
        self.stack.last_mut().map(|element| &mut element.kind)
    }

    /// The checkbox of an item that is open: directly, or where its first paragraph begins.
    pub(crate) fn checkbox(&mut self) -> Option<&mut Option<bool>> {
        let is_new = self.run().is_empty();
        let (top, outer) = self.stack.split_last_mut()?;
        let item = match top.kind {
            Kind::Paragraph if is_new && top.inlines.is_empty() => {
                outer.last_mut().filter(|outer| outer.blocks.is_empty())?
            }
            _ => top,
        };
        match &mut item.kind {
            Kind::Item { task, .. } => Some(task),
            _ => None,
        }
    }

    /// Whether a header cell is open: it may not contain headings.
    pub(crate) fn in_heading_cell(&self) -> bool {
        let cell = self
            .stack
            .iter()
            .rev()
            .find(|element| matches!(element.kind, Kind::Cell(_)));
        matches!(
            cell,
            Some(OpenElement {
                kind: Kind::Cell(OpenCell { heads: true, .. }),
                ..
            })
        )
    }

    // -- Markdown elements ------------------------------------------------------------------------

    /// Begins a Markdown element that ends at `end` in the source. [`Builder::leave`] closes
    /// everything opened since.
    pub(crate) fn enter(&mut self, end: usize) {
        self.flush();
        self.scopes.push(Scope {
            depth: self.stack.len(),
            end,
        });
    }

    /// Begins a Markdown block: closes the open paragraph, then as [`Builder::enter`].
    pub(crate) fn enter_block(&mut self, kind: Kind, end: usize) {
        let fits = self.make_room_for_block(&kind);
        self.enter(end);
        if fits {
            self.open_fitting(kind, Origin::Markdown);
        }
    }

    /// Begins a Markdown inline; `None` is transparent.
    pub(crate) fn enter_inline(&mut self, wrapper: Option<Wrapper>, end: usize) {
        self.make_room_for_inline();
        self.enter(end);
        if let Some(wrapper) = wrapper {
            self.open_wrapper(wrapper, Origin::Markdown);
        }
    }

    /// Begins an image, whose alternative text follows.
    pub(crate) fn enter_image(&mut self, image: OpenImage, end: usize) {
        self.make_room_for_inline();
        self.enter(end);
        if !self.in_code() {
            self.push_element(Kind::Alt(image), Origin::Markdown);
        }
    }

    /// Ends the innermost Markdown element, and everything open in it.
    pub(crate) fn leave(&mut self) {
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        self.close_to(scope.depth);
        let open = self.scopes.len();
        self.formatting
            .retain(|formatting| formatting.scopes <= open);
    }

    /// The end of the innermost Markdown element in the source.
    pub(crate) fn scope_end(&self) -> Option<usize> {
        self.scopes.last().map(|scope| scope.end)
    }

    /// The number of elements that HTML end tags may not close.
    fn barrier(&self) -> usize {
        self.scopes.last().map_or(1, |scope| scope.depth).max(1)
    }

    /// After an interruption, limits the scopes to elements that still exist.
    fn lower_scopes(&mut self) {
        let open = self.stack.len();
        for scope in &mut self.scopes {
            scope.depth = scope.depth.min(open);
        }
    }

    // -- closing ----------------------------------------------------------------------------------

    /// Closes the nearest HTML element of this name, and everything in it. A stray end tag is
    /// ignored.
    ///
    /// `block`: whether it may close blocks; the end tag of an inline closes only inlines.
    pub(crate) fn close_html(&mut self, tag: &'static str, block: bool) {
        if self.flattened.last() == Some(&tag) {
            self.flattened.pop();
            return;
        }
        self.flush();
        self.formatting.retain(|formatting| formatting.tag != tag);
        let is_table_part = matches!(tag, "table" | "tr" | "td" | "th" | "caption");
        for index in (self.barrier()..self.stack.len()).rev() {
            let element = &self.stack[index];
            if element.origin == Origin::Html(tag) {
                return self.close_to(index);
            }
            let is_wall = match (&element.kind, block) {
                (Kind::Cell(_), true) => !is_table_part,
                (_, true) => false,
                (kind, false) => kind.content_model() != ContentModel::Wrapper,
            };
            if is_wall {
                return;
            }
        }
    }

    /// Closes the nearest element that matches `is`, unless one that matches `wall` is nearer.
    pub(crate) fn close_implied(
        &mut self,
        is: impl Fn(&Kind) -> bool,
        wall: impl Fn(&Kind) -> bool,
    ) {
        self.flush();
        for index in (self.barrier()..self.stack.len()).rev() {
            let kind = &self.stack[index].kind;
            if is(kind) {
                return self.close_to(index);
            }
            if wall(kind) {
                return;
            }
        }
    }

    /// Closes until `depth` elements are open.
    fn close_to(&mut self, depth: usize) {
        self.flush();
        while self.stack.len() > depth.max(1) {
            self.close_top();
        }
    }

    // -- leaves -----------------------------------------------------------------------------------

    /// Adds a block without nested content.
    pub(crate) fn block(&mut self, block: Block) {
        if self.make_room_for_block(&Kind::Paragraph) {
            self.push_block(block);
        } else if let Block::Embed(embed) = block {
            self.embed_in_line(embed);
        }
    }

    /// Turns an embed in a heading or a summary into a link.
    fn embed_in_line(&mut self, embed: Embed) {
        if self.in_code() || self.in_link() || self.in_alt() {
            return;
        }
        let content = vec![Inline::Text(embed.title)];
        self.inline(Inline::Link {
            reference: embed.reference,
            title: String::new(),
            content,
        });
    }

    /// Adds an inline without nested content.
    pub(crate) fn inline(&mut self, inline: Inline) {
        self.make_room_for_inline();
        if let Some(code) = self.open_code() {
            match &inline {
                Inline::Code(text) | Inline::Text(text) => *code += text,
                Inline::HardBreak | Inline::SoftBreak => code.push('\n'),
                _ => {}
            }
            return;
        }
        match inline {
            Inline::HardBreak | Inline::SoftBreak => self.spaced = true,
            Inline::Anchor(_) => {}
            _ => self.spaced = false,
        }
        self.push_inline(inline);
    }

    /// Adds the mention of a footnote; never inside a link.
    pub(crate) fn footnote(&mut self, label: &str) {
        let number = self.footnotes.mention(label);
        if self.in_link() || self.in_alt() {
            self.postponed.push(number);
        } else {
            self.inline(Inline::Footnote(number));
        }
    }

    /// Adds the id of an element that cannot carry it, as an anchor before the next text.
    pub(crate) fn anchor(&mut self, id: &str) {
        if let Some(id) = self.ids.claim(id) {
            self.flush();
            self.push_anchor(id);
        }
    }

    fn push_anchor(&mut self, id: String) {
        if matches!(
            self.content_model(),
            ContentModel::Paragraph | ContentModel::Line | ContentModel::Wrapper
        ) {
            self.push_inline(Inline::Anchor(id));
        } else {
            self.anchors.push(id);
        }
    }

    /// An id for an element that can carry it: `None` if it is taken or invalid.
    pub(crate) fn claim_id(&mut self, id: &str) -> Option<String> {
        self.ids.claim(id)
    }

    /// Records an address; `offset` is its place in the current text.
    pub(crate) fn reference(
        &mut self,
        raw: &str,
        kind: ReferenceKind,
        offset: usize,
    ) -> ReferenceId {
        self.references.push(Reference {
            raw: clean(raw).trim().to_owned(),
            kind,
            line: 0,
            column: 0,
        });
        self.offsets.push(offset);
        self.references.len() - 1
    }

    /// The number of addresses recorded so far.
    pub(crate) fn reference_count(&self) -> usize {
        self.references.len()
    }

    /// Sets the lines and columns of the references from `first` on, once their text has been read.
    pub(crate) fn locate(&mut self, first: usize, positions: &Positions<'_>) {
        self.flush();
        for (reference, &offset) in self.references.iter_mut().zip(&self.offsets).skip(first) {
            if reference.line == 0 {
                (reference.line, reference.column) = positions.locate(offset);
            }
        }
    }

    fn push_block(&mut self, block: Block) {
        if let Some(element) = self.stack.last_mut() {
            element.blocks.push(block);
        }
    }

    fn push_inline(&mut self, inline: Inline) {
        if let Some(element) = self.stack.last_mut() {
            element.inlines.push(inline);
        }
    }
}
