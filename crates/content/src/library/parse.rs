//! Parses one file independently of the others. The result depends only on the file's bytes, its
//! path, the kind of folder and the included files.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;

use super::{
    dates::{self, OrderEvidence},
    extract::Extract,
    fields, front_only,
    include::{self, Asked, Includable, Includes},
    paths,
    visibility::status::STATUS,
};
use crate::dialects::{
    Files, HomeWords, Kind, Translated, fill_metadata, home_words, myst_labels::Label, translate,
    yaml_page,
};
use crate::model::{
    bounds::{self, Bounds},
    document::{Content, Document, Reference},
    fingerprint::{Digest, Fingerprint},
    format::Format,
    memo::Memo,
    problem::{Cause, Problem},
    sources::{SourceFile, Sources},
    text::{Lines, decode, number, shorten},
};
use crate::syntax::{
    front::{Entry, Front, Key, Node, Syntax, Value},
    html, markdown,
};

/// Tags by which templates extend each other: a page for readers has none of them.
const TEMPLATE_TAGS: [&str; 9] = [
    "block", "extends", "macro", "define", "content", "yield", "endblock", "partial", "template",
];

/// Up to how many bytes of text in a folder its documents are held until they are rendered. A
/// document is several times as large as its text; those of a larger folder are parsed again.
const HELD_BYTES: usize = 64 << 20;
/// The same where other editions follow: what lasts is allocated between the documents, so an
/// allocator cannot return the room that they took.
const HELD_BYTES_LASTING: usize = 8 << 20;

/// One parsed file.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub front: Front,
    /// What its dates prove about the order of day and month in the folder.
    pub date_order: OrderEvidence,
    /// Whether it has a date of its own.
    pub dated: bool,
    /// Whether it has a `slug`, and a `status`. Most folders have neither, and then read no front matter
    /// for them.
    pub has_slug: bool,
    pub has_status: bool,
    /// The language that its front matter names.
    pub language: Option<Box<str>>,
    /// The content. The title is already removed for Markdown, not yet for HTML.
    pub document: Content,
    /// What was extracted from Markdown: the title and the like.
    pub extract: Option<Box<Extract>>,
    /// Its inline tags, in a vault.
    pub tags: Vec<String>,
    /// Every address in it.
    pub references: Box<[Reference]>,
    /// Whether it has neither content nor a redirect target.
    pub empty: bool,
    /// Whether its document is made from its front matter, because it has no body.
    pub front_only: bool,
    /// Whether it is a generator's template, not a page.
    pub template: bool,
    /// The time limit that it exceeded: then nothing else of it is known.
    pub endless: Option<Duration>,
    /// The title candidates of a whole HTML page.
    pub names: Option<Box<html::Names>>,
    /// The canonical address of a whole HTML page.
    pub canonical: Option<String>,
    /// Dropped template tags, by name.
    pub unknown_tags: BTreeMap<String, usize>,
    /// Files of the folder that it includes.
    pub included: BTreeSet<String>,
    /// Paths that its includes asked for, and their results at that time.
    pub asked: Asked,
    pub problems: Vec<Problem>,
    /// A digest of everything it was parsed from, including the included files.
    pub digest: Digest,
}

/// Reads the texts of a folder.
pub struct Parser<'a> {
    sources: &'a Sources,
    kind: Arc<Kind>,
    includable: Includable<'a>,
    /// A digest of what all texts share.
    common: Digest,
    memo: &'a Memo<Parsed>,
    /// Whether documents are held until they are rendered.
    holds_documents: bool,
}

impl<'a> Parser<'a> {
    pub fn new(
        sources: &'a Sources,
        kind: &'a Kind,
        now: Timestamp,
        memo: &'a Memo<Parsed>,
        labels: &'a Memo<Vec<Label>>,
    ) -> Self {
        let common = Fingerprint::hash_one(&(kind.digest(), sources.bounds.nesting));
        Self {
            sources,
            kind: Arc::new(kind.clone()),
            includable: Includable::new(sources, kind, now, labels),
            common,
            memo,
            holds_documents: holds_documents(sources),
        }
    }

    /// A file, parsed now or taken from the memo.
    pub fn parse(&self, file: &SourceFile, format: Format) -> Arc<Parsed> {
        let key = Fingerprint::hash_one(&(&self.common, &file.path, file.bytes.digest(), format));
        self.memo.get_while(
            key,
            |parsed| self.holds(parsed),
            || {
                let mut parsed = parse(
                    file,
                    format,
                    &self.kind,
                    &self.includable,
                    &self.sources.bounds,
                );
                parsed.digest = Fingerprint::hash_one(&(key, &parsed.asked, parsed.endless));
                if parsed.asked.is_empty() && parsed.endless.is_none() {
                    self.set_source(&mut parsed.document, key, file, format);
                    // HTML pages keep theirs, because their title is not removed yet.
                    if !self.holds_documents && parsed.names.is_none() {
                        parsed.document.release();
                    }
                }
                parsed
            },
        )
    }

    /// Whether parsing a text now would give the same result.
    fn holds(&self, parsed: &Parsed) -> bool {
        // A text that timed out is not tried again with the same limit: every edit of another text
        // would wait for it.
        let has_more_time = parsed
            .endless
            .is_some_and(|time| time < self.sources.bounds.time);
        !has_more_time && include::unchanged(&parsed.asked, &self.includable)
    }

    /// Allows a document to be parsed again from the bytes of its file.
    fn set_source(
        &self,
        document: &mut Content,
        digest: Digest,
        file: &SourceFile,
        format: Format,
    ) {
        let (file, kind) = (file.clone(), Arc::clone(&self.kind));
        let nesting = self.sources.bounds.nesting;
        document.set_source(digest, move || read_again(&file, format, &kind, nesting));
    }
}

/// Whether the texts of a folder are small enough for that. Files beyond the bound are not counted.
fn holds_documents(sources: &Sources) -> bool {
    let most = match sources.lasting {
        true => HELD_BYTES_LASTING,
        false => HELD_BYTES,
    };
    let files = sources.files.iter();
    let mut texts = files.filter(|file| Format::from_path(&file.path).is_some());
    let mut bytes = 0;
    texts.all(|file| {
        bytes += file.bytes.len();
        bytes <= most
    })
}

/// Parses one file within the time limit.
fn parse(
    file: &SourceFile,
    format: Format,
    kind: &Kind,
    includable: &Includable<'_>,
    bounds: &Bounds,
) -> Parsed {
    let includes = Includes::new(includable);
    let parsed = bounds::within(bounds, || read(file, format, kind, &includes));
    let mut parsed = parsed.unwrap_or_else(|| Parsed {
        endless: Some(bounds.time),
        empty: true,
        ..Parsed::default()
    });
    parsed.asked = includes.asked();
    parsed
}

/// The document of a file without includes. It was parsed within its limit before, so no deadline
/// is checked.
fn read_again(file: &SourceFile, format: Format, kind: &Kind, nesting: usize) -> Document {
    let alone = Sources {
        bounds: Bounds {
            nesting,
            ..Bounds::default()
        },
        ..Sources::default()
    };
    let labels = Memo::default();
    let includable = Includable::new(&alone, kind, Timestamp::UNIX_EPOCH, &labels);
    let includes = Includes::new(&includable);
    let parsed = bounds::within(&alone.bounds, || read(file, format, kind, &includes));
    parsed.unwrap_or_default().document.into_document()
}

fn read(file: &SourceFile, format: Format, kind: &Kind, includes: &Includes<'_>) -> Parsed {
    let path = &*file.path;
    let (text, mut problems) = decode(&file.bytes, path);
    let data = yaml_page(&text, path).filter(|_| kind.dialect.yaml_pages);
    let split = match &data {
        Some(page) => page.split(),
        None => kind.split(&text, path),
    };
    problems.extend(split.problems);
    let well_placed = problems.len();
    let mut front = split.front;
    kind.config.fill(path, &mut front);
    let jsx = kind.reads_jsx(file, &front);
    if jsx {
        fill_metadata(split.body, &mut front);
    }
    let files = Files {
        path,
        read: &|path| includes.read(path),
        search: &|search| includes.search(search),
    };
    let translated = translate(
        split.body,
        format == Format::Html,
        jsx,
        kind,
        &front,
        &files,
    );
    let remarks = translated.remarks.iter().map(|remark| {
        let line = split.first_line + remark.line;
        let problem = Problem::warning(remark.message.as_str()).cause(remark.cause);
        Problem {
            subject: remark.subject.clone(),
            ..problem.at(path, line, remark.column)
        }
    });
    Problem::note_all(&mut problems, remarks);
    let mut parsed = Parsed {
        front,
        problems,
        ..Parsed::default()
    };
    let mut document = match format {
        Format::Markdown => {
            let words = home_words(&parsed.front, kind);
            read_markdown(&translated, words, split.first_line, kind)
        }
        Format::Html => parsed.read_html(&translated.text, split.first_line, path),
    };
    name_files(&mut document, path, kind);
    parsed.empty = document.blocks.is_empty()
        && document.footnotes.is_empty()
        && parsed.front.first(&fields::REDIRECT).is_none();
    if parsed.empty && format == Format::Markdown {
        parsed.front_only = front_only::fill(&parsed.front, &mut document);
    }
    if format == Format::Markdown {
        parsed.note_undefined(&translated, split.first_line, path);
    }
    if let Some(page) = &data {
        page.relocate(
            &mut parsed.problems[well_placed..],
            &mut document.references,
        );
    }
    parsed.unknown_tags = translated.unknown;
    parsed.included = translated.included;
    parsed.note_front(path);
    parsed.references = document.references.as_slice().into();
    parsed.template = format == Format::Html && parsed.is_template();
    if format == Format::Markdown && kind.vault {
        parsed.tags = document.take_tags();
    }
    if format == Format::Markdown {
        parsed.extract = Some(Box::new(Extract::take(&parsed.front, &mut document, None)));
    }
    parsed.document = document.into();
    parsed
}

/// Gives addresses that name files behind a word in braces their usual form.
fn name_files(document: &mut Document, path: &str, kind: &Kind) {
    let Some(files) = &kind.config.named_files else {
        return;
    };
    for reference in &mut document.references {
        if let Some(address) = files.address(path, &reference.raw) {
            reference.raw = address;
        }
    }
}

/// The document of a Markdown text after the words of its front matter, with the line numbers of
/// its file.
fn read_markdown(
    translated: &Translated<'_>,
    words: Option<HomeWords>,
    first_line: u32,
    kind: &Kind,
) -> Document {
    let options = markdown::Options {
        first_line,
        wikilinks: kind.wikilinks,
        ..markdown::Options::default()
    };
    let mut document = match &words {
        Some(words) => markdown::parse(&[&words.text, &*translated.text].concat(), &options),
        None => markdown::parse(&translated.text, &options),
    };
    if let Some(ids) = kind.heading_ids() {
        document.add_heading_ids(ids.slug, ids.repeat);
        if kind.dialect.summaries_have_ids {
            document.add_summary_ids(ids.slug);
        }
    }
    if kind.config.term_ids {
        document.add_term_ids();
    }
    let before = words.map(|words| words.lines).unwrap_or_default();
    if translated.lines.is_some() || !before.is_empty() {
        for reference in &mut document.references {
            let line = reference.line.saturating_sub(first_line) as usize;
            reference.line = match (before.get(line), &translated.lines) {
                (Some(line), _) => *line,
                (None, Some(lines)) => {
                    let line = lines.get(line - before.len()).copied();
                    first_line + line.unwrap_or_default()
                }
                (None, None) => reference.line - number(before.len()),
            };
        }
    }
    document
}

impl Parsed {
    /// Notes what the whole folder is asked about the front matter of each text.
    fn note_front(&mut self, path: &str) {
        self.date_order = OrderEvidence::from_front(&self.front);
        self.dated = dates::is_dated(&self.front, path);
        self.has_slug = self.front.first(&["slug"]).is_some();
        self.has_status = self.front.get(STATUS[0]).is_some();
        self.language = fields::language(&self.front).map(String::into_boxed_str);
    }

    /// Reports each label of reference links that has no definition.
    fn note_undefined(&mut self, translated: &Translated<'_>, first_line: u32, path: &str) {
        let text = &*translated.text;
        let undefined_references = markdown::undefined_references(text);
        if undefined_references.is_empty() {
            return;
        }
        let mut known = BTreeSet::new();
        let places = Lines::new(text);
        let mut problems = Vec::new();
        for (range, label) in undefined_references {
            if !known.insert(label.to_lowercase()) {
                continue;
            }
            let (line, column) = places.place(range.start);
            let own = match &translated.lines {
                Some(lines) => lines.get(line as usize - 1).copied().unwrap_or_default(),
                None => line - 1,
            };
            problems.push(undefined(&label).at(path, first_line + own, column));
        }
        Problem::note_all(&mut self.problems, problems);
    }

    /// The document of an HTML page. Its head is read as front matter.
    fn read_html(&mut self, text: &str, first_line: u32, path: &str) -> Document {
        // Empty lines replace the front matter above, so that line numbers are right.
        let above = "\n".repeat(first_line.saturating_sub(1) as usize);
        let page = html::parse_page(&format!("{above}{text}"));
        add_head(&mut self.front, &page, path);
        self.names = Some(Box::new(page.names));
        self.canonical = page.canonical;
        page.document
    }

    /// Whether the tags of an HTML page are those of templates; never for a page with front matter.
    fn is_template(&self) -> bool {
        self.front.syntax == Syntax::None
            && TEMPLATE_TAGS
                .iter()
                .any(|tag| self.unknown_tags.contains_key(*tag))
    }
}

/// Adds the metadata of an HTML head to the page's front matter, which has priority.
fn add_head(front: &mut Front, page: &html::Page, path: &str) {
    let texts = [
        ("description", &page.summary),
        ("date", &page.date),
        ("updated", &page.updated),
        ("lang", &page.language),
        ("image", &page.image),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            add_field(front, key, scalar(text));
        }
    }
    if let Some(to) = &page.redirect {
        add_field(
            front,
            fields::REDIRECT[0],
            scalar(&paths::from_root(path, to)),
        );
    }
    for (key, texts) in [("authors", &page.authors), ("tags", &page.tags)] {
        if !texts.is_empty() {
            let items = texts.iter().map(|text| generated(scalar(text)));
            add_field(front, key, Value::List(items.collect()));
        }
    }
}

fn undefined(label: &str) -> Problem {
    let label = shorten(label, 100);
    Problem::warning(format!(
        "link without a definition, shown as text: `[{label}]`"
    ))
    .hint("define its name on a line of its own, such as `[name]: address`")
    .cause(Cause::UndefinedReference)
}

fn add_field(front: &mut Front, key: &str, value: Value) {
    if front.first(&[key]).is_none() {
        let key = Key {
            text: key.to_owned(),
            line: 0,
            column: 0,
        };
        front.entries.push(Entry {
            key,
            node: generated(value),
        });
    }
}

fn scalar(text: &str) -> Value {
    Value::Scalar {
        text: text.to_owned(),
        plain: false,
    }
}

/// A value without a line of its own.
fn generated(value: Value) -> Node {
    Node {
        value,
        line: 0,
        column: 0,
    }
}
