//! Writes the tree of each language.

use rustc_hash::FxHashSet;

use super::{
    Texts,
    folders::{self, Facts, Folder, Ordering, Part},
    outline::{EntryTarget, Resolved, ResolvedEntry},
};
use crate::library::{paths::inside, publication::Publication};
use crate::model::tree::{Builder, Leads, Tree};

/// The maximum number of trees.
const MOST_LANGUAGES: usize = 200;

/// The trees of all languages, the main one first. Those without a text are left out.
pub fn trees(
    publication: &Publication<'_>,
    texts: &Texts<'_>,
    resolved: &Resolved<'_>,
) -> Vec<Tree> {
    let facts = folders::facts(publication, texts);
    let mut own = FxHashSet::default();
    languages(&resolved.items, texts, &mut own);
    let mut languages: Vec<&str> = texts.languages.keys().copied().collect();
    let site = publication.site.language.as_str();
    languages.sort_by_key(|language| (*language != site, *language));
    languages.truncate(MOST_LANGUAGES);
    // The language in which the order is written: the others have its structure, unless they have
    // entries of their own.
    let main = if own.contains(site) || own.is_empty() {
        Some(site)
    } else {
        languages
            .iter()
            .copied()
            .find(|language| own.contains(language))
    };
    let mut trees = Vec::new();
    for language in languages {
        let ordering = Ordering {
            texts,
            order: publication.plan.kind.dialect.folder_order,
            arrangements: resolved.folders,
            facts: &facts,
            language,
        };
        let is_main = main == Some(language);
        let mut emitter = Emitter {
            texts,
            facts: &facts,
            resolved,
            ordering: &ordering,
            language,
            is_main,
            translates: is_main || !own.contains(language),
            used: FxHashSet::default(),
            folders: FxHashSet::default(),
            builder: Builder::default(),
        };
        emitter.entries(&resolved.items);
        let tree = emitter.builder.finish(language);
        if tree.stems().next().is_some() {
            trees.push(tree);
        }
    }
    trees
}

/// The languages of the texts to which entries lead.
fn languages<'w>(entries: &[ResolvedEntry<'_>], texts: &Texts<'w>, found: &mut FxHashSet<&'w str>) {
    for entry in entries {
        if let EntryTarget::Text(text) = entry.to {
            found.insert(texts.language(text));
        }
        languages(&entry.items, texts, found);
    }
}

struct Emitter<'e, 'w> {
    texts: &'e Texts<'w>,
    facts: &'e Facts,
    resolved: &'e Resolved<'e>,
    ordering: &'e Ordering<'e>,
    language: &'e str,
    is_main: bool,
    /// Whether entries represent their translations.
    translates: bool,
    /// The texts that the tree has.
    used: FxHashSet<usize>,
    /// The folders of which the tree has everything.
    folders: FxHashSet<String>,
    builder: Builder,
}

impl Emitter<'_, '_> {
    /// The readers of outlines bound the depth.
    fn entries(&mut self, entries: &[ResolvedEntry<'_>]) {
        for entry in entries {
            self.entry(entry);
        }
    }

    fn entry(&mut self, entry: &ResolvedEntry<'_>) {
        match &entry.to {
            EntryTarget::Hidden => self.entries(&entry.items),
            EntryTarget::Nowhere => match self.heading(entry) {
                Some(title) => self.node(title, Leads::Nowhere, &entry.items),
                None => self.entries(&entry.items),
            },
            EntryTarget::Site(url) => {
                let title = self.heading(entry).unwrap_or(url);
                self.node(title, Leads::Site(url.as_str().into()), &entry.items);
            }
            EntryTarget::Text(text) => self.text_entry(entry, *text),
            EntryTarget::Folder(path) => self.folder_entry(entry, path),
        }
    }

    fn node(&mut self, title: &str, leads: Leads, items: &[ResolvedEntry<'_>]) {
        self.builder.open(title, leads);
        self.entries(items);
        self.builder.close();
    }

    /// The text, or its translation into the language of the tree.
    fn in_own_language(&self, text: usize) -> Option<usize> {
        if self.texts.language(text) == self.language {
            Some(text)
        } else if self.translates {
            self.texts.in_language(text, self.language)
        } else {
            None
        }
    }

    fn text_entry(&mut self, entry: &ResolvedEntry<'_>, text: usize) {
        let found = self.in_own_language(text);
        let Some(found) = found.filter(|found| self.used.insert(*found)) else {
            // What is below keeps its heading, if it has one in this language.
            return match self.heading(entry).filter(|_| !entry.items.is_empty()) {
                Some(title) => self.node(title, Leads::Nowhere, &entry.items),
                None => self.entries(&entry.items),
            };
        };
        let label = self.label(entry, text, found);
        let title = label.unwrap_or_else(|| self.title(found)).to_owned();
        self.node(&title, self.leads(found), &entry.items);
    }

    /// The label of an entry in the language of the tree.
    fn label<'e>(
        &'e self,
        entry: &'e ResolvedEntry<'_>,
        text: usize,
        found: usize,
    ) -> Option<&'e str> {
        if self.texts.language(text) == self.language {
            entry.title
        } else {
            let same = entry.title.filter(|_| found == text);
            self.translated(entry).or(same)
        }
    }

    /// The title of a text in menus.
    fn title(&self, text: usize) -> &str {
        folders::in_menus(self.texts.all[text].candidate)
    }

    fn leads(&self, text: usize) -> Leads {
        let stem = self.texts.all[text].candidate.stem.value.clone();
        if self.texts.language(text) == self.language {
            Leads::Text(stem)
        } else {
            Leads::Instead(stem)
        }
    }

    /// The name of an entry in this language; the author's name if there is no other.
    fn heading<'n>(&self, entry: &ResolvedEntry<'n>) -> Option<&'n str> {
        self.translated(entry).or(entry.title)
    }

    /// The author's translation of the name of an entry.
    fn translated<'n>(&self, entry: &ResolvedEntry<'n>) -> Option<&'n str> {
        let same = |tag: &str| tag.eq_ignore_ascii_case(self.language);
        let primary = self.language.split('-').next().unwrap_or_default();
        let mut names = entry.translations.iter();
        names
            .clone()
            .find(|(tag, _)| same(tag))
            .or_else(|| names.find(|(tag, _)| tag == primary))
            .map(|(_, name)| name.as_str())
    }

    fn folder_entry(&mut self, entry: &ResolvedEntry<'_>, path: &str) {
        let articles_only = self.resolved.articles_only;
        // Of a folder that the tree has, nothing is left.
        let whole = match self.folders.insert(path.to_owned()) {
            true => Folder::build(self.texts, path, self.language, articles_only),
            false => Folder::default(),
        };
        let (folder, path) = if articles_only {
            whole.innermost(path)
        } else {
            (&whole, path.to_owned())
        };
        let heading = self.heading(entry).map(str::to_owned);
        if let Some(title) = &heading {
            self.builder.open(title.as_str(), Leads::Nowhere);
        }
        let ordering = self.ordering;
        if let Some(index) = folder.index.filter(|index| self.used.insert(*index))
            && let Some(name) = ordering.index_name(folder, &path)
        {
            let is_own = self.is_main || ordering.has_own_names(folder, &path);
            self.leaf(name.filter(|_| is_own), index);
        }
        self.parts(folder, &path);
        self.entries(&entry.items);
        if heading.is_some() {
            self.builder.close();
        }
    }

    /// The entries of a folder. Its depth is bounded.
    fn parts(&mut self, folder: &Folder, path: &str) {
        let ordering = self.ordering;
        let is_own =
            self.is_main || self.has_own_facts(path) || ordering.has_own_names(folder, path);
        for (part, label) in ordering.parts(folder, path) {
            // A name that the author gave is in the language of the order.
            let label = label.filter(|_| is_own);
            match part {
                Part::Text(text) => {
                    if self.used.insert(text) {
                        self.leaf(label, text);
                    }
                }
                Part::Site(title, url) => {
                    self.builder.open(title, Leads::Site(url.into()));
                    self.builder.close();
                }
                Part::Folder(name, inner) => {
                    self.folder_part(label, (name, inner), path);
                }
            }
        }
    }

    /// A text that has nothing below it.
    fn leaf(&mut self, label: Option<&str>, text: usize) {
        let title = label.unwrap_or_else(|| self.title(text)).to_owned();
        self.builder.open(title.as_str(), self.leads(text));
        self.builder.close();
    }

    fn folder_part(&mut self, label: Option<&str>, (name, folder): (&str, &Folder), path: &str) {
        let index = folder.index.filter(|index| self.used.insert(*index));
        let title = match (label, index) {
            (Some(label), _) => label.to_owned(),
            (None, Some(index)) => self.title(index).to_owned(),
            (None, None) => folders::title(name),
        };
        let leads = match index {
            Some(index) => self.leads(index),
            None => Leads::Nowhere,
        };
        self.builder.open(title, leads);
        self.parts(folder, &inside(path, name));
        self.builder.close();
    }

    /// Whether the folders of this language say something themselves.
    fn has_own_facts(&self, _path: &str) -> bool {
        self.facts
            .keys()
            .any(|(language, _)| language == self.language)
    }
}
