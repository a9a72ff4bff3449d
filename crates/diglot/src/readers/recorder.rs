//! The thread that adds counts to the files.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};

use super::day::Day;
use super::store::Store;
use super::tally::Tally;
use crate::failure::reason;
use crate::terminal;

/// How often files are written; a killed process loses the counts since the last write.
const OFTEN: Duration = Duration::from_secs(30);
/// Unwritten counts are kept for this many days, each up to the size limit of a file.
const MOST_DAYS: usize = 3;
const MOST_BYTES: usize = 4 << 20;

/// Writes the counts of a [`Tally`] until it is finished.
#[derive(Debug)]
pub struct Recorder {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Recorder {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system's, if the thread cannot be started.
    pub fn start(store: Store, tally: Arc<Tally>) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let thread = thread::Builder::new()
            .name("diglot-readers".into())
            .spawn(move || record(&store, &tally, &stopped))?;
        Ok(Self { stop, thread })
    }

    /// Writes the remaining counts, and ends the thread.
    pub fn finish(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}

fn record(store: &Store, tally: &Tally, stopped: &Receiver<()>) {
    let (mut pending, mut refused) = (BTreeMap::new(), None);
    loop {
        let now = Timestamp::now();
        let date = now.to_zoned(TimeZone::UTC).date();
        let ended =
            stopped.recv_timeout(OFTEN.min(until_midnight(now))) != Err(RecvTimeoutError::Timeout);
        let counted = tally.take();
        if !counted.is_empty() {
            pending
                .entry(date)
                .or_insert_with(Day::default)
                .merge(counted);
        }
        refused = write(store, &mut pending, refused);
        if ended {
            return;
        }
    }
}

/// The time until midnight (UTC), so that all pending counts belong to one day.
fn until_midnight(now: Timestamp) -> Duration {
    let now = now.to_zoned(TimeZone::UTC);
    let midnight = now.tomorrow().and_then(|tomorrow| tomorrow.start_of_day());
    let left = midnight
        .ok()
        .and_then(|midnight| now.duration_until(&midnight).try_into().ok());
    left.unwrap_or(OFTEN).max(Duration::from_millis(1))
}

/// Adds pending counts to the files. A failure is reported once, until a write succeeds or fails
/// for another reason; returns the reported message.
fn write(
    store: &Store,
    pending: &mut BTreeMap<Date, Day>,
    refused: Option<String>,
) -> Option<String> {
    if pending.is_empty() {
        return refused;
    }
    let error = store.add(pending).err()?;
    let said = if error.kind() == io::ErrorKind::Other {
        error.to_string()
    } else {
        reason(&error)
    };
    if refused.as_ref() != Some(&said) {
        terminal::say(format!(
            "warning: the counts of readers cannot be saved in `{}` and stay in memory for now: {said}",
            store.folder().display()
        ));
    }
    for day in pending.values_mut() {
        day.condense(MOST_BYTES);
    }
    while pending.len() > MOST_DAYS {
        pending.pop_first();
    }
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::super::day::{Count, Reader, Subject};
    use super::*;
    use crate::serve::Family;
    use crate::state::State;

    #[test]
    fn days_end_at_midnight() {
        for (now, seconds) in [
            ("2026-11-21T23:59:50Z", 10),
            ("2026-11-21T00:00:00Z", 86_400),
            ("2026-12-31T23:00:00Z", 3_600),
        ] {
            assert_eq!(
                until_midnight(now.parse().unwrap()),
                Duration::from_secs(seconds),
                "{now}"
            );
        }
        assert_eq!(
            until_midnight("2026-11-21T23:59:59.999999Z".parse().unwrap()),
            Duration::from_millis(1)
        );
    }

    #[test]
    fn what_is_refused_is_kept_and_written_later() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("state");
        let store = Store::new(&State::at(&place));
        std::fs::write(&place, "a file where the folder should be").unwrap();
        let date: Date = "2026-11-21".parse().unwrap();
        let mut day = Day::default();
        let subject = Subject {
            kind: "article",
            path: "/articles/a".into(),
        };
        day.count(
            subject,
            Reader::new("html", Family::named("Firefox")),
            Count {
                sent: 1,
                unchanged: 0,
            },
        );
        let mut pending = BTreeMap::from([(date, day.clone())]);
        let said = write(&store, &mut pending, None);
        assert!(said.is_some() && pending.len() == 1);
        assert_eq!(write(&store, &mut pending, said.clone()), said);
        std::fs::remove_file(&place).unwrap();
        assert_eq!(
            (write(&store, &mut pending, said), pending.len()),
            (None, 0)
        );
        assert_eq!(store.read(date, date).unwrap().0[&date], day);
    }
}
