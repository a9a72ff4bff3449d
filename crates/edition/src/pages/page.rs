//! A page, finished in both forms.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::document::Parity;
use diglot_content::{Moment, Problem, fingerprint};
use diglot_search::{Section, Text, Words};
use jiff::Timestamp;

use super::page_data::{PageData, PartFeed};
use super::shared::Shared;
use super::{html, link, twin};
use crate::body::Body;
use crate::changes::{self, ListedPage};
use crate::policy;
use crate::resource::{Digest, Resource};
use crate::route::{Form, Route};

/// A page, finished in both forms.
#[derive(Clone, Debug)]
pub struct Page {
    /// The digest of everything that it is made from, except the date of last change.
    pub key: fingerprint::Digest,
    /// The route of the HTML form.
    pub html_route: Route,
    /// The route of the Markdown form.
    pub markdown_route: Route,
    /// The published resources of the HTML and Markdown forms. The next edition with this page
    /// shares them.
    pub resources: [Arc<Resource>; 2],
    /// The HTML form.
    pub html: Bytes,
    /// The front matter of the Markdown form.
    pub front: Bytes,
    /// The Markdown form after its front matter.
    pub rest: Bytes,
    /// The range of `rest` that merged documents include: after its H1 and before its closing `##
    /// Sitemap`, without surrounding blank lines.
    pub merged: Range<usize>,
    /// The offsets of footnote labels in `rest`, which must be unique in a merged document.
    pub labels: Arc<[u32]>,
    /// The last change of the content; for a list, of its newest member.
    pub modified: Moment,
    /// The decoded path without suffix.
    pub stem: Arc<str>,
    /// Plain text.
    pub title: Arc<str>,
    /// Plain text; may be empty.
    pub summary: Arc<str>,
    /// Whether lists and sitemaps include it.
    pub listed: bool,
    /// The feed of which it is the list.
    pub feed: Option<PartFeed>,
    /// Whether the two forms agree.
    pub parity: Parity,
    /// The words by which a search finds the page; empty if it does not.
    pub words: Words,
    /// Whether it is in another language than the site's.
    pub is_foreign: bool,
    /// What clients that keep copies need to know of it, if it is listed.
    pub row: Option<Arc<ListedPage>>,
}

/// Both forms of one page with this key.
pub(super) fn page(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    key: fingerprint::Digest,
) -> Result<Page, Problem> {
    let html_route = data.route.clone();
    let markdown_route = html_route
        .twin()
        .unwrap_or_else(|| Route::of_stem(&data.stem, Form::Markdown));
    let written = html::write(shared, data)?;
    let twin = twin::write(shared, data);
    let parity = written.outline.parity(&twin.outline);
    let merged = trimmed(&twin.text, twin.merged.clone());
    // Before the bytes go to the store, which may be on disk and is then not read until a request.
    let [html_digest, markdown_digest] = [&written.bytes, twin.text.as_bytes()].map(Digest::hash);
    let words = words(shared, data);
    let html_link = link::html(shared.base(), data, &markdown_route);
    let markdown_link = link::markdown(shared.base(), data);
    let is_listed = data.listed && html_route.in_sitemap();
    let row = is_listed.then(|| row(&twin, &markdown_route, markdown_digest, data));
    let row = row.unwrap_or_default();
    let store = &shared.context.store;
    let bodies = [&written.bytes, twin.text.as_bytes()];
    let [html, markdown] = kept(bodies, |parts| store.keep(parts));
    let others = [
        html_link.as_bytes(),
        markdown_link.as_bytes(),
        words.bytes(),
        row.as_bytes(),
    ];
    let [html_link, markdown_link, words, row] = kept(others, |parts| store.keep_near(parts));
    let modified = modified(data);
    let at = last_change(modified, shared.context.now).at;
    let html_form = Resource::with_digest(html_route.clone(), html.clone().into(), html_digest, at)
        .linked_as(html_link);
    let markdown_form = Resource::with_digest(
        markdown_route.clone(),
        markdown.clone().into(),
        markdown_digest,
        at,
    )
    .linked_as(markdown_link);
    let path = Arc::clone(&markdown_form.path);
    let row = is_listed.then(|| Arc::new(ListedPage::new(path, markdown_digest, row)));
    Ok(Page {
        row,
        key,
        front: markdown.slice(..twin.front),
        rest: markdown.slice(twin.front..),
        merged: merged.start - twin.front..merged.end - twin.front,
        labels: labels(&twin),
        resources: [Arc::new(html_form), Arc::new(markdown_form)],
        parity,
        words: Words::from_bytes(words),
        is_foreign: *data.language != *shared.context.site.language,
        html,
        modified,
        stem: Arc::clone(&data.stem),
        title: shared_text(&data.title, data.article.map(|article| &article.title)),
        summary: shared_text(
            &data.description,
            data.article.map(|article| &article.summary),
        ),
        listed: data.listed,
        feed: data.feed.clone().filter(|_| is_list_with_feed(&html_route)),
        html_route,
        markdown_route,
    })
}

/// The words by which a search finds a page: only one of the author's that lists may name.
fn words(shared: &Shared<'_>, data: &PageData<'_>) -> Words {
    let (Some(article), Some(part)) = (data.article, data.parts.first()) else {
        return Words::default();
    };
    if !shared.has_search || !data.listed || !article.indexed.search {
        return Words::default();
    }
    let sections = part.document.passages().into_iter().map(|passage| Section {
        id: passage.id,
        heading: passage.heading,
        text: passage.text,
    });
    Words::count(&Text {
        stem: &data.stem,
        title: &data.title,
        tags: article.tags.iter().map(|tag| &*tag.name).collect(),
        sections: sections.collect(),
    })
}

/// The offsets of footnote labels after the front matter.
fn labels(twin: &twin::Twin) -> Arc<[u32]> {
    let after = |label: &usize| u32::try_from(label - twin.front).ok();
    twin.labels.iter().filter_map(after).collect()
}

/// These texts as they are kept, in one allocation.
fn kept<const N: usize>(texts: [&[u8]; N], keep: impl Fn(&[&[u8]]) -> Bytes) -> [Bytes; N] {
    let mut kept = keep(&texts);
    texts.map(|text| kept.split_to(text.len()))
}

/// What clients that keep copies need to know of a page with this twin.
fn row(twin: &twin::Twin, route: &Route, digest: Digest, data: &PageData<'_>) -> String {
    let sections = changes::sections(&twin.text, twin.content.clone(), &twin.headings);
    ListedPage::json_of(&route.path(), digest, &data.title, sections)
}

impl Page {
    /// Whether its date of last change is that of the data.
    pub(super) fn is_dated(&self, data: &PageData<'_>) -> bool {
        self.modified == modified(data)
    }

    /// The same page with the data's date of last change. An edit changes only this date of many
    /// lists, so only the front matter of the Markdown form is written again.
    pub(super) fn dated(&self, shared: &Shared<'_>, data: &PageData<'_>) -> Self {
        let (front, rest) = (Bytes::from(twin::front(shared, data)), self.rest.clone());
        let (body, modified) = (Body::rope([front.clone(), rest]), modified(data));
        let (digest, at) = (
            Digest::hash_body(&body),
            last_change(modified, shared.context.now).at,
        );
        let [html, twin] = &self.resources;
        let twin = Resource {
            link: twin.link.clone(),
            ..Resource::at(Arc::clone(&twin.path), twin.route.clone(), body, digest, at)
        };
        Self {
            resources: [Arc::new(html.dated(at)), Arc::new(twin)],
            row: self.row.as_ref().map(|row| Arc::new(row.dated(digest))),
            front,
            modified,
            ..self.clone()
        }
    }

    /// The date of last change in an edition at `now`. An empty list has the date of Diglot's own
    /// text.
    pub fn last_change(&self, now: Timestamp) -> Moment {
        last_change(self.modified, now)
    }

    /// The whole Markdown form.
    #[cfg(test)]
    pub(crate) fn markdown(&self) -> Bytes {
        self.resources[1].body.to_bytes()
    }

    /// Both forms in an edition at `now`. Those of a page dated in the future depend on `now`.
    pub(crate) fn published(&self, now: Timestamp) -> [Arc<Resource>; 2] {
        let at = self.last_change(now).at;
        self.resources.each_ref().map(|resource| {
            if resource.is_dated(at) {
                Arc::clone(resource)
            } else {
                Arc::new(resource.dated(at))
            }
        })
    }
}

/// Whether it is a list that may have a feed of its own.
const fn is_list_with_feed(route: &Route) -> bool {
    matches!(
        route,
        Route::Tag(..) | Route::Language(..) | Route::Section(..)
    )
}

fn last_change(modified: Moment, now: Timestamp) -> Moment {
    if modified.at <= Timestamp::UNIX_EPOCH {
        policy::words_date(now)
    } else {
        modified.clamped(now)
    }
}

/// The date of last change; the earliest possible one if nothing can change.
fn modified(data: &PageData<'_>) -> Moment {
    data.updated
        .unwrap_or(Moment::second(Timestamp::UNIX_EPOCH))
}

/// A text of a page, shared with the article if equal.
fn shared_text(text: &str, own: Option<&Arc<str>>) -> Arc<str> {
    own.filter(|own| ***own == *text)
        .map_or_else(|| text.into(), Arc::clone)
}

/// The range without leading and trailing blank lines.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text.as_bytes()[range.clone()];
    let head = part
        .iter()
        .take_while(|byte| matches!(byte, b'\n' | b'\r'))
        .count();
    let tail = part[head..]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    range.start + head..range.end - tail
}
