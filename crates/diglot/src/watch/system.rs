//! The system's own watches. On Linux there is one per folder that is read: targets of links out of
//! the folder are not watched, and hidden folders, whose files are not read, cost nothing. There is
//! one per folder on the way to where a link leads as well. On other systems a watch covers the
//! folder recursively.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use notify::{Config, Event, EventKindMask, RecommendedWatcher};

use super::linked::Linked;

/// Why a folder cannot be watched, in a few words.
pub(super) type Exhausted = String;

/// The watches of one folder.
#[derive(Debug)]
pub(super) struct SystemWatch {
    watcher: RecommendedWatcher,
    #[cfg(target_os = "linux")]
    root: PathBuf,
    /// The limit of watched folders.
    #[cfg(target_os = "linux")]
    most: usize,
    /// The watched folders, each with its identity at that time.
    #[cfg(target_os = "linux")]
    watched: std::collections::BTreeMap<PathBuf, super::FolderNumber>,
    /// What of them counts because of a link.
    #[cfg(target_os = "linux")]
    linked: Arc<RwLock<Linked>>,
}

/// A watcher that passes events to this handler and follows no link.
fn watcher(
    handler: impl FnMut(notify::Result<Event>) + Send + 'static,
) -> Result<RecommendedWatcher, Exhausted> {
    // No events on opening: our own reading would cause one per file.
    let wanted = Config::default()
        .with_event_kinds(EventKindMask::CORE | EventKindMask::ACCESS_CLOSE)
        .with_follow_symlinks(false);
    notify::Watcher::new(handler, wanted).map_err(|error: notify::Error| message(&error))
}

fn message(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system allows no more watches (`fs.inotify.max_user_watches`)".to_owned()
        }
        #[cfg(target_os = "linux")]
        notify::ErrorKind::Io(error) if crate::failure::is_exhaustion(error) => {
            "the system allows no more watchers (`fs.inotify.max_user_instances`)".to_owned()
        }
        notify::ErrorKind::Io(error) => crate::failure::reason(error),
        _ => error.to_string(),
    }
}

#[cfg(not(target_os = "linux"))]
impl SystemWatch {
    /// Watches a folder (a canonical path).
    pub(super) fn new(
        root: &Path,
        _: usize,
        _: Arc<RwLock<Linked>>,
        handler: impl FnMut(notify::Result<Event>) + Send + 'static,
    ) -> Result<Self, Exhausted> {
        let mut watcher = watcher(handler)?;
        notify::Watcher::watch(&mut watcher, root, notify::RecursiveMode::Recursive)
            .map_err(|error| message(&error))?;
        Ok(Self { watcher })
    }

    /// On this system everything in the folder is watched.
    pub(super) fn has_turned(&self, _: &Path) -> bool {
        false
    }

    /// On this system new folders are watched automatically.
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
    use std::collections::{BTreeMap, BTreeSet};
    use std::ops::Bound;
    use std::sync::PoisonError;

    use diglot_content::parallel;
    use notify::{PathOp, RecursiveMode, WatchPathConfig, Watcher as _};

    use super::super::FolderNumber;
    use super::*;
    use crate::failure::is_exhaustion;
    use crate::read::{ListedFolder, Watched, watched_in};

    /// How often the folders are listed if what links wait for is made meanwhile.
    const MOST_TIMES: usize = 3;

    impl SystemWatch {
        /// Watches a folder (a canonical path) with all its subfolders that are read, at most
        /// `most`.
        pub(in crate::watch) fn new(
            root: &Path,
            most: usize,
            linked: Arc<RwLock<Linked>>,
            handler: impl FnMut(notify::Result<Event>) + Send + 'static,
        ) -> Result<Self, Exhausted> {
            let mut watch = Self {
                watcher: watcher(handler)?,
                root: root.to_owned(),
                most,
                watched: BTreeMap::new(),
                linked,
            };
            watch.renew()?;
            Ok(watch)
        }

        /// Forgets a moved, removed or replaced path with everything below it; returns whether any
        /// of it was watched.
        pub(in crate::watch) fn forget(&mut self, path: &Path) -> bool {
            let mut gone = Vec::new();
            for (watched, _) in self
                .watched
                .range::<Path, _>((Bound::Included(path), Bound::Unbounded))
            {
                if !watched.starts_with(path) {
                    break;
                }
                gone.push(watched.clone());
            }
            let known = !gone.is_empty();
            let unwatched = self.unwatch(gone);
            debug_assert!(unwatched.is_ok(), "no watch is needed for giving some back");
            known
        }

        /// Whether a symbolic link leads to something else since something was made or removed at
        /// this path.
        pub(in crate::watch) fn has_turned(&self, path: &Path) -> bool {
            let linked = self.linked.read().unwrap_or_else(PoisonError::into_inner);
            linked.has_turned(path)
        }

        /// Watches new folders, and stops watching removed ones.
        pub(in crate::watch) fn renew(&mut self) -> Result<(), Exhausted> {
            for _ in 0..MOST_TIMES {
                let (found, mut linked) = self.listed()?;
                linked.around = around(&self.root, &linked, &found);
                self.bound(found.len() + linked.around.len())?;
                self.watch(linked.around.iter().map(PathBuf::as_path))?;
                let is_gone =
                    |path: &&PathBuf| !found.contains_key(*path) && !linked.around.contains(*path);
                let gone = self.watched.keys().filter(is_gone).cloned().collect();
                let is_outdated = linked.is_outdated();
                *self.linked.write().unwrap_or_else(PoisonError::into_inner) = linked;
                self.unwatch(gone)?;
                if !is_outdated {
                    break;
                }
            }
            Ok(())
        }

        /// Lists the folders that are read, and where links lead. Each is watched before it is
        /// listed, so that nothing in it is missed. The value: whether only a link led there, so
        /// that links inside were not followed.
        fn listed(&mut self) -> Result<(BTreeMap<PathBuf, bool>, Linked), Exhausted> {
            let mut found: BTreeMap<PathBuf, bool> = BTreeMap::new();
            let mut linked = Linked::default();
            let mut level = vec![ListedFolder::root(&self.root)];
            while !level.is_empty() {
                level.retain(
                    |folder| match found.insert(folder.disk.clone(), folder.linked) {
                        Some(linked) => linked && !folder.linked,
                        None => true,
                    },
                );
                self.bound(found.len())?;
                self.watch(level.iter().map(|folder| &*folder.disk))?;
                let by_link = level.iter().filter(|folder| folder.is_read_by_link());
                linked
                    .folders
                    .extend(by_link.map(|folder| folder.disk.clone()));
                let inside = parallel::map(&level, |folder| watched_in(&self.root, folder));
                level.clear();
                for Watched {
                    folders,
                    files,
                    missing,
                } in inside
                {
                    level.extend(folders);
                    linked.files.extend(files);
                    linked.missing.extend(missing);
                }
            }
            Ok((found, linked))
        }

        /// Fails if so many folders are more than may be watched.
        fn bound(&self, folders: usize) -> Result<(), Exhausted> {
            if folders > self.most {
                return Err(format!(
                    "more than {} folders; `--limit watches=1000000` allows more",
                    self.most
                ));
            }
            Ok(())
        }

        /// Watches those folders that are not watched yet.
        fn watch<'a>(&mut self, folders: impl Iterator<Item = &'a Path>) -> Result<(), Exhausted> {
            let mut wanted = Vec::new();
            for folder in folders {
                let Ok(metadata) = folder.symlink_metadata() else {
                    self.watched.remove(folder);
                    continue;
                };
                let number = FolderNumber::from_metadata(&metadata);
                match self.watched.insert(folder.to_owned(), number) {
                    Some(known) if known == number => continue,
                    Some(_) => wanted.push(PathOp::unwatch(folder)),
                    None => {}
                }
                let alone = WatchPathConfig::new(RecursiveMode::NonRecursive)
                    .with_dereference_symlinks(false);
                wanted.push(PathOp::Watch(folder.to_owned(), alone));
            }
            self.apply(wanted)
        }

        fn unwatch(&mut self, gone: Vec<PathBuf>) -> Result<(), Exhausted> {
            for path in &gone {
                self.watched.remove(path);
            }
            self.apply(gone.into_iter().map(PathOp::unwatch).collect())
        }

        /// Applies all operations as far as possible: a folder may be gone or unreadable, and a
        /// removed one is already unwatched.
        fn apply(&mut self, mut wanted: Vec<PathOp>) -> Result<(), Exhausted> {
            while !wanted.is_empty() {
                let Err(failed) = self.watcher.update_paths(wanted) else {
                    return Ok(());
                };
                let kind = &failed.source.kind;
                let is_gone = matches!(
                    kind,
                    notify::ErrorKind::PathNotFound | notify::ErrorKind::WatchNotFound
                );
                let is_refused =
                    matches!(kind, notify::ErrorKind::Io(error) if !is_exhaustion(error));
                match failed.origin {
                    // A removed folder is detected elsewhere.
                    Some(PathOp::Watch(path, _))
                        if is_gone || (is_refused && path != self.root) =>
                    {
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

    /// The folders in the root on the way of links that are not read themselves: each may be removed
    /// or replaced.
    fn around(root: &Path, linked: &Linked, read: &BTreeMap<PathBuf, bool>) -> BTreeSet<PathBuf> {
        let targets = linked.files.iter().chain(&linked.folders);
        let above = targets.chain(&linked.missing).flat_map(|target| {
            let above = target.ancestors().skip(1);
            above.take_while(|folder| folder.starts_with(root))
        });
        let unread = above.filter(|folder| !read.contains_key(*folder));
        unread.map(Path::to_owned).collect()
    }

    #[cfg(test)]
    mod tests {
        use std::fs;
        use std::os::unix::fs::symlink;

        use super::*;

        /// The watched folders below one that has these entries; `name -> target` is a symbolic
        /// link.
        fn check(entries: &[&str], expected: &[&str]) -> (tempfile::TempDir, SystemWatch) {
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
            let watch = SystemWatch::new(&root, 100, Arc::default(), |_| {}).unwrap();
            is_of(&watch, expected);
            (dir, watch)
        }

        fn is_of(watch: &SystemWatch, expected: &[&str]) {
            let watched: Vec<_> = watch
                .watched
                .keys()
                .map(|path| path.strip_prefix(&watch.root).unwrap().to_str().unwrap())
                .collect();
            assert_eq!(watched, expected);
        }

        #[test]
        fn what_is_read_is_watched_and_nothing_else() {
            let links = [
                "out -> ../elsewhere",
                "all -> /",
                "up -> ..",
                "self -> .",
                "ring -> ring",
                "proc -> /proc/self/root",
            ];
            check(&links, &[""]);
            check(
                &[
                    "a/b",
                    ".git/objects",
                    "node_modules/x/docs",
                    ".well-known",
                    "a/up -> ..",
                ],
                &["", ".well-known", "a", "a/b"],
            );
            // The target of a link is read if only its name hides it.
            check(
                &["node_modules/x/docs/deep", "docs -> node_modules/x/docs"],
                &[
                    "",
                    "node_modules",
                    "node_modules/x",
                    "node_modules/x/docs",
                    "node_modules/x/docs/deep",
                ],
            );
            check(
                &["a", "b/in", "z -> b", "b/on -> ../a"],
                &["", "a", "b", "b/in"],
            );
        }

        #[test]
        fn folders_that_come_go_and_change_places_are_watched_as_they_are() {
            let (_dir, mut watch) = check(&["a/deep", "b"], &["", "a", "a/deep", "b"]);
            let root = watch.root.clone();
            fs::rename(root.join("a"), root.join("c")).unwrap();
            fs::create_dir_all(root.join("a/other")).unwrap();
            fs::remove_dir(root.join("b")).unwrap();
            assert!(
                watch.forget(&root.join("a"))
                    && watch.forget(&root.join("b"))
                    && !watch.forget(&root.join("new.md"))
            );
            is_of(&watch, &[""]);
            watch.renew().unwrap();
            is_of(&watch, &["", "a", "a/other", "c", "c/deep"]);
            fs::remove_dir_all(&root).unwrap();
            watch.renew().unwrap();
            is_of(&watch, &[]);
        }

        #[test]
        fn there_are_so_many_watches_and_no_more() {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            (0..9).for_each(|n| fs::create_dir(root.join(n.to_string())).unwrap());
            assert!(SystemWatch::new(&root, 10, Arc::default(), |_| {}).is_ok());
            let why = SystemWatch::new(&root, 9, Arc::default(), |_| {}).unwrap_err();
            assert_eq!(
                why,
                "more than 9 folders; `--limit watches=1000000` allows more"
            );
            let said = |kind| message(&notify::Error::new(kind));
            assert!(said(notify::ErrorKind::MaxFilesWatch).contains("fs.inotify.max_user_watches"));
            let no_more = std::io::Error::from_raw_os_error(24);
            assert!(said(notify::ErrorKind::Io(no_more)).contains("fs.inotify.max_user_instances"));
        }
    }
}
