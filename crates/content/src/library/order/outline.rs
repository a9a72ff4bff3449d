//! Where the entries of an outline lead.

use crate::dialects::order::{Arrangement, Item, Outline, To};
use std::collections::BTreeMap;

use super::Texts;
use crate::library::{
    links::{LinkTable, Lookup},
    paths::{Address, bare, decoded, inside, join},
    publication::Publication,
};
use crate::model::{cause::Cause, problem::Problem, text::shorten};

/// The usual folders of texts, whose names are not part of addresses.
const USUAL: [&str; 7] = [
    "src/content",
    "content",
    "docs",
    "src/pages",
    "pages",
    "src/docs",
    "data",
];

/// An outline whose entries lead to texts.
#[derive(Default)]
pub struct Resolved<'o> {
    pub items: Vec<ResolvedEntry<'o>>,
    pub folders: Option<&'o BTreeMap<String, Arrangement>>,
    /// Whether folders hold articles only.
    pub articles_only: bool,
}

/// A resolved entry.
pub struct ResolvedEntry<'o> {
    pub title: Option<&'o str>,
    pub translations: &'o [(String, String)],
    pub to: EntryTarget,
    pub items: Vec<ResolvedEntry<'o>>,
}

/// Where an entry leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryTarget {
    /// Nowhere: it is a heading.
    Nowhere,
    /// To what is not public: not even its name is shown.
    Hidden,
    /// To a text, by its number.
    Text(usize),
    /// To another site.
    Site(String),
    /// To the texts of a folder.
    Folder(String),
}

/// Resolves every entry.
pub fn resolve<'o>(
    publication: &Publication<'_>,
    table: &LinkTable<'_>,
    texts: &Texts<'_>,
    outline: &'o Outline,
    problems: &mut Vec<Problem>,
) -> Resolved<'o> {
    let mut resolver = Resolver {
        publication,
        table,
        texts,
        what: outline.what,
        problems: Vec::new(),
    };
    let items = resolver.entries(&outline.items);
    problems.append(&mut resolver.problems);
    Resolved {
        items,
        folders: Some(&outline.folders),
        articles_only: false,
    }
}

/// The articles in the order of their folders.
pub fn articles<'o>(publication: &'o Publication<'_>) -> Resolved<'o> {
    Resolved {
        items: vec![ResolvedEntry {
            title: None,
            translations: &[],
            to: EntryTarget::Folder(publication.plan.articles.clone()),
            items: Vec::new(),
        }],
        folders: Some(&publication.outline.folders),
        articles_only: true,
    }
}

struct Resolver<'r, 'w> {
    publication: &'r Publication<'w>,
    table: &'r LinkTable<'r>,
    texts: &'r Texts<'r>,
    what: &'static str,
    problems: Vec<Problem>,
}

impl Resolver<'_, '_> {
    /// The readers bound the depth.
    fn entries<'o>(&mut self, items: &'o [Item]) -> Vec<ResolvedEntry<'o>> {
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            let to = self.place(item);
            entries.push(ResolvedEntry {
                title: item.title.as_deref(),
                translations: &item.translations,
                to,
                items: self.entries(&item.items),
            });
        }
        entries
    }

    fn place(&mut self, item: &Item) -> EntryTarget {
        match &item.to {
            To::Nowhere => EntryTarget::Nowhere,
            To::Site(url) => self.site(url),
            To::Folder(folder) => EntryTarget::Folder(folder.clone()),
            To::Path { path, from } => {
                let found = self.path(path, from);
                let Some(found) = found else {
                    self.report(item, path);
                    return if item.items.is_empty() {
                        EntryTarget::Hidden
                    } else {
                        EntryTarget::Nowhere
                    };
                };
                match found {
                    Lookup::Text(candidate) => match self.texts.numbers[candidate] {
                        Some(text) => EntryTarget::Text(text),
                        None => EntryTarget::Hidden,
                    },
                    Lookup::Other => EntryTarget::Nowhere,
                    Lookup::Hidden => EntryTarget::Hidden,
                }
            }
        }
    }

    /// Another site; what is on this one by its former address is a text.
    fn site(&self, url: &str) -> EntryTarget {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        if !is_web {
            return EntryTarget::Hidden;
        }
        let former = self.table.former.as_deref();
        if let Some(rest) = former.and_then(|former| url.strip_prefix(former))
            && rest.starts_with('/')
            && let Some(Lookup::Text(candidate)) = self.address(rest)
            && let Some(text) = self.texts.numbers[candidate]
        {
            return EntryTarget::Text(text);
        }
        EntryTarget::Site(url.to_owned())
    }

    /// The target of a path, as written or in the folder of the default language, which some
    /// generators leave out.
    fn path(&self, written: &str, from: &[String]) -> Option<Lookup> {
        self.path_as_written(written, from).or_else(|| {
            let config = &self.publication.plan.kind.config;
            let mut locales = config.locales.iter();
            let default = locales.find(|locale| config.is_default(&locale.name))?;
            let below = inside(&default.name, written.trim_start_matches('/'));
            self.path_as_written(&below, from)
        })
    }

    /// The file at a path from one of these folders.
    fn beside(&self, path: &str, from: &[String]) -> Option<Lookup> {
        from.iter()
            .filter_map(|folder| join(folder, path))
            .find_map(|path| self.table.entry_source(&path))
    }

    /// A file from one of these folders, else an address.
    fn path_as_written(&self, written: &str, from: &[String]) -> Option<Lookup> {
        let path = decoded(Address::parse(written).path);
        if path.is_empty() {
            return Some(Lookup::Other);
        }
        // Browsers resolve `..` in addresses: `/guide/../api/x`.
        let is_indirect = path.starts_with('/') && path.contains("/../");
        let path = match is_indirect.then(|| join("", &path)).flatten() {
            Some(direct) => format!("/{direct}").into(),
            None => path,
        };
        if !path.starts_with('/')
            && let Some(found) = self.beside(&path, from)
        {
            return Some(found);
        }
        if let Some(found) = self.address(&path) {
            return Some(found);
        }
        let relative = path.trim_matches('/');
        let mut folders = from
            .iter()
            .map(String::as_str)
            .chain(self.publication.plan.content())
            .chain(USUAL);
        folders.find_map(|folder| {
            let path = inside(folder, relative);
            self.table
                .entry_source(&path)
                .or_else(|| self.table.entry_in_any_case(&path))
        })
    }

    fn address(&self, path: &str) -> Option<Lookup> {
        let path = path.trim_matches('/');
        self.table.entry_address(path).or_else(|| {
            let mut mounts = self.table.conventions.mounts.iter();
            mounts.find_map(|mount| {
                let rest = crate::library::paths::below(path, mount)?;
                self.table.entry_address(bare(rest))
            })
        })
    }

    fn report(&mut self, item: &Item, path: &str) {
        let problem = Problem::warning(format!(
            "the entry `{}` of `{}` has no target",
            shorten(path, 100),
            self.what
        ));
        let problem = problem.at(&*item.file, item.line, item.column);
        Problem::note_all(
            &mut self.problems,
            [problem.cause(Cause::Navigation).subject(self.what)],
        );
    }
}
