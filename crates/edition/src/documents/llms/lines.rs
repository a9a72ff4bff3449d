//! One line of a list: `- [title](url): summary`.

use std::borrow::Cow;

use diglot_content::Site;

use crate::documents::Entry;
use crate::documents::rows::Old;
use crate::documents::text::{escape, kilobytes, link, one_line, shorten};

/// Past this many bytes an article's size stands beside its link: agents begin to cut there.
const LARGE: usize = 50_000;
/// Titles are cut to this many characters in lists.
const TITLE: usize = 200;
/// Summaries are cut to this many characters in lists, whatever the author wrote.
const SUMMARY: usize = 300;

/// One line of a list.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) entry: &'a Entry<'a>,
    words: Words<'a>,
    /// Characters of its start with the line break.
    least: usize,
    /// Characters of the whole line.
    most: usize,
}

/// What a line says.
#[derive(Debug)]
enum Words<'a> {
    /// The whole line as it was written before, its line break included.
    Known(Old<'a>),
    /// Few are new, and what is not there takes no room.
    New(Box<New>),
}

/// A line that is written now.
#[derive(Debug)]
struct New {
    /// `- [title](url): `, and the size where it matters.
    start: String,
    /// Not escaped yet, never empty.
    summary: String,
    /// The whole summary escaped, where that is another text.
    escaped: Option<String>,
}

impl<'a> Line<'a> {
    pub(super) fn new(site: &Site, entry: &'a Entry<'a>) -> Self {
        let url = site.base.absolute(&entry.markdown_path());
        let mut start = format!("- {}: ", link(&shorten(entry.title, TITLE), &url));
        if entry.size > LARGE {
            start.push_str(&format!("({}) ", kilobytes(entry.size)));
        }
        let summary = shorten(&summary(site, entry), SUMMARY).into_owned();
        let least = start.chars().count() + 1;
        let escaped = escape(&summary);
        let most = least + escaped.chars().count();
        let escaped = Some(escaped).filter(|escaped| **escaped != summary).map(Cow::into_owned);
        Self { entry, words: Words::New(Box::new(New { start, summary, escaped })), least, most }
    }

    /// A line that was written before, with the [`extra`](Self::extra) numbers that it had then. It is not shortened.
    pub(super) fn known(entry: &'a Entry<'a>, old: Old<'a>) -> Self {
        let [least, most] = old.extra();
        Self { entry, words: Words::Known(old), least, most }
    }

    /// The row that was written before.
    pub(super) fn old(&self) -> Option<Old<'a>> {
        match self.words {
            Words::Known(old) => Some(old),
            Words::New(_) => None,
        }
    }

    /// What is to be known of it for the next edition.
    pub(super) const fn extra(&self) -> [usize; 2] {
        [self.least, self.most]
    }

    /// The characters of the line without its summary.
    pub(super) fn least(&self) -> usize {
        self.least
    }

    /// The characters of the line with its summary cut to `shorter`.
    pub(super) fn characters(&self, shorter: usize) -> usize {
        match &self.words {
            Words::New(new) if shorter < SUMMARY => self.least + escape(&shorten(&new.summary, shorter)).chars().count(),
            _ => self.most,
        }
    }

    pub(super) fn write(&self, out: &mut String, shorter: usize) {
        match &self.words {
            Words::Known(old) => out.push_str(&String::from_utf8_lossy(old.bytes())),
            Words::New(new) => new.write(out, shorter),
        }
    }
}

impl New {
    fn write(&self, out: &mut String, shorter: usize) {
        out.push_str(&self.start);
        if shorter >= SUMMARY {
            out.push_str(self.escaped.as_deref().unwrap_or(&self.summary));
        } else {
            out.push_str(&escape(&shorten(&self.summary, shorter)));
        }
        out.push('\n');
    }
}

/// The author's summary, else what is known of it.
fn summary<'a>(site: &Site, entry: &Entry<'a>) -> Cow<'a, str> {
    let own = one_line(entry.summary);
    if !own.is_empty() {
        return own;
    }
    match entry.article.and_then(|article| article.date) {
        Some(date) => format!("An article of {}.", date.iso().get(..10).unwrap_or_default()),
        None if entry.is_article() => format!("An article of {}.", site.title),
        None => format!("A page of {}.", site.title),
    }
    .into()
}
