//! Targets of redirects and of links in the settings.

use super::{
    item::{ItemId, ItemKind},
    keys::composed,
    missing,
    sites::hint,
    table::LinkTable,
    target::{Resolved, find_fragment},
};
use crate::library::paths::{Address, below, decoded, inside, join, scheme, stemmed};
use crate::model::address::Destination;
use crate::model::document::{ReferenceKind, Target};
use crate::model::scheme::{Use, check};
use crate::model::text::{nearest, shorten};

/// How many paths are compared with a broken one.
const COMPARED: usize = 2_000;

/// Where a path leads.
pub enum RootTarget<'a> {
    To(Destination),
    /// To a file that is not published, and why.
    Hidden(&'a str, &'a str),
}

impl LinkTable<'_> {
    /// What has exactly this address, without suffix and closing slash.
    pub fn exactly(&self, stem: &str) -> Option<RootTarget<'_>> {
        self.paths
            .address(&composed(stem))
            .map(|item| self.leads_item(item))
    }

    /// Whether something has this address.
    pub fn is_live(&self, stem: &str) -> bool {
        self.paths.address(&composed(stem)).is_some()
    }

    /// Whether the file at this path, from the root or a content folder, is a published text.
    pub fn is_page_of(&self, path: &str) -> bool {
        let mut places = self.roots.iter().map(|root| inside(root, path));
        places.any(|path| {
            let item = self.paths.source(&path);
            item.is_some_and(|item| matches!(self.items[item].kind, ItemKind::Page(_)))
        })
    }

    /// What a path from the root of the site or of the content leads to.
    pub fn leads(&self, path: &str) -> Option<RootTarget<'_>> {
        self.item_of_root(path).map(|item| self.leads_item(item))
    }

    /// The stem of the page at a root-relative path.
    pub fn leads_to(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches('/');
        let id = self
            .paths
            .address(&stemmed(path))
            .or_else(|| self.paths.text(path))
            .or_else(|| self.item_of_root(path.trim_end_matches('/')))?;
        self.items[id].stem().map(|stem| stem.to_string())
    }

    /// The id on the page at a path that a fragment represents.
    pub fn id_of_root(&self, path: &str, fragment: &str) -> Option<String> {
        find_fragment(self.page(self.item_of_root(path)?)?, fragment)
    }

    fn item_of_root(&self, path: &str) -> Option<ItemId> {
        let path = &*composed(path);
        let former = self.former.as_deref().and_then(path_of);
        let prefix = self.publication.site.links.prefix.as_deref();
        let mounts = self.conventions.mounts.iter().map(String::as_str);
        let places = prefix.into_iter().chain(former).chain(mounts);
        let below = places.filter_map(|place| below(path, place.trim_matches('/')));
        std::iter::once(path)
            .chain(below)
            .find_map(|path| self.item_at(path))
            .or_else(|| {
                let mut roots = self.roots.iter();
                roots.find_map(|root| Some(self.any_case(&inside(root, path))?.item))
            })
            .or_else(|| self.paths.address(self.fallbacks.list(path)?))
    }

    /// What the settings name: a file of the folder, else what has this address.
    pub fn item_of_settings(&self, path: &str) -> Option<ItemId> {
        let path = decoded(path);
        if !path.starts_with('/')
            && let Some(source) = join("", &path)
            && let Some(item) = self.paths.source(&composed(&source))
        {
            return Some(item);
        }
        let path = path.trim_start_matches("./").trim_matches('/');
        self.item_of_root(path)
    }

    /// The target of a reference in the settings, and the item if it is here.
    pub fn resolve_of_settings(
        &self,
        raw: &str,
        kind: ReferenceKind,
    ) -> (Resolved, Option<ItemId>) {
        let raw = raw.trim();
        let used = match kind {
            ReferenceKind::Link | ReferenceKind::Wiki => Use::Link,
            ReferenceKind::Media | ReferenceKind::Embed => Use::Picture,
            ReferenceKind::Player => Use::Player,
        };
        let is_elsewhere = scheme(raw).is_some() || raw.starts_with("//");
        let here = self.on_this_site(raw).or_else(|| self.on_former_site(raw));
        let path = Address::parse(here.unwrap_or(raw));
        let item = match here.is_some() || !is_elsewhere {
            true => self.item_of_settings(path.path),
            false => None,
        };
        if let Some(item) = item {
            return (self.target(item, path, false), Some(item));
        }
        let resolved = match check(raw, used) {
            Err(refused) => Resolved::refused(raw, used == Use::Link, &refused),
            Ok(()) if is_elsewhere && self.on_this_site(raw).is_none() => {
                Resolved::to(Target::Url(raw.to_owned()))
            }
            Ok(()) => match self.of_larger_site(raw).filter(|_| used == Use::Link) {
                Some(larger) => Resolved::to(Target::Url(larger)),
                None => self.nothing_of_settings(raw, path.path, used),
            },
        };
        (resolved, None)
    }

    fn nothing_of_settings(&self, raw: &str, path: &str, used: Use) -> Resolved {
        let shown = shorten(raw, 200);
        let problem = missing::broken(&shown, used != Use::Link);
        let meant = || Some(format!("did you mean `{}`?", self.source_like(path)?));
        Resolved::broken(match hint(raw).or_else(meant) {
            Some(hint) => problem.hint(hint),
            None => problem,
        })
    }

    /// The file whose path is most like this one.
    pub fn source_like(&self, path: &str) -> Option<&str> {
        let path = path.trim_start_matches("./").trim_matches('/');
        let is_near = |source: &&str| source.len().abs_diff(path.len()) <= 1 + source.len() / 4;
        let sources = self.items.iter().map(|item| &*item.source);
        let near: Vec<&str> = sources.filter(is_near).take(COMPARED).collect();
        nearest(path, &near)
    }

    fn item_at(&self, path: &str) -> Option<ItemId> {
        self.paths.site(path).or_else(|| {
            self.roots
                .iter()
                .find_map(|root| self.paths.source(&inside(root, path)))
        })
    }

    fn leads_item(&self, item: ItemId) -> RootTarget<'_> {
        if let Some(to) = self.redirects.get(&item) {
            return RootTarget::To(to.clone());
        }
        let item = &self.items[item];
        match &item.kind {
            ItemKind::Page(path) | ItemKind::Generated(path) | ItemKind::File { path, .. } => {
                RootTarget::To(Destination::Here(path.to_string()))
            }
            ItemKind::Hidden(why) => RootTarget::Hidden(&item.source, why),
        }
    }

    /// Adds an old address of the page or file at this stem or path.
    pub fn add_old(&mut self, stem: &str, to: &str) {
        if let Some(item) = self.paths.address(&composed(to)) {
            self.add_address(stem, item);
        }
    }
}

/// The path of a URL, without its first slash.
fn path_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    Some(rest.split_once('/')?.1)
}
