//! One reference and where it leads, by the readings that real folders prove, in their order.

use super::fragment::{Ids, is_everywhere};
use super::path::{self, Address, bare, decoded, folder, has_suffix, join, scheme};
use super::{ItemId, Place, Table, composed};
use crate::model::document::{POST, REF, Reference, ReferenceKind, Target};
use crate::model::problem::Problem;
use crate::model::scheme::{Refused, Use};

/// How many items of one name are looked at: names that more share mean nothing, and a link must stay cheap.
const MANY: usize = 1000;

/// A target, and what the author should know about it.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub target: Target,
    pub problem: Option<Problem>,
    /// Whether an old dated address (`/2015/03/19/x/`) led there.
    pub dated: bool,
    /// Whether the page that was found has the place that was asked for; `None`: none was, or there is no page.
    pub lands: Option<bool>,
}

/// What a lookup found, and how.
#[derive(Clone, Copy)]
struct Hit {
    item: ItemId,
    /// Another case than the file's own.
    folded: bool,
    dated: bool,
}

impl Hit {
    fn plain(item: ItemId) -> Self {
        Self { item, folded: false, dated: false }
    }
}

/// Where a link is written.
struct Origin<'a> {
    item: ItemId,
    source: &'a str,
    /// The source path as an address would have it: `docs/a` for `docs/a.md`.
    address: &'a str,
    stem: &'a str,
    language: &'a str,
}

impl Table<'_> {
    /// Where a reference in an item's document leads.
    pub fn resolve(&self, from: ItemId, reference: &Reference) -> Resolved {
        let Some(origin) = self.origin(from) else {
            return Resolved { target: Target::Unresolved, problem: None, dated: false, lands: None };
        };
        let raw = reference.raw.trim();
        let resolved = match reference.kind {
            ReferenceKind::Wiki | ReferenceKind::Embed => self.wiki(&origin, raw),
            ReferenceKind::Link | ReferenceKind::Media | ReferenceKind::Player => self.address_of(&origin, raw, reference.kind),
        };
        // As the author wrote it.
        let raw = raw.strip_prefix(POST).or_else(|| raw.strip_prefix(REF)).unwrap_or(raw);
        let warn = |message: String| Problem::warning(message).at(origin.source, reference.line, reference.column);
        let mut lands = None;
        let (target, message, hint, dated) = match resolved {
            Outcome::Target(target) => (target, None, None, false),
            Outcome::Hit(hit, rest) => {
                let (target, mut message);
                (target, message, lands) = self.target(&origin, hit.item, rest);
                if hit.folded && message.is_none() {
                    message = Some(format!("`{raw}` is written in another case: the file is `{}`", self.items[hit.item].source()));
                }
                (target, message, None, hit.dated)
            }
            Outcome::Refused(refused) => {
                let what = if reference.kind == ReferenceKind::Link { "the link" } else { "the image or file" };
                let message =
                    format!("{what} `{}` is dropped: no page leads to `{}:` addresses", crate::model::text::shorten(raw, 200), refused.scheme);
                (Target::Unresolved, Some(message), Some(refused.hint()), false)
            }
            Outcome::Nothing(hint) => {
                let shown = matches!(reference.kind, ReferenceKind::Media | ReferenceKind::Player);
                let (what, fate) = if shown { ("the image or file", "is missing") } else { ("the link", "leads nowhere") };
                (Target::Unresolved, Some(format!("{what} `{}` {fate}", crate::model::text::shorten(raw, 200))), hint, false)
            }
        };
        let problem = message.map(warn).map(|problem| if let Some(hint) = hint { problem.hint(hint) } else { problem });
        Resolved { target, problem, dated, lands }
    }

    /// For `../x`: whether only the reading from the page's address leads somewhere (`true`), only that from the file (`false`), or both or none.
    pub fn vote(&self, from: ItemId, reference: &Reference) -> Option<bool> {
        let raw = reference.raw.trim();
        if !matches!(reference.kind, ReferenceKind::Link) || !raw.starts_with("../") {
            return None;
        }
        let origin = self.origin(from)?;
        let path = decoded(Address::of(raw).path);
        if has_suffix(&path) {
            return None;
        }
        let from_file = join(folder(origin.source), &path).and_then(|path| self.source(&path)).is_some();
        let from_address = join(origin.address, &path).and_then(|path| self.source(&path)).is_some();
        (from_file != from_address).then_some(from_address)
    }

    fn origin(&self, item: ItemId) -> Option<Origin<'_>> {
        let found = self.items.get(item)?;
        let Place::Page { stem, language, .. } = &found.place else { return None };
        Some(Origin { item, source: found.source(), address: bare(found.source()), stem, language })
    }

    /// An address as Markdown and HTML have it.
    fn address_of<'r>(&self, origin: &Origin<'_>, raw: &'r str, kind: ReferenceKind) -> Outcome<'r> {
        if let Some(name) = raw.strip_prefix(POST) {
            let address = Address::of(name);
            return self.post(&decoded(address.path)).map_or(Outcome::Nothing(None), |item| Outcome::Hit(Hit::plain(item), address));
        }
        if let Some(name) = raw.strip_prefix(REF) {
            return self.by_ref(origin, name);
        }
        let own = self.own(raw);
        if own.is_none()
            && let Some(rest) = self.formerly(raw)
            && let address = Address::of(rest)
            && let Some(hit) = self.path(origin, if address.path.is_empty() { "/" } else { address.path })
        {
            return Outcome::Hit(hit, address);
        }
        if own.is_none() && (scheme(raw).is_some() || raw.starts_with("//")) {
            let used = match kind {
                ReferenceKind::Media => Use::Picture,
                ReferenceKind::Player => Use::Player,
                ReferenceKind::Link | ReferenceKind::Wiki | ReferenceKind::Embed => Use::Link,
            };
            let checked = crate::model::scheme::check(raw, used);
            return checked.map_or_else(Outcome::Refused, |()| Outcome::Target(Target::Url(raw.to_owned())));
        }
        let raw = own.unwrap_or(raw);
        let address = Address::of(raw);
        if address.path.is_empty() && own.is_none() {
            return Outcome::Hit(Hit::plain(origin.item), address);
        }
        let found = self.path(origin, address.path);
        found.map_or_else(|| Outcome::Nothing(hint(raw)), |hit| Outcome::Hit(hit, address))
    }

    /// The path of an absolute URL of this very site.
    fn own<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let rest = raw.strip_prefix(self.base.origin()).or_else(|| raw.strip_prefix(self.base.origin().split_once(':')?.1))?;
        (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(if rest.is_empty() { "/" } else { rest })
    }

    /// The path below the former address, of a URL of the former site or of a path from its root: with `https://example.org/blog` that is `/x` in
    /// `/blog/x` and in `https://example.org/blog/x`.
    fn formerly<'r>(&self, raw: &'r str) -> Option<&'r str> {
        let former = self.former.as_deref()?;
        let path = former.split_once("://").and_then(|(_, rest)| rest.find('/').map(|slash| &rest[slash..])).filter(|path| path.len() > 1);
        let rest = raw.strip_prefix(former).or_else(|| raw.strip_prefix(path?))?;
        (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
    }

    /// A path, decoded or, where no file has that name, as it is written.
    fn path(&self, origin: &Origin<'_>, path: &str) -> Option<Hit> {
        let plain = composed(&decoded(path));
        let found = self.readings(origin, &plain);
        found.or_else(|| if plain == path { None } else { self.readings(origin, &composed(path)) })
    }

    fn readings(&self, origin: &Origin<'_>, path: &str) -> Option<Hit> {
        let path = path.replace('\\', "/");
        if let Some(rooted) =
            path.strip_prefix('/').or_else(|| path.strip_prefix("@/")).or_else(|| path.strip_prefix("~/")).or_else(|| path.strip_prefix("@site/"))
        {
            return self.rooted(origin, rooted, true);
        }
        let from_file = || join(folder(origin.source), &path).and_then(|path| self.source(&path));
        let from_address = || join(origin.address, &path).and_then(|path| self.source(&path));
        let upwards = path.starts_with("../") && !has_suffix(&path);
        let found = if upwards {
            self.better(origin, from_file(), from_address(), path.ends_with('/') || self.from_address)
        } else {
            from_file().or_else(from_address)
        };
        let by_stem = || {
            let beside = join(folder(origin.stem), &path).and_then(|path| self.site(&path));
            beside.or_else(|| join(origin.stem, &path).and_then(|path| self.site(&path)))
        };
        let attachment = || self.named(origin, &path).filter(|_| self.by_name);
        let upward = |found: Option<ItemId>| found.map(Hit::plain);
        let beside = || join(folder(origin.source), &path).and_then(|path| self.folded(&path));
        upward(found.or_else(by_stem).or_else(attachment)).or_else(beside).or_else(|| {
            // Folders that people move leave `../` that lead above the root; below it the path is right.
            self.rooted(origin, path.trim_start_matches("./").trim_start_matches("../"), false)
        })
    }

    /// Of two readings the one that leads somewhere; of two that do, the one in the page's own language, else the folder's habit.
    fn better(&self, origin: &Origin<'_>, file: Option<ItemId>, address: Option<ItemId>, prefer_address: bool) -> Option<ItemId> {
        let (Some(file), Some(address)) = (file, address) else { return file.or(address) };
        let speaks = |item: ItemId| matches!(self.items[item].place, Place::Page { language, .. } if language == origin.language);
        match (speaks(file), speaks(address)) {
            (true, false) => Some(file),
            (false, true) => Some(address),
            _ if prefer_address => Some(address),
            _ => Some(file),
        }
    }

    /// A path in the space of sources: the file itself, or a text without its suffix or `index`.
    fn source(&self, path: &str) -> Option<ItemId> {
        let exact = self.keys.sources.get(path).or_else(|| self.keys.bare.get(bare(path))).copied();
        exact.or_else(|| {
            if self.keys.unnumbered.is_empty() || path.is_empty() {
                return None;
            }
            let bare = bare(path);
            self.keys.unnumbered.get(path::unnumbered(bare).as_deref().unwrap_or(bare)).copied().flatten()
        })
    }

    /// A path in the space of addresses; it has no slash before it.
    fn site(&self, path: &str) -> Option<ItemId> {
        let path = format!("/{}", path.trim_matches('/'));
        let exact = self.keys.addresses.get(path.as_str());
        let stem = bare(&path);
        exact
            .or_else(|| self.keys.addresses.get(stem))
            .copied()
            .filter(|_| path != "/")
            .or_else(|| if stem.is_empty() || path == "/" { self.keys.addresses.get("").copied() } else { None })
    }

    /// For a path from the root that leads nowhere: the beginnings without which it would lead somewhere.
    pub fn mounts_of(&self, from: ItemId, reference: &Reference) -> Option<(String, Vec<usize>)> {
        if !matches!(reference.kind, ReferenceKind::Link | ReferenceKind::Media | ReferenceKind::Player) {
            return None;
        }
        let origin = self.origin(from)?;
        let path = decoded(Address::of(reference.raw.trim().strip_prefix('/').filter(|rest| !rest.starts_with('/'))?).path);
        let path = join("", &path)?;
        if self.at_root(&origin, &path, true).is_some() {
            return None;
        }
        let ends: Vec<usize> = path.match_indices('/').take(3).map(|(end, _)| end).collect();
        let fits = ends.iter().copied().filter(|end| self.at_root(&origin, &path[end + 1..], true).is_some()).collect();
        (!ends.is_empty()).then_some((path, fits))
    }

    /// A path from the root: an address, a file below one of the roots or below a folder around the one that names it.
    fn at_root(&self, origin: &Origin<'_>, path: &str, habits: bool) -> Option<ItemId> {
        let below = || self.roots.iter().find_map(|root| self.source(&if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") }));
        // A site may lie deeper than at the root: `content/en/` of one in several languages, `docs/` of a project.
        let around = || origin.source.match_indices('/').take(8).find_map(|(end, _)| self.source(&format!("{}/{path}", &origin.source[..end])));
        self.site(path).or_else(below).or_else(|| if habits { around() } else { None })
    }

    /// A path from the root: an address, a file below one of the roots, an old address; at last whatever its case.
    fn rooted(&self, origin: &Origin<'_>, path: &str, habits: bool) -> Option<Hit> {
        let base = self.base.path().trim_start_matches('/');
        let path = path.trim_matches('/');
        let path = Some(path)
            .filter(|_| !base.is_empty())
            .and_then(|path| path.strip_prefix(base))
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
            .map_or(path, |rest| rest.trim_start_matches('/'));
        let path = join("", path)?;
        let mounted = || {
            let mut rests = self.mounts.iter().filter_map(|mount| path.strip_prefix(mount.as_str())?.strip_prefix('/'));
            rests.find_map(|rest| self.at_root(origin, rest, true)).filter(|_| habits)
        };
        if let Some(item) = self.at_root(origin, &path, habits).or_else(mounted) {
            return Some(Hit::plain(item));
        }
        if let Some(item) = self.old(&path).filter(|_| habits) {
            return Some(Hit { item, folded: false, dated: dated(&path) });
        }
        self.roots.iter().find_map(|root| self.folded(&if root.is_empty() { path.clone() } else { format!("{root}/{path}") }))
    }

    /// A path whatever its case, where only one item has it.
    fn folded(&self, path: &str) -> Option<Hit> {
        let lower = path.to_lowercase();
        let keys = [format!("/{lower}"), format!("/{}", bare(&lower)), bare(&lower).to_owned(), lower];
        let item = keys.iter().filter(|key| key.len() > 1).find_map(|key| self.keys.folded.get(key.as_str()).copied().flatten())?;
        let other_case = !matches!(self.items[item].place, Place::Generated(_)) && !self.items[item].source().contains(bare(path));
        Some(Hit { item, folded: other_case, dated: false })
    }

    /// An address of the generator before: its last part names an article, and what stands before it is the article's date, or words
    /// that such addresses have, or parts of the article's own path.
    fn old(&self, path: &str) -> Option<ItemId> {
        const WORDS: [&str; 12] =
            ["blog", "posts", "post", "articles", "article", "news", "writing", "notes", "entries", "archive", "archives", "content"];
        let stem = bare(path);
        let (before, last) = stem.rsplit_once('/').unwrap_or(("", stem));
        let (date, last) = match crate::model::date::in_name(last) {
            Some((moment, rest)) if !rest.is_empty() => (Some(moment.iso()), rest),
            _ => (None, last),
        };
        let last = last.to_lowercase();
        let fits = |tail: &&super::Tail| {
            let mut numbers = tail.date().into_iter().flat_map(|date| date.split('-'));
            let parts = before.split('/').filter(|part| !part.is_empty()).all(|part| {
                let numeric = part.bytes().all(|byte| byte.is_ascii_digit());
                let next = numeric.then(|| numbers.next()).flatten();
                let same = |number: &str| number.trim_start_matches('0') == part.trim_start_matches('0');
                if numeric {
                    next.is_some_and(same)
                } else {
                    WORDS.contains(&part.to_lowercase().as_str()) || tail.words().any(|word| word.eq_ignore_ascii_case(part))
                }
            });
            parts && date.as_ref().is_none_or(|date| tail.date() == Some(date))
        };
        let mut found = self.keys.tails.get(last.as_str())?.as_slice().iter().take(MANY).filter(fits).map(|tail| tail.item);
        let first = found.next()?;
        found.all(|item| item == first).then_some(first)
    }

    /// A Jekyll post by its file name without suffix, maybe behind a folder.
    fn post(&self, name: &str) -> Option<ItemId> {
        let name = name.trim_matches('/');
        let last = name.rsplit('/').next().unwrap_or(name);
        let named = |name: &str| self.keys.names.get(composed(name).to_lowercase().as_str()).and_then(|items| items.as_slice().first()).copied();
        self.roots.iter().find_map(|root| self.source(&format!("{root}/{name}"))).or_else(|| named(last)).or_else(|| self.old(last))
    }

    /// A page as Hugo's `ref` names it: a path from the root or the file, or a name.
    fn by_ref<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Outcome<'r> {
        let address = Address::of(raw);
        if address.path.is_empty() {
            return Outcome::Hit(Hit::plain(origin.item), address);
        }
        let hit = self
            .path(origin, address.path)
            .or_else(|| self.named(origin, &decoded(address.path)).map(Hit::plain))
            .or_else(|| self.rooted(origin, &decoded(address.path), true));
        hit.map_or(Outcome::Nothing(None), |hit| Outcome::Hit(hit, address))
    }

    /// `Note`, `folder/Note#Heading`: by path, else by the shortest path of that name.
    fn wiki<'r>(&self, origin: &Origin<'_>, raw: &'r str) -> Outcome<'r> {
        let (name, fragment) = raw.split_once('#').map_or((raw, None), |(name, fragment)| (name, Some(fragment)));
        let address = Address { path: name, query: "", fragment };
        let name = name.trim();
        if name.is_empty() {
            return Outcome::Hit(Hit::plain(origin.item), address);
        }
        let found = self.named(origin, name).map(Hit::plain).or_else(|| self.path(origin, name));
        found.map_or(Outcome::Nothing(None), |hit| Outcome::Hit(hit, address))
    }

    /// A name with or without folders before it: of several files the one in the same folder, else the one with the shortest path.
    fn named(&self, origin: &Origin<'_>, path: &str) -> Option<ItemId> {
        let path = composed(path.trim_start_matches("./").trim_matches('/')).to_lowercase();
        let (before, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = bare(name);
        let items = self.keys.names.get(name).or_else(|| self.keys.names.get(stem))?;
        let fits = |item: &&ItemId| {
            let source = self.items[**item].source().to_lowercase();
            before.is_empty() || folder(&source) == before || folder(&source).ends_with(&format!("/{before}"))
        };
        let near = |item: &&ItemId| {
            let source = self.items[**item].source();
            (matches!(self.items[**item].place, Place::Hidden(_)), folder(source) != folder(origin.source), source.matches('/').count(), source.len())
        };
        items.as_slice().iter().take(MANY).filter(fits).min_by_key(near).copied()
    }

    /// The target of an item with what stood behind the path, what is wrong with it, and whether it has the place that was asked for.
    fn target(&self, origin: &Origin<'_>, item: ItemId, rest: Address<'_>) -> (Target, Option<String>, Option<bool>) {
        let fragment = rest.fragment.filter(|fragment| !fragment.is_empty());
        match &self.items[item].place {
            Place::Hidden(why) => {
                let message = format!("the link leads to `{}`, which is not published: {why}", self.items[item].source());
                (Target::Unresolved, Some(message), None)
            }
            Place::File { path, size } => {
                let suffix = format!("{}{}", rest.query, fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default());
                (Target::File { path: path.clone(), suffix, size: *size }, None, None)
            }
            Place::Generated(stem) => {
                let fragment = fragment.filter(|fragment| is_everywhere(fragment)).map(str::to_owned);
                (Target::Page { stem: stem.clone(), fragment }, None, None)
            }
            Place::Page { stem, document, ids, .. } => {
                let found = fragment.map(|fragment| {
                    if is_everywhere(fragment) {
                        return Some(fragment.to_owned());
                    }
                    ids.get_or_init(|| Ids::of(&document.aside())).find(fragment)
                });
                let lands = found.as_ref().map(Option::is_some);
                let missing = (found == Some(None))
                    .then(|| format!("`#{}` is no place on the page `{}`", fragment.unwrap_or_default(), self.items[item].source()));
                let target = match (item == origin.item && rest.path.is_empty(), found.flatten()) {
                    (true, Some(fragment)) => Target::Here(fragment),
                    (true, None) if missing.is_some() => Target::Unresolved,
                    (true, None) => Target::Here(String::new()),
                    (false, fragment) => Target::Page { stem: (*stem).clone(), fragment },
                };
                (target, missing, lands)
            }
        }
    }
}

/// What a reference leads to before its fragment is looked at.
enum Outcome<'r> {
    Target(Target),
    Hit(Hit, Address<'r>),
    Nothing(Option<String>),
    Refused(Refused),
}

/// Whether an old address holds a date before its last part.
fn dated(path: &str) -> bool {
    crate::model::date::in_path(path).is_some()
}

/// What may be meant by an address without a scheme that looks like another site's.
fn hint(raw: &str) -> Option<String> {
    let host = raw.split('/').next().unwrap_or_default();
    let looks =
        raw.starts_with("www.") || [".com", ".org", ".net", ".gov", ".edu", ".io"].iter().any(|end| host.ends_with(end) && host.len() > end.len());
    if looks {
        return Some(format!("did you mean `https://{raw}`?"));
    }
    (raw.contains('@') && !raw.contains('/')).then(|| format!("did you mean `mailto:{raw}`?"))
}
