//! Selects the old addresses that become redirects: those that the server, a host's rules and a
//! static folder can all have without a conflict.
//!
//! On a host without rules a redirect is a stub page, a file. Its path must not equal, contain or
//! be inside that of a resource or of a host's file in the export, on any file system.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use diglot_content::address::folded;
use diglot_content::library::{FEEDS, Rank, Redirect};
use diglot_content::{Destination, OldAddress, Problem, Site, SourceLocation, parallel};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::coding::Coding;
use crate::resource::Resource;
use crate::route::{Form, Route};

/// A published redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The target.
    pub to: Destination,
    /// Its value where a host has no room for all.
    pub rank: Rank,
}

impl Moved {
    /// The stub page of an old address in an export: for those that the author wrote, and one more
    /// for each text.
    pub fn stub_file(&self, old: &str) -> Option<String> {
        (self.rank != Rank::Other).then(|| stub_file(old)).flatten()
    }
}

/// The paths of an edition as the least precise file system compares them, by digest.
#[derive(Debug, Default)]
pub struct Taken {
    files: FxHashSet<u64>,
    folders: FxHashSet<u64>,
}

impl Taken {
    /// The paths of these resources, of those that are built last, and of the hosts' files in an
    /// export.
    pub(crate) fn new(resources: &[Arc<Resource>]) -> Self {
        let paths = parallel::map(resources, |resource| folded(&resource.path));
        let mut taken = Self::default();
        for path in &paths {
            taken.add(path);
        }
        let last = [
            Route::Status,
            Route::Changes,
            Route::ChangesMarkdown,
            Route::Listing,
        ];
        for route in last {
            taken.add(&route.path());
        }
        taken
    }

    /// Adds a folded path.
    fn add(&mut self, path: &str) {
        self.files.insert(digest(path));
        for folder in above(path) {
            if !self.folders.insert(digest(folder)) {
                break;
            }
        }
    }

    /// Whether a folded path is a file or its pre-compressed copy.
    fn has_file(&self, path: &str) -> bool {
        let is_file = |path: &str| self.files.contains(&digest(path));
        is_file(path)
            || Coding::ALL
                .iter()
                .any(|coding| path.strip_suffix(coding.suffix()).is_some_and(is_file))
    }

    /// The conflict of a path: the part of it that is a file, or that it is a folder itself.
    fn conflict<'p>(&self, path: &'p str) -> Option<Conflict<'p>> {
        if let Some(file) = above(path).find(|part| self.has_file(&folded(part))) {
            return Some(Conflict::Above(file));
        }
        let folded = folded(path);
        match (
            self.has_file(&folded),
            self.folders.contains(&digest(&folded)),
        ) {
            (true, _) => Some(Conflict::Same),
            (false, true) => Some(Conflict::Folder),
            (false, false) => None,
        }
    }
}

impl Taken {
    /// Whether one more stub page does not conflict with these.
    fn has_room_for(&self, old: &str, stub: &str) -> Result<(), Problem> {
        let other = match self.conflict(stub) {
            // The same path in another case has the same stub.
            None | Some(Conflict::Same) => return Ok(()),
            Some(Conflict::Above(file)) => file,
            Some(Conflict::Folder) => stub,
        };
        let problem = Problem::error(format!(
            "the old address `{old}` is not published: other old addresses make `{other}` a file and a folder"
        ));
        Err(problem.hint("a folder of files cannot have both: remove one of the two"))
    }
}

/// The conflict of a path.
enum Conflict<'p> {
    /// A file at this prefix of it.
    Above(&'p str),
    /// A file at the same path.
    Same,
    /// A folder.
    Folder,
}

fn digest(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// The folders of a path, innermost first.
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/')
        .map(|(at, _)| &path[..at])
        .filter(|folder| !folder.is_empty())
}

/// The part of a folded path that is reserved, because Diglot or a host reads that file.
fn kept_for_hosts(path: &str) -> Option<&str> {
    const TOP: [&str; 4] = ["_headers", "_redirects", "_", ".well-known"];
    // At any depth: Apache reads its files in every folder, and the content reader skips folders
    // that contain an export.
    const BEGINNINGS: [&str; 4] = [".diglot", ".ht", ".assetsignore", ".nojekyll"];
    let mut end = 0;
    for (depth, name) in path.split('/').enumerate() {
        end += name.len() + usize::from(depth > 0);
        if depth == 1 && TOP.contains(&name)
            || BEGINNINGS
                .iter()
                .any(|beginning| name.starts_with(beginning))
        {
            return Some(&path[..end]);
        }
    }
    None
}

/// The stub file of an old address on a static host, without leading `/`; `None` if the path cannot
/// be an HTML page (`/feed.xml`, `/old.php`).
pub fn stub_file(old: &str) -> Option<String> {
    let path = old.strip_prefix('/')?;
    if path.is_empty()
        || path.contains("//")
        || path.split('/').any(|part| matches!(part, "." | ".."))
    {
        return None;
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    match last.rsplit_once('.') {
        _ if last.is_empty() => Some(format!("{path}index.html")),
        Some((_, "html" | "htm")) => Some(path.to_owned()),
        // A dot and a short word are a file's suffix; `v1.0` is a folder's name.
        Some((stem, suffix)) if !stem.is_empty() && is_suffix(suffix) => None,
        _ => Some(format!("{path}/index.html")),
    }
}

fn is_suffix(text: &str) -> bool {
    (1..=5).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The usual addresses of other generators' feeds, which the author gave to nothing else.
pub(crate) fn feeds(
    redirects: &BTreeMap<OldAddress, Redirect>,
    site: &Site,
) -> BTreeMap<OldAddress, Redirect> {
    let mut feeds = BTreeMap::new();
    let prefix = site.links.prefix.as_deref();
    for feed in FEEDS {
        for path in [
            Some(feed.to_owned()),
            prefix.map(|prefix| format!("{prefix}{feed}")),
        ] {
            let address = path.map(OldAddress::new);
            let Some(Ok(address)) = address else { continue };
            let is_taken = redirects.contains_key(&address)
                || redirects.contains_key(format!("{address}/").as_str());
            if !is_taken {
                let redirect = Redirect {
                    to: Destination::Here(Route::Rss.path()),
                    written: None,
                    place: None,
                    rank: Rank::Other,
                };
                feeds.insert(address, redirect);
            }
        }
    }
    feeds
}

/// The path of the Markdown form to which the page with the Markdown form at this path has moved.
pub(crate) fn markdown_path(
    redirects: &BTreeMap<OldAddress, Moved>,
    path: &str,
) -> Option<Arc<str>> {
    let stem = path.strip_suffix(Form::Markdown.suffix())?;
    let spelled = ["", "/", Form::Html.suffix(), "/index.html"];
    let moved = spelled
        .iter()
        .find_map(|end| redirects.get([stem, end].concat().as_str()))?;
    Some([moved.to.path()?, Form::Markdown.suffix()].concat().into())
}

/// The valid redirects for these resources, which are sorted by path and whose paths are `taken`, and
/// the problems of the others. No feed has the address of a redirect.
pub(crate) fn settle(
    redirects: &BTreeMap<OldAddress, Redirect>,
    feeds: &BTreeMap<OldAddress, Redirect>,
    resources: &[Arc<Resource>],
    taken: &Taken,
) -> (BTreeMap<OldAddress, Moved>, Vec<Problem>) {
    let site = Publication { resources, taken };
    let (mut kept, mut problems, mut stubs) =
        (BTreeMap::new(), Problems::default(), Taken::default());
    let mut all: Vec<(&OldAddress, &Redirect)> = redirects.iter().chain(feeds).collect();
    all.sort_by_key(|(old, _)| *old);
    let judged = parallel::map(&all, |(old, redirect)| site.judge(old.as_str(), redirect));
    for ((old, redirect), mut verdict) in all.into_iter().zip(judged) {
        let moved = Moved {
            to: redirect.to.clone(),
            rank: redirect.rank,
        };
        let stub = moved.stub_file(old.as_str()).map(|stub| format!("/{stub}"));
        if let (Ok(()), Some(stub)) = (&verdict, &stub) {
            verdict = stubs.has_room_for(old.as_str(), stub);
        }
        if let Err(problem) = verdict {
            problems.refuse(redirect, problem);
            continue;
        }
        if let Some(stub) = &stub {
            stubs.add(&folded(stub));
        }
        kept.insert(old.clone(), moved);
    }
    (kept, problems.found)
}

/// Problems of redirects, one per location: a file that only redirects has several addresses.
#[derive(Default)]
struct Problems<'r> {
    told: FxHashSet<&'r SourceLocation>,
    found: Vec<Problem>,
}

impl<'r> Problems<'r> {
    /// Reports nothing for an address that was only derived from a generator's conventions.
    fn refuse(&mut self, redirect: &'r Redirect, problem: Problem) {
        if let Some(place) = &redirect.place
            && self.told.insert(place)
        {
            self.found.push(Problem {
                place: Some(place.clone()),
                ..problem
            });
        }
    }
}

/// Everything that an edition publishes.
struct Publication<'a> {
    resources: &'a [Arc<Resource>],
    taken: &'a Taken,
}

impl Publication<'_> {
    /// The path of a redirect's target: a page by its stem, or a file.
    fn resource_of(&self, to: &str) -> Option<&str> {
        self.exact(&[to, Form::Html.suffix()].concat())
            .or_else(|| self.exact(to))
    }

    fn exact(&self, path: &str) -> Option<&str> {
        Some(&self.resource(path)?.path)
    }

    fn resource(&self, path: &str) -> Option<&Resource> {
        let at = self
            .resources
            .binary_search_by(|resource| (*resource.path).cmp(path));
        Some(&self.resources[at.ok()?])
    }

    /// Whether an old address and the page at this path can both be there: it ends with a slash, and
    /// the page is one that Diglot writes for every site. A text of the author has that address first.
    fn is_beside_own_page(&self, old: &str, page: &str) -> bool {
        let route = self.resource(page).map(|page| &page.route);
        let is_own = matches!(
            route,
            Some(Route::Api(_) | Route::Terms(_) | Route::Search(_))
        );
        is_own && old.ends_with('/')
    }

    /// Whether a redirect has no conflict and a valid target.
    fn judge(&self, old: &str, redirect: &Redirect) -> Result<(), Problem> {
        let to = &redirect.to;
        self.has_room_for(old, to).map_err(|reason| {
            let problem = Problem::error(format!(
                "the old address `{old}` is not published: {reason}"
            ));
            problem.hint("remove it, or write an address at which nothing else is published")
        })?;
        match to.path() {
            Some(path) if self.resource_of(path).is_none() => Err(Problem::warning(format!(
                "the target of the redirect does not exist: `{}`",
                redirect.written.as_deref().unwrap_or(path)
            ))
            .hint("write the path of a page or a URL")),
            _ => Ok(()),
        }
    }

    /// Whether an old address has no conflict; the error is the reason.
    fn has_room_for(&self, old: &str, to: &Destination) -> Result<(), String> {
        if let Some(part) = kept_for_hosts(&folded(old)) {
            return Err(format!("`{part}` is reserved for Diglot and for hosts"));
        }
        let bare = old.trim_end_matches('/');
        let page = bare.strip_suffix("/index.html").unwrap_or(bare);
        if let Some(page) = self.exact(&format!("{page}.html"))
            && !self.is_beside_own_page(old, page)
        {
            return Err(format!("it is the address of `{page}`"));
        }
        let stub = stub_file(old).map(|stub| format!("/{stub}"));
        for path in [bare].into_iter().chain(stub.as_deref()) {
            match self.taken.conflict(path) {
                Some(Conflict::Above(file)) => {
                    return Err(format!("`{file}` is a file of the site"));
                }
                // An address that differs from its target only by case needs no stub where case is
                // ignored.
                Some(Conflict::Same) if self.differs_by_case(path, to) => {}
                Some(Conflict::Same) => return Err(format!("`{path}` is published already")),
                // An old address may be a folder if its stub is that folder's index.
                Some(Conflict::Folder) if path == bare && stub.as_deref() != Some(path) => {}
                Some(Conflict::Folder) => return Err(format!("`{path}` is a folder of the site")),
                None => {}
            }
        }
        Ok(())
    }

    /// Whether the redirect's target is the page at this path, in another case.
    fn differs_by_case(&self, path: &str, to: &Destination) -> bool {
        let Some(to) = to.path() else {
            return false;
        };
        self.resource_of(to)
            .is_some_and(|target| target != path && folded(target) == folded(path))
    }
}

#[cfg(test)]
mod tests;
