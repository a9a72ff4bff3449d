//! One page, finished in both forms.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::document::Parity;
use diglot_content::{Moment, Problem};
use http::HeaderValue;
use jiff::Timestamp;

use super::draft::Draft;
use super::shared::Shared;
use super::{html, link, twin};
use crate::resource::{Digest, link_value};
use crate::route::{Form, Route};

/// One page, finished in both forms.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where the HTML form lives.
    pub html_route: Route,
    /// Where the Markdown form lives.
    pub markdown_route: Route,
    /// The path of the HTML form.
    pub html_path: Arc<str>,
    /// The path of the Markdown form.
    pub markdown_path: Arc<str>,
    /// The HTML form.
    pub html: Bytes,
    /// The Markdown form.
    pub markdown: Bytes,
    /// The digest of the HTML form.
    pub html_digest: Digest,
    /// The digest of the Markdown form.
    pub markdown_digest: Digest,
    /// Where the front matter of `markdown` ends.
    pub front: usize,
    /// The part of `markdown` after its H1 and before its closing `## Sitemap`, without blank lines around it: what a merged document holds.
    pub merged: Range<usize>,
    /// The digest of that part.
    pub merged_digest: Digest,
    /// The value of `Link` for the HTML form.
    pub html_link: Option<HeaderValue>,
    /// The value of `Link` for the Markdown form.
    pub markdown_link: Option<HeaderValue>,
    /// When the content last changed; for a list, its newest member.
    pub modified: Moment,
    /// Plain text.
    pub title: String,
    /// Plain text; may be empty.
    pub summary: String,
    /// Whether lists and sitemaps name it.
    pub listed: bool,
    /// Whether the two forms agree.
    pub parity: Parity,
}

/// Both forms of one page.
pub(super) fn page(shared: &Shared<'_>, draft: &Draft<'_>) -> Result<Page, Problem> {
    let html_route = Route::of_stem(&draft.stem, Form::Html);
    let markdown_route = Route::of_stem(&draft.stem, Form::Markdown);
    let html = html::write(shared, draft)?;
    let twin = twin::write(shared, draft);
    let parity = html.outline.parity(&twin.outline);
    let merged = trimmed(&twin.text, twin.merged);
    let keep = |text: String| shared.context.store.keep(text.into_bytes());
    let (html, markdown) = (keep(html.text), keep(twin.text));
    Ok(Page {
        html_link: link_value(link::html(shared.base(), &html_route, &markdown_route)),
        markdown_link: link_value(link::markdown(shared.base(), &html_route)),
        parity,
        html_digest: Digest::of(&html),
        markdown_digest: Digest::of(&markdown),
        merged_digest: Digest::of(&markdown[merged.clone()]),
        html,
        markdown,
        front: twin.front,
        merged,
        modified: modified(draft),
        title: draft.title.to_string(),
        summary: draft.description.to_string(),
        listed: draft.listed,
        html_path: html_route.path().into(),
        markdown_path: markdown_route.path().into(),
        html_route,
        markdown_route,
    })
}

/// A page of which nothing but the date of its last change is another: that is said by its front matter alone.
pub(super) fn dated(shared: &Shared<'_>, draft: &Draft<'_>, page: &Page) -> Page {
    let text = twin::front(shared, draft);
    let (front, range) = (text.len(), &page.merged);
    let behind = |place: usize| front + (place - page.front);
    let merged = behind(range.start)..behind(range.end);
    let mut text = text.into_bytes();
    text.extend_from_slice(&page.markdown[page.front..]);
    let markdown = shared.context.store.keep(text);
    Page { markdown_digest: Digest::of(&markdown), markdown, front, merged, modified: modified(draft), ..page.clone() }
}

/// When the content last changed; nothing that could have is as old as can be.
fn modified(draft: &Draft<'_>) -> Moment {
    draft.updated.unwrap_or(Moment::second(Timestamp::UNIX_EPOCH))
}

/// The range without blank lines at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text.as_bytes()[range.clone()];
    let head = part.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    let tail = part[head..].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    range.start + head..range.end - tail
}
