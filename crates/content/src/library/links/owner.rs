//! Targets of redirects, and of links to the rest of a larger site.

use super::{
    keys::composed,
    table::{ItemId, ItemKind, LinkTable},
};
use crate::library::paths::{below, inside, scheme};
use crate::model::address::Destination;

/// Where a path leads.
pub enum Leads<'a> {
    To(Destination),
    /// To a file that is not published, and why.
    Hidden(&'a str, &'a str),
}

impl LinkTable<'_> {
    /// What has exactly this address, without suffix and closing slash.
    pub fn exactly(&self, stem: &str) -> Option<Leads<'_>> {
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
    pub fn leads(&self, path: &str) -> Option<Leads<'_>> {
        let path = &*composed(path);
        let former = self.former.as_deref().and_then(|former| {
            let (_, rest) = former.split_once("://")?;
            Some(rest.split_once('/')?.1)
        });
        let prefix = self.work.site.links.prefix.as_deref();
        let mounts = self.conventions.mounts.iter().map(String::as_str);
        let places = prefix.into_iter().chain(former).chain(mounts);
        let below = places.filter_map(|place| below(path, place.trim_matches('/')));
        let item = std::iter::once(path)
            .chain(below)
            .find_map(|path| self.item_at(path))
            .or_else(|| {
                let mut roots = self.roots.iter();
                roots.find_map(|root| Some(self.any_case(&inside(root, path))?.item))
            })?;
        Some(self.leads_item(item))
    }

    fn item_at(&self, path: &str) -> Option<ItemId> {
        self.paths.site(path).or_else(|| {
            self.roots
                .iter()
                .find_map(|root| self.paths.source(&inside(root, path)))
        })
    }

    fn leads_item(&self, item: ItemId) -> Leads<'_> {
        let item = &self.items[item];
        match &item.kind {
            ItemKind::Page(path) | ItemKind::Generated(path) | ItemKind::File { path, .. } => {
                Leads::To(Destination::Here(path.to_string()))
            }
            ItemKind::Hidden(why) => Leads::Hidden(&item.source, why),
        }
    }

    /// Adds an old address of the page or file at this stem or path.
    pub fn add_old(&mut self, stem: &str, to: &str) {
        if let Some(item) = self.paths.address(&composed(to)) {
            self.add_address(stem, item);
        }
    }

    /// The path of a target on this site, or on the one that the folder comes from; `None`: it is
    /// on another.
    pub fn on_own_site<'r>(&self, to: &'r str) -> Option<&'r str> {
        if let Some(path) = self.on_this_site(to).or_else(|| self.on_former_site(to)) {
            return Some(path);
        }
        (scheme(to).is_none() && !to.starts_with("//")).then_some(to)
    }

    /// The address on the larger site of a path that leads nowhere here.
    pub fn of_larger_site(&self, path: &str) -> Option<String> {
        let links = &self.work.site.links;
        let origin = links.origin.as_deref()?;
        let is_own = links.prefix.as_deref().is_some_and(|prefix| {
            path.strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        });
        let is_rooted = path.starts_with('/') && !path.starts_with("//");
        (is_rooted && !is_own).then(|| format!("{origin}{path}"))
    }
}
