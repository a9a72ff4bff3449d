//! What HTML must not read as markup.

use crate::model::text::has_byte;

/// Text between tags.
pub(super) fn text(out: &mut String, text: &str) {
    escape(out, text, |byte, next| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => template(byte, next),
    });
}

/// Text of code: as [`text`], and braces stay as they are.
pub(super) fn code(out: &mut String, text: &str) {
    escape(out, text, |byte, _| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => None,
    });
}

/// The value of an attribute in double quotes.
pub(super) fn attribute(out: &mut String, value: &str) {
    escape(out, value, |byte, next| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\n' => Some(" "),
        _ => template(byte, next),
    });
}

/// `{{` and `{%` of the author's own words: no template engine on the way shall take them for a tag.
fn template(byte: u8, next: Option<u8>) -> Option<&'static str> {
    (byte == b'{' && matches!(next, Some(b'{' | b'%'))).then_some("&#123;")
}

fn escape(out: &mut String, text: &str, entity: impl Fn(u8, Option<u8>) -> Option<&'static str>) {
    // Most text holds nothing of the kind.
    if !has_byte(text, is_special) {
        out.push_str(text);
        return;
    }
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = bytes[at..].iter().position(|&byte| is_special(byte)) {
        at += found;
        if let Some(entity) = entity(bytes[at], bytes.get(at + 1).copied()) {
            out.push_str(&text[from..at]);
            out.push_str(entity);
            from = at + 1;
        }
        at += 1;
    }
    out.push_str(&text[from..]);
}

/// What one of the functions above may write in another way.
const fn is_special(byte: u8) -> bool {
    (byte == b'&') | (byte == b'<') | (byte == b'>') | (byte == b'"') | (byte == b'{') | (byte == b'\n')
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_and_template_tags_are_escaped() {
        let check = |escape: fn(&mut String, &str), expected: &str| {
            let mut out = String::new();
            escape(&mut out, "a<b & \"c\" {{{ {% ü");
            assert_eq!(out, expected);
        };
        check(super::text, "a&lt;b &amp; \"c\" &#123;&#123;{ &#123;% ü");
        check(super::attribute, "a&lt;b &amp; &quot;c&quot; &#123;&#123;{ &#123;% ü");
        check(super::code, "a&lt;b &amp; \"c\" {{{ {% ü");
    }
}
