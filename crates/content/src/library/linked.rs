//! Files that are published because a published text refers to them: scripts and data beside it, a
//! licence, a picture.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    candidate::Candidate,
    classify::{Plan, Role},
    files,
    paths::{Address, OF_SITE, bare, decoded, folder, inside, join, name, scheme, split_name},
};
use crate::dialects::attachments;
use crate::model::{
    document::{Reference, ReferenceKind},
    sources::Sources,
    text::decode,
};

/// A file in its folder, whose parts are in lower case and from the last to the first: `b/a/`.
type InFolder = (String, usize);

/// Finds these files.
pub struct Linked<'a> {
    sources: &'a Sources,
    /// The names of files that are published only if a text refers to them.
    unlinked: FxHashSet<&'a str>,
    /// READMEs that are published only if a text refers to them or to their folder, by the folder.
    readmes: FxHashMap<&'a str, usize>,
    /// The names of these folders.
    folders: FxHashSet<&'a str>,
    /// These files by their names, where texts refer to files by name, sorted by their folders.
    names: FxHashMap<&'a str, Vec<InFolder>>,
}

impl<'a> Linked<'a> {
    pub fn new(sources: &'a Sources, plan: &Plan) -> Self {
        let mut linked = Self {
            sources,
            unlinked: FxHashSet::default(),
            readmes: FxHashMap::default(),
            folders: FxHashSet::default(),
            names: FxHashMap::default(),
        };
        for (at, file) in sources.files.iter().enumerate() {
            if !is_unlinked(plan, at) {
                continue;
            }
            linked.unlinked.insert(name(&file.path));
            // Where a generator publishes some folders, it makes the indexes as well.
            if !plan.kind.scope.is_restricted() && plan.readme_as_index(at, sources).is_some() {
                linked.add_readme(at, &file.path);
            }
            if plan.kind.wikilinks {
                linked.add_names(at, &file.path);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
        for files in linked.names.values_mut() {
            files.sort_unstable();
        }
        linked
    }

    /// Adds a README, which a text may also name by its folder.
    fn add_readme(&mut self, at: usize, path: &'a str) {
        let folder = folder(path);
        self.readmes.insert(folder, at);
        self.folders.insert(name(folder));
    }

    fn add_names(&mut self, at: usize, path: &'a str) {
        let (whole, bare) = (name(path), bare(name(path)));
        let file = (reversed(folder(path)), at);
        if bare != whole {
            self.names.entry(bare).or_default().push(file.clone());
        }
        self.names.entry(whole).or_default().push(file);
    }

    /// Whether there are no such files.
    pub fn is_empty(&self) -> bool {
        self.unlinked.is_empty()
    }

    /// The file that a wikilink names, also by the end of its path. Of several the one at the root.
    fn named(&self, reference: &Reference) -> Option<usize> {
        if !matches!(reference.kind, ReferenceKind::Wiki | ReferenceKind::Embed) {
            return None;
        }
        let path = Address::parse(&reference.raw).path;
        let (folders, name) = split_name(path);
        let named = self.names.get(name)?;
        let wanted = reversed(folders);
        let first = named.partition_point(|(folder, _)| *folder < wanted);
        let mut fits = named[first..]
            .iter()
            .map_while(|(folder, at)| folder.starts_with(&wanted).then_some(*at));
        let first = fits.next()?;
        match fits.next() {
            None => Some(first),
            Some(_) => files::position(self.sources, path).filter(|_| self.unlinked.contains(name)),
        }
    }

    /// The numbers of the files that a text refers to and that are not published otherwise.
    pub fn from(&self, plan: &Plan, text: &Candidate) -> Vec<usize> {
        let mut found = Vec::new();
        for reference in &text.parsed.references {
            let named = self.named(reference);
            found.extend(named.filter(|at| is_unlinked(plan, *at)));
            found.extend(self.target(plan, &text.path, &reference.raw));
        }
        if let Some(function) = plan.kind.scope.attached_by {
            let (whole, _) = decode(&self.sources.files[text.file].bytes, &text.path);
            let names = attachments(&whole, function).into_iter();
            found.extend(names.filter_map(|name| self.target(plan, &text.path, name)));
        }
        let picture = text.cover.as_ref().map(|cover| &cover.reference.raw);
        found.extend(picture.and_then(|raw| self.target(plan, &text.path, raw)));
        found
    }

    fn target(&self, plan: &Plan, path: &str, raw: &str) -> Option<usize> {
        let raw = raw.strip_prefix(OF_SITE).unwrap_or(raw);
        if scheme(raw).is_some() || raw.starts_with("//") {
            return None;
        }
        let address = Address::parse(raw).path;
        let plain = decoded(address);
        self.at(plan, path, &plain)
            .or_else(|| self.at(plan, path, address).filter(|_| plain != address))
    }

    /// The unpublished file at a path, from the root or from a text.
    fn at(&self, plan: &Plan, text: &str, path: &str) -> Option<usize> {
        if path.is_empty() || !self.may_be(path) {
            return None;
        }
        if let Some(rooted) = below_root(path) {
            return self.rooted(plan, rooted);
        }
        if let Some(path) = path.strip_prefix("@site/") {
            return self.unlinked(plan, path);
        }
        let beside = join(folder(text), path).and_then(|path| self.unlinked(plan, &path));
        // From the page's address.
        let below = || self.unlinked(plan, &join(bare(text), path)?);
        beside
            .or_else(below)
            .or_else(|| self.copied(plan, text, path))
            .or_else(|| self.asset(plan, path))
            .or_else(|| self.rooted(plan, path).filter(|_| plan.kind.wikilinks))
    }

    /// A file in a folder whose files the generator publishes where a text shows them, and from
    /// which tags name it: `assets/images/a.png` as `images/a.png`.
    fn asset(&self, plan: &Plan, path: &str) -> Option<usize> {
        let path = join("", path)?;
        let mut roots = plan.kind.scope.assets.iter();
        roots.find_map(|root| self.unlinked(plan, &inside(root, &path)))
    }

    /// A file that the generator copies is at the page's address too.
    fn copied(&self, plan: &Plan, text: &str, path: &str) -> Option<usize> {
        let page = plan.below_content(text).map_or("", bare);
        let at = |folder| self.rooted(plan, &join(folder, path)?);
        at(folder(page)).or_else(|| at(page))
    }

    /// Whether a path may lead to one of the files, by its last part.
    fn may_be(&self, path: &str) -> bool {
        let last = path.rsplit('/').find(|part| !matches!(*part, "" | "."));
        last.is_none_or(|last| {
            last == ".." || self.unlinked.contains(last) || self.folders.contains(last)
        })
    }

    fn rooted(&self, plan: &Plan, path: &str) -> Option<usize> {
        let path = join("", path)?;
        let scope = &plan.kind.scope;
        for copied in &scope.copied {
            let inner = match copied.site.as_str() {
                "" => Some(path.as_str()),
                site => super::paths::below(&path, site),
            };
            let found = inner.and_then(|inner| self.unlinked(plan, &inside(&copied.folder, inner)));
            if found.is_some() {
                return found;
            }
        }
        let mut roots = plan.content().chain([""]);
        roots
            .find_map(|root| self.unlinked(plan, &inside(root, &path)))
            .or_else(|| self.asset(plan, &path))
    }

    fn unlinked(&self, plan: &Plan, path: &str) -> Option<usize> {
        let file = files::position(self.sources, path);
        let readme = || self.readmes.get(path.trim_end_matches('/')).copied();
        file.or_else(readme).filter(|at| is_unlinked(plan, *at))
    }
}

/// The rest of a path that begins at the root: `/a`, `@/a`, `~/a`.
fn below_root(path: &str) -> Option<&str> {
    ["/", "@/", "~/"]
        .iter()
        .find_map(|root| path.strip_prefix(root))
}

/// The parts of a folder's path in lower case, the last first, each with a `/`.
fn reversed(folder: &str) -> String {
    let lower = folder.to_lowercase();
    let parts = lower.rsplit('/').filter(|part| !part.is_empty());
    parts.flat_map(|part| [part, "/"]).collect()
}

fn is_unlinked(plan: &Plan, at: usize) -> bool {
    matches!(plan.roles[at], Role::Unlinked(_))
}
