//! `diglot.lock`: when each file last changed, in a form that is committed with the files.
//!
//! A fresh checkout gives every file a new time. If there is no git history either, the state
//! folder of another machine is out of reach. The lock has one line per file, ordered by path so
//! that branches merge as text: the hash of its bytes, the instant, the path.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::path::Path;

use diglot_content::Problem;
use diglot_content::sources::{ChangeOrigin, FileDates, LOCK_FILE, Sources};
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};
use crate::file::{Refused, Root};
use crate::limits;

const HEAD: &str =
    "# When the files of this folder last changed. Written by `diglot lock`; commit it.\n";

/// The content of a `diglot.lock`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    files: BTreeMap<String, (ContentHash, Timestamp)>,
}

impl Lock {
    /// The resolved dates of all files of a folder.
    pub fn from_sources(sources: &Sources) -> Self {
        let mut lock = Self::default();
        for file in sources.files.iter().filter(|file| &*file.path != LOCK_FILE) {
            lock.files.insert(
                file.path.to_string(),
                (ContentHash::hash(&file.bytes), file.dates.changed),
            );
        }
        lock
    }

    /// Reads the lock of a folder; an empty lock if there is none. An invalid line (a merge
    /// conflict) is a problem and is skipped. A symbolic link is not followed: nothing outside the
    /// folder is read.
    ///
    /// # Errors
    /// The system's, if an existing file cannot be read.
    pub fn read(root: &Path) -> io::Result<(Self, Vec<Problem>)> {
        let path = root.join(LOCK_FILE);
        let refused = |why: String| {
            Ok((
                Self::default(),
                vec![Problem::warning(why).at(LOCK_FILE, 0, 0)],
            ))
        };
        if path.is_symlink() {
            return refused("it is a symbolic link: it is not read".to_owned());
        }
        match Root::open(root)?.read(&path, limits::LOCK_BYTES) {
            Ok(bytes) => Ok(Self::parse(&String::from_utf8_lossy(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Default::default()),
            Err(error) => match Refused::from_error(&error) {
                Some(why) => refused(format!("it is not read: {why}")),
                None => Err(error),
            },
        }
    }

    /// Parses the file; the problems name the invalid lines.
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let (mut lock, mut problems) = (Self::default(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match parse_line(line) {
                Some((path, file)) => drop(lock.files.insert(path, file)),
                None => Problem::note_all(&mut problems, std::iter::once_with(|| not_ours(number))),
            }
        }
        (lock, problems)
    }

    /// How many files it names.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether it names no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the lock of a folder: a new file, renamed over the old one, with the permissions of
    /// the other files (a temporary file is private to its creator).
    ///
    /// # Errors
    /// The system's.
    pub fn write(&self, root: &Path) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.prefix(".diglot-lock-").tempfile_in(root)?;
        write!(file, "{self}")?;
        file.as_file().sync_all()?;
        file.persist(root.join(LOCK_FILE))?;
        Ok(())
    }

    /// This lock as a source of dates for one reading of the folder.
    pub fn source(&self) -> FromLock<'_> {
        let mut by_hash = HashMap::new();
        for (hash, changed) in self.files.values() {
            let first = by_hash.entry(*hash).or_insert(*changed);
            *first = (*first).min(*changed);
        }
        FromLock {
            lock: self,
            by_hash,
            unknown: 0,
        }
    }
}

impl Display for Lock {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        for (path, (hash, changed)) in &self.files {
            // A path with a line break does not fit in a line; its date is then the file's own.
            if !path.contains(['\n', '\r']) {
                writeln!(f, "{hash} {changed} {path}")?;
            }
        }
        Ok(())
    }
}

fn parse_line(line: &str) -> Option<(String, (ContentHash, Timestamp))> {
    let (hash, rest) = line.split_once(' ')?;
    let (changed, path) = rest.split_once(' ')?;
    Some((
        path.to_owned(),
        (ContentHash::parse(hash)?, changed.parse().ok()?),
    ))
}

fn not_ours(line: u32) -> Problem {
    let problem =
        Problem::warning("the line is not `hash time path` and is ignored").at(LOCK_FILE, line, 0);
    problem.hint("write the file again with `diglot lock`")
}

/// The lock as a source of dates.
#[derive(Debug)]
pub struct FromLock<'a> {
    lock: &'a Lock,
    /// A renamed file keeps its date. Of several with the same bytes the earliest counts, whatever
    /// the order.
    by_hash: HashMap<ContentHash, Timestamp>,
    /// The number of requested files that the lock does not know.
    unknown: usize,
}

impl FromLock<'_> {
    /// The files that the lock does not know, as one problem for the whole folder.
    pub fn problem(&self) -> Option<Problem> {
        if self.unknown == 0 || self.lock.is_empty() {
            return None;
        }
        let files = crate::terminal::counted(self.unknown, "file");
        let problem =
            Problem::warning(format!("it is out of date for {files}")).at(LOCK_FILE, 0, 0);
        Some(problem.hint("update it with `diglot lock`"))
    }

    /// Whether it knew every requested file, so that no date is a guess.
    pub fn knew_all(&self) -> bool {
        self.unknown == 0 && !self.lock.is_empty()
    }
}

impl DateSource for FromLock<'_> {
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates> {
        if facts.path == LOCK_FILE {
            return None;
        }
        let changed = match self.lock.files.get(facts.path) {
            Some((hash, changed)) if *hash == facts.hash => Some(changed),
            _ => self.by_hash.get(&facts.hash),
        };
        if changed.is_none() {
            self.unknown += 1;
        }
        Some(FileDates {
            created: None,
            changed: *changed?,
            origin: ChangeOrigin::Remembered,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// The date that a lock of one file `a.md` with the bytes `one` gives a file, and whether the
    /// lock is then behind.
    fn check(path: &str, bytes: &str, expected: Option<i64>, behind: bool) {
        let lock = Lock {
            files: [("a.md".to_owned(), (ContentHash::hash(b"one"), at(100)))].into(),
        };
        let mut source = lock.source();
        let dates = source.dates(&Facts {
            path,
            bytes: bytes.as_bytes(),
            hash: ContentHash::hash(bytes.as_bytes()),
            modified: at(900),
        });
        assert_eq!(dates.map(|dates| dates.changed), expected.map(at), "{path}");
        assert_eq!(source.problem().is_some(), behind, "{path}");
    }

    #[test]
    fn bytes_that_it_knows_have_their_day_wherever_they_are_now() {
        check("a.md", "one", Some(100), false);
        check("moved.md", "one", Some(100), false);
        check("a.md", "edited", None, true);
        check("new.md", "new", None, true);
        check(LOCK_FILE, "itself", None, false);
    }

    #[test]
    fn what_is_written_is_read_and_a_conflict_of_branches_is_told_by_its_line() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Lock::read(dir.path()).unwrap(), Default::default());
        let lock = Lock {
            files: [
                ("a b.md".to_owned(), (ContentHash::hash(b"one"), at(100))),
                ("ü/c.md".to_owned(), (ContentHash::hash(b""), at(-5))),
            ]
            .into(),
        };
        lock.write(dir.path()).unwrap();
        assert_eq!(Lock::read(dir.path()).unwrap(), (lock.clone(), Vec::new()));
        let (none, many) = Lock::parse(&"x\n".repeat(100_000));
        assert_eq!((none.len(), many.len()), (0, 101));
        let (read, problems) = Lock::parse(&lock.to_string().replace("\n", "\n<<<<<<< HEAD\n"));
        assert_eq!((read, problems.len()), (lock, 3));
        assert!(
            problems[0]
                .to_string()
                .starts_with("diglot.lock:2: warning: the line is not"),
            "{}",
            problems[0]
        );
    }

    #[test]
    #[cfg(unix)]
    fn whoever_may_read_a_new_file_of_the_folder_may_read_the_lock() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        Lock::default().write(dir.path()).unwrap();
        std::fs::write(dir.path().join("a.md"), "").unwrap();
        let mode = |name: &str| {
            dir.path()
                .join(name)
                .metadata()
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode(LOCK_FILE), mode("a.md"));
    }
}
