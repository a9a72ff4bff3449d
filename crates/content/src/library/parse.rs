//! One file, read by itself. What is made here depends on the file's bytes, its path and the kind of folder, and
//! on nothing else but the files it includes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::Kind::Article;
use super::dates;
use super::describe::Sketch;
use super::folder::Proofs;
use super::memory::Memory;
use crate::dialects::{Files, Kind, Named, Remark, translate};
use crate::library::visibility::{self, Visibility};
use crate::model::bounds::{self, Bounds};
use crate::model::document::{Content, Document, Reference};
use crate::model::fingerprint::{Digest, Fingerprint, of_bytes};
use crate::model::format::Format;
use crate::model::problem::Problem;
use crate::model::sources::{LOCK_FILE, SourceFile, Sources};
use crate::model::text::decode;
use crate::syntax::front::{Front, Node, Syntax, Value, split};
use crate::syntax::html;
use crate::syntax::markdown;
use crate::syntax::settings;

/// The keys of a file that is nothing but a redirect.
pub(super) const REDIRECT: &[&str] = &["redirect_to", "redirect"];

/// Tags with which templates make pages out of each other: a page that somebody reads has none of them.
const TEMPLATE_TAGS: [&str; 9] = ["block", "extends", "macro", "define", "content", "yield", "endblock", "partial", "template"];

/// One file, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub front: Front,
    /// What its dates prove about those of the folder.
    pub proofs: Proofs,
    /// The content. Of Markdown the title is taken out, of HTML it is still in it.
    pub document: Content,
    /// What Markdown says about its title and the like.
    pub sketch: Option<Box<Sketch>>,
    /// Every address in it.
    pub references: Box<[Reference]>,
    /// Whether there is nothing to show, and nowhere to lead to.
    pub empty: bool,
    /// Whether it is a template that a generator fills, and no page.
    pub template: bool,
    /// The time in which it could not be read: nothing else of it is known.
    pub endless: Option<Duration>,
    /// What a whole HTML page is called.
    pub names: Option<Box<html::Names>>,
    /// The address that a whole HTML page calls its own.
    pub canonical: Option<String>,
    /// Template tags dropped, by name.
    pub unknown_tags: BTreeMap<String, usize>,
    /// Files of the folder that stand in it.
    pub included: BTreeSet<String>,
    /// Paths that its includes asked for, and what they led to then.
    pub asked: Vec<(String, Digest)>,
    pub problems: Vec<Problem>,
    /// A digest of all that it was made from, the files that it includes among it.
    pub digest: Digest,
}

/// What reads the texts of a folder.
pub(super) struct Parser<'a> {
    sources: &'a Sources,
    kind: Arc<Kind>,
    now: Timestamp,
    /// A digest of what is the same for all texts.
    shared: Digest,
    memory: &'a Memory,
}

impl<'a> Parser<'a> {
    pub fn new(sources: &'a Sources, kind: &Kind, now: Timestamp, memory: &'a Memory) -> Self {
        let shared = Fingerprint::of(&(kind.digest(), sources.bounds.nesting));
        Self { sources, kind: Arc::new(kind.clone()), now, shared, memory }
    }

    /// The text of a file.
    pub fn text(&self, file: &SourceFile, format: Format) -> Arc<Parsed> {
        let key = Fingerprint::of(&(&self.shared, &file.path, file.bytes.digest(), format));
        // A text that took too long is not tried again with as little time: every edit of another one would wait for it.
        let tried = |parsed: &Parsed| parsed.endless.is_none_or(|time| self.sources.bounds.time <= time);
        let holds = |parsed: &Parsed| tried(parsed) && includes_the_same(parsed, self.sources, self.now);
        self.memory.parsed.get_while(key, holds, || {
            let mut parsed = parse(file, format, &self.kind, self.sources, self.now);
            parsed.digest = Fingerprint::of(&(key, &parsed.asked, parsed.endless));
            if parsed.asked.is_empty() && parsed.names.is_none() && parsed.endless.is_none() {
                let (bytes, path, kind) = (file.bytes.clone(), Arc::clone(&file.path), Arc::clone(&self.kind));
                let nesting = self.sources.bounds.nesting;
                parsed.document.set_source(move || document(&bytes, &path, format, &kind, nesting));
            }
            parsed
        })
    }
}

/// Reads one file, unless it takes too long.
fn parse(file: &SourceFile, format: Format, kind: &Kind, sources: &Sources, now: Timestamp) -> Parsed {
    let asked = RefCell::default();
    let parsed = bounds::within(&sources.bounds, || read(&file.bytes, &file.path, format, kind, (sources, &asked), now));
    let asked = asked.into_inner().into_iter().collect();
    let mut parsed = match parsed {
        Some(parsed) => Parsed { asked, ..parsed },
        None => Parsed { endless: Some(sources.bounds.time), empty: true, asked, ..Parsed::default() },
    };
    // All documents of a folder are there at once while its links are resolved.
    parsed.document.pack();
    parsed
}

/// Paths that includes asked for, and what they led to.
type Asked = RefCell<BTreeMap<String, Digest>>;

fn read(bytes: &[u8], path: &str, format: Format, kind: &Kind, (sources, asked): (&Sources, &Asked), now: Timestamp) -> Parsed {
    let (text, mut problems) = decode(bytes, path);
    let split = split(&text, path);
    problems.extend(split.problems);
    let mut front = split.front;
    kind.config.fill(path, &mut front);
    let jsx = kind.dialect.jsx || path.to_ascii_lowercase().ends_with(".mdx");
    let read = |path: &str| {
        let named = named(sources, path, now);
        asked.borrow_mut().insert(path.to_owned(), sum(&named));
        named
    };
    let translated = translate(split.body, format == Format::Html, jsx, kind, &front, &Files { path, read: &read });
    let say = |remark: &Remark| Problem::warning(remark.message.as_str()).at(path, split.first_line + remark.line, remark.column);
    Problem::note_all(&mut problems, translated.remarks.iter().map(say));
    let (mut names, mut canonical) = (None, None);
    let mut document = match format {
        Format::Markdown => {
            let options = markdown::Options { first_line: split.first_line, wikilinks: kind.wikilinks, ..markdown::Options::default() };
            let mut document = markdown::parse(&translated.text, &options);
            if let Some(lines) = &translated.lines {
                for reference in &mut document.references {
                    let line = reference.line.saturating_sub(split.first_line) as usize;
                    reference.line = split.first_line + lines.get(line).copied().unwrap_or_default();
                }
            }
            document
        }
        Format::Html => {
            // The lines of front matter above are empty ones, so that places stay right.
            let above = "\n".repeat(split.first_line.saturating_sub(1) as usize);
            let page = html::parse_page(&format!("{above}{}", translated.text));
            adopt(&mut front, &page, path);
            (names, canonical) = (Some(Box::new(page.names)), page.canonical);
            page.document
        }
    };
    let (unknown_tags, included) = (translated.unknown, translated.included);
    let template = format == Format::Html && front.syntax == Syntax::None && TEMPLATE_TAGS.iter().any(|tag| unknown_tags.contains_key(*tag));
    let empty = front.first(REDIRECT).is_none() && document.blocks.is_empty() && document.footnotes.is_empty();
    let (proofs, references) = (Proofs::of(&front), document.references.as_slice().into());
    let sketch = (format == Format::Markdown).then(|| Box::new(Sketch::of(&front, &mut document, None)));
    Parsed {
        front,
        proofs,
        document: document.into(),
        sketch,
        references,
        empty,
        template,
        names,
        canonical,
        unknown_tags,
        included,
        problems,
        ..Parsed::default()
    }
}

/// What stands for a text that an include led to.
fn sum(named: &Named) -> Digest {
    match named {
        Named::Text(text) => Fingerprint::of(&(0, of_bytes(text.as_bytes()))),
        Named::Closed(why) => Fingerprint::of(&(1, why)),
        Named::Missing => Fingerprint::of(&2),
    }
}

/// Whether what a text includes is what it was when the text was read.
fn includes_the_same(parsed: &Parsed, sources: &Sources, now: Timestamp) -> bool {
    parsed.asked.iter().all(|(path, then)| sum(&named(sources, path, now)) == *then)
}

/// The largest file that may be included, in bytes.
const LARGEST: usize = 1_000_000;

/// What a path in an include leads to: a text that readers may see now, without its front matter.
fn named(sources: &Sources, path: &str, now: Timestamp) -> Named {
    let file = sources.files.binary_search_by(|file| (*file.path).cmp(path)).ok().and_then(|at| sources.files.get(at));
    let Some(file) = file else { return Named::Missing };
    if path == settings::FILE || path == LOCK_FILE || path.split('/').any(|folder| folder == "_drafts") {
        return Named::Closed("it is not for readers".to_owned());
    }
    if file.bytes.len() > LARGEST {
        return Named::Closed("it is larger than 1 MB".to_owned());
    }
    if std::str::from_utf8(&file.bytes).is_err() || file.bytes.contains(&0) {
        return Named::Closed("it is no text".to_owned());
    }
    let (text, _) = decode(&file.bytes, path);
    if Format::of(path).is_none() {
        return Named::Text(text.into_owned());
    }
    let split = split(&text, path);
    let window = dates::Reader { front: &split.front, path, order: None, problems: &mut Vec::new() }.read(file, Article, now).window;
    match visibility::decide(&split.front, window, now) {
        Visibility::Published | Visibility::Unlisted => Named::Text(split.body.to_owned()),
        Visibility::Draft(_) => Named::Closed("it is a draft".to_owned()),
        Visibility::Scheduled(_) => Named::Closed("it is scheduled for later".to_owned()),
        Visibility::Expired(_) => Named::Closed("it has expired".to_owned()),
    }
}

/// What an HTML page says about itself, as if its front matter said so; what that says stays.
fn adopt(front: &mut Front, page: &html::Page, path: &str) {
    let texts = [("description", &page.summary), ("date", &page.date), ("updated", &page.updated), ("lang", &page.language), ("image", &page.image)];
    let mut add = |key: &str, value: Value| {
        if front.first(&[key]).is_none() {
            let key = crate::syntax::front::Key { text: key.to_owned(), line: 0, column: 0 };
            front.entries.push(crate::syntax::front::Entry { key, node: Node { value, line: 0, column: 0 } });
        }
    };
    let scalar = |text: &str| Value::Scalar { text: text.to_owned(), plain: false };
    for (key, text) in texts {
        if let Some(text) = text {
            add(key, scalar(text));
        }
    }
    if let Some(to) = &page.redirect {
        add(REDIRECT[0], scalar(&crate::library::links::from_root(path, to)));
    }
    for (key, list) in [("authors", &page.authors), ("tags", &page.tags)] {
        if !list.is_empty() {
            add(key, Value::List(list.iter().map(|text| Node { value: scalar(text), line: 0, column: 0 }).collect()));
        }
    }
}

/// The document of one file, its title taken out: as [`parse`] makes it where nothing is included and the text is Markdown.
///
/// It was read within its time before, so no clock is looked at.
fn document(bytes: &[u8], path: &str, format: Format, kind: &Kind, nesting: usize) -> Document {
    let alone = Sources { bounds: Bounds { nesting, ..Bounds::default() }, ..Sources::default() };
    let asked = Asked::default();
    let read = || read(bytes, path, format, kind, (&alone, &asked), Timestamp::UNIX_EPOCH).document.change(std::mem::take);
    bounds::within(&alone.bounds, read).unwrap_or_default()
}
