//! One file, read by itself. What is made here depends on the file's bytes, its path and the kind of folder, and
//! on nothing else but the files it includes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::Kind::Article;
use super::classify::Format;
use super::dates;
use super::describe::Sketch;
use super::folder::Proofs;
use crate::bounds::{self, Bounds};
use crate::dialect::{Files, Kind, Named, Remark, translate};
use crate::document::{Content, Document, Reference};
use crate::front::{Front, Node, Syntax, Value, split};
use crate::html;
use crate::markdown;
use crate::problem::Problem;
use crate::settings;
use crate::sources::{LOCK_FILE, Sources};
use crate::text::decode;
use crate::visibility::{self, Visibility};

/// The keys of a file that is nothing but a redirect.
pub(super) const REDIRECT: &[&str] = &["redirect_to", "redirect"];

/// Tags with which templates make pages out of each other: a page that somebody reads has none of them.
const TEMPLATE_TAGS: [&str; 9] = ["block", "extends", "macro", "define", "content", "yield", "endblock", "partial", "template"];

/// One file, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub front: Arc<Front>,
    /// What its dates prove about those of the folder.
    pub proofs: Proofs,
    /// The content. Of Markdown the title is taken out, of HTML it is still in it.
    pub document: Content,
    /// What Markdown says about its title and the like; until it is described.
    pub sketch: Option<Box<Sketch>>,
    /// Every address in it.
    pub references: Arc<[Reference]>,
    /// Whether there is nothing to show, and nowhere to lead to.
    pub empty: bool,
    /// Whether it is a template that a generator fills, and no page.
    pub template: bool,
    /// Whether reading it took too long: nothing else of it is known.
    pub endless: bool,
    /// What a whole HTML page is called.
    pub names: Option<Box<html::Names>>,
    /// The address that a whole HTML page calls its own.
    pub canonical: Option<String>,
    /// Template tags dropped, by name.
    pub unknown_tags: BTreeMap<String, usize>,
    /// Files of the folder that stand in it.
    pub included: BTreeSet<String>,
    /// Paths that its includes asked for, and what they led to then.
    pub asked: Vec<(String, Sum)>,
    pub problems: Vec<Problem>,
}

/// Reads one file, unless it takes too long.
pub(crate) fn parse(bytes: &[u8], path: &str, format: Format, kind: &Kind, sources: &Sources, now: Timestamp) -> Parsed {
    let parsed = bounds::within(&sources.bounds, || read(bytes, path, format, kind, sources, now));
    let mut parsed = parsed.unwrap_or_else(|| Parsed { endless: true, empty: true, ..Parsed::default() });
    // All documents of a folder are there at once while its links are resolved.
    parsed.document.pack();
    parsed
}

fn read(bytes: &[u8], path: &str, format: Format, kind: &Kind, sources: &Sources, now: Timestamp) -> Parsed {
    let (text, mut problems) = decode(bytes, path);
    let split = split(&text, path);
    problems.extend(split.problems);
    let mut front = split.front;
    kind.config.fill(path, &mut front);
    let jsx = kind.dialect.jsx || path.to_ascii_lowercase().ends_with(".mdx");
    let asked = RefCell::new(BTreeMap::new());
    let read = |path: &str| {
        let named = named(sources, path, now);
        asked.borrow_mut().insert(path.to_owned(), sum(&named));
        named
    };
    let translated = translate(split.body, format == Format::Html, jsx, kind, &front, &Files { path, read: &read });
    let say = |remark: &Remark| Problem::warning(remark.message.as_str()).at(path, split.first_line + remark.line, remark.column);
    problems.extend(translated.remarks.iter().map(say));
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
    let asked = asked.into_inner().into_iter().collect();
    let empty = front.first(REDIRECT).is_none() && document.blocks.is_empty() && document.footnotes.is_empty();
    let (proofs, references) = (Proofs::of(&front), document.references.as_slice().into());
    let sketch = (format == Format::Markdown).then(|| Box::new(Sketch::of(&front, &mut document, None)));
    let (front, document) = (Arc::new(front), document.into());
    Parsed { proofs, front, sketch, references, empty, template, endless: false, document, names, canonical, unknown_tags, included, asked, problems }
}

/// What stands for a text that an include led to.
pub(super) type Sum = [u8; 32];

fn sum(named: &Named) -> Sum {
    let (kind, text) = match named {
        Named::Text(text) => (0, text.as_str()),
        Named::Closed(why) => (1, why.as_str()),
        Named::Missing => (2, ""),
    };
    *blake3::Hasher::new().update(&[kind]).update(text.as_bytes()).finalize().as_bytes()
}

/// Whether what a text includes is what it was when the text was read.
pub(super) fn includes_the_same(parsed: &Parsed, sources: &Sources, now: Timestamp) -> bool {
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
    if super::format(path).is_none() {
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
            let key = crate::front::Key { text: key.to_owned(), line: 0, column: 0 };
            front.entries.push(crate::front::Entry { key, node: Node { value, line: 0, column: 0 } });
        }
    };
    let scalar = |text: &str| Value::Scalar { text: text.to_owned(), plain: false };
    for (key, text) in texts {
        if let Some(text) = text {
            add(key, scalar(text));
        }
    }
    if let Some(to) = &page.redirect {
        add(REDIRECT[0], scalar(&crate::links::from_root(path, to)));
    }
    for (key, list) in [("authors", &page.authors), ("tags", &page.tags)] {
        if !list.is_empty() {
            add(key, Value::List(list.iter().map(|text| Node { value: scalar(text), line: 0, column: 0 }).collect()));
        }
    }
}

impl Parsed {
    /// The same without its document, which is made again when somebody looks at it.
    pub fn released(&self) -> Self {
        Self { document: self.document.released(), ..self.clone() }
    }
}

/// The document of one file, its title taken out: as [`parse`] makes it where nothing is included and the text is Markdown.
///
/// It was read within its time before, so no clock is looked at.
pub(super) fn untitled(bytes: &[u8], path: &str, format: Format, kind: &Kind, nesting: usize) -> Document {
    let alone = Sources { bounds: Bounds { nesting, ..Bounds::default() }, ..Sources::default() };
    let read = || read(bytes, path, format, kind, &alone, Timestamp::UNIX_EPOCH).document.change(std::mem::take);
    bounds::within(&alone.bounds, read).unwrap_or_default()
}
