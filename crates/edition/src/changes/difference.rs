//! What differs between two editions, from their rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::listed_page::ListedSection;
use super::{Change, Changes, ListedPage, Sections};

/// Finds the path of the Markdown form to which the page at an old path leads now, by the site's
/// redirects.
pub type Moves<'a> = &'a dyn Fn(&str) -> Option<Arc<str>>;

/// What differs between an edition and the next. `moves` finds where an old path leads now.
pub fn between(old: &[Arc<ListedPage>], new: &[Arc<ListedPage>], moves: Moves<'_>) -> Changes {
    let mut gone = unshared(old, new);
    let mut changes = Changes::new();
    let mut added = Vec::new();
    for (path, row) in unshared(new, old) {
        let change = match gone.remove(path) {
            None => {
                added.push(row);
                Change::Added(row.digest)
            }
            Some(known) if known.digest == row.digest => continue,
            Some(known) => changed(known, row),
        };
        changes.insert(Arc::clone(&row.path), change);
    }
    let same_text = same_text(gone.values().copied(), &added);
    for (path, row) in &gone {
        let is_there = |to: &Arc<str>| new.iter().any(|row| row.path == *to);
        let to = moves(path)
            .filter(is_there)
            .or_else(|| same_text.get(path).cloned());
        changes.insert(Arc::clone(&row.path), Change::Removed(to));
    }
    changes
}

/// The rows that another edition does not share, by path. Most are shared.
fn unshared<'r>(
    rows: &'r [Arc<ListedPage>],
    others: &[Arc<ListedPage>],
) -> BTreeMap<&'r str, &'r ListedPage> {
    let at = |row: &Arc<ListedPage>| Arc::as_ptr(row) as usize;
    let known: FxHashSet<usize> = others.iter().map(at).collect();
    let own = rows.iter().filter(|row| !known.contains(&at(row)));
    own.map(|row| (&*row.path, &**row)).collect()
}

fn changed(old: &ListedPage, new: &ListedPage) -> Change {
    let both = old.entry().zip(new.entry());
    Change::Changed {
        before: Some(old.digest),
        after: new.digest,
        sections: both.map(|(old, new)| differing(&old.sections, &new.sections)),
    }
}

/// The sections that differ.
fn differing(old: &[ListedSection], new: &[ListedSection]) -> Sections {
    let mut sections = Sections::new();
    for section in old {
        sections.insert(Arc::clone(&section.id), [Some(section.digest), None]);
    }
    for section in new {
        let both = sections.entry(Arc::clone(&section.id)).or_default();
        both[1] = Some(section.digest);
    }
    sections.retain(|_, [before, after]| before != after);
    sections
}

/// Where the texts of removed pages are now: the only added page with the same sections.
fn same_text<'r>(
    removed: impl Iterator<Item = &'r ListedPage>,
    added: &[&'r ListedPage],
) -> BTreeMap<&'r str, Arc<str>> {
    let removed = by_text(removed);
    if removed.is_empty() {
        return BTreeMap::new();
    }
    let mut added = by_text(added.iter().copied());
    let pair = |(text, from): (_, Option<&'r ListedPage>)| {
        let (from, to) = from.zip(added.remove(&text)?)?;
        Some((&*from.path, Arc::clone(&to.path)))
    };
    removed.into_iter().filter_map(pair).collect()
}

/// Rows by the digests of their sections; `None`: several have the same.
fn by_text<'r>(
    rows: impl Iterator<Item = &'r ListedPage>,
) -> BTreeMap<Vec<(Arc<str>, u64)>, Option<&'r ListedPage>> {
    let mut texts = BTreeMap::new();
    for row in rows {
        let sections = row.entry().map(|entry| entry.sections).unwrap_or_default();
        let text: Vec<(Arc<str>, u64)> = sections
            .into_iter()
            .map(|section| (section.id, section.digest))
            .collect();
        if !text.is_empty() {
            let known = texts.entry(text);
            known.and_modify(|row| *row = None).or_insert(Some(row));
        }
    }
    texts
}
