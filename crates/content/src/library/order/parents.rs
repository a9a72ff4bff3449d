//! Texts that name the text above them: `parent: Guide`, `eleventyNavigation`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{
    Texts,
    outline::{EntryTarget, Resolved, ResolvedEntry},
};
use crate::library::publication::Publication;

/// How deep texts may be nested.
const DEPTH: usize = 16;

/// The texts as they name each other. `None`: none of them names a text that exists.
pub fn resolve<'o>(publication: &'o Publication<'_>, texts: &Texts<'_>) -> Option<Resolved<'o>> {
    let (mut top, below) = divided(texts);
    if below.is_empty() {
        return None;
    }
    top.retain(|number| {
        let candidate = texts.all[*number].candidate;
        candidate.nav().key.is_some() || candidate.weight.is_some() || below.contains_key(number)
    });
    let writer = Writer { texts, below };
    Some(Resolved {
        items: writer.entries(top, 0),
        folders: Some(&publication.outline.folders),
        articles_only: false,
    })
}

/// The texts without a parent, and those below each text.
fn divided(texts: &Texts<'_>) -> (Vec<usize>, BTreeMap<usize, Vec<usize>>) {
    let names = names(texts);
    let mut below: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut top = Vec::new();
    for (number, text) in texts.all.iter().enumerate() {
        let candidate = text.candidate;
        if candidate.nav().hidden {
            continue;
        }
        let parent = candidate.nav().parent.as_deref();
        let parent = parent.and_then(|name| names.get(&(texts.language(number), name)));
        match parent {
            Some(parent) if *parent != number => below.entry(*parent).or_default().push(number),
            _ => top.push(number),
        }
    }
    (top, below)
}

/// The texts by their language and their name.
fn names<'t>(texts: &Texts<'t>) -> FxHashMap<(&'t str, &'t str), usize> {
    let mut names: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for (number, text) in texts.all.iter().enumerate() {
        let candidate = text.candidate;
        let name = candidate
            .nav()
            .key
            .as_deref()
            .unwrap_or(&candidate.title.value);
        names
            .entry((texts.language(number), name))
            .or_insert(number);
    }
    names
}

struct Writer<'t, 'w> {
    texts: &'t Texts<'w>,
    below: BTreeMap<usize, Vec<usize>>,
}

impl Writer<'_, '_> {
    /// Texts by weight, then by title. Texts that name each other in a circle are below none.
    fn entries<'o>(&self, mut numbers: Vec<usize>, depth: usize) -> Vec<ResolvedEntry<'o>> {
        numbers.sort_by_key(|number| {
            let candidate = self.texts.all[*number].candidate;
            (
                candidate.weight.unwrap_or(i64::MAX),
                candidate.title.value.to_lowercase(),
                *number,
            )
        });
        let mut entries = Vec::with_capacity(numbers.len());
        for number in numbers {
            let below = self.below.get(&number).filter(|_| depth < DEPTH);
            let items = below.map_or_else(Vec::new, |below| self.entries(below.clone(), depth + 1));
            entries.push(ResolvedEntry {
                title: None,
                translations: &[],
                to: EntryTarget::Text(number),
                items,
            });
        }
        entries
    }
}
