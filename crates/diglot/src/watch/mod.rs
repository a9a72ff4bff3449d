//! Watches a folder: bursts of events are merged into one [`Change`], and hidden folders are
//! ignored. If the system has no watches left, the folder is polled.

mod linked;
mod poll;
mod system;

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};

use crate::limits::Limits;
use crate::read::marks_generated;
use linked::Linked;
use poll::Poll;
use system::SystemWatch;

/// A save may take several steps: a file moved aside, another created in its place. This is how
/// long to wait for the next step.
const QUIET: Duration = Duration::from_millis(30);
/// If files were only written, and the system reported their closing, no step follows: this is how
/// long to wait for other files of the same burst.
const CLOSED: Duration = Duration::from_millis(3);
/// An event this soon after a burst continues it, rather than being a single save to show at once.
const REST: Duration = Duration::from_millis(250);
/// The longest wait for a burst to end, or for a file that stays open for writing.
const LONGEST: Duration = Duration::from_millis(400);

/// Why waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something in the folder changed.
    Files,
    /// The time given ran out.
    Time,
}

/// An event of the system on one path.
enum Event {
    /// Its bytes change: a program has it open. Editors empty a file before they rewrite it.
    Writing(PathBuf),
    /// The program that wrote it has closed it.
    Closed(PathBuf),
    /// It was renamed to this path: usually a complete save moved into place.
    MovedIn(PathBuf),
    /// It was created, moved or removed.
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
    /// Ends the current or next wait. Does nothing if the watch is gone.
    pub fn wake(&self) {
        let _ = self.0.send(Event::Unknown);
    }
}

/// A watched folder.
#[derive(Debug)]
pub struct Watch {
    method: Method,
    root: PathBuf,
    /// The limit of files in the folder.
    files: usize,
    /// Whether folders were created or removed since the watches were set.
    stale: bool,
    news: Option<String>,
    events: Receiver<Event>,
    /// Kept so that the channel stays open without other senders.
    sender: Sender<Event>,
    /// Files that are open for writing.
    open: BTreeSet<PathBuf>,
    /// Files whose bytes changed since [`changed_files`](Self::changed_files) was asked.
    written: BTreeSet<PathBuf>,
    /// Whether more may have changed since then.
    is_unsure: bool,
    /// When the last burst ended.
    ended: Option<Instant>,
    /// Whether the burst holds more than files written and closed.
    in_steps: bool,
    /// Whether [`is_writing`](Self::is_writing) took events that [`wait`](Self::wait) has not
    /// answered yet.
    unanswered: bool,
}

impl Watch {
    /// Watches a folder (a canonical path) with everything that is read in it; polls it if that
    /// fails.
    pub fn folder(root: &Path, limits: &Limits) -> Self {
        let mut watch = Self {
            root: root.to_owned(),
            files: limits.files,
            ..Self::nothing()
        };
        let (sender, own) = (watch.sender.clone(), root.to_owned());
        let linked: Arc<RwLock<Linked>> = Arc::default();
        let known = Arc::clone(&linked);
        let handler = move |event: notify::Result<notify::Event>| {
            let linked = known.read().unwrap_or_else(PoisonError::into_inner);
            for event in events(event, &own, &linked) {
                let _ = sender.send(event);
            }
        };
        match SystemWatch::new(root, limits.watches, linked, handler) {
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
            written: BTreeSet::new(),
            is_unsure: true,
            ended: None,
            in_steps: false,
            unanswered: false,
        }
    }

    /// A handle that wakes this watch.
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// A message about how changes are noticed, once.
    pub fn news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// Polls the folder from now on. Its watches are released first, as others need them.
    fn poll_instead(&mut self, why: &str) {
        self.method = Method::None;
        self.method = Method::Poll(Poll::new(&self.root, self.files));
        self.open.clear();
        self.news = Some(format!(
            "the folder cannot be watched and is scanned every few seconds instead, so edits appear later: {why}"
        ));
    }

    /// Watches new folders, once there are no other pending events.
    fn renew(&mut self) {
        if mem::take(&mut self.stale)
            && let Method::System(system) = &mut self.method
            && let Err(why) = system.renew()
        {
            self.poll_instead(&why);
        }
    }

    /// Waits for a change, or until `time` runs out; a burst of changes counts as one, and ends
    /// when no file is open for writing.
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
            // Before the folder is read, so that events in a new folder are reported from then on.
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
        // A file that stayed open all the time is not waited for again.
        self.open.clear();
    }

    /// The time without events after which a burst has ended; `goes_on`: it continues the last one.
    fn quiet(&self, goes_on: bool) -> Duration {
        if self.tells_writers() && !goes_on && !self.in_steps && self.open.is_empty() {
            CLOSED
        } else {
            QUIET
        }
    }

    /// Whether the system reports the closing of files, so that [`is_writing`](Self::is_writing)
    /// knows all open ones.
    pub fn tells_writers(&self) -> bool {
        cfg!(target_os = "linux") && matches!(self.method, Method::System(_))
    }

    /// The files whose bytes changed since the last call, if nothing else did; `None`: anything may
    /// have changed. Only inotify reports every writing.
    pub fn changed_files(&mut self) -> Option<Vec<PathBuf>> {
        let written = mem::take(&mut self.written);
        let is_sure = !mem::take(&mut self.is_unsure) && self.tells_writers();
        is_sure.then(|| written.into_iter().collect())
    }

    /// Whether a file is being written at this moment, so that the last reading may hold half of
    /// it.
    pub fn is_writing(&mut self) -> bool {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
            self.unanswered = true;
        }
        !self.open.is_empty()
    }

    /// Notes which files were written, or that anything may have changed.
    fn note_written(&mut self, event: &Event) {
        match event {
            Event::Writing(path) | Event::Closed(path) => drop(self.written.insert(path.clone())),
            Event::MovedIn(_) | Event::Other(_) | Event::Unknown => self.is_unsure = true,
        }
    }

    fn note(&mut self, event: Event) {
        self.note_written(&event);
        match event {
            // Only inotify reports the closing of a file.
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

    /// Whether a created, moved or removed path is or was a folder, or a link that may lead to one.
    /// Then the set of watched folders may change, as it may with the mark of a generated folder, and
    /// where a link leads to something else.
    fn note_folder(&mut self, path: &Path) -> bool {
        let Method::System(system) = &mut self.method else {
            return false;
        };
        let was = system.forget(path);
        let is = was
            || marks_generated(path)
            || system.has_turned(path)
            || path
                .symlink_metadata()
                .is_ok_and(|metadata| metadata.is_dir() || metadata.is_symlink());
        self.stale |= is;
        is
    }
}

/// The system's events on what is read; empty for hidden files and for read accesses.
fn events(told: notify::Result<notify::Event>, root: &Path, linked: &Linked) -> Vec<Event> {
    // After an error or an overflow of the watcher, events may be missing.
    let Ok(told) = told else {
        return vec![Event::Unknown];
    };
    if told.paths.is_empty() || told.need_rescan() {
        return vec![Event::Unknown];
    }
    let event: fn(PathBuf) -> Event = match told.kind {
        // The old name was hidden, or is reported separately.
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => Event::MovedIn,
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Event::Closed,
        EventKind::Access(_) => return Vec::new(),
        EventKind::Modify(ModifyKind::Data(_)) => Event::Writing,
        _ => Event::Other,
    };
    told.paths
        .into_iter()
        .filter(|path| linked.is_visible(path, root))
        .map(event)
        .collect()
}

/// The identity of the folder at a path: a folder that was created again or renamed into place is
/// another one, which the first one's watch does not report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    path: PathBuf,
    number: FolderNumber,
}

impl Identity {
    /// The identity of `path`; `None` if it does not resolve.
    pub fn read(path: &Path) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        let number = FolderNumber::from_metadata(&path.metadata().ok()?);
        Some(Self { path, number })
    }

    /// Whether it is that of the folder at this canonical path.
    pub fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }
}

/// What distinguishes a folder from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderNumber {
    /// Device and inode.
    #[cfg(unix)]
    number: (u64, u64),
    /// Inodes are reused; a creation time is not.
    created: Option<SystemTime>,
}

impl FolderNumber {
    fn from_metadata(metadata: &Metadata) -> Self {
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
