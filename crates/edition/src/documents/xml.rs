//! Shared by the XML documents: an indenting writer, and text without the characters that XML 1.0
//! forbids.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// An indenting writer, after the XML declaration.
pub(super) fn writer() -> io::Result<Writer<Vec<u8>>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    Ok(writer)
}

/// `<name>text</name>`.
pub(super) fn element(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    writer
        .create_element(name)
        .write_text_content(BytesText::new(&allowed(text)))?;
    Ok(())
}

/// Removes characters that XML 1.0 forbids (section 2.2: `Char`).
pub(super) fn allowed(text: &str) -> Cow<'_, str> {
    // Nearly every text lacks the lead bytes of such characters.
    let may_hold = text.bytes().fold(false, |any, byte| {
        any | (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) | (byte == 0xef)
    });
    let forbidden = |letter: char| matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    if may_hold && text.contains(forbidden) {
        Cow::Owned(text.replace(forbidden, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// The finished document, with a final line break.
pub(super) fn finish(writer: Writer<Vec<u8>>) -> bytes::Bytes {
    let mut text = writer.into_inner();
    text.push(b'\n');
    text.into()
}
