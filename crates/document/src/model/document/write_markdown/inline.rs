//! Inlines as Markdown: first split into tokens, then written depending on their neighbours.

use std::borrow::Cow;

use super::Writer;
use super::delimiters::without_unusable;
use super::escape::{self, Context, LineKind};
use super::tex;
use super::token::{Delimiter, Token};
use crate::model::document::address::{ImageForm, last_segment};
use crate::model::document::queries::plain;
use crate::model::document::{Image, Inline, ReferenceId, Span, SpanTag};

impl Writer<'_> {
    /// Inlines as text, with lines separated by line breaks and without spaces at their ends.
    pub(super) fn line(&mut self, inlines: &[Inline], kind: LineKind) -> String {
        let mut tokenizer = Tokenizer {
            tokens: Vec::new(),
            in_link: false,
            open: [false; 3],
            writer: self,
        };
        match inlines {
            [Inline::Text(text)] => tokenizer.text(text.trim()),
            inlines => tokenizer.inlines(inlines),
        }
        let tokens = without_unusable(tokenizer.tokens);
        let context = Context {
            kind,
            in_link: false,
            tildes: tokens.iter().map(Token::tildes).sum::<usize>() > 1,
            math: self.has_math,
        };
        let mut out = String::with_capacity(tokens.iter().map(Token::length).sum());
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Text { text, in_link } => {
                    let in_link = *in_link;
                    let context = Context { in_link, ..context };
                    let begins_line = is_line_start(&out);
                    let text = if begins_line { text.trim_start() } else { text };
                    let next = tokens.get(index + 1).and_then(Token::first_char);
                    escape::text(&mut out, text, next, &context);
                }
                Token::Code(code) => push_code(&mut out, code, kind),
                Token::Raw(raw) => out += &escape_bars(raw, kind),
                Token::Math(tex) => out += &escape_bars(tex, kind),
                Token::Open(delimiter) | Token::Close(delimiter) => out += delimiter.text(),
                Token::HardBreak => push_break(&mut out, "\\\n", kind),
                Token::SoftBreak => push_break(&mut out, "\n", kind),
            }
        }
        out.truncate(out.trim_end_matches([' ', '\n']).len());
        if kind == LineKind::Heading {
            escape::closing_hashes(&mut out);
        }
        out
    }
}

fn is_line_start(out: &str) -> bool {
    out.is_empty() || out.ends_with('\n')
}

fn push_break(out: &mut String, line_break: &str, kind: LineKind) {
    out.truncate(out.trim_end_matches(' ').len());
    if !is_line_start(out) {
        *out += if kind == LineKind::Paragraph {
            line_break
        } else {
            " "
        };
    }
}

/// A code span: with a fence that does not occur inside, padded with a space where the code begins
/// or ends with the fence's character or a space.
fn push_code(out: &mut String, code: &str, kind: LineKind) {
    let code = with_spaces(code);
    if code.trim().is_empty() {
        // At the beginning of a line, a block marker after the padding would not be escaped.
        if !is_line_start(out) {
            out.push(' ');
        }
        return;
    }
    let mut fence = String::from("`");
    while code.split(|c| c != '`').any(|run| run == fence) {
        fence.push('`');
    }
    let padded = code.starts_with('`')
        || code.ends_with('`')
        || (code.starts_with(' ') && code.ends_with(' '));
    let padding = if padded { " " } else { "" };
    let code = escape_bars(&code, kind);
    out.extend([&fence, padding, &code, padding, &fence]);
}

/// Code on one line, with spaces for tabs.
fn with_spaces(code: &str) -> Cow<'_, str> {
    if code.contains(['\n', '\t']) {
        code.replace(['\n', '\t'], " ").into()
    } else {
        code.into()
    }
}

/// In code, formulas, and the words of pictures only the pipe is escaped, which would end a cell.
fn escape_bars(text: &str, kind: LineKind) -> Cow<'_, str> {
    if kind == LineKind::Cell {
        text.replace('|', "\\|").into()
    } else {
        text.into()
    }
}

/// Splits inlines into tokens.
struct Tokenizer<'w, 'a> {
    tokens: Vec<Token>,
    in_link: bool,
    /// Which delimiters are open: none is nested in one of its kind.
    open: [bool; 3],
    writer: &'w mut Writer<'a>,
}

impl Tokenizer<'_, '_> {
    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            self.inline(inline);
        }
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Text(text) => self.text(text),
            Inline::Code(code) => self.code(code),
            Inline::Emphasis(content) => self.delimited(Delimiter::Emphasis, content),
            Inline::Strong(content) => self.delimited(Delimiter::Strong, content),
            Inline::Strikethrough(content) => self.delimited(Delimiter::Strikethrough, content),
            Inline::Span(span) => self.span(span),
            Inline::Link {
                reference,
                title,
                content,
            } => self.link(*reference, title, content),
            Inline::Image(image) => self.image(image),
            Inline::HardBreak => self.tokens.push(Token::HardBreak),
            Inline::SoftBreak => self.tokens.push(Token::SoftBreak),
            Inline::Footnote(index) => self.raw(format!("[^{}]", index + 1)),
            Inline::Math { tex, display } => {
                let tex = tex::on_one_line(tex);
                if !tex::stays_between_dollars(&tex) {
                    return self.code(&tex);
                }
                self.tokens.push(Token::Math(if *display {
                    format!("$${tex}$$")
                } else {
                    format!("${tex}$")
                }));
            }
            Inline::Anchor(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.tokens.push(Token::Text {
                text: text.to_owned(),
                in_link: self.in_link,
            });
        }
    }

    /// Adds markup unchanged. A bracket after a footnote's mention would turn both into a reference
    /// link.
    fn raw(&mut self, raw: String) {
        let opens_link = raw.starts_with('[') && !raw.starts_with("[^");
        if opens_link
            && matches!(self.tokens.last(), Some(Token::Raw(last)) if last.starts_with("[^"))
        {
            self.text(" ");
        }
        self.tokens.push(Token::Raw(raw));
    }

    /// Adjacent code spans would parse as one with backticks in it, so they are joined.
    fn code(&mut self, code: &str) {
        if let Some(Token::Code(last)) = self.tokens.last_mut() {
            last.push_str(code);
        } else if !code.is_empty() {
            self.tokens.push(Token::Code(code.to_owned()));
        }
    }

    /// Emphasis, with white space at its edges moved outside.
    fn delimited(&mut self, delimiter: Delimiter, content: &[Inline]) {
        if std::mem::replace(&mut self.open[delimiter as usize], true) {
            return self.inlines(content);
        }
        // Adjacent `*a*` and `*b*` become `*ab*`.
        let continues =
            matches!(self.tokens.last(), Some(Token::Close(last)) if *last == delimiter);
        if continues {
            self.tokens.pop();
        } else {
            self.tokens.push(Token::Open(delimiter));
        }
        let start = self.tokens.len();
        self.inlines(content);
        self.open[delimiter as usize] = false;

        let trailing = split_trailing_space(&mut self.tokens, start);
        if !continues {
            let leading = split_leading_space(&mut self.tokens, start);
            self.tokens.splice(start - 1..start - 1, leading);
            if matches!(self.tokens.last(), Some(Token::Open(_))) {
                // It is empty.
                self.tokens.pop();
                self.tokens.extend(trailing);
                return;
            }
        }
        self.tokens.push(Token::Close(delimiter));
        self.tokens.extend(trailing);
    }

    /// An element without GFM syntax: the closest equivalent, or only the text.
    fn span(&mut self, span: &Span) {
        let content = span.content.as_slice();
        match (span.tag, content) {
            (SpanTag::Kbd | SpanTag::Samp | SpanTag::Code, [Inline::Text(text)]) => self.code(text),
            (SpanTag::Cite | SpanTag::Dfn | SpanTag::Var, _) => {
                self.delimited(Delimiter::Emphasis, content)
            }
            (SpanTag::Quote, _) => {
                self.text("“");
                self.inlines(content);
                self.text("”");
            }
            (SpanTag::Sup, _) => {
                // `x²` becomes `x^2`, but `1st` stays a word.
                let follows_word = matches!(self.tokens.last(), Some(Token::Text { text, .. }) if text.ends_with(char::is_alphanumeric));
                if follows_word && is_exponent(&plain(content)) {
                    self.text("^");
                }
                self.inlines(content);
            }
            _ => self.inlines(content),
        }
    }

    /// The text of a link, or the end of its address if nothing of the text is visible.
    fn push_link_text(&mut self, content: &[Inline], key: &str) {
        let start = self.tokens.len();
        let open = std::mem::take(&mut self.open);
        self.in_link = true;
        self.inlines(content);
        if !self.tokens[start..].iter().any(Token::is_visible) {
            self.tokens.truncate(start);
            self.text(&last_segment(key));
        }
        self.in_link = false;
        self.open = open;
    }

    fn link(&mut self, reference: ReferenceId, title: &str, content: &[Inline]) {
        let address = if self.in_link {
            None
        } else {
            self.writer.rendering.address(reference)
        };
        let Some(address) = address else {
            return self.inlines(content);
        };
        if let [Inline::Text(text)] = content
            && *text == address.href
            && title.is_empty()
            && is_autolink(text)
        {
            self.writer.outline.links.push(address.key);
            return self.raw(format!("<{text}>"));
        }
        self.raw("[".to_owned());
        self.push_link_text(content, &address.key);
        self.writer.outline.links.push(address.key);
        self.raw(format!("]{}", escape::destination(&address.href, title)));
    }

    fn image(&mut self, image: &Image) {
        match self.writer.rendering.image_form(image) {
            ImageForm::Picture(address) => {
                let text = self.link_text(&image.alt);
                self.raw(format!(
                    "![{text}]{}",
                    escape::destination(&address.href, &image.title)
                ));
                self.writer.outline.images.push(address.key);
            }
            ImageForm::Link(address, words) if !self.in_link => {
                let text = self.link_text(&words);
                self.raw(format!(
                    "[{text}]{}",
                    escape::destination(&address.href, &image.title)
                ));
                self.writer.outline.links.push(address.key);
            }
            ImageForm::Link(_, words) | ImageForm::Words(words) => self.text(&words),
        }
    }

    /// The text in the brackets of a link or an image.
    fn link_text(&self, words: &str) -> String {
        let mut text = String::new();
        let context = Context {
            kind: LineKind::Heading,
            in_link: true,
            tildes: words.matches('~').count() > 1,
            math: self.writer.has_math,
        };
        escape::text(&mut text, words, Some(']'), &context);
        text
    }
}

/// Removes and returns the white space at the beginning of the tokens from `start` on.
fn split_leading_space(tokens: &mut Vec<Token>, start: usize) -> Vec<Token> {
    let count = tokens[start..]
        .iter()
        .take_while(|token| token.is_space())
        .count();
    let mut space: Vec<Token> = tokens.drain(start..start + count).collect();
    if let Some(Token::Text { text, in_link }) = tokens.get_mut(start) {
        let rest = text.split_off(text.len() - text.trim_start().len());
        let leading = std::mem::replace(text, rest);
        if !leading.is_empty() {
            space.push(Token::Text {
                text: leading,
                in_link: *in_link,
            });
        }
    }
    space
}

/// Removes and returns the white space at the end of the tokens from `start` on.
fn split_trailing_space(tokens: &mut Vec<Token>, start: usize) -> Vec<Token> {
    let count = tokens[start..]
        .iter()
        .rev()
        .take_while(|token| token.is_space())
        .count();
    let mut space = tokens.split_off(tokens.len() - count);
    if let [.., Token::Text { text, in_link }] = &mut tokens[start..] {
        let trailing = text.split_off(text.trim_end().len());
        if !trailing.is_empty() {
            space.insert(
                0,
                Token::Text {
                    text: trailing,
                    in_link: *in_link,
                },
            );
        }
    }
    space
}

/// Whether a superscript is an exponent: a number or one letter.
fn is_exponent(text: &str) -> bool {
    let is_letter =
        text.chars().count() == 1 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    is_letter || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '−' | '+'))
}

/// Whether every reader parses `<address>` as an autolink.
fn is_autolink(address: &str) -> bool {
    let web = address.starts_with("https://") || address.starts_with("http://");
    web && !address
        .contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '\\'))
}
