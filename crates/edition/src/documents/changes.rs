//! `/changes.json`, `/changes.md`, `/changes/{edition}.json` and `/changes/all.json`: what earlier
//! editions had, and what they lacked.
//!
//! They are written from the [`History`] and say nothing of the present edition's id, so that no
//! document contains a digest of itself. A client takes the id from `/status.json`.

use std::collections::BTreeSet;
use std::fmt::Write;

use bytes::Bytes;
use diglot_content::{Library, Problem, parallel};
use serde::Serialize;

use super::Material;
use super::text::{count, escape, link};
use crate::body::Body;
use crate::changes::{Entries, History, Published, Since, Step, Titles, editions, listing};
use crate::resource::{Digest, Resource};
use crate::route::Route;

/// The most pages of one edition that the Markdown document names.
const NAMED: usize = 100;

/// Which of the documents are Diglot's: an author's text or file at the path of one replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChangesDocuments {
    /// Those in JSON.
    pub(crate) json: bool,
    /// The one in Markdown.
    pub(crate) markdown: bool,
}

impl Default for ChangesDocuments {
    fn default() -> Self {
        Self {
            json: true,
            markdown: true,
        }
    }
}

impl ChangesDocuments {
    /// Those of a site with this library.
    pub(crate) fn from_library(library: &Library) -> Self {
        let is_file = |route: Route| {
            let path = route.path();
            library.files.iter().any(|file| *file.path == *path)
        };
        let mut texts = library.articles.iter().chain(&library.pages);
        Self {
            json: ![Route::Changes, Route::Listing].into_iter().any(is_file),
            markdown: !is_file(Route::ChangesMarkdown)
                && !texts.any(|text| &*text.stem == "/changes"),
        }
    }

    /// Whether a site has this document, if it is one of these.
    pub(crate) fn has(self, route: &Route) -> bool {
        match route {
            Route::Changes | Route::ChangesSince(_) | Route::Listing => self.json,
            Route::ChangesMarkdown => self.markdown,
            _ => true,
        }
    }

    /// The documents that the author replaces.
    pub(crate) fn problems(self) -> impl Iterator<Item = Problem> {
        let problem = |(is_own, path): (bool, String)| {
            let message = format!("the list of changes is not at `{path}`: it is the author's");
            (!is_own).then(|| Problem::warning(message))
        };
        let all = [
            (self.json, Route::Changes.path()),
            (self.markdown, Route::ChangesMarkdown.path()),
        ];
        all.into_iter().filter_map(problem)
    }
}

/// The documents, in any order.
pub(crate) fn resources(material: &Material<'_>, history: &History) -> Vec<Resource> {
    let titles = Titles::from_history(history);
    let list = listing(&history.rows);
    let mut resources = Vec::new();
    if material.changes.markdown {
        let text = markdown(material, history, &titles);
        resources.push(resource(material, Route::ChangesMarkdown, text));
    }
    if !material.changes.json {
        return resources;
    }
    let since = |step: &&Step| changes_since(material, step, (list, &titles));
    resources.extend(parallel::map(&answered(history), since));
    let published = published(material, history, &titles, list);
    resources.push(resource(material, Route::Changes, json(&published)));
    resources.push(all(material, history, list));
    resources
}

/// The list of what an edition and all later ones changed.
fn changes_since(
    material: &Material<'_>,
    step: &Step,
    (list, titles): (Digest, &Titles),
) -> Resource {
    let since = Since {
        base: material.site.base.to_string(),
        listing: list.to_string(),
        since: step.since.to_string(),
        entries: Entries::from_changes(&step.whole, titles),
    };
    let route = Route::ChangesSince(step.since.to_string().into());
    resource(material, route, json(&since))
}

/// The list of the editions that are answered for.
fn published(
    material: &Material<'_>,
    history: &History,
    titles: &Titles,
    list: Digest,
) -> Published {
    let url = |route: Route| material.site.base.absolute(&route.path());
    let earlier = editions(history, titles, |since| {
        url(Route::ChangesSince(since.to_string().into()))
    });
    Published {
        base: material.site.base.to_string(),
        listing: list.to_string(),
        status: url(Route::Status),
        pages: url(Route::Listing),
        editions: earlier,
    }
}

/// The earlier editions that have a document. Where an edit was undone, one edition may be there
/// several times: only the newest of each has one.
fn answered(history: &History) -> Vec<&Step> {
    let mut known = BTreeSet::new();
    let steps = history.steps.iter();
    steps.filter(|step| known.insert(step.since)).collect()
}

fn resource(material: &Material<'_>, route: Route, text: String) -> Resource {
    Resource::new(route, text, material.newest.at)
}

/// JSON on one line.
fn json(value: &impl Serialize) -> String {
    // Serialization fails only for keys that are not strings, and these all are.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Every listed page: a rope of the rows that the pages keep.
fn all(material: &Material<'_>, history: &History, list: Digest) -> Resource {
    let base = serde_json::Value::from(material.site.base.to_string());
    let head = format!("{{\"base\":{base},\"listing\":\"{list}\",\"pages\":[\n");
    let digest = Digest::hash_parts([Digest::hash(head.as_bytes()), list]);
    let mut slices = vec![Bytes::from(head)];
    for (position, row) in history.rows.iter().enumerate() {
        if position > 0 {
            slices.push(Bytes::from_static(b",\n"));
        }
        slices.push(row.json.clone());
    }
    slices.push(Bytes::from_static(b"\n]}\n"));
    let at = material.newest.at;
    Resource::with_digest(Route::Listing, Body::rope(slices), digest, at)
}

/// The same for people.
fn markdown(material: &Material<'_>, history: &History, titles: &Titles) -> String {
    let base = &material.site.base;
    let mut text = format!(
        "# Changes of {}\n\nWhat each of the last editions changed, the newest first. [status.json]({}) has the id of the present edition.",
        escape(&material.site.title),
        base.absolute(&Route::Status.path()),
    );
    if material.changes.json {
        let url = base.absolute(&Route::Changes.path());
        let _ = write!(text, " For machines: [changes.json]({url}).");
    }
    text.push('\n');
    if history.steps.is_empty() {
        text.push_str("\nNo earlier edition is known.\n");
    }
    for step in &history.steps {
        let _ = write!(text, "\n## Since edition {}\n\n", step.since);
        push_changes(
            &mut text,
            &lines(
                &Entries::from_changes(&step.changes, titles),
                &base.to_string(),
            ),
        );
    }
    text
}

fn push_changes(text: &mut String, lines: &[String]) {
    lines
        .iter()
        .take(NAMED)
        .for_each(|line| text.push_str(line));
    if lines.len() > NAMED {
        let more = count(lines.len() - NAMED, "further page");
        let _ = writeln!(text, "- {more}");
    }
    if lines.is_empty() {
        text.push_str("No page.\n");
    }
}

/// A line for each page.
fn lines(entries: &Entries, base: &str) -> Vec<String> {
    let page = |title: &str, path: &str| link(title, &[base, path].concat());
    let mut lines = Vec::new();
    for added in &entries.added {
        lines.push(format!("- Added: {}\n", page(&added.title, &added.path)));
    }
    for changed in &entries.changed {
        lines.push(format!(
            "- Changed: {}\n",
            page(&changed.title, &changed.path)
        ));
    }
    for moved in &entries.moved {
        let to = page(&moved.title, &moved.to);
        lines.push(format!("- Moved: `{}` to {to}\n", moved.from));
    }
    for path in &entries.removed {
        lines.push(format!("- Removed: `{path}`\n"));
    }
    lines
}
