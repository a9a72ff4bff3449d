//! What Markdown must not read as markup: escaped exactly where it would be.

use crate::model::document::build::{addresses, emoji};
use crate::model::text::{has_byte, has_double};

/// What matters beside the text itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// In the text of a link or image, where brackets must balance.
    pub in_link: bool,
    /// In a table cell, where `|` ends it.
    pub in_cell: bool,
    /// In a heading, where nothing begins a block.
    pub in_heading: bool,
    /// Whether tildes may pair in this paragraph.
    pub tildes: bool,
    /// Whether dollar signs mean mathematics in this document.
    pub math: bool,
}

/// Writes words after what `out` holds and before `next`.
pub(super) fn text(out: &mut String, text: &str, next: Option<char>, context: &Context) {
    let at_start = (out.is_empty() || out.ends_with('\n')) && !context.in_heading && !context.in_cell;
    let mut from = 0;
    if at_start {
        from = line_start(out, text, next.is_some());
    }
    // Behind a footnote's mark these would make a link, or the footnote itself.
    let from = if from == 0 && out.ends_with(']') && text.starts_with(['(', '[', ':']) {
        // (As characters by number: pulldown-cmark overlooks the backslash here.)
        out.push_str(match text.as_bytes()[0] {
            b'(' => "&#40;",
            b'[' => "&#91;",
            _ => "&#58;",
        });
        1
    } else {
        from
    };
    if is_plain(text) {
        out.push_str(&text[from..]);
        return;
    }
    let bare = if context.in_link { Vec::new() } else { address_marks(text) };
    let bytes = text.as_bytes();
    // Two stars with words between them are emphasis to readers that do not heed the space beside a star.
    let stars = bytes.iter().filter(|&&byte| byte == b'*').take(2).count() > 1;
    let (mut done, mut at) = (from, from);
    while let Some(found) = bytes[at..].iter().position(|&byte| MEANS[usize::from(byte)]) {
        at += found;
        let around = Around { text, at, next, before: out, done, stars };
        if let Some(escaped) = escape(bytes[at], &around, context, bare.binary_search(&at).is_ok()) {
            out.push_str(&text[done..at]);
            out.push_str(escaped);
            done = at + 1;
        }
        at += 1;
    }
    out.push_str(&text[done..]);
}

/// The bytes that may mean something to Markdown.
static MEANS: [bool; 256] = table(b"\\`*_~[]!<&|${%:@\t\n.");
/// The same without the dot.
static MEANS_ALONE: [bool; 256] = table(b"\\`*_~[]!<&|${%:@\t\n");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
}

/// Most text: nothing in it means anything, but the dot of `www.`.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    // First without the table: letters, digits, spaces and the commonest marks.
    let common = |byte: u8| {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        letter
            | (byte.wrapping_sub(b',') <= b'9' - b',')
            | (byte.wrapping_sub(b'\'') <= b')' - b'\'')
            | (byte == b' ')
            | (byte == b'"')
            | (byte >= 0x80)
    };
    let plain = !has_byte(text, |byte| !common(byte)) || !bytes.iter().any(|&byte| MEANS_ALONE[usize::from(byte)]);
    plain && !(has_double(text, b'w') && text.contains("www."))
}

/// A character and what stands beside it.
struct Around<'t> {
    text: &'t str,
    at: usize,
    next: Option<char>,
    before: &'t str,
    /// Up to where the text is already in `before`.
    done: usize,
    /// Whether the text has more than one `*`.
    stars: bool,
}

impl Around<'_> {
    fn previous(&self) -> Option<char> {
        if self.at > self.done { self.text[..self.at].chars().next_back() } else { self.before.chars().next_back() }
    }

    fn rest(&self) -> &str {
        &self.text[self.at + 1..]
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next().or(self.next)
    }

    /// Whether white space (or nothing) stands on both sides.
    fn is_alone(&self) -> bool {
        self.previous().is_none_or(char::is_whitespace) && self.next().is_none_or(char::is_whitespace)
    }
}

fn escape(byte: u8, around: &Around<'_>, context: &Context, in_address: bool) -> Option<&'static str> {
    let next = || around.next();
    let escaped = match byte {
        b'\\' => (next().is_none_or(|c| c.is_ascii_punctuation()), "\\\\"),
        // Readers of plain regular expressions take an escaped backtick for the beginning of code.
        b'`' => (true, "&#96;"),
        b'*' => (around.stars || !around.is_alone(), "\\*"),
        b'_' => {
            let inside_word = around.previous().is_some_and(char::is_alphanumeric) && next().is_some_and(char::is_alphanumeric);
            (!inside_word && !around.is_alone(), "\\_")
        }
        b'~' => (context.tildes && !around.is_alone(), "\\~"),
        b'[' => (context.in_link || matches!(next(), Some('^' | '[')), "\\["),
        b']' => (context.in_link || matches!(next(), Some('(' | '[')), "\\]"),
        b'!' => (next() == Some('['), "\\!"),
        b'<' => (next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) || is_mail(around), "&lt;"),
        b'&' => (is_entity(around.rest()), "&amp;"),
        b'|' => (context.in_cell, "\\|"),
        b'$' => (context.math, "\\$"),
        b'{' => (matches!(next(), Some('{' | '%' | ':')) || (context.in_heading && matches!(next(), Some('#' | '.' | ' '))), "&#123;"),
        b'%' => (next() == Some('%'), "&#37;"),
        b':' if in_address => (true, "\\:"),
        b':' => (emoji::follows(around.rest()), "&#58;"),
        b'.' => (in_address, "\\."),
        b'@' => (in_address, "\\@"),
        b'\t' | b'\n' => (true, " "),
        _ => (false, ""),
    };
    escaped.0.then_some(escaped.1)
}

/// Escapes what would begin a block at the start of a line, of which this may be but a part; gives how much of the text that wrote.
fn line_start(out: &mut String, text: &str, goes_on: bool) -> usize {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else { return 0 };
    let ends = |at: usize| bytes.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let only = |set: &[u8]| bytes.iter().all(|byte| set.contains(byte));
    let escape = match first {
        b'#' => bytes.iter().take_while(|&&byte| byte == b'#').count() <= 6,
        b'>' => true,
        b'-' | b'+' | b'=' => ends(1) || only(b"-+=|: "),
        b'*' => ends(1),
        b'_' => only(b"_ "),
        b'|' => only(b"-|: "),
        b':' => ends(1) || only(b"-|: "),
        b'~' => text.starts_with("~~~"),
        b'[' => text[1..].starts_with(['!', '^']) || may_define(&text[1..], goes_on) || matches!(text.get(1..3), Some(" ]" | "x]" | "X]")),
        _ => false,
    };
    if escape {
        out.push('\\');
        out.push(char::from(first));
        return 1;
    }
    // `1.` and `1)`.
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=9).contains(&digits) && matches!(bytes.get(digits), Some(b'.' | b')')) && ends(digits + 1) {
        out.push_str(&text[..digits]);
        out.push('\\');
        out.push(char::from(bytes[digits]));
        return digits + 1;
    }
    0
}

/// Whether `[` and this may begin a link definition, whose label ends with `]:`, perhaps on another line.
fn may_define(text: &str, goes_on: bool) -> bool {
    let ends = text.match_indices(']').map(|(at, _)| text.as_bytes().get(at + 1));
    match ends.into_iter().find(|next| !matches!(next, Some(b'(' | b'['))) {
        Some(Some(next)) => *next == b':',
        Some(None) => goes_on,
        None => true,
    }
}

/// The bytes that keep bare addresses from becoming links: the author's text was none.
fn address_marks(text: &str) -> Vec<usize> {
    let mark = |range: std::ops::Range<usize>| {
        let found = &text[range.clone()];
        let at = found.find("://").or_else(|| found.find('@')).or_else(|| found.find('.'))?;
        Some(range.start + at)
    };
    addresses(text).into_iter().filter_map(|(range, _)| mark(range)).collect()
}

/// Whether `<` and this would be read as a mail address (CommonMark 6.5: a local part may begin with many a mark, and be of any length). What
/// stands in the next piece may be the rest of one.
fn is_mail(around: &Around<'_>) -> bool {
    let local = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let rest = around.rest();
    let length = rest.bytes().take_while(|&byte| local(byte)).count();
    match rest.as_bytes().get(length) {
        Some(byte) => length > 0 && *byte == b'@',
        None => around.next.is_some_and(|next| next == '@' || u8::try_from(next).is_ok_and(local)),
    }
}

/// Whether `&` and this would be read as a character: `&name;`, `&#1;`, or one of the old names that need no semicolon.
fn is_entity(rest: &str) -> bool {
    if rest.starts_with('#') {
        return true;
    }
    let name = rest.bytes().take(32).take_while(u8::is_ascii_alphanumeric).count();
    name > 0 && (rest.as_bytes().get(name) == Some(&b';') || OLD_NAMES.iter().any(|old| rest.starts_with(old)))
}

/// The names that HTML reads without a semicolon (WHATWG, 13.5), without those that another one begins.
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

/// `# a #` would lose its last `#`.
pub(super) fn closing_hashes(out: &mut String) {
    let trimmed = out.trim_end_matches('#');
    if trimmed.len() < out.len() && (trimmed.is_empty() || trimmed.ends_with(' ')) {
        let at = out.len() - 1;
        out.insert(at, '\\');
    }
}

/// The address of a link, percent-encoded already: parentheses and what HTML would read as a character are escaped.
pub(super) fn destination(out: &mut String, href: &str) {
    // Most have nothing of the kind.
    if !has_byte(href, |byte| (byte == b'(') | (byte == b')') | (byte == b'&')) {
        return out.push_str(href);
    }
    let escape_parentheses = !has_simple_parentheses(href);
    for (at, c) in href.char_indices() {
        match c {
            '(' | ')' if escape_parentheses => {
                out.push('\\');
                out.push(c);
            }
            '&' if is_entity(&href[at + 1..]) => out.push_str("&amp;"),
            _ => out.push(c),
        }
    }
}

/// Whether parentheses balance and do not nest, which every reader of Markdown takes as they are.
fn has_simple_parentheses(href: &str) -> bool {
    let mut open = false;
    for byte in href.bytes() {
        match byte {
            b'(' if open => return false,
            b'(' => open = true,
            b')' if !open => return false,
            b')' => open = false,
            _ => {}
        }
    }
    !open
}

/// The title of a link, between double quotes.
pub(super) fn title(out: &mut String, title: &str) {
    for (at, c) in title.char_indices() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' if title[at + 1..].chars().next().is_none_or(|c| c.is_ascii_punctuation()) => out.push_str("\\\\"),
            '&' if is_entity(&title[at + 1..]) => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '`' => out.push_str("&#96;"),
            '{' if title[at + 1..].starts_with(['{', '%']) => out.push_str("&#123;"),
            '%' if title[at + 1..].starts_with('%') => out.push_str("&#37;"),
            '\n' | '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
}
