//! Keeping the live edition current: made again when the folder, a link to it or the clock says so.

use std::sync::Arc;
use std::time::Duration;

use diglot_content::{BaseUrl, Problem};
use diglot_edition::Edition;
use jiff::Timestamp;

use super::MOST_PROBLEMS;
use crate::commands::folder::{Broken, Folder, Made};
use crate::failure::Failure;
use crate::fill::Filler;
use crate::report;
use crate::serve::Live;
use crate::watch::{self, Change, Watch};

/// The clock may jump: it is looked at again at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How often a new edition is made again at once because a file was being written.
const MOST_REPEATS: usize = 3;
/// How often we look whether a symbolic link to the folder was switched: its watch would not tell.
const LINK_WAIT: Duration = Duration::from_secs(2);

/// The watch over the folder; without one, a warning and only the clock.
pub(super) fn watched(no_watch: bool, folder: &Folder) -> Watch {
    if no_watch {
        return Watch::nothing();
    }
    Watch::folders(std::slice::from_ref(&folder.root)).unwrap_or_else(|why| {
        report::say(format!("warning: edits are not noticed: {why}"));
        Watch::nothing()
    })
}

/// The thread that keeps the live edition current.
pub(super) struct Keeper {
    pub folder: Folder,
    pub watch: Watch,
    pub no_watch: bool,
    pub base: BaseUrl,
    pub live: Live,
    pub filler: Filler,
}

impl Keeper {
    /// Never returns.
    pub(super) fn run(mut self) {
        loop {
            let change = self.watch.wait(self.patience());
            let moved = !self.no_watch && !watch::is_still(&self.folder.given, &self.folder.root);
            if moved && self.folder.follow().is_ok() {
                self.watch = watched(self.no_watch, &self.folder);
            }
            if moved || change == Change::Files || self.is_due() {
                self.renew();
            }
        }
    }

    /// How long to wait for an edit before we look at the clock.
    fn patience(&self) -> Duration {
        let longest = if self.no_watch { LONGEST_WAIT } else { LINK_WAIT };
        let due = self.live.load().next_change.map(|at| at.duration_since(Timestamp::now()));
        due.and_then(|due| Duration::try_from(due).ok()).map_or(longest, |due| due.min(longest))
    }

    /// Whether something appears or expires by now.
    fn is_due(&self) -> bool {
        self.live.load().next_change.is_some_and(|at| at <= Timestamp::now())
    }

    /// Makes a new edition and puts it in the place of the old one; a failure leaves the old one there.
    fn renew(&mut self) {
        let old = self.live.load_full();
        let mut made = self.folder.make(&self.base, Timestamp::now());
        for _ in 0..MOST_REPEATS {
            // Somebody writes while we read: what we have may hold half a file, and the rest comes in a moment.
            if !self.watch.is_writing() {
                break;
            }
            self.watch.wait(LINK_WAIT);
            made = self.folder.make(&self.base, Timestamp::now());
        }
        let made = match made {
            Ok(made) if made.report.found == 0 && old.articles > 0 => {
                Err(Broken::Failure(Failure::machine(format!("`{}` is empty", self.folder.given.display()))))
            }
            made => made,
        };
        match made {
            Ok(made) => self.publish(&old, made),
            Err(broken) => {
                match broken {
                    Broken::Problems(problems) => report::problems(&problems, MOST_PROBLEMS),
                    Broken::Failure(failure) => report::say(failure.message),
                }
                report::say(format!(
                    "rebuild failed, still serving edition {:.8} ({})",
                    old.id.to_string(),
                    report::counted(old.articles, "article")
                ));
            }
        }
    }

    fn publish(&self, old: &Edition, made: Made) {
        let new = Arc::new(made.edition);
        new.adopt(old);
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
