//! Markdown into a document. The only module that knows the Markdown parser.
//!
//! pulldown-cmark gives CommonMark and GFM (tables, task lists, strikethrough, footnotes, alerts) as balanced events with their places; the builder
//! makes the document. Beyond the parser: bare addresses, `==mark==`, `{#id}`, kramdown's attribute lists, raw HTML as elements of the document,
//! and no comment ever. Further dialects (`:emoji:`, `:::note`) belong before the parser, in `dialect`, or in the builder's text rules.

mod depth;
pub mod literal;

use pulldown_cmark::{Alignment as CmarkAlignment, BlockQuoteKind, BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

use rustc_hash::FxHashMap;

use crate::model::bounds;
use crate::model::document::build::{Builder, Kind, OpenCell, OpenImage, OpenRow, OpenTable, Positions, SourceMap, Wrapper, is_attributes};
use crate::model::document::{Alignment, Block, Document, Inline, ReferenceKind, language_of};
use crate::syntax::html::feed::{Feed, Pending};

#[cfg(test)]
mod tests;

/// How deep Markdown may stand in HTML in Markdown (`<div markdown="1">`).
const MAX_NESTED: usize = 8;

/// How many bytes the links of a nested text may take from definitions around it, however short it is.
const MIN_EXPANSION: usize = 100_000;

/// Begins a code span that is TeX within a line: a character for private use, which nobody has in code.
pub(crate) const TEX: char = '\u{F8F0}';
/// Begins a code span that is TeX by itself.
pub(crate) const TEX_DISPLAY: char = '\u{F8F1}';

/// How to read a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of the text's first line in its file, from 1: front matter comes before it.
    pub first_line: u32,
    /// Whether `[[Note]]` and `![[Note]]` are links by name.
    pub wikilinks: bool,
    /// Whether `$…$` and `$$…$$` are mathematics.
    pub math: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { first_line: 1, wikilinks: false, math: false }
    }
}

/// Reads a Markdown text, without its front matter. Never fails: whatever is no markup is text.
pub fn parse(text: &str, options: &Options) -> Document {
    let mut builder = Builder::new();
    builder.attribute_lists = true;
    let text = depth::bounded(text);
    Reader::new(&text, options, options.first_line, 0).read(&mut builder, &Definitions::default());
    builder.finish()
}

/// Where the labels of footnotes begin, of marks and of notes, in order; those in code and formulas are words.
pub fn footnote_labels(text: &str, math: bool) -> Vec<usize> {
    let mut options = pulldown_cmark::Options::ENABLE_TABLES | pulldown_cmark::Options::ENABLE_FOOTNOTES;
    options.set(pulldown_cmark::Options::ENABLE_MATH, math);
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let label = match event {
            Event::FootnoteReference(label) | Event::Start(Tag::FootnoteDefinition(label)) => label,
            _ => continue,
        };
        found.extend(text[range.clone()].find("[^").map(|at| range.start + at + 2).filter(|at| text[*at..].starts_with(&*label)));
    }
    found.sort_unstable();
    found
}

/// Link definitions of the text around a nested one, by label in lower case: address and title.
type Definitions = FxHashMap<String, (String, String)>;

struct Reader<'t, 'o> {
    source: &'t str,
    options: &'o Options,
    /// Events that end before here belong to something dropped: a comment, a script.
    skip_until: usize,
    /// Where the last text ended.
    text_end: usize,
    /// End marks that do not come again, so that nobody searches for them twice.
    absent: Vec<String>,
    /// The HTML block that is being gathered, and where its lines came from.
    html: String,
    pieces: SourceMap,
    places: Positions<'t>,
    has_comments: bool,
    depth: usize,
    /// From where the next sign was searched, and where it is.
    sign: (usize, usize),
}

impl<'t, 'o> Reader<'t, 'o> {
    fn new(source: &'t str, options: &'o Options, first_line: u32, depth: usize) -> Self {
        let places = Positions::new(source, first_line);
        let has_comments = source.contains("<!--");
        Self {
            source,
            options,
            skip_until: 0,
            text_end: 0,
            absent: Vec::new(),
            html: String::new(),
            pieces: SourceMap::default(),
            places,
            has_comments,
            depth,
            sign: (usize::MAX, 0),
        }
    }

    fn cmark_options(&self) -> pulldown_cmark::Options {
        use pulldown_cmark::Options;
        let mut options =
            Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_GFM;
        options.set(Options::ENABLE_DEFINITION_LIST, has_definitions(self.source));
        options.set(Options::ENABLE_WIKILINKS, self.options.wikilinks);
        options.set(Options::ENABLE_MATH, self.options.math);
        options
    }

    fn read(&mut self, builder: &mut Builder, outer: &Definitions) {
        let first = builder.reference_count();
        self.read_events(builder, outer);
        builder.locate(first, &self.places);
    }

    fn read_events(&mut self, builder: &mut Builder, outer: &Definitions) {
        let mut room = self.source.len().max(MIN_EXPANSION);
        let resolve = |link: BrokenLink<'_>| {
            let (address, title) = outer.get(&link.reference.to_ascii_lowercase())?;
            // As in the parser itself: short references to something long make no text a hundred times as long.
            room = room.checked_sub(address.len() + title.len())?;
            Some((CowStr::from(address.clone()), CowStr::from(title.clone())))
        };
        let parser = Parser::new_with_broken_link_callback(self.source, self.cmark_options(), (!outer.is_empty()).then_some(resolve));
        let nested_markdown = self.source.contains("markdown=") || self.source.contains(" markdown>");
        let mut definitions = Definitions::default();
        if nested_markdown {
            for (label, own) in parser.reference_definitions().iter() {
                let title = own.title.as_deref().unwrap_or_default().to_owned();
                definitions.entry(label.to_ascii_lowercase()).or_insert_with(|| (own.dest.to_string(), title));
            }
        }
        for (event, range) in parser.into_offset_iter() {
            if range.end <= self.skip_until {
                continue;
            }
            if bounds::is_over() {
                return;
            }
            match event {
                Event::Start(tag) => self.start(builder, tag, range),
                Event::End(tag) => self.end(builder, tag, range.end, &definitions),
                Event::Text(text) => self.text(builder, &text, range),
                Event::Code(code) if code.starts_with([TEX, TEX_DISPLAY]) => {
                    let display = code.starts_with(TEX_DISPLAY);
                    let tex = crate::model::document::build::clean(code.trim_start_matches([TEX, TEX_DISPLAY])).into_owned();
                    builder.inline(Inline::Math { tex, display });
                }
                Event::Code(code) => builder.inline(Inline::Code(crate::model::document::build::clean(&code).into_owned())),
                Event::InlineMath(tex) => builder.inline(Inline::Math { tex: tex.into_string(), display: false }),
                Event::DisplayMath(tex) => builder.inline(Inline::Math { tex: tex.into_string(), display: true }),
                Event::Html(html) => {
                    self.pieces.push(self.html.len(), range.start);
                    self.html.push_str(&html);
                }
                Event::InlineHtml(html) => {
                    self.pieces.clear();
                    self.pieces.push(0, range.start);
                    self.feed(builder, &html, range.end, true, &definitions);
                }
                Event::FootnoteReference(label) => builder.footnote(&label),
                Event::SoftBreak => builder.inline(Inline::SoftBreak),
                Event::HardBreak => builder.inline(Inline::HardBreak),
                Event::Rule => builder.block(Block::Rule),
                Event::TaskListMarker(done) => {
                    if let Some(Kind::Item { task, .. }) = builder.top_kind() {
                        *task = Some(done);
                    }
                }
            }
        }
    }

    fn start(&mut self, builder: &mut Builder, tag: Tag<'_>, range: std::ops::Range<usize>) {
        let end = range.end;
        match tag {
            Tag::Paragraph => builder.enter_block(Kind::Paragraph, end),
            Tag::Heading { level, .. } => builder.enter_block(Kind::Heading { level: level as u8, id: None }, end),
            Tag::BlockQuote(kind) => builder.enter_block(quote(kind), end),
            Tag::CodeBlock(kind) => builder.enter_block(Kind::Code { language: language(&kind), text: String::new() }, end),
            Tag::HtmlBlock => {
                self.html.clear();
                self.pieces.clear();
            }
            Tag::List(start) => builder.enter_block(Kind::List { start, loose: false, items: Vec::new() }, end),
            Tag::Item => builder.enter_block(Kind::Item { task: None, loose: false }, end),
            Tag::FootnoteDefinition(label) => builder.enter_block(Kind::Footnote(label.into_string()), end),
            Tag::DefinitionList => builder.enter_block(Kind::Definitions(Vec::new()), end),
            Tag::DefinitionListTitle => builder.enter_block(Kind::Term, end),
            Tag::DefinitionListDefinition => builder.enter_block(Kind::Description, end),
            Tag::Table(alignments) => {
                let alignments = alignments.into_iter().map(alignment).collect();
                builder.enter_block(Kind::Table(Box::new(OpenTable { alignments, ..OpenTable::default() })), end);
            }
            Tag::TableHead => builder.enter_block(Kind::Row(OpenRow { header: true, ..OpenRow::default() }), end),
            Tag::TableRow => {
                // kramdown's attributes of a table, on the line below it.
                let dropped = is_attributes(&self.source[range]);
                builder.enter_block(Kind::Row(OpenRow { dropped, ..OpenRow::default() }), end);
            }
            Tag::TableCell => builder.enter_block(Kind::Cell(OpenCell::default()), end),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => self.start_mark(builder, &tag, range),
            Tag::Link { link_type, dest_url, title, .. } => start_link(builder, link_type, &dest_url, &title, &range),
            Tag::Image { link_type, dest_url, title, .. } => start_image(builder, link_type, &dest_url, &title, &range),
            Tag::MetadataBlock(_) => builder.enter(end),
        }
    }

    /// Emphasis, unless it is part of a bare address (`https://example.org/__init__`), which is read as it stands.
    fn start_mark(&mut self, builder: &mut Builder, tag: &Tag<'_>, range: std::ops::Range<usize>) {
        if builder.in_address() && self.next_sign(range.start) >= range.end {
            builder.text(&self.source[range.clone()], range.start);
            self.skip_until = range.end;
            return;
        }
        let wrapper = match tag {
            Tag::Emphasis => Wrapper::Emphasis,
            Tag::Strong => Wrapper::Strong,
            _ => Wrapper::Strikethrough,
        };
        builder.enter_inline(Some(wrapper), range.end);
    }

    /// Where the next character stands, from here on, that no address goes over, or that means something in one.
    fn next_sign(&mut self, at: usize) -> usize {
        let (from, found) = self.sign;
        if !(from <= at && at <= found) {
            let is_sign = |c: char| c.is_whitespace() || matches!(c, '<' | '`' | '\\' | '&' | '[');
            self.sign = (at, self.source[at..].find(is_sign).map_or(self.source.len(), |length| at + length));
        }
        self.sign.1
    }

    fn end(&mut self, builder: &mut Builder, tag: TagEnd, end: usize, definitions: &Definitions) {
        if tag == TagEnd::HtmlBlock {
            // What the block opened stays open behind it: it is no element of its own.
            let html = std::mem::take(&mut self.html);
            self.feed(builder, &html, end, false, definitions);
            self.html = html;
            return;
        }
        builder.leave();
    }

    fn text(&mut self, builder: &mut Builder, text: &str, range: std::ops::Range<usize>) {
        let (text, start) = match self.skip_until.checked_sub(range.start) {
            Some(skipped) if skipped > 0 => (text.get(skipped..).unwrap_or(text), self.skip_until),
            _ => (text, range.start),
        };
        if self.is_escaped(start) {
            builder.escape();
        }
        self.text_end = range.end;
        builder.text(text, start);
        // `<!--` that the parser takes for text, since a blank line follows, still begins a comment.
        if self.has_comments && text.contains('-') && !builder.in_code() {
            self.drop_comment_in_text(builder, text.len(), range.end);
        }
    }

    /// Whether a backslash escapes the character at this place of the source: one that belongs to no text.
    fn is_escaped(&self, at: usize) -> bool {
        at > self.text_end && self.source.as_bytes().get(at - 1) == Some(&b'\\')
    }

    fn drop_comment_in_text(&mut self, builder: &mut Builder, added: usize, end: usize) {
        let run = builder.run().as_bytes();
        let from = run.len().saturating_sub(added + 3);
        let Some(at) = run[from..].windows(4).position(|window| window == b"<!--").map(|at| from + at) else { return };
        let start = builder.run_source(at);
        // An escaped one (`\<!--`, `&lt;!--`) is the author's text.
        let written = self.source.as_bytes().get(start..).is_some_and(|source| source.starts_with(b"<!--"));
        if !written || self.source.as_bytes()[..start].ends_with(b"\\") {
            return;
        }
        builder.cut_run(at);
        let stop = self.find_end("-->", start).or_else(|| builder.scope_end()).unwrap_or(end);
        self.skip_until = self.skip_until.max(stop);
    }

    /// Gives HTML to the builder; what it leaves open without an end of its own (a comment, a script) is skipped in the source.
    fn feed(&mut self, builder: &mut Builder, html: &str, end: usize, inline: bool, definitions: &Definitions) {
        let pieces = std::mem::take(&mut self.pieces);
        let mut feed = Feed::new(html, &pieces, !inline);
        while let Some(pending) = feed.read(builder) {
            match pending {
                Pending::Comment => self.skip("-->", end, builder, inline),
                Pending::Element(name) => self.skip(&format!("</{name}"), end, builder, inline),
                Pending::Media { tag, start } => self.media(builder, tag, start, end),
                Pending::Markdown { text, offset } => self.nested(builder, &text, offset, definitions),
            }
        }
        self.pieces = pieces;
    }

    fn skip(&mut self, mark: &str, from: usize, builder: &Builder, inline: bool) {
        let stop = match self.find_end(mark, from) {
            Some(stop) => stop,
            None if inline => builder.scope_end().unwrap_or(from),
            None => from,
        };
        self.skip_until = self.skip_until.max(stop);
    }

    /// A film whose `<source>` is a tag of its own to the Markdown parser: read up to its end at once.
    fn media(&mut self, builder: &mut Builder, tag: &str, start: usize, end: usize) {
        let Some(stop) = self.find_end(&format!("</{tag}"), end) else { return };
        let mut pieces = SourceMap::default();
        pieces.push(0, start);
        let source = self.source;
        let mut feed = Feed::new(&source[start..stop], &pieces, false);
        while feed.read(builder).is_some() {}
        self.skip_until = self.skip_until.max(stop);
    }

    /// Where the next end mark ends, without regard to case. One that is absent once is never searched for again.
    fn find_end(&mut self, mark: &str, from: usize) -> Option<usize> {
        if self.absent.iter().any(|absent| absent == mark) {
            return None;
        }
        let rest = self.source.as_bytes().get(from..)?;
        let Some(at) = rest.windows(mark.len()).position(|window| window.eq_ignore_ascii_case(mark.as_bytes())) else {
            self.absent.push(mark.to_owned());
            return None;
        };
        let end = from + at + mark.len();
        let tag_end = if mark.starts_with("</") { self.source[end..].find('>').map_or(end, |at| end + at + 1) } else { end };
        Some(tag_end)
    }

    /// `<div markdown="1">`: kramdown reads what is in it as Markdown.
    fn nested(&mut self, builder: &mut Builder, text: &str, offset: usize, definitions: &Definitions) {
        if self.depth >= MAX_NESTED {
            builder.html_text(text, offset);
            return;
        }
        let (line, _) = self.places.locate(offset);
        let text = dedent(text);
        let text = depth::bounded(&text);
        builder.enter(0);
        Reader::new(&text, self.options, line, self.depth + 1).read(builder, definitions);
        builder.leave();
    }
}

/// Whether lines begin with `: `, and none with a colon and something else: the parser takes `:smile:` and `:::note` for definitions too.
fn has_definitions(source: &str) -> bool {
    let mut found = false;
    for at in memchr::memchr_iter(b':', source.as_bytes()) {
        let before = source[..at].trim_end_matches([' ', '>']);
        if before.is_empty() || before.ends_with('\n') {
            if !source[at + 1..].starts_with([' ', '\t']) {
                return false;
            }
            found = true;
        }
    }
    found
}

fn start_link(builder: &mut Builder, link_type: LinkType, address: &str, title: &str, range: &std::ops::Range<usize>) {
    let kind = if matches!(link_type, LinkType::WikiLink { .. }) { ReferenceKind::Wiki } else { ReferenceKind::Link };
    let email = link_type == LinkType::Email;
    if builder.in_alt() || builder.in_link() || builder.in_code() || address.trim().is_empty() {
        return builder.enter_inline(None, range.end);
    }
    builder.flush();
    let address = if email { format!("mailto:{address}") } else { address.to_owned() };
    let reference = builder.reference(&address, kind, range.start);
    builder.enter_inline(Some(Wrapper::Link { reference, title: one_line(title) }), range.end);
}

fn start_image(builder: &mut Builder, link_type: LinkType, address: &str, title: &str, range: &std::ops::Range<usize>) {
    let wiki = matches!(link_type, LinkType::WikiLink { .. });
    if builder.in_alt() || builder.in_code() || address.trim().is_empty() {
        return builder.enter_inline(None, range.end);
    }
    builder.flush();
    let kind = if wiki { ReferenceKind::Embed } else { ReferenceKind::Media };
    let reference = builder.reference(address, kind, range.start);
    builder.enter_image(OpenImage { reference, title: one_line(title), sized: wiki }, range.end);
}

fn one_line(text: &str) -> String {
    crate::model::document::build::clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quote(kind: Option<BlockQuoteKind>) -> Kind {
    let kind = match kind {
        None => return Kind::Quote,
        Some(BlockQuoteKind::Note) => "note",
        Some(BlockQuoteKind::Tip) => "tip",
        Some(BlockQuoteKind::Important) => "important",
        Some(BlockQuoteKind::Warning) => "warning",
        Some(BlockQuoteKind::Caution) => "caution",
    };
    Kind::Callout { kind: kind.to_owned(), title: Vec::new(), fold: None }
}

fn alignment(alignment: CmarkAlignment) -> Alignment {
    match alignment {
        CmarkAlignment::None => Alignment::None,
        CmarkAlignment::Left => Alignment::Left,
        CmarkAlignment::Center => Alignment::Center,
        CmarkAlignment::Right => Alignment::Right,
    }
}

fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    match kind {
        CodeBlockKind::Indented => None,
        CodeBlockKind::Fenced(info) => language_of(info),
    }
}

/// Takes the indentation away that all lines share. A line that is but an inline's tag (`<img …>`) is joined with the next: kramdown reads it as the
/// beginning of a paragraph, where CommonMark would begin a block of HTML.
fn dedent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut dedented = String::with_capacity(text.len());
    let mut join = false;
    for (index, line) in text.split('\n').enumerate() {
        let line = if index == 0 { line.trim_start() } else { line.get(common..).unwrap_or_else(|| line.trim_start()) };
        let joined = join && !line.trim().is_empty();
        if index > 0 {
            dedented.push(if joined { ' ' } else { '\n' });
        }
        dedented.push_str(if joined { line.trim_start() } else { line });
        join = is_inline_tag(line);
    }
    dedented
}

fn is_inline_tag(line: &str) -> bool {
    const INLINE: [&str; 16] = ["a", "abbr", "b", "br", "cite", "code", "em", "i", "img", "kbd", "mark", "small", "span", "strong", "sub", "sup"];
    let Some(rest) = line.trim().strip_prefix('<').filter(|rest| rest.ends_with('>')) else { return false };
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    INLINE.contains(&name.to_ascii_lowercase().as_str())
}
