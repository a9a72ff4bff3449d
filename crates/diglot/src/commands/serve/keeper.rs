//! Keeping the live edition current: made again when the folder, a link to it or the clock says so.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use diglot_content::{BaseUrl, Problem};
use diglot_edition::{Edition, holds};
use jiff::Timestamp;

use super::signals::Reload;
use super::{MOST_PROBLEMS, secure};
use crate::commands::folder::{Broken, Folder, Keep, Made};
use crate::failure::Failure;
use crate::fill::Filler;
use crate::metrics::Metrics;
use crate::report;
use crate::serve::{Live, Tls};
use crate::stored::Rest;
use crate::systemd::Manager;
use crate::watch::{Change, Identity, Watch};

/// The clock may jump: it is looked at again at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How often a new edition is made again at once because a file was being written.
const MOST_REPEATS: usize = 3;
/// How long a new edition waits for a file that was emptied to get its bytes; a folder in which
/// that happens all the time is published nevertheless.
const LONGEST_SAVE: Duration = Duration::from_secs(10);
/// How often we look whether the folder is another one, or a symbolic link to it was switched: its
/// watch would not tell.
const LINK_WAIT: Duration = Duration::from_secs(2);
/// How often we look whether a kept edition was read to its end.
const READING_WAIT: Duration = Duration::from_millis(20);
/// How long nothing must change before an edition is kept for the next start.
const QUIET: Duration = Duration::from_secs(3);
/// How long we wait before we try again what the machine refused; twice as long each time, up to
/// [`LONGEST_WAIT`].
const FIRST_RETRY: Duration = Duration::from_secs(2);

/// The watch over the folder, and which folder that is; without one, a warning and only the clock.
pub(super) fn watched(no_watch: bool, folder: &Folder) -> (Option<Identity>, Watch) {
    if no_watch {
        return (None, Watch::nothing());
    }
    // Looked at before it is watched: if it is replaced in between, the next look finds another
    // one.
    let seen = Identity::of(&folder.root);
    let mut watch = Watch::folder(&folder.root, &folder.limits);
    tell_news(&mut watch);
    (seen, watch)
}

/// Says that the folder is looked at and no longer watched, and how it would be.
fn tell_news(watch: &mut Watch) {
    let Some(news) = watch.news() else { return };
    let hint = if news.contains("fs.inotify") {
        "; `sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024` allows more"
    } else {
        ""
    };
    report::say(format!("warning: {news}{hint}"));
}

/// What the machine refused, until it no longer does.
struct Refused {
    /// What was said of it: the same is not said twice.
    said: String,
    wait: Duration,
    again: Instant,
}

/// The thread that keeps the live edition current.
pub(super) struct Keeper {
    folder: Folder,
    /// The folder that `watch` is about; `None` when it was gone at the last look.
    seen: Option<Identity>,
    watch: Watch,
    no_watch: bool,
    base: BaseUrl,
    live: Live,
    filler: Filler,
    others: Others,
    refused: Option<Refused>,
    /// For which time the live edition was made.
    made: Timestamp,
    /// Whether the last one could not be made until an edit mends the folder.
    broken: bool,
    /// Since when nothing has changed.
    quiet: Instant,
    keeping: Keeping,
    /// Reads what is yet to be read of a kept edition; whether nothing was damaged.
    reading: Option<thread::JoinHandle<bool>>,
}

/// How far the live edition is on its way to the next start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    /// It is kept once the folder has been quiet for a while and all codings are made.
    Waiting,
    /// As [`Waiting`](Self::Waiting); it was made once more for that.
    Again,
    /// It is kept, or will not be.
    Done,
}

/// The edition that is live at the start.
#[derive(Debug)]
pub(super) struct First {
    /// For which time it was made.
    pub made: Timestamp,
    /// What is yet to be read of it, where a run before has kept it.
    pub rest: Option<Rest>,
}

/// Who hears what becomes of editions, and who asks for new ones.
pub(super) struct Others {
    pub meter: Arc<Metrics>,
    pub manager: Arc<Manager>,
    pub reload: Arc<Reload>,
    /// Its certificate is read again with the folder.
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
        loop {
            let change = self.watch.wait(self.patience());
            let asked = self.is_asked();
            tell_news(&mut self.watch);
            let moved = self.has_moved();
            let damaged = self.is_damaged();
            if asked || moved || damaged || change == Change::Files || self.is_due(Timestamp::now())
            {
                self.renew();
                (self.quiet, self.keeping) = (Instant::now(), Keeping::Waiting);
            } else {
                self.keep();
            }
        }
    }

    /// Whether everything is to be read again; the certificate is, and a link to the folder is
    /// followed also where nothing is watched.
    fn is_asked(&mut self) -> bool {
        let asked = self.others.reload.take();
        if asked {
            report::say("everything is read again");
            if let Some(tls) = &self.others.tls {
                secure::renew(tls);
            }
            // A folder that is gone is said when it is read.
            let _ = self.folder.follow();
        }
        asked
    }

    /// Whether the live edition is a kept one that was found damaged. One that was read to its end,
    /// and was not, has its codings now; what is missing of them is made.
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

    /// Keeps the live edition for the next start, once that is worth it.
    fn keep(&mut self) {
        if self.keeping == Keeping::Done
            || self.refused.is_some()
            || self.quiet.elapsed() < QUIET
            || !self.filler.is_done()
        {
            return;
        }
        match self.folder.keep(&self.live.load_full(), &self.base) {
            Keep::Unsettled if self.keeping == Keeping::Waiting => {
                self.renew();
                (self.quiet, self.keeping) = (Instant::now(), Keeping::Again);
            }
            Keep::Begun | Keep::Not | Keep::Unsettled => self.keeping = Keeping::Done,
        }
    }

    /// Whether the folder is gone, or another one than before; a new one is watched from now on.
    fn has_moved(&mut self) -> bool {
        let now = if self.no_watch {
            self.seen.clone()
        } else {
            Identity::of(&self.folder.given)
        };
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

    /// How long to wait for an edit before we look at the clock.
    fn patience(&self) -> Duration {
        let rests = self.no_watch && self.keeping == Keeping::Done;
        let longest = match &self.reading {
            // Answers may wait for what comes of it.
            Some(_) => READING_WAIT,
            None if rests => LONGEST_WAIT,
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

    /// Whether the live edition is not that of this time, or it is time to try again.
    fn is_due(&self, now: Timestamp) -> bool {
        match &self.refused {
            Some(refused) => refused.again <= Instant::now(),
            None => !self.broken && !holds(self.made, self.live.load().next_change, now),
        }
    }

    /// Makes a new edition and puts it in the place of the old one; a failure leaves the old one
    /// there.
    fn renew(&mut self) {
        self.others.manager.reloading();
        self.replace();
        self.others
            .manager
            .ready(&report::counted(self.live.load().articles, "article"));
    }

    fn replace(&mut self) {
        let old = self.live.load_full();
        self.folder.is_told(self.watch.tells_writers());
        let mut made = self.folder.make(&self.base, Timestamp::now());
        let (mut repeats, begun) = (0, Instant::now());
        // Somebody writes while we read: what we have may hold half a file, and the rest comes in a
        // moment.
        while (repeats < MOST_REPEATS && self.watch.is_writing())
            || (begun.elapsed() < LONGEST_SAVE && made.as_ref().is_ok_and(|made| made.half_saved))
        {
            repeats += 1;
            self.watch.wait(LINK_WAIT);
            made = self.folder.make(&self.base, Timestamp::now());
        }
        let made = match made {
            Ok(made) if made.report.found == 0 && old.articles > 0 => Err(Broken::Failure(
                Failure::machine(format!("`{}` is empty", self.folder.given.display())),
            )),
            made => made,
        };
        match made {
            Ok(made) => {
                (self.refused, self.broken, self.made) = (None, false, made.at);
                self.publish(&old, made);
                self.folder.save();
            }
            Err(Broken::Problems(problems)) => {
                // An edit mends it, and an edit is noticed.
                (self.refused, self.broken) = (None, true);
                self.others.meter.failed();
                report::problems(&problems, MOST_PROBLEMS);
                still(&old);
            }
            Err(Broken::Failure(failure)) => self.refuse(&old, failure.message),
        }
        // Of one that was made and does not go live, too.
        self.folder.let_go();
    }

    /// Notes what the machine refused. It may pass without an edit, so it is tried again.
    fn refuse(&mut self, old: &Edition, said: String) {
        self.others.meter.failed();
        let before = self.refused.take();
        if before.as_ref().is_none_or(|before| before.said != said) {
            report::say(&said);
            still(old);
        }
        let wait = before.map_or(FIRST_RETRY, |before| (before.wait * 2).min(LONGEST_WAIT));
        self.refused = Some(Refused {
            said,
            wait,
            again: Instant::now() + wait,
        });
    }

    fn publish(&self, old: &Edition, made: Made) {
        self.others.meter.live(&made.edition, made.time);
        let new = Arc::new(made.edition);
        // Nothing is taken from what was found damaged.
        if old.is_sound() {
            new.adopt(old);
        }
        self.live.store(Arc::clone(&new));
        self.filler.fill(&new);
        let known = |problem: &&Problem| !old.problems.contains(problem);
        report::problems(new.problems.iter().filter(known), MOST_PROBLEMS);
        if new.id != old.id {
            report::say(format!(
                "edition {:.8} is live ({}, made in {})",
                new.id.to_string(),
                report::counted(new.articles, "article"),
                report::seconds(made.time)
            ));
        }
    }
}

/// Reads what is yet to be read of a kept edition, on a thread of its own. Without one each body is
/// read at its first use, and there are no codings.
fn read(rest: Rest) -> Option<thread::JoinHandle<bool>> {
    thread::Builder::new()
        .name("diglot-read".into())
        .spawn(move || rest.read())
        .ok()
}

/// Says that the last good edition stays.
fn still(old: &Edition) {
    report::say(format!(
        "rebuild failed, still serving edition {:.8} ({})",
        old.id.to_string(),
        report::counted(old.articles, "article")
    ));
}

#[cfg(test)]
mod tests;
