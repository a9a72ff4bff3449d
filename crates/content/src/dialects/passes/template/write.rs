//! Writes what a tag became in its place: as Markdown, or as HTML inside a block of HTML.

use super::Writer;
use crate::dialects::markup::{code_span, container, label};
use crate::dialects::tags::callout;
use crate::dialects::{Piece, address};
use crate::model::document::{POST, REF};

impl Writer<'_, '_> {
    /// What a tag became, as Markdown, or as HTML inside a block of HTML.
    pub(super) fn piece(&mut self, start: usize, end: usize, piece: &Piece) {
        let html = self.literals.is_html(start);
        let text = match piece {
            Piece::Nothing => String::new(),
            // The address of a page among words is a link to it: what stands for the address means nothing to a reader.
            Piece::Text(to) if let Some(name) = symbolic(to).filter(|_| !wants_address(&self.text[..start])) => {
                return self.piece(start, end, &Piece::Link { address: to.clone(), text: name.to_owned() });
            }
            Piece::Text(text) if html => escape(text),
            Piece::Text(text) => text.clone(),
            Piece::Code(text) if html => format!("<code>{}</code>", escape(text)),
            Piece::Code(text) => code_span(text),
            Piece::Image { source, alt, caption } if html => {
                let caption = caption.as_ref().map(|caption| format!(" {}", escape(caption))).unwrap_or_default();
                format!("<img src=\"{}\" alt=\"{}\">{caption}", escape(&address(source)), escape(alt))
            }
            Piece::Image { source, alt, caption } => {
                let title = caption
                    .as_ref()
                    .filter(|caption| *caption != alt)
                    .map(|caption| format!(" \"{}\"", caption.replace('"', "\\\"")))
                    .unwrap_or_default();
                format!("![{}]({}{title})", label(alt), address(source))
            }
            Piece::Link { address: to, text } if html => format!("<a href=\"{}\">{}</a>", escape(&address(to)), escape(text)),
            Piece::Link { address: to, text } => format!("[{}]({})", label(text), address(to)),
            Piece::Open(mark) if html => opened(mark),
            Piece::Close if html => "</div>".to_owned(),
            Piece::Whole { mark, text } if html => format!("{}<p>{}</p></div>", opened(mark), escape(text)),
            Piece::Break if html => String::new(),
            Piece::Label(text) if html => format!("<p><strong>{}</strong></p>", escape(text)),
            Piece::Embed { element, address: to, title } => {
                let shown = format!("<{element} src=\"{}\" title=\"{}\"></{element}>", escape(&address(to)), escape(title));
                return if html { self.put(start, end, &shown) } else { self.block(start, end, &shown, "") };
            }
            Piece::Open(mark) => return self.block(start, end, &format!("{OPEN}{mark}"), ""),
            Piece::Close => return self.block(start, end, CLOSE, ""),
            Piece::Whole { mark, text } => return self.block(start, end, &format!("> {mark}"), &format!("> {}", crate::model::text::one_line(text))),
            Piece::Label(title) if title.trim().is_empty() => return self.block(start, end, "", ""),
            Piece::Label(title) => return self.block(start, end, &callout::label(&label(title)), ""),
            Piece::Break => return self.block(start, end, "", ""),
        };
        self.put(start, end, &text);
    }

    /// Something on lines of its own, with a blank line before and behind it, in the container that it stands in.
    fn block(&mut self, start: usize, end: usize, first: &str, second: &str) {
        let end = end + (self.text[end..].len() - self.text[end..].trim_start_matches([' ', '\t']).len());
        self.out.push_str(&self.text[self.done..start]);
        self.done = start;
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        let container = container(line);
        let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
        let above = &self.out[..self.out.len() - line.len()];
        // The fences of callouts care for their own room.
        let fence = first.starts_with(CLOSE);
        let bare = container.trim_end();
        let mut text = String::new();
        if !is_blank(line) {
            text.push_str(&if fence { format!("\n{container}") } else { format!("\n{bare}\n{container}") });
        } else if !fence && !first.is_empty() && !above.is_empty() && !is_blank(above[..above.len() - 1].rsplit('\n').next().unwrap_or_default()) {
            text.push_str(&format!("\n{container}"));
        }
        text.push_str(first);
        if !second.is_empty() {
            text.push_str(&format!("\n{container}{second}"));
        }
        let below = &self.text[end..];
        if !below.is_empty() && !below.starts_with('\n') {
            text.push_str(&if fence { format!("\n{container}") } else { format!("\n{bare}\n{container}") });
        } else if !fence && !first.is_empty() && !below.split('\n').nth(1).is_none_or(is_blank) {
            text.push_str(&format!("\n{bare}"));
        }
        self.put(start, end, &text);
    }

    /// Writes what stands before a tag, then its replacement with as many line ends as the tag had.
    pub(super) fn put(&mut self, start: usize, end: usize, replacement: &str) {
        self.out.push_str(&self.text[self.done..start]);
        self.out.push_str(replacement);
        let had = self.text[start..end].matches('\n').count();
        let from = self.out.len() - replacement.len();
        self.added.extend(replacement.match_indices('\n').skip(had).map(|(at, _)| from + at));
        let lines = had.saturating_sub(replacement.matches('\n').count());
        if replacement.is_empty() && self.literals.is_html(start) && begins_line(&self.out) && ends_line(&self.text[end..]) {
            // A blank line would end the block of HTML; a comment is never shown.
            self.out.push_str("<!---->");
            self.out.extend(std::iter::repeat_n("\n<!---->", lines));
        } else {
            self.out.extend(std::iter::repeat_n('\n', lines));
        }
        self.done = end;
    }
}

/// Blanks that go on for longer than this are nobody's: they are not looked through for each of thousands of tags.
const MOST_BLANKS: usize = 1_000;

/// Whether nothing but blanks stands between the beginning of the line and the end of this text.
pub(super) fn begins_line(before: &str) -> bool {
    matches!(before.chars().rev().take(MOST_BLANKS).find(|c| *c == '\n' || !c.is_whitespace()), None | Some('\n'))
}

/// Whether nothing but blanks stands between the beginning of this text and the end of the line.
fn ends_line(after: &str) -> bool {
    matches!(after.chars().take(MOST_BLANKS).find(|c| *c == '\n' || !c.is_whitespace()), None | Some('\n'))
}

/// What an address that only the table of links understands is called.
fn symbolic(address: &str) -> Option<&str> {
    address.strip_prefix(REF).or_else(|| address.strip_prefix(POST))
}

/// Whether an address belongs behind this text: in a link's brackets, a definition or an attribute, or behind another tag.
fn wants_address(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    ["](", "](<", "]:", "]: <", "=", "=\"", "='", "}"].iter().any(|end| before.ends_with(end))
}

/// The lines between which a tag's callout stands, until it becomes one: longer than an author's own, since it may hold those.
const OPEN: &str = "::::::: ";
const CLOSE: &str = ":::::::";

/// The beginning of a callout inside HTML, by its mark.
fn opened(mark: &str) -> String {
    let (kind, title) = mark.trim_start_matches("[!").split_once(']').unwrap_or((mark, ""));
    let title = title.trim_start_matches(['-', '+']).trim();
    let title = if title.is_empty() { String::new() } else { format!("<p class=\"callout-title\">{}</p>", escape(title)) };
    format!("<div class=\"callout callout-{}\">{title}", escape(kind))
}

/// Text inside HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
