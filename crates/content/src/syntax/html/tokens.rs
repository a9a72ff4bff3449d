//! HTML into tags and text, by the WHATWG's own rules.

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, StringReader, Tokenizer};

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// Lower case.
    pub name: String,
    /// Decoded.
    pub value: String,
    /// Where its name stands.
    pub offset: usize,
}

/// A tag or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Start(StartTag),
    /// The name in lower case.
    End(String),
    /// Decoded text, and where it stands.
    Text(String, usize),
    /// A comment, and where it begins.
    Comment(usize),
}

/// A start tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartTag {
    /// Lower case.
    pub name: String,
    pub attributes: Vec<Attribute>,
    /// Where the tag begins.
    pub start: usize,
    /// Where its content begins.
    pub end: usize,
}

impl StartTag {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value.as_str())
    }

    /// Where an attribute stands, else the tag.
    pub(crate) fn offset(&self, name: &str) -> usize {
        self.attributes.iter().find(|attribute| attribute.name == name).map_or(self.start, |attribute| attribute.offset)
    }
}

/// The tags and texts of an HTML text, in order.
pub(crate) struct Tokens<'t>(Tokenizer<StringReader<'t>, CallbackEmitter<Collector, Token, usize>>);

impl<'t> Tokens<'t> {
    pub(crate) fn new(html: &'t str) -> Self {
        let mut emitter = CallbackEmitter::new(Collector::default());
        emitter.naively_switch_states(true);
        Self(Tokenizer::new_with_emitter(html, emitter))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        // Everything that reads HTML comes by here.
        if crate::model::bounds::is_over() {
            return None;
        }
        match self.0.next()? {
            Ok(token) => Some(token),
            Err(never) => match never {},
        }
    }
}

/// Puts the parser's events together to tags.
#[derive(Debug, Default)]
struct Collector(StartTag);

impl Callback<Token, usize> for Collector {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Token> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.0 = StartTag { name: lossy(name), attributes: Vec::new(), start: span.start, end: span.end };
                None
            }
            CallbackEvent::AttributeName { name } => {
                // The first of a name counts; more than any honest tag has are dropped, so that a tag of thousands stays cheap.
                let name = lossy(name);
                let known = self.0.attributes.len() >= 100 || self.0.attributes.iter().any(|attribute| attribute.name == name);
                let name = if known { String::new() } else { name };
                if !known || self.0.attributes.last().is_none_or(|last| !last.name.is_empty()) {
                    self.0.attributes.push(Attribute { name, value: String::new(), offset: span.start });
                }
                None
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(last) = self.0.attributes.last_mut().filter(|last| !last.name.is_empty()) {
                    last.value = lossy(value);
                }
                None
            }
            CallbackEvent::CloseStartTag { .. } => {
                let mut tag = std::mem::take(&mut self.0);
                tag.attributes.retain(|attribute| !attribute.name.is_empty());
                tag.end = span.end;
                Some(Token::Start(tag))
            }
            CallbackEvent::EndTag { name } => Some(Token::End(lossy(name))),
            CallbackEvent::String { value } => Some(Token::Text(lossy(value), span.start)),
            CallbackEvent::Comment { .. } => Some(Token::Comment(span.start)),
            CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => None,
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_text_and_places() {
        let html = "a &amp; b<IMG src=x ALT='y &lt; z' src=twice><script>if (a < b) {}</script><!-- c --></p>";
        let tokens: Vec<_> = Tokens::new(html).collect();
        let Token::Start(img) = &tokens[1] else { panic!("{tokens:?}") };
        assert_eq!(tokens[0], Token::Text("a & b".into(), 0));
        assert_eq!((img.name.as_str(), img.get("src"), img.get("alt")), ("img", Some("x"), Some("y < z")));
        assert_eq!(&html[img.start..img.start + 4], "<IMG");
        assert!(html[..img.end].ends_with("twice>"), "{}", &html[..img.end]);
        assert!(html[img.offset("alt")..].starts_with("ALT="));
        assert!(matches!(&tokens[3], Token::Text(text, _) if text == "if (a < b) {}"));
        assert_eq!(tokens.last(), Some(&Token::End("p".into())));
    }
}
