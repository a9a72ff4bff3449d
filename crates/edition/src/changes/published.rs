//! The documents on changes as JSON: written for clients, and read again as the history of a site
//! that was published elsewhere.

use std::sync::Arc;

use diglot_content::encoding::{decode_path, encode_path};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::hexadecimal;
use super::listed_page::PageEntry;
use super::{Change, Changes, EDITIONS, History, ListedPage, Sections};
use crate::resource::Digest;

/// The longest path that is read, in bytes.
const LONGEST_PATH: usize = 4_096;

/// `/changes.json`: what each edition changed, the newest first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Published {
    /// The base URL of the site: a page's URL is this and its path.
    pub base: String,
    /// The digest of the list of pages, also in `/status.json`.
    pub listing: String,
    /// The URL of `/status.json`, which has the id of the present edition.
    pub status: String,
    /// The URL of the list of all pages.
    pub pages: String,
    /// The earlier editions.
    pub editions: Vec<EditionEntry>,
}

/// An earlier edition, and what its successor changed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct EditionEntry {
    /// Its id.
    pub since: String,
    /// The URL of all that changed since then.
    #[serde(default)]
    pub url: String,
    /// What its successor changed.
    #[serde(flatten)]
    pub entries: Entries,
}

/// `/changes/{edition}.json`: what changed since an earlier edition.
#[derive(Debug, Serialize, Deserialize)]
pub struct Since {
    /// As in [`Published`].
    pub base: String,
    /// As in [`Published`].
    pub listing: String,
    /// The id of the earlier edition.
    pub since: String,
    /// What changed.
    #[serde(flatten)]
    pub entries: Entries,
}

/// `/changes/all.json`: every page.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Listing {
    /// As in [`Published`].
    pub base: String,
    /// As in [`Published`].
    pub listing: String,
    /// The pages.
    pub pages: Vec<PageEntry>,
}

/// What a server remembers of a site between runs.
#[derive(Debug, Serialize, Deserialize)]
struct Remembered {
    edition: String,
    editions: Vec<EditionEntry>,
    /// The last member.
    pages: Vec<PageEntry>,
}

/// What changed between two editions. Paths are encoded as in URLs, and relative to the base URL.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entries {
    /// New pages.
    pub added: Vec<PageRef>,
    /// Pages with another text.
    pub changed: Vec<ChangedEntry>,
    /// The paths of pages that are gone.
    pub removed: Vec<String>,
    /// Pages whose text is at another path now.
    pub moved: Vec<Movement>,
}

/// A page.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRef {
    /// The path of its Markdown form.
    pub path: String,
    /// Its title.
    pub title: String,
    /// The digest of its Markdown form.
    pub digest: String,
}

/// A page with another text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedEntry {
    /// The path of its Markdown form.
    pub path: String,
    /// Its title.
    pub title: String,
    /// The digest before, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The digest after.
    pub after: String,
    /// The sections that differ, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<SectionEntry>>,
}

/// A section that differs.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionEntry {
    /// The id of its heading.
    pub id: Arc<str>,
    /// The digest before; absent: it is new.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "hexadecimal::option"
    )]
    pub before: Option<u64>,
    /// The digest after; absent: it is gone.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "hexadecimal::option"
    )]
    pub after: Option<u64>,
}

/// A page whose text is at another path now.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    /// The old path.
    pub from: String,
    /// The new path.
    pub to: String,
    /// Its title.
    pub title: String,
    /// The digest of its Markdown form at the new path.
    pub digest: String,
}

/// The titles of pages by their paths, for the entries on them.
#[derive(Debug)]
pub struct Titles(FxHashMap<Arc<str>, (String, Digest)>);

impl Titles {
    /// The titles and digests of the pages that the steps of a history name.
    pub fn from_history(history: &History) -> Self {
        let named = shown(history);
        let rows = history.rows.iter();
        let rows = rows.filter(|row| named.contains(&row.path));
        let found = rows.map(|row| {
            let title = row.entry().map(|entry| entry.title).unwrap_or_default();
            (Arc::clone(&row.path), (title, row.digest))
        });
        Self(found.collect())
    }
}

/// The paths that the changes show.
fn shown(history: &History) -> FxHashSet<Arc<str>> {
    let steps = history.steps.iter();
    let changes = steps.flat_map(|step| step.changes.iter());
    let shown = |(path, change): (&'_ Arc<str>, &'_ Change)| match change {
        Change::Removed(to) => to.clone(),
        Change::Added(_) | Change::Changed { .. } => Some(Arc::clone(path)),
    };
    changes.filter_map(shown).collect()
}

impl Entries {
    /// The entries of these changes. A page that does not exist any more is named as removed alone.
    pub fn from_changes(changes: &Changes, titles: &Titles) -> Self {
        let mut entries = Self::default();
        for (path, change) in changes {
            let (own, path) = (titles.0.get(path), encode_path(path));
            match (change, own) {
                (Change::Added(digest), Some((title, _))) => entries.added.push(PageRef {
                    path,
                    title: title.clone(),
                    digest: digest.to_string(),
                }),
                (
                    Change::Changed {
                        before,
                        after,
                        sections,
                    },
                    Some((title, _)),
                ) => entries.changed.push(ChangedEntry {
                    path,
                    title: title.clone(),
                    before: before.map(|digest| digest.to_string()),
                    after: after.to_string(),
                    sections: sections.as_ref().map(section_entries),
                }),
                (Change::Removed(to), _) => {
                    let target = to.as_ref().and_then(|to| Some((to, titles.0.get(to)?)));
                    match target {
                        Some((to, (title, digest))) => entries.moved.push(Movement {
                            from: path,
                            to: encode_path(to),
                            title: title.clone(),
                            digest: digest.to_string(),
                        }),
                        None => entries.removed.push(path),
                    }
                }
                (Change::Added(_) | Change::Changed { .. }, None) => {}
            }
        }
        entries
    }

    /// The changes of which these are the entries; `None`: a path or digest is not one.
    fn changes(self) -> Option<Changes> {
        let mut changes = Changes::new();
        for page in self.added {
            changes.insert(
                path_of(&page.path)?,
                Change::Added(Digest::parse(&page.digest)?),
            );
        }
        for page in self.changed {
            let before = page.before.as_deref();
            let change = Change::Changed {
                before: before.map_or(Some(None), |digest| Digest::parse(digest).map(Some))?,
                after: Digest::parse(&page.after)?,
                sections: page.sections.map(sections_of),
            };
            changes.insert(path_of(&page.path)?, change);
        }
        for path in self.removed {
            changes.insert(path_of(&path)?, Change::Removed(None));
        }
        for Movement { from, to, .. } in self.moved {
            changes.insert(path_of(&from)?, Change::Removed(Some(path_of(&to)?)));
        }
        Some(changes)
    }
}

fn section_entries(sections: &Sections) -> Vec<SectionEntry> {
    let entry = |(id, [before, after]): (&Arc<str>, &[Option<u64>; 2])| SectionEntry {
        id: Arc::clone(id),
        before: *before,
        after: *after,
    };
    sections.iter().map(entry).collect()
}

fn sections_of(entries: Vec<SectionEntry>) -> Sections {
    let entries = entries.into_iter();
    entries.map(|it| (it.id, [it.before, it.after])).collect()
}

/// The decoded path of the Markdown form of a page.
fn path_of(encoded: &str) -> Option<Arc<str>> {
    let path = decode_path(encoded)?;
    let is_page = path.starts_with('/') && path.ends_with(".md");
    let is_path = is_page && path.len() <= LONGEST_PATH && encode_path(&path) == encoded;
    is_path.then(|| path.into())
}

fn rows_of(pages: Vec<PageEntry>) -> Option<Vec<Arc<ListedPage>>> {
    let row = |page: PageEntry| {
        let (path, digest) = (path_of(&page.path)?, Digest::parse(&page.digest)?);
        let json = serde_json::to_string(&page).ok()?;
        Some(Arc::new(ListedPage::new(path, digest, json.into())))
    };
    pages.into_iter().map(row).collect()
}

fn steps_of(editions: Vec<EditionEntry>) -> Option<Vec<(Digest, Arc<Changes>)>> {
    let step = |edition: EditionEntry| {
        let changes = edition.entries.changes()?;
        Some((Digest::parse(&edition.since)?, Arc::new(changes)))
    };
    editions.into_iter().take(EDITIONS).map(step).collect()
}

/// The history that a published site leaves to its next edition, from the id in its `/status.json`,
/// its `/changes.json` and its `/changes/all.json`; and the base URL in these.
///
/// # Errors
/// Why these are not such documents, in a few words.
pub fn read(edition: &str, changes: &[u8], pages: &[u8]) -> Result<(String, History), String> {
    let id = Digest::parse(edition).ok_or("`releaseId` is not the id of an edition")?;
    let unread = |name: &str, error: serde_json::Error| format!("`{name}` cannot be read: {error}");
    let published: Published =
        serde_json::from_slice(changes).map_err(|error| unread("/changes.json", error))?;
    let listed: Listing =
        serde_json::from_slice(pages).map_err(|error| unread("/changes/all.json", error))?;
    if published.listing != listed.listing {
        return Err("`/changes.json` and `/changes/all.json` are of different editions".to_owned());
    }
    let rows =
        rows_of(listed.pages).ok_or("`/changes/all.json` has a path or digest that is not one")?;
    let steps = steps_of(published.editions)
        .ok_or("`/changes.json` has a path or digest that is not one")?;
    Ok((published.base, History::new(id, rows.into(), steps)))
}

impl History {
    /// The history as JSON, for [`parse`](Self::parse); `None`: there is no edition yet.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let remembered = Remembered {
            edition: self.id?.to_string(),
            editions: editions(self, &Titles::from_history(self), |_| String::new()),
            pages: Vec::new(),
        };
        let mut bytes = serde_json::to_vec(&remembered).ok()?;
        // Each page is JSON already, and there may be many.
        bytes.truncate(bytes.len() - "]}".len());
        for (position, row) in self.rows.iter().enumerate() {
            if position > 0 {
                bytes.push(b',');
            }
            bytes.extend_from_slice(&row.json);
        }
        bytes.extend_from_slice(b"]}");
        Some(bytes)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// Why it cannot be read, in a few words.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let read: Remembered =
            serde_json::from_slice(bytes).map_err(|error| format!("it cannot be read: {error}"))?;
        let parts = Digest::parse(&read.edition)
            .zip(rows_of(read.pages))
            .zip(steps_of(read.editions));
        let ((id, rows), steps) = parts.ok_or("it has a path or digest that is not one")?;
        Ok(Self::new(id, rows.into(), steps))
    }
}

/// The earlier editions as entries of `/changes.json`, each with the URL of its own document.
pub(crate) fn editions(
    history: &History,
    titles: &Titles,
    url: impl Fn(Digest) -> String,
) -> Vec<EditionEntry> {
    let entry = |step: &super::Step| EditionEntry {
        since: step.since.to_string(),
        url: url(step.since),
        entries: Entries::from_changes(&step.changes, titles),
    };
    history.steps.iter().map(entry).collect()
}
