//! Files of earlier themes that are still answered.
//!
//! A page names the style sheets, scripts and fonts of its edition, and their names contain a digest
//! of their content. A cache, a browser, or a replica that is one edition behind still gives pages of
//! an edition before. So an edition also answers for these files of the last [`EDITIONS`]; it does
//! not list, count or export them, and anything else of an old edition is gone.
//!
//! What earlier editions leave is an input that no folder has, as the dates that a server remembers.
//! [`Edition::build`](crate::Edition::build) knows nothing of it; whoever replaces an edition by
//! another passes it on.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::media;
use crate::resource::Resource;
use crate::route::Route;

/// For how many editions after its own a file is still answered.
pub const EDITIONS: u32 = 32;

/// A file, and how many editions ago it was last part of one.
pub type Aged<T> = (u32, T);

/// Whether pages may need it to look and work as they should.
pub fn is_kept(route: &Route) -> bool {
    let Route::Asset(name) = route else {
        return false;
    };
    let essence = media::by_suffix(name).content_type;
    [
        "text/css",
        "text/javascript",
        "application/xslt+xml",
        "font/",
    ]
    .iter()
    .any(|kind| essence.starts_with(kind))
}

/// What an edition leaves to the next one, which has these paths: its own files, and those that it
/// was left, each one edition older.
pub fn left<T>(
    own: impl Iterator<Item = T>,
    earlier: impl Iterator<Item = Aged<T>>,
    path: impl Fn(&T) -> String,
    taken: &BTreeSet<String>,
) -> Vec<Aged<T>> {
    let own = own.map(|file| (0, file));
    let mut left: Vec<(String, Aged<T>)> = Vec::new();
    for (age, file) in own.chain(earlier) {
        let path = path(&file);
        if age < EDITIONS && !taken.contains(&path) {
            left.push((path, (age + 1, file)));
        }
    }
    left.sort_by(|(one, _), (other, _)| one.cmp(other));
    left.into_iter().map(|(_, file)| file).collect()
}

/// The files of earlier themes that an edition still answers for, ordered by path.
#[derive(Clone, Debug, Default)]
pub struct Earlier(Vec<Aged<Arc<Resource>>>);

impl Earlier {
    /// These files.
    pub fn new(mut files: Vec<Aged<Arc<Resource>>>) -> Self {
        files.sort_by(|(_, one), (_, other)| one.path.cmp(&other.path));
        Self(files)
    }

    /// What an edition with these resources leaves to the next one, which has those.
    pub(crate) fn left_by(&self, own: &[Arc<Resource>], next: &[Arc<Resource>]) -> Self {
        let kept = |resources: &[Arc<Resource>]| -> Vec<Arc<Resource>> {
            let resources = resources.iter();
            resources.filter(|it| is_kept(&it.route)).cloned().collect()
        };
        let taken = kept(next)
            .iter()
            .map(|file| file.path.to_string())
            .collect();
        let path = |file: &Arc<Resource>| file.path.to_string();
        let earlier = self.0.iter().cloned();
        Self(left(kept(own).into_iter(), earlier, path, &taken))
    }

    /// Each file, and how many editions ago it was last part of one.
    pub fn files(&self) -> &[Aged<Arc<Resource>>] {
        &self.0
    }

    /// The file at this path.
    pub(crate) fn file(&self, path: &str) -> Option<&Resource> {
        self.position(path).map(|at| &*self.0[at].1)
    }

    /// The position of the file at this path.
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        if self.0.is_empty() || !path.starts_with("/_/") {
            return None;
        }
        self.0
            .binary_search_by(|(_, file)| (*file.path).cmp(path))
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &&str) -> String {
        (*file).to_owned()
    }

    #[test]
    fn a_file_is_left_to_so_many_editions() {
        let taken = BTreeSet::from(["b".to_owned()]);
        let earlier = [(1, "c"), (EDITIONS - 1, "d"), (EDITIONS, "e")];
        let found = left(["b", "a"].into_iter(), earlier.into_iter(), name, &taken);
        assert_eq!(found, [(1, "a"), (2, "c"), (EDITIONS, "d")]);
    }

    #[test]
    fn only_what_makes_a_page_look_and_work_is_kept() {
        let asset = |name: &str| Route::Asset(name.into());
        for name in ["main.1.css", "a.1.js", "a.1.mjs", "a.1.xsl", "f/a.1.woff2"] {
            assert!(is_kept(&asset(name)), "{name}");
        }
        for route in [
            asset("card.1.png"),
            asset("icon.1.svg"),
            Route::File("a.css".into()),
        ] {
            assert!(!is_kept(&route), "{route:?}");
        }
    }
}
