//! The files of counts, one per day, in a folder of the state.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::civil::Date;

use super::day::Day;
use crate::file::{self, Refused};
use crate::limits;
use crate::state::State;
use crate::terminal::counted;

/// The folder in the state folder.
const FOLDER: &str = "readers";
/// The suffix of their names.
const SUFFIX: &str = ".jsonl";
/// The name of a file before it is renamed. The lock is held meanwhile, so one name suffices, and a
/// killed process's leftover is overwritten.
const DRAFT: &str = ".new";
/// How many days are kept: the newest ones with counts, so that a temporarily wrong clock loses
/// nothing.
pub const DAYS: usize = 400;
/// The size limit of all files together, in bytes.
const BYTES: u64 = 64_000_000;
/// The size limit of one file, in bytes.
const DAY_BYTES: usize = 4 << 20;
/// Older files are not condensed below this size to make room.
const OLD_BYTES: u64 = 96 << 10;

/// The files of one site.
#[derive(Debug)]
pub struct Store {
    state: State,
    folder: PathBuf,
    bytes: u64,
}

impl Store {
    /// The files in this state.
    pub fn new(state: &State) -> Self {
        Self {
            state: state.clone(),
            folder: state.dir().join(FOLDER),
            bytes: BYTES,
        }
    }

    /// The folder that holds them.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds counts to the files of their days, and removes files beyond the limits. Damaged lines
    /// are dropped and reported.
    ///
    /// The system's, if the folder cannot be created or written, or another process holds the lock;
    /// or a file has a newer version. `days` then holds the counts that are still to be added.
    pub fn add(&self, days: &mut BTreeMap<Date, Day>) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.state.locked(true, || {
            while let Some(entry) = days.first_entry() {
                let date = *entry.key();
                let (mut day, damage) = self.day(date)?.unwrap_or_default();
                if let Some(damage) = damage {
                    crate::terminal::say(format!("warning: {damage}"));
                }
                day.merge(entry.get().clone());
                day.condense(DAY_BYTES);
                self.write(date, &day)?;
                entry.remove();
            }
            self.prune()
        })
    }

    /// Reads the days from `first` to `last`; also returns warnings of what could not be read.
    ///
    /// # Errors
    /// The system's, if the folder or a file may not be read.
    pub fn read(&self, first: Date, last: Date) -> io::Result<(BTreeMap<Date, Day>, Vec<String>)> {
        let (mut days, mut warnings) = (BTreeMap::new(), Vec::new());
        for (date, _) in self.files()?.range(first..=last) {
            match self.day(*date) {
                Ok(Some((day, damage))) => {
                    warnings.extend(damage);
                    days.insert(*date, day);
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::Other => {
                    warnings.push(error.to_string())
                }
                Err(error) => return Err(error),
            }
        }
        Ok((days, warnings))
    }

    fn path(&self, date: Date) -> PathBuf {
        self.folder.join(format!("{date}{SUFFIX}"))
    }

    /// One day, and a warning if lines of its file were dropped.
    fn day(&self, date: Date) -> io::Result<Option<(Day, Option<String>)>> {
        let path = self.path(date);
        let not_read = |why: &dyn Display| {
            io::Error::other(format!("`{}` is not read: {why}", path.display()))
        };
        let bytes = match file::read(&path, limits::READERS_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if Refused::from_error(&error).is_some() => return Err(not_read(&error)),
            Err(error) => return Err(error),
        };
        let (day, dropped) = Day::parse(&bytes, date).map_err(|why| not_read(&why))?;
        let damage = (dropped > 0).then(|| damage(&path, dropped));
        Ok(Some((day, damage)))
    }

    /// Writes a new file, flushes it, and renames it over the old one; returns its size in bytes.
    fn write(&self, date: Date, day: &Day) -> io::Result<u64> {
        let draft = self.folder.join(DRAFT);
        let bytes = day.to_bytes(date);
        remove(&draft)?;
        let mut new = File::create_new(&draft)?;
        new.write_all(&bytes)?;
        new.sync_all()?;
        fs::rename(&draft, self.path(date))?;
        // The rename is durable only after a sync of the folder.
        file::folder(&self.folder)?.sync_all()?;
        Ok(bytes.len() as u64)
    }

    /// The days with a file, and the sizes in bytes.
    fn files(&self) -> io::Result<BTreeMap<Date, u64>> {
        let mut files = BTreeMap::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if let Some(name) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.strip_suffix(SUFFIX))
                && let Ok(date) = name.parse::<Date>()
                && date.to_string() == name
            {
                files.insert(date, entry.metadata()?.len());
            }
        }
        Ok(files)
    }

    /// Removes days that are too old. If the total is too large, the largest files of older days
    /// are condensed before the oldest are removed.
    fn prune(&self) -> io::Result<()> {
        let mut files = self.files()?;
        while files.len() > DAYS {
            self.remove_oldest(&mut files)?;
        }
        while files.len() > 1 && files.values().sum::<u64>() > self.bytes {
            match self.condense_largest(&files)? {
                Some((date, bytes)) => drop(files.insert(date, bytes)),
                None => self.remove_oldest(&mut files)?,
            }
        }
        Ok(())
    }

    /// Condenses the largest file except the newest day's; returns its day and size. `None` if none
    /// shrinks much.
    fn condense_largest(&self, files: &BTreeMap<Date, u64>) -> io::Result<Option<(Date, u64)>> {
        let older = files
            .iter()
            .rev()
            .skip(1)
            .filter(|(_, bytes)| **bytes > OLD_BYTES);
        let Some((&date, &bytes)) = older.min_by_key(|(_, bytes)| Reverse(**bytes)) else {
            return Ok(None);
        };
        let Ok(Some((mut day, _))) = self.day(date) else {
            return Ok(None);
        };
        day.condense(usize::try_from((bytes / 2).max(OLD_BYTES)).unwrap_or(usize::MAX));
        let now = self.write(date, &day)?;
        // A file of few long lines does not shrink.
        Ok((now <= bytes / 10 * 9).then_some((date, now)))
    }

    fn remove_oldest(&self, files: &mut BTreeMap<Date, u64>) -> io::Result<()> {
        match files.pop_first() {
            Some((date, _)) => remove(&self.path(date)),
            None => Ok(()),
        }
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The warning about lines of a file that were left out.
fn damage(path: &Path, lines: usize) -> String {
    let lines = counted(lines, "line");
    format!(
        "`{}`: {lines} missing or damaged, and not counted",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;

    use super::super::day::{Count, Reader, Subject};
    use super::*;
    use crate::serve::Family;

    const TODAY: Date = date(2026, 11, 21);

    fn store(dir: &tempfile::TempDir) -> Store {
        Store::new(&State::at(dir.path().join("state")))
    }

    fn day(path: &str, sent: u64) -> Day {
        let mut day = Day::default();
        let subject = Subject {
            kind: "article",
            path: path.into(),
        };
        day.count(
            subject,
            Reader::new("html", Family::named("Firefox")),
            Count { sent, unchanged: 0 },
        );
        day
    }

    fn add(store: &Store, date: Date, day: Day) {
        let mut days = BTreeMap::from([(date, day)]);
        store.add(&mut days).unwrap();
        assert!(days.is_empty());
    }

    #[test]
    fn counts_add_up_over_processes_and_days() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (store(&dir), store(&dir));
        add(&one, TODAY, day("/articles/a", 2));
        add(&other, TODAY, day("/articles/a", 3));
        add(&one, TODAY.yesterday().unwrap(), day("/articles/b", 1));
        let (days, warnings) = one.read(Date::MIN, Date::MAX).unwrap();
        assert_eq!(warnings, [""; 0]);
        assert_eq!(
            days,
            BTreeMap::from([
                (TODAY, day("/articles/a", 5)),
                (TODAY.yesterday().unwrap(), day("/articles/b", 1))
            ])
        );
        assert_eq!(one.read(TODAY, TODAY).unwrap().0.len(), 1);
        assert_eq!(
            store(&tempfile::tempdir().unwrap())
                .read(Date::MIN, Date::MAX)
                .unwrap()
                .0,
            BTreeMap::new()
        );
    }

    #[test]
    fn what_a_killed_process_left_is_no_harm() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        add(&store, TODAY, day("/articles/a", 1));
        fs::write(store.folder().join(DRAFT), "{\"diglot-readers\":1,\"da").unwrap();
        fs::write(store.folder().join("2026-11-21.jsonl.bak"), "x").unwrap();
        fs::write(store.folder().join("2026-13-99.jsonl"), "x").unwrap();
        add(&store, TODAY, day("/articles/a", 1));
        assert_eq!(
            store.read(Date::MIN, Date::MAX).unwrap(),
            (BTreeMap::from([(TODAY, day("/articles/a", 2))]), Vec::new())
        );
    }

    #[test]
    fn a_newer_file_is_said_and_never_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        add(&store, TODAY, day("/articles/a", 1));
        let newer = "{\"diglot-readers\":7}\nwho knows\n";
        fs::write(store.path(TODAY), newer).unwrap();
        let mut days = BTreeMap::from([(TODAY, day("/articles/a", 1))]);
        let error = store.add(&mut days).unwrap_err().to_string();
        assert!(
            error.contains("it has version 7, this program knows version 2"),
            "{error}"
        );
        assert_eq!(
            (
                fs::read_to_string(store.path(TODAY)).unwrap().as_str(),
                days.len()
            ),
            (newer, 1)
        );
        let (days, warnings) = store.read(Date::MIN, Date::MAX).unwrap();
        assert!(
            days.is_empty() && warnings.len() == 1 && warnings[0].contains("version 7"),
            "{warnings:?}"
        );
    }

    #[test]
    fn a_broken_file_is_said_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        add(&store, TODAY, day("/articles/a", 1));
        let whole = fs::read(store.path(TODAY)).unwrap();
        fs::write(
            store.path(TODAY),
            [&whole[..], b"{\"kind\":\"arti"].concat(),
        )
        .unwrap();
        let (days, warnings) = store.read(Date::MIN, Date::MAX).unwrap();
        assert_eq!(days[&TODAY], day("/articles/a", 1));
        assert!(
            warnings[0].contains("1 line missing or damaged"),
            "{warnings:?}"
        );
        add(&store, TODAY, day("/articles/a", 1));
        assert_eq!(
            store.read(Date::MIN, Date::MAX).unwrap().1,
            [""; 0],
            "and it was mended"
        );
    }

    #[test]
    fn at_most_400_days_are_kept_whatever_the_clock_says() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        fs::create_dir_all(store.folder()).unwrap();
        for ago in 1..=430_i64 {
            let date = TODAY.checked_sub(ago.days()).unwrap();
            fs::write(store.path(date), day("/articles/a", 1).to_bytes(date)).unwrap();
        }
        add(&store, date(2099, 1, 1), day("/articles/a", 1));
        let days = store.read(Date::MIN, Date::MAX).unwrap().0;
        assert_eq!(days.len(), DAYS);
        assert!(
            days.contains_key(&TODAY.yesterday().unwrap()),
            "a clock that was wrong once costs one day"
        );
    }

    #[test]
    fn the_whole_has_a_bound_and_the_largest_days_are_condensed_first() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = store(&dir);
        let mut large = Day::default();
        (0..8_000).for_each(|n| large.merge(day(&format!("/articles/{n}"), n + 1)));
        let small = TODAY.checked_sub(9.days()).unwrap();
        add(&store, small, day("/articles/a", 1));
        for ago in 1..=3_i64 {
            add(
                &store,
                TODAY.checked_sub(ago.days()).unwrap(),
                large.clone(),
            );
        }
        store.bytes = 700_000;
        add(&store, TODAY, day("/articles/a", 1));
        assert!(store.files().unwrap().values().sum::<u64>() <= 700_000);
        let days = store.read(Date::MIN, Date::MAX).unwrap().0;
        assert_eq!(
            (days.len(), &days[&small]),
            (5, &day("/articles/a", 1)),
            "no day is gone, and small ones are whole"
        );
        store.bytes = 50_000;
        add(&store, TODAY, day("/articles/a", 1));
        assert!(
            store.files().unwrap().values().sum::<u64>() <= 50_000,
            "in the end days go"
        );
        assert!(store.read(TODAY, TODAY).unwrap().0.contains_key(&TODAY));
    }
}
