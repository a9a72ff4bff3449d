//! Watching a folder: storms of events are merged into one [`Change`], and what happens in hidden folders does not count. Where the system has no watches
//! left for it, the folder is polled.

mod poll;
mod system;

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};

use crate::limits::Limits;
use crate::read::is_hidden;
use poll::Poll;
use system::SystemWatch;

/// A save may be several steps: a file moved aside, another made in its place. After the last of them we wait this long for another.
const QUIET: Duration = Duration::from_millis(30);
/// Where files were only written, and the system told that they were closed, no step follows: this much for others of the same storm.
const CLOSED: Duration = Duration::from_millis(3);
/// What follows so soon after a storm is more of it, and not a single save that is to be seen at once.
const REST: Duration = Duration::from_millis(250);
/// A storm that does not end, or a file that is held open for writing, is waited for this long at most.
const LONGEST: Duration = Duration::from_millis(400);

/// Why waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something in the folder changed.
    Files,
    /// The time given ran out.
    Time,
}

/// What the system told about one path.
enum Event {
    /// Its bytes change: some program has it open. Editors empty a file before they write it anew.
    Writing(PathBuf),
    /// The program that wrote to it has closed it.
    Closed(PathBuf),
    /// It has this name now: mostly a save that is moved into its place when it is whole.
    MovedIn(PathBuf),
    /// It was made, moved, removed.
    Other(PathBuf),
    /// Anything may have happened.
    Unknown,
}

/// How changes are noticed.
#[derive(Debug)]
enum Method {
    None,
    System(SystemWatch),
    Poll(Poll),
}

/// Ends the waiting of a [`Watch`] as if something had changed.
#[derive(Debug)]
pub struct Alarm(Sender<Event>);

impl Alarm {
    /// Ends it now, or the next one at its beginning. A watch that is gone hears nothing.
    pub fn ring(&self) {
        let _ = self.0.send(Event::Unknown);
    }
}

/// A watched folder.
#[derive(Debug)]
pub struct Watch {
    method: Method,
    root: PathBuf,
    /// So many files the folder may hold.
    files: usize,
    /// Whether folders were made or removed since the system was asked to watch them.
    stale: bool,
    news: Option<String>,
    events: Receiver<Event>,
    /// Kept so that waiting never ends for want of a sender.
    sender: Sender<Event>,
    /// Files that are being written.
    open: BTreeSet<PathBuf>,
    /// When the last storm ended.
    ended: Option<Instant>,
    /// Whether the storm is more than files written and closed.
    in_steps: bool,
    /// Whether [`is_writing`](Self::is_writing) took events that [`wait`](Self::wait) has not answered yet.
    unanswered: bool,
}

impl Watch {
    /// Watches a folder (a canonical path) with all that is read in it. Where it cannot be watched, it is polled.
    pub fn folder(root: &Path, limits: &Limits) -> Self {
        let mut watch = Self { root: root.to_owned(), files: limits.files, ..Self::nothing() };
        let (sender, own) = (watch.sender.clone(), root.to_owned());
        let handler = move |event: notify::Result<notify::Event>| {
            for event in events(event, &own) {
                let _ = sender.send(event);
            }
        };
        match SystemWatch::new(root, limits.watches, handler) {
            Ok(system) => watch.method = Method::System(system),
            Err(why) => watch.poll_instead(&why),
        }
        watch
    }

    /// Watches nothing: only time passes.
    pub fn nothing() -> Self {
        let (sender, events) = channel();
        Self {
            method: Method::None,
            root: PathBuf::new(),
            files: 0,
            stale: false,
            news: None,
            events,
            sender,
            open: BTreeSet::new(),
            ended: None,
            in_steps: false,
            unanswered: false,
        }
    }

    /// What ends its waiting.
    pub fn alarm(&self) -> Alarm {
        Alarm(self.sender.clone())
    }

    /// What is to be said of how changes are noticed, once.
    pub fn news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// From now on the folder is polled. First its watches go back to the system, as others need them.
    fn poll_instead(&mut self, why: &str) {
        self.method = Method::None;
        self.method = Method::Poll(Poll::new(&self.root, self.files));
        self.open.clear();
        self.news = Some(format!("the folder is not watched but looked through every now and then, so edits are live some seconds later: {why}"));
    }

    /// Watches folders that were made, once nothing else is to be noted.
    fn renew(&mut self) {
        if mem::take(&mut self.stale)
            && let Method::System(system) = &mut self.method
            && let Err(why) = system.renew()
        {
            self.poll_instead(&why);
        }
    }

    /// Waits for a change, or for `time` to run out; a storm of changes is one, and ends when no file is open for writing.
    pub fn wait(&mut self, time: Duration) -> Change {
        if let Method::Poll(poll) = &mut self.method {
            return if poll.wait(time) { Change::Files } else { Change::Time };
        }
        if !mem::take(&mut self.unanswered) {
            match self.events.recv_timeout(time) {
                Ok(event) => self.note(event),
                Err(_) => return Change::Time,
            }
        }
        self.wait_for_the_end();
        Change::Files
    }

    fn wait_for_the_end(&mut self) {
        let begun = Instant::now();
        let goes_on = self.ended.is_some_and(|ended| begun.duration_since(ended) < REST);
        while begun.elapsed() < LONGEST {
            if let Ok(event) = self.events.try_recv() {
                self.note(event);
                continue;
            }
            // Before the folder is read: what happens in a new folder from then on is told.
            self.renew();
            match self.events.recv_timeout(self.quiet(goes_on)) {
                Ok(event) => self.note(event),
                Err(_) if self.open.is_empty() => break,
                Err(_) => {}
            }
        }
        self.renew();
        self.ended = Some(Instant::now());
        self.in_steps = false;
        // Who held a file open all the time is not waited for again.
        self.open.clear();
    }

    /// How long nothing may happen until the storm has ended; `goes_on`: it is more of the last one.
    fn quiet(&self, goes_on: bool) -> Duration {
        if self.tells_writers() && !goes_on && !self.in_steps && self.open.is_empty() { CLOSED } else { QUIET }
    }

    /// Whether the system tells when a file is closed, so that [`is_writing`](Self::is_writing) knows all that is being written.
    pub fn tells_writers(&self) -> bool {
        cfg!(target_os = "linux") && matches!(self.method, Method::System(_))
    }

    /// Whether a file is being written at this moment: what was read meanwhile may be half of it.
    pub fn is_writing(&mut self) -> bool {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
            self.unanswered = true;
        }
        !self.open.is_empty()
    }

    fn note(&mut self, event: Event) {
        match event {
            // Only inotify tells when a file is closed.
            Event::Writing(path) if cfg!(target_os = "linux") => drop(self.open.insert(path)),
            Event::Writing(_) => self.in_steps = true,
            Event::Closed(path) => drop(self.open.remove(&path)),
            Event::MovedIn(path) => {
                self.open.remove(&path);
                self.in_steps |= self.note_folder(&path);
            }
            Event::Other(path) => {
                self.note_folder(&path);
                self.in_steps = true;
            }
            Event::Unknown => (self.in_steps, self.stale) = (true, true),
        }
    }

    /// Whether what was made, moved or removed at a path is, or was, a folder, or a link that may lead to one: then other folders may have to be watched.
    fn note_folder(&mut self, path: &Path) -> bool {
        let Method::System(system) = &mut self.method else { return false };
        let was = system.forget(path);
        let is = was || path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir() || metadata.is_symlink());
        self.stale |= is;
        is
    }
}

/// What the system says about what we read; nothing when it is about hidden files, or about reading.
fn events(told: notify::Result<notify::Event>, root: &Path) -> Vec<Event> {
    // An error of the watcher, or an overflow, means that we may have missed something.
    let Ok(told) = told else { return vec![Event::Unknown] };
    if told.paths.is_empty() || told.need_rescan() {
        return vec![Event::Unknown];
    }
    let event: fn(PathBuf) -> Event = match told.kind {
        // Under its old name it was hidden, or else that name is told as well.
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => Event::MovedIn,
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Event::Closed,
        EventKind::Access(_) => return Vec::new(),
        EventKind::Modify(ModifyKind::Data(_)) => Event::Writing,
        _ => Event::Other,
    };
    told.paths.into_iter().filter(|path| is_visible(path, root)).map(event).collect()
}

/// Whether no part of the path below the folder is hidden: version control and editors write there all the time.
fn is_visible(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    !below.iter().any(|name| is_hidden(&name.to_string_lossy()) || name == "node_modules")
}

/// Which folder a path leads to now: a folder that was made again, or renamed into the place of another, is another one, and the watch of the first
/// tells nothing of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    path: PathBuf,
    number: FolderNumber,
}

impl Identity {
    /// What `path` leads to; `None` when it leads nowhere.
    pub fn of(path: &Path) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        let number = FolderNumber::of(&path.metadata().ok()?);
        Some(Self { path, number })
    }
}

/// What tells a folder from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderNumber {
    /// Device and inode.
    #[cfg(unix)]
    number: (u64, u64),
    /// Numbers are used again; a time of creation is not.
    created: Option<SystemTime>,
}

impl FolderNumber {
    fn of(metadata: &Metadata) -> Self {
        Self {
            #[cfg(unix)]
            number: (std::os::unix::fs::MetadataExt::dev(metadata), std::os::unix::fs::MetadataExt::ino(metadata)),
            created: metadata.created().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Whether `edit` is noticed in a folder with `articles/a.md` and `.git/`, when it is watched and when it is looked at.
    fn check(edit: impl Fn(&Path), expected: Change) {
        check_with(&Limits::default(), &edit, expected);
        check_with(&Limits { watches: 0, ..Limits::default() }, &edit, expected);
    }

    fn check_with(limits: &Limits, edit: impl FnOnce(&Path), expected: Change) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("articles")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join("articles/a.md"), "a").unwrap();
        let mut watch = Watch::folder(&root, limits);
        assert_eq!((watch.news().is_some(), watch.news()), (limits.watches == 0, None), "said once");
        edit(&root);
        let time = if expected == Change::Files { Duration::from_secs(10) } else { Duration::from_millis(300) };
        assert_eq!(watch.wait(time), expected);
    }

    #[test]
    fn a_save_is_one_change() {
        check(|root| fs::write(root.join("articles/a.md"), "b").unwrap(), Change::Files);
    }

    #[test]
    fn an_editors_rename_save_is_a_change() {
        let save = |root: &Path| {
            fs::write(root.join("articles/.a.md.swp"), "b").unwrap();
            fs::rename(root.join("articles/.a.md.swp"), root.join("articles/a.md")).unwrap();
        };
        check(save, Change::Files);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_was_written_and_closed_is_not_waited_for_and_what_comes_in_steps_is() {
        let quiet_after = |edit: fn(&Path)| {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            fs::write(root.join("a.md"), "a").unwrap();
            let mut watch = Watch::folder(&root, &Limits::default());
            edit(&root);
            while let Ok(event) = watch.events.recv_timeout(Duration::from_millis(300)) {
                watch.note(event);
            }
            watch.quiet(false)
        };
        assert_eq!(quiet_after(|root| fs::write(root.join("a.md"), "b").unwrap()), CLOSED);
        let moved_in = |root: &Path| {
            fs::write(root.join(".a.md.swp"), "b").unwrap();
            fs::rename(root.join(".a.md.swp"), root.join("a.md")).unwrap();
        };
        assert_eq!(quiet_after(moved_in), CLOSED);
        let moved_aside = |root: &Path| {
            fs::rename(root.join("a.md"), root.join("a.md~")).unwrap();
            fs::write(root.join("a.md"), "b").unwrap();
        };
        assert_eq!(quiet_after(moved_aside), QUIET, "for a moment there is no such file");
        assert_eq!(quiet_after(|root| fs::remove_file(root.join("a.md")).unwrap()), QUIET);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_save_on_the_heels_of_another_is_part_of_a_storm() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut watch = Watch::folder(&root, &Limits::default());
        // However slow this machine is, the rest is not over.
        watch.ended = Some(Instant::now() + Duration::from_secs(60));
        let begun = Instant::now();
        fs::write(root.join("a.md"), "a").unwrap();
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
        assert!(begun.elapsed() >= QUIET);
    }

    #[test]
    fn a_folder_moved_away_is_no_longer_seen_and_one_moved_in_is() {
        let dir = tempfile::tempdir().unwrap();
        let (root, away) = (dir.path().canonicalize().unwrap().join("site"), dir.path().join("away"));
        fs::create_dir_all(root.join("articles/deep")).unwrap();
        let mut watch = Watch::folder(&root, &Limits::default());
        let mut check = |edit: &dyn Fn(), expected: Change| {
            edit();
            let time = if expected == Change::Files { Duration::from_secs(10) } else { Duration::from_millis(300) };
            assert_eq!(watch.wait(time), expected);
            while watch.wait(Duration::from_millis(300)) == Change::Files {}
        };
        check(&|| fs::rename(root.join("articles"), &away).unwrap(), Change::Files);
        check(&|| fs::write(away.join("deep/a.md"), "a").unwrap(), Change::Time);
        check(&|| fs::rename(&away, root.join("back")).unwrap(), Change::Files);
        check(&|| fs::write(root.join("back/deep/a.md"), "b").unwrap(), Change::Files);
        check(&|| fs::rename(root.join("back"), root.join("again")).unwrap(), Change::Files);
        check(&|| fs::write(root.join("again/deep/a.md"), "c").unwrap(), Change::Files);
    }

    #[test]
    fn when_there_are_no_watches_left_the_folder_is_looked_at_and_that_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut watch = Watch::folder(&root, &Limits { watches: 2, ..Limits::default() });
        assert_eq!(watch.news(), None);
        fs::create_dir_all(root.join("new/deep/deeper")).unwrap();
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
        if cfg!(target_os = "linux") {
            assert!(watch.news().unwrap().contains("looked through every now and then"));
            assert!(!watch.tells_writers());
            while watch.wait(Duration::from_millis(100)) == Change::Files {}
        }
        fs::write(root.join("new/deep/deeper/a.md"), "a").unwrap();
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
        assert_eq!(watch.news(), None);
    }

    #[test]
    fn what_was_removed_is_seen() {
        check(|root| fs::remove_file(root.join("articles/a.md")).unwrap(), Change::Files);
        check(|root| fs::remove_dir_all(root.join("articles")).unwrap(), Change::Files);
    }

    #[test]
    fn files_in_a_new_folder_are_seen() {
        let add = |root: &Path| {
            fs::create_dir_all(root.join("new/deep")).unwrap();
            fs::write(root.join("new/deep/x.md"), "x").unwrap();
        };
        check(add, Change::Files);
    }

    /// The events are all there before they are waited for: how soon the system tells of them depends on what else the machine does.
    #[test]
    fn a_thousand_saves_are_one_change() {
        let mut watch = Watch::nothing();
        let file = PathBuf::from("/articles/a.md");
        for _ in 0..1000 {
            watch.sender.send(Event::Writing(file.clone())).unwrap();
            watch.sender.send(Event::Closed(file.clone())).unwrap();
        }
        assert_eq!(watch.wait(Duration::ZERO), Change::Files);
        assert_eq!(watch.wait(Duration::from_millis(1)), Change::Time);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_held_open_for_writing_is_waited_for() {
        use std::io::Write;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut watch = Watch::folder(&root, &Limits::default());
        let (path, begun) = (root.join("a.md"), Instant::now());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut file = fs::File::create(&path).unwrap();
                file.write_all(b"half").unwrap();
                std::thread::sleep(Duration::from_millis(150));
                file.write_all(b" and half").unwrap();
            });
            assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
            assert!(begun.elapsed() >= Duration::from_millis(150), "half a file was taken for a whole one");
        });
        let held = fs::File::create(&path).unwrap();
        (&held).write_all(b"x").unwrap();
        let begun = Instant::now();
        while !watch.is_writing() {
            assert!(begun.elapsed() < Duration::from_secs(10), "a writer was not seen");
        }
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files, "what was seen meanwhile is a change");
    }

    #[test]
    fn hidden_folders_and_reading_do_not_count() {
        check(|root| fs::write(root.join(".git/index"), "x").unwrap(), Change::Time);
        check(|root| drop(fs::read(root.join("articles/a.md"))), Change::Time);
    }
}
