//! The Markdown representation: clean GFM with the same content as the page.
//!
//! Blocks are written line by line after a prefix (`> ` of quotes, spaces of list items), so that
//! nothing is indented twice. Elements without GFM syntax become the closest equivalent that every
//! Markdown reader understands; raw HTML and comments are never written.

use super::address::{Rendering, Written};
use super::callout::shown_summary;
use super::levels::Levels;
use super::queries::{plain, plain_line};
use super::{Block, Callout, Definition, Document, Embed, Inline, Item, List, Outline};

mod delimiters;
mod escape;
mod inline;
mod table;
mod tex;
mod token;

use escape::LineKind;

/// Writes the body of a twin. It excludes the page's title, and so has no heading of level 1.
pub fn write_markdown(document: &Document, rendering: &Rendering<'_>) -> Written {
    let mut writer = Writer {
        out: String::new(),
        rendering,
        outline: Outline::default(),
        levels: Levels::default(),
        prefix: String::new(),
        marker: None,
        gap: None,
        last_list: None,
        has_math: document.has_math(),
        headings: Vec::new(),
    };
    writer.blocks(&document.blocks);
    writer.footnotes(document);
    Written {
        text: writer.out,
        outline: writer.outline,
        headings: writer.headings,
    }
}

struct Writer<'a> {
    out: String,
    rendering: &'a Rendering<'a>,
    outline: Outline,
    levels: Levels,
    /// The beginning of every line.
    prefix: String,
    /// Replaces the prefix, from this byte on, on the next line: the markers of lists and
    /// footnotes.
    marker: Option<(usize, String)>,
    /// If set, a blank line precedes the next line, with this length of the prefix.
    gap: Option<usize>,
    /// The list just written, if nothing followed it.
    last_list: Option<LastList>,
    has_math: bool,
    /// The offset and the id of each heading that is not inside another block.
    headings: Vec<(usize, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct LastList {
    ordered: bool,
    /// Whether it uses the alternate marker of its kind.
    alternate: bool,
    /// The length of its prefix.
    prefix: usize,
}

impl Writer<'_> {
    // -- lines ------------------------------------------------------------------------------------

    fn begin_line(&mut self) {
        if let Some(length) = self.gap.take() {
            self.out += self.prefix[..length.min(self.prefix.len())].trim_end();
            self.out += "\n";
        }
        self.last_list = None;
        match self.marker.take() {
            Some((at, marker)) => {
                self.out += &self.prefix[..at];
                self.out += &marker;
            }
            None => self.out += &self.prefix,
        }
    }

    fn end_line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out += "\n";
    }

    fn lines(&mut self, text: &str) {
        for line in text.split('\n') {
            self.begin_line();
            self.out += line;
            self.end_line();
        }
    }

    /// Extends the prefix; its first line begins with `marker` instead. Returns the previous length
    /// of the prefix, for truncating it afterwards.
    fn indent(&mut self, prefix: &str, marker: &str) -> usize {
        let length = self.prefix.len();
        if let Some((_, pending)) = &mut self.marker {
            *pending += marker;
        } else if marker != prefix {
            self.marker = Some((length, marker.to_owned()));
        }
        self.prefix += prefix;
        length
    }

    /// Writes the marker of an empty item.
    fn write_bare_marker(&mut self) {
        if self.marker.is_some() {
            self.begin_line();
            self.end_line();
        }
    }

    /// Blocks separated by blank lines.
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block_with_gap(block, true);
        }
    }

    /// A block, optionally followed by a blank line.
    fn block_with_gap(&mut self, block: &Block, gap: bool) {
        let before = self.out.len();
        self.block(block);
        if self.out.len() > before {
            self.gap = gap.then_some(self.prefix.len());
        }
    }

    // -- blocks -----------------------------------------------------------------------------------

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, id, content } => self.heading(*level, id, content),
            Block::Paragraph(content) => self.paragraph(content),
            Block::Code {
                language,
                info,
                text,
            } => self.code(language.as_deref(), info.name.as_deref(), text),
            Block::Quote(blocks) => {
                let outer = self.indent("> ", "> ");
                self.blocks(blocks);
                self.prefix.truncate(outer);
            }
            Block::Callout(callout) => self.callout(callout),
            Block::List(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Definitions(definitions) => {
                let items = definitions.iter().map(definition_item).collect();
                self.list(&List {
                    start: None,
                    tight: true,
                    items,
                });
            }
            // After a list marker, `- ---` would itself be a thematic break.
            Block::Rule => self.lines(if self.marker.is_some() { "***" } else { "---" }),
            Block::Figure { blocks, caption } => self.figure(blocks, caption),
            Block::Details {
                summary, blocks, ..
            } => self.details(summary, blocks),
            Block::Math(tex) => self.math(tex),
            Block::Embed(embed) => self.paragraph(&[embed_link(embed)]),
            Block::Container(container) => self.blocks(&container.blocks),
        }
    }

    fn heading(&mut self, level: u8, id: &str, content: &[Inline]) {
        let level = self.levels.next(level);
        self.outline.heading(level, &plain_line(content));
        let text = self.line(content, LineKind::Heading);
        if text.is_empty() {
            return;
        }
        let is_inside = !self.prefix.is_empty() || self.marker.is_some();
        let (before, gap) = (self.out.len(), usize::from(self.gap.is_some()));
        self.lines(&format!("{} {text}", "#".repeat(level.into())));
        if !is_inside {
            self.headings.push((before + gap, id.to_owned()));
        }
    }

    fn paragraph(&mut self, content: &[Inline]) {
        let text = self.line(content, LineKind::Paragraph);
        if !text.is_empty() {
            self.lines(&text);
        }
    }

    fn code(&mut self, language: Option<&str>, name: Option<&str>, text: &str) {
        self.outline.code.push(text.trim().to_owned());
        let fence = fence_around(text);
        let language = language.unwrap_or_default().replace(['`', ' '], "");
        let language = if language.is_empty() {
            "text"
        } else {
            &language
        };
        if let Some(name) = name {
            self.paragraph(&[Inline::Strong(vec![Inline::text(format!("{name}:"))])]);
            self.gap = Some(self.prefix.len());
        }
        self.lines(&format!("{fence}{language}"));
        for line in text.split('\n') {
            self.begin_line();
            if line.is_empty() {
                self.end_line();
            } else {
                // Trailing spaces in code stay.
                self.out += line;
                self.out += "\n";
            }
        }
        self.lines(&fence);
    }

    fn math(&mut self, tex: &str) {
        let tex = tex::on_one_line(tex);
        if !tex::stays_between_dollars(&tex) {
            return self.paragraph(&[Inline::Code(tex)]);
        }
        // Readers without math support would parse the beginning as a list, a heading or similar.
        if tex.starts_with(|c: char| c.is_ascii_digit() || "-+*#>=~`|<".contains(c)) {
            return self.lines(&format!("$${tex}$$"));
        }
        self.lines(&format!("$$\n{tex}\n$$"));
    }

    /// GFM has five kinds. A custom kind or title is written in bold below the marker.
    fn callout(&mut self, callout: &Callout) {
        let kind = alert(&callout.kind);
        let titled = !callout.title.is_empty() || !kind.eq_ignore_ascii_case(&callout.kind);
        let outer = self.indent("> ", "> ");
        self.lines(&format!("[!{kind}]"));
        if titled {
            self.paragraph(&[Inline::Strong(callout.shown_title())]);
        }
        if titled || !matches!(callout.blocks.first(), Some(Block::Paragraph(_))) {
            self.gap = Some(self.prefix.len());
        }
        self.blocks(&callout.blocks);
        self.prefix.truncate(outer);
    }

    /// A collapsible part becomes its bold summary and its content.
    fn details(&mut self, summary: &[Inline], blocks: &[Block]) {
        let mut label = shown_summary(summary);
        // A bold line without punctuation would look like a heading.
        if plain(&label).trim_end().ends_with(char::is_alphanumeric) {
            label.push(Inline::text(":"));
        }
        self.paragraph(&[Inline::Strong(label)]);
        self.gap = Some(self.prefix.len());
        self.blocks(blocks);
    }

    fn list(&mut self, list: &List) {
        let (ordered, prefix) = (list.start.is_some(), self.prefix.len());
        // Consecutive lists would merge unless their markers differ.
        let alternate = self.last_list
            == Some(LastList {
                ordered,
                alternate: false,
                prefix,
            });
        let tight = is_tight(list);
        let first = list
            .start
            .filter(|start| start.saturating_add(list.items.len() as u64) < 1_000_000_000)
            .unwrap_or(1);
        for (item, number) in list.items.iter().zip(first..) {
            self.item(item, &marker(ordered.then_some(number), alternate), tight);
            self.gap = (!tight).then_some(prefix);
        }
        self.gap = None;
        self.last_list = Some(LastList {
            ordered,
            alternate,
            prefix,
        });
    }

    fn item(&mut self, item: &Item, marker: &str, tight: bool) {
        let task = match (item.task, item.blocks.first()) {
            (Some(true), Some(Block::Paragraph(_))) => "[x] ",
            (Some(false), Some(Block::Paragraph(_))) => "[ ] ",
            _ => "",
        };
        let outer = self.indent(&" ".repeat(marker.len()), &format!("{marker}{task}"));
        for block in &item.blocks {
            self.block_with_gap(block, !tight);
        }
        self.write_bare_marker();
        self.gap = None;
        self.prefix.truncate(outer);
    }

    /// A picture keeps its caption in its paragraph; other content has it in one below.
    fn figure(&mut self, blocks: &[Block], caption: &[Inline]) {
        let caption_line = Inline::Emphasis(caption.to_vec());
        match blocks {
            blocks if caption.is_empty() => self.blocks(blocks),
            [Block::Paragraph(content)] => {
                let mut content = content.clone();
                content.extend([Inline::HardBreak, caption_line]);
                self.paragraph(&content);
            }
            blocks => {
                self.blocks(blocks);
                self.paragraph(&[caption_line]);
            }
        }
    }

    fn footnotes(&mut self, document: &Document) {
        for (index, note) in document.footnotes.iter().enumerate() {
            let outer = self.indent("    ", &format!("[^{}]: ", index + 1));
            match join_paragraphs(&note.blocks) {
                Some(line) => self.paragraph(&line),
                None => self.blocks(&note.blocks),
            }
            self.write_bare_marker();
            self.prefix.truncate(outer);
            self.gap = Some(outer);
        }
    }
}

/// The kind of an alert of GitHub that is nearest to that of a callout.
fn alert(kind: &str) -> &'static str {
    match kind {
        "tip" | "hint" | "success" | "check" | "done" => "TIP",
        "important" => "IMPORTANT",
        "warning" | "attention" | "failure" | "fail" | "missing" => "WARNING",
        "caution" | "danger" | "error" | "bug" => "CAUTION",
        _ => "NOTE",
    }
}

/// Terms in bold, with their descriptions, as a list item, which every Markdown reader understands.
fn definition_item(definition: &Definition) -> Item {
    let mut head = Vec::new();
    for term in &definition.terms {
        if !head.is_empty() {
            head.push(Inline::text(", "));
        }
        head.push(Inline::Strong(term.clone()));
    }
    if !head.is_empty() && !definition.descriptions.is_empty() {
        head.push(Inline::text(": "));
    }
    let mut blocks = definition.descriptions.concat();
    if let Some(Block::Paragraph(first)) = blocks.first_mut() {
        first.splice(0..0, head);
    } else if !head.is_empty() {
        blocks.insert(0, Block::Paragraph(head));
    }
    Item { task: None, blocks }
}

/// Joins the paragraphs of a note into one with several lines: readers disagree about indented
/// lines after a blank one.
fn join_paragraphs(blocks: &[Block]) -> Option<Vec<Inline>> {
    let mut line = Vec::new();
    for block in blocks {
        let Block::Paragraph(content) = block else {
            return None;
        };
        if !line.is_empty() {
            line.push(Inline::HardBreak);
        }
        line.extend_from_slice(content);
    }
    Some(line)
}

fn embed_link(embed: &Embed) -> Inline {
    Inline::Link {
        reference: embed.reference,
        title: String::new(),
        content: vec![Inline::text(embed.title.as_str())],
    }
}

/// The marker of a list item; with `alternate`, the one that separates the list from the one before.
fn marker(number: Option<u64>, alternate: bool) -> String {
    match (number, alternate) {
        (None, false) => "- ".to_owned(),
        (None, true) => "* ".to_owned(),
        (Some(number), false) => format!("{number}. "),
        (Some(number), true) => format!("{number}) "),
    }
}

/// Whether the items are lines: at most one paragraph each, and lists that may follow it without a
/// blank line.
fn is_tight(list: &List) -> bool {
    list.tight
        && list.items.iter().all(|item| match item.blocks.as_slice() {
            [] | [Block::Paragraph(_) | Block::List(_)] => true,
            [Block::Paragraph(_), Block::List(list)] => follows_paragraph(list),
            _ => false,
        })
}

/// Whether readers recognise a list that follows a paragraph without a blank line.
fn follows_paragraph(list: &List) -> bool {
    list.start.is_none_or(|start| start == 1)
        && list
            .items
            .first()
            .is_some_and(|item| !item.blocks.is_empty())
}

/// A fence of backticks that is longer than every run of them in the text.
fn fence_around(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
