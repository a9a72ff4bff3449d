//! Escapes text that Markdown would parse as markup, and only that.

use crate::model::document::build::{addresses, emoji};

/// The block around a line, which determines its valid line breaks and special characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Paragraph,
    /// No block can begin here.
    Heading,
    /// `|` ends it.
    Cell,
}

/// The context of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub kind: LineKind,
    /// In the text of a link or image, where brackets must balance.
    pub in_link: bool,
    /// Whether tildes may pair in this line.
    pub tildes: bool,
    /// Whether dollar signs mean mathematics in this document.
    pub math: bool,
}

/// Whether Markdown may treat a byte as special.
static IS_SPECIAL: [bool; 256] = {
    let special = b"\\`*_~[]!<&|${%\t\n:";
    let (mut table, mut at) = ([false; 256], 0);
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

/// Appends a text to `out`; the character `next` follows it.
pub(super) fn text(out: &mut String, text: &str, next: Option<char>, context: &Context) {
    let begins_line =
        context.kind == LineKind::Paragraph && (out.is_empty() || out.ends_with('\n'));
    let mut from = 0;
    if begins_line && let Some(at) = block_start(text, next.is_some()) {
        from = at + 1;
        *out += &text[..at];
        *out += "\\";
        *out += &text[at..from];
    }
    if from == 0
        && out.ends_with(']')
        && let Some(entity) = after_bracket(text)
    {
        *out += entity;
        from = 1;
    }
    let addresses = match context.in_link {
        true => Vec::new(),
        false => address_signs(text),
    };
    // Two asterisks with words between them are emphasis to readers that ignore the space next to
    // an asterisk.
    let stars = memchr::memchr_iter(b'*', text.as_bytes()).nth(1).is_some();
    // By a table of bytes: comparing every character with each special one took most of the time.
    let has_addresses = !addresses.is_empty();
    let may_be_escaped =
        |byte: u8| IS_SPECIAL[usize::from(byte)] || has_addresses && matches!(byte, b'@' | b'.');
    while let Some(length) = text[from..].bytes().position(may_be_escaped) {
        let at = from + length;
        *out += &text[from..at];
        from = at + 1;
        let (special, rest) = (&text[at..from], &text[from..]);
        let around = Around {
            previous: out.chars().next_back(),
            rest,
            next: rest.chars().next().or(next),
            follows: next,
        };
        let escaped = if addresses.binary_search(&at).is_ok() {
            escape_address(special)
        } else {
            escape(special, &around, stars, context)
        };
        *out += escaped.unwrap_or(special);
    }
    *out += &text[from..];
}

/// The character reference for the first character of a text after a footnote's mention: there it
/// would start a link, or define the footnote. pulldown-cmark ignores a backslash in this place.
fn after_bracket(text: &str) -> Option<&'static str> {
    match text.as_bytes().first()? {
        b'(' => Some("&#40;"),
        b'[' => Some("&#91;"),
        b':' => Some("&#58;"),
        _ => None,
    }
}

/// The context of a character.
struct Around<'t> {
    previous: Option<char>,
    /// The text after it.
    rest: &'t str,
    /// The character after it, in the text or in what follows the text.
    next: Option<char>,
    /// The character after the text.
    follows: Option<char>,
}

impl Around<'_> {
    /// Whether there is white space (or nothing) on both sides.
    fn is_alone(&self) -> bool {
        self.previous.is_none_or(char::is_whitespace) && self.next.is_none_or(char::is_whitespace)
    }

    fn is_in_word(&self) -> bool {
        self.previous.is_some_and(char::is_alphanumeric)
            && self.next.is_some_and(char::is_alphanumeric)
    }
}

/// The character that makes a bare address a link, escaped.
fn escape_address(sign: &str) -> Option<&'static str> {
    match sign {
        ":" => Some("\\:"),
        "." => Some("\\."),
        "@" => Some("\\@"),
        _ => None,
    }
}

fn escape(
    special: &str,
    around: &Around<'_>,
    stars: bool,
    context: &Context,
) -> Option<&'static str> {
    let next = around.next.unwrap_or(' ');
    let (needed, escaped) = match special {
        "\\" => (around.next.is_none_or(|c| c.is_ascii_punctuation()), "\\\\"),
        // Regex-based readers treat an escaped backtick as the beginning of code.
        "`" => (true, "&#96;"),
        "*" => (stars || !around.is_alone(), "\\*"),
        "_" => (!around.is_in_word() && !around.is_alone(), "\\_"),
        "~" => (context.tildes && !around.is_alone(), "\\~"),
        "[" => (context.in_link || matches!(next, '^' | '['), "\\["),
        "]" => (context.in_link || matches!(next, '(' | '['), "\\]"),
        "!" => (next == '[', "\\!"),
        "<" => (
            next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?') || is_mail(around),
            "&lt;",
        ),
        "&" => (is_entity(around.rest), "&amp;"),
        "|" => (context.kind == LineKind::Cell, "\\|"),
        "$" => (context.math, "\\$"),
        "{" if context.kind == LineKind::Heading => {
            (around.next.is_some() && "{%:#. ".contains(next), "&#123;")
        }
        "{" => (matches!(next, '{' | '%' | ':'), "&#123;"),
        "%" => (next == '%', "&#37;"),
        ":" => (emoji::is_short_name(around.rest), "&#58;"),
        "\t" | "\n" => (true, " "),
        _ => (false, ""),
    };
    needed.then_some(escaped)
}

/// The offset of the character that would begin a block, in a text at the start of a line. The text
/// may be only a part of the line.
fn block_start(text: &str, goes_on: bool) -> Option<usize> {
    let ends = |at: usize| text[at..].is_empty() || text[at..].starts_with([' ', '\t']);
    let only = |set: &str| text.chars().all(|c| set.contains(c));
    let begins = match text.chars().next()? {
        '#' => !text.starts_with("#######"),
        '>' => true,
        '-' | '+' | '=' => ends(1) || only("-+=|: "),
        '*' => ends(1),
        '_' => only("_ "),
        '|' => only("-|: "),
        ':' => ends(1) || only("-|: "),
        '~' => text.starts_with("~~~"),
        '[' => {
            text[1..].starts_with(['!', '^'])
                || may_define(&text[1..], goes_on)
                || matches!(text.get(1..3), Some(" ]" | "x]" | "X]"))
        }
        _ => false,
    };
    if begins {
        return Some(0);
    }
    // `1.` and `1)`.
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let is_number =
        (1..=9).contains(&digits) && text[digits..].starts_with(['.', ')']) && ends(digits + 1);
    is_number.then_some(digits)
}

/// Whether `[` and this text may begin a link definition, whose label ends with `]:`, possibly on
/// another line.
fn may_define(text: &str, goes_on: bool) -> bool {
    for (at, _) in text.match_indices(']') {
        match text.as_bytes().get(at + 1) {
            Some(b'(' | b'[') => {}
            Some(next) => return *next == b':',
            None => return goes_on,
        }
    }
    true
}

/// The offsets of the characters that turn bare addresses into links: in the source they were plain
/// text.
fn address_signs(text: &str) -> Vec<usize> {
    let mut signs = Vec::new();
    for (range, _) in addresses(text) {
        let address = &text[range.clone()];
        let sign = address
            .find("://")
            .or_else(|| address.find('@'))
            .or_else(|| address.find('.'));
        signs.extend(sign.map(|at| range.start + at));
    }
    signs
}

/// Whether `<` and this text would parse as a mail address (CommonMark 6.5: a local part may begin
/// with many special characters, and have any length). The next token may continue it.
fn is_mail(around: &Around<'_>) -> bool {
    let local = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let length = around.rest.bytes().take_while(|&byte| local(byte)).count();
    match around.rest.as_bytes().get(length) {
        Some(byte) => length > 0 && *byte == b'@',
        None => around
            .follows
            .is_some_and(|next| next == '@' || u8::try_from(next).is_ok_and(local)),
    }
}

/// Whether `&` and this text would parse as a character reference: `&name;`, `&#1;`, or one of the
/// old names without a semicolon.
fn is_entity(rest: &str) -> bool {
    if rest.starts_with('#') {
        return true;
    }
    let name = rest
        .bytes()
        .take(32)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    name > 0
        && (rest.as_bytes().get(name) == Some(&b';')
            || OLD_NAMES.iter().any(|old| rest.starts_with(old)))
}

/// The names that HTML accepts without a semicolon (WHATWG, 13.5), except those that begin with
/// another one.
#[rustfmt::skip]
const OLD_NAMES: [&str; 103] = [
    "AElig", "AMP", "Aacute", "Acirc", "Agrave", "Aring", "Atilde", "Auml", "COPY", "Ccedil", "ETH", "Eacute", "Ecirc", "Egrave", "Euml", "GT",
    "Iacute", "Icirc", "Igrave", "Iuml", "LT", "Ntilde", "Oacute", "Ocirc", "Ograve", "Oslash", "Otilde", "Ouml", "QUOT", "REG", "THORN", "Uacute",
    "Ucirc", "Ugrave", "Uuml", "Yacute", "aacute", "acirc", "acute", "aelig", "agrave", "amp", "aring", "atilde", "auml", "brvbar", "ccedil",
    "cedil", "cent", "copy", "curren", "deg", "divide", "eacute", "ecirc", "egrave", "eth", "euml", "frac12", "frac14", "frac34", "gt", "iacute",
    "icirc", "iexcl", "igrave", "iquest", "iuml", "laquo", "lt", "macr", "micro", "middot", "nbsp", "not", "ntilde", "oacute", "ocirc", "ograve",
    "ordf", "ordm", "oslash", "otilde", "ouml", "para", "plusmn", "pound", "quot", "raquo", "reg", "sect", "shy", "sup", "szlig", "thorn", "times",
    "uacute", "ucirc", "ugrave", "uml", "uuml", "yacute", "yen",
];

/// `# a #` would lose its closing `#`.
pub(super) fn closing_hashes(out: &mut String) {
    let text = out.trim_end_matches('#');
    if out.ends_with('#') && (text.is_empty() || text.ends_with(' ')) {
        out.insert(out.len() - 1, '\\');
    }
}

/// The destination of a link, in parentheses after its text. The address is already
/// percent-encoded; parentheses and anything HTML would parse as a character reference are escaped.
pub(super) fn destination(href: &str, title: &str) -> String {
    let escape_parentheses = !has_simple_parentheses(href);
    let mut out = String::with_capacity(href.len() + 2);
    out.push('(');
    let mut written = 0;
    for (at, sign) in href.bytes().enumerate() {
        let escaped = match sign {
            b'(' if escape_parentheses => "\\(",
            b')' if escape_parentheses => "\\)",
            b'&' if is_entity(&href[at + 1..]) => "&amp;",
            _ => continue,
        };
        out.extend([&href[written..at], escaped]);
        written = at + 1;
    }
    out += &href[written..];
    if !title.is_empty() {
        out += " \"";
        push_title(&mut out, title);
        out += "\"";
    }
    out + ")"
}

/// Whether parentheses balance and do not nest, which every Markdown reader accepts unescaped.
fn has_simple_parentheses(href: &str) -> bool {
    let mut open = false;
    for sign in href.bytes().filter(|sign| matches!(sign, b'(' | b')')) {
        if open == (sign == b'(') {
            return false;
        }
        open = !open;
    }
    !open
}

/// The title of a link, between double quotes.
fn push_title(out: &mut String, title: &str) {
    for (at, c) in title.char_indices() {
        let rest = &title[at + c.len_utf8()..];
        match c {
            '"' => *out += "\\\"",
            '\\' if rest.chars().next().is_none_or(|c| c.is_ascii_punctuation()) => *out += "\\\\",
            '&' if is_entity(rest) => *out += "&amp;",
            '<' => *out += "&lt;",
            '`' => *out += "&#96;",
            '{' if rest.starts_with(['{', '%']) => *out += "&#123;",
            '%' if rest.starts_with('%') => *out += "&#37;",
            '\n' | '\t' => *out += " ",
            _ => out.push(c),
        }
    }
}
