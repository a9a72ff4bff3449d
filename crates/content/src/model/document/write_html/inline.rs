//! Inlines as HTML.

use std::fmt::Write as _;

use super::{Writer, escape, has_words};
use crate::model::document::address::{Address, Shown, last_segment};
use crate::model::document::{Image, Inline, ReferenceId, Span};

impl Writer<'_> {
    pub(super) fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            self.inline(inline);
        }
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Text(text) => escape::text(&mut self.out, text),
            Inline::Code(code) => {
                self.out.push_str("<code>");
                escape::code(&mut self.out, code);
                self.out.push_str("</code>");
            }
            Inline::Emphasis(content) => self.wrap("em", content),
            Inline::Strong(content) => self.wrap("strong", content),
            Inline::Strikethrough(content) => self.wrap("del", content),
            Inline::Span(span) => self.span(span),
            Inline::Link { reference, title, content } => self.link(*reference, title, content),
            Inline::Image(image) => self.image(image),
            Inline::HardBreak => self.out.push_str("<br>\n"),
            Inline::SoftBreak => self.out.push('\n'),
            Inline::Footnote(index) => self.footnote(*index),
            Inline::Math { tex, display } => {
                self.out.push_str(if *display { "<span class=\"math display\">" } else { "<span class=\"math\">" });
                self.tex(tex, *display);
                self.out.push_str("</span>");
            }
            Inline::Anchor(id) if !self.is_feed() => {
                self.out.push_str("<span id=\"");
                escape::attribute(&mut self.out, id);
                self.out.push_str("\"></span>");
            }
            Inline::Anchor(_) => {}
        }
    }

    fn wrap(&mut self, name: &str, content: &[Inline]) {
        self.push(["<", name, ">"]);
        self.inlines(content);
        self.push(["</", name, ">"]);
    }

    fn span(&mut self, span: &Span) {
        let name = span.tag.name();
        self.open(name, &span.attributes);
        self.inlines(&span.content);
        self.push(["</", name, ">"]);
    }

    fn link(&mut self, reference: ReferenceId, title: &str, content: &[Inline]) {
        let Some(address) = self.rendering.address(reference).filter(|_| !self.in_link) else {
            return self.inlines(content);
        };
        let label = (!has_words(content)).then(|| if title.is_empty() { last_segment(&address.key) } else { title.to_owned() });
        self.open_link(&address, title, label.as_deref());
        self.outline.links.push(address.key);
        self.in_link = true;
        self.inlines(content);
        self.in_link = false;
        self.out.push_str("</a>");
    }

    fn open_link(&mut self, address: &Address, title: &str, label: Option<&str>) {
        self.out.push_str("<a href=\"");
        escape::attribute(&mut self.out, &address.href);
        self.out.push('"');
        for (name, value) in [("title", Some(title).filter(|title| !title.is_empty())), ("aria-label", label.filter(|_| !self.is_feed()))] {
            if let Some(value) = value {
                self.push([" ", name, "=\""]);
                escape::attribute(&mut self.out, value);
                self.out.push('"');
            }
        }
        self.out.push('>');
    }

    fn image(&mut self, image: &Image) {
        match self.rendering.shown(image) {
            Shown::Picture(address) => self.picture(image, address),
            Shown::Link(address, words) if !self.in_link => {
                self.open_link(&address, &image.title, None);
                self.outline.links.push(address.key);
                escape::text(&mut self.out, &words);
                self.out.push_str("</a>");
            }
            Shown::Link(_, words) => escape::text(&mut self.out, &words),
            Shown::Words(words) => escape::text(&mut self.out, &words),
        }
    }

    fn picture(&mut self, image: &Image, address: Address) {
        self.out.push_str("<img src=\"");
        escape::attribute(&mut self.out, &address.href);
        self.out.push_str("\" alt=\"");
        escape::attribute(&mut self.out, &image.alt);
        self.out.push('"');
        if !image.title.is_empty() && !image.alt.is_empty() {
            self.out.push_str(" title=\"");
            escape::attribute(&mut self.out, &image.title);
            self.out.push('"');
        }
        let (width, height) = size(image, address.size);
        for (name, value) in [("width", width), ("height", height)] {
            if let Some(value) = value {
                let _ = write!(self.out, " {name}=\"{value}\"");
            }
        }
        // The first picture is often the largest thing on the first screen: waiting for it is what readers would notice.
        self.images += 1;
        if self.images > 1 && !self.is_feed() {
            self.out.push_str(" loading=\"lazy\"");
        }
        self.out.push('>');
        self.outline.images.push(address.key);
    }

    fn footnote(&mut self, index: usize) {
        let number = index + 1;
        let Some(mentions) = self.mentions.get_mut(index) else { return };
        *mentions += 1;
        let mentions = *mentions;
        if self.is_feed() {
            let _ = write!(self.out, "<sup>{number}</sup>");
            return;
        }
        let suffix = if mentions == 1 { String::new() } else { format!("-{mentions}") };
        // The number is for eyes: the Markdown form has a mark of its own (Agent-Friendly Documentation Spec).
        let _ = write!(
            self.out,
            "<sup data-markdown-ignore><a href=\"#fn:{number}\" id=\"fnref:{number}{suffix}\" role=\"doc-noteref\">{number}</a></sup>"
        );
    }
}

/// The size to write: the author's, completed by the file's own proportions.
fn size(image: &Image, file: Option<(u32, u32)>) -> (Option<u32>, Option<u32>) {
    let scale = |length: u32, of: u32, to: u32| {
        let scaled = u64::from(length) * u64::from(to) / u64::from(of.max(1));
        u32::try_from(scaled).ok().filter(|&scaled| scaled > 0)
    };
    match (image.width, image.height, file) {
        (Some(width), Some(height), _) => (Some(width), Some(height)),
        (Some(width), None, Some((w, h))) => (Some(width), scale(width, w, h)),
        (None, Some(height), Some((w, h))) => (scale(height, h, w), Some(height)),
        (None, None, Some((w, h))) => (Some(w), Some(h)),
        (width, height, None) => (width, height),
    }
}
