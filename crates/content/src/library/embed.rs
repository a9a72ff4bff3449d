//! Embedded notes: `![[Note]]`, `![[Note#Heading]]`, `![[Note#^block]]` become a quotation with a
//! link to the note. Only published notes are embedded; depth and size are bounded, and a note that
//! embeds itself is reported.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{candidate::Candidate, linking::ArticleLinks, publication::Publication};
use crate::model::{
    document::{
        Block, Content, Document, Image, Inline, ReferenceId, ReferenceKind, Target,
        transclude::{Transclusion, depth},
    },
    parallel,
    problem::{Cause, Problem},
    text::shorten,
};

/// How deep notes may be nested.
const DEPTH: usize = 4;
/// How many notes one page may embed.
const MOST: usize = 200;
/// How deep the containers of an embedded note may be nested.
const DEEPEST: usize = 20;
/// How many bytes of text one page may grow by.
const LARGEST: usize = 500_000;

/// A page with its embedded notes.
pub struct Embedded {
    pub document: Document,
    pub targets: Vec<Target>,
    pub problems: Vec<Problem>,
}

/// For each candidate the page with its embedded notes; `None`: it embeds none.
pub fn all(
    publication: &Publication<'_>,
    linked: &[Arc<ArticleLinks>],
) -> Vec<Option<Box<Embedded>>> {
    let mut notes = Notes {
        publication,
        linked,
        by_stem: FxHashMap::default(),
        documents: Vec::new(),
    };
    if linked.iter().any(|links| links.embeds) {
        for (at, candidate) in publication.candidates.iter().enumerate() {
            if publication.is_published(candidate) {
                notes.by_stem.insert(&candidate.stem.value, at);
            }
        }
        notes.documents.resize_with(linked.len(), OnceLock::new);
    }
    parallel::map_numbers(linked.len(), |at| {
        let embeds = linked[at].embeds;
        embeds.then(|| Box::new(Page::embed_all(&notes, at)))
    })
}

/// What may be embedded.
struct Notes<'a> {
    publication: &'a Publication<'a>,
    linked: &'a [Arc<ArticleLinks>],
    by_stem: FxHashMap<&'a str, usize>,
    /// The documents already searched: many pages may embed the same.
    documents: Vec<OnceLock<Content>>,
}

impl Notes<'_> {
    fn document(&self, at: usize) -> &Document {
        self.documents[at]
            .get_or_init(|| self.publication.candidates[at].described.document.aside())
    }
}

/// The state of embedding notes in a page.
struct Page<'a> {
    notes: &'a Notes<'a>,
    embedded: Embedded,
    /// The candidates being embedded, the page itself first.
    open: Vec<usize>,
    /// How many more notes it may embed.
    left: usize,
    /// How many bytes of text it has grown by.
    grown: usize,
    /// Whether the page was reported as embedding too much.
    full: bool,
    /// The place in the page itself that asks for the current note.
    place: (u32, u32),
}

impl<'a> Page<'a> {
    /// The page of a candidate with all its embedded notes.
    fn embed_all(notes: &'a Notes<'a>, at: usize) -> Embedded {
        let mut document = notes.document(at).clone();
        let blocks = std::mem::take(&mut document.blocks);
        let embedded = Embedded {
            document,
            targets: notes.linked[at].targets.to_vec(),
            problems: Vec::new(),
        };
        let mut page = Self {
            notes,
            embedded,
            open: vec![at],
            left: MOST,
            grown: 0,
            full: false,
            place: (0, 0),
        };
        page.embedded.document.blocks = page.blocks(blocks);
        page.embedded
    }

    fn blocks(&mut self, blocks: Vec<Block>) -> Vec<Block> {
        let mut out = Vec::with_capacity(blocks.len());
        for mut block in blocks {
            match &mut block {
                Block::Paragraph(inlines)
                    if inlines.iter().any(|inline| self.note_in(inline).is_some()) =>
                {
                    out.extend(self.paragraph(inlines));
                    continue;
                }
                Block::Quote(inner) | Block::Details { blocks: inner, .. } => self.replace(inner),
                Block::Callout(callout) => self.replace(&mut callout.blocks),
                Block::Container(container) => self.replace(&mut container.blocks),
                Block::List(list) => {
                    for item in &mut list.items {
                        self.replace(&mut item.blocks);
                    }
                }
                _ => {}
            }
            out.push(block);
        }
        out
    }

    fn replace(&mut self, blocks: &mut Vec<Block>) {
        *blocks = self.blocks(std::mem::take(blocks));
    }

    /// A paragraph that contains notes on lines of their own.
    fn paragraph(&mut self, inlines: &[Inline]) -> Vec<Block> {
        let (mut blocks, mut words) = (Vec::new(), Vec::new());
        for line in inlines.split_inclusive(is_break) {
            match self.quotation(line) {
                Some(quotation) => {
                    push_words(&mut blocks, &mut words);
                    blocks.push(quotation);
                }
                None => words.extend_from_slice(line),
            }
        }
        push_words(&mut blocks, &mut words);
        blocks
    }

    /// The note of a line that contains nothing else, as a quotation.
    fn quotation(&mut self, line: &[Inline]) -> Option<Block> {
        let mut visible = line.iter().filter(|inline| !is_blank(inline));
        let (only, None) = (visible.next()?, visible.next()) else {
            return None;
        };
        let (at, image) = self.note_in(only)?;
        self.note(at, image)
    }

    /// The note that an image is, if it is one.
    fn note_in<'i>(&self, inline: &'i Inline) -> Option<(usize, &'i Image)> {
        let Inline::Image(image) = inline else {
            return None;
        };
        let reference = self.embedded.document.references.get(image.reference)?;
        let Target::Page { stem, .. } = self.embedded.targets.get(image.reference)? else {
            return None;
        };
        let at = *self.notes.by_stem.get(&**stem)?;
        (reference.kind == ReferenceKind::Embed).then_some((at, image))
    }

    /// A note as a quotation; `None`: only the link to it is shown.
    fn note(&mut self, at: usize, image: &Image) -> Option<Block> {
        let notes = self.notes;
        let reference = self
            .embedded
            .document
            .references
            .get(image.reference)?
            .clone();
        if self.open.len() == 1 {
            self.place = (reference.line, reference.column);
        }
        if self.open.contains(&at) {
            self.report(&reference.raw, "it embeds itself");
            return None;
        }
        let document = notes.document(at);
        let target = self.embedded.targets.get(image.reference)?;
        let within_bounds = self.left > 0 && self.grown <= LARGEST;
        let part = if within_bounds {
            part(document, &reference.raw, target)?
        } else {
            &[]
        };
        if !within_bounds || !self.take(part) {
            self.report_too_much(&reference.raw);
            return None;
        }
        let (blocks, copied) = Transclusion::new(document, &mut self.embedded.document).copy(part);
        let candidate = &notes.publication.candidates[at];
        for reference in copied {
            self.embedded.targets.push(target_from(
                candidate,
                &notes.linked[at].targets,
                reference,
            ));
        }
        self.open.push(at);
        let mut blocks = self.blocks(blocks);
        self.open.pop();
        blocks.insert(0, link(image, &reference.raw, &candidate.title.value));
        Some(Block::Quote(blocks))
    }

    /// Counts a part of a note, unless the page would exceed its limits. A part that is too large
    /// also counts as a note, because it was searched.
    fn take(&mut self, part: &[Block]) -> bool {
        self.left -= 1;
        if self.open.len() > DEPTH || depth(part) > DEEPEST {
            return false;
        }
        let size = Document {
            blocks: part.to_vec(),
            ..Document::default()
        }
        .plain_text()
        .len();
        let fits = self.grown + size <= LARGEST;
        if fits {
            self.grown += size;
        }
        fits
    }

    /// Reports once that a page embeds too much: the remaining notes stay links.
    fn report_too_much(&mut self, raw: &str) {
        if !self.full {
            self.full = true;
            self.report(raw, "the page embeds too much");
        }
    }

    fn report(&mut self, raw: &str, why: &str) {
        let publication = self.notes.publication;
        let path = &publication.candidates[self.open[0]].path;
        let (line, column) = self.place;
        let message = format!("`![[{}]]` becomes a plain link: {why}", shorten(raw, 200));
        let problem = Problem::warning(message)
            .at(&**path, line, column)
            .cause(Cause::Embed);
        Problem::note_all(&mut self.embedded.problems, [problem]);
    }
}

/// The link to a note above its embedded part.
fn link(image: &Image, raw: &str, title: &str) -> Block {
    let text = if image.alt.is_empty() || image.alt == raw {
        title
    } else {
        &image.alt
    };
    Block::Paragraph(vec![Inline::Link {
        reference: image.reference,
        title: String::new(),
        content: vec![Inline::text(text)],
    }])
}

/// The embedded part of a note: all of it, the section of a heading, or one block.
fn part<'d>(document: &'d Document, raw: &str, target: &Target) -> Option<&'d [Block]> {
    let Some((_, fragment)) = raw.split_once('#') else {
        return Some(&document.blocks);
    };
    if let Some(id) = fragment.rsplit('#').next()
        && id.starts_with('^')
    {
        return document.block_with(id.trim());
    }
    match target {
        Target::Page {
            fragment: Some(fragment),
            ..
        } => document.section(fragment),
        _ if fragment.trim().is_empty() => Some(&document.blocks),
        _ => None,
    }
}

/// The target of another page's reference, relative to this page.
fn target_from(page: &Candidate, targets: &[Target], reference: ReferenceId) -> Target {
    match targets.get(reference) {
        Some(Target::Here(fragment)) => {
            let fragment = (!fragment.is_empty()).then(|| fragment.clone());
            Target::Page {
                stem: Arc::clone(&page.stem.value),
                fragment,
            }
        }
        Some(target) => target.clone(),
        None => Target::Unresolved,
    }
}

fn is_break(inline: &Inline) -> bool {
    matches!(inline, Inline::SoftBreak | Inline::HardBreak)
}

fn is_blank(inline: &Inline) -> bool {
    match inline {
        Inline::Anchor(_) => true,
        Inline::Text(text) => text.trim().is_empty(),
        _ => is_break(inline),
    }
}

/// Words as a paragraph, without breaks at their ends.
fn push_words(blocks: &mut Vec<Block>, words: &mut Vec<Inline>) {
    let mut words = std::mem::take(words);
    while words.last().is_some_and(is_break) {
        words.pop();
    }
    let leading = words.iter().take_while(|inline| is_break(inline)).count();
    words.drain(..leading);
    if !words.iter().all(is_blank) {
        blocks.push(Block::Paragraph(words));
    }
}
