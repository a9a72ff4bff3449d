//! Resolves one reference.

use super::{
    lookup::{Found, Origin},
    table::{Item, ItemId, ItemKind, LinkTable, SEARCH},
};
use crate::library::{
    anchors::{Anchors, is_beginning, is_everywhere},
    candidate::Described,
    paths::{Address, decoded, scheme, split_fragment, stemmed},
};
use crate::model::{
    document::{POST, REF, Reference, ReferenceKind, Target},
    problem::{Cause, Problem},
    scheme::{Refused, Use, check},
    text::shorten,
};

/// The most texts that redirect to each other, and are followed.
const LONGEST_CHAIN: usize = 10;

/// A target, and messages for the author.
pub struct Resolved {
    pub target: Target,
    pub problem: Option<Problem>,
    /// Whether a former dated address (`/2015/03/19/x/`) was used.
    pub dated: bool,
    /// Whether the target page has the requested fragment; `None`: no fragment or no page.
    pub fragment_found: Option<bool>,
    /// The page in which a fragment was looked for.
    pub looked_in: Option<ItemId>,
    /// Whether the target is a section, which exists or not once the order of texts is known; if
    /// not, the problem is one.
    pub is_section: bool,
}

impl Resolved {
    pub fn to(target: Target) -> Self {
        Self {
            target,
            problem: None,
            dated: false,
            fragment_found: None,
            looked_in: None,
            is_section: false,
        }
    }

    /// The target of an address whose scheme is not allowed.
    pub(super) fn refused(written: &str, is_link: bool, refused: &Refused) -> Self {
        let what = if is_link {
            "the link"
        } else {
            "the image or file"
        };
        let message = format!(
            "{what} `{}` is removed: pages do not link to `{}:` addresses",
            shorten(written, 200),
            refused.scheme
        );
        let problem = Problem::warning(message).cause(Cause::LinkScheme);
        Self::broken(problem.hint(refused.hint()))
    }

    pub fn broken(problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::to(Target::Unresolved)
        }
    }
}

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
    fn of(found: Option<Found>, address: Address<'r>) -> Self {
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
        if let Some(name) = raw.strip_prefix(POST) {
            let address = Address::of(name);
            return Lookup::of(
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
            let address = Address::of(rest);
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
        let address = Address::of(raw);
        if address.path.is_empty() {
            return Lookup::Found(Found::exactly(origin.item), address);
        }
        self.path_or_hint(origin, raw)
    }

    fn path_or_hint<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Lookup<'r> {
        let address = Address::of(raw);
        match self.path(origin, address.path) {
            Some(found) => Lookup::Found(found, address),
            None => Lookup::Nothing(hint(raw)),
        }
    }

    /// The path of an absolute URL of this site.
    pub fn on_this_site<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let origin = self.work.site.base.origin();
        let (_, without_scheme) = origin.split_once(':')?;
        let rest = raw
            .strip_prefix(origin)
            .or_else(|| raw.strip_prefix(without_scheme))?;
        if rest.is_empty() {
            return Some("/");
        }
        ends_path(rest).then_some(rest)
    }

    /// The path below the former base, from a URL of the former site or a root-relative path: with
    /// `https://example.org/blog` that is `/x` for `/blog/x` and `https://example.org/blog/x`.
    pub fn on_former_site<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let former = self.former.as_deref()?;
        let rest = raw
            .strip_prefix(former)
            .or_else(|| raw.strip_prefix(path_of(former)?))?;
        ends_path(rest).then_some(rest)
    }

    /// A page named by Hugo's `ref`: a path from the root or the file, or a name.
    fn hugo_ref<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Lookup<'r> {
        let address = Address::of(raw);
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
        Lookup::of(found, address)
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
            None => Lookup::of(self.path(origin, name), address),
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

    /// The target of a link to a text that is only a redirect: where the last of such texts leads.
    fn moved(&self, first: ItemId, address: Address<'_>) -> Resolved {
        let mut item = first;
        for _ in 0..LONGEST_CHAIN {
            let Some(to) = self.redirects.get(&item) else {
                return self.target(item, address, false);
            };
            let Some(path) = to.path() else {
                return Resolved::to(Target::Url(to.to_string()));
            };
            let stem = stemmed(path);
            let text = || self.redirect_stems.get(stem.as_str()).copied();
            match self.paths.address(&stem).or_else(text) {
                Some(next) => item = next,
                None => break,
            }
        }
        let source = &self.items[first].source;
        let message = format!("the link leads to `{source}`, which redirects to no page");
        Resolved::broken(Problem::warning(message).cause(Cause::Link))
    }

    /// The target of an item, with the rest of the address after the path; `is_here`: a page refers
    /// to itself.
    pub(super) fn target(&self, item: ItemId, address: Address<'_>, is_here: bool) -> Resolved {
        if self.redirects.contains_key(&item) {
            return self.moved(item, address);
        }
        let Item { source, kind } = &self.items[item];
        if let Some(page) = self.page(item) {
            let fragment = address.fragment.filter(|fragment| !fragment.is_empty());
            return page_target((item, page), source, fragment, is_here);
        }
        let fragment = address.fragment.filter(|fragment| !fragment.is_empty());
        match kind {
            ItemKind::Hidden(why) => {
                let message =
                    format!("the link leads to `{source}`, which is not published: {why}");
                // Values and suffixes in a reason differ from file to file.
                let common = why.split(": `").next().unwrap_or(why);
                let problem = Problem::warning(message).cause(Cause::LinkToWithheld);
                Resolved::broken(problem.subject(common))
            }
            ItemKind::File { path, size } => {
                let mut suffix = address.query.to_owned();
                if let Some(fragment) = fragment {
                    suffix.push('#');
                    suffix.push_str(fragment);
                }
                Resolved::to(Target::File {
                    path: path.clone(),
                    suffix,
                    size: *size,
                })
            }
            // The one page whose answer depends on a query.
            ItemKind::Generated(stem) if **stem == *SEARCH && !address.query.is_empty() => {
                Resolved::to(Target::File {
                    path: format!("{stem}.html").into(),
                    suffix: address.query.to_owned(),
                    size: None,
                })
            }
            ItemKind::Page(stem) | ItemKind::Generated(stem) => {
                let fragment = fragment
                    .filter(|fragment| is_everywhere(fragment))
                    .map(str::to_owned);
                Resolved::to(Target::Page {
                    stem: stem.clone(),
                    fragment,
                })
            }
        }
    }
}

/// An address as the author wrote it.
fn as_written(raw: &str) -> &str {
    let raw = raw.trim();
    let name = raw.strip_prefix(POST).or_else(|| raw.strip_prefix(REF));
    name.unwrap_or(raw)
}

/// The target of an author's page; `is_here`: the page refers to itself.
fn page_target(
    (item, page): (ItemId, &Described),
    source: &str,
    fragment: Option<&str>,
    is_here: bool,
) -> Resolved {
    let found = fragment.and_then(|fragment| find_fragment(page, fragment));
    let missing = fragment.filter(|_| found.is_none());
    let target = match found {
        fragment if !is_here => Target::Page {
            stem: page.metadata.stem.value.clone(),
            fragment,
        },
        Some(fragment) => Target::Here(fragment),
        None if missing.is_some() => Target::Unresolved,
        None => Target::Here(String::new()),
    };
    let problem = missing.map(|fragment| no_heading(source, fragment));
    Resolved {
        target,
        problem,
        dated: false,
        fragment_found: fragment.map(|_| missing.is_none()),
        looked_in: fragment.map(|_| item),
        is_section: false,
    }
}

fn no_heading(source: &str, fragment: &str) -> Problem {
    Problem::warning(format!(
        "broken link: the page `{source}` has no heading or id `#{fragment}`"
    ))
    .cause(Cause::Fragment)
    .subject(source)
}

pub(super) fn find_fragment(page: &Described, fragment: &str) -> Option<String> {
    if is_everywhere(fragment) {
        return Some(fragment.to_owned());
    }
    page.anchors
        .get_or_init(|| Anchors::of(&page.document.aside()))
        .find(fragment)
        .or_else(|| is_beginning(fragment).then(|| "top".to_owned()))
}

/// Whether the path of an address ends before this text.
fn ends_path(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['/', '?', '#'])
}

/// The path of a URL, if it has one.
fn path_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    (path.len() > 1).then_some(path)
}

/// A suggestion for an address without a scheme that looks like another site.
pub(super) fn hint(raw: &str) -> Option<String> {
    const ENDS: [&str; 6] = [".com", ".org", ".net", ".gov", ".edu", ".io"];
    let host = raw.split('/').next().unwrap_or_default();
    if raw.starts_with("www.")
        || ENDS
            .iter()
            .any(|end| host.len() > end.len() && host.ends_with(end))
    {
        return Some(format!("did you mean `https://{raw}`?"));
    }
    (raw.contains('@') && !raw.contains('/')).then(|| format!("did you mean `mailto:{raw}`?"))
}
