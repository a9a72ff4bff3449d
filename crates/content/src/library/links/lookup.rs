//! The target of a path or a name, by the readings that real folders prove, by priority.

use super::{
    item::{Item, ItemId, ItemKind},
    keys::composed,
    table::LinkTable,
};
use crate::library::{
    candidate::Metadata,
    fields,
    paths::{
        bare, below, folder, has_suffix, inside, is_in_folder, is_leaf, join, name, split_name,
    },
};
use crate::model::date;

/// How many folders of a path may be the address of a text.
const OUTERMOST: usize = 8;

/// An item, and how it was found.
#[derive(Clone, Copy)]
pub struct Found {
    pub item: ItemId,
    /// With a different case than the file's own.
    pub other_case: bool,
    /// By a former dated address (`/2015/03/19/x/`).
    pub dated: bool,
}

impl Found {
    pub fn exactly(item: ItemId) -> Self {
        Self {
            item,
            other_case: false,
            dated: false,
        }
    }
}

/// The origin of a link.
pub struct Origin<'a> {
    pub item: ItemId,
    pub source: &'a str,
    metadata: &'a Metadata,
}

impl<'a> Origin<'a> {
    /// The stem of the page.
    pub fn stem(&self) -> &'a str {
        &self.metadata.stem.value
    }
}

impl<'a> LinkTable<'a> {
    /// A page as the origin of links; `None`: the item is not an author's page.
    pub fn origin(&self, item: ItemId) -> Option<Origin<'a>> {
        let described = self.page(item)?;
        Some(Origin {
            item,
            source: &self.publication.candidates.get(item)?.path,
            metadata: &described.metadata,
        })
    }

    /// What a path names in one of its readings.
    pub fn readings(&self, origin: &Origin<'_>, path: &str) -> Option<Found> {
        let path = path.replace('\\', "/");
        for root in ["/", "@/", "~/", "@site/"] {
            if let Some(rooted) = path.strip_prefix(root) {
                return self.rooted(origin, rooted, true);
            }
        }
        if let Some(item) = self.relative(origin, &path) {
            return Some(Found::exactly(item));
        }
        if let Some(beside) = join(folder(origin.source), &path)
            && let Some(found) = self.any_case(&beside)
        {
            return Some(found);
        }
        // Moved folders leave `../` that lead above the root; the rest of the path is still right.
        self.rooted(
            origin,
            path.trim_start_matches("./").trim_start_matches("../"),
            false,
        )
    }

    fn relative(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let by_source = self.source_or_address(origin, path);
        if by_source.is_some() {
            return by_source;
        }
        let stem = &*origin.metadata.stem.value;
        for start in [folder(stem), stem] {
            if let Some(path) = join(start, path)
                && let Some(item) = self.paths.site(&path)
            {
                return Some(item);
            }
        }
        if let Some(item) = self.below_address(origin, path) {
            return Some(item);
        }
        if self.publication.plan.kind.wikilinks {
            self.named(origin, path)
        } else {
            None
        }
    }

    /// A file below the address that the page had: one that the generator copies there, or one
    /// beside a text with an address of its own.
    fn below_address(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        if !has_suffix(path) {
            return None;
        }
        let front = &self.publication.candidates.get(origin.item)?.parsed.front;
        let own = front.text(&fields::ADDRESS).map(str::to_owned);
        let usual = self.publication.plan.address_path(origin.stem());
        own.into_iter().chain(usual).find_map(|page| {
            let path = join(page.trim_matches('/'), path)?;
            self.paths.site(&path).or_else(|| self.beside_index(&path))
        })
    }

    /// A file in the folder of a text, by the address of that text: `/x/a.svg` is `01-x/a.svg`
    /// beside `01-x/index.md` at `/x/`.
    fn beside_index(&self, path: &str) -> Option<ItemId> {
        let ends = path.match_indices('/').map(|(end, _)| end);
        let mut ends: Vec<usize> = ends.take(OUTERMOST).collect();
        ends.reverse();
        ends.into_iter().find_map(|end| {
            let page = self.paths.site(&path[..end])?;
            let source = &*self.items[page].source;
            let beside = || self.paths.source(&inside(folder(source), &path[end + 1..]));
            is_leaf(source).then(beside)?
        })
    }

    /// A path relative to the file, or to the address from the file's path: `docs/a` for
    /// `docs/a.md`. If both have a target, the page's own language decides, else the folder's
    /// convention.
    fn source_or_address(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let counts_from_file = self.publication.plan.kind.dialect.folder_links_from_file;
        let from_file = join(folder(origin.source), path).and_then(|path| {
            let is_home = counts_from_file && path.is_empty();
            let home = || self.paths.address("/index").filter(|_| is_home);
            self.paths.source(&path).or_else(home)
        });
        if from_file.is_some() && !is_ambiguous(path) {
            return from_file;
        }
        let from_address = self.source_from(bare(origin.source), path);
        let (Some(file), Some(address)) = (from_file, from_address) else {
            return from_file.or(from_address);
        };
        let prefers_address =
            !counts_from_file && (path.ends_with('/') || self.conventions.from_address);
        match (
            self.has_language(file, origin),
            self.has_language(address, origin),
        ) {
            (true, false) => Some(file),
            (false, true) => Some(address),
            _ if prefers_address => Some(address),
            _ => Some(file),
        }
    }

    /// A path from a folder, in the source space.
    fn source_from(&self, folder: &str, path: &str) -> Option<ItemId> {
        self.paths.source(&join(folder, path)?)
    }

    fn has_language(&self, item: ItemId, origin: &Origin<'_>) -> bool {
        let language = &origin.metadata.language.value;
        let page = self.page(item);
        page.is_some_and(|page| page.metadata.language.value == *language)
    }

    /// For a path whose two readings differ and have a single target: whether it counts from the
    /// page's address, not from the file.
    pub fn counts_from_address(&self, origin: &Origin<'_>, path: &str) -> Option<bool> {
        if !is_ambiguous(path) {
            return None;
        }
        let from_file = self.source_from(folder(origin.source), path).is_some();
        let from_address = self.source_from(bare(origin.source), path).is_some();
        (from_file != from_address).then_some(from_address)
    }

    /// A root-relative path: an address, a file below one of the roots or, as in most folders, a
    /// file below any parent folder of the linking file.
    pub fn at_root(&self, origin: &Origin<'_>, path: &str, usual: bool) -> Option<ItemId> {
        if let Some(item) = self.paths.site(path) {
            return Some(item);
        }
        for root in &self.roots {
            if let Some(item) = self.paths.source(&inside(root, path)) {
                return Some(item);
            }
        }
        if !usual {
            return None;
        }
        if has_suffix(path)
            && let Some(item) = self.beside_index(path)
        {
            return Some(item);
        }
        // A site's root may be deeper than the folder's: `content/en/` for one in several
        // languages, `docs/` for a project.
        for (end, _) in origin.source.match_indices('/').take(8) {
            if let Some(item) = self.paths.source(&inside(&origin.source[..end], path)) {
                return Some(item);
            }
        }
        None
    }

    /// A root-relative path: an address, a file below one of the roots, a former address; last in
    /// any case.
    pub fn rooted(&self, origin: &Origin<'_>, path: &str, usual: bool) -> Option<Found> {
        let path = join("", self.without_base(path.trim_matches('/')))?;
        if usual && let Some(item) = self.in_own_language(origin, &path) {
            return Some(Found::exactly(item));
        }
        if let Some(item) = self.at_root(origin, &path, usual) {
            return Some(Found::exactly(item));
        }
        if usual {
            if let Some(item) = self.below_mount(origin, &path) {
                return Some(Found::exactly(item));
            }
            if let Some(found) = self.formerly(&path) {
                return Some(found);
            }
        }
        self.roots
            .iter()
            .find_map(|root| self.any_case(&inside(root, &path)))
    }

    fn formerly(&self, path: &str) -> Option<Found> {
        Some(Found {
            item: self.old(path)?,
            other_case: false,
            dated: date::in_path(path).is_some(),
        })
    }

    /// A page by its path without a language, in the language of the page that links to it, where the
    /// generator looks for pages so.
    fn in_own_language(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let config = &self.publication.plan.kind.config;
        config.links_in_language.then_some(())?;
        self.in_language(origin, path)
    }

    /// A page by its path in the folder of the language of the page that names it, unless the path
    /// counts from that page.
    pub fn in_language_of(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        if path.starts_with(['.', '/']) || self.source_from(folder(origin.source), path).is_some() {
            return None;
        }
        let roots = self.publication.plan.content_roots();
        let roots = roots.chain(
            self.publication
                .plan
                .mounts
                .iter()
                .map(|mount| &*mount.folder),
        );
        let own = roots
            .filter(|root| below(origin.source, root).is_some())
            .max_by_key(|root| root.len());
        own.and_then(|root| {
            let named = self.in_named_language(origin, root, path);
            named.or_else(|| self.source_from(root, path))
        })
        .filter(|item| self.is_shown(*item))
        .or_else(|| self.in_language(origin, path))
    }

    /// The same where names of files end with their language: `docs/a.fa.md` for `docs/a.md`.
    fn in_named_language(&self, origin: &Origin<'_>, root: &str, path: &str) -> Option<ItemId> {
        let (_, language) = bare(name(origin.source)).rsplit_once('.')?;
        let config = &self.publication.plan.kind.config;
        config.has_language(language).then_some(())?;
        self.source_from(root, &format!("{}.{language}", bare(path)))
    }

    fn in_language(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let config = &self.publication.plan.kind.config;
        let language = &*origin.metadata.language.value;
        let own = config.locales.iter().find(|one| one.tag == language)?;
        if own.name.is_empty() || config.is_default(&own.name) {
            return None;
        }
        let item = self.paths.site(&inside(&own.name, path))?;
        self.page(item).map(|_| item)
    }

    /// A path without the path of the site's base address.
    pub fn without_base<'p>(&self, path: &'p str) -> &'p str {
        let base = self.publication.site.base.path().trim_start_matches('/');
        match path.strip_prefix(base) {
            Some("") => "",
            Some(rest) if !base.is_empty() && rest.starts_with('/') => rest.trim_start_matches('/'),
            _ => path,
        }
    }

    /// A root-relative path without one of the prefixes that name the folder's own place on its
    /// site.
    pub fn below_mount(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        for mount in &self.conventions.mounts {
            if let Some(rest) = below(path, mount)
                && let Some(item) = self.at_root(origin, rest, true)
            {
                return Some(item);
            }
        }
        None
    }

    /// A path in any case, if the item is unique.
    pub fn any_case(&self, path: &str) -> Option<Found> {
        let item = self.paths.any_case(path)?;
        let Item { source, kind } = &self.items[item];
        let is_generated = matches!(kind, ItemKind::Generated(_));
        let is_written = || source.contains(bare(path)) || self.paths.site(path) == Some(item);
        Some(Found {
            item,
            other_case: !is_generated && !is_written(),
            dated: false,
        })
    }

    /// An address of the previous generator: its last segment names an article, with a date before
    /// it or in its folders.
    fn old(&self, path: &str) -> Option<ItemId> {
        let (folders, last) = split_name(bare(path));
        match date::in_name(last) {
            Some((moment, name)) if !name.is_empty() => {
                self.names.article(name, folders, Some(&moment.iso()))
            }
            _ => self.names.article(last, folders, None),
        }
    }

    /// A Jekyll post by its file name without suffix, optionally after a folder.
    pub fn post(&self, path: &str) -> Option<ItemId> {
        let path = path.trim_matches('/');
        for root in &self.roots {
            if let Some(item) = self.paths.source(&format!("{root}/{path}")) {
                return Some(item);
            }
        }
        let last = name(path);
        match self.names.named(last) {
            Some(items) => items.first().copied(),
            None => self.old(last),
        }
    }

    /// A name with or without folders before it. Of several files, the one in the same folder wins,
    /// else the one with the shortest path.
    pub fn named(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let path = composed(path.trim_start_matches("./").trim_matches('/')).to_lowercase();
        let (before, name) = split_name(&path);
        let items = self
            .names
            .named(name)
            .or_else(|| self.names.named(bare(name)))
            // A wiki of a forge has dashes in the names of files.
            .or_else(|| self.names.named(&name.replace(' ', "-")))?;
        let fits = items
            .iter()
            .filter(|item| is_in_folder(&self.items[**item].source, before));
        fits.min_by_key(|item| self.distance(**item, origin))
            .copied()
    }

    /// The distance of an item from the page that names it: smaller is nearer.
    fn distance(&self, item: ItemId, origin: &Origin<'_>) -> (bool, bool, usize, usize) {
        let Item { source, kind } = &self.items[item];
        let is_hidden = matches!(kind, ItemKind::Hidden(_));
        (
            is_hidden,
            folder(source) != folder(origin.source),
            source.matches('/').count(),
            source.len(),
        )
    }
}

/// Whether a path may count from the page's address as well as from the file: it leads upwards to a
/// page.
fn is_ambiguous(path: &str) -> bool {
    path.starts_with("../") && !has_suffix(path)
}
