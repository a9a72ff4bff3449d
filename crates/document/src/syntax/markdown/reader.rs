//! Passes the parser's events to the builder.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use pulldown_cmark::{
    BrokenLink, CowStr, Event, LinkType, Options as Extensions, Parser, RefDefs, Tag, TagEnd,
};
use rustc_hash::FxHashMap;

use super::convert::{alignment, code_info, enter_link, language, quote};
use super::{EXTENSIONS, Options, TEX, TEX_DISPLAY, colons, depth};
use crate::model::bounds;
use crate::model::document::build::{
    Builder, Kind, OpenCell, OpenRow, OpenTable, Positions, SourceMap, Wrapper, is_attributes,
};
use crate::model::document::{Block, Inline};
use crate::model::text::clean;

/// Minimum budget, in bytes, for links of a nested text that use definitions around it.
const MIN_EXPANSION: usize = 100_000;

/// Link definitions of a text: address and title by lower-case label.
type Definitions = FxHashMap<String, (String, String)>;

pub struct Reader<'t> {
    pub source: &'t str,
    options: &'t Options,
    pub places: Positions<'t>,
    /// Its own link definitions, for nested texts.
    definitions: Definitions,
    /// The number of texts around it.
    pub depth: usize,
    /// Events that end before this offset belong to dropped content: a comment, a script.
    pub skip_until: usize,
    /// The number of elements that were dropped with their beginning, and whose ends follow.
    dropped: usize,
    /// The end of the last text.
    text_end: usize,
    /// Where a wikilink without words of its own begins: its text is the name that it leads to.
    named_link: Option<usize>,
    /// The next character that ends a bare address, or that has a meaning in one.
    address_end: usize,
    /// End delimiters that were searched for, so that no search is repeated.
    pub searched: Vec<Searched>,
    /// Where the source has fenced code, in order; read when an end delimiter is searched for.
    pub code: OnceCell<Vec<Range<usize>>>,
    /// The HTML block being assembled, and the sources of its lines.
    html: String,
    pieces: SourceMap,
}

/// The result of a search for an end delimiter.
pub struct Searched {
    pub mark: String,
    /// Where the search began.
    pub from: usize,
    /// The beginning of the next one, and its end; `None`: none follows.
    pub found: Option<(usize, usize)>,
}

/// Parses a whole text.
pub fn read(builder: &mut Builder, text: &str, options: &Options) {
    let text = depth::bounded(text);
    Reader::new(&text, options, options.first_line, 0).read(builder, &Definitions::default());
}

/// A name of a place in a note, as readers see it: `Note > Heading` for `Note#Heading`. The id of a
/// block has no meaning for them.
fn place_name(name: &str) -> Cow<'_, str> {
    if !name.contains('#') {
        return name.into();
    }
    let parts = name.split('#').map(str::trim);
    let words: Vec<&str> = parts
        .filter(|part| !part.is_empty() && !part.starts_with('^'))
        .collect();
    match words.is_empty() {
        true => name.into(),
        false => words.join(" > ").into(),
    }
}

impl<'t> Reader<'t> {
    fn new(source: &'t str, options: &'t Options, first_line: u32, depth: usize) -> Self {
        Self {
            source,
            options,
            places: Positions::new(source, first_line),
            definitions: Definitions::default(),
            depth,
            skip_until: 0,
            dropped: 0,
            text_end: 0,
            named_link: None,
            address_end: 0,
            searched: Vec::new(),
            code: OnceCell::new(),
            html: String::new(),
            pieces: SourceMap::default(),
        }
    }

    /// Parses Markdown in HTML in this text.
    pub fn read_nested(&self, builder: &mut Builder, text: &str, first_line: u32) {
        let text = depth::bounded(text);
        builder.enter(0);
        Reader::new(&text, self.options, first_line, self.depth + 1)
            .read(builder, &self.definitions);
        builder.leave();
    }

    fn extensions(&self, has_definitions: bool) -> Extensions {
        let mut extensions = EXTENSIONS;
        extensions.set(Extensions::ENABLE_DEFINITION_LIST, has_definitions);
        extensions.set(Extensions::ENABLE_WIKILINKS, self.options.wikilinks);
        extensions.set(Extensions::ENABLE_MATH, self.options.math);
        extensions
    }

    /// Parses the whole source; its links may use the definitions of the text around it.
    fn read(&mut self, builder: &mut Builder, outer: &Definitions) {
        let first = builder.reference_count();
        let mut room = self.source.len().max(MIN_EXPANSION);
        let resolve = |link: BrokenLink<'_>| {
            let (address, title) = outer.get(&link.reference.to_ascii_lowercase())?;
            // As in the parser itself: short references to something long must not expand a text a
            // hundredfold.
            room = room.checked_sub(address.len() + title.len())?;
            Some((CowStr::from(address.clone()), CowStr::from(title.clone())))
        };
        let (text, has_definitions) = colons::masked(self.source);
        let is_masked = matches!(text, Cow::Owned(_));
        let parser = Parser::new_with_broken_link_callback(
            &text,
            self.extensions(has_definitions),
            (!outer.is_empty()).then_some(resolve),
        );
        self.definitions = definitions(parser.reference_definitions(), is_masked);
        for (event, range) in parser.into_offset_iter() {
            if range.end <= self.skip_until && self.drops(builder, &event) {
                continue;
            }
            if bounds::is_over() {
                break;
            }
            let event = match is_masked {
                true => colons::unmasked(event),
                false => event,
            };
            self.event(builder, event, range);
        }
        builder.locate(first, &self.places);
    }

    /// Whether an event in dropped content is dropped. An element that began before that content
    /// ends where it ends, and a row keeps all its cells.
    fn drops(&mut self, builder: &mut Builder, event: &Event<'_>) -> bool {
        match event {
            Event::Start(Tag::TableCell) if matches!(builder.top_kind(), Some(Kind::Row(_))) => {
                false
            }
            Event::Start(_) => {
                self.dropped += 1;
                true
            }
            Event::End(_) if self.dropped == 0 => false,
            Event::End(_) => {
                self.dropped -= 1;
                true
            }
            _ => true,
        }
    }

    fn event(&mut self, builder: &mut Builder, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(builder, tag, range),
            Event::End(TagEnd::HtmlBlock) => {
                // Elements opened in the block stay open after it: the block itself is not an
                // element.
                let (html, pieces) = (
                    std::mem::take(&mut self.html),
                    std::mem::take(&mut self.pieces),
                );
                self.html(builder, &html, &pieces, range.end, false);
            }
            Event::End(_) => builder.leave(),
            Event::Text(text) => self.text(builder, &text, range),
            Event::Code(code) => {
                let display = code.starts_with(TEX_DISPLAY);
                let is_tex = display || code.starts_with(TEX);
                let text = clean(code.trim_start_matches([TEX, TEX_DISPLAY])).into_owned();
                builder.inline(if is_tex {
                    Inline::Math { tex: text, display }
                } else {
                    Inline::Code(text)
                });
            }
            Event::InlineMath(tex) => builder.inline(Inline::Math {
                tex: tex.into_string(),
                display: false,
            }),
            Event::DisplayMath(tex) => builder.inline(Inline::Math {
                tex: tex.into_string(),
                display: true,
            }),
            Event::Html(html) => {
                self.pieces.push(self.html.len(), range.start);
                self.html.push_str(&html);
            }
            Event::InlineHtml(html) => {
                let mut pieces = SourceMap::default();
                pieces.push(0, range.start);
                self.html(builder, &html, &pieces, range.end, true);
            }
            Event::FootnoteReference(label) => builder.footnote(&label),
            Event::SoftBreak => builder.inline(Inline::SoftBreak),
            Event::HardBreak => builder.inline(Inline::HardBreak),
            Event::Rule => builder.block(Block::Rule),
            Event::TaskListMarker(done) => {
                if let Some(task) = builder.checkbox() {
                    *task = Some(done);
                }
            }
        }
    }

    fn start(&mut self, builder: &mut Builder, tag: Tag<'_>, range: Range<usize>) {
        let end = range.end;
        let kind = match tag {
            Tag::Paragraph => Kind::Paragraph,
            Tag::Heading { level, .. } => Kind::Heading {
                level: level as u8,
                id: None,
            },
            Tag::BlockQuote(kind) => quote(kind),
            Tag::CodeBlock(kind) => Kind::Code {
                language: language(&kind),
                info: code_info(&kind),
                text: String::new(),
            },
            Tag::HtmlBlock => return,
            Tag::List(start) => Kind::List {
                reversed: false,
                start,
                loose: false,
                items: Vec::new(),
            },
            Tag::Item => Kind::Item {
                task: None,
                loose: false,
            },
            Tag::FootnoteDefinition(label) => Kind::Footnote(label.into_string()),
            Tag::DefinitionList => Kind::Definitions(Vec::new()),
            Tag::DefinitionListTitle => Kind::Term,
            Tag::DefinitionListDefinition => Kind::Description,
            Tag::Table(alignments) => {
                let alignments = alignments.into_iter().map(alignment).collect();
                Kind::Table(Box::new(OpenTable {
                    alignments,
                    ..OpenTable::default()
                }))
            }
            Tag::TableHead => Kind::Row(OpenRow {
                header: true,
                ..OpenRow::default()
            }),
            // kramdown's attributes of a table, on the line below it, are not a row.
            Tag::TableRow => Kind::Row(OpenRow {
                dropped: is_attributes(&self.source[range]),
                ..OpenRow::default()
            }),
            Tag::TableCell => Kind::Cell(OpenCell::default()),
            Tag::Emphasis => return self.start_mark(builder, Wrapper::Emphasis, range),
            Tag::Strong => return self.start_mark(builder, Wrapper::Strong, range),
            Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                return self.start_mark(builder, Wrapper::Strikethrough, range);
            }
            Tag::Link {
                link_type,
                dest_url,
                title,
                ..
            } => {
                let is_named = LinkType::WikiLink { has_pothole: false } == link_type;
                self.named_link = is_named.then_some(range.start);
                return enter_link(builder, false, link_type, &dest_url, &title, &range);
            }
            Tag::Image {
                link_type,
                dest_url,
                title,
                ..
            } => return enter_link(builder, true, link_type, &dest_url, &title, &range),
            Tag::MetadataBlock(_) => return builder.enter(end),
        };
        builder.enter_block(kind, end);
    }

    /// Starts emphasis, unless it is part of a bare address (`https://example.org/__init__`), which
    /// stays unchanged.
    fn start_mark(&mut self, builder: &mut Builder, wrapper: Wrapper, range: Range<usize>) {
        if builder.in_address() && self.address_end(range.start) >= range.end {
            builder.text(&self.source[range.clone()], range.start);
            self.skip_until = range.end;
            self.dropped += 1;
            return;
        }
        builder.enter_inline(Some(wrapper), range.end);
    }

    fn address_end(&mut self, at: usize) -> usize {
        if self.address_end < at {
            let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '`' | '\\' | '&' | '[');
            self.address_end = self.source[at..]
                .find(ends)
                .map_or(self.source.len(), |length| at + length);
        }
        self.address_end
    }

    fn text(&mut self, builder: &mut Builder, text: &str, range: Range<usize>) {
        let start = range.start.max(self.skip_until);
        let text = text.get(start - range.start..).unwrap_or(text);
        // A backslash outside any text escapes the next character.
        if start > self.text_end && self.source.as_bytes().get(start - 1) == Some(&b'\\') {
            builder.escape();
        }
        self.text_end = range.end;
        let named = self.named_link.take();
        match named.is_some_and(|link| link + "[[".len() == range.start) {
            true => builder.text(&place_name(text), start),
            false => builder.text(text, start),
        }
        // `<!--` that the parser treats as text, because a blank line follows, still starts a
        // comment.
        if !builder.in_code() {
            self.drop_comment(builder, text.len(), range.end);
        }
    }

    fn drop_comment(&mut self, builder: &mut Builder, added: usize, end: usize) {
        let run = builder.run().as_bytes();
        let from = run.len().saturating_sub(added + 3);
        let mut angles = memchr::memchr_iter(b'<', &run[from..]).map(|at| from + at);
        let Some(at) = angles.find(|at| run[*at..].starts_with(b"<!--")) else {
            return;
        };
        let start = builder.run_source(at);
        let (before, source) = self
            .source
            .as_bytes()
            .split_at(start.min(self.source.len()));
        // An escaped one (`\<!--`, `&lt;!--`) is text.
        if !source.starts_with(b"<!--") || before.ends_with(b"\\") {
            return;
        }
        builder.cut_run(at);
        self.skip_comment(builder, start, end);
    }
}

/// The definitions of a text; `is_masked`: its colons are masked.
fn definitions(of_parser: &RefDefs<'_>, is_masked: bool) -> Definitions {
    let written = |text: &CowStr<'_>| match is_masked {
        true => colons::string(text.clone()).into_string(),
        false => text.to_string(),
    };
    let mut definitions = Definitions::default();
    for (label, definition) in of_parser.iter() {
        let title = definition.title.as_ref().map_or_else(String::new, written);
        definitions.insert(
            label.to_ascii_lowercase(),
            (written(&definition.dest), title),
        );
    }
    definitions
}
