//! Keeps the live edition current: rebuilds it when the folder, a link to it or the clock changes.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use diglot_content::{BaseUrl, Problem};
use diglot_edition::{Edition, holds};
use jiff::Timestamp;

use super::signals::Reload;
use super::{MOST_PROBLEMS, certificate};
use crate::commands::folder::{Broken, Folder, KeepOutcome, Made};
use crate::failure::Failure;
use crate::fill::Filler;
use crate::metrics::Metrics;
use crate::report;
use crate::serve::{Live, Tls};
use crate::stored::UnreadPart;
use crate::systemd::Manager;
use crate::terminal;
use crate::watch::{Change, Identity, Watch};

/// The clock may jump, so it is checked at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How often a build is repeated at once because a file was being written.
const MOST_REPEATS: usize = 3;
/// How long a new edition waits for an emptied file to be filled, or for one that withheld texts to
/// be there again. A folder where this happens all the time is published nevertheless.
const LONGEST_SAVE: Duration = Duration::from_secs(10);
/// How often to check whether the folder was replaced or a link to it switched: its watch does not
/// report that.
const LINK_WAIT: Duration = Duration::from_secs(2);
/// How often to check whether a kept edition has been read completely.
const READING_WAIT: Duration = Duration::from_millis(20);
/// How long the folder must be unchanged before an edition is kept for the next start.
const QUIET: Duration = Duration::from_secs(3);
/// How often to check whether all codings of an edition that is to be kept are computed.
const CODINGS_WAIT: Duration = Duration::from_millis(200);
/// What a panic is reported as, after its own message.
const DEFECT: &str = "an edition of this folder cannot be made because of the fault of Diglot that is reported above";
/// Delay before the first retry after a machine failure; doubles each time, up to [`LONGEST_WAIT`].
const FIRST_RETRY: Duration = Duration::from_secs(2);

/// The folder's watch and identity; without a watch, a warning, and only the clock triggers builds.
pub(super) fn watched(no_watch: bool, folder: &Folder) -> (Option<Identity>, Watch) {
    if no_watch {
        return (None, Watch::nothing());
    }
    // Taken before the watch starts: a replacement in between is found by the next check.
    let seen = Identity::read(&folder.root);
    let mut watch = Watch::folder(&folder.root, &folder.limits);
    tell_news(&mut watch);
    (seen, watch)
}

/// Reports that the folder is polled rather than watched, and how to change that.
fn tell_news(watch: &mut Watch) {
    let Some(news) = watch.news() else { return };
    let hint = if news.contains("fs.inotify") {
        "; `sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024` allows more"
    } else {
        ""
    };
    terminal::say(format!("warning: {news}{hint}"));
}

/// A machine failure that persists.
struct Refused {
    /// The reported message, so that it is not repeated.
    said: String,
    wait: Duration,
    again: Instant,
}

/// The thread that keeps the live edition current.
pub(super) struct Keeper {
    folder: Folder,
    /// The folder that `watch` observes; `None` if it was gone at the last check.
    seen: Option<Identity>,
    watch: Watch,
    no_watch: bool,
    base: BaseUrl,
    live: Live,
    filler: Filler,
    others: Others,
    refused: Option<Refused>,
    /// The time the live edition was built for.
    made: Timestamp,
    /// Whether the last build failed until an edit fixes the folder.
    broken: bool,
    /// When the last change happened.
    quiet: Instant,
    keeping: Keeping,
    /// Reads the rest of a kept edition; returns whether it was intact.
    reading: Option<thread::JoinHandle<bool>>,
}

/// How far the live edition has got on its way to being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    /// It is kept after a quiet period, once all codings are computed.
    Waiting,
    /// It is kept once all codings are computed, after one extra build for this purpose.
    Again,
    /// It is kept, or cannot be.
    Done,
}

/// The live edition at the start.
#[derive(Debug)]
pub(super) struct First {
    /// The time it was built for.
    pub made: Timestamp,
    /// What is left to read of it, if an earlier run kept it.
    pub rest: Option<UnreadPart>,
}

/// The other threads: who hears about editions, and who requests new ones.
pub(super) struct Others {
    pub metrics: Arc<Metrics>,
    pub manager: Arc<Manager>,
    pub reload: Arc<Reload>,
    /// Its certificate is reread together with the folder.
    pub tls: Option<Tls>,
}

impl Keeper {
    pub(super) fn new(
        folder: Folder,
        watched: (Option<Identity>, Watch),
        no_watch: bool,
        base: BaseUrl,
        (live, first): (Live, First),
        filler: Filler,
        others: Others,
    ) -> Self {
        let (seen, watch) = watched;
        let keeping = if first.rest.is_some() {
            Keeping::Done
        } else {
            Keeping::Waiting
        };
        let (made, quiet, reading) = (first.made, Instant::now(), first.rest.and_then(read));
        others.reload.wakes(&watch);
        Self {
            folder,
            seen,
            watch,
            no_watch,
            base,
            live,
            filler,
            others,
            refused: None,
            made,
            broken: false,
            quiet,
            keeping,
            reading,
        }
    }

    /// Never returns.
    pub(super) fn run(mut self) {
        self.folder.save();
        // Nothing was reported of a folder before it was watched.
        let mut unsure = true;
        loop {
            let change = self.watch.wait(self.patience());
            let asked = self.is_asked();
            tell_news(&mut self.watch);
            let changed = asked || change == Change::Files || self.is_due(Timestamp::now());
            let moved = self.has_moved(changed || unsure);
            unsure = moved;
            // A commit changes no file.
            let committed = !self.no_watch && self.folder.has_new_commit();
            if self.is_damaged() || moved || changed || committed {
                self.renew();
                (self.quiet, self.keeping) = (Instant::now(), Keeping::Waiting);
            } else {
                self.keep();
            }
        }
    }

    /// Whether a reload was requested. Then the certificate is reread.
    fn is_asked(&mut self) -> bool {
        let asked = self.others.reload.take();
        if asked {
            terminal::say("everything is read again");
            if let Some(tls) = &self.others.tls {
                certificate::renew(tls);
            }
        }
        asked
    }

    /// Whether the live edition is a kept one that was found damaged. One that was read completely
    /// and is intact has its codings by now; missing ones are computed.
    fn is_damaged(&mut self) -> bool {
        if let Some(reading) = self.reading.take_if(|reading| reading.is_finished()) {
            if reading.join().unwrap_or(false) {
                self.filler.fill(&self.live.load_full());
            } else {
                self.folder.forget();
            }
        }
        !self.live.load().is_sound()
    }

    /// Keeps the live edition for the next start, once that is worthwhile.
    fn keep(&mut self) {
        if self.keeping == Keeping::Done
            || self.refused.is_some()
            || self.quiet.elapsed() < QUIET
            || !self.filler.is_done()
        {
            return;
        }
        match self.folder.keep(&self.live.load_full(), &self.base) {
            KeepOutcome::Unsettled if self.keeping == Keeping::Waiting => {
                // Changes that were not reported are found too.
                self.folder.note_changes(None);
                self.renew();
                self.keeping = Keeping::Again;
            }
            KeepOutcome::Begun | KeepOutcome::Not | KeepOutcome::Unsettled => {
                self.keeping = Keeping::Done
            }
        }
    }

    /// Whether the site's folder is gone or is another one; a new one is watched from now on. After
    /// a `change` it may be elsewhere in the given folder.
    fn has_moved(&mut self, change: bool) -> bool {
        if self.no_watch {
            if change {
                // A missing folder is reported when it is read.
                let _ = self.folder.follow();
            }
            return false;
        }
        let now = self.folder.located(change);
        if now == self.seen {
            return false;
        }
        self.seen = now;
        if self.seen.is_some() && self.folder.follow().is_ok() {
            (self.seen, self.watch) = watched(self.no_watch, &self.folder);
            self.others.reload.wakes(&self.watch);
        }
        true
    }

    /// How long to wait for an edit before checking the clock.
    fn patience(&self) -> Duration {
        let rests = self.no_watch && self.keeping == Keeping::Done;
        let longest = match &self.reading {
            // Answers may be waiting for the result.
            Some(_) => READING_WAIT,
            None if rests => LONGEST_WAIT,
            None if self.keeping != Keeping::Done && self.refused.is_none() => {
                let left = QUIET.saturating_sub(self.quiet.elapsed());
                left.clamp(CODINGS_WAIT, LINK_WAIT)
            }
            None => LINK_WAIT,
        };
        let longest = self.refused.as_ref().map_or(longest, |refused| {
            refused
                .again
                .saturating_duration_since(Instant::now())
                .min(longest)
        });
        let due = self
            .live
            .load()
            .next_change
            .map(|at| at.duration_since(Timestamp::now()));
        due.and_then(|due| Duration::try_from(due).ok())
            .map_or(longest, |due| due.min(longest))
    }

    /// Whether the live edition is out of date, or a retry is due.
    fn is_due(&self, now: Timestamp) -> bool {
        match &self.refused {
            Some(refused) => refused.again <= Instant::now(),
            None => !self.broken && !holds(self.made, self.live.load().next_change, now),
        }
    }

    /// Builds a new edition and replaces the old one; on failure the old one stays.
    fn renew(&mut self) {
        self.others.manager.reloading();
        self.replace();
        self.others
            .manager
            .ready(&terminal::counted(self.live.load().articles, "article"));
    }

    fn replace(&mut self) {
        let old = self.live.load_full();
        self.folder.is_told(self.watch.tells_writers());
        let mut made = self.make();
        let (mut repeats, begun) = (0, Instant::now());
        // A file is being written: what was read may hold half of it, and the rest arrives in a
        // moment.
        while (repeats < MOST_REPEATS && self.watch.is_writing())
            || (begun.elapsed() < LONGEST_SAVE && made.as_ref().is_ok_and(|made| made.half_saved))
        {
            repeats += 1;
            self.watch.wait(LINK_WAIT);
            made = self.make();
        }
        let made = match made {
            Ok(made) if made.report.found == 0 && old.articles > 0 => Err(Broken::Failure(
                Failure::machine(format!("`{}` is empty", self.folder.given.display())),
            )),
            Ok(made) if made.edition.articles == 0 && old.articles > 0 => made.or_errors(),
            made => made,
        };
        match made {
            Ok(made) => {
                let recovers = self.broken || self.refused.is_some();
                (self.refused, self.broken, self.made) = (None, false, made.at);
                self.publish(&old, made, recovers);
                self.folder.save();
            }
            Err(Broken::Problems(problems)) => {
                // An edit fixes it, and edits are noticed.
                (self.refused, self.broken) = (None, true);
                self.others.metrics.failed();
                terminal::problems(&problems, MOST_PROBLEMS);
                still(&old);
            }
            Err(Broken::Failure(failure)) => self.refuse(&old, failure),
        }
        // Also for an edition that was built and does not go live.
        self.folder.drop_inputs();
    }

    /// Makes an edition of what changed.
    fn make(&mut self) -> Result<Made, Broken> {
        self.folder.note_changes(self.watch.changed_files());
        let made = survive(|| self.folder.make(&self.base, Timestamp::now()));
        made.unwrap_or_else(|| {
            // It may be half of something.
            self.folder.forget_results();
            Err(Broken::Failure(Failure::machine(DEFECT)))
        })
    }

    /// Records a machine failure. It may pass without an edit, so it is retried.
    fn refuse(&mut self, old: &Edition, failure: Failure) {
        self.others.metrics.failed();
        let Failure { message, hint, .. } = failure;
        let before = self.refused.take();
        if before.as_ref().is_none_or(|before| before.said != message) {
            terminal::warn(&message, hint.as_deref());
            still(old);
        }
        let wait = before.map_or(FIRST_RETRY, |before| (before.wait * 2).min(LONGEST_WAIT));
        self.refused = Some(Refused {
            said: message,
            wait,
            again: Instant::now() + wait,
        });
    }

    /// Goes live. Reports the new edition, and that a reported failure is over.
    fn publish(&mut self, old: &Edition, made: Made, recovers: bool) {
        self.others.metrics.live(&made.edition, made.time);
        let mut new = made.edition;
        // Nothing is reused from a damaged edition.
        if old.is_sound() {
            new = new.after(old);
            new.adopt(old);
        }
        let new = Arc::new(new);
        self.live.store(Arc::clone(&new));
        self.folder.is_live(&new, &made.report);
        self.filler.fill(&new);
        let known = |problem: &&Problem| !old.problems.contains(problem);
        terminal::problems(new.problems.iter().filter(known), MOST_PROBLEMS);
        if let Some(news) = report::newly_public(&made.newly_public) {
            terminal::say(news);
        }
        if new.id != old.id || recovers {
            terminal::say(format!(
                "edition {:.8} is live ({}, made in {})",
                new.id.to_string(),
                terminal::counted(new.articles, "article"),
                terminal::seconds(made.time)
            ));
        }
    }
}

/// Reads the rest of a kept edition on its own thread. Without a thread each body is read at its
/// first use, and there are no codings.
fn read(rest: UnreadPart) -> Option<thread::JoinHandle<bool>> {
    thread::Builder::new()
        .name("diglot-read".into())
        .spawn(move || rest.read())
        .ok()
}

/// The result, unless making it panicked: the hook has reported that.
fn survive<T>(make: impl FnOnce() -> T) -> Option<T> {
    // What the panic left half done is dropped by the caller.
    panic::catch_unwind(AssertUnwindSafe(make)).ok()
}

/// Reports that the last good edition stays.
fn still(old: &Edition) {
    terminal::say(format!(
        "warning: the rebuild failed; still serving edition {:.8} ({})",
        old.id.to_string(),
        terminal::counted(old.articles, "article")
    ));
}

#[cfg(test)]
mod tests;
