//! Inlines as HTML.

use super::{Writer, escape};
use crate::model::document::address::{Address, ImageForm, last_segment};
use crate::model::document::queries::plain;
use crate::model::document::{Image, Inline, ReferenceId};

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
                self.out += "<code>";
                escape::code(&mut self.out, code);
                self.out += "</code>";
            }
            Inline::Emphasis(content) => self.inline_element("em", content),
            Inline::Strong(content) => self.inline_element("strong", content),
            Inline::Strikethrough(content) => self.inline_element("del", content),
            Inline::Span(span) => {
                let name = span.tag.name();
                self.open(name, &span.attributes);
                self.inlines(&span.content);
                self.close(name);
            }
            Inline::Link {
                reference,
                title,
                content,
            } => self.link(*reference, title, content),
            Inline::Image(image) => self.image(image),
            Inline::HardBreak => self.out += "<br>\n",
            Inline::SoftBreak => self.out += "\n",
            Inline::Footnote(index) => self.footnote(*index),
            Inline::Math { tex, display } => {
                self.out += if *display {
                    "<span class=\"math display\">"
                } else {
                    "<span class=\"math\">"
                };
                self.tex(tex, *display);
                self.out += "</span>";
            }
            Inline::Anchor(_) if self.is_feed() => {}
            Inline::Anchor(id) => {
                self.out += "<span";
                self.attribute("id", id);
                self.out += "></span>";
            }
        }
    }

    pub(super) fn inline_element(&mut self, name: &str, content: &[Inline]) {
        self.open(name, &[]);
        self.inlines(content);
        self.close(name);
    }

    fn link(&mut self, reference: ReferenceId, title: &str, content: &[Inline]) {
        let address = if self.in_link {
            None
        } else {
            self.rendering.address(reference)
        };
        let Some(address) = address else {
            return self.inlines(content);
        };
        let label = match title {
            _ if plain(content).contains(char::is_alphanumeric) => String::new(),
            "" => last_segment(&address.key),
            title => title.to_owned(),
        };
        self.open_link(address, title, &label);
        self.in_link = true;
        self.inlines(content);
        self.in_link = false;
        self.out += "</a>";
    }

    /// The start tag of a link; a link without text needs a label.
    fn open_link(&mut self, address: Address, title: &str, label: &str) {
        self.out += "<a";
        self.attribute("href", &address.href);
        if !title.is_empty() {
            self.attribute("title", title);
        }
        if !label.is_empty() && !self.is_feed() {
            self.attribute("aria-label", label);
        }
        self.out += ">";
        self.outline.links.push(address.key);
    }

    fn image(&mut self, image: &Image) {
        match self.rendering.image_form(image) {
            ImageForm::Picture(address) => self.picture(image, address),
            ImageForm::Link(address, words) if !self.in_link => {
                self.open_link(address, &image.title, "");
                escape::text(&mut self.out, &words);
                self.out += "</a>";
            }
            ImageForm::Link(_, words) | ImageForm::Words(words) => {
                escape::text(&mut self.out, &words)
            }
        }
    }

    fn picture(&mut self, image: &Image, address: Address) {
        self.out += "<img";
        self.attribute("src", &address.href);
        self.attribute("alt", &image.alt);
        if !image.title.is_empty() && !image.alt.is_empty() && !self.has_caption {
            self.attribute("title", &image.title);
        }
        let (width, height) = size(image, address.size);
        for (name, value) in [("width", width), ("height", height)] {
            if let Some(value) = value {
                self.attribute(name, &value.to_string());
            }
        }
        // The first picture is often the largest element on the first screen, so lazy loading would
        // be visible.
        self.images += 1;
        if self.images > 1 && !self.is_feed() {
            self.out += " loading=\"lazy\" decoding=\"async\"";
        }
        self.out += ">";
        self.outline.images.push(address.key);
    }

    fn footnote(&mut self, index: usize) {
        let number = index + 1;
        let Some(mentions) = self.mentions.get_mut(index) else {
            return;
        };
        *mentions += 1;
        let id = mention_id(number, *mentions);
        // The number is for sighted readers; the Markdown representation has its own footnote
        // syntax (Agent-Friendly Documentation Spec).
        self.out += &if self.is_feed() {
            format!("<sup>{number}</sup>")
        } else {
            format!(
                "<sup data-markdown-ignore><a href=\"#fn:{number}\" id=\"fnref:{id}\" role=\"doc-noteref\">{number}</a></sup>"
            )
        };
    }
}

/// The suffix of the id of a footnote's nth mention.
pub(super) fn mention_id(number: usize, mention: usize) -> String {
    if mention == 1 {
        number.to_string()
    } else {
        format!("{number}-{mention}")
    }
}

/// The size to write: the author's, completed by the file's aspect ratio.
fn size(image: &Image, file: Option<(u32, u32)>) -> (Option<u32>, Option<u32>) {
    match (image.width, image.height, file) {
        (None, None, Some((width, height))) => (Some(width), Some(height)),
        (Some(width), None, Some(file)) => (Some(width), scale(file.1, width, file.0)),
        (None, Some(height), Some(file)) => (scale(file.0, height, file.1), Some(height)),
        (width, height, _) => (width, height),
    }
}

/// A length scaled by `to / from`; `None` if the result is zero or too large.
fn scale(length: u32, to: u32, from: u32) -> Option<u32> {
    let scaled = u64::from(length) * u64::from(to) / u64::from(from.max(1));
    u32::try_from(scaled).ok().filter(|&scaled| scaled > 0)
}
