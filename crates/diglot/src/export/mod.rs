//! An edition as a folder for static hosts: staged beside the target, put in place in one step, never half a site.

mod manifest;
mod plan;
mod stage;
mod stub;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use diglot_content::{AT_ONCE, Problem};
use diglot_edition::Edition;
use rayon::prelude::*;

use crate::failure::Failure;
use crate::report;
use manifest::Target;
use plan::{Entry, Plan};
use stage::Stage;

/// After how many bytes memory is let go that mirrors what was written.
const MUCH: u64 = 32 << 20;

/// From how many bytes on a file is a long one.
const LONG: u64 = 1 << 20;

/// An export that is about to be written.
#[derive(Debug)]
pub struct Export {
    target: PathBuf,
    /// Where what belongs at the origin's root goes, when the base URL has a path.
    origin: PathBuf,
    /// Whether every file is also written compressed.
    pub compress: bool,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// How many files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// What could not be written as it is served.
    pub problems: Vec<Problem>,
    /// The folder whose files must be installed at the origin's root, when the base URL has a path.
    pub origin: Option<PathBuf>,
}

impl Export {
    /// An export to `target`, which must not lie in the folder `source` (a canonical path), nor hold it, nor hold anything but an export of ours.
    ///
    /// # Errors
    /// A wrong use, or the machine's refusal to look.
    pub fn to(target: &Path, source: &Path) -> Result<Self, Failure> {
        let resolved = manifest::resolved(target).map_err(|error| Failure::path("write", target, &error))?;
        if resolved.starts_with(source) {
            let failure = Failure::usage(format!("the output `{}` lies inside the folder of articles", target.display()));
            return Err(failure.hint("choose a folder beside it, such as `../public`"));
        }
        if source.starts_with(&resolved) {
            return Err(Failure::usage(format!("the output `{}` holds the folder of articles", target.display())).hint("choose an empty folder"));
        }
        let mut origin = resolved.clone().into_os_string();
        origin.push("-origin");
        let export = Self { target: resolved, origin: origin.into(), compress: false };
        for place in [&export.target, &export.origin] {
            if stage::recover(place).map_err(|error| Failure::path("write", place, &error))? {
                report::say(format!("`{}` is put back: a build that replaced it was killed", place.display()));
            }
        }
        look(&export.target, target)?;
        Ok(export)
    }

    /// Where it goes, with links followed.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the edition. `hosts` is configuration for static hosts, path and text; `progress` is told after every file how many there are.
    ///
    /// # Errors
    /// The machine's: a full disk, a folder that may not be written. The target is then untouched, and nothing is left beside it.
    pub fn write(
        &self,
        edition: &Edition,
        hosts: impl Iterator<Item = (String, String)>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Written, Failure> {
        let plan = plan::plan(edition, hosts);
        let Plan { entries, origin, problems } = plan;
        let mut written = Written { problems, ..Written::default() };
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
        let replaces = look(target, target)?;
        let fail = |error: io::Error| Failure::path("write", target, &error);
        let stage = Stage::beside(target).map_err(fail)?;
        let total = entries.len();
        // What was made of it was looked at as well.
        edition.store.rest();
        let looked_at = AtomicU64::new(0);
        let look = |slice: &[u8]| {
            let before = looked_at.fetch_add(slice.len() as u64, Ordering::Relaxed);
            if before / MUCH < (before + slice.len() as u64) / MUCH {
                edition.store.rest();
            }
        };
        // The long ones first: whoever begins one last is waited for.
        let mut order: Vec<(&String, &Entry<'_>)> = entries.iter().collect();
        order.sort_by_key(|(_, entry)| entry.body.len() < LONG);
        let files: Vec<Vec<(String, u64)>> = order
            .par_iter()
            .with_max_len(AT_ONCE)
            .map(|(path, entry)| {
                let done = write_entry(&stage, (path, entry), self.compress.then_some(entries), &look)?;
                progress(total);
                Ok(done)
            })
            .collect::<io::Result<_>>()
            .map_err(fail)?;
        let mut files: Vec<(String, u64)> = files.into_iter().flatten().collect();
        files.sort();
        let manifest = manifest::write(&edition.id.to_string(), &edition.site.base.to_string(), files.iter().map(|(path, _)| path.as_str()));
        let newest = entries.values().map(|entry| entry.modified).max().unwrap_or_default();
        stage.write(manifest::NAME, [manifest.as_bytes()], newest).map_err(fail)?;
        stage.swap(replaces).map_err(fail)?;
        written.files += files.len();
        written.bytes += files.iter().map(|(_, length)| length).sum::<u64>();
        Ok(())
    }
}

/// Whether something of ours is to be replaced at `target`; a failure when something else lies there. `named` is the path as the person gave it.
fn look(target: &Path, named: &Path) -> Result<bool, Failure> {
    match manifest::inspect(target).map_err(|error| Failure::path("write", named, &error))? {
        Target::Free | Target::Empty => Ok(false),
        Target::Ours => Ok(true),
        Target::Foreign(what) => {
            let failure = Failure::usage(format!("the output `{}` is not replaced: {what}", named.display()));
            Err(failure.hint("choose another folder, or move away what is in it"))
        }
    }
}

/// Writes one file, and its codings where they are smaller; what was written, with lengths. `beside` is everything that is written, where codings are wanted: a
/// file of the author's with the name of a coding stays. `look` is told of every slice before it is written.
fn write_entry(
    stage: &Stage,
    (path, entry): (&str, &Entry<'_>),
    beside: Option<&BTreeMap<String, Entry<'_>>>,
    look: &dyn Fn(&[u8]),
) -> io::Result<Vec<(String, u64)>> {
    stage.write(path, entry.body.slices().iter().map(|slice| &**slice).inspect(|slice| look(slice)), entry.modified)?;
    let mut written = vec![(path.to_owned(), entry.body.len())];
    if let Some(beside) = beside {
        for (coding, bytes) in entry.codings() {
            let path = format!("{path}{}", coding.suffix());
            if beside.contains_key(&path) {
                continue;
            }
            stage.write(&path, [&**bytes], entry.modified)?;
            written.push((path, bytes.len() as u64));
        }
    }
    Ok(written)
}
