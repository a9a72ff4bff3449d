//! The HTML form: semantic, valid, complete without scripts.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::address::{Purpose, Rendering, Written};
use super::levels::Levels;
use super::queries::{plain, plain_line};
use super::{Attributes, Block, Callout, ContainerTag, Definition, Document, Embed, EmbedKind, Fold, Inline, Item, List, Outline};
use crate::model::buffers;

mod escape;
mod inline;
mod table;
mod tex;

/// Writes the body of a page or a feed item. The page's title is not in it, and so it holds no `<h1>`.
pub fn write_html(document: &Document, rendering: &Rendering<'_>) -> Written {
    let mut writer = Writer {
        out: buffers::text(),
        rendering,
        outline: Outline::default(),
        levels: Levels::default(),
        mentions: vec![0; document.footnotes.len()],
        labels: FxHashMap::default(),
        heading: String::new(),
        images: 0,
        in_link: false,
        checkbox: None,
    };
    writer.blocks(&document.blocks);
    writer.footnotes(document);
    Written { text: writer.out, outline: writer.outline }
}

struct Writer<'a> {
    out: String,
    rendering: &'a Rendering<'a>,
    outline: Outline,
    levels: Levels,
    /// How often each footnote was mentioned so far.
    mentions: Vec<usize>,
    /// How often a label was given to a table, since each must be its own.
    labels: FxHashMap<String, usize>,
    /// The text of the last heading.
    heading: String,
    images: usize,
    in_link: bool,
    /// The box of a task, for its first paragraph.
    checkbox: Option<String>,
}

impl Writer<'_> {
    fn is_feed(&self) -> bool {
        self.rendering.purpose == Purpose::Feed
    }

    /// Whether of an author's raw HTML only what carries the text is kept.
    fn is_sanitized(&self) -> bool {
        matches!(self.rendering.purpose, Purpose::Feed | Purpose::SanitizedPage)
    }

    /// Markup without the machinery of formatting.
    fn push<const PARTS: usize>(&mut self, parts: [&str; PARTS]) {
        parts.into_iter().for_each(|part| self.out.push_str(part));
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, id, content } => self.heading(*level, id, content),
            Block::Paragraph(content) => self.paragraph(content),
            Block::Code { language, text } => self.code(language.as_deref(), text),
            Block::Quote(blocks) => self.element("blockquote", blocks),
            Block::Callout(callout) => self.callout(callout),
            Block::List(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Definitions(definitions) => self.definitions(definitions),
            Block::Rule => self.out.push_str("<hr>\n"),
            Block::Figure { blocks, caption } => self.figure(blocks, caption),
            Block::Details { summary, open, blocks } => {
                self.out.push_str(if *open { "<details open>\n" } else { "<details>\n" });
                self.details(summary, blocks);
            }
            Block::Math(tex) => {
                self.out.push_str("<div class=\"math\">");
                self.tex(tex, true);
                self.out.push_str("</div>\n");
            }
            Block::Embed(embed) => self.embed(embed),
            Block::Container(container) => {
                let name = match container.tag {
                    ContainerTag::Div => "div",
                    ContainerTag::Aside => "aside",
                };
                self.open(name, &container.attributes);
                self.out.push('\n');
                self.blocks(&container.blocks);
                let _ = writeln!(self.out, "</{name}>");
            }
        }
    }

    fn element(&mut self, name: &str, blocks: &[Block]) {
        let _ = writeln!(self.out, "<{name}>");
        self.blocks(blocks);
        let _ = writeln!(self.out, "</{name}>");
    }

    /// An opening tag. What is sanitised keeps only what says how to read the text.
    fn open(&mut self, name: &str, attributes: &Attributes) {
        self.push(["<", name]);
        for (attribute, value) in attributes {
            if !self.is_sanitized() || matches!(attribute.as_str(), "lang" | "dir" | "title") {
                self.push([" ", attribute, "=\""]);
                escape::attribute(&mut self.out, value);
                self.out.push('"');
            }
        }
        self.out.push('>');
    }

    fn heading(&mut self, level: u8, id: &str, content: &[Inline]) {
        let level = self.levels.next(level);
        self.heading = plain_line(content);
        self.outline.heading(level, &self.heading);
        let _ = write!(self.out, "<h{level}");
        if !self.is_feed() {
            self.out.push_str(" id=\"");
            escape::attribute(&mut self.out, id);
            self.out.push('"');
        }
        self.out.push('>');
        self.inlines(content);
        let _ = writeln!(self.out, "</h{level}>");
    }

    fn paragraph(&mut self, content: &[Inline]) {
        self.out.push_str("<p>");
        self.line(content);
        self.out.push_str("</p>\n");
    }

    /// The inlines of a paragraph, with or without its tags.
    fn line(&mut self, content: &[Inline]) {
        if let Some(checkbox) = self.checkbox.take() {
            self.out.push_str(&checkbox);
        }
        self.inlines(content);
    }

    /// Blocks where one paragraph needs no tags of its own: cells, descriptions, lines of a list.
    fn flow(&mut self, blocks: &[Block]) {
        if let [Block::Paragraph(content)] = blocks {
            return self.line(content);
        }
        self.blocks(blocks);
    }

    fn code(&mut self, language: Option<&str>, text: &str) {
        self.outline.code.push(text.trim().to_owned());
        self.out.push_str(if self.is_feed() { "<pre><code" } else { "<pre tabindex=\"0\"><code" });
        if let Some(language) = language {
            self.out.push_str(" class=\"language-");
            escape::attribute(&mut self.out, language);
            self.out.push('"');
        }
        self.out.push('>');
        let highlighted = !self.is_feed() && language.is_some_and(|language| crate::model::highlight::highlight(language, text, &mut self.out));
        if !highlighted {
            escape::code(&mut self.out, text);
        }
        self.out.push_str("</code></pre>\n");
    }

    /// A formula. Programs that read feeds show no MathML: they get the TeX.
    fn tex(&mut self, tex: &str, display: bool) {
        match tex::mathml(tex, display).filter(|_| !self.is_feed()) {
            Some(mathml) => self.out.push_str(&mathml),
            None => escape::text(&mut self.out, tex),
        }
    }

    fn callout(&mut self, callout: &Callout) {
        let kind = callout.kind.as_str();
        let class = if self.is_feed() { String::new() } else { format!(" class=\"callout callout-{kind}\"") };
        match callout.fold {
            Some(fold) if !self.is_feed() => {
                let _ = writeln!(self.out, "<details{class}{}>", if fold == Fold::Open { " open" } else { "" });
                let title = callout_title(callout);
                self.details(&title, &callout.blocks);
            }
            _ => {
                let name = if self.is_feed() { "blockquote" } else { "aside" };
                let title_class = if self.is_feed() { "" } else { " class=\"callout-title\"" };
                let _ = write!(self.out, "<{name}{class}>\n<p{title_class}><strong>");
                self.inlines(&callout_title(callout));
                self.out.push_str("</strong></p>\n");
                self.blocks(&callout.blocks);
                let _ = writeln!(self.out, "</{name}>");
            }
        }
    }

    fn details(&mut self, summary: &[Inline], blocks: &[Block]) {
        self.out.push_str("<summary>");
        if summary.is_empty() {
            self.out.push_str("Details");
        } else {
            self.inlines(summary);
        }
        self.out.push_str("</summary>\n");
        self.blocks(blocks);
        self.out.push_str("</details>\n");
    }

    fn list(&mut self, list: &List) {
        let tasks = list.items.iter().any(|item| item.task.is_some()) && !self.is_feed();
        let name = if list.start.is_some() { "ol" } else { "ul" };
        let _ = write!(self.out, "<{name}");
        if let Some(start) = list.start.filter(|&start| start != 1) {
            let _ = write!(self.out, " start=\"{start}\"");
        }
        self.out.push_str(if tasks { " class=\"tasks\">\n" } else { ">\n" });
        for item in &list.items {
            self.item(item, list.tight);
        }
        let _ = writeln!(self.out, "</{name}>");
    }

    fn item(&mut self, item: &Item, tight: bool) {
        self.out.push_str("<li>");
        if let Some(done) = item.task {
            self.task(item, done);
        }
        let paragraphs = item.blocks.iter().filter(|block| matches!(block, Block::Paragraph(_))).count();
        match item.blocks.split_first() {
            Some((Block::Paragraph(content), rest)) if tight && paragraphs == 1 => {
                self.line(content);
                if !rest.is_empty() {
                    self.out.push('\n');
                    self.blocks(rest);
                }
            }
            Some(_) => {
                self.out.push('\n');
                self.blocks(&item.blocks);
            }
            None => {}
        }
        // A task without a paragraph has its box alone.
        if let Some(checkbox) = self.checkbox.take() {
            self.out.push_str(&checkbox);
        }
        self.out.push_str("</li>\n");
    }

    fn task(&mut self, item: &Item, done: bool) {
        if self.is_feed() {
            self.checkbox = Some(if done { "☑ " } else { "☐ " }.to_owned());
            return;
        }
        let words = item.blocks.iter().find_map(|block| if let Block::Paragraph(content) = block { Some(plain_line(content)) } else { None });
        let mut checkbox = format!("<input type=\"checkbox\" disabled{} aria-label=\"", if done { " checked" } else { "" });
        escape::attribute(&mut checkbox, words.as_deref().filter(|words| !words.is_empty()).unwrap_or("task"));
        checkbox.push_str("\"> ");
        self.checkbox = Some(checkbox);
    }

    fn definitions(&mut self, definitions: &[Definition]) {
        self.out.push_str("<dl>\n");
        for definition in definitions {
            if definition.terms.is_empty() {
                self.out.push_str("<dt></dt>\n");
            }
            for term in &definition.terms {
                self.out.push_str("<dt>");
                self.inlines(term);
                self.out.push_str("</dt>\n");
            }
            if definition.descriptions.is_empty() {
                self.out.push_str("<dd></dd>\n");
            }
            for description in &definition.descriptions {
                self.out.push_str("<dd>");
                self.flow(description);
                self.out.push_str("</dd>\n");
            }
        }
        self.out.push_str("</dl>\n");
    }

    fn figure(&mut self, blocks: &[Block], caption: &[Inline]) {
        self.out.push_str("<figure>\n");
        for block in blocks {
            match block {
                Block::Paragraph(content) if content.iter().all(is_picture) => {
                    self.line(content);
                    self.out.push('\n');
                }
                block => self.block(block),
            }
        }
        if !caption.is_empty() {
            self.out.push_str("<figcaption>");
            self.inlines(caption);
            self.out.push_str("</figcaption>\n");
        }
        self.out.push_str("</figure>\n");
    }

    fn embed(&mut self, embed: &Embed) {
        let Some(address) = self.rendering.played(embed.reference) else {
            return self.paragraph(&[Inline::text(embed.title.as_str())]);
        };
        self.outline.links.push(address.key);
        let mut href = String::new();
        escape::attribute(&mut href, &address.href);
        let mut title = String::new();
        escape::attribute(&mut title, &embed.title);
        if self.is_sanitized() {
            let _ = writeln!(self.out, "<p><a href=\"{href}\">{title}</a></p>");
            return;
        }
        let shown = match embed.kind {
            EmbedKind::Frame => {
                let sandbox = self.rendering.sandbox(embed.reference).map_or(String::new(), |rights| format!(" sandbox=\"{rights}\""));
                format!("<iframe src=\"{href}\" title=\"{title}\"{sandbox} loading=\"lazy\" allowfullscreen></iframe>")
            }
            EmbedKind::Video => format!("<video src=\"{href}\" title=\"{title}\" controls preload=\"none\"></video>"),
            EmbedKind::Audio => format!("<audio src=\"{href}\" title=\"{title}\" controls preload=\"none\"></audio>"),
        };
        let _ = writeln!(self.out, "<figure class=\"embed\">\n{shown}\n<figcaption><a href=\"{href}\">{title}</a></figcaption>\n</figure>");
    }

    /// The notes themselves, each with a way back to every mention.
    fn footnotes(&mut self, document: &Document) {
        if document.footnotes.is_empty() {
            return;
        }
        self.out.push_str(if self.is_feed() { "<hr>\n<ol>\n" } else { "<div class=\"endnotes\">\n<ol>\n" });
        for (index, note) in document.footnotes.iter().enumerate() {
            let number = index + 1;
            if self.is_feed() {
                self.out.push_str("<li>\n");
            } else {
                let _ = writeln!(self.out, "<li id=\"fn:{number}\">");
            }
            self.blocks(&note.blocks);
            if !self.is_feed() {
                self.back_links(number);
            }
            self.out.push_str("</li>\n");
        }
        self.out.push_str(if self.is_feed() { "</ol>\n" } else { "</ol>\n</div>\n" });
    }

    fn back_links(&mut self, number: usize) {
        const END: &str = "</p>\n";
        let mentions = self.mentions.get(number - 1).copied().unwrap_or_default();
        if mentions == 0 {
            return;
        }
        let in_paragraph = self.out.ends_with(END);
        if in_paragraph {
            self.out.truncate(self.out.len() - END.len());
        } else {
            self.out.push_str("<p>");
        }
        for mention in 1..=mentions {
            let suffix = if mention == 1 { String::new() } else { format!("-{mention}") };
            let _ = write!(
                self.out,
                " <a href=\"#fnref:{number}{suffix}\" data-markdown-ignore role=\"doc-backlink\" aria-label=\"↩ {number}{suffix}\">↩\u{FE0E}</a>"
            );
        }
        self.out.push_str(END);
    }
}

/// The author's title, or the kind's own name.
pub(super) fn callout_title(callout: &Callout) -> Vec<Inline> {
    if !callout.title.is_empty() {
        return callout.title.clone();
    }
    let words = callout.kind.replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    vec![Inline::Text(first + letters.as_str())]
}

/// Whether a paragraph of these needs no `<p>` in a figure.
fn is_picture(inline: &Inline) -> bool {
    match inline {
        Inline::Image(_) | Inline::SoftBreak | Inline::HardBreak | Inline::Anchor(_) => true,
        Inline::Link { content, .. } => content.iter().all(is_picture),
        Inline::Text(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Whether a link has words, so that it needs no label.
fn has_words(content: &[Inline]) -> bool {
    plain(content).contains(char::is_alphanumeric)
}
