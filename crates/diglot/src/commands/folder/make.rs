//! Reads a folder and builds an edition from it.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use diglot_content::library::{PublicFolder, Report};
use diglot_content::sources::{ChangeOrigin, LOCK_FILE};
use diglot_content::steps::Steps;
use diglot_content::{BaseUrl, Library, Problem, Severity, Site, Sources};
use diglot_content::{migration, settings};
use diglot_edition::Edition;
use diglot_edition::build::Known;
use diglot_edition::theme::{Theme, ThemeFile};
use jiff::Timestamp;

use super::exposed::is_exposed;
use super::made::{Broken, Made};
use super::recalled::{GitReading, recalled_pictures};
use super::{Before, Folder, Inputs, Last, ThemeInput, inner, site_folder};
use crate::dates::DateSource;
use crate::failure::Failure;
use crate::git::GitHistory;
use crate::lock::Lock;
use crate::progress;
use crate::read;
use crate::state::Memory;
use crate::terminal;

/// Sources and settings of one reading, before the build.
#[derive(Debug)]
pub(in crate::commands) struct Read {
    pub sources: Sources,
    pub site: Arc<Site>,
    memory: Memory,
    half_saved: bool,
}

/// What a moved site keeps, if it is there and was not read: an edition without it would answer old
/// addresses with 404, and show articles in feed readers again.
fn unread_migration(sources: &Sources) -> Option<Problem> {
    let mut unread = sources.unread.iter();
    let unread = unread.rfind(|unread| unread.path == migration::FILE)?;
    let why = format!(
        "the redirects and feed ids cannot be read: {}",
        unread.reason
    );
    let problem = Problem::error(why).at(migration::FILE, 0, 0);
    Some(problem.hint("make it a file that Diglot can read, or remove it to publish without them"))
}

/// A configuration of another program that is there and was not read: what it excludes is unknown.
fn unread_configuration(sources: &Sources) -> Option<Problem> {
    let mut unread = sources.unread.iter();
    let unread = unread.find(|unread| inner::is_mark(&unread.path))?;
    let why = format!("the configuration cannot be read: {}", unread.reason);
    let problem = Problem::error(why).at(&*unread.path, 0, 0);
    Some(problem.hint("make it a file that Diglot can read, as it says what is published"))
}

impl Folder {
    /// Reads the folder. `base` is the default for the site's address.
    pub(in crate::commands) fn read(
        &mut self,
        base: &BaseUrl,
        now: Timestamp,
    ) -> Result<Read, Broken> {
        let (settings, mut problems) = self.settings()?;
        let read = self.files_and_history(now);
        // After the reading, which may have met another folder than the one that was chosen.
        self.require_place(read.as_ref().ok().map(|(sources, _)| sources))?;
        let (mut sources, unread) = read?;
        problems.extend(unread);
        let inside = self.inside.as_ref();
        if let Some(name) = inside.and_then(|inside| inside.around.as_ref()) {
            sources.name.clone_from(name);
        }
        problems.extend(unread_migration(&sources));
        problems.extend(unread_configuration(&sources));
        let memory = self.date(&mut sources, &mut problems, now)?;
        let half_saved = self.before.files.is_half_saved();
        sources.bounds = self.limits.of_one_article();
        sources.lasting = self.lasting;
        sources.shows_drafts = self.shows_drafts;
        sources.steps = Steps(Some(progress::built));
        let settings = diglot_content::dialects::settings(&sources, settings.dialect.as_deref())
            .overlay(settings);
        problems.extend(settings::missing_folders(&sources, &settings));
        let site = settings
            .into_site(&settings::default_title(&sources), base.clone())
            .map_err(|more| problems.extend(more));
        problems.sort_by(|one, other| one.place.cmp(&other.place));
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        match site {
            Ok(site) if !problems.iter().any(is_error) => {
                sources.problems.extend(problems);
                Ok(Read {
                    sources,
                    site: Arc::new(site),
                    memory,
                    half_saved,
                })
            }
            Ok(_) | Err(()) => Err(Broken::Problems(problems)),
        }
    }

    /// Lists and reads the files, and looks into the history of the repository.
    fn files_and_history(&mut self, now: Timestamp) -> Result<(Sources, Vec<Problem>), Broken> {
        // Before the history, so that a commit meanwhile is found by the next check.
        self.glance = Some(GitHistory::glance(&self.root));
        let (root, limits, cache) = (&self.root, &self.limits, &mut self.before.files);
        let past = GitReading {
            history: &mut self.history,
            unreadable: &mut self.unreadable,
            state: self.state.as_ref(),
            most: limits.history_time,
        };
        // In parallel: one walks through commits, the other through folders.
        let (files, unread) =
            rayon::join(|| read::files(root, limits, cache, now), || past.look(root));
        let sources = files.map_err(|error| read::failure(&self.given, &error))?;
        Ok((sources, unread.into_iter().collect()))
    }

    /// The file of dates that is under version control.
    fn lock(&self, problems: &mut Vec<Problem>) -> Result<Lock, Failure> {
        let (lock, more) = Lock::read(&self.root)
            .map_err(|error| Failure::path("read", &self.root.join(LOCK_FILE), &error))?;
        problems.extend(more);
        Ok(lock)
    }

    /// Finds the day on which each file last changed.
    fn date(
        &mut self,
        sources: &mut Sources,
        problems: &mut Vec<Problem>,
        now: Timestamp,
    ) -> Result<Memory, Broken> {
        let site = site_folder::named(&self.given).unwrap_or_else(|_| self.root.clone());
        self.leave_state_of_another(&site, sources);
        let site = site.to_string_lossy().into_owned();
        let mut recollection = self.memory.recollect(now);
        let lock = self.lock(problems)?;
        let mut lock = lock.source();
        let mut history = self.history.as_mut().map(GitHistory::source);
        let mut dates: Vec<&mut dyn DateSource> = Vec::new();
        if let Some(history) = &mut history {
            dates.push(history);
        }
        dates.push(&mut lock);
        if self.state.is_some() {
            dates.push(&mut recollection);
        }
        read::date(sources, &mut dates);
        let shallow = history.and_then(|history| history.problem());
        problems.extend(shallow.filter(|_| !lock.knew_all()));
        problems.extend(lock.problem());
        Ok(recollection.finish().of_site(site))
    }

    /// Builds an edition of the folder as of `now`. Its memory is written later, by
    /// [`save`](Self::save).
    ///
    /// The build runs on threads of its own, and on one of them: any other thread would sleep and be
    /// woken at each of some fifty parallel steps. The threads end with it, so that mimalloc gives
    /// up what they freed. With threads that stay, a server of 10,000 texts keeps some 13 MB more.
    pub(in crate::commands) fn make(
        &mut self,
        base: &BaseUrl,
        now: Timestamp,
    ) -> Result<Made, Broken> {
        let own = rayon::ThreadPoolBuilder::new()
            .num_threads(rayon::current_num_threads())
            .build();
        match own {
            Ok(own) => own.install(|| self.made(base, now)),
            Err(_) => rayon::scope(|_| self.made(base, now)),
        }
    }

    fn made(&mut self, base: &BaseUrl, now: Timestamp) -> Result<Made, Broken> {
        let begun = Instant::now();
        // Later editions reuse most of the first, and a server has other lines to print.
        if !self.before.read {
            terminal::show_progress();
        }
        let made = self.made_since(begun, base, now);
        progress::end();
        made
    }

    fn made_since(
        &mut self,
        begun: Instant,
        base: &BaseUrl,
        now: Timestamp,
    ) -> Result<Made, Broken> {
        // Even if this fails: the previous edition no longer matches the folder.
        self.last = None;
        let Read {
            sources,
            site,
            memory,
            half_saved,
        } = self.read(base, now)?;
        let (edition, mut library) = self.build(&sources, &site, now)?;
        self.remember_dates(memory);
        let report = Arc::new(std::mem::take(&mut library.report));
        let last = || Last {
            report: Arc::clone(&report),
            made: now,
            certain: library.certain && !half_saved && is_dated(&sources),
        };
        self.last = (self.lasting && !self.shows_drafts).then(last);
        let live = self.live.as_ref();
        let half_saved = half_saved || live.is_some_and(|live| is_exposed(live, &report, &sources));
        self.leave(Inputs { library, sources });
        Ok(Made {
            edition,
            newly_public: self.newly_public(&report),
            report,
            at: now,
            time: begun.elapsed(),
            half_saved,
        })
    }

    fn remember_dates(&mut self, memory: Memory) {
        self.unsaved.memory |= memory != self.memory;
        self.memory = memory;
    }

    /// What is public now and was not at the last run; remembers what is.
    fn newly_public(&mut self, report: &Report) -> Vec<PublicFolder> {
        let name = |public: &PublicFolder| format!("{:?} {}", public.what, public.folder);
        let mut now: Vec<String> = report.public.iter().map(name).collect();
        now.sort();
        if self.shows_drafts || self.public.as_ref() == Some(&now) {
            return Vec::new();
        }
        self.unsaved.public = true;
        let before = self.public.replace(now);
        let is_new = |public: &&PublicFolder| {
            let known = |before: &Vec<String>| before.contains(&name(public));
            before.as_ref().is_some_and(|before| !known(before))
        };
        report.public.iter().filter(is_new).cloned().collect()
    }

    /// Builds the library and the edition.
    fn build(
        &mut self,
        sources: &Sources,
        site: &Arc<Site>,
        now: Timestamp,
    ) -> Result<(Edition, Library), Broken> {
        let past = self.past(&site.base);
        let Before {
            theme,
            library: remembered,
            known,
            read,
            ..
        } = &mut self.before;
        let (state, store) = (self.state.as_ref(), &self.store);
        let pictures = || Known {
            card_cache: recalled_pictures(state),
            store: Arc::clone(store),
            ..Known::default()
        };
        let known = known.get_or_insert_with(pictures);
        let pictures = known.card_cache.clone();
        // The two are independent, and on a small site the theme takes as long.
        let look = || {
            let files = theme_files(sources, site.theme.as_deref());
            let theme = theme_of((files, site.frame.accent), theme)?;
            known.card_cache.prepare(site, &theme);
            Ok(theme)
        };
        let (theme, library) =
            rayon::join(look, || Library::build_with(sources, site, now, remembered));
        let theme = theme
            .map_err(|problems| Broken::Problems(in_folder(problems, site.theme.as_deref())))?;
        // After the first reading every source has been scanned and will not be needed soon. Later
        // readings reuse what is cached.
        let first = !std::mem::replace(read, true);
        let rest = || {
            if first {
                store.release_mirrored();
            }
        };
        let (edition, ()) = rayon::join(
            || Edition::build_since(&library, Arc::clone(site), &theme, now, (&past, known)),
            rest,
        );
        let edition = edition.map_err(Broken::Problems)?;
        if !self.shows_drafts {
            self.unsaved.pictures.get_or_insert(pictures);
        }
        Ok((edition, library))
    }

    /// Drops what the build needed, later, if other editions follow.
    fn leave(&mut self, inputs: Inputs) {
        if self.lasting {
            self.drop_inputs();
            self.unsaved.inputs = Some(inputs);
        } else {
            // The process ends soon, and the system frees its memory faster than drops would: they
            // took 3 % of the processor time of a build.
            std::mem::forget(inputs);
        }
    }

    /// Drops what the last build needed, if it still exists.
    pub(in crate::commands) fn drop_inputs(&mut self) {
        if let Some(inputs) = self.unsaved.inputs.take() {
            inputs.free();
        }
    }
}

/// The theme of this input; the previous one if it is unchanged.
fn theme_of(
    input: ThemeInput,
    before: &mut Option<(ThemeInput, Arc<Theme>)>,
) -> Result<Arc<Theme>, Vec<Problem>> {
    if let Some((_, theme)) = before.as_ref().filter(|(before, _)| *before == input) {
        return Ok(Arc::clone(theme));
    }
    let theme = Arc::new(Theme::with_accent(&input.0, input.1)?);
    *before = Some((input, Arc::clone(&theme)));
    Ok(theme)
}

/// Whether every date is known from more than the file's own time, which a copy changes.
fn is_dated(sources: &Sources) -> bool {
    let mut files = sources.files.iter();
    files.all(|file| file.dates.origin != ChangeOrigin::FileTime)
}

/// A theme's problems with paths relative to the site's folder, not to the theme's.
fn in_folder(mut problems: Vec<Problem>, theme: Option<&str>) -> Vec<Problem> {
    if let Some(theme) = theme {
        problems
            .iter_mut()
            .filter_map(|problem| problem.place.as_mut())
            .for_each(|place| place.path = format!("{theme}/{}", place.path));
    }
    problems
}

/// The files of the theme folder, by their paths inside it.
fn theme_files(sources: &Sources, theme: Option<&str>) -> Vec<ThemeFile> {
    let Some(theme) = theme else {
        return Vec::new();
    };
    let files = sources.files.iter().filter_map(|file| {
        let path = file.path.strip_prefix(theme)?.strip_prefix('/')?.to_owned();
        Some(ThemeFile {
            path,
            bytes: Bytes::clone(&file.bytes),
        })
    });
    files.collect()
}
