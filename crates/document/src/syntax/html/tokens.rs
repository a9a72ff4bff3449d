//! HTML into tags and text, tokenized as specified by the WHATWG.

use std::str::SplitWhitespace;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, StringReader, Tokenizer};

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// In lower case.
    pub name: String,
    /// Decoded.
    pub value: String,
    /// The offset of its name.
    pub offset: usize,
}

/// A tag or text.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A start tag, also one that closes itself.
    Start(StartTag),
    /// The name in lower case.
    End(String),
    /// Decoded text, and its offset.
    Text(String, usize),
    /// The offset of a comment.
    Comment(usize),
}

/// A start tag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartTag {
    /// In lower case.
    pub name: String,
    /// In the order of the text.
    pub attributes: Vec<Attribute>,
    /// The offset of the tag.
    pub start: usize,
    /// The offset of its content.
    pub end: usize,
}

impl StartTag {
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// The value of an attribute, as it is written.
    pub fn get(&self, name: &str) -> Option<&str> {
        Some(self.attribute(name)?.value.as_str())
    }

    /// The value of an attribute, trimmed; `None` if empty.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.get(name)
            .map(str::trim)
            .filter(|value| !value.is_empty())
    }

    /// The value of an attribute on one line; empty if it is missing.
    pub fn line(&self, name: &str) -> String {
        crate::syntax::clean_line(self.get(name).unwrap_or_default())
    }

    /// Whether an attribute has this value, ignoring case.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.get(name)
            .is_some_and(|own| own.eq_ignore_ascii_case(value))
    }

    /// The words of `class`.
    pub fn classes(&self) -> SplitWhitespace<'_> {
        self.get("class").unwrap_or_default().split_whitespace()
    }

    /// Whether it has one of these classes.
    pub fn has_class(&self, classes: &[&str]) -> bool {
        self.classes().any(|class| classes.contains(&class))
    }

    /// The offset of an attribute, else of the tag.
    pub fn offset(&self, name: &str) -> usize {
        self.attribute(name)
            .map_or(self.start, |attribute| attribute.offset)
    }
}

/// The tags and texts of an HTML text, in order.
pub struct Tokens<'t>(Tokenizer<StringReader<'t>, CallbackEmitter<Collector, Token, usize>>);

impl<'t> Tokens<'t> {
    /// Nothing has been read yet.
    pub fn new(html: &'t str) -> Self {
        let mut emitter = CallbackEmitter::new(Collector::default());
        emitter.naively_switch_states(true);
        Self(Tokenizer::new_with_emitter(html, emitter))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        // All HTML is read here, so this enforces the time limit.
        if crate::model::bounds::is_over() {
            return None;
        }
        match self.0.next()? {
            Ok(token) => Some(token),
            Err(never) => match never {},
        }
    }
}

/// Assembles tags from the tokenizer's events.
#[derive(Default)]
struct Collector {
    tag: StartTag,
    /// Whether the next value belongs to a dropped attribute.
    drops_value: bool,
}

impl Callback<Token, usize> for Collector {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Token> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = StartTag {
                    name: lossy(name),
                    start: span.start,
                    ..StartTag::default()
                }
            }
            CallbackEvent::AttributeName { name } => self.attribute(lossy(name), span.start),
            CallbackEvent::AttributeValue { value } => {
                if let Some(last) = self.tag.attributes.last_mut().filter(|_| !self.drops_value) {
                    last.value = lossy(value);
                }
            }
            CallbackEvent::CloseStartTag { .. } => {
                return Some(Token::Start(StartTag {
                    end: span.end,
                    ..std::mem::take(&mut self.tag)
                }));
            }
            CallbackEvent::EndTag { name } => return Some(Token::End(lossy(name))),
            CallbackEvent::String { value } => return Some(Token::Text(lossy(value), span.start)),
            CallbackEvent::Comment { .. } => return Some(Token::Comment(span.start)),
            CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

impl Collector {
    /// The first attribute of a name wins. Their number is limited, so that a tag of thousands
    /// stays cheap.
    fn attribute(&mut self, name: String, offset: usize) {
        self.drops_value = self.tag.attributes.len() >= 100 || self.tag.get(&name).is_some();
        if !self.drops_value {
            self.tag.attributes.push(Attribute {
                name,
                value: String::new(),
                offset,
            });
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
        let Token::Start(img) = &tokens[1] else {
            panic!("{tokens:?}")
        };
        assert_eq!(tokens[0], Token::Text("a & b".into(), 0));
        assert_eq!(
            (img.name.as_str(), img.get("src"), img.get("alt")),
            ("img", Some("x"), Some("y < z"))
        );
        assert_eq!(&html[img.start..img.start + 4], "<IMG");
        assert!(html[..img.end].ends_with("twice>"), "{}", &html[..img.end]);
        assert!(html[img.offset("alt")..].starts_with("ALT="));
        assert!(matches!(&tokens[3], Token::Text(text, _) if text == "if (a < b) {}"));
        assert_eq!(tokens.last(), Some(&Token::End("p".into())));
    }
}
