//! Percent-encoding of paths (RFC 3986, section 2.1).

use percent_encoding::{
    AsciiSet, CONTROLS, NON_ALPHANUMERIC, PercentEncode, percent_decode_str, utf8_percent_encode,
};

/// The characters that RFC 3986 does not allow in a path: everything but `pchar` and `/`. The
/// apostrophe is allowed but encoded as well: programs that detect URLs in text end them at
/// quotation marks.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Everything but the unreserved characters of RFC 3986, section 2.3.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Percent-encodes a text as a component of a URL, such as the value of a parameter, with upper-case
/// escapes (RFC 3986, section 2.3).
pub fn encode_component(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Percent-encodes a decoded path (RFC 3986 section 3.3) with upper-case escapes; `/` stays.
///
/// Every path inside Diglot is decoded. It is encoded only here, when a URL is written.
pub fn encode_path(path: &str) -> String {
    encoded(path).to_string()
}

/// The pieces of an encoded path, to write it without a copy.
pub(super) fn encoded(path: &str) -> PercentEncode<'_> {
    utf8_percent_encode(path, PATH)
}

/// The decoded path of one that is percent-encoded; `None`: it is not UTF-8.
pub fn decode_path(path: &str) -> Option<String> {
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    Some(decoded.into_owned())
}
