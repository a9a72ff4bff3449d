//! A small XML parser, limited in depth and size.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

/// How deep elements may nest.
const MOST_DEPTH: usize = 32;
/// The limit on elements: a full sitemap has 50,000 URLs of three elements.
const MOST_ELEMENTS: usize = 250_000;

/// An element and its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The name as written, with its prefix.
    pub name: String,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// The text directly inside it.
    pub text: String,
    /// The elements directly inside it.
    pub children: Vec<Element>,
}

impl Element {
    /// The first child of a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The trimmed text of the first child of a name; empty if absent.
    pub fn text_of(&self, name: &str) -> String {
        self.child(name)
            .map(|child| child.text.trim().to_owned())
            .unwrap_or_default()
    }

    /// An attribute's value.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Closes the innermost element.
fn close(open: &mut Vec<Element>) -> Result<(), String> {
    let closed = open.pop().unwrap_or_default();
    let parent = open
        .last_mut()
        .ok_or("an element is closed that was not open")?;
    parent.children.push(closed);
    Ok(())
}

/// Parses a document. A `DOCTYPE` is refused: feeds and sitemaps need none, and readers must not
/// follow one.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![Element::default()];
    let mut elements = 0;
    loop {
        match reader.read_event().map_err(not_well_formed)? {
            Event::Start(start) => {
                elements += 1;
                if open.len() > MOST_DEPTH || elements > MOST_ELEMENTS {
                    return Err("it nests too deep or is too large".into());
                }
                open.push(element(&start)?);
            }
            Event::End(_) => close(&mut open)?,
            Event::Text(text) => push(&mut open, &text.xml10_content()),
            Event::CData(text) => push(&mut open, &text.xml10_content()),
            Event::GeneralRef(reference) => push_reference(&mut open, &reference)?,
            Event::DocType(_) => return Err("it has a `DOCTYPE`".into()),
            Event::Eof => break,
            _ => {}
        }
    }
    root(open)
}

fn not_well_formed(error: quick_xml::Error) -> String {
    format!("not well-formed: {error}")
}

/// The only child of the document, after the end of the text.
fn root(mut open: Vec<Element>) -> Result<Element, String> {
    let document = open.pop().filter(|_| open.is_empty());
    let Some(mut document) = document else {
        return Err("not well-formed: it ends too early".into());
    };
    match document.children.pop() {
        Some(root) if document.children.is_empty() => Ok(root),
        _ => Err("not well-formed: it has no single root element".into()),
    }
}

/// Adds the character that a reference such as `&amp;` means.
fn push_reference(open: &mut [Element], reference: &BytesRef<'_>) -> Result<(), String> {
    match reference.resolve_char_ref().map_err(not_well_formed)? {
        Some(character) => push(open, character.encode_utf8(&mut [0; 4])),
        None => push(
            open,
            resolve_predefined_entity(reference.xml10_content().as_ref())
                .ok_or("not well-formed: an unknown entity")?,
        ),
    }
    Ok(())
}

fn push(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("not well-formed: {error}"))?;
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::default())
            .map_err(|error| format!("not well-formed: {error}"))?;
        attributes.push((attribute.key.as_ref().to_string(), value.into_owned()));
    }
    Ok(Element {
        name: start.name().as_ref().to_string(),
        attributes,
        ..Element::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_put_together_from_all_its_spellings() {
        let root = read("<?xml version=\"1.0\"?><a b=\"1 &amp; 2\"><c:d>x &lt;&#x79;&gt; <![CDATA[<z>]]></c:d><e/></a>").unwrap();
        assert_eq!(
            (root.name.as_str(), root.attribute("b")),
            ("a", Some("1 & 2"))
        );
        assert_eq!(root.text_of("c:d"), "x <y> <z>");
        assert!(root.child("e").is_some() && root.child("f").is_none());
    }

    #[test]
    fn what_is_no_document_is_refused() {
        let deep = "<a>".repeat(100);
        for wrong in [
            "",
            "text",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<!DOCTYPE a><a/>",
            "<a>&nbsp;</a>",
            &deep,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
