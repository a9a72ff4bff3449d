//! Where the entries of an author's order lead: by a path or an address, without a page that links.

use super::item::{ItemId, ItemKind};
use super::table::LinkTable;

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// A published text, by the number of its candidate.
    Text(ItemId),
    /// Something else that is published.
    Other,
    /// Something that is not public.
    Hidden,
}

impl LinkTable<'_> {
    fn lookup(&self, item: ItemId) -> Lookup {
        match self.items[item].kind {
            ItemKind::Page(_) => Lookup::Text(item),
            ItemKind::Generated(_) | ItemKind::File { .. } => Lookup::Other,
            ItemKind::Hidden(_) => Lookup::Hidden,
        }
    }

    /// A path of a file, with or without the suffix of a text.
    pub fn entry_source(&self, path: &str) -> Option<Lookup> {
        Some(self.lookup(self.paths.source(path)?))
    }

    /// A path of the site, also a former one, or of a file below one of the roots.
    pub fn entry_address(&self, path: &str) -> Option<Lookup> {
        let at_root = || {
            let mut roots = self.roots.iter();
            roots.find_map(|root| {
                self.paths
                    .source(&crate::library::paths::inside(root, path))
            })
        };
        let item = self.paths.site(path).or_else(at_root)?;
        Some(self.lookup(item))
    }

    /// A path of a file in any case.
    pub fn entry_in_any_case(&self, path: &str) -> Option<Lookup> {
        Some(self.lookup(self.paths.any_case(path)?))
    }
}
