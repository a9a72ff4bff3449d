//! Resolves one reference.

use super::{
    item::ItemId,
    lookup::{Found, Origin},
    sites::hint,
    table::LinkTable,
    target::Resolved,
};
use crate::library::paths::{Address, OF_SITE, decoded, scheme, split_fragment};
use crate::model::{
    document::{POST, REF, Reference, ReferenceKind, Target},
    problem::{Cause, Problem},
    scheme::{Refused, Use, check},
};

/// The target of a reference before its fragment is checked.
enum Lookup<'r> {
    /// Another site.
    Url,
    Found(Found, Address<'r>),
    /// No target; with a suggestion.
    Nothing(Option<String>),
    /// A target that no page may link to.
    Refused(Refused),
}

impl<'r> Lookup<'r> {
    fn from_found(found: Option<Found>, address: Address<'r>) -> Self {
        match found {
            Some(found) => Self::Found(found, address),
            None => Self::Nothing(None),
        }
    }
}

impl LinkTable<'_> {
    /// The target of a reference in an item's document.
    pub fn resolve(&self, from: ItemId, reference: &Reference) -> Resolved {
        let Some(origin) = self.origin(from) else {
            return Resolved::to(Target::Unresolved);
        };
        let written = as_written(&reference.raw);
        let mut resolved = match self.look_up(&origin, reference) {
            Lookup::Url => Resolved::to(Target::Url(written.to_owned())),
            Lookup::Found(found, address) => self.found(&origin, found, address, written),
            Lookup::Nothing(hint) => self.nothing(&origin, reference, written, hint),
            Lookup::Refused(refused) => {
                Resolved::refused(written, reference.kind == ReferenceKind::Link, &refused)
            }
        };
        let place = |problem: Problem| problem.at(origin.source, reference.line, reference.column);
        resolved.problem = resolved.problem.map(place);
        resolved
    }

    fn look_up<'r>(&self, origin: &Origin<'_>, reference: &'r Reference) -> Lookup<'r> {
        let raw = reference.raw.trim();
        match reference.kind {
            ReferenceKind::Wiki | ReferenceKind::Embed => self.wiki(origin, raw),
            ReferenceKind::Link => self.address(origin, raw, Use::Link),
            ReferenceKind::Media => self.address(origin, raw, Use::Picture),
            ReferenceKind::Player => self.address(origin, raw, Use::Player),
        }
    }

    /// An address in Markdown or HTML.
    fn address<'r>(&self, origin: &Origin<'_>, raw: &'r str, used: Use) -> Lookup<'r> {
        let raw = raw.strip_prefix(OF_SITE).unwrap_or(raw);
        if let Some(name) = raw.strip_prefix(POST) {
            let address = Address::parse(name);
            return Lookup::from_found(
                self.post(&decoded(address.path)).map(Found::exactly),
                address,
            );
        }
        if let Some(name) = raw.strip_prefix(REF) {
            return match scheme(name) {
                Some(_) => self.address(origin, name, used),
                None => self.hugo_ref(origin, name),
            };
        }
        if let Some(path) = self.on_this_site(raw) {
            return self.path_or_hint(origin, path);
        }
        if let Some(rest) = self.on_former_site(raw) {
            let address = Address::parse(rest);
            let path = if address.path.is_empty() {
                "/"
            } else {
                address.path
            };
            if let Some(found) = self.path(origin, path) {
                return Lookup::Found(found, address);
            }
        }
        if scheme(raw).is_some() || raw.starts_with("//") {
            return match check(raw, used) {
                Ok(()) => Lookup::Url,
                Err(refused) => Lookup::Refused(refused),
            };
        }
        let address = Address::parse(raw);
        if address.path.is_empty() {
            return Lookup::Found(Found::exactly(origin.item), address);
        }
        self.path_or_hint(origin, raw)
    }

    fn path_or_hint<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Lookup<'r> {
        let address = Address::parse(raw);
        match self.path(origin, address.path) {
            Some(found) => Lookup::Found(found, address),
            None => Lookup::Nothing(hint(raw)),
        }
    }

    /// A page named by Hugo's `ref`: a path from the root or the file, or a name.
    fn hugo_ref<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Lookup<'r> {
        let address = Address::parse(raw);
        if address.path.is_empty() {
            return Lookup::Found(Found::exactly(origin.item), address);
        }
        let plain = decoded(address.path);
        let mut found = self.in_language_of(origin, &plain).map(Found::exactly);
        if found.is_none() {
            found = self.path(origin, address.path);
        }
        if found.is_none() {
            found = self.named(origin, &plain).map(Found::exactly);
        }
        if found.is_none() {
            found = self.rooted(origin, &plain, true);
        }
        Lookup::from_found(found, address)
    }

    /// `Note`, `folder/Note#Heading`: by path, else the shortest path with that name.
    fn wiki<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Lookup<'r> {
        let (path, fragment) = split_fragment(raw);
        let address = Address {
            path,
            query: "",
            fragment,
        };
        let name = path.trim();
        if name.is_empty() {
            return Lookup::Found(Found::exactly(origin.item), address);
        }
        match self.named(origin, name) {
            Some(item) => Lookup::Found(Found::exactly(item), address),
            None => Lookup::from_found(self.path(origin, name), address),
        }
    }

    /// The target of a found item.
    fn found(
        &self,
        origin: &Origin<'_>,
        found: Found,
        address: Address<'_>,
        written: &str,
    ) -> Resolved {
        let is_here = found.item == origin.item && address.path.is_empty();
        let mut resolved = self.target(found.item, address, is_here);
        resolved.dated = found.dated;
        if found.other_case && resolved.problem.is_none() {
            let source = &self.items[found.item].source;
            let message = format!("the case of `{written}` differs from the file name `{source}`");
            resolved.problem = Some(Problem::warning(message).cause(Cause::Case));
        }
        resolved
    }
}

/// An address as the author wrote it.
fn as_written(raw: &str) -> &str {
    let raw = raw.trim();
    let name = raw.strip_prefix(POST).or_else(|| raw.strip_prefix(REF));
    name.unwrap_or(raw)
}
