//! Queries on a document: its title, headings and words.

use super::tree::walk;
use super::{Attributes, Block, Document, Inline, ReferenceId, levels};
use crate::model::text::{is_ideograph, one_line};

/// A heading for a table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 2 to 6, as in both representations.
    pub level: u8,
    /// The id on the page.
    pub id: String,
    /// Plain text on one line.
    pub text: String,
}

/// The text under one heading, for a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// The heading's id; empty before the first heading.
    pub id: String,
    /// The heading, on one line.
    pub heading: String,
    /// Plain text, one block per line.
    pub text: String,
}

/// The deepest headings that begin a passage.
const DEEPEST_PASSAGE: u8 = 3;

impl Document {
    /// Whether it contains mathematics: then other dollar signs in its Markdown need escaping.
    pub fn has_math(&self) -> bool {
        let is_formula = |inline: &Inline| matches!(inline, Inline::Math { .. });
        self.all_blocks()
            .any(|block| matches!(block, Block::Math(_)) || block.lines().flatten().any(is_formula))
    }

    /// Removes the page's title from the content, since the page shows it separately.
    ///
    /// With a known title: an opening heading with the same text is removed, and its text returned.
    /// Without one: the opening heading of level 1, or the only one there is, is removed and
    /// returned; of several, the first is returned and all stay.
    pub fn take_title(&mut self, known: Option<&str>) -> Option<String> {
        let deepest = if known.is_some() { 6 } else { 1 };
        let opening = opening_heading(&self.blocks, deepest);
        let title = match known {
            Some(known) => opening.filter(|title| letters(&title.text) == letters(known))?,
            None => match (opening, self.top_headings().as_slice()) {
                (Some(opening), _) => opening,
                (None, [only]) => only.clone(),
                (None, tops) => return tops.first().map(|first| first.text.clone()),
            },
        };
        self.remove_title(title.id);
        Some(title.text)
    }

    /// The text of the heading that the document opens with, of any level.
    pub fn opening_heading(&self) -> Option<String> {
        opening_heading(&self.blocks, 6).map(|heading| heading.text)
    }

    /// The text of the heading that may be the title of a whole page: an opening heading of any
    /// level, else the only one of level 1.
    pub fn title_heading(&self) -> Option<String> {
        self.find_title_heading().map(|title| title.text)
    }

    /// Removes the heading of [`Self::title_heading`].
    pub fn take_title_heading(&mut self) {
        if let Some(title) = self.find_title_heading() {
            self.remove_title(title.id);
        }
    }

    fn find_title_heading(&self) -> Option<Heading> {
        match (
            opening_heading(&self.blocks, 6),
            self.top_headings().as_slice(),
        ) {
            (None, [only]) => Some(only.clone()),
            (opening, _) => opening,
        }
    }

    /// The headings of level 1 outside any other block.
    fn top_headings(&self) -> Vec<Heading> {
        self.blocks
            .iter()
            .filter_map(Heading::from_block)
            .filter(|heading| heading.level == 1)
            .collect()
    }

    fn remove_title(&mut self, id: String) {
        if let Some(Block::Heading { content, .. }) = remove_heading(&mut self.blocks, &id) {
            let anchors = walk(&content).filter_map(anchor);
            self.title_anchors = anchors.map(str::to_owned).collect();
        }
        self.title_id = Some(id);
    }

    /// The ids of the heading that was removed.
    pub fn title_ids(&self) -> impl Iterator<Item = &str> {
        let ids = self.title_id.iter().chain(&self.title_anchors);
        ids.map(String::as_str)
    }

    /// All headings in order, with their output levels.
    pub fn headings(&self) -> Vec<Heading> {
        let mut levels = levels::Levels::default();
        let mut headings: Vec<Heading> =
            walk(&self.blocks).filter_map(Heading::from_block).collect();
        for heading in &mut headings {
            heading.level = levels.next(heading.level);
        }
        headings
    }

    /// Every id that links can target: headings, containers, anchors.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.title_ids().collect();
        for block in self.all_blocks() {
            match block {
                Block::Heading { id, .. } => ids.push(id),
                Block::Container(container) => ids.extend(id_attribute(&container.attributes)),
                _ => {}
            }
            ids.extend(block.lines().flat_map(walk).filter_map(anchor));
        }
        ids
    }

    /// The plain text, one block per line: for word counts, reading time.
    pub fn plain_text(&self) -> String {
        let mut text = String::new();
        for block in self.all_blocks() {
            for_plain(block, |piece| text.push_str(piece));
        }
        text
    }

    /// The plain text in passages: the first is what precedes all headings of levels 2 and 3, each
    /// other begins with one.
    pub fn passages(&self) -> Vec<Passage> {
        let mut levels = levels::Levels::default();
        let mut passages = Vec::new();
        let mut open = Passage::default();
        for block in self.all_blocks() {
            if let Some(heading) = Heading::from_block(block)
                && levels.next(heading.level) <= DEEPEST_PASSAGE
            {
                passages.push(std::mem::take(&mut open));
                (open.id, open.heading) = (heading.id, heading.text);
            } else {
                for_plain(block, |piece| open.text.push_str(piece));
            }
        }
        passages.push(open);
        passages
    }

    /// The text and the address, as written, of every link.
    pub fn links(&self) -> Vec<(String, &str)> {
        let inlines = self.all_blocks().flat_map(Block::lines).flat_map(walk);
        inlines
            .filter_map(|inline| match inline {
                Inline::Link {
                    reference, content, ..
                } => Some((plain_without_images(content), self.raw(*reference)?)),
                _ => None,
            })
            .collect()
    }

    /// The alternative text and the address, as written, of every image.
    pub fn images(&self) -> Vec<(&str, &str)> {
        let inlines = self.all_blocks().flat_map(Block::lines).flat_map(walk);
        inlines
            .filter_map(|inline| match inline {
                Inline::Image(image) => Some((image.alt.as_str(), self.raw(image.reference)?)),
                _ => None,
            })
            .collect()
    }

    fn raw(&self, reference: ReferenceId) -> Option<&str> {
        Some(self.references.get(reference)?.raw.as_str())
    }

    /// The picture that the text begins with.
    pub fn opening_picture(&self) -> Option<ReferenceId> {
        let mut block = self.blocks.first()?;
        loop {
            let inner = match block {
                Block::Paragraph(content) => return picture(content.first()?),
                Block::Figure { blocks, .. } => blocks,
                Block::Container(container) => &container.blocks,
                _ => return None,
            };
            block = inner.first()?;
        }
    }

    /// The number of words: runs of letters and digits, with each character of Chinese and Japanese
    /// counted as a word.
    pub fn word_count(&self) -> usize {
        let mut words = WordCount::default();
        for block in self.all_blocks() {
            for_plain(block, |text| words.add(text));
        }
        words.count
    }
}

/// The number of words in a text that is added in pieces.
#[derive(Clone, Copy, Default)]
struct WordCount {
    count: usize,
    in_word: bool,
}

/// A letter or a digit of ASCII.
const PART: u8 = 1;
/// An apostrophe.
const MARK: u8 = 2;
/// What a byte is in a word: comparing it with each range takes 1.6 times as many instructions.
static KINDS: [u8; 256] = {
    let (mut kinds, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            kinds[byte as usize] = PART;
        }
        byte += 1;
    }
    kinds[b'\'' as usize] = MARK;
    kinds
};

impl WordCount {
    fn add(&mut self, text: &str) {
        *self = match text.is_ascii() {
            true => text.bytes().fold(*self, |words, byte| {
                let kind = KINDS[usize::from(byte)];
                words.after(kind == PART, kind == MARK)
            }),
            false => text.chars().fold(*self, Self::after_character),
        };
    }

    fn after_character(self, character: char) -> Self {
        match is_ideograph(character) {
            true => Self {
                count: self.count + 1,
                in_word: false,
            },
            false => self.after(character.is_alphanumeric(), matches!(character, '\'' | '’')),
        }
    }

    /// The count after a character. It has no branch, because every word would take another one.
    fn after(self, is_part: bool, is_apostrophe: bool) -> Self {
        Self {
            count: self.count + usize::from(is_part & !self.in_word),
            in_word: is_part | (self.in_word & is_apostrophe),
        }
    }
}

impl Heading {
    /// The heading in a block, with its source level.
    fn from_block(block: &Block) -> Option<Self> {
        let Block::Heading { level, id, content } = block else {
            return None;
        };
        Some(Self {
            level: *level,
            id: id.clone(),
            text: plain_line(content),
        })
    }
}

/// The heading of at most this level that opens the document, in containers and after images.
fn opening_heading(blocks: &[Block], deepest: u8) -> Option<Heading> {
    for block in blocks {
        match block {
            Block::Heading { level, .. } if *level <= deepest => return Heading::from_block(block),
            // An empty box, filled by scripts, is ignored.
            Block::Container(container) if container.blocks.is_empty() => {}
            Block::Container(container) => return opening_heading(&container.blocks, deepest),
            Block::Paragraph(inlines)
                if plain_without_images(inlines).contains(char::is_alphanumeric) =>
            {
                return None;
            }
            Block::Paragraph(_) | Block::Rule | Block::Figure { .. } => {}
            _ => return None,
        }
    }
    None
}

/// Removes the heading with this id from the blocks or a container in them, and returns it.
fn remove_heading(blocks: &mut Vec<Block>, wanted: &str) -> Option<Block> {
    let is_wanted = |block: &Block| matches!(block, Block::Heading { id, .. } if id == wanted);
    if let Some(index) = blocks.iter().position(is_wanted) {
        return Some(blocks.remove(index));
    }
    blocks.iter_mut().find_map(|block| match block {
        Block::Container(container) => remove_heading(&mut container.blocks, wanted),
        _ => None,
    })
}

/// The id of an inline that links can target.
fn anchor(inline: &Inline) -> Option<&str> {
    match inline {
        Inline::Anchor(id) => Some(id),
        Inline::Span(span) => id_attribute(&span.attributes),
        _ => None,
    }
}

/// Letters and digits in lower case, to compare titles.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn id_attribute(attributes: &Attributes) -> Option<&str> {
    attributes
        .iter()
        .find(|(name, _)| name == "id")
        .map(|(_, id)| id.as_str())
}

/// Plain text on one line.
pub(crate) fn plain_line(inlines: &[Inline]) -> String {
    one_line(&plain(inlines))
}

/// The text without markup; an image is its alternative text.
pub fn plain(inlines: &[Inline]) -> String {
    walk(inlines).map(plain_text_of).collect()
}

/// Calls `piece` with the pieces of a block's own text, without that of nested blocks.
fn for_plain(block: &Block, mut piece: impl FnMut(&str)) {
    for line in block.lines() {
        walk(line).map(plain_text_of).for_each(&mut piece);
        piece("\n");
    }
    if let Block::Code { text: code, .. } | Block::Math(code) = block {
        piece(code);
        piece("\n");
    }
}

/// The own text of an inline; that of an image is its alternative text.
fn plain_text_of(inline: &Inline) -> &str {
    match inline {
        Inline::Image(image) => &image.alt,
        other => other.own_text(),
    }
}

fn plain_without_images(inlines: &[Inline]) -> String {
    walk(inlines).map(Inline::own_text).collect()
}

impl Inline {
    /// Its own text, without that of nested inlines.
    pub(super) fn own_text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Math { tex: text, .. } => text,
            Self::HardBreak | Self::SoftBreak => " ",
            _ => "",
        }
    }
}

/// The image that an inline is, or that it links.
fn picture(inline: &Inline) -> Option<ReferenceId> {
    match inline {
        Inline::Image(image) => Some(image.reference),
        Inline::Link { content, .. } => picture(content.first()?),
        _ => None,
    }
}
