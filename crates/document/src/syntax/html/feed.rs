//! Passes HTML to the builder, one tag at a time.

use super::elements::Elements;
use super::tokens::{StartTag, Token, Tokens};
use crate::model::document::build::{Builder, SourceMap};

/// Constructs that the caller has to finish with the text after the HTML.
pub enum Pending {
    /// A comment is open at the end.
    Comment,
    /// An element that is dropped with its content is open at the end.
    Element(&'static str),
    /// Video or audio is open at the end, and its address is not known yet; `start` is its source
    /// offset.
    Media { tag: &'static str, start: usize },
    /// Markdown in an element with `markdown="1"`, and its source offset.
    Markdown { text: String, offset: usize },
}

/// A fragment of HTML that is being passed to the builder.
pub struct Feed<'h> {
    pub elements: Elements<'h>,
    html: &'h str,
    /// Whether it is a block, in which elements may contain Markdown.
    block: bool,
    tokens: Tokens<'h>,
    /// The offset of an open comment.
    comment: Option<usize>,
    ended: bool,
}

impl<'h> Feed<'h> {
    pub fn new(
        builder: &'h mut Builder,
        html: &'h str,
        pieces: &'h SourceMap,
        block: bool,
    ) -> Self {
        let elements = Elements::new(builder, pieces, None);
        Self {
            elements,
            html,
            block,
            tokens: Tokens::new(html),
            comment: None,
            ended: false,
        }
    }

    /// Reads to the next construct for the caller, or (`None`) to the end.
    pub fn read(&mut self) -> Option<Pending> {
        while let Some(token) = self.tokens.next() {
            self.comment = None;
            match token {
                Token::Start(tag) => {
                    let asks =
                        self.block && asks_for_markdown(&tag) && self.elements.dropping.is_none();
                    self.elements.start(&tag);
                    if asks {
                        return Some(self.markdown(&tag));
                    }
                }
                Token::End(name) => self.elements.end(&name),
                Token::Text(text, offset) => self.elements.text(&text, offset),
                Token::Comment(start) => self.comment = Some(self.elements.base + start),
            }
        }
        if std::mem::replace(&mut self.ended, true) {
            None
        } else {
            self.open_at_end()
        }
    }

    fn open_at_end(&mut self) -> Option<Pending> {
        if let Some(comment) = self.comment.and_then(|start| self.html.get(start..))
            && comment.starts_with("<!--")
            && !comment.trim_end().ends_with("-->")
        {
            return Some(Pending::Comment);
        }
        if let Some(media) = self.elements.media.take() {
            return Some(Pending::Media {
                tag: media.tag,
                start: media.start,
            });
        }
        self.elements
            .dropping
            .take()
            .map(|(name, _)| Pending::Element(name))
    }

    /// The content of an element as Markdown, up to its end tag or the end of the block.
    fn markdown(&mut self, tag: &StartTag) -> Pending {
        let start = self.elements.base + tag.end;
        let offset = self.elements.source(tag.end);
        let content = &self.html[start..];
        let text = &content[..end_of_element(content, &tag.name)];
        self.elements.base = start + text.len();
        self.tokens = Tokens::new(&content[text.len()..]);
        Pending::Markdown {
            text: text.to_owned(),
            offset,
        }
    }
}

/// kramdown's `markdown="1"`.
fn asks_for_markdown(tag: &StartTag) -> bool {
    tag.get("markdown")
        .is_some_and(|value| value != "0" && value != "false")
}

/// The offset of the end tag of the element with this content, else the end of the text.
fn end_of_element(html: &str, name: &str) -> usize {
    let mut depth = 0_usize;
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let (closes, tag) = rest
            .strip_prefix('/')
            .map_or((false, rest), |tag| (true, tag));
        let is_name = tag
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        if !is_name
            || !tag[name.len()..]
                .starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/')
        {
            continue;
        }
        match (closes, depth) {
            (false, _) => depth += 1,
            (true, 0) => return at,
            (true, _) => depth -= 1,
        }
    }
    html.len()
}
