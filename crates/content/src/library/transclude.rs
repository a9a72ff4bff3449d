//! Notes shown inside others: `![[Note]]`, `![[Note#Heading]]`, `![[Note#^block]]` become a quotation with a link to the note. Only what is published is
//! shown; depth and size are bounded, and a note that shows itself is said.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::describe::Candidate;
use super::linking::Linked;
use super::work::Work;
use crate::model::document::transclude::{Transclusion, depth};
use crate::model::document::{Block, Content, Document, Image, Inline, ReferenceId, ReferenceKind, Target};
use crate::model::problem::Problem;

/// How many notes may be shown inside each other.
const DEPTH: usize = 4;
/// How many notes one page may show.
const MOST: usize = 200;
/// How deep the containers of a note may be that is shown in another.
const DEEPEST: usize = 20;
/// How many bytes of words one page may grow by.
const LARGEST: usize = 500_000;

/// A page with the notes that it shows.
pub(super) struct Shown {
    pub document: Document,
    pub targets: Vec<Target>,
    pub problems: Vec<Problem>,
}

/// For each candidate the page with what it shows; `None`: it shows no notes.
pub(super) fn all(work: &Work<'_>, linked: &[Linked]) -> Vec<Option<Box<Shown>>> {
    if !linked.iter().any(|linked| linked.embeds) {
        return linked.iter().map(|_| None).collect();
    }
    let published = work.candidates.iter().enumerate().filter(|(_, candidate)| work.is_published(candidate));
    let by_stem = published.map(|(at, candidate)| (&*candidate.stem.value, at)).collect();
    let notes = Notes { work, linked, by_stem, documents: linked.iter().map(|_| OnceLock::new()).collect() };
    let one = |(at, linked): (usize, &Linked)| linked.embeds.then(|| Box::new(Page::whole(&notes, at)));
    linked.par_iter().enumerate().map(one).collect()
}

/// What may be shown.
struct Notes<'a> {
    work: &'a Work<'a>,
    linked: &'a [Linked],
    by_stem: BTreeMap<&'a str, usize>,
    /// The documents that somebody looked at: many pages may show the same.
    documents: Vec<OnceLock<Content>>,
}

impl Notes<'_> {
    fn document(&self, at: usize) -> &Document {
        self.documents[at].get_or_init(|| self.work.candidates[at].described.document.aside())
    }
}

struct Page<'a> {
    notes: &'a Notes<'a>,
    shown: Shown,
    /// The candidates that are being shown.
    open: Vec<usize>,
    left: usize,
    grown: usize,
    /// Whether it was said that the page shows too much.
    full: bool,
    /// Where the page itself asks for what is being shown.
    place: (u32, u32),
}

impl<'a> Page<'a> {
    /// The page of a candidate with all that it shows.
    fn whole(notes: &'a Notes<'a>, at: usize) -> Shown {
        let shown = Shown { document: notes.document(at).clone(), targets: notes.linked[at].targets.clone(), problems: Vec::new() };
        let mut page = Self { notes, shown, open: vec![at], left: MOST, grown: 0, full: false, place: (0, 0) };
        let blocks = std::mem::take(&mut page.shown.document.blocks);
        page.shown.document.blocks = page.blocks(blocks);
        page.shown
    }

    fn blocks(&mut self, blocks: Vec<Block>) -> Vec<Block> {
        let mut out = Vec::with_capacity(blocks.len());
        for mut block in blocks {
            match &mut block {
                Block::Paragraph(inlines) if inlines.iter().any(|inline| self.embed(inline).is_some()) => {
                    out.extend(self.paragraph(std::mem::take(inlines)));
                    continue;
                }
                Block::Quote(inner) | Block::Details { blocks: inner, .. } => *inner = self.blocks(std::mem::take(inner)),
                Block::Callout(callout) => callout.blocks = self.blocks(std::mem::take(&mut callout.blocks)),
                Block::Container(container) => container.blocks = self.blocks(std::mem::take(&mut container.blocks)),
                Block::List(list) => {
                    for item in &mut list.items {
                        item.blocks = self.blocks(std::mem::take(&mut item.blocks));
                    }
                }
                _ => {}
            }
            out.push(block);
        }
        out
    }

    /// A paragraph with notes on lines of their own between its words.
    fn paragraph(&mut self, inlines: Vec<Inline>) -> Vec<Block> {
        let (mut blocks, mut words) = (Vec::new(), Vec::new());
        for line in inlines.split_inclusive(|inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak)) {
            let mut seen = line.iter().filter(|inline| !is_blank(inline));
            let embed = match (seen.next(), seen.next()) {
                (Some(only), None) => self.embed(only).map(|(candidate, image)| (candidate, image.clone())),
                _ => None,
            };
            match embed.and_then(|(candidate, image)| self.note(candidate, &image)) {
                Some(quote) => {
                    push_words(&mut blocks, &mut words);
                    blocks.push(quote);
                }
                None => words.extend_from_slice(line),
            }
        }
        push_words(&mut blocks, &mut words);
        blocks
    }

    /// The note that an image is, if it is one.
    fn embed<'i>(&self, inline: &'i Inline) -> Option<(usize, &'i Image)> {
        let Inline::Image(image) = inline else { return None };
        let reference = self.shown.document.references.get(image.reference)?;
        let Some(Target::Page { stem, .. }) = self.shown.targets.get(image.reference) else { return None };
        let candidate = *self.notes.by_stem.get(&**stem)?;
        (reference.kind == ReferenceKind::Embed).then_some((candidate, image))
    }

    /// A note as a quotation; `None`: the link to it is all that is shown.
    fn note(&mut self, at: usize, image: &Image) -> Option<Block> {
        let notes = self.notes;
        let candidate = &notes.work.candidates[at];
        let reference = self.shown.document.references.get(image.reference)?.clone();
        if self.open.len() == 1 {
            self.place = (reference.line, reference.column);
        }
        if self.open.contains(&at) {
            self.say(&reference.raw, "it shows itself");
            return None;
        }
        if self.left == 0 || self.grown > LARGEST {
            return self.too_much(&reference.raw);
        }
        let document = notes.document(at);
        let part = part(document, &reference.raw, self.shown.targets.get(image.reference)?)?;
        // What is too large counts as well: it was looked through.
        self.left -= 1;
        if self.open.len() > DEPTH || depth(part) > DEEPEST {
            return self.too_much(&reference.raw);
        }
        let size = Document { blocks: part.to_vec(), ..Document::default() }.plain_text().len();
        if self.grown + size > LARGEST {
            return self.too_much(&reference.raw);
        }
        self.grown += size;
        let (blocks, brought) = Transclusion::new(document, &mut self.shown.document).copy(part);
        let targets = &notes.linked[at].targets;
        self.shown.targets.extend(brought.iter().map(|old| from_elsewhere(targets, *old, candidate)));
        self.open.push(at);
        let mut blocks = self.blocks(blocks);
        self.open.pop();
        let title = if image.alt == reference.raw || image.alt.is_empty() { &*candidate.title.value } else { &image.alt };
        let link = Inline::Link { reference: image.reference, title: String::new(), content: vec![Inline::text(title)] };
        blocks.insert(0, Block::Paragraph(vec![link]));
        Some(Block::Quote(blocks))
    }

    /// Says once a page that it shows too much: what comes behind is but links.
    fn too_much(&mut self, raw: &str) -> Option<Block> {
        if !std::mem::replace(&mut self.full, true) {
            self.say(raw, "the page shows too much");
        }
        None
    }

    fn say(&mut self, raw: &str, why: &str) {
        let work = self.notes.work;
        let path = &*work.sources.files[work.candidates[self.open[0]].file].path;
        let message = format!("`![[{}]]` is but a link: {why}", crate::model::text::shorten(raw, 200));
        Problem::note_all(&mut self.shown.problems, [Problem::warning(message).at(path, self.place.0, self.place.1)]);
    }
}

/// What of a note is shown: all of it, what stands under a heading, or one block.
fn part<'d>(document: &'d Document, raw: &str, target: &Target) -> Option<&'d [Block]> {
    let Some((_, fragment)) = raw.split_once('#') else { return Some(&document.blocks) };
    if let Some(id) = fragment.rsplit('#').next().filter(|id| id.starts_with('^')) {
        return document.block_with(id.trim());
    }
    match target {
        Target::Page { fragment: Some(fragment), .. } => document.section(fragment),
        _ if fragment.trim().is_empty() => Some(&document.blocks),
        _ => None,
    }
}

/// Where a reference of another page leads from here.
fn from_elsewhere(targets: &[Target], reference: ReferenceId, page: &Candidate) -> Target {
    match targets.get(reference) {
        Some(Target::Here(fragment)) => {
            Target::Page { stem: Arc::clone(&page.stem.value), fragment: Some(fragment.clone()).filter(|fragment| !fragment.is_empty()) }
        }
        Some(target) => target.clone(),
        None => Target::Unresolved,
    }
}

fn is_blank(inline: &Inline) -> bool {
    match inline {
        Inline::SoftBreak | Inline::HardBreak | Inline::Anchor(_) => true,
        Inline::Text(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Words as a paragraph, without breaks at their ends.
fn push_words(blocks: &mut Vec<Block>, words: &mut Vec<Inline>) {
    let breaks = |inline: &Inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak);
    while words.last().is_some_and(breaks) {
        words.pop();
    }
    let leading = words.iter().take_while(|inline| breaks(inline)).count();
    words.drain(..leading);
    if words.iter().any(|inline| !is_blank(inline)) {
        blocks.push(Block::Paragraph(std::mem::take(words)));
    }
    words.clear();
}
