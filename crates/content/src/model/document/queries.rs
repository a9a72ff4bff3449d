//! What others ask of a document: its title, its headings, its first words.

use super::{Block, Cell, Document, Inline, levels};
use crate::model::text::{is_plain_line, one_line};

/// A heading as a contents list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 2 to 6: as both forms write it.
    pub level: u8,
    /// The id on the page.
    pub id: String,
    /// Plain text, one line.
    pub text: String,
}

impl Document {
    /// Whether it holds mathematics: then dollar signs in its Markdown must be told from those of formulas.
    pub fn has_math(&self) -> bool {
        let mut found = false;
        let notes = self.footnotes.iter().flat_map(|note| &note.blocks);
        for block in self.blocks.iter().chain(notes) {
            each_block(std::slice::from_ref(block), &mut |block| {
                found |= matches!(block, Block::Math(_));
                each_line(block, &mut |line| found |= line.iter().any(|inline| matches!(inline, Inline::Math { .. })));
            });
        }
        found
    }

    /// Takes the page's title out of the content, since the page writes it once, by itself.
    ///
    /// With a known title: an opening heading of level 1 with the same words is removed, and its text returned. Without one: the opening heading
    /// of level 1, or the only one there is, is removed and returned; of several, the first is returned and all stay.
    pub fn take_title(&mut self, known: Option<&str>) -> Option<String> {
        let opening = opening_title(&self.blocks, 1);
        if let Some(known) = known {
            let path = opening?;
            let text = text_at(&self.blocks, &path)?;
            return (fold(&text) == fold(known)).then(|| self.remove(&path));
        }
        if let Some(path) = opening {
            return Some(self.remove(&path));
        }
        let mut tops = self.blocks.iter().enumerate().filter(|(_, block)| matches!(block, Block::Heading { level: 1, .. }));
        let (first, others) = (tops.next().map(|(index, _)| index), tops.next());
        match (first, others) {
            (Some(first), None) => Some(self.remove(&[first])),
            (Some(first), Some(_)) => text_at(&self.blocks, &[first]),
            (None, _) => None,
        }
    }

    /// The text of the heading that may be the title of a whole page: that of any level which the document opens with, else its only one of level 1.
    pub(crate) fn title_heading(&self) -> Option<String> {
        text_at(&self.blocks, &self.title_path()?)
    }

    /// Takes out what [`Self::title_heading`] found.
    pub(crate) fn take_title_heading(&mut self) {
        if let Some(path) = self.title_path() {
            self.remove(&path);
        }
    }

    fn title_path(&self) -> Option<Vec<usize>> {
        opening_title(&self.blocks, 6).or_else(|| {
            let mut tops = self.blocks.iter().enumerate().filter(|(_, block)| matches!(block, Block::Heading { level: 1, .. }));
            let first = tops.next().map(|(index, _)| vec![index]);
            first.filter(|_| tops.next().is_none())
        })
    }

    fn remove(&mut self, path: &[usize]) -> String {
        let (Some((&last, containers)), mut blocks) = (path.split_last(), &mut self.blocks) else { return String::new() };
        for &index in containers {
            match blocks.get_mut(index) {
                Some(Block::Container(container)) => blocks = &mut container.blocks,
                _ => return String::new(),
            }
        }
        let Block::Heading { id, content, .. } = blocks.remove(last) else { return String::new() };
        self.title_id = Some(id);
        line(&content)
    }

    /// All headings in order, with the levels that both forms write.
    pub fn headings(&self) -> Vec<Heading> {
        let mut levels = levels::Levels::default();
        let mut headings = Vec::new();
        each_block(&self.blocks, &mut |block| {
            if let Block::Heading { level, id, content } = block {
                headings.push(Heading { level: levels.next(*level), id: id.clone(), text: line(content) });
            }
        });
        headings
    }

    /// Every id that a link to this page may name: headings, containers, anchors.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.title_id.iter().map(String::as_str).collect();
        let notes = self.footnotes.iter().flat_map(|note| &note.blocks);
        for block in self.blocks.iter().chain(notes) {
            each_block(std::slice::from_ref(block), &mut |block| {
                match block {
                    Block::Heading { id, .. } => ids.push(id),
                    Block::Container(container) => ids.extend(attribute_ids(&container.attributes)),
                    _ => {}
                }
                each_line(block, &mut |inlines| push_ids(&mut ids, inlines));
            });
        }
        ids
    }

    /// The first paragraph of prose, one line of at most `max` characters, cut at the end of a sentence or a word: a summary where the author gave
    /// none. Images, notices, tables, quotes and tags are no prose.
    pub fn first_prose(&self, max: usize) -> Option<String> {
        let (mut found, mut second) = (None, None);
        first_paragraph(&self.blocks, &mut |inlines| {
            let mut text = String::new();
            push_plain_without_images(&mut text, inlines);
            let text = one_line(&text);
            if text.chars().filter(|c| c.is_alphanumeric()).count() >= 2 && is_prose(inlines) {
                let place = if has_own_words(inlines) { &mut found } else { &mut second };
                place.get_or_insert_with(|| shorten(&text, max));
            }
            found.is_some()
        });
        found.or(second)
    }

    /// All words, one block a line: for search, word counts, reading time.
    pub fn plain_text(&self) -> String {
        self.text(true)
    }

    /// As [`Self::plain_text`], without blocks of code and formulas.
    pub fn text_outside_code(&self) -> String {
        self.text(false)
    }

    fn text(&self, with_code: bool) -> String {
        let mut text = String::new();
        self.each_text(with_code, &mut |part| text.push_str(part));
        text
    }

    /// Visits the parts of the text in order.
    fn each_text(&self, with_code: bool, visit: &mut impl FnMut(&str)) {
        let notes = self.footnotes.iter().flat_map(|note| &note.blocks);
        for block in self.blocks.iter().chain(notes) {
            each_block(std::slice::from_ref(block), &mut |block| {
                each_line(block, &mut |inlines| {
                    each_part(inlines, true, visit);
                    visit("\n");
                });
                if let Block::Code { text: code, .. } | Block::Math(code) = block
                    && with_code
                {
                    visit(code);
                    visit("\n");
                }
            });
        }
    }

    /// How many words a reader reads: runs of letters and digits, each character of Chinese and Japanese a word of its own.
    pub fn word_count(&self) -> usize {
        let mut words = Words::default();
        self.each_text(true, &mut |part| words.read(part));
        words.count
    }
}

/// Counts the words of a text that is read part by part.
#[derive(Default)]
struct Words {
    count: usize,
    /// Whether a word may go on.
    inside: bool,
}

impl Words {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            let ideograph = matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}');
            let in_word = !ideograph && c.is_alphanumeric();
            self.count += usize::from(ideograph || (in_word && !self.inside));
            self.inside = in_word || (self.inside && matches!(c, '\'' | '’'));
        }
    }
}

/// The way to a heading of at most this level that opens the document, through containers and behind images.
fn opening_title(blocks: &[Block], deepest: u8) -> Option<Vec<usize>> {
    for (index, block) in blocks.iter().enumerate() {
        match block {
            Block::Heading { level, .. } if *level <= deepest => return Some(vec![index]),
            // An empty box, as scripts fill them, is nothing.
            Block::Container(container) if container.blocks.is_empty() => {}
            Block::Container(container) => {
                let mut path = opening_title(&container.blocks, deepest)?;
                path.insert(0, index);
                return Some(path);
            }
            Block::Paragraph(inlines) if !is_wordless(inlines) => return None,
            Block::Paragraph(_) | Block::Rule | Block::Figure { .. } => {}
            _ => return None,
        }
    }
    None
}

fn text_at(blocks: &[Block], path: &[usize]) -> Option<String> {
    let (&first, rest) = path.split_first()?;
    match blocks.get(first)? {
        Block::Heading { content, .. } if rest.is_empty() => Some(line(content)),
        Block::Container(container) => text_at(&container.blocks, rest),
        _ => None,
    }
}

/// Whether nothing of it is read as words: images, perhaps linked.
fn is_wordless(inlines: &[Inline]) -> bool {
    let mut text = String::new();
    push_plain_without_images(&mut text, inlines);
    !text.contains(char::is_alphanumeric)
}

/// Letters and digits without case: what makes two titles equal.
fn fold(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn attribute_ids(attributes: &[(String, String)]) -> impl Iterator<Item = &str> {
    attributes.iter().filter(|(name, _)| name == "id").map(|(_, value)| value.as_str())
}

fn push_ids<'d>(ids: &mut Vec<&'d str>, inlines: &'d [Inline]) {
    for inline in inlines {
        match inline {
            Inline::Anchor(id) => ids.push(id),
            Inline::Emphasis(content) | Inline::Strong(content) | Inline::Strikethrough(content) | Inline::Link { content, .. } => {
                push_ids(ids, content)
            }
            Inline::Span(span) => {
                ids.extend(attribute_ids(&span.attributes));
                push_ids(ids, &span.content);
            }
            _ => {}
        }
    }
}

/// Visits every block, outer ones first, in the order of the page.
pub(crate) fn each_block<'d>(blocks: &'d [Block], visit: &mut impl FnMut(&'d Block)) {
    for block in blocks {
        visit(block);
        match block {
            Block::Quote(blocks) | Block::Figure { blocks, .. } | Block::Details { blocks, .. } => each_block(blocks, visit),
            Block::Callout(callout) => each_block(&callout.blocks, visit),
            Block::Container(container) => each_block(&container.blocks, visit),
            Block::List(list) => list.items.iter().for_each(|item| each_block(&item.blocks, visit)),
            Block::Table(table) => {
                let mut cells = |cells: &'d [Cell]| cells.iter().for_each(|cell| each_block(&cell.blocks, visit));
                cells(&table.header);
                table.rows.iter().for_each(|row| cells(row));
            }
            Block::Definitions(definitions) => {
                definitions.iter().flat_map(|definition| &definition.descriptions).for_each(|blocks| each_block(blocks, visit));
            }
            Block::Heading { .. } | Block::Paragraph(_) | Block::Code { .. } | Block::Rule | Block::Math(_) | Block::Embed(_) => {}
        }
    }
}

/// Visits the lines of inlines that a block itself holds, not those of blocks in it.
pub(crate) fn each_line<'d>(block: &'d Block, visit: &mut impl FnMut(&'d [Inline])) {
    match block {
        Block::Heading { content: line, .. }
        | Block::Paragraph(line)
        | Block::Figure { caption: line, .. }
        | Block::Details { summary: line, .. }
        | Block::Callout(super::Callout { title: line, .. })
        | Block::Table(super::Table { caption: line, .. }) => visit(line),
        Block::Definitions(definitions) => definitions.iter().flat_map(|definition| &definition.terms).for_each(|term| visit(term)),
        _ => {}
    }
}

/// Calls `take` with the paragraphs that may hold the first prose, until it says that it has it.
fn first_paragraph(blocks: &[Block], take: &mut impl FnMut(&[Inline]) -> bool) -> bool {
    blocks.iter().any(|block| match block {
        Block::Paragraph(inlines) => take(inlines),
        Block::Container(container) if container.tag == super::ContainerTag::Div => first_paragraph(&container.blocks, take),
        _ => false,
    })
}

/// Whether a paragraph is prose, and not a template tag or a row of links.
/// Whether something beside a label in bold and links is said.
fn has_own_words(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Text(text) | Inline::Code(text) => text.contains(char::is_alphanumeric),
        Inline::Strong(content) => plain(content).split_whitespace().nth(3).is_some() && !plain(content).ends_with(':'),
        Inline::Emphasis(content) => has_own_words(content),
        Inline::Span(span) => has_own_words(&span.content),
        _ => false,
    })
}

fn is_prose(inlines: &[Inline]) -> bool {
    !matches!(inlines, [Inline::Text(text)] if text.starts_with("{%") || text.starts_with("{{"))
}

/// Cuts a line to `max` characters, at the end of a sentence where one is in its second half, else after a word, with an ellipsis.
fn shorten(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let head = &text[..end];
    let is_end = |at: usize, c: char| {
        let next = text[at + c.len_utf8()..].chars().next();
        matches!(c, '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace))
    };
    let sentence = head.char_indices().rev().find(|&(at, c)| is_end(at, c)).map(|(at, c)| at + c.len_utf8());
    if let Some(at) = sentence.filter(|&at| at * 2 >= end) {
        return head[..at].to_owned();
    }
    // One character is for the ellipsis.
    let head = head.char_indices().next_back().map_or(head, |(at, _)| &head[..at]);
    let word = head.rfind(char::is_whitespace).filter(|&at| at * 2 >= head.len()).unwrap_or(head.len());
    format!("{}…", head[..word].trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '–' | '—' | '-')))
}

/// Plain text on one line.
pub(crate) fn line(inlines: &[Inline]) -> String {
    let text = plain(inlines);
    if is_plain_line(&text) { text } else { one_line(&text) }
}

/// Plain text: what a reader sees without any markup; an image is its alternative text.
pub(crate) fn plain(inlines: &[Inline]) -> String {
    let mut text = String::new();
    push_plain(&mut text, inlines);
    text
}

/// As [`plain`], at the end of `text`.
pub(crate) fn push_plain(text: &mut String, inlines: &[Inline]) {
    push(text, inlines, true);
}

fn push_plain_without_images(text: &mut String, inlines: &[Inline]) {
    push(text, inlines, false);
}

fn push(text: &mut String, inlines: &[Inline], images: bool) {
    each_part(inlines, images, &mut |part| text.push_str(part));
}

/// Visits the parts of plain text in order.
fn each_part(inlines: &[Inline], images: bool, visit: &mut impl FnMut(&str)) {
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Code(part) | Inline::Math { tex: part, .. } => visit(part),
            Inline::Emphasis(content) | Inline::Strong(content) | Inline::Strikethrough(content) | Inline::Link { content, .. } => {
                each_part(content, images, visit);
            }
            Inline::Span(span) => each_part(&span.content, images, visit),
            Inline::Image(image) if images => visit(&image.alt),
            Inline::HardBreak | Inline::SoftBreak => visit(" "),
            Inline::Image(_) | Inline::Footnote(_) | Inline::Anchor(_) => {}
        }
    }
}
