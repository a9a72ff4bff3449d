//! Escapes text that HTML would parse as markup.

use crate::model::text::has_byte;

/// The context of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Text,
    Code,
    Attribute,
}

/// Text between tags.
pub(super) fn text(out: &mut String, text: &str) {
    escape(out, text, Context::Text);
}

/// Text of code: as [`text`], but braces are not escaped.
pub(super) fn code(out: &mut String, text: &str) {
    escape(out, text, Context::Code);
}

/// The value of an attribute in double quotes.
pub(super) fn attribute(out: &mut String, value: &str) {
    escape(out, value, Context::Attribute);
}

fn escape(out: &mut String, mut text: &str, context: Context) {
    // By bytes: comparing every character with each special one takes several times as long.
    let is_attribute = context == Context::Attribute;
    let is_special = |byte: u8| {
        matches!(byte, b'&' | b'<' | b'>' | b'{') | (is_attribute & matches!(byte, b'"' | b'\n'))
    };
    if !has_byte(text, is_special) {
        *out += text;
        return;
    }
    while let Some(at) = text.bytes().position(is_special) {
        *out += &text[..at];
        let (special, rest) = text[at..].split_at(1);
        *out += match special {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" => "&quot;",
            "\n" => " ",
            // A template engine between the author and the reader must not parse `{{` and `{%`.
            "{" if context != Context::Code && rest.starts_with(['{', '%']) => "&#123;",
            other => other,
        };
        text = rest;
    }
    *out += text;
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
        check(
            super::attribute,
            "a&lt;b &amp; &quot;c&quot; &#123;&#123;{ &#123;% ü",
        );
        check(super::code, "a&lt;b &amp; \"c\" {{{ {% ü");
    }
}
