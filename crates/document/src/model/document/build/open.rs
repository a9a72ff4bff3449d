//! Opening elements: where a block or an inline is allowed, and which others must close or open
//! first.

use super::open_element::{ContentModel, Kind, OpenCell, OpenElement, OpenRow, Origin, Wrapper};
use super::{Builder, Formatting, MAX_FORMATTING};
use crate::model::document::{Inline, SpanTag};

impl Builder {
    /// Opens an HTML block. `false`: it is not allowed here, so its content belongs to the open
    /// element.
    pub(crate) fn open_block(&mut self, kind: Kind, tag: &'static str) -> bool {
        if !self.make_room_for_block(&kind) {
            return false;
        }
        self.open_fitting(kind, Origin::Html(tag))
    }

    /// Opens an HTML inline.
    pub(crate) fn open_inline(&mut self, wrapper: Wrapper, tag: &'static str) {
        self.make_room_for_inline();
        self.open_wrapper(wrapper, Origin::Html(tag));
    }

    /// Opens a block that the content requires but the source omits.
    pub(crate) fn open_implied(&mut self, kind: Kind) -> bool {
        self.make_room_for_block(&kind) && self.open_fitting(kind, Origin::Implied)
    }

    pub(super) fn open_fitting(&mut self, kind: Kind, origin: Origin) -> bool {
        let holds = matches!(
            kind.content_model(),
            ContentModel::Blocks | ContentModel::Parts
        );
        if holds && !self.has_room() {
            if let Origin::Html(tag) = origin {
                self.flattened.push(tag);
            }
            return false;
        }
        if matches!(kind, Kind::Paragraph) {
            self.loosen();
        }
        let leaf = !holds && kind.content_model() != ContentModel::Text;
        self.push_element(kind, origin);
        if leaf {
            self.begin_line();
        }
        true
    }

    pub(super) fn open_wrapper(&mut self, wrapper: Wrapper, origin: Origin) {
        if self.in_code() {
            return;
        }
        if self.has_room() {
            self.push_element(Kind::Wrapper(wrapper), origin);
        } else if let Origin::Html(tag) = origin {
            self.flattened.push(tag);
        }
    }

    /// A separate paragraph makes its list loose.
    pub(super) fn loosen(&mut self) {
        if let Some(Kind::Item { loose, .. }) = self.top_kind() {
            *loose = true;
        }
    }

    /// Starts a paragraph, heading or similar: adds pending anchors, and reopens HTML inlines that
    /// a block interrupted.
    pub(super) fn begin_line(&mut self) {
        self.spaced = true;
        for id in std::mem::take(&mut self.anchors) {
            self.push_inline(Inline::Anchor(id));
        }
        for Formatting { tag, wrapper, .. } in self.formatting.clone() {
            if !(matches!(wrapper, Wrapper::Link { .. }) && self.in_link()) {
                self.push_element(Kind::Wrapper(wrapper), Origin::Html(tag));
            }
        }
    }

    /// Closes or opens elements until a block of `kind` is allowed. `false`: it is not allowed
    /// here.
    pub(super) fn make_room_for_block(&mut self, kind: &Kind) -> bool {
        self.flush();
        if !self.interrupt() {
            self.separate();
            return false;
        }
        while self.content_model() == ContentModel::Parts && !self.takes_part(kind) {
            self.open_implied_part();
        }
        true
    }

    /// Closes the open paragraph, if any. `false`: the open element is a line or code, which a
    /// block cannot end.
    pub(super) fn interrupt(&mut self) -> bool {
        let line = self
            .stack
            .iter()
            .rev()
            .map(|element| element.kind.content_model())
            .find(|class| *class != ContentModel::Wrapper);
        if !matches!(
            line,
            Some(ContentModel::Paragraph | ContentModel::Blocks | ContentModel::Parts)
        ) {
            return false;
        }
        while matches!(
            self.content_model(),
            ContentModel::Wrapper | ContentModel::Paragraph
        ) {
            self.remember_formatting();
            self.close_top();
        }
        self.lower_scopes();
        true
    }

    pub(super) fn remember_formatting(&mut self) {
        let Some(OpenElement {
            kind: Kind::Wrapper(wrapper),
            origin: Origin::Html(tag),
            ..
        }) = self.stack.last()
        else {
            return;
        };
        let known = self
            .formatting
            .iter()
            .any(|formatting| formatting.tag == *tag && formatting.wrapper == *wrapper);
        let carried = !matches!(
            wrapper,
            Wrapper::Span(SpanTag::Span | SpanTag::Sub | SpanTag::Sup, _)
        );
        if carried && !known && self.formatting.len() < MAX_FORMATTING {
            // The innermost is found first, but must be last.
            let formatting = Formatting {
                tag,
                wrapper: without_id(wrapper),
                scopes: self.scopes.len(),
            };
            self.formatting.insert(0, formatting);
        }
    }

    /// Whether the innermost element contains parts and this is a valid one.
    pub(super) fn takes_part(&self, kind: &Kind) -> bool {
        match self.stack.last().map(|top| &top.kind) {
            Some(Kind::List { .. }) => matches!(kind, Kind::Item { .. }),
            Some(Kind::Table(_)) => matches!(kind, Kind::Row(_) | Kind::Caption),
            Some(Kind::Row(_)) => matches!(kind, Kind::Cell(_)),
            Some(Kind::Definitions(_)) => matches!(kind, Kind::Term | Kind::Description),
            _ => false,
        }
    }

    /// Opens the missing part for content directly in a list, table or similar.
    pub(super) fn open_implied_part(&mut self) {
        let kind = match self.top_kind() {
            Some(Kind::List { items, .. }) => {
                // `<ul><li>a</li><ul>…</ul></ul>`: content between items belongs to the preceding
                // item.
                let item = items.pop().unwrap_or_default();
                self.push_element(
                    Kind::Item {
                        task: item.task,
                        loose: false,
                    },
                    Origin::Implied,
                );
                if let Some(element) = self.stack.last_mut() {
                    element.blocks = item.blocks;
                }
                return;
            }
            Some(Kind::Table(table)) => Kind::Row(OpenRow {
                header: table.heading,
                ..OpenRow::default()
            }),
            Some(Kind::Row(_)) => Kind::Cell(OpenCell::default()),
            _ => Kind::Description,
        };
        self.push_element(kind, Origin::Implied);
    }

    /// Closes or opens elements until inlines (or text) are allowed.
    pub(super) fn make_room_for_inline(&mut self) {
        self.flush();
        while self.content_model() == ContentModel::Parts {
            self.open_implied_part();
        }
        if self.content_model() == ContentModel::Blocks {
            self.push_element(Kind::Paragraph, Origin::Implied);
            self.begin_line();
        }
    }
}

/// A copy without the id, which is used only once, at the start of the element.
fn without_id(wrapper: &Wrapper) -> Wrapper {
    let mut wrapper = wrapper.clone();
    if let Wrapper::Span(_, attributes) = &mut wrapper {
        attributes.retain(|(name, _)| name != "id");
    }
    wrapper
}
