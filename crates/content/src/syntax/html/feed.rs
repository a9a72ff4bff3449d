//! HTML tags given to the builder, one after the other.

use super::elements;
use super::tokens::{StartTag, Token, Tokens};
use crate::model::document::build::{Builder, SourceMap};

/// What HTML leaves to whoever reads the text around it.
#[derive(Debug)]
pub(crate) enum Pending {
    /// A comment is open at the end.
    Comment,
    /// An element that is dropped with its content is open at the end.
    Element(&'static str),
    /// A film or sound is open at the end, before its address came; it began here in the source.
    Media { tag: &'static str, start: usize },
    /// Markdown in an element that asks for it, and where it stands in the source.
    Markdown { text: String, offset: usize },
}

/// What of the elements around decides about the next tag.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// An element whose content is dropped, and how often it was opened in itself.
    pub dropping: Option<(&'static str, usize)>,
    /// A film or sound that waits for its `<source>`.
    pub media: Option<elements::Media>,
    /// Whether the text is that of a `<noscript>`, which the tokenizer takes for raw text.
    pub noscript: bool,
    /// Whether this is itself the text of a `<noscript>`.
    pub nested: bool,
    /// The part of a whole page that is read: its furniture is dropped.
    pub region: Option<Region>,
}

/// Which part of a whole page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// `<article>` or `<main>`: only navigation does not belong to it.
    Article,
    /// The body, of which much is furniture.
    Body,
}

/// A piece of HTML on its way into the builder.
pub(crate) struct Feed<'h> {
    html: &'h str,
    /// Where the pieces of `html` came from.
    pieces: &'h SourceMap,
    /// Whether it is a block, in which elements may ask for Markdown.
    block: bool,
    tokens: Tokens<'h>,
    /// Where in `html` the tokens begin.
    base: usize,
    state: State,
    /// Where an open comment began.
    comment: Option<usize>,
    ended: bool,
}

impl<'h> Feed<'h> {
    pub(crate) fn new(html: &'h str, pieces: &'h SourceMap, block: bool) -> Self {
        Self { html, pieces, block, tokens: Tokens::new(html), base: 0, state: State::default(), comment: None, ended: false }
    }

    /// The text of a `<noscript>`.
    pub(super) fn nested(html: &'h str, pieces: &'h SourceMap) -> Self {
        let mut feed = Self::new(html, pieces, false);
        feed.state.nested = true;
        feed
    }

    /// Reads on until something is left to the caller, or (`None`) to the end.
    pub(crate) fn read(&mut self, builder: &mut Builder) -> Option<Pending> {
        while let Some(token) = self.tokens.next() {
            self.comment = None;
            match token {
                Token::Start(tag) => {
                    let asks = self.block && asks_for_markdown(&tag) && self.state.dropping.is_none();
                    let (base, pieces) = (self.base, self.pieces);
                    elements::start(builder, &mut self.state, &tag, &|offset| pieces.source(base + offset));
                    if asks {
                        let from = self.base + tag.end;
                        return Some(self.markdown(&tag.name, from));
                    }
                }
                Token::End(name) => elements::end(builder, &mut self.state, &name),
                Token::Text(text, offset) => {
                    let offset = self.pieces.source(self.base + offset);
                    elements::text(builder, &mut self.state, &text, offset);
                }
                Token::Comment(start) => self.comment = Some(self.base + start),
            }
        }
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        if let Some(start) = self.comment
            && !self.html[start.min(self.html.len())..].trim_end().ends_with("-->")
            && self.html[start.min(self.html.len())..].starts_with("<!--")
        {
            return Some(Pending::Comment);
        }
        if let Some(media) = self.state.media.take() {
            return Some(Pending::Media { tag: media.tag, start: media.start });
        }
        self.state.dropping.take().map(|(name, _)| Pending::Element(name))
    }

    /// The content of an element as Markdown, up to its end tag or the end of the block.
    fn markdown(&mut self, name: &str, from: usize) -> Pending {
        let end = matching_end(&self.html[from..], name).map_or(self.html.len(), |at| from + at);
        self.tokens = Tokens::new(&self.html[end..]);
        self.base = end;
        Pending::Markdown { text: self.html[from..end].to_owned(), offset: self.pieces.source(from) }
    }
}

/// kramdown's `markdown="1"`.
fn asks_for_markdown(tag: &StartTag) -> bool {
    tag.get("markdown").is_some_and(|value| value != "0" && value != "false")
}

/// Where the end tag of an element stands whose content this is.
fn matching_end(html: &str, name: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let is_name = rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && rest[name.len()..].starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/');
        match (is_name, closes) {
            (true, true) if depth == 0 => return Some(at),
            (true, true) => depth -= 1,
            (true, false) => depth += 1,
            _ => {}
        }
    }
    None
}
