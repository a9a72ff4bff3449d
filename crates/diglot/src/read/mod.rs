//! A folder on the disk becomes [`Sources`]: every file's bytes and dates, and a reason for whatever was not read.
//!
//! Nothing outside the folder is ever read: a symbolic link is followed only when its target lies inside, also when it is switched meanwhile. Reading
//! survives files that vanish or change meanwhile, names that are not UTF-8, loops of links, and files that may not be read.

mod file_cache;
mod mark;
mod walk;

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use diglot_content::sources::{ChangeOrigin, Contents, FileDates, SourceFile, Sources, Unread};
use diglot_content::{Problem, at_once, buffers, fingerprint};
use diglot_edition::Store;
use jiff::Timestamp;
use rayon::prelude::*;

use crate::dates::{ContentHash, DateSource, Facts};
use crate::failure::{is_exhaustion, reason};
use crate::file::{Refused, Root};
use crate::limits::{Limits, MostBytes};
pub use file_cache::FileCache;
pub(crate) use file_cache::Stamp;
use file_cache::{Cached, Rest};
pub(crate) use mark::{Fingerprint, Mark, glance, mark};
use walk::Walked;
pub(crate) use walk::{Inside, folders_in};

/// A file younger than this may be half saved.
const SETTLED: Duration = Duration::from_millis(15);
/// An empty file younger than this probably is: editors empty a file before they write it, and a busy disk takes its time in between.
const SETTLED_EMPTY: Duration = Duration::from_millis(250);
/// After so long the whole folder is read at the next edit, whatever was told.
const WHOLE_AGAIN: Duration = Duration::from_secs(600);
/// How long a file is read again that changes all the time.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a reading found.
#[derive(Debug)]
pub struct Reading {
    /// The files as they are.
    pub sources: Sources,
    /// A file that had content at the reading before was emptied a moment ago: it is probably half saved.
    pub half_saved: bool,
}

/// Reads the folder. `sources` are asked for dates in order; the file's own time is the last resort. No date lies after `now`.
///
/// # Errors
/// The system's, when the folder itself cannot be read, or descriptors or memory ran out.
pub fn folder(root: &Path, sources: &mut [&mut dyn DateSource], limits: &Limits, now: Timestamp) -> io::Result<Sources> {
    folder_again(root, sources, limits, &mut FileCache::default(), now).map(|reading| reading.sources)
}

/// As [`folder`]; files that lie on the `shelf` as they are in the folder are not read again. Then all that were read lie on it, one
/// that is half saved as it was before.
///
/// # Errors
/// As [`folder`].
pub fn folder_again(root: &Path, sources: &mut [&mut dyn DateSource], limits: &Limits, shelf: &mut FileCache, now: Timestamp) -> io::Result<Reading> {
    Ok(look(root, limits, shelf)?.dated(shelf, sources, now))
}

/// A folder whose files lie on a shelf as they are, and have no dates yet: who knows those may look them up meanwhile.
#[derive(Debug)]
pub(crate) struct Looked {
    /// What was found beside the files.
    found: Sources,
    /// Where files lie that are half saved, and what they were before.
    half_saved: Vec<(usize, Cached)>,
}

/// The first half of [`folder_again`].
///
/// # Errors
/// As [`folder`].
pub(crate) fn look(root: &Path, limits: &Limits, shelf: &mut FileCache) -> io::Result<Looked> {
    let root = root.canonicalize()?;
    let beneath = Root::open(&root)?;
    if let Some(rest) = some_again(&root, &beneath, limits, shelf) {
        let found = rest.found.clone();
        shelf.rest = Some(rest);
        return Ok(Looked { found, half_saved: Vec::new() });
    }
    let at = Instant::now();
    let walked = walk::walk(&root, limits.files)?;
    let linked = walked.files.iter().any(|file| root.join(&file.path) != file.disk);
    // Reading is parallel; the order of the result is the order of the walk.
    let begun = SystemTime::now();
    let read = |file: &Walked| match shelf.find(&file.path, &file.disk, begun) {
        Some(known) => Ok(known.clone()),
        None => on_shelf(&beneath, file, most_bytes(&file.path, limits), shelf.settled(), shelf.store()),
    };
    let read: Vec<_> = walked.files.par_iter().with_max_len(at_once(walked.files.len())).map(read).collect();
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut found = Sources { name, unread: walked.unread, hidden: walked.hidden, problems: walked.problems, ..Sources::default() };
    let (mut files, mut half_saved, mut whole) = (Vec::with_capacity(read.len()), Vec::new(), true);
    for (file, read) in walked.files.iter().zip(read) {
        match read {
            Ok(read) => {
                half_saved.extend(shelf.before_emptied(&read).map(|before| (files.len(), before.clone())));
                files.push(read);
            }
            // It vanished between listing and reading: as if it had never been there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => whole = false,
            // Setting aside whatever comes next would publish a site with holes.
            Err(error) if is_exhaustion(&error) => return Err(error),
            Err(error) => {
                whole = false;
                let why = reason(&error);
                found.problems.push(Problem::error(format!("cannot be read: {why}")).at(&*file.path, 0, 0));
                found.unread.push(Unread { path: file.path.clone(), reason: why });
            }
        }
    }
    found.unread.sort();
    shelf.files = files;
    // A file that is reached by a link is told under another path; one that could not be read may be readable now.
    shelf.rest = (whole && !linked && half_saved.is_empty()).then(|| Rest { root, at, found: found.clone() });
    Ok(Looked { found, half_saved })
}

impl Looked {
    /// The second half: the files with their dates.
    pub(crate) fn dated(self, shelf: &mut FileCache, sources: &mut [&mut dyn DateSource], now: Timestamp) -> Reading {
        let files = shelf.files.iter().map(|file| source_file(file, sources, now)).collect();
        let half_saved = !self.half_saved.is_empty();
        self.half_saved.into_iter().for_each(|(place, before)| shelf.files[place] = before);
        Reading { sources: Sources { files, ..self.found }, half_saved }
    }
}

/// Reads only the files that were written since the last reading, as whoever watches the folder was told. `None`: the whole folder has to be read. That is also
/// done every now and then, should something have been missed. Else what that reading found beside its files.
fn some_again(root: &Path, beneath: &Root, limits: &Limits, shelf: &mut FileCache) -> Option<Rest> {
    let written = shelf.written.take()?;
    // Taken: only when all goes well it is known again that nothing else has to be read.
    let rest = shelf.rest.take().filter(|rest| rest.root == root && rest.at.elapsed() < WHOLE_AGAIN)?;
    let mut again = Vec::with_capacity(written.len());
    for disk in written {
        let path = disk.strip_prefix(root).ok()?.to_str()?;
        let place = shelf.place(path)?;
        if !disk.symlink_metadata().ok()?.is_file() {
            return None;
        }
        let file = Walked { path: path.to_owned(), disk: disk.clone() };
        let read = on_shelf(beneath, &file, most_bytes(path, limits), shelf.settled(), shelf.store()).ok()?;
        if shelf.before_emptied(&read).is_some() {
            return None;
        }
        again.push((place, read));
    }
    again.into_iter().for_each(|(place, read)| shelf.files[place] = read);
    Some(rest)
}

/// How large a file may be: what is parsed costs more than what is only handed on.
fn most_bytes(path: &str, limits: &Limits) -> MostBytes {
    let suffix = path.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    let parsed = ["md", "markdown", "mdx", "html", "htm", "toml", "yml", "yaml", "json", "csv", "j2", "njk"];
    let is_parsed = parsed.iter().any(|known| suffix.eq_ignore_ascii_case(known)) && limits.article_bytes < limits.file_bytes;
    if is_parsed { MostBytes::new("article-bytes", limits.article_bytes) } else { MostBytes::new("file-bytes", limits.file_bytes) }
}

fn source_file(file: &Cached, sources: &mut [&mut dyn DateSource], now: Timestamp) -> SourceFile {
    let modified = file.modified.and_then(|time| Timestamp::try_from(time).ok()).and_then(|time| Timestamp::from_second(time.as_second()).ok());
    let modified = modified.map_or(now, |time| time.min(now));
    let facts = Facts { path: &file.path, bytes: &file.bytes, hash: ContentHash(*file.bytes.digest()), modified };
    let known = sources.iter_mut().find_map(|source| source.dates(&facts));
    let dates = known.unwrap_or(FileDates { created: None, changed: modified, origin: ChangeOrigin::FileTime });
    SourceFile { path: Arc::clone(&file.path), bytes: file.bytes.clone(), dates }
}

/// A file of the folder, read.
fn on_shelf(root: &Root, file: &Walked, most: MostBytes, settled: Duration, store: &dyn Store) -> io::Result<Cached> {
    let Whole { bytes, modified, stamp } = bytes_of(root, &file.disk, most, settled)?;
    let hash = fingerprint::of_bytes(&bytes);
    let kept = if bytes.len() > buffers::MOST {
        store.keep(bytes)
    } else {
        let kept = store.keep_parts(&[&bytes]);
        buffers::give_back(bytes);
        kept
    };
    Ok(Cached { path: file.path.as_str().into(), bytes: Contents::with_digest(kept, hash), modified, stamp })
}

/// A file's bytes, its modification time, and what the system said of it before it was read.
struct Whole {
    bytes: Vec<u8>,
    modified: Option<SystemTime>,
    stamp: Option<Stamp>,
}

/// The bytes of a file and its modification time; read again when it changed in between, or when it was written less than `settled` ago.
///
/// A file of more than `most` bytes is not read.
fn bytes_of(root: &Root, path: &Path, most: MostBytes, settled: Duration) -> io::Result<Whole> {
    let mut bytes = buffers::bytes();
    let begun = Instant::now();
    loop {
        let (mut file, before) = root.with_metadata(path)?;
        if before.len() > most.bytes {
            return Err(Refused::TooLarge(most).into());
        }
        bytes.clear();
        bytes.reserve_exact(usize::try_from(before.len()).unwrap_or(0).min(1 << 30));
        // No further: should it grow meanwhile, it is read again. Of some files nobody says how long they are.
        let length = if before.len() == 0 { most.bytes.saturating_add(1) } else { before.len() };
        (&mut file).take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most.bytes {
            return Err(Refused::TooLarge(most).into());
        }
        let modified = before.modified().ok();
        let settled = if bytes.is_empty() { SETTLED_EMPTY } else { settled };
        let young = modified.and_then(|time| time.elapsed().ok()).and_then(|age| settled.checked_sub(age));
        if let Some(rest) = young {
            std::thread::sleep(rest.min(SETTLED));
        }
        let after = file.metadata()?;
        let steady = after.len() == bytes.len() as u64 && after.modified().ok() == modified && young.is_none_or(|rest| rest <= SETTLED);
        if steady || begun.elapsed() > PATIENCE {
            let stamp = Stamp::of(&before, SystemTime::now()).filter(|_| steady);
            return Ok(Whole { bytes, modified, stamp });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    /// Reads a folder holding these files (`name -> target` is a symbolic link) and lists paths, `unread` and `hidden`.
    #[cfg(unix)]
    fn check(entries: &[&str], expected: &str) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("site");
        fs::create_dir(&root).unwrap();
        fs::write(dir.path().join("secret.md"), "secret").unwrap();
        for entry in entries {
            let (name, target) = entry.split_once(" -> ").map_or((*entry, None), |(name, target)| (name, Some(target)));
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match target {
                Some(target) => std::os::unix::fs::symlink(target, path).unwrap(),
                None => fs::write(path, name).unwrap(),
            }
        }
        let read = folder(&root, &mut [], &Limits::default(), Timestamp::now()).unwrap();
        let mut lines: Vec<String> = read.files.iter().map(|file| file.path.to_string()).collect();
        lines.extend(read.unread.iter().map(|unread| format!("unread {}: {}", unread.path, unread.reason)));
        lines.extend(read.hidden.iter().map(|name| format!("hidden {name}")));
        assert_eq!(lines.join("\n"), expected.trim_end().lines().map(str::trim).collect::<Vec<_>>().join("\n").trim());
    }

    #[test]
    #[cfg(unix)]
    fn files_come_in_the_byte_order_of_their_paths() {
        check(&["b.md", "a/x.md", "a.md", "a-b.md", "B.md"], "B.md\na-b.md\na.md\na/x.md\nb.md");
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_inside_the_folder_only() {
        check(
            &[
                "a.md",
                "real/x.md",
                "in.md -> a.md",
                "folder -> real",
                "out.md -> ../secret.md",
                "up -> ..",
                "passwd -> /etc/passwd",
                "broken -> nowhere",
            ],
            "a.md
            folder/x.md
            in.md
            real/x.md
            unread broken: symbolic link that leads nowhere
            unread out.md: symbolic link out of the folder
            unread passwd: symbolic link out of the folder
            unread up: symbolic link out of the folder",
        );
    }

    #[test]
    #[cfg(unix)]
    fn loops_of_links_are_survived() {
        check(
            &["a/x.md", "a/self -> .", "a/up -> ..", "b/there -> ../a", "ring -> ring"],
            "a/x.md
            b/there/x.md
            unread a/self: symbolic link that leads back to a folder around it
            unread a/up: symbolic link that leads back to a folder around it
            unread b/there/self: symbolic link to a folder, inside a linked folder
            unread b/there/up: symbolic link to a folder, inside a linked folder
            unread ring: symbolic link that leads nowhere",
        );
    }

    #[test]
    #[cfg(unix)]
    fn hidden_and_generated_folders_are_named_but_not_read() {
        check(
            &[
                "a.md",
                ".git/config",
                ".env",
                "docs/.obsidian/app.json",
                "node_modules/x/README.md",
                "built/.diglot",
                "built/index.html",
                "target/CACHEDIR.TAG",
                "target/doc.md",
                ".well-known/security.txt",
            ],
            ".well-known/security.txt
            a.md
            hidden .env
            hidden .git
            hidden built
            hidden docs/.obsidian
            hidden node_modules
            hidden target",
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_that_is_not_utf8_survives_and_is_reported() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.md")), "x").unwrap();
        let read = folder(dir.path(), &mut [], &Limits::default(), Timestamp::now()).unwrap();
        assert_eq!(&*read.files[0].path, "caf\u{fffd}.md");
        assert_eq!(
            read.problems[0].to_string(),
            "caf\u{fffd}.md: warning: the name is not UTF-8\n  hint: rename the file; until then its address has `\u{fffd}` in it"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_fifo_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, dir.path().join("pipe.md"), mode).unwrap();
        let read = folder(dir.path(), &mut [], &Limits::default(), Timestamp::now()).unwrap();
        assert_eq!(read.unread, [Unread { path: "pipe.md".into(), reason: "not a regular file".into() }]);
    }

    #[test]
    fn files_beyond_the_limits_are_named_and_the_rest_is_read() {
        let dir = tempfile::tempdir().unwrap();
        for (name, length) in [("large.md", 2_001), ("large.jpg", 2_001), ("huge.jpg", 3_001), ("small.md", 2_000)] {
            fs::write(dir.path().join(name), "x".repeat(length)).unwrap();
        }
        let limits = Limits { article_bytes: 2_000, file_bytes: 3_000, ..Limits::default() };
        let read = folder(dir.path(), &mut [], &limits, Timestamp::now()).unwrap();
        let paths: Vec<&str> = read.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["large.jpg", "small.md"]);
        let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems[1], "large.md: cannot be read: larger than the limit of 2000 bytes (`article-bytes`)");
        let error = folder(dir.path(), &mut [], &Limits { files: 3, ..limits }, Timestamp::now()).unwrap_err();
        assert_eq!(error.to_string(), "it holds more than 3 files; `--limit files=…` allows more");
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_did_not_change_is_not_read_again_and_one_that_did_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.md");
        let mut shelf = FileCache::default();
        let read = |shelf: &mut FileCache| {
            let reading = folder_again(dir.path(), &mut [], &Limits::default(), shelf, Timestamp::now()).unwrap();
            reading.sources.files.iter().map(|file| (file.bytes.as_ptr(), String::from_utf8(file.bytes.to_vec()).unwrap())).next()
        };
        fs::write(&path, "one").unwrap();
        let young = read(&mut shelf);
        assert_ne!(read(&mut shelf).unwrap().0, young.unwrap().0, "a young file may change without a trace");
        // Its time of change cannot be set, so the test has to wait until it is old.
        std::thread::sleep(Duration::from_millis(3_100));
        let old = read(&mut shelf);
        assert_eq!(read(&mut shelf), old, "the very same bytes");
        // Other bytes of the same length, under the old time of modification.
        let modified = path.metadata().unwrap().modified().unwrap();
        fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(read(&mut shelf).unwrap().1, "two");
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&mut shelf), None);
    }

    #[test]
    fn a_file_is_half_saved_from_its_emptying_until_it_has_content_or_is_old() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.md");
        let mut shelf = FileCache::default();
        let mut check = |text: &str, age: u64, half_saved: bool| {
            fs::write(&path, text).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            let reading = folder_again(dir.path(), &mut [], &Limits::default(), &mut shelf, Timestamp::now()).unwrap();
            assert_eq!((&reading.sources.files[0].bytes[..], reading.half_saved), (text.as_bytes(), half_saved), "{text}, {age} s old");
        };
        check("", 1, false);
        check("one", 1, false);
        for _ in 0..3 {
            check("", 1, true);
        }
        check("two", 1, false);
        check("", 10, false);
        check("", 1, false);
    }

    #[test]
    #[cfg(unix)]
    fn only_what_was_told_is_read_and_everything_when_that_is_not_enough() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
        let mut shelf = FileCache::default();
        let mut read = |told: Option<&[&str]>| {
            shelf.only(told.map(|names| names.iter().map(|name| root.join(name)).collect()));
            let reading = folder_again(dir.path(), &mut [], &Limits::default(), &mut shelf, Timestamp::now()).unwrap();
            let text = |file: &SourceFile| format!("{}={}", file.path, String::from_utf8_lossy(&file.bytes));
            (reading.sources.files.iter().map(text).collect::<Vec<_>>().join(" "), reading.sources.hidden.len())
        };
        ["a.md", "b.md", ".hidden"].iter().for_each(|name| write(name, "1"));
        assert_eq!(read(Some(&["a.md"])), ("a.md=1 b.md=1".to_owned(), 1), "nothing was read before");
        ["a.md", "b.md"].iter().for_each(|name| write(name, "2"));
        assert_eq!(read(Some(&["a.md"])), ("a.md=2 b.md=1".to_owned(), 1));
        assert_eq!(read(None), ("a.md=2 b.md=2".to_owned(), 1));
        write("b.md", "3");
        write("c.md", "3");
        assert_eq!(read(Some(&["c.md"])).0, "a.md=2 b.md=3 c.md=3", "a file that nobody knows");
        fs::remove_file(root.join("b.md")).unwrap();
        assert_eq!(read(Some(&["b.md"])).0, "a.md=2 c.md=3", "a file that is gone");
        std::os::unix::fs::symlink("a.md", root.join("d.md")).unwrap();
        assert_eq!(read(None).0, "a.md=2 c.md=3 d.md=2");
        write("a.md", "4");
        assert_eq!(read(Some(&["a.md"])).0, "a.md=4 c.md=3 d.md=4", "another path leads to it as well");
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert_eq!(folder(Path::new("/no/such/folder"), &mut [], &Limits::default(), Timestamp::now()).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
