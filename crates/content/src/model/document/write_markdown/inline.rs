//! Inlines as Markdown: first taken apart into texts and marks, then written with an eye on what stands beside each.

use std::borrow::Cow;
use std::iter::repeat_n;

use super::escape::{self, Context};
use super::{Writer, longest_run};
use crate::model::document::address::{Shown, last_segment};
use crate::model::document::queries::plain;
use crate::model::document::{Image, Inline, ReferenceId, Span, SpanTag};

/// Where inlines stand, and so which line breaks and marks they may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    Heading,
    Cell,
}

/// Emphasis of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Emphasis,
    Strong,
    Strikethrough,
}

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::Emphasis => "*",
            Self::Strong => "**",
            Self::Strikethrough => "~~",
        }
    }
}

/// A part of a line.
#[derive(Debug)]
enum Piece<'d> {
    /// Words, and whether they stand in a link's text.
    Text(Cow<'d, str>, bool),
    Code(Cow<'d, str>),
    /// Markup that is written as it stands.
    Raw(Cow<'static, str>),
    /// A formula between its signs.
    Tex(String),
    Open(Mark),
    Close(Mark),
    HardBreak,
    SoftBreak,
}

impl Writer<'_> {
    /// Writes inlines into `out`, which is emptied first; lines are parted by line breaks, and no line begins or ends with a space.
    pub(super) fn line(&mut self, inlines: &[Inline], place: Place, out: &mut String) {
        out.clear();
        if let [Inline::Text(text)] = inlines {
            // Most lines.
            let context = self.context(place, false, text);
            escape::text(out, text.trim(), None, &context);
        } else {
            let mut flat = Flat { pieces: Vec::with_capacity(inlines.len() + 4), link: false, open: [false; 3], writer: self };
            flat.inlines(inlines);
            let pieces = flat.pieces;
            self.assemble(&pieces, place, out);
        }
        let end = out.trim_end_matches([' ', '\n']).len();
        out.truncate(end);
        if place == Place::Heading {
            escape::closing_hashes(out);
        }
    }

    fn context(&self, place: Place, strikes: bool, text: &str) -> Context {
        let tildes = strikes || memchr::memchr_iter(b'~', text.as_bytes()).nth(1).is_some();
        Context { in_link: false, in_cell: place == Place::Cell, in_heading: place == Place::Heading, tildes, math: self.has_math }
    }

    fn assemble(&self, pieces: &[Piece<'_>], place: Place, out: &mut String) {
        let kept = kept_marks(pieces);
        let tildes = pieces.iter().map(tilde_count).sum::<usize>() > 1;
        let mut context = self.context(place, tildes, "");
        let mut words = String::new();
        let mut index = 0;
        while index < pieces.len() {
            if let Piece::Text(_, in_link) = &pieces[index] {
                // Words that stand together are escaped together; mostly they are one piece.
                words.clear();
                let mut first = None;
                while let Some(piece) = pieces.get(index) {
                    match piece {
                        Piece::Text(text, _) => match first {
                            None => first = Some(text),
                            Some(before) => {
                                if words.is_empty() {
                                    words.push_str(before);
                                }
                                words.push_str(text);
                            }
                        },
                        Piece::Open(_) | Piece::Close(_) if !kept[index] => {}
                        _ => break,
                    }
                    index += 1;
                }
                let words = first.filter(|_| words.is_empty()).map_or(&*words, |text| &**text);
                context.in_link = *in_link;
                let next = pieces.get(index).and_then(first_char);
                let at_start = out.is_empty() || out.ends_with('\n');
                let words = if at_start { words.trim_start() } else { words };
                escape::text(out, words, next, &context);
                continue;
            }
            match &pieces[index] {
                Piece::Text(..) => {}
                Piece::Code(code) => push_code(out, code, place),
                Piece::Raw(raw) => out.push_str(raw),
                Piece::Tex(tex) => push_at(out, tex, place),
                Piece::Open(mark) | Piece::Close(mark) if kept[index] => out.push_str(mark.text()),
                Piece::Open(_) | Piece::Close(_) => {}
                Piece::HardBreak | Piece::SoftBreak => push_break(out, matches!(pieces[index], Piece::HardBreak), place),
            }
            index += 1;
        }
    }
}

fn tilde_count(piece: &Piece<'_>) -> usize {
    match piece {
        Piece::Text(text, _) => memchr::memchr_iter(b'~', text.as_bytes()).count(),
        Piece::Open(Mark::Strikethrough) => 2,
        _ => 0,
    }
}

fn push_break(out: &mut String, hard: bool, place: Place) {
    let end = out.trim_end_matches(' ').len();
    out.truncate(end);
    if out.is_empty() || out.ends_with('\n') {
        return;
    }
    out.push_str(match (place, hard) {
        (Place::Paragraph, true) => "\\\n",
        (Place::Paragraph, false) => "\n",
        _ => " ",
    });
}

/// A code span: a fence longer than any run inside, and a space where the code begins or ends with the fence's character or a space.
fn push_code(out: &mut String, code: &str, place: Place) {
    let code = if code.contains(['\n', '\t']) { Cow::Owned(code.replace(['\n', '\t'], " ")) } else { Cow::Borrowed(code) };
    if code.trim().is_empty() {
        // At the beginning of a line a space would hide from what follows that it stands there, and has to be escaped.
        if !(out.is_empty() || out.ends_with('\n')) {
            out.push(' ');
        }
        return;
    }
    let longest = longest_run(&code, b'`');
    let mut fence = 1;
    while fence == longest || (longest > 0 && fence <= longest && has_run(&code, fence)) {
        fence += 1;
    }
    let fence = repeat_n('`', fence);
    let padded = code.starts_with('`') || code.ends_with('`') || (code.starts_with(' ') && code.ends_with(' '));
    let padding = if padded { " " } else { "" };
    out.extend(fence.clone());
    out.push_str(padding);
    push_at(out, &code, place);
    out.push_str(padding);
    out.extend(fence);
}

/// What is not escaped, but for the bar, which would end a table's cell.
fn push_at(out: &mut String, text: &str, place: Place) {
    if place != Place::Cell {
        return out.push_str(text);
    }
    for (index, part) in text.split('|').enumerate() {
        if index > 0 {
            out.push_str("\\|");
        }
        out.push_str(part);
    }
}

/// Whether a run of exactly this many backticks is in the code.
fn has_run(code: &str, length: usize) -> bool {
    code.split(|c| c != '`').any(|run| run.len() == length)
}

fn first_char(piece: &Piece<'_>) -> Option<char> {
    match piece {
        Piece::Text(text, _) => text.chars().next(),
        Piece::Code(_) => Some('`'),
        Piece::Tex(_) => Some('$'),
        Piece::Raw(raw) => raw.chars().next(),
        Piece::Open(mark) | Piece::Close(mark) => mark.text().chars().next(),
        Piece::HardBreak | Piece::SoftBreak => None,
    }
}

fn last_char(piece: &Piece<'_>) -> Option<char> {
    match piece {
        Piece::Text(text, _) => text.chars().next_back(),
        Piece::Raw(raw) => raw.chars().next_back(),
        other => first_char(other),
    }
}

/// Which emphasis marks CommonMark will read as such (0.31.2, 6.2): a mark that would stand between a letter and punctuation on the wrong side is
/// left out, with its partner. So is one in a word that looks like a bare address: there it would be a part of it. Where there are no marks, nothing.
fn kept_marks(pieces: &[Piece<'_>]) -> Vec<bool> {
    if !pieces.iter().any(|piece| matches!(piece, Piece::Open(_) | Piece::Close(_))) {
        return Vec::new();
    }
    let mut kept = vec![false; pieces.len()];
    let (mut open, mut word) = (Vec::new(), Word::default());
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text, _) => word.push(text),
            Piece::Open(mark) => open.push((index, !word.address && flanks(pieces, index, *mark, true))),
            Piece::Close(mark) => {
                if let Some((start, true)) = open.pop()
                    && flanks(pieces, index, *mark, false)
                {
                    kept[start] = true;
                    kept[index] = true;
                }
            }
            _ => word = Word::default(),
        }
    }
    kept
}

/// The word that is being written, through any marks in it.
#[derive(Default)]
struct Word {
    /// Its last bytes: as many as a sign of an address has, but for one.
    end: String,
    /// Whether `://` or `www.` is in it.
    address: bool,
}

impl Word {
    fn push(&mut self, text: &str) {
        if let Some((_, last)) = text.rsplit_once(char::is_whitespace) {
            *self = Self::default();
            return self.push(last);
        }
        self.end.push_str(text);
        self.address |= self.end.contains("://") || self.end.contains("www.");
        let cut = self.end.ceil_char_boundary(self.end.len().saturating_sub(3));
        self.end.drain(..cut);
    }
}

/// Whether a mark at `index` can open (or close): what it holds begins with a letter there, or white space or punctuation stands outside.
fn flanks(pieces: &[Piece<'_>], index: usize, mark: Mark, opens: bool) -> bool {
    let same = |piece: &&Piece<'_>| matches!(piece, Piece::Open(other) | Piece::Close(other) if (*other == Mark::Strikethrough) == (mark == Mark::Strikethrough));
    let before = pieces[..index].iter().rev().find(|piece| !same(piece)).and_then(last_char);
    let after = pieces[index + 1..].iter().find(|piece| !same(piece)).and_then(first_char);
    let (outside, inside) = if opens { (before, after) } else { (after, before) };
    let Some(inside) = inside else { return false };
    if inside.is_whitespace() {
        return false;
    }
    inside.is_alphanumeric() || outside.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation())
}

/// Takes inlines apart.
struct Flat<'d, 'w, 'a> {
    pieces: Vec<Piece<'d>>,
    /// Whether a link's text is being taken apart.
    link: bool,
    /// Which marks are open: the same one never stands in itself.
    open: [bool; 3],
    writer: &'w mut Writer<'a>,
}

impl<'d> Flat<'d, '_, '_> {
    fn inlines(&mut self, inlines: &'d [Inline]) {
        for inline in inlines {
            self.inline(inline);
        }
    }

    fn inline(&mut self, inline: &'d Inline) {
        match inline {
            Inline::Text(text) => self.text(text),
            Inline::Code(code) => self.code(code.as_str()),
            Inline::Emphasis(content) => self.marked(Mark::Emphasis, content),
            Inline::Strong(content) => self.marked(Mark::Strong, content),
            Inline::Strikethrough(content) => self.marked(Mark::Strikethrough, content),
            Inline::Span(span) => self.span(span),
            Inline::Link { reference, title, content } => self.link(*reference, title, content),
            Inline::Image(image) => self.image(image),
            Inline::HardBreak => self.pieces.push(Piece::HardBreak),
            Inline::SoftBreak => self.pieces.push(Piece::SoftBreak),
            Inline::Footnote(index) => self.raw(format!("[^{}]", index + 1)),
            Inline::Math { tex, display } => {
                let tex = super::tex(tex);
                if !super::stays_between_dollars(&tex) {
                    return self.code(tex);
                }
                self.pieces.push(Piece::Tex(if *display { format!("$${tex}$$") } else { format!("${tex}$") }));
            }
            Inline::Anchor(_) => {}
        }
    }

    fn text(&mut self, text: impl Into<Cow<'d, str>>) {
        let text = text.into();
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text, self.link));
        }
    }

    /// Markup as it stands. A bracket behind a footnote's mark would make a reference link of both.
    fn raw(&mut self, raw: impl Into<Cow<'static, str>>) {
        let raw = raw.into();
        if raw.starts_with('[') && !raw.starts_with("[^") && matches!(self.pieces.last(), Some(Piece::Raw(last)) if last.starts_with("[^")) {
            self.pieces.push(Piece::Text(Cow::Borrowed(" "), self.link));
        }
        self.pieces.push(Piece::Raw(raw));
    }

    /// Code spans next to each other would read as one with backticks in it, so they become one.
    fn code(&mut self, code: impl Into<Cow<'d, str>>) {
        let code = code.into();
        if let Some(Piece::Code(last)) = self.pieces.last_mut() {
            last.to_mut().push_str(&code);
        } else if !code.is_empty() {
            self.pieces.push(Piece::Code(code));
        }
    }

    fn marked(&mut self, mark: Mark, content: &'d [Inline]) {
        if std::mem::replace(&mut self.open[mark as usize], true) {
            return self.inlines(content);
        }
        let goes_on = matches!(self.pieces.last(), Some(Piece::Close(last)) if *last == mark);
        if goes_on {
            // `*a*` and `*b*` without anything between are `*ab*`.
            self.pieces.pop();
        } else {
            self.pieces.push(Piece::Open(mark));
        }
        self.inlines(content);
        self.open[mark as usize] = false;
        self.close(mark, goes_on);
    }

    /// Ends a mark, with white space at its edges put outside; what `goes_on` was closed before, so that no white space begins it.
    fn close(&mut self, mark: Mark, goes_on: bool) {
        let mut after = Vec::new();
        while let Some(last) = self.pieces.pop() {
            match last {
                Piece::Text(text, link) => {
                    let trimmed = text.trim_end().len();
                    if trimmed < text.len() {
                        after.push(Piece::Text(Cow::Owned(text[trimmed..].to_owned()), link));
                    }
                    if trimmed > 0 {
                        self.pieces.push(Piece::Text(cut(text, 0, trimmed), link));
                        break;
                    }
                }
                Piece::HardBreak | Piece::SoftBreak => after.push(last),
                Piece::Open(open) if open == mark => {
                    // Nothing is in it.
                    self.pieces.extend(after.into_iter().rev());
                    return;
                }
                other => {
                    self.pieces.push(other);
                    break;
                }
            }
        }
        if !goes_on {
            self.push_out_leading_space(mark);
        }
        self.pieces.push(Piece::Close(mark));
        self.pieces.extend(after.into_iter().rev());
    }

    fn push_out_leading_space(&mut self, mark: Mark) {
        let Some(mut open) = self.pieces.iter().rposition(|piece| matches!(piece, Piece::Open(open) if *open == mark)) else { return };
        loop {
            match self.pieces.get_mut(open + 1) {
                Some(Piece::Text(text, link)) if text.starts_with(char::is_whitespace) => {
                    let lead = text.len() - text.trim_start().len();
                    let (space, link) = (Cow::Owned(text[..lead].to_owned()), *link);
                    let rest = text[lead..].to_owned();
                    if rest.is_empty() {
                        self.pieces.remove(open + 1);
                    } else {
                        *text = Cow::Owned(rest);
                    }
                    self.pieces.insert(open, Piece::Text(space, link));
                    open += 1;
                }
                Some(Piece::HardBreak | Piece::SoftBreak) => {
                    self.pieces.swap(open, open + 1);
                    open += 1;
                }
                _ => return,
            }
        }
    }

    /// What GFM has no word for: the nearest that it has, or the text alone.
    fn span(&mut self, span: &'d Span) {
        let content = span.content.as_slice();
        match span.tag {
            SpanTag::Kbd | SpanTag::Samp | SpanTag::Code => match content {
                [Inline::Text(text)] => self.code(text.as_str()),
                _ => self.inlines(content),
            },
            SpanTag::Cite | SpanTag::Dfn | SpanTag::Var => self.marked(Mark::Emphasis, content),
            SpanTag::Quote => {
                self.text("“");
                self.inlines(content);
                self.text("”");
            }
            SpanTag::Sup => {
                let text = plain(content);
                // `x²` is `x^2`, but `1st` stays a word.
                let is_power = text.chars().count() == 1 || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '−' | '+'));
                let follows = matches!(self.pieces.last(), Some(Piece::Text(before, _)) if before.ends_with(char::is_alphanumeric));
                if is_power && follows && text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '−' | '+')) {
                    self.text("^");
                }
                self.inlines(content);
            }
            SpanTag::Abbr
            | SpanTag::Bdi
            | SpanTag::Bdo
            | SpanTag::Ins
            | SpanTag::Mark
            | SpanTag::Small
            | SpanTag::Span
            | SpanTag::Sub
            | SpanTag::Underline => self.inlines(content),
        }
    }

    fn link(&mut self, reference: ReferenceId, title: &str, content: &'d [Inline]) {
        let Some(address) = self.writer.rendering.address(reference).filter(|_| !self.link) else {
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
        self.raw("[");
        let start = self.pieces.len();
        let open = std::mem::take(&mut self.open);
        self.link = true;
        self.inlines(content);
        self.link = false;
        self.open = open;
        if !self.pieces[start..].iter().any(is_visible) {
            self.pieces.truncate(start);
            self.pieces.push(Piece::Text(Cow::Owned(last_segment(&address.key)), true));
        }
        self.writer.outline.links.push(address.key);
        self.raw(behind("]", &address.href, title));
    }

    fn image(&mut self, image: &'d Image) {
        match self.writer.rendering.shown(image) {
            Shown::Picture(address) => {
                self.writer.outline.images.push(address.key);
                let mut alt = String::new();
                let context = Context { in_link: true, ..self.writer.context(Place::Heading, false, "") };
                escape::text(&mut alt, &image.alt, Some(']'), &context);
                self.raw(behind(&format!("![{alt}]"), &address.href, &image.title));
            }
            Shown::Link(address, words) if !self.link => {
                self.writer.outline.links.push(address.key);
                let mut text = String::new();
                let context = Context { in_link: true, ..self.writer.context(Place::Heading, false, "") };
                escape::text(&mut text, &words, Some(']'), &context);
                self.raw(behind(&format!("[{text}]"), &address.href, &image.title));
            }
            Shown::Link(_, words) => self.text(words),
            Shown::Words(words) => self.text(words),
        }
    }
}

fn cut(text: Cow<'_, str>, from: usize, to: usize) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[from..to]),
        Cow::Owned(text) => Cow::Owned(text[from..to].to_owned()),
    }
}

fn is_visible(piece: &Piece<'_>) -> bool {
    match piece {
        Piece::Text(text, _) => !text.trim().is_empty(),
        Piece::Code(_) | Piece::Raw(_) | Piece::Tex(_) => true,
        Piece::Open(_) | Piece::Close(_) | Piece::HardBreak | Piece::SoftBreak => false,
    }
}

/// Whether `<address>` is an autolink that every reader knows.
fn is_autolink(address: &str) -> bool {
    let web = address.starts_with("https://") || address.starts_with("http://");
    web && !address.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '\\'))
}

/// Where a link leads, in parentheses behind its text.
fn behind(text: &str, href: &str, title: &str) -> String {
    let mut out = String::with_capacity(text.len() + href.len() + title.len() + 8);
    out.push_str(text);
    out.push('(');
    escape::destination(&mut out, href);
    if !title.is_empty() {
        out.push_str(" \"");
        escape::title(&mut out, title);
        out.push('"');
    }
    out.push(')');
    out
}
