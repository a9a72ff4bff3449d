//! Writes an edition as a folder for static hosts: staged next to the target and put in place in
//! one step, so never half a site.

mod manifest;
mod plan;
mod stage;
mod stub;

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use diglot_content::{Problem, parallel};
use diglot_edition::Edition;
use diglot_edition::byte_store::ByteStore;

use crate::failure::Failure;
use crate::terminal;
use manifest::Target;
use plan::{Entry, Plan};
use stage::Stage;

/// The memory that mirrors the store's files is released after this many bytes are read. Reading a
/// slice may load several times its length.
const MUCH: u64 = 8 << 20;

/// Files from this size on are written first.
const LONG: u64 = 1 << 20;

/// An export that is about to be written.
#[derive(Debug)]
pub struct Export {
    target: PathBuf,
    /// Where files for the origin's root are written, if the base URL has a path.
    origin: PathBuf,
    /// Whether every file is also written compressed.
    pub compress: bool,
}

/// What was written.
#[derive(Debug, Default)]
pub struct Written {
    /// The number of files.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
    /// What could not be written as it is served.
    pub problems: Vec<Problem>,
    /// The folder whose files must be installed at the origin's root, when the base URL has a path.
    pub origin: Option<PathBuf>,
}

impl Export {
    /// An export to `target`, which must not be inside or contain the folder `source` (a canonical
    /// path), and must hold nothing but an earlier export.
    ///
    /// # Errors
    /// A usage failure, or the machine's, if a path cannot be inspected.
    pub fn to(target: &Path, source: &Path) -> Result<Self, Failure> {
        let resolved = manifest::resolved(target).map_err(|error| cannot_write(target, &error))?;
        is_apart(&resolved, source, target)?;
        let mut origin = resolved.clone().into_os_string();
        origin.push("-origin");
        let export = Self {
            target: resolved,
            origin: origin.into(),
            compress: false,
        };
        for folder in [&export.target, &export.origin] {
            if stage::recover(folder).map_err(|error| cannot_write(folder, &error))? {
                terminal::say(format!(
                    "`{}` was restored: an earlier build was interrupted while replacing it",
                    folder.display()
                ));
            }
        }
        is_replaced(&export.target, target)?;
        Ok(export)
    }

    /// The target, with links followed.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the edition. `hosts` is configuration for static hosts, path and text; `progress` is
    /// called with the count after every file.
    ///
    /// The machine's: a full disk, a folder that may not be written. The target is then untouched,
    /// and nothing is left next to it.
    pub fn write(
        &self,
        edition: &Edition,
        hosts: impl Iterator<Item = (String, String)>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Written, Failure> {
        let Plan {
            entries,
            origin,
            problems,
        } = plan::plan(edition, hosts);
        let mut written = Written {
            problems,
            ..Written::default()
        };
        self.folder(&self.target, &entries, edition, &mut written, progress)?;
        if !origin.is_empty() {
            self.folder(&self.origin, &origin, edition, &mut written, &|_| {})?;
            written.origin = Some(self.origin.clone());
        }
        Ok(written)
    }

    /// Writes one folder and puts it in place.
    fn folder(
        &self,
        target: &Path,
        entries: &BTreeMap<String, Entry<'_>>,
        edition: &Edition,
        written: &mut Written,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), Failure> {
        let replaces = is_replaced(target, target)?;
        let files = self
            .staged(target, replaces, entries, edition, progress)
            .map_err(|error| cannot_write(target, &error))?;
        written.files += files.len();
        written.bytes += files.iter().map(|(_, length)| length).sum::<u64>();
        Ok(())
    }

    fn staged(
        &self,
        target: &Path,
        replaces: bool,
        entries: &BTreeMap<String, Entry<'_>>,
        edition: &Edition,
        progress: &(dyn Fn(usize) + Sync),
    ) -> io::Result<Vec<(String, u64)>> {
        let stage = Stage::beside(target)?;
        let reading = Reading::begin(&*edition.store);
        // Long files first: one that is started last would delay the end.
        let mut order: Vec<(&String, &Entry<'_>)> = entries.iter().collect();
        order.sort_by_key(|(_, entry)| entry.body.len() < LONG);
        let write = |&(path, entry): &(&String, &Entry<'_>)| {
            let compressed = self.compress.then_some(entries);
            let files = write_entry(&stage, path, entry, compressed, &reading)?;
            progress(entries.len());
            Ok::<_, io::Error>(files)
        };
        let mut files = parallel::try_map(&order, write)?.concat();
        files.sort();
        let manifest = manifest::write(
            &edition.id.to_string(),
            &edition.site.base.to_string(),
            files.iter().map(|(path, _)| path.as_str()),
        );
        let newest = entries
            .values()
            .map(|entry| entry.modified)
            .max()
            .unwrap_or_default();
        stage.write(manifest::NAME, [manifest.as_bytes()], newest)?;
        stage.swap(replaces)?;
        Ok(files)
    }
}

/// The failure of writing the output.
fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    let failure = Failure::path("write", target, error);
    match error.kind() {
        io::ErrorKind::NotFound
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem => {
            failure.hint("name a folder that you can write, such as `--output ~/public`")
        }
        _ => failure,
    }
}

/// A failure if one of the two folders holds the other. `named` is the target as given.
fn is_apart(target: &Path, source: &Path, named: &Path) -> Result<(), Failure> {
    let named = named.display();
    if target.starts_with(source) {
        let what = format!("the output `{named}` is inside the folder of articles");
        let hint = format!(
            "choose a folder beside it, such as `--output {}`",
            outside(source)
        );
        return Err(Failure::usage(what).hint(hint));
    }
    if source.starts_with(target) {
        let what = format!("the output `{named}` contains the folder of articles");
        return Err(Failure::usage(what).hint("choose an empty folder"));
    }
    Ok(())
}

/// A folder to write that is outside the folder of articles (a canonical path), as seen from the
/// working directory.
pub fn outside(source: &Path) -> String {
    let here = env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.as_deref().map(|here| here.strip_prefix(source));
    match inside {
        Ok(Ok(inside)) => "../".repeat(inside.iter().count() + 1) + "public",
        _ => "public".to_owned(),
    }
}

/// Whether an earlier export at `target` is replaced; a failure if something else exists there.
/// `named` is the path as given.
fn is_replaced(target: &Path, named: &Path) -> Result<bool, Failure> {
    match manifest::inspect(target).map_err(|error| cannot_write(named, &error))? {
        Target::Free => Ok(false),
        Target::Ours => Ok(true),
        Target::Foreign(what) => {
            let failure = Failure::usage(format!(
                "the output `{}` is not replaced: {what}",
                named.display()
            ));
            Err(failure.hint("choose another folder, or move its content away"))
        }
    }
}

/// Reads a store from its beginning to its end, and lets it rest in between.
struct Reading<'s> {
    store: &'s dyn ByteStore,
    bytes: AtomicU64,
}

impl<'s> Reading<'s> {
    fn begin(store: &'s dyn ByteStore) -> Self {
        store.release_mirrored();
        let bytes = AtomicU64::new(0);
        Self { store, bytes }
    }

    /// This slice, which is about to be read.
    fn note<'b>(&self, slice: &'b [u8]) -> &'b [u8] {
        let length = slice.len() as u64;
        let before = self.bytes.fetch_add(length, Ordering::Relaxed);
        if before / MUCH < (before + length) / MUCH {
            self.store.release_mirrored();
        }
        slice
    }
}

/// Writes one file, and its codings if they are smaller; returns the paths and lengths. `entries`
/// holds all files (`None` without codings): an author's file with the name of a coding wins.
fn write_entry(
    stage: &Stage,
    path: &str,
    entry: &Entry<'_>,
    entries: Option<&BTreeMap<String, Entry<'_>>>,
    reading: &Reading<'_>,
) -> io::Result<Vec<(String, u64)>> {
    let slices = entry.body.slices().iter();
    let slices = slices.map(|slice| reading.note(slice));
    stage.write(path, slices, entry.modified)?;
    let mut written = vec![(path.to_owned(), entry.body.len())];
    let Some(entries) = entries else {
        return Ok(written);
    };
    for (coding, bytes) in entry.codings() {
        let path = format!("{path}{}", coding.suffix());
        if !entries.contains_key(&path) {
            stage.write(&path, [&**bytes], entry.modified)?;
            written.push((path, bytes.len() as u64));
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Counts how often it is told to rest.
    #[derive(Debug, Default)]
    struct Counted(AtomicUsize);

    impl ByteStore for Counted {
        fn keep(&self, parts: &[&[u8]]) -> bytes::Bytes {
            parts.concat().into()
        }

        fn release_mirrored(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_store_rests_while_one_long_file_is_read() {
        let store = Counted::default();
        let reading = Reading::begin(&store);
        let slice = vec![0; 3 << 20];
        for _ in 0..6 {
            assert_eq!(reading.note(&slice).len(), slice.len());
        }
        let rests = store.0.load(Ordering::Relaxed);
        assert_eq!(rests, 3, "at the beginning, and after 8 and 16 of 18 MiB");
    }
}
