//! The watches themselves. On Linux there is one for each folder that is read, and for no other: what a link out of the folder leads to is not watched, and hidden
//! folders, whose files nobody reads, cost nothing. Elsewhere the system watches a folder with all that is in it.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

use notify::{Config, Event, EventKindMask, RecommendedWatcher};

/// Why a folder cannot be watched, in a few words.
pub(super) type Exhausted = String;

/// The watches of one folder.
#[derive(Debug)]
pub(super) struct Tree {
    watcher: RecommendedWatcher,
    #[cfg(target_os = "linux")]
    root: PathBuf,
    /// So many folders are watched at most.
    #[cfg(target_os = "linux")]
    most: usize,
    /// The folders that are watched, and which they were then.
    #[cfg(target_os = "linux")]
    watched: std::collections::BTreeMap<PathBuf, linux::Number>,
}

/// A watcher that tells this handler what happens, and follows no link.
fn watcher(handler: impl FnMut(notify::Result<Event>) + Send + 'static) -> Result<RecommendedWatcher, Exhausted> {
    // Not what opens a file: that is us, ten thousand times, while others are to hear of it.
    let wanted = Config::default().with_event_kinds(EventKindMask::CORE | EventKindMask::ACCESS_CLOSE).with_follow_symlinks(false);
    notify::Watcher::new(handler, wanted).map_err(|error: notify::Error| message(&error))
}

fn message(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system has no more watches (`fs.inotify.max_user_watches`)".to_owned(),
        #[cfg(target_os = "linux")]
        notify::ErrorKind::Io(error) if crate::failure::is_exhaustion(error) => {
            "the system has no more watchers (`fs.inotify.max_user_instances`)".to_owned()
        }
        notify::ErrorKind::Io(error) => crate::failure::reason(error),
        _ => error.to_string(),
    }
}

#[cfg(not(target_os = "linux"))]
impl Tree {
    /// Watches a folder (a canonical path).
    pub(super) fn new(root: &Path, _: usize, handler: impl FnMut(notify::Result<Event>) + Send + 'static) -> Result<Self, Exhausted> {
        let mut watcher = watcher(handler)?;
        notify::Watcher::watch(&mut watcher, root, notify::RecursiveMode::Recursive).map_err(|error| message(&error))?;
        Ok(Self { watcher })
    }

    /// The system sees folders come and go.
    pub(super) fn forget(&mut self, _: &Path) -> bool {
        false
    }

    /// As [`forget`](Self::forget).
    pub(super) fn renew(&mut self) -> Result<(), Exhausted> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::ops::Bound;
    use std::os::unix::fs::MetadataExt;
    use std::time::SystemTime;

    use notify::{PathOp, RecursiveMode, WatchPathConfig, Watcher as _};
    use rayon::prelude::*;

    use super::*;
    use crate::read::{Inside, folders_in};

    /// Device, number and making of a folder: another one at its path has others, though a number is used again.
    pub(super) type Number = (u64, u64, Option<SystemTime>);

    impl Tree {
        /// Watches a folder (a canonical path) with all folders in it that are read, `most` at most.
        pub(in crate::watch) fn new(
            root: &Path,
            most: usize,
            handler: impl FnMut(notify::Result<Event>) + Send + 'static,
        ) -> Result<Self, Exhausted> {
            let mut tree = Self { watcher: watcher(handler)?, root: root.to_owned(), most, watched: BTreeMap::new() };
            tree.renew()?;
            Ok(tree)
        }

        /// Forgets a path with all below it; whether any of it was watched. It was moved or removed, or is another one now.
        pub(in crate::watch) fn forget(&mut self, path: &Path) -> bool {
            let below = self
                .watched
                .range::<Path, _>((Bound::Included(path), Bound::Unbounded))
                .map(|(watched, _)| watched)
                .take_while(|watched| watched.starts_with(path));
            let gone: Vec<PathBuf> = below.cloned().collect();
            for path in &gone {
                self.watched.remove(path);
            }
            let known = !gone.is_empty();
            let unwatched = self.apply(gone.into_iter().map(PathOp::unwatch).collect());
            debug_assert!(unwatched.is_ok(), "no watch is needed for giving some back");
            known
        }

        /// Watches the folders that came, and no longer those that went. Each is watched before it is listed, so that none is missed.
        pub(in crate::watch) fn renew(&mut self) -> Result<(), Exhausted> {
            // Whether only a link led there: then links in it were not followed.
            let mut found: BTreeMap<PathBuf, bool> = BTreeMap::new();
            let mut level = vec![Inside::root(&self.root)];
            while !level.is_empty() {
                level.retain(|folder| match found.insert(folder.disk.clone(), folder.linked) {
                    Some(linked) => linked && !folder.linked,
                    None => true,
                });
                if found.len() > self.most {
                    return Err(format!("there are more folders than the limit of {} (`watches`)", self.most));
                }
                self.watch(&level)?;
                let root = &self.root;
                level = level.par_iter().flat_map_iter(|folder| folders_in(root, folder)).collect();
            }
            let gone: Vec<PathBuf> = self.watched.keys().filter(|path| !found.contains_key(*path)).cloned().collect();
            for path in &gone {
                self.watched.remove(path);
            }
            self.apply(gone.into_iter().map(PathOp::unwatch).collect())
        }

        /// Watches those of the folders that are not watched yet.
        fn watch(&mut self, folders: &[Inside]) -> Result<(), Exhausted> {
            let mut wanted = Vec::new();
            for folder in folders {
                let Ok(metadata) = folder.disk.symlink_metadata() else {
                    self.watched.remove(&folder.disk);
                    continue;
                };
                let number = (metadata.dev(), metadata.ino(), metadata.created().ok());
                match self.watched.insert(folder.disk.clone(), number) {
                    Some(known) if known == number => continue,
                    Some(_) => wanted.push(PathOp::unwatch(&folder.disk)),
                    None => {}
                }
                let alone = WatchPathConfig::new(RecursiveMode::NonRecursive).with_dereference_symlinks(false);
                wanted.push(PathOp::Watch(folder.disk.clone(), alone));
            }
            self.apply(wanted)
        }

        /// Does all of this, as far as it can be done: a folder may be gone by now, or must not be looked at, and what is gone is watched no longer.
        fn apply(&mut self, mut wanted: Vec<PathOp>) -> Result<(), Exhausted> {
            while !wanted.is_empty() {
                let Err(failed) = self.watcher.update_paths(wanted) else { return Ok(()) };
                let is_gone = matches!(&failed.source.kind, notify::ErrorKind::PathNotFound | notify::ErrorKind::WatchNotFound);
                let is_refused = matches!(&failed.source.kind, notify::ErrorKind::Io(error) if !crate::failure::is_exhaustion(error));
                match failed.origin {
                    // Whether the folder itself is gone is looked at elsewhere.
                    Some(PathOp::Watch(path, _)) if is_gone || (is_refused && path != self.root) => {
                        self.watched.remove(&path);
                    }
                    Some(PathOp::Unwatch(_)) => {}
                    _ => return Err(message(&failed.source)),
                }
                wanted = failed.remaining;
            }
            Ok(())
        }
    }
    #[cfg(test)]
    mod tests {
        use std::fs;
        use std::os::unix::fs::symlink;

        use super::*;

        /// The folders that are watched of one that holds these, below it; `name -> target` is a symbolic link.
        fn check(entries: &[&str], expected: &[&str]) -> (tempfile::TempDir, Tree) {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap().join("site");
            fs::create_dir_all(dir.path().join("elsewhere/deep")).unwrap();
            fs::create_dir(&root).unwrap();
            for entry in entries {
                match entry.split_once(" -> ") {
                    Some((name, target)) => symlink(target, root.join(name)).unwrap(),
                    None => fs::create_dir_all(root.join(entry)).unwrap(),
                }
            }
            let tree = Tree::new(&root, 100, |_| {}).unwrap();
            is_of(&tree, expected);
            (dir, tree)
        }

        fn is_of(tree: &Tree, expected: &[&str]) {
            let watched: Vec<_> = tree.watched.keys().map(|path| path.strip_prefix(&tree.root).unwrap().to_str().unwrap()).collect();
            assert_eq!(watched, expected);
        }

        #[test]
        fn what_is_read_is_watched_and_nothing_else() {
            let links = ["out -> ../elsewhere", "all -> /", "up -> ..", "self -> .", "ring -> ring", "proc -> /proc/self/root"];
            check(&links, &[""]);
            check(&["a/b", ".git/objects", "node_modules/x/docs", ".well-known", "a/up -> .."], &["", ".well-known", "a", "a/b"]);
            // The folder of a link is read where it is hidden by its name alone.
            check(&["node_modules/x/docs/deep", "docs -> node_modules/x/docs"], &["", "node_modules/x/docs", "node_modules/x/docs/deep"]);
            check(&["a", "b/in", "z -> b", "b/on -> ../a"], &["", "a", "b", "b/in"]);
        }

        #[test]
        fn folders_that_come_go_and_change_places_are_watched_as_they_are() {
            let (_dir, mut tree) = check(&["a/deep", "b"], &["", "a", "a/deep", "b"]);
            let root = tree.root.clone();
            fs::rename(root.join("a"), root.join("c")).unwrap();
            fs::create_dir_all(root.join("a/other")).unwrap();
            fs::remove_dir(root.join("b")).unwrap();
            assert!(tree.forget(&root.join("a")) && tree.forget(&root.join("b")) && !tree.forget(&root.join("new.md")));
            is_of(&tree, &[""]);
            tree.renew().unwrap();
            is_of(&tree, &["", "a", "a/other", "c", "c/deep"]);
            fs::remove_dir_all(&root).unwrap();
            tree.renew().unwrap();
            is_of(&tree, &[]);
        }

        #[test]
        fn there_are_so_many_watches_and_no_more() {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            (0..9).for_each(|n| fs::create_dir(root.join(n.to_string())).unwrap());
            assert!(Tree::new(&root, 10, |_| {}).is_ok());
            let why = Tree::new(&root, 9, |_| {}).unwrap_err();
            assert_eq!(why, "there are more folders than the limit of 9 (`watches`)");
            let said = |kind| message(&notify::Error::new(kind));
            assert!(said(notify::ErrorKind::MaxFilesWatch).contains("fs.inotify.max_user_watches"));
            let no_more = std::io::Error::from_raw_os_error(24);
            assert!(said(notify::ErrorKind::Io(no_more)).contains("fs.inotify.max_user_instances"));
        }
    }
}
