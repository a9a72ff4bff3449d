//! A line of a list: `- [title](url): summary`.

use std::borrow::Cow;

use diglot_content::Site;

use crate::documents::Entry;
use crate::documents::text::{escape, kilobytes, link, one_line, shorten};

/// Above this many bytes a line states the article's size: agents truncate at about that length.
const LARGE: usize = 50_000;
/// Titles are cut to this many characters in lists.
const TITLE: usize = 200;
/// Summaries are cut to this many characters in lists.
const SUMMARY: usize = 300;

/// One line of a list.
#[derive(Debug)]
pub(crate) struct Line {
    /// The whole line with its line break: `- [title](url): summary`.
    whole: Box<str>,
    /// The offset of the summary.
    start: usize,
    /// The summary, not yet escaped, never empty.
    summary: Box<str>,
    /// The length in characters.
    characters: usize,
    /// The length in characters without the summary.
    least: usize,
}

impl Line {
    pub(super) fn new(site: &Site, entry: &Entry<'_>) -> Self {
        let url = site.base.absolute(&entry.markdown_path());
        let mut whole = format!("- {}: ", link(&shorten(entry.title, TITLE), &url));
        if entry.size > LARGE {
            whole.push_str(&format!("({}) ", kilobytes(entry.size)));
        }
        let full = summary(site, entry);
        let summary = shorten(&full, SUMMARY);
        let start = whole.len();
        whole.push_str(&escape(&summary));
        whole.push('\n');
        Self {
            characters: whole.chars().count(),
            least: whole[..start].chars().count() + 1,
            whole: whole.into(),
            start,
            summary: summary.into(),
        }
    }

    /// The length in characters without the summary.
    pub(super) fn least(&self) -> usize {
        self.least
    }

    /// The length in characters with the summary cut to `shorter`.
    pub(super) fn characters(&self, shorter: usize) -> usize {
        if shorter >= SUMMARY {
            return self.characters;
        }
        self.least + escape(&shorten(&self.summary, shorter)).chars().count()
    }

    pub(super) fn write(&self, out: &mut String, shorter: usize) {
        if shorter < SUMMARY {
            out.push_str(&self.whole[..self.start]);
            out.push_str(&escape(&shorten(&self.summary, shorter)));
            out.push('\n');
        } else {
            out.push_str(&self.whole);
        }
    }
}

/// The author's summary, else a generated one.
fn summary<'a>(site: &Site, entry: &Entry<'a>) -> Cow<'a, str> {
    let own = one_line(entry.summary);
    if !own.is_empty() {
        return own;
    }
    match entry.article.and_then(|article| article.date) {
        Some(date) => format!(
            "An article of {}.",
            date.iso().get(..10).unwrap_or_default()
        ),
        None if entry.is_article() => format!("An article of {}.", site.title),
        None => format!("A page of {}.", site.title),
    }
    .into()
}
