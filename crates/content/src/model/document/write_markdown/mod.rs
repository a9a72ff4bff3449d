//! The Markdown form: clean GFM that says the same as the page.
//!
//! Blocks are written line by line behind a prefix (`> ` of quotes, spaces of list items), so that nothing is indented twice. What GFM has no word
//! for becomes the nearest thing that every reader of Markdown understands; raw HTML and comments are never written.

use super::address::{Rendering, Written};
use super::levels::Levels;
use super::queries::{plain, plain_line};
use super::write_html::callout_title;
use super::{Block, Callout, Definition, Document, Embed, Inline, Item, List, Outline};
use crate::model::buffers;

mod escape;
mod inline;
mod table;

use inline::Place;

/// Writes the body of a twin. The page's title is not in it, and so it holds no heading of level 1.
pub fn write_markdown(document: &Document, rendering: &Rendering<'_>) -> Written {
    let mut writer = Writer {
        out: buffers::text(),
        rendering,
        outline: Outline::default(),
        levels: Levels::default(),
        prefix: String::new(),
        marker: None,
        gap: None,
        last_list: None,
        has_math: document.has_math(),
        line_room: buffers::text(),
    };
    writer.blocks(&document.blocks);
    writer.footnotes(document);
    buffers::give_back(writer.line_room);
    Written { text: writer.out, outline: writer.outline }
}

struct Writer<'a> {
    out: String,
    rendering: &'a Rendering<'a>,
    outline: Outline,
    levels: Levels,
    /// What every line begins with.
    prefix: String,
    /// What the next line begins with instead, from a byte of the prefix on: the markers of lists and footnotes.
    marker: Option<(usize, String)>,
    /// A blank line is due before the next line, behind this much of the prefix.
    gap: Option<usize>,
    /// The list just written, if nothing came after it: ordered, with the other marker, and the length of its prefix.
    last_list: Option<(bool, bool, usize)>,
    has_math: bool,
    /// Room for the lines of a paragraph, used again and again.
    line_room: String,
}

impl Writer<'_> {
    // -- lines -------------------------------------------------------------------------------------------------------

    fn begin_line(&mut self) {
        if let Some(length) = self.gap.take() {
            self.out.push_str(self.prefix[..length.min(self.prefix.len())].trim_end());
            self.out.push('\n');
        }
        self.last_list = None;
        match self.marker.take() {
            Some((at, marker)) => {
                self.out.push_str(&self.prefix[..at]);
                self.out.push_str(&marker);
            }
            None => self.out.push_str(&self.prefix),
        }
    }

    fn end_line(&mut self) {
        let trimmed = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed);
        self.out.push('\n');
    }

    fn lines(&mut self, text: &str) {
        for line in text.split('\n') {
            self.begin_line();
            self.out.push_str(line);
            self.end_line();
        }
    }

    /// Writes something behind a longer prefix; its first line begins with `marker` instead.
    fn nested(&mut self, prefix: &str, marker: Option<&str>, write: impl FnOnce(&mut Self)) {
        let length = self.prefix.len();
        match (&mut self.marker, marker) {
            (Some((_, pending)), Some(marker)) => pending.push_str(marker),
            (Some((_, pending)), None) => pending.push_str(prefix),
            (empty, Some(marker)) => *empty = Some((length, marker.to_owned())),
            (None, None) => {}
        }
        self.prefix.push_str(prefix);
        write(self);
        self.prefix.truncate(length);
    }

    /// An item in which nothing was written is its marker.
    fn write_bare_marker(&mut self) {
        if self.marker.is_some() {
            self.begin_line();
            self.end_line();
        }
    }

    /// Blocks with a blank line between them.
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            let before = self.out.len();
            self.block(block);
            if self.out.len() > before {
                self.gap = Some(self.prefix.len());
            }
        }
    }

    // -- blocks ------------------------------------------------------------------------------------------------------

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, content, .. } => self.heading(*level, content),
            Block::Paragraph(content) => self.paragraph(content),
            Block::Code { language, text } => self.code(language.as_deref(), text),
            Block::Quote(blocks) => self.nested("> ", None, |writer| writer.blocks(blocks)),
            Block::Callout(callout) => self.callout(callout),
            Block::List(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Definitions(definitions) => self.definitions(definitions),
            Block::Rule => {
                // Behind a list marker `- ---` would itself be a thematic break.
                let rule = if self.marker.is_some() { "***" } else { "---" };
                self.lines(rule);
            }
            Block::Figure { blocks, caption } => self.figure(blocks, caption),
            Block::Details { summary, blocks, .. } => {
                let summary = if summary.is_empty() { vec![Inline::text("Details")] } else { summary.clone() };
                self.labelled(summary, blocks);
            }
            Block::Math(tex) => {
                let tex = self::tex(tex);
                if !stays_between_dollars(&tex) {
                    return self.paragraph(&[Inline::Code(tex)]);
                }
                // What begins like a list or a heading would be one to those who know no formulas.
                if tex.starts_with(|c: char| c.is_ascii_digit() || "-+*#>=~`|<".contains(c)) {
                    return self.lines(&format!("$${tex}$$"));
                }
                self.lines("$$");
                self.lines(&tex);
                self.lines("$$");
            }
            Block::Embed(embed) => self.paragraph(&embed_inlines(embed)),
            Block::Container(container) => self.blocks(&container.blocks),
        }
    }

    fn heading(&mut self, level: u8, content: &[Inline]) {
        let level = self.levels.next(level);
        self.outline.heading(level, &plain_line(content));
        let mut text = std::mem::take(&mut self.line_room);
        self.line(content, Place::Heading, &mut text);
        if !text.is_empty() {
            self.begin_line();
            self.out.push_str(&"######"[..usize::from(level)]);
            self.out.push(' ');
            self.out.push_str(&text);
            self.end_line();
        }
        self.line_room = text;
    }

    fn paragraph(&mut self, content: &[Inline]) {
        let mut text = std::mem::take(&mut self.line_room);
        self.line(content, Place::Paragraph, &mut text);
        if !text.is_empty() {
            self.lines(&text);
        }
        self.line_room = text;
    }

    fn code(&mut self, language: Option<&str>, text: &str) {
        self.outline.code.push(text.trim().to_owned());
        let fence = "`".repeat(longest_run(text, b'`').max(2) + 1);
        let language = language.map(|language| language.replace(['`', ' '], "")).filter(|language| !language.is_empty());
        self.begin_line();
        self.out.push_str(&fence);
        self.out.push_str(language.as_deref().unwrap_or("text"));
        self.end_line();
        for line in text.split('\n') {
            self.begin_line();
            if line.is_empty() {
                self.end_line();
            } else {
                self.out.push_str(line);
                self.out.push('\n');
            }
        }
        self.begin_line();
        self.out.push_str(&fence);
        self.end_line();
    }

    /// GFM knows five kinds; a kind or a title of the author's own stands under the mark in bold.
    fn callout(&mut self, callout: &Callout) {
        let kind = match callout.kind.as_str() {
            "note" => "NOTE",
            "tip" => "TIP",
            "important" => "IMPORTANT",
            "warning" => "WARNING",
            "caution" => "CAUTION",
            "hint" | "success" | "check" | "done" => "TIP",
            "attention" | "failure" | "fail" | "missing" => "WARNING",
            "danger" | "error" | "bug" => "CAUTION",
            _ => "NOTE",
        };
        let own = !callout.title.is_empty() || !kind.eq_ignore_ascii_case(&callout.kind);
        self.nested("> ", None, |writer| {
            writer.lines(&format!("[!{kind}]"));
            if own {
                writer.paragraph(&[Inline::Strong(callout_title(callout))]);
            }
            if own || !matches!(callout.blocks.first(), Some(Block::Paragraph(_))) {
                writer.gap = Some(writer.prefix.len());
            }
            writer.blocks(&callout.blocks);
        });
    }

    /// A part with a bold line above it.
    fn labelled(&mut self, mut label: Vec<Inline>, blocks: &[Block]) {
        // A bold line without punctuation reads as a heading.
        if plain(&label).trim_end().ends_with(char::is_alphanumeric) {
            label.push(Inline::text(":"));
        }
        self.paragraph(&[Inline::Strong(label)]);
        self.gap = Some(self.prefix.len());
        self.blocks(blocks);
    }

    fn list(&mut self, list: &List) {
        let ordered = list.start.is_some();
        let tight = is_tight(list);
        // Two lists that follow each other would be one, but for another marker.
        let other = matches!(self.last_list, Some((previous, other, length)) if previous == ordered && !other && length == self.prefix.len());
        let first = list.start.filter(|start| start.saturating_add(list.items.len() as u64) < 1_000_000_000).unwrap_or(1);
        for (item, number) in list.items.iter().zip(first..) {
            let marker = match (ordered, other) {
                (false, false) => "- ".to_owned(),
                (false, true) => "* ".to_owned(),
                (true, false) => format!("{number}. "),
                (true, true) => format!("{number}) "),
            };
            self.item(item, &marker, tight);
            self.gap = (!tight).then_some(self.prefix.len());
        }
        self.gap = None;
        self.last_list = Some((ordered, other, self.prefix.len()));
    }

    fn item(&mut self, item: &Item, marker: &str, tight: bool) {
        let indent = " ".repeat(marker.len());
        let task = item.task.filter(|_| matches!(item.blocks.first(), Some(Block::Paragraph(_))));
        let task = task.map_or("", |done| if done { "[x] " } else { "[ ] " });
        self.nested(&indent, Some(&format!("{marker}{task}")), |writer| {
            for block in &item.blocks {
                let before = writer.out.len();
                writer.block(block);
                if writer.out.len() > before {
                    writer.gap = (!tight).then_some(writer.prefix.len());
                }
            }
            writer.write_bare_marker();
            writer.gap = None;
        });
    }

    /// Terms in bold, each with its descriptions: a list that every reader of Markdown understands.
    fn definitions(&mut self, definitions: &[Definition]) {
        let item = |definition: &Definition| {
            let mut head = Vec::new();
            for (index, term) in definition.terms.iter().enumerate() {
                if index > 0 {
                    head.push(Inline::text(", "));
                }
                head.push(Inline::Strong(term.clone()));
            }
            if !head.is_empty() && !definition.descriptions.is_empty() {
                head.push(Inline::text(": "));
            }
            let mut blocks: Vec<Block> = definition.descriptions.iter().flatten().cloned().collect();
            if let Some(Block::Paragraph(first)) = blocks.first_mut() {
                head.append(first);
                *first = head;
            } else if !head.is_empty() {
                blocks.insert(0, Block::Paragraph(head));
            }
            Item { task: None, blocks }
        };
        let items: Vec<Item> = definitions.iter().map(item).collect();
        self.list(&List { start: None, tight: true, items });
    }

    /// A picture keeps its caption in its own paragraph; anything else has it in one below.
    fn figure(&mut self, blocks: &[Block], caption: &[Inline]) {
        if let ([Block::Paragraph(content)], false) = (blocks, caption.is_empty()) {
            let mut content = content.clone();
            content.push(Inline::HardBreak);
            content.push(Inline::Emphasis(caption.to_vec()));
            return self.paragraph(&content);
        }
        self.blocks(blocks);
        if !caption.is_empty() {
            self.paragraph(&[Inline::Emphasis(caption.to_vec())]);
        }
    }

    fn footnotes(&mut self, document: &Document) {
        for (index, note) in document.footnotes.iter().enumerate() {
            let marker = format!("[^{}]: ", index + 1);
            let joined = join_paragraphs(&note.blocks);
            self.nested("    ", Some(&marker), |writer| {
                match &joined {
                    Some(line) => writer.paragraph(line),
                    None => writer.blocks(&note.blocks),
                }
                writer.write_bare_marker();
            });
            self.gap = Some(self.prefix.len());
        }
    }
}

/// A note of paragraphs alone is one paragraph of several lines: readers disagree about what indented lines after a blank one are.
fn join_paragraphs(blocks: &[Block]) -> Option<Vec<Inline>> {
    let mut line = Vec::new();
    for block in blocks {
        let Block::Paragraph(content) = block else { return None };
        if !line.is_empty() {
            line.push(Inline::HardBreak);
        }
        line.extend(content.iter().cloned());
    }
    Some(line)
}

fn embed_inlines(embed: &Embed) -> Vec<Inline> {
    vec![Inline::Link { reference: embed.reference, title: String::new(), content: vec![Inline::text(embed.title.as_str())] }]
}

/// Whether the items are lines: at most a paragraph each, and lists that may follow it without a blank line.
fn is_tight(list: &List) -> bool {
    let follows = |block: &Block| match block {
        Block::List(list) => list.start.is_none_or(|start| start == 1) && list.items.first().is_some_and(|item| !item.blocks.is_empty()),
        _ => false,
    };
    list.tight
        && list.items.iter().all(|item| match item.blocks.as_slice() {
            [] => true,
            [Block::Paragraph(_), rest @ ..] => rest.len() <= 1 && rest.iter().all(follows),
            [only] => matches!(only, Block::List(_)),
            _ => false,
        })
}

/// The length of the longest run of a byte.
fn longest_run(text: &str, wanted: u8) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// TeX on one line. Two braces would be a template's to some readers, and what looks like a tag or a link one to those who know no formulas; with a space
/// between they mean the same in TeX.
fn tex(tex: &str) -> String {
    let line = tex.split_whitespace().collect::<Vec<_>>().join(" ").replace("{{", "{ {").replace("{%", "{ %").replace("](", "] (");
    let mut out = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push(letter);
        let tag = letter == '<' && letters.peek().is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'));
        if tag {
            out.push(' ');
        }
    }
    out
}

/// Whether every reader of Markdown finds the end of this TeX where it is when it stands between dollar signs: none is in it, nor another delimiter of
/// formulas or a code span's, no half of a group, and no backslash at its end. What does not is written as code.
fn stays_between_dollars(tex: &str) -> bool {
    let (mut letters, mut depth) = (tex.chars(), 0_usize);
    while let Some(letter) = letters.next() {
        let ends = match letter {
            '$' | '`' => true,
            '\\' => matches!(letters.next(), None | Some('$' | '(' | ')' | '[' | ']' | '`')),
            '{' => {
                depth += 1;
                false
            }
            '}' => match depth.checked_sub(1) {
                Some(less) => {
                    depth = less;
                    false
                }
                None => true,
            },
            _ => false,
        };
        if ends {
            return false;
        }
    }
    depth == 0 && !tex.is_empty()
}
