//! Keeps the edition and the memory of a folder in the state, for the next start.

use std::hash::Hash;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use diglot_content::BaseUrl;
use diglot_content::library::Report;
use diglot_edition::Edition;
use diglot_edition::changes::History;
use jiff::Timestamp;

use super::recalled::warn;
use super::{Broken, Folder, Made, Unsaved};
use crate::failure::reason;
use crate::git::GitHistory;
use crate::read::{self, Fingerprint, Snapshot};
use crate::state::State;
use crate::stored::{self, Kept, UnreadPart};
use crate::{return_memory, terminal};

/// What was not written to the state, in words, and why.
type Unwritten = (&'static str, io::Error);

/// The outcome of keeping an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum KeepOutcome {
    /// It is being written.
    Begun,
    /// It is not kept: there is no place for it.
    Not,
    /// Files are too young, or were dated for the first time: the edition must be built once more.
    Unsettled,
}

impl Folder {
    /// The edition kept by an earlier run, if nothing it was built from has changed, and what is
    /// left to read of it.
    pub(in crate::commands) fn kept(
        &mut self,
        base: &BaseUrl,
        now: Timestamp,
    ) -> Option<(Made, UnreadPart)> {
        self.glance = Some(GitHistory::glance(&self.root));
        // On a thread of the pool, like a build.
        rayon::scope(|_| self.read_kept(base, now))
    }

    fn read_kept(&self, base: &BaseUrl, now: Timestamp) -> Option<(Made, UnreadPart)> {
        let begun = Instant::now();
        // Usually there is none, and the folder need not be scanned.
        let state = self.state.as_ref().filter(|_| !self.shows_drafts)?;
        if !stored::is_there(state.dir()) {
            return None;
        }
        let snapshot = read::snapshot(&self.root, &self.limits, &self.before.files).ok()??;
        let key = self.key(&snapshot, &GitHistory::identity(&self.root), base)?;
        let Kept {
            edition,
            made,
            report,
            rest,
        } = stored::read(state.dir(), &key, now, &self.store)
            .inspect_err(|why| ignore(state, why))
            .ok()??;
        Some((
            Made {
                edition,
                report: Arc::new(report),
                at: made,
                time: begun.elapsed(),
                half_saved: false,
                newly_public: Vec::new(),
            },
            rest,
        ))
    }

    /// As [`Folder::make`], for the first edition of a server: it replaces the one that the last run
    /// kept.
    pub(in crate::commands) fn make_first(
        &mut self,
        base: &BaseUrl,
        now: Timestamp,
    ) -> Result<Made, Broken> {
        let state = self.state.clone().filter(|_| !self.shows_drafts);
        let before = || stored::Before::open(state.as_ref()?.dir());
        let (made, before) = rayon::join(|| self.make(base, now), before);
        let mut made = made?;
        let state = state.filter(|_| self.state.is_some());
        if let (Some(before), Some(state)) = (before, &state)
            && let Some(earlier) = before.left_to(&made.edition, state.dir(), &self.store)
        {
            made.edition = made.edition.with_earlier(earlier);
        }
        Ok(made)
    }

    /// Deletes the kept edition, since it differs from what was written.
    pub(in crate::commands) fn forget(&self) {
        if let Some(state) = &self.state {
            stored::forget(state.dir());
            ignore(state, "its bytes are damaged");
        }
    }

    /// Keeps the last edition for a start on the same folder, if another build would give the same
    /// result. It is written on its own thread.
    pub(in crate::commands) fn keep(&self, edition: &Arc<Edition>, base: &BaseUrl) -> KeepOutcome {
        let write = match self.to_keep(edition, base) {
            Ok(write) => write,
            Err(not) => return not,
        };
        let written = move || {
            write();
            return_memory::soon();
        };
        let writer = thread::Builder::new().name("diglot-keep".into());
        writer
            .spawn(written)
            .map_or(KeepOutcome::Not, |_| KeepOutcome::Begun)
    }

    /// The closure that writes the last edition, or why it is not kept.
    pub(super) fn to_keep(
        &self,
        edition: &Arc<Edition>,
        base: &BaseUrl,
    ) -> Result<impl FnOnce() + Send + 'static, KeepOutcome> {
        // An edition is of use only with the dates that it was built from.
        let state = self.state.as_ref().filter(|_| !self.is_unwritable);
        let (Some(state), Some(last)) = (state, &self.last) else {
            return Err(KeepOutcome::Not);
        };
        // Other systems cannot prove that a file is ours, so a kept edition would not be used.
        if !cfg!(target_os = "linux") {
            return Err(KeepOutcome::Not);
        }
        // The history could not be read, which may be temporary.
        if self.history.is_none() && !GitHistory::identity(&self.root).is_empty() {
            return Err(KeepOutcome::Unsettled);
        }
        // A date that was moved to now differs at the next start.
        let moved = edition
            .resources
            .iter()
            .any(|resource| resource.modified.as_second() >= last.made.as_second());
        let Ok(snapshot) = read::snapshot(&self.root, &self.limits, &self.before.files) else {
            return Err(KeepOutcome::Not);
        };
        let Some(snapshot) =
            snapshot.filter(|snapshot| snapshot.is_cached && last.certain && !moved)
        else {
            return Err(KeepOutcome::Unsettled);
        };
        // The history it was built from: there may have been an unnoticed commit since.
        let history = self
            .history
            .as_ref()
            .map_or("", |history| &history.identity);
        let Some(key) = self.key(&snapshot, history, base) else {
            return Err(KeepOutcome::Not);
        };
        let (state, edition, report, made) = (
            state.clone(),
            Arc::clone(edition),
            Arc::clone(&last.report),
            last.made,
        );
        Ok(move || {
            if let Err(error) = stored::write(state.dir(), &edition, (key, made, (*report).clone()))
            {
                terminal::say(format!(
                    "warning: the edition cannot be saved in `{}`: {}",
                    state.dir().display(),
                    reason(&error)
                ));
            }
        })
    }

    /// A digest of every input of an edition except the clock.
    fn key(&self, snapshot: &Snapshot, history: &str, base: &BaseUrl) -> Option<String> {
        let program = self.program?;
        let mut sum = Fingerprint(blake3::Hasher::new());
        // With a configured address, the port does not matter.
        let base = (!self.has_base_url()).then_some(base);
        (
            env!("CARGO_PKG_VERSION"),
            program,
            snapshot.digest,
            base,
            format!("{:?} {:?}", self.over, self.limits),
        )
            .hash(&mut sum);
        (self.memory.to_bytes(), history).hash(&mut sum);
        Some(sum.0.finalize().to_hex().to_string())
    }

    /// The editions before the next of the site at this address: those of this process, else those in
    /// the state. A preview has none.
    pub(super) fn past(&mut self, base: &BaseUrl) -> Arc<History> {
        if self.shows_drafts {
            return Arc::default();
        }
        if let Some((_, past)) = self.past.as_ref().filter(|(of, _)| of == base) {
            return Arc::clone(past);
        }
        let state = self.state.as_ref().filter(|_| self.has_base_url());
        let (past, warning) = state.map_or_else(Default::default, |state| {
            state.recall_changes(&base.to_string())
        });
        warn(warning);
        let past = Arc::new(past);
        self.past = Some((base.clone(), Arc::clone(&past)));
        past
    }

    /// Sets the editions before the next, which are known from elsewhere.
    pub(in crate::commands) fn set_past(&mut self, base: BaseUrl, past: History) {
        self.past = Some((base, Arc::new(past)));
    }

    /// Notes that an edition is live: it is one of those before the next.
    pub(in crate::commands) fn is_live(&mut self, edition: &Edition, report: &Arc<Report>) {
        self.live = Some(Arc::clone(report));
        // A stored edition has no history, and was noted when it was built.
        if !self.shows_drafts && edition.history.id.is_some() {
            self.past = Some((edition.site.base.clone(), Arc::clone(&edition.history)));
            self.unsaved.past = true;
        }
    }

    /// Writes the memory of the last edition to the state. This waits for the disk, so the edition
    /// goes live first. What cannot be written stays in use, and is written at a later call; the
    /// failure is reported once.
    pub(in crate::commands) fn save(&mut self) {
        self.drop_inputs();
        let Some(state) = self.state.clone() else {
            self.unsaved = Unsaved::default();
            return;
        };
        let Err((what_not, error)) = self.write_to(&state) else {
            self.is_unwritable = false;
            return;
        };
        if !std::mem::replace(&mut self.is_unwritable, true) {
            let warning = format!(
                "{what_not} in `{}`: {}",
                state.dir().display(),
                reason(&error)
            );
            let hint = "name another folder with `--state`, or use `--no-state`";
            terminal::warn(warning, Some(hint));
        }
    }

    /// Writes what differs from the state; what is written is no longer unsaved.
    fn write_to(&mut self, state: &State) -> Result<(), Unwritten> {
        if self.unsaved.memory {
            let written = state.remember(&self.memory);
            written.map_err(|error| ("dates cannot be saved", error))?;
            self.unsaved.memory = false;
        }
        if self.unsaved.public {
            let written = state.remember_public(self.public.as_deref().unwrap_or_default());
            written.map_err(|error| ("the list of published folders cannot be saved", error))?;
            self.unsaved.public = false;
        }
        if self.unsaved.past && self.has_base_url() {
            let past = self.past.iter();
            let mut past = past.filter_map(|(base, past)| Some((base, past.to_bytes()?)));
            let written =
                past.try_for_each(|(base, past)| state.remember_changes(&base.to_string(), &past));
            written.map_err(|error| ("the editions before cannot be saved", error))?;
        }
        self.unsaved.past = false;
        if let Some(history) = self.history.as_mut().filter(|history| !history.stored) {
            let written = state.remember_history(history);
            written.map_err(|error| ("the git history cannot be saved", error))?;
            history.stored = true;
        }
        self.write_pictures(state)
            .map_err(|error| ("pictures cannot be saved", error))
    }

    /// Writes the drawn pictures to the state, unless they are those that it has.
    fn write_pictures(&mut self, state: &State) -> io::Result<()> {
        let Some(before) = &self.unsaved.pictures else {
            return Ok(());
        };
        let known = self.before.known.as_ref();
        let cards = known
            .map(|known| known.card_cache.clone())
            .unwrap_or_default();
        let (new, old) = (cards.iter(), before.iter());
        if !new.map(|(words, _)| words).eq(old.map(|(words, _)| words)) {
            state.remember_pictures(&cards)?;
        }
        self.unsaved.pictures = None;
        Ok(())
    }
}

/// Reports that the kept edition is not used.
fn ignore(state: &State, why: &str) {
    terminal::say(format!(
        "warning: the edition kept in `{}` is ignored and will be replaced: {why}",
        state.dir().display()
    ));
}
