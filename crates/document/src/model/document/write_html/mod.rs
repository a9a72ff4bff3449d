//! The HTML representation: semantic, valid, complete without scripts.

use rustc_hash::FxHashMap;

use super::address::{ImageForm, Purpose, Rendering, Written};
use super::callout::shown_summary;
use super::levels::Levels;
use super::queries::plain_line;
use super::typeset::typeset_line;
use super::{
    Block, Callout, ContainerTag, Definition, Document, Embed, EmbedKind, Fold, Inline, Item, List,
    Outline, Quotes,
};
use crate::model::encoding::encode_path;

mod code;
mod escape;
mod figure;
mod inline;
mod narrow;
mod table;
mod tex;

/// Writes the body of a page or a feed item. It excludes the page's title, and so has no `<h1>`.
pub fn write_html(document: &Document, rendering: &Rendering<'_>) -> Written {
    write_html_after(document, rendering, 0)
}

/// As [`write_html`], below so many pictures of the same page: only its first is loaded at once.
pub fn write_html_after(document: &Document, rendering: &Rendering<'_>, images: usize) -> Written {
    let quotes = rendering.typography.as_ref();
    let mut writer = Writer {
        out: String::new(),
        rendering,
        quotes: quotes.filter(|_| !document.has_printed_marks()),
        outline: Outline::default(),
        levels: Levels::default(),
        mentions: vec![0; document.footnotes.len()],
        table_labels: FxHashMap::default(),
        heading: String::new(),
        images,
        in_link: false,
        in_table: false,
        has_caption: false,
        checkbox: String::new(),
    };
    writer.blocks(&document.blocks);
    writer.footnotes(document);
    Written {
        text: writer.out,
        outline: writer.outline,
        headings: Vec::new(),
    }
}

struct Writer<'a> {
    out: String,
    rendering: &'a Rendering<'a>,
    /// The quotation marks of text that is set as in print.
    quotes: Option<&'a Quotes>,
    outline: Outline,
    levels: Levels,
    /// The number of mentions of each footnote so far.
    mentions: Vec<usize>,
    /// The number of uses of each table label, since labels must be unique.
    table_labels: FxHashMap<String, usize>,
    /// The text of the last heading.
    heading: String,
    /// The number of pictures so far.
    images: usize,
    in_link: bool,
    in_table: bool,
    /// Whether the title of a picture is its caption, so that it needs no tooltip.
    has_caption: bool,
    /// The checkbox of a task, for its first paragraph.
    checkbox: String,
}

impl Writer<'_> {
    fn is_feed(&self) -> bool {
        self.rendering.purpose == Purpose::Feed
    }

    /// Whether authors' raw HTML is reduced to what the text needs.
    fn is_sanitized(&self) -> bool {
        matches!(
            self.rendering.purpose,
            Purpose::Feed | Purpose::SanitizedPage
        )
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
            Block::Code {
                language,
                info,
                text,
            } => self.code(language.as_deref(), info, text),
            Block::Quote(blocks) => self.element("blockquote", &[], blocks),
            Block::Callout(callout) => self.callout(callout),
            Block::List(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Definitions(definitions) => self.definitions(definitions),
            Block::Rule => self.out += "<hr>\n",
            Block::Figure { blocks, caption } => self.figure(blocks, caption),
            Block::Details {
                summary,
                open,
                blocks,
            } => {
                self.out += if *open {
                    "<details open>\n"
                } else {
                    "<details>\n"
                };
                self.details(&shown_summary(summary), blocks);
            }
            Block::Math(tex) => {
                let scrolls = !self.is_feed() && narrow::may_scroll(tex);
                self.out += if scrolls {
                    "<div class=\"math\" tabindex=\"0\">"
                } else {
                    "<div class=\"math\">"
                };
                self.tex(tex, true);
                self.out += "</div>\n";
            }
            Block::Embed(embed) => self.embed(embed),
            Block::Container(container) => {
                let name = match container.tag {
                    ContainerTag::Div => "div",
                    ContainerTag::Aside => "aside",
                };
                self.element(name, &container.attributes, &container.blocks);
            }
        }
    }

    // -- elements ---------------------------------------------------------------------------------

    /// A start tag with an author's attributes. If sanitised, it keeps only those that affect how
    /// the text is read.
    fn open(&mut self, name: &str, attributes: &[(String, String)]) {
        self.out += "<";
        self.out += name;
        for (attribute, value) in attributes {
            if !self.is_sanitized() || matches!(attribute.as_str(), "lang" | "dir" | "title") {
                self.attribute(attribute, value);
            }
        }
        self.out += ">";
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out += " ";
        self.out += name;
        self.out += "=\"";
        escape::attribute(&mut self.out, value);
        self.out += "\"";
    }

    fn close(&mut self, name: &str) {
        self.out += "</";
        self.out += name;
        self.out += ">";
    }

    /// Blocks in an element, with its tags on separate lines.
    fn element(&mut self, name: &str, attributes: &[(String, String)], blocks: &[Block]) {
        self.open(name, attributes);
        self.out += "\n";
        self.blocks(blocks);
        self.close(name);
        self.out += "\n";
    }

    /// An element of inlines on a separate line.
    fn line(&mut self, name: &str, content: &[Inline]) {
        self.open(name, &[]);
        self.words(content);
        self.close(name);
        self.out += "\n";
    }

    /// All inlines of a line, set as in print.
    fn words(&mut self, content: &[Inline]) {
        let set = self.quotes.and_then(|quotes| typeset_line(content, quotes));
        self.inlines(set.as_deref().unwrap_or(content));
    }

    /// Blocks where a single paragraph needs no tags: cells, descriptions.
    fn flow(&mut self, blocks: &[Block]) {
        match blocks {
            [Block::Paragraph(content)] => self.task_text(content),
            blocks => self.blocks(blocks),
        }
    }

    // -- blocks -----------------------------------------------------------------------------------

    fn heading(&mut self, level: u8, id: &str, content: &[Inline]) {
        let level = self.levels.next(level);
        self.heading = plain_line(content);
        self.outline.heading(level, &self.heading);
        self.out += &format!("<h{level}");
        if !self.is_feed() {
            self.attribute("id", id);
        }
        self.out += ">";
        self.words(content);
        self.out += &format!("</h{level}>\n");
        if !self.is_feed() && !self.in_table {
            self.anchor(id);
        }
    }

    /// The link to a heading. It is beside the heading, whose text it is not; its name is the
    /// template's word (`page:link`) and the heading.
    fn anchor(&mut self, id: &str) {
        self.out += "<a";
        self.attribute("href", &format!("#{}", encode_path(id)));
        let own = if id.contains(char::is_whitespace) {
            ""
        } else {
            id
        };
        self.attribute("aria-labelledby", format!("page:link {own}").trim_end());
        self.out += "></a>\n";
    }

    fn paragraph(&mut self, content: &[Inline]) {
        if let Some(image) = figure::captioned(content)
            && self.checkbox.is_empty()
            && matches!(self.rendering.image_form(image), ImageForm::Picture(_))
        {
            return self.captioned(content, image);
        }
        self.out += "<p>";
        self.task_text(content);
        self.out += "</p>\n";
    }

    /// The inlines of a paragraph, after the pending checkbox of a task.
    fn task_text(&mut self, content: &[Inline]) {
        self.out += &std::mem::take(&mut self.checkbox);
        self.words(content);
    }

    /// A formula. Feed readers do not render MathML, so they get the TeX.
    fn tex(&mut self, tex: &str, display: bool) {
        let mathml = if self.is_feed() {
            None
        } else {
            tex::mathml(tex, display)
        };
        match mathml {
            Some(mathml) => self.out += &mathml,
            None => escape::text(&mut self.out, tex),
        }
    }

    fn callout(&mut self, callout: &Callout) {
        let title = callout.shown_title();
        if self.is_feed() {
            self.out += "<blockquote>\n<p>";
            self.words(&[Inline::Strong(title)]);
            self.out += "</p>\n";
            self.blocks(&callout.blocks);
            self.out += "</blockquote>\n";
            return;
        }
        let class = format!("class=\"callout callout-{}\"", callout.kind);
        if let Some(fold) = callout.fold {
            let open = if fold == Fold::Open { " open" } else { "" };
            self.out += &format!("<details {class}{open}>\n");
            return self.details(&title, &callout.blocks);
        }
        self.out += &format!("<aside {class}>\n<p class=\"callout-title\">");
        self.words(&[Inline::Strong(title)]);
        self.out += "</p>\n";
        self.blocks(&callout.blocks);
        self.out += "</aside>\n";
    }

    /// The content of `<details>` after its start tag.
    fn details(&mut self, summary: &[Inline], blocks: &[Block]) {
        self.line("summary", summary);
        self.blocks(blocks);
        self.out += "</details>\n";
    }

    fn list(&mut self, list: &List) {
        let name = if list.start.is_some() { "ol" } else { "ul" };
        self.out += "<";
        self.out += name;
        if let Some(start) = list.start.filter(|&start| start != 1) {
            self.attribute("start", &start.to_string());
        }
        if !self.is_feed() && list.items.iter().any(|item| item.task.is_some()) {
            self.attribute("class", "tasks");
        }
        self.out += ">\n";
        for item in &list.items {
            self.item(item, list.tight);
        }
        self.close(name);
        self.out += "\n";
    }

    fn item(&mut self, item: &Item, tight: bool) {
        self.out += "<li>";
        if let Some(done) = item.task {
            self.checkbox = self.checkbox(item, done);
        }
        let mut paragraphs = item
            .blocks
            .iter()
            .filter(|block| matches!(block, Block::Paragraph(_)));
        match item.blocks.as_slice() {
            [Block::Paragraph(content), rest @ ..] if tight && paragraphs.nth(1).is_none() => {
                self.task_text(content);
                if !rest.is_empty() {
                    self.out += "\n";
                    self.blocks(rest);
                }
            }
            [] => {}
            blocks => {
                self.out += "\n";
                self.blocks(blocks);
            }
        }
        // A task without a paragraph has only its checkbox.
        self.task_text(&[]);
        self.out += "</li>\n";
    }

    fn checkbox(&self, item: &Item, done: bool) -> String {
        if self.is_feed() {
            return if done { "☑ " } else { "☐ " }.to_owned();
        }
        let content = item.blocks.iter().find_map(|block| {
            if let Block::Paragraph(content) = block {
                Some(content)
            } else {
                None
            }
        });
        let words = content.map_or(String::new(), |content| plain_line(content));
        let mut label = String::new();
        escape::attribute(&mut label, if words.is_empty() { "task" } else { &words });
        let checked = if done { " checked" } else { "" };
        format!("<input type=\"checkbox\" disabled{checked} aria-label=\"{label}\"> ")
    }

    fn definitions(&mut self, definitions: &[Definition]) {
        self.out += "<dl>\n";
        for definition in definitions {
            if definition.terms.is_empty() {
                self.out += "<dt></dt>\n";
            }
            for term in &definition.terms {
                self.line("dt", term);
            }
            if definition.descriptions.is_empty() {
                self.out += "<dd></dd>\n";
            }
            for description in &definition.descriptions {
                self.out += "<dd>";
                self.flow(description);
                self.out += "</dd>\n";
            }
        }
        self.out += "</dl>\n";
    }

    fn sandbox(&self, reference: super::ReferenceId) -> String {
        let rights = self.rendering.sandbox(reference);
        rights.map_or(String::new(), |rights| format!(" sandbox=\"{rights}\""))
    }

    fn embed(&mut self, embed: &Embed) {
        let Some(address) = self.rendering.player_address(embed.reference) else {
            return self.paragraph(&[Inline::text(embed.title.as_str())]);
        };
        self.outline.links.push(address.key);
        let (mut href, mut title) = (String::new(), String::new());
        escape::attribute(&mut href, &address.href);
        escape::attribute(&mut title, &embed.title);
        let link = format!("<a href=\"{href}\">{title}</a>");
        if self.is_sanitized() {
            self.out += &format!("<p>{link}</p>\n");
            return;
        }
        let player = self.player(embed, &href, &title);
        self.out += &format!(
            "<figure class=\"embed\">\n{player}\n<figcaption>{link}</figcaption>\n</figure>\n"
        );
    }

    /// The element that plays an embed; its address and title are escaped already.
    fn player(&self, embed: &Embed, href: &str, title: &str) -> String {
        match embed.kind {
            EmbedKind::Frame => {
                let sandbox = self.sandbox(embed.reference);
                format!(
                    "<iframe src=\"{href}\" title=\"{title}\"{sandbox} loading=\"lazy\" allowfullscreen></iframe>"
                )
            }
            EmbedKind::Video => format!(
                "<video src=\"{href}\" title=\"{title}\" controls preload=\"none\"></video>"
            ),
            EmbedKind::Audio => format!(
                "<audio src=\"{href}\" title=\"{title}\" controls preload=\"none\"></audio>"
            ),
        }
    }

    // -- footnotes --------------------------------------------------------------------------------

    /// The notes, each with a backlink to every mention.
    fn footnotes(&mut self, document: &Document) {
        if document.footnotes.is_empty() {
            return;
        }
        self.out += if self.is_feed() {
            "<hr>\n<ol>\n"
        } else {
            "<div class=\"endnotes\">\n<ol>\n"
        };
        for (index, note) in document.footnotes.iter().enumerate() {
            let number = index + 1;
            if self.is_feed() {
                self.out += "<li>\n";
                self.blocks(&note.blocks);
            } else {
                self.out += &format!("<li id=\"fn:{number}\">\n");
                self.blocks(&note.blocks);
                self.back_links(number);
            }
            self.out += "</li>\n";
        }
        self.out += if self.is_feed() {
            "</ol>\n"
        } else {
            "</ol>\n</div>\n"
        };
    }

    fn back_links(&mut self, number: usize) {
        const END: &str = "</p>\n";
        let mentions = self.mentions.get(number - 1).copied().unwrap_or_default();
        if mentions == 0 {
            return;
        }
        match self.out.strip_suffix(END) {
            Some(paragraph) => self.out.truncate(paragraph.len()),
            None => self.out += "<p>",
        }
        for mention in 1..=mentions {
            let id = inline::mention_id(number, mention);
            let name = match self.rendering.back {
                Some(words) => words.replace("{n}", &id),
                None => format!("↩ {id}"),
            };
            self.out +=
                &format!(" <a href=\"#fnref:{id}\" data-markdown-ignore role=\"doc-backlink\"");
            self.attribute("aria-label", &name);
            self.out += ">↩\u{FE0E}</a>";
        }
        self.out += END;
    }
}
