//! Watching a folder: storms of events are merged into one [`Change`], and what happens in hidden
//! folders does not count. Where the system has no watches left for it, the folder is polled.

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

/// A save may be several steps: a file moved aside, another made in its place. After the last of
/// them we wait this long for another.
const QUIET: Duration = Duration::from_millis(30);
/// Where files were only written, and the system told that they were closed, no step follows: this
/// much for others of the same storm.
const CLOSED: Duration = Duration::from_millis(3);
/// What follows so soon after a storm is more of it, and not a single save that is to be seen at
/// once.
const REST: Duration = Duration::from_millis(250);
/// A storm that does not end, or a file that is held open for writing, is waited for this long at
/// most.
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

/// Wakes a [`Watch`] as if something had changed.
#[derive(Debug)]
pub struct Waker(Sender<Event>);

impl Waker {
    /// Ends the waiting now, or the next one at its beginning. Does nothing when the watch is gone.
    pub fn wake(&self) {
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
    /// Whether [`is_writing`](Self::is_writing) took events that [`wait`](Self::wait) has not
    /// answered yet.
    unanswered: bool,
}

impl Watch {
    /// Watches a folder (a canonical path) with all that is read in it. Where it cannot be watched,
    /// it is polled.
    pub fn folder(root: &Path, limits: &Limits) -> Self {
        let mut watch = Self {
            root: root.to_owned(),
            files: limits.files,
            ..Self::nothing()
        };
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

    /// What wakes it.
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// What is to be said of how changes are noticed, once.
    pub fn news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// From now on the folder is polled. First its watches go back to the system, as others need
    /// them.
    fn poll_instead(&mut self, why: &str) {
        self.method = Method::None;
        self.method = Method::Poll(Poll::new(&self.root, self.files));
        self.open.clear();
        self.news = Some(format!(
            "the folder is not watched but looked through every now and then, so edits are live some seconds later: {why}"
        ));
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

    /// Waits for a change, or for `time` to run out; a storm of changes is one, and ends when no
    /// file is open for writing.
    pub fn wait(&mut self, time: Duration) -> Change {
        if let Method::Poll(poll) = &mut self.method {
            return if poll.wait(time) {
                Change::Files
            } else {
                Change::Time
            };
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
        let goes_on = self
            .ended
            .is_some_and(|ended| begun.duration_since(ended) < REST);
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

    /// How long nothing may happen until the storm has ended; `goes_on`: it is more of the last
    /// one.
    fn quiet(&self, goes_on: bool) -> Duration {
        if self.tells_writers() && !goes_on && !self.in_steps && self.open.is_empty() {
            CLOSED
        } else {
            QUIET
        }
    }

    /// Whether the system tells when a file is closed, so that [`is_writing`](Self::is_writing)
    /// knows all that is being written.
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

    /// Whether what was made, moved or removed at a path is, or was, a folder, or a link that may
    /// lead to one: then other folders may have to be watched.
    fn note_folder(&mut self, path: &Path) -> bool {
        let Method::System(system) = &mut self.method else {
            return false;
        };
        let was = system.forget(path);
        let is = was
            || path
                .symlink_metadata()
                .is_ok_and(|metadata| metadata.is_dir() || metadata.is_symlink());
        self.stale |= is;
        is
    }
}

/// What the system says about what we read; nothing when it is about hidden files, or about
/// reading.
fn events(told: notify::Result<notify::Event>, root: &Path) -> Vec<Event> {
    // An error of the watcher, or an overflow, means that we may have missed something.
    let Ok(told) = told else {
        return vec![Event::Unknown];
    };
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
    told.paths
        .into_iter()
        .filter(|path| is_visible(path, root))
        .map(event)
        .collect()
}

/// Whether no part of the path below the folder is hidden: version control and editors write there
/// all the time.
fn is_visible(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    !below
        .iter()
        .any(|name| is_hidden(&name.to_string_lossy()) || name == "node_modules")
}

/// Which folder a path leads to now: a folder that was made again, or renamed into the place of
/// another, is another one, and the watch of the first tells nothing of it.
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
            number: (
                std::os::unix::fs::MetadataExt::dev(metadata),
                std::os::unix::fs::MetadataExt::ino(metadata),
            ),
            created: metadata.created().ok(),
        }
    }
}

#[cfg(test)]
mod tests;
