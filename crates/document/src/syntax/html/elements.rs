//! The mapping from HTML elements to the document: inlines, images and players here, blocks in
//! `blocks`.

use super::attributes::{code_language, kept};
use super::normalise::{CALLOUT, TEX};
use super::tokens::{StartTag, Token, Tokens};
use super::tree::is_void;
use crate::model::document::build::{Builder, Kind, SourceMap, Wrapper};
use crate::model::document::{Block, Embed, EmbedKind, Image, Inline, ReferenceKind, SpanTag};
use crate::model::text::clean;
use crate::syntax::clean_line;

/// Adds elements to the document.
pub struct Elements<'b> {
    pub builder: &'b mut Builder,
    /// The source of the tags' text, and the map of tag offsets into it.
    pub pieces: &'b SourceMap,
    pub base: usize,
    /// An element whose content is dropped, and its depth of nesting in itself.
    pub dropping: Option<(&'static str, usize)>,
    /// Video or audio that awaits its `<source>`.
    pub media: Option<Media>,
    /// Whether the text is that of a `<noscript>`, which the tokenizer treats as raw text.
    noscript: bool,
    /// Whether the input is itself the text of a `<noscript>`.
    nested: bool,
    /// The region of a whole page, which determines the boilerplate to drop.
    region: Option<Region>,
}

/// A region of a whole page.
#[derive(Clone, Copy, PartialEq)]
pub enum Region {
    /// `<article>` or `<main>`: all but navigation belongs to it.
    Article,
    /// The body, with its boilerplate.
    Body,
}

/// Video or audio that awaits its `<source>`.
pub struct Media {
    pub tag: &'static str,
    /// The offset of its tag in the source.
    pub start: usize,
    kind: EmbedKind,
    title: String,
}

/// Every supported element; any other tag is dropped, but its content is kept.
#[rustfmt::skip]
const KNOWN: [&str; 94] = [
    CALLOUT, TEX, "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "blockquote", "body", "br", "caption", "center", "cite", "code", "dd",
    "del", "details", "dfn", "dialog", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hgroup", "hr", "i", "iframe", "img", "input", "ins", "kbd", "legend", "li", "listing", "main", "mark", "menu",
    "nav", "noscript", "ol", "option", "p", "pre", "q", "rp", "rt", "s", "samp", "script", "search", "section", "small", "source", "span", "strike",
    "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "tfoot", "th", "thead", "title", "tr", "tt", "u", "ul",
    "var", "video", "wbr", "xmp",
];

impl<'b> Elements<'b> {
    pub fn new(builder: &'b mut Builder, pieces: &'b SourceMap, region: Option<Region>) -> Self {
        Self {
            builder,
            pieces,
            base: 0,
            dropping: None,
            media: None,
            noscript: false,
            nested: false,
            region,
        }
    }

    /// Converts an offset in the text to one in the source.
    pub fn source(&self, offset: usize) -> usize {
        self.pieces.source(self.base + offset)
    }

    pub fn start(&mut self, tag: &StartTag) {
        let Some(name) = known(&tag.name) else { return };
        if let Some((dropped, depth)) = &mut self.dropping {
            *depth += usize::from(*dropped == name);
            return;
        }
        if self.media.is_some() && !matches!(name, "source" | CALLOUT | TEX) {
            return;
        }
        if self
            .region
            .is_some_and(|region| is_boilerplate(region, name, tag))
        {
            if !is_void(name) {
                self.drop_content(name);
            }
            return;
        }
        match name {
            TEX => self.formula(tag),
            "script" | "style" | "template" | "svg" | "title" => self.drop_content(name),
            // Nesting is invalid, and the tokenizer would return the inner tags as text.
            "noscript" if self.nested => self.drop_content(name),
            "noscript" => self.noscript = true,
            "br" => self.builder.inline(Inline::HardBreak),
            "hr" => self.builder.block(Block::Rule),
            "img" => self.image(tag),
            "input" => self.checkbox(tag),
            "embed" => self.frame(tag),
            "iframe" => {
                self.frame(tag);
                self.drop_content(name);
            }
            "video" | "audio" => self.media(name, tag),
            "source" => self.media_source(tag),
            "a" => self.link(tag),
            _ => match wrapper(name) {
                Some(wrapper) => self.inline(name, tag, wrapper),
                None => self.block(name, tag),
            },
        }
    }

    pub fn end(&mut self, name: &str) {
        let Some(name) = known(name) else { return };
        if let Some((dropped, depth)) = &mut self.dropping {
            if *dropped != name {
                return;
            }
            if *depth == 0 {
                self.dropping = None;
            } else {
                *depth -= 1;
            }
            return;
        }
        if let Some(media) = &self.media
            && name != CALLOUT
        {
            if media.tag == name {
                self.media = None;
            }
            return;
        }
        match name {
            "noscript" => self.noscript = false,
            "thead" => self.head_rows(false),
            "rt" => self.builder.html_text(")", 0),
            _ => self
                .builder
                .close_html(name, name != "a" && wrapper(name).is_none()),
        }
    }

    /// A tag or a text; comments are not shown.
    pub fn token(&mut self, token: &Token) {
        match token {
            Token::Start(tag) => self.start(tag),
            Token::End(name) => self.end(name),
            Token::Text(text, offset) => self.text(text, *offset),
            Token::Comment(_) => {}
        }
    }

    /// Text between tags.
    pub fn text(&mut self, text: &str, offset: usize) {
        if self.dropping.is_some() || self.media.is_some() {
            return;
        }
        let source = self.source(offset);
        if !self.noscript {
            return self.builder.html_text(text, source);
        }
        // The pages have no scripts, so the fallback for scripts is the content.
        let mut pieces = SourceMap::default();
        pieces.push(0, source);
        let mut inner = Elements::new(self.builder, &pieces, None);
        inner.nested = true;
        for token in Tokens::new(text) {
            inner.token(&token);
        }
    }

    fn drop_content(&mut self, name: &'static str) {
        self.dropping = Some((name, 0));
    }

    fn formula(&mut self, tag: &StartTag) {
        let tex = clean(tag.get("tex").unwrap_or_default()).into_owned();
        if tag.is("display", "true") {
            self.builder.block(Block::Math(tex));
        } else {
            self.builder.inline(Inline::Math {
                tex,
                display: false,
            });
        }
    }

    /// An anchor for an element whose id is not kept otherwise.
    pub fn anchor(&mut self, id: Option<&str>) {
        if let Some(id) = id {
            self.builder.anchor(id);
        }
    }

    fn inline(&mut self, name: &'static str, tag: &StartTag, mut wrapper: Wrapper) {
        let in_code = self.builder.in_code();
        if in_code {
            // `<pre><code class="language-x">`: the element only specifies the language.
            if let (Some(Kind::Code { language, .. }), Some(named)) =
                (self.builder.top_kind(), code_language(tag))
            {
                language.get_or_insert(named);
            }
            // A link target in the code, such as the numbered ids that highlighters give to lines.
            self.anchor(
                tag.get("id")
                    .filter(|id| !id.ends_with(|c: char| c.is_ascii_digit())),
            );
        }
        if let Wrapper::Span(span, attributes) = &mut wrapper {
            if *span == SpanTag::Bdo && !matches!(tag.get("dir"), Some("ltr" | "rtl")) {
                *span = SpanTag::Span;
            }
            if !in_code {
                *attributes = kept(self.builder, tag);
            }
        } else {
            self.anchor(tag.get("id"));
        }
        self.builder.open_inline(wrapper, name);
    }

    fn link(&mut self, tag: &StartTag) {
        self.anchor(tag.get("id").or_else(|| tag.get("name")));
        if tag.filled("href").is_none() {
            return;
        }
        if self.builder.in_link() {
            self.builder.close_html("a", false);
        }
        if self.builder.in_link() || self.builder.in_alt() || self.builder.in_code() {
            return;
        }
        let reference = self.reference(tag, "href", ReferenceKind::Link);
        self.builder.open_inline(
            Wrapper::Link {
                reference,
                title: tag.line("title"),
            },
            "a",
        );
    }

    /// Records the address in an attribute.
    fn reference(&mut self, tag: &StartTag, attribute: &str, kind: ReferenceKind) -> usize {
        self.builder.flush();
        let source = self.source(tag.offset(attribute));
        self.builder
            .reference(tag.get(attribute).unwrap_or_default(), kind, source)
    }

    fn image(&mut self, tag: &StartTag) {
        let Some(attribute) = address(tag) else {
            return;
        };
        if self.builder.in_code() || self.builder.in_alt() {
            return;
        }
        let reference = self.reference(tag, attribute, ReferenceKind::Media);
        let (alt, title) = (tag.line("alt"), tag.line("title"));
        let image = Image {
            reference,
            alt,
            title,
            width: pixels(tag, "width"),
            height: pixels(tag, "height"),
        };
        self.builder.inline(Inline::Image(image));
    }

    /// A task list as other programs write it: a checkbox at the beginning of an item.
    fn checkbox(&mut self, tag: &StartTag) {
        if tag.is("type", "checkbox")
            && let Some(task) = self.builder.checkbox()
        {
            task.get_or_insert(tag.get("checked").is_some());
        }
    }

    fn frame(&mut self, tag: &StartTag) {
        if let Some(attribute) = address(tag) {
            self.embed(EmbedKind::Frame, tag.line("title"), tag, attribute);
        }
    }

    fn embed(&mut self, kind: EmbedKind, mut title: String, tag: &StartTag, attribute: &str) {
        if self.builder.in_code() {
            return;
        }
        let reference = self.reference(tag, attribute, ReferenceKind::Player);
        if title.is_empty() {
            title = title_of(tag.get(attribute).unwrap_or_default());
        }
        self.builder.block(Block::Embed(Embed {
            kind,
            reference,
            title,
        }));
    }

    fn media(&mut self, name: &'static str, tag: &StartTag) {
        let kind = if name == "video" {
            EmbedKind::Video
        } else {
            EmbedKind::Audio
        };
        if let Some(attribute) = address(tag) {
            self.embed(kind, tag.line("title"), tag, attribute);
            self.drop_content(name);
        } else {
            let title = tag.line(if tag.get("title").is_some() {
                "title"
            } else {
                "aria-label"
            });
            self.media = Some(Media {
                tag: name,
                start: self.source(tag.start),
                kind,
                title,
            });
        }
    }

    fn media_source(&mut self, tag: &StartTag) {
        if tag.filled("src").is_some()
            && let Some(media) = self.media.take()
        {
            self.embed(media.kind, media.title, tag, "src");
            self.drop_content(media.tag);
        }
    }
}

fn known(name: &str) -> Option<&'static str> {
    KNOWN.binary_search(&name).ok().map(|index| KNOWN[index])
}

/// Whether an element of a whole page is boilerplate: navigation, hidden elements, and in a body
/// also its header, footer and asides.
fn is_boilerplate(region: Region, name: &str, tag: &StartTag) -> bool {
    let is_hidden = tag.get("hidden").is_some() || tag.get("aria-hidden") == Some("true");
    let is_around = region == Region::Body && matches!(name, "header" | "footer" | "aside");
    name == "nav" || tag.get("role") == Some("navigation") || is_hidden || is_around
}

/// The wrapper for an inline element.
fn wrapper(name: &str) -> Option<Wrapper> {
    let span = match name {
        "em" | "i" => return Some(Wrapper::Emphasis),
        "strong" | "b" => return Some(Wrapper::Strong),
        "del" | "s" | "strike" => return Some(Wrapper::Strikethrough),
        "abbr" => SpanTag::Abbr,
        "bdi" => SpanTag::Bdi,
        "bdo" => SpanTag::Bdo,
        "cite" => SpanTag::Cite,
        "code" | "tt" => SpanTag::Code,
        "dfn" => SpanTag::Dfn,
        "ins" => SpanTag::Ins,
        "kbd" => SpanTag::Kbd,
        "mark" => SpanTag::Mark,
        "q" => SpanTag::Quote,
        "samp" => SpanTag::Samp,
        "small" => SpanTag::Small,
        "span" => SpanTag::Span,
        "sub" => SpanTag::Sub,
        "sup" => SpanTag::Sup,
        "u" => SpanTag::Underline,
        "var" => SpanTag::Var,
        _ => return None,
    };
    Some(Wrapper::Span(span, Vec::new()))
}

/// The attribute with the address of an image or embed: lazy-loading scripts use another one than
/// `src`.
fn address(tag: &StartTag) -> Option<&'static str> {
    let src = tag.filled("src");
    if src.is_none_or(|src| src.starts_with("data:")) {
        for late in ["data-src", "data-original", "data-lazy-src"] {
            if tag.filled(late).is_some() {
                return Some(late);
            }
        }
    }
    src.map(|_| "src")
}

fn pixels(tag: &StartTag, name: &str) -> Option<u32> {
    let pixels = tag.get(name)?.trim().trim_end_matches("px").parse().ok()?;
    (1..=20_000).contains(&pixels).then_some(pixels)
}

/// A fallback title for a player: its host, or its file name.
fn title_of(address: &str) -> String {
    let address = address.trim();
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    let title = match address.split_once("//") {
        Some((_, rest)) => rest.split(['/', '?', '#']).next(),
        None => path.rsplit('/').next(),
    };
    let title = clean_line(title.unwrap_or_default());
    if title.is_empty() {
        "Media".to_owned()
    } else {
        title
    }
}
