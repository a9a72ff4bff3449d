//! Runs of text: white space, bare addresses, attribute lists, and the few words that Markdown dialects hide in text.

use std::sync::LazyLock;

use linkify::{LinkFinder, LinkKind};

use super::frame::{Class, Frame, Kind};
use super::{Builder, clean};
use crate::model::document::{Block, Callout, Fold, Image, Inline, ReferenceKind};
use crate::model::text::{has_byte, has_double};

impl Builder {
    /// Text as the Markdown parser gives it: no line breaks, white space as it is.
    pub(crate) fn text(&mut self, text: &str, offset: usize) {
        if text.is_empty() {
            return;
        }
        if let Some(Frame { kind: Kind::Code { text: code, .. }, .. }) = self.stack.last_mut() {
            code.push_str(&clean(text));
            return;
        }
        if self.run.is_empty() {
            self.make_room_for_inline();
        }
        // What stood between two spaces is gone: a comment.
        let gone = if self.run.ends_with(' ') { text.len() - text.trim_start_matches(' ').len() } else { 0 };
        self.pieces.push(self.run.len(), offset + gone);
        let text = clean(&text[gone..]);
        self.run.push_str(&text);
        self.spaced = self.run.ends_with([' ', '\t']);
    }

    /// The text that follows begins with a character that the source escapes.
    pub(crate) fn escape(&mut self) {
        self.pieces.push_escape(self.run.len());
    }

    /// Text of HTML: runs of white space are one space, and none at the beginning of a line.
    pub(crate) fn html_text(&mut self, text: &str, offset: usize) {
        if let Some(Frame { kind: Kind::Code { text: code, .. }, .. }) = self.stack.last_mut() {
            code.push_str(&clean(text));
            return;
        }
        let holds_blocks = matches!(self.class(), Class::Blocks | Class::Parts);
        if text.is_empty() || (holds_blocks && is_html_space(text)) {
            return;
        }
        if self.run.is_empty() {
            self.make_room_for_inline();
        }
        let text = clean(text);
        let mut from = 0;
        while from < text.len() {
            let rest = &text[from..];
            let word = rest.len() - rest.trim_start_matches(HTML_SPACE).len();
            if word > 0 {
                if !self.spaced {
                    self.pieces.push(self.run.len(), offset + from);
                    self.run.push(' ');
                    self.spaced = true;
                }
                from += word;
                continue;
            }
            let end = rest.find(HTML_SPACE).unwrap_or(rest.len());
            self.pieces.push(self.run.len(), offset + from);
            self.run.push_str(&rest[..end]);
            self.spaced = false;
            from += end;
        }
    }

    /// A block border that becomes a space, since no block can stand here.
    pub(super) fn separate(&mut self) {
        if let Some(Frame { kind: Kind::Code { text, .. }, .. }) = self.stack.last_mut() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        } else if !self.spaced && matches!(self.class(), Class::Line | Class::Wrapper) {
            self.push_inline(Inline::text(" "));
            self.spaced = true;
        }
    }

    /// What of the open run of text looks like the beginning of a bare address: the Markdown parser may take its `_` for emphasis.
    pub(crate) fn in_address(&self) -> bool {
        // An address of more than this is nobody's, and is not looked through at each of its marks.
        const LONGEST: usize = 2048;
        let near = &self.run[self.run.ceil_char_boundary(self.run.len().saturating_sub(LONGEST))..];
        let word = near.rsplit([' ', '\t']).next().unwrap_or_default();
        !word.is_empty() && (word.contains("://") || word.contains("www."))
    }

    /// The open run of text.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// Where a byte of the open run of text stands in the source.
    pub(crate) fn run_source(&self, at: usize) -> usize {
        self.pieces.source(at)
    }

    /// Cuts the open run of text to a length.
    pub(crate) fn cut_run(&mut self, length: usize) {
        self.run.truncate(length);
        self.pieces.cut(length);
    }

    /// Ends the open run of text.
    pub(super) fn flush(&mut self) {
        if self.run.is_empty() {
            return;
        }
        // A copy of just its length; the room it was gathered in serves the next run.
        let mut run = self.run.clone();
        self.run.clear();
        let signs = signs(&run);
        if self.attribute_lists && signs & BRACE != 0 && run.contains('{') {
            self.take_attribute_lists(&mut run);
        }
        self.equals |= signs & EQUALS != 0 && run.contains("==");
        if signs & BRACE != 0 && matches!(self.top(), Some(Frame { kind: Kind::Heading { .. }, .. })) {
            self.literal_brace = run.rfind('{').is_some_and(|at| self.pieces.source(at + 1) != self.pieces.source(at) + 1);
        }
        if self.links == 0 && self.alts == 0 && may_hold_address(&run, signs) {
            self.link_addresses(&run);
        } else if !run.is_empty() {
            self.push_text(run, 0, signs & COLON != 0);
        }
        self.pieces.clear();
    }

    /// A part of the run, from this byte on; `colons`: there may be colons in it.
    fn push_text(&mut self, text: String, from: usize, colons: bool) {
        // `&#58;` is a colon and begins no short name.
        let is_colon = |at: usize| self.pieces.source(from + at + 1) == self.pieces.source(from + at) + 1;
        let text = if self.attribute_lists && colons { super::emoji::replaced(&text, is_colon).unwrap_or(text) } else { text };
        let Some(frame) = self.stack.last_mut() else { return };
        if let Some(Inline::Text(last)) = frame.inlines.last_mut() {
            last.push_str(&text);
        } else {
            frame.inlines.push(Inline::Text(text));
        }
    }

    /// GFM's extended autolinks.
    fn link_addresses(&mut self, run: &str) {
        let mut from = 0;
        for (range, address) in addresses(run) {
            if self.pieces.has_escape(&range) {
                continue;
            }
            if range.start > from {
                self.push_text(run[from..range.start].to_owned(), from, true);
            }
            let reference = self.reference(&address, ReferenceKind::Link, self.pieces.source(range.start));
            let content = vec![Inline::text(&run[range.clone()])];
            self.push_inline(Inline::Link { reference, title: String::new(), content });
            from = range.end;
        }
        if from < run.len() {
            self.push_text(run[from..].to_owned(), from, true);
        }
    }

    /// Drops attribute lists: kramdown's (`{: .class}`) behind an inline or alone on a line, others' (`{ .class #id }`) right behind an inline. An
    /// id goes to the heading before, or stays as a place.
    fn take_attribute_lists(&mut self, run: &mut String) {
        let after_inline = self
            .top()
            .and_then(|frame| frame.inlines.last())
            .is_some_and(|last| !matches!(last, Inline::SoftBreak | Inline::HardBreak | Inline::Text(_)));
        let in_heading = self.stack.iter().any(|frame| matches!(frame.kind, Kind::Heading { .. }));
        if after_inline && !in_heading {
            self.take_list_behind(run);
        }
        // What is kept of the run, up to `from`, and whether that is blank.
        let (mut kept, mut from, mut alone) = (String::new(), 0, true);
        while let Some(start) = run[from..].find("{:").map(|found| from + found) {
            let Some(end) = run[start..].find('}').map(|length| start + length + 1) else { break };
            kept.push_str(&run[from..start]);
            alone &= run[from..start].trim().is_empty();
            // `&#123;` is a brace and no list.
            let is_brace = self.pieces.source(kept.len() + 1) != self.pieces.source(kept.len()) + 1;
            let list = &run[start + 2..end - 1];
            if !is_brace && (alone || after_inline && kept.is_empty()) && is_attribute_list(list) {
                if alone && let Some(id) = attribute_id(list) {
                    self.name_heading(id);
                }
            } else {
                kept.push_str(&run[start..end]);
                alone = false;
            }
            from = end;
        }
        if from > 0 {
            kept.push_str(&run[from..]);
            *run = kept;
        }
    }

    /// Takes an attribute list away with which a text begins behind an inline.
    fn take_list_behind(&mut self, run: &mut String) {
        let is_brace = self.pieces.source(1) != self.pieces.source(0) + 1;
        let Some(end) = run.strip_prefix('{').and_then(|rest| rest.find(['}', '{'])).filter(|_| !is_brace) else { return };
        let inner = &run[1..=end];
        let inner = inner.strip_prefix(':').unwrap_or(inner);
        let is_attribute = |word: &str| word.len() > 1 && word.starts_with(['.', '#']) || word.contains('=') || word.ends_with('"');
        let listed = inner.split_whitespace().all(is_attribute) && inner.contains(['.', '#', '=']);
        if !run[1 + end..].starts_with('}') || !listed {
            return;
        }
        let id = attribute_id(inner).map(str::to_owned).filter(|_| self.links == 0);
        if let Some(id) = id.and_then(|id| self.claim_id(&id))
            && let Some(frame) = self.stack.last_mut()
        {
            frame.inlines.push(Inline::Anchor(id));
        }
        run.replace_range(..end + 2, "");
    }

    /// `## Heading` and `{: #id}` on the next line.
    fn name_heading(&mut self, name: &str) {
        let [.., around, Frame { kind: Kind::Paragraph, inlines, .. }] = self.stack.as_mut_slice() else { return };
        if let (true, Some(Block::Heading { id, .. })) = (inlines.is_empty(), around.blocks.last_mut())
            && let Some(name) = self.ids.explicit(name)
        {
            *id = name;
        }
    }
}

const HTML_SPACE: [char; 5] = [' ', '\t', '\n', '\r', '\u{c}'];

fn is_html_space(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C))
}

const BRACE: u8 = 1;
const EQUALS: u8 = 2;
const COLON: u8 = 4;
const AT: u8 = 8;

/// Which signs are in a text that may mean something. Most texts have none, which is seen without the table: sixteen bytes are looked at together.
fn signs(text: &str) -> u8 {
    if !has_byte(text, |byte| (byte == b'{') | (byte == b'=') | (byte == b':') | (byte == b'@')) {
        return 0;
    }
    text.bytes().fold(0, |found, byte| found | SIGNS[usize::from(byte)])
}

/// What each byte may be the sign of.
static SIGNS: [u8; 256] = {
    let mut signs = [0; 256];
    signs[b'{' as usize] = BRACE;
    signs[b'=' as usize] = EQUALS;
    signs[b':' as usize] = COLON;
    signs[b'@' as usize] = AT;
    signs
};

/// A quick look before the search for addresses; `signs` are those of the text.
fn may_hold_address(text: &str, signs: u8) -> bool {
    signs & AT != 0 || (signs & COLON != 0 && text.contains("://")) || (has_double(text, b'w') && text.contains("www."))
}

static WITH_SCHEME: LazyLock<LinkFinder> = LazyLock::new(LinkFinder::new);
static WITHOUT_SCHEME: LazyLock<LinkFinder> = LazyLock::new(|| {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    finder
});

/// How much the search for addresses in one stretch of text may cost: its bytes times the signs in it at which the search begins.
const COST: usize = 500_000;

/// The bare addresses that GFM links (`https://`, `http://`, `ftp://`, `www.`, and mail addresses), each with its range and full address.
pub(crate) fn addresses(text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let mut found = Vec::new();
    if !may_hold_address(text, signs(text)) {
        return found;
    }
    let bare = text.contains("www.");
    if is_cheap(text, bare) {
        push_addresses(text, 0, bare, &mut found);
        return found;
    }
    // No address holds one of these, so each stretch between them is searched by itself. One that is nothing but signs is not.
    let mut start = 0;
    for stretch in text.split([' ', '\t', '\n', '<', '>', '"']) {
        if is_cheap(stretch, bare) && !crate::model::bounds::is_over() {
            push_addresses(stretch, start, bare, &mut found);
        }
        start += stretch.len() + 1;
    }
    found
}

/// Whether a search costs little: at each sign of an address it may go on to the end.
fn is_cheap(text: &str, bare: bool) -> bool {
    let is_sign = |byte: &&u8| matches!(byte, b'@' | b':') || bare && **byte == b'.';
    text.len() < 700 || text.len().saturating_mul(text.as_bytes().iter().filter(is_sign).count()) <= COST
}

fn push_addresses(text: &str, start: usize, bare: bool, found: &mut Vec<(std::ops::Range<usize>, String)>) {
    let finder = if bare { &*WITHOUT_SCHEME } else { &*WITH_SCHEME };
    let full = |link: linkify::Link<'_>| {
        // Punctuation of other scripts ends an address, as a comma and a space do in ours.
        let end = link.as_str().find(is_wide_punctuation).unwrap_or(link.as_str().len());
        let found = link.as_str()[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let cut = found.len() < link.as_str().len();
        if cut && (*link.kind() == LinkKind::Email || found.len() < "http://a".len() || found.ends_with("://")) {
            return None;
        }
        let lower = found.get(..8).unwrap_or(found).to_ascii_lowercase();
        let address = match link.kind() {
            LinkKind::Email => format!("mailto:{found}"),
            LinkKind::Url if ["https://", "http://", "ftp://"].iter().any(|scheme| lower.starts_with(scheme)) => found.to_owned(),
            LinkKind::Url if lower.starts_with("www.") => format!("http://{found}"),
            _ => return None,
        };
        let from = start + link.start();
        Some((from..from + found.len(), address))
    };
    found.extend(finder.links(text).filter_map(full));
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '…' | '«' | '»' | '\u{2018}'..='\u{201F}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{FF01}' | '\u{FF08}' | '\u{FF09}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}')
}

/// Whether this stands between `{:` and `}` of an attribute list: classes, ids, `key="value"`, names of lists.
fn is_attribute_list(text: &str) -> bool {
    let text = text.trim().trim_start_matches([':', '/']);
    text.split_whitespace().all(|word| {
        let name = word.strip_prefix(['.', '#']).unwrap_or(word);
        name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"') || word.contains('=') || word.ends_with(['"', '\''])
    })
}

/// Whether a whole line is an attribute list of kramdown's: `{: .class}`.
pub(crate) fn is_attributes(line: &str) -> bool {
    let inner = line.trim().strip_prefix("{:").and_then(|inner| inner.strip_suffix('}'));
    inner.is_some_and(|inner| !inner.contains(['{', '}', '|']) && is_attribute_list(inner))
}

fn attribute_id(text: &str) -> Option<&str> {
    text.split_whitespace().find_map(|word| word.strip_prefix('#')).filter(|id| !id.is_empty())
}

/// Takes `{#id}`, `{#id .class}` or `{: #id}` from the end of a heading. Other braces are content: `GET /users/{id}`.
pub(super) fn take_heading_id(content: &mut Vec<Inline>) -> Option<String> {
    let content_is_single = content.len() == 1;
    let Some(Inline::Text(text)) = content.last_mut() else { return None };
    let inner_end = text.trim_end().strip_suffix('}')?.len();
    let start = text[..inner_end].rfind('{')?;
    let inner = &text[start + 1..inner_end];
    let inner = inner.strip_prefix(':').unwrap_or(inner);
    let is_attribute = |word: &str| word.starts_with(['#', '.']) || word.contains('=') || word == "-";
    let named = inner.split_whitespace().any(|word| word.len() > 1 && word.starts_with(['#', '.']));
    let alone = start == 0 && content_is_single;
    if alone || !named || !inner.split_whitespace().all(is_attribute) {
        return None;
    }
    let id = attribute_id(inner).map(str::to_owned);
    text.truncate(start);
    text.truncate(text.trim_end().len());
    if text.is_empty() {
        content.pop();
    }
    id
}

/// Obsidian's callouts: a quote whose first line is `[!kind]`, perhaps with `+` or `-` and a title.
pub(super) fn callout_of_quote(mut blocks: Vec<Block>) -> Block {
    let Some(Block::Paragraph(first)) = blocks.first_mut() else { return Block::Quote(blocks) };
    let Some((kind, fold, consumed)) = callout_mark(first) else { return Block::Quote(blocks) };
    if let Some(Inline::Text(text)) = first.first_mut() {
        text.drain(..consumed);
        if text.is_empty() {
            first.remove(0);
        }
    }
    let line_end = first.iter().position(|inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak));
    let mut title = std::mem::take(first);
    let rest = line_end.map(|end| title.split_off(end)).unwrap_or_default();
    let rest: Vec<_> = rest.into_iter().skip(1).collect();
    if rest.is_empty() {
        blocks.remove(0);
    } else {
        blocks[0] = Block::Paragraph(rest);
    }
    match fold {
        // Parts that open and close have no mark of their own in Markdown.
        Some(fold) if kind == "details" => Block::Details { summary: title, open: fold == Fold::Open, blocks },
        _ => Block::Callout(Callout { kind, title, fold, blocks }),
    }
}

/// The kind, the fold and the length of `[!kind]- ` at the beginning of a quote.
fn callout_mark(line: &[Inline]) -> Option<(String, Option<Fold>, usize)> {
    let Some(Inline::Text(text)) = line.first() else { return None };
    let rest = text.strip_prefix("[!")?;
    let (kind, rest) = rest.split_once(']')?;
    let kind = kind.split('|').next().unwrap_or_default().trim();
    if kind.is_empty() || !kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')) {
        return None;
    }
    let (fold, rest) = match rest.strip_prefix('+') {
        Some(rest) => (Some(Fold::Open), rest),
        None => rest.strip_prefix('-').map_or((None, rest), |rest| (Some(Fold::Closed), rest)),
    };
    Some((kind.to_lowercase().replace(' ', "-"), fold, text.len() - rest.trim_start().len()))
}

/// `![[picture.png|300]]`, `![[picture.png|300x200]]`, `![[picture.png|words|300]]`: the size that stands in the words.
pub(super) fn take_size(image: &mut Image) {
    let (words, last) = image.alt.rsplit_once('|').unwrap_or(("", &image.alt));
    let (width, height) = last.split_once('x').map_or((last, None), |(width, height)| (width, Some(height)));
    let is_number = |text: &str| !text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(width) && height.is_none_or(is_number) {
        image.width = width.parse().ok();
        image.height = height.and_then(|height| height.parse().ok());
        image.alt = words.to_owned();
    }
}
