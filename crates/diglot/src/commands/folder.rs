//! A folder of articles and everything that editions are made from: its settings, its theme, what is remembered of it.

mod recalled;

use std::env;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use diglot_content::library::{self, Report};
use diglot_content::settings::{self, Settings};
use diglot_content::sources::{ChangeOrigin, LOCK_FILE};
use diglot_content::{BaseUrl, Library, Problem, Site, Sources};
use diglot_edition::Edition;
use diglot_edition::build::Known;
use diglot_edition::card::CardCache;
use diglot_edition::store;
use diglot_edition::theme::{Theme, ThemeFile};
use jiff::Timestamp;

use crate::account::{self, Account, Detail};
use crate::cli;
use crate::dates::DateSource;
use crate::failure::{Failure, reason};
use crate::file::Root;
use crate::git::History;
use crate::limits::{self, Limits};
use crate::lock::Lock;
use crate::read::{FileCache, Fingerprint, Snapshot, Stamp};
use crate::sandbox::{self, Needs};
use crate::state::{Memory, State};
use crate::stored::{self, Kept, LiveFiles, Rest};
use crate::{read, report, state};
use recalled::{Past, recalled_pictures, warn};

/// A folder of articles.
#[derive(Debug)]
pub(super) struct Folder {
    /// As it was given: it may be a symbolic link that is switched later.
    pub given: PathBuf,
    /// As it is now.
    pub root: PathBuf,
    /// What the command line and the environment set.
    over: Settings,
    state: Option<State>,
    /// Whether editions stay and others follow them.
    lasting: bool,
    /// Where the bytes of sources and editions lie.
    store: store::Shared,
    memory: Memory,
    history: Option<History>,
    /// The mark of a history that could not be read, and why.
    unreadable: Option<(String, String)>,
    /// What the edition before leaves to the next.
    before: Before,
    /// What is to be known of the last edition so that it can be kept.
    last: Option<Last>,
    /// This very program, as the system tells it from others.
    program: Option<Stamp>,
    unsaved: Unsaved,
    pub limits: Limits,
}

/// What the making of one edition leaves to the making of the next: what did not change is not read, parsed, rendered or drawn again.
#[derive(Debug, Default)]
struct Before {
    shelf: FileCache,
    library: library::Memory,
    theme: Option<(Vec<ThemeFile>, Arc<Theme>)>,
    /// At first the pictures of the state.
    known: Option<Known>,
    /// Whether every source was read, and looked at.
    read: bool,
}

/// What is left to do once an edition is live.
#[derive(Debug, Default)]
struct Unsaved {
    /// Whether what is remembered is not what was written.
    memory: bool,
    /// The pictures that the state holds, once others may have been drawn.
    pictures: Option<CardCache>,
    /// What the making of the edition needed.
    left: Option<Left>,
}

/// What the making of an edition needed. It is many small pieces, and nobody has to wait until they are gone.
#[derive(Debug)]
struct Left {
    library: Library,
    sources: Sources,
}

impl Left {
    fn let_go(self) {
        let Self { library, sources } = self;
        library.rest();
        drop((library, sources));
    }
}

/// What is to be known of an edition so that it can be kept.
#[derive(Debug)]
struct Last {
    report: Arc<Report>,
    made: Timestamp,
    /// Whether making it again would come to the same.
    certain: bool,
}

/// What became of keeping an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// It is being written.
    Begun,
    /// It is not to be kept: there is no place for it.
    Not,
    /// Files are too young for that, or were dated for the first time: the edition is to be made once more.
    Unsettled,
}

/// An edition, and what is to be said about it.
#[derive(Debug)]
pub(super) struct Made {
    pub edition: Edition,
    pub report: Arc<Report>,
    /// The time for which it was made.
    pub at: Timestamp,
    /// How long it took.
    pub time: Duration,
    /// Whether a file was emptied a moment ago, and is probably half saved.
    pub half_saved: bool,
}

/// Why there is no edition.
#[derive(Debug)]
pub(super) enum Broken {
    /// The settings, the theme: what the author must mend.
    Problems(Vec<Problem>),
    /// The machine, or the folder as a whole.
    Failure(Failure),
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Made {
    /// The account of the edition, with all problems known by now.
    pub(super) fn account<'a>(&'a self, problems: &'a [Problem]) -> Account<'a> {
        Account { edition: &self.edition, report: &self.report, problems, time: self.time }
    }
}

impl Broken {
    /// As [`Self::told`], or as JSON on the standard output, where that is how the account is given.
    pub(super) fn told_as(self, detail: Detail) -> Failure {
        match self {
            Self::Problems(problems) if detail == Detail::Json => {
                report::print(account::json_without_edition(&problems));
                Failure::content("")
            }
            broken => broken.told(),
        }
    }

    /// Prints the problems; what is left is the failure that ends the command.
    pub(super) fn told(self) -> Failure {
        match self {
            Self::Problems(problems) => {
                report::problems(&problems, usize::MAX);
                report::gap();
                Failure::content(format!("no site was made: {}", report::counted(problems.len(), "problem")))
            }
            Self::Failure(failure) => failure,
        }
    }
}

/// Sources and settings of one reading, before anything is made of them.
#[derive(Debug)]
pub(super) struct Read {
    pub sources: Sources,
    pub site: Arc<Site>,
    memory: Memory,
    half_saved: bool,
}

impl Folder {
    /// Opens the folder that the command line names, and its state.
    pub(super) fn open(args: &cli::Folder) -> Result<Self, Failure> {
        let base_url = args.base_url.clone().filter(|url| !url.is_empty());
        if let Some(url) = &base_url {
            BaseUrl::parse(url).map_err(|why| {
                Failure::usage(format!("the base URL is not usable: {why}")).hint("write the whole address, such as `https://example.org`")
            })?;
        }
        let limits = Limits::with(args.limits.iter().map(String::as_str).filter(|setting| !setting.is_empty())).map_err(Failure::usage)?;
        let root = canonical(&args.folder)?;
        let state = find_state(&args.state, &root)?;
        let (memory, warning) = state.as_ref().map_or_else(Default::default, State::recall);
        warn(warning);
        Ok(Self {
            given: args.folder.clone(),
            root,
            over: Settings { base_url, ..Settings::default() },
            state,
            lasting: false,
            store: store::heap(),
            memory,
            history: None,
            unreadable: None,
            before: Before::default(),
            last: None,
            program: env::current_exe().and_then(|path| path.metadata()).ok().and_then(|meta| Stamp::of(&meta, SystemTime::now())),
            unsaved: Unsaved::default(),
            limits,
        })
    }

    /// What is read and written from now on: the folder and wherever links to it may lead later, the history in git, the state.
    pub(super) fn needs(&self) -> Result<Needs, Failure> {
        let mut read = sandbox::lookup_folders(&self.given).map_err(|error| Failure::path("read", &self.given, &error))?;
        read.push(self.root.clone());
        read.extend(History::paths(&self.root));
        // Made here, as its parent will be out of reach; where that fails, remembering fails later and is said then.
        let write = self.state.iter().map(|state| state.dir().to_owned());
        let write = write.filter(|dir| std::fs::create_dir_all(dir).is_ok()).collect();
        Ok(Needs { read, write })
    }

    /// From now on editions stay until others follow them: what is read and made lies in a file of the state folder, once it is much (without a state in
    /// memory), and little memory is held for what is remembered.
    pub(super) fn stay(&mut self) {
        self.lasting = true;
        let Some(state) = &self.state else { return };
        self.keep_in(Arc::new(LiveFiles::in_folder(state.dir())));
    }

    /// What is read and made lies there from now on.
    fn keep_in(&mut self, store: store::Shared) {
        self.before.shelf = FileCache::in_store(Arc::clone(&store));
        self.store = store;
    }

    /// The one edition that is made is for writing out beside this place: what is read and made lies in a file there, once it is much, and not in memory.
    pub(super) fn make_beside(&mut self, target: &Path) {
        // Elsewhere such a file is not mapped.
        if let Some(dir) = target.ancestors().skip(1).find(|dir| dir.is_dir()).filter(|_| cfg!(unix)) {
            self.keep_in(Arc::new(LiveFiles::in_folder(dir)));
        }
    }

    /// What must be remembered between runs, if anything.
    pub(super) fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Whether whoever reads is told of every file that is open for writing, and reads again what was.
    pub(super) fn is_told(&mut self, told: bool) {
        self.before.shelf.set_writers_known(told);
    }

    /// Follows a symbolic link that was switched to another folder.
    pub(super) fn follow(&mut self) -> Result<(), Failure> {
        self.root = canonical(&self.given)?;
        Ok(())
    }

    /// Whether the settings name the address of the site; broken settings are said elsewhere.
    pub(super) fn has_base_url(&self) -> bool {
        self.settings().is_ok_and(|(settings, _)| settings.base_url.is_some())
    }

    /// The settings: command line over environment over file.
    fn settings(&self) -> Result<(Settings, Vec<Problem>), Failure> {
        let path = self.root.join(settings::FILE);
        let real = path.canonicalize();
        if real.as_ref().is_ok_and(|real| !real.starts_with(&self.root)) {
            return Ok((self.over.clone(), vec![Problem::error("the settings are a symbolic link out of the folder").at(settings::FILE, 0, 0)]));
        }
        let (settings, problems) = match real.and_then(|real| Root::open(&self.root)?.read(&real, limits::SETTINGS_BYTES)) {
            Ok(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => Settings::parse(text.trim_start_matches('\u{feff}'), settings::FILE),
                Err(_) => (Settings::default(), vec![Problem::error("the settings are not UTF-8").at(settings::FILE, 0, 0)]),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Settings::default(), Vec::new()),
            Err(error) => return Err(Failure::path("read", &path, &error)),
        };
        Ok((settings.overlay(self.over.clone()), problems))
    }

    /// Reads the folder. `base` is the address where none is set.
    pub(super) fn read(&mut self, base: &BaseUrl, now: Timestamp) -> Result<Read, Broken> {
        let (settings, mut problems) = self.settings()?;
        let (root, limits, shelf) = (&self.root, &self.limits, &mut self.before.shelf);
        let past = Past { history: &mut self.history, unreadable: &mut self.unreadable, state: self.state.as_ref(), most: limits.history_time };
        // Neither waits for the other: one walks through commits, the other through folders.
        let (files, unread) = rayon::join(|| read::files(root, limits, shelf, now), || past.look(root));
        let mut sources = files.map_err(|error| Failure::path("read", &self.given, &error))?;
        problems.extend(unread);
        let mut recollection = self.memory.recollect(now);
        let mut history = self.history.as_mut().map(History::source);
        let (lock, more) = Lock::read(&self.root).map_err(|error| Failure::path("read", &self.root.join(LOCK_FILE), &error))?;
        problems.extend(more);
        let mut lock = lock.source();
        let mut dates: Vec<&mut dyn DateSource> = Vec::new();
        if let Some(history) = &mut history {
            dates.push(history);
        }
        dates.push(&mut lock);
        if self.state.is_some() {
            dates.push(&mut recollection);
        }
        read::date(&mut sources, &mut dates);
        let half_saved = self.before.shelf.is_half_saved();
        sources.bounds = self.limits.of_one_article();
        let memory = recollection.finish();
        problems.extend(history.and_then(|history| history.problem()).filter(|_| !lock.knew_all()));
        problems.extend(lock.problem());
        let settings = diglot_content::dialects::settings(&sources, settings.dialect.as_deref()).overlay(settings);
        let site = settings.into_site(&settings::default_title(&sources), base.clone()).map_err(|more| problems.extend(more));
        match site {
            Ok(site) if !problems.iter().any(|problem| problem.severity == diglot_content::Severity::Error) => {
                sources.problems.extend(problems);
                Ok(Read { sources, site: Arc::new(site), memory, half_saved })
            }
            Ok(_) | Err(()) => Err(Broken::Problems(problems)),
        }
    }

    /// Makes an edition of the folder as it is at `now`. What is to be remembered of it waits for [`save`](Self::save).
    ///
    /// It is made by a thread of the pool. Any other would sleep at each of some fifty steps that are taken by all processors at once, and be woken behind it.
    pub(super) fn make(&mut self, base: &BaseUrl, now: Timestamp) -> Result<Made, Broken> {
        rayon::scope(|_| self.made(base, now))
    }

    fn made(&mut self, base: &BaseUrl, now: Timestamp) -> Result<Made, Broken> {
        let begun = Instant::now();
        // Whatever becomes of this: the edition before is none of the folder as it is now.
        self.last = None;
        let Read { sources, site, memory, half_saved } = self.read(base, now)?;
        let Before { theme, library: remembered, known, read, .. } = &mut self.before;
        let (state, store) = (self.state.as_ref(), &self.store);
        let pictures = || Known { gallery: recalled_pictures(state), store: Arc::clone(store), ..Known::default() };
        let known = known.get_or_insert_with(pictures);
        let pictures = known.gallery.clone();
        // Neither knows of the other, and at a small site the look takes as long.
        let look = || {
            let theme = theme_of(theme_files(&sources, site.theme.as_deref()), theme)?;
            known.gallery.prepare(&site, &theme);
            Ok(theme)
        };
        let (theme, mut library) = rayon::join(look, || Library::build_with(&sources, &site, now, remembered));
        let theme = theme.map_err(|problems| Broken::Problems(in_folder(problems, site.theme.as_deref())))?;
        // After the first reading every source was looked at, and will not be again soon. Later on others read what is kept.
        let first = !std::mem::replace(read, true);
        let rest = || {
            if first {
                store.rest()
            }
        };
        let (edition, ()) = rayon::join(|| Edition::build_again(&library, site, &theme, now, known), rest);
        let edition = edition.map_err(Broken::Problems)?;
        self.unsaved.pictures.get_or_insert(pictures);
        self.unsaved.memory |= memory != self.memory;
        self.memory = memory;
        let report = Arc::new(std::mem::take(&mut library.report));
        let dated = || sources.files.iter().all(|file| file.dates.origin != ChangeOrigin::FileTime);
        let certain = || !half_saved && library.certain && dated();
        self.last = self.lasting.then(|| Last { report: Arc::clone(&report), made: now, certain: certain() });
        let made = Made { edition, report, at: now, time: begun.elapsed(), half_saved };
        let left = Left { library, sources };
        if self.lasting {
            self.let_go();
            self.unsaved.left = Some(left);
        } else {
            // Without a thread for it they go now.
            let _ = thread::Builder::new().name("diglot-tidy".into()).spawn(|| left.let_go());
        }
        Ok(made)
    }

    /// Lets go of what the making of an edition needed, if that was not done yet.
    pub(super) fn let_go(&mut self) {
        if let Some(left) = self.unsaved.left.take() {
            left.let_go();
        }
    }

    /// The edition that a run before has kept, if nothing it was made from has changed since, and what is yet to be read of it.
    pub(super) fn kept(&self, base: &BaseUrl, now: Timestamp) -> Option<(Made, Rest)> {
        // By a thread of the pool, as an edition is made.
        rayon::scope(|_| self.read_kept(base, now))
    }

    fn read_kept(&self, base: &BaseUrl, now: Timestamp) -> Option<(Made, Rest)> {
        let begun = Instant::now();
        // Mostly there is none, and then nothing is looked at for it.
        let state = self.state.as_ref().filter(|state| stored::is_there(state.dir()))?;
        let snapshot = read::snapshot(&self.root, &self.limits, &self.before.shelf).ok()??;
        let key = self.key(&snapshot, &History::identity(&self.root), base)?;
        let kept = stored::read(state.dir(), &key, now, &self.store).unwrap_or_else(|why| {
            ignore(state, &why);
            None
        });
        let Kept { edition, made, report, rest } = kept?;
        Some((Made { edition, report: Arc::new(report), at: made, time: begun.elapsed(), half_saved: false }, rest))
    }

    /// Lets go of what was kept, since it is not what was written.
    pub(super) fn forget(&self) {
        if let Some(state) = &self.state {
            stored::forget(state.dir());
            ignore(state, "its bytes are damaged");
        }
    }

    /// Keeps the last edition for a start on the same folder, if making it again would come to the same. It is written on a thread of its own.
    pub(super) fn keep(&self, edition: &Arc<Edition>, base: &BaseUrl) -> Keep {
        let write = match self.to_keep(edition, base) {
            Ok(write) => write,
            Err(not) => return not,
        };
        match thread::Builder::new().name("diglot-keep".into()).spawn(write) {
            Ok(_) => Keep::Begun,
            Err(_) => Keep::Not,
        }
    }

    /// What writes the last edition down; else why it is not kept.
    fn to_keep(&self, edition: &Arc<Edition>, base: &BaseUrl) -> Result<impl FnOnce() + Send + 'static, Keep> {
        let (Some(state), Some(last)) = (&self.state, &self.last) else { return Err(Keep::Not) };
        // Elsewhere nothing says that a file is ours, and what is kept would not be used.
        if !cfg!(target_os = "linux") {
            return Err(Keep::Not);
        }
        // It could not be read, which may pass.
        if self.history.is_none() && !History::identity(&self.root).is_empty() {
            return Err(Keep::Unsettled);
        }
        // A date that was moved to now will be another one next time.
        let moved = edition.resources.iter().any(|resource| resource.modified.as_second() >= last.made.as_second());
        let Ok(mark) = read::snapshot(&self.root, &self.limits, &self.before.shelf) else { return Err(Keep::Not) };
        let Some(mark) = mark.filter(|mark| mark.is_cached && last.certain && !moved) else { return Err(Keep::Unsettled) };
        // That which it was made from: there may have been a commit since, of which nobody was told.
        let history = self.history.as_ref().map_or("", |history| &history.identity);
        let Some(key) = self.key(&mark, history, base) else { return Err(Keep::Not) };
        let (state, edition, report, made) = (state.clone(), Arc::clone(edition), Arc::clone(&last.report), last.made);
        Ok(move || {
            if let Err(error) = stored::write(state.dir(), &edition, (key, made, (*report).clone())) {
                report::say(format!("warning: no edition is kept in `{}`: {}", state.dir().display(), reason(&error)));
            }
        })
    }

    /// A digest of everything that an edition is made from but the clock.
    fn key(&self, mark: &Snapshot, history: &str, base: &BaseUrl) -> Option<String> {
        let program = self.program?;
        let mut sum = Fingerprint(blake3::Hasher::new());
        // Where an address is set, it does not matter on which port we listen.
        let base = (!self.has_base_url()).then_some(base);
        (env!("CARGO_PKG_VERSION"), program, mark.digest, base, format!("{:?} {:?}", self.over, self.limits)).hash(&mut sum);
        (self.memory.to_bytes(), history).hash(&mut sum);
        Some(sum.0.finalize().to_hex().to_string())
    }

    /// Writes to the state what the last edition is to be remembered by. It waits for the disk, so an edition goes live before.
    pub(super) fn save(&mut self) {
        self.let_go();
        let Unsaved { memory, pictures, .. } = std::mem::take(&mut self.unsaved);
        if memory {
            self.remember("nothing is remembered", |folder, state| state.remember(&folder.memory));
        }
        if self.history.as_ref().is_some_and(|history| !history.stored) {
            self.remember("no history is kept", |folder, state| folder.history.iter().try_for_each(|history| state.remember_history(history)));
            self.history.iter_mut().for_each(|history| history.stored = true);
        }
        let Some(pictures) = pictures else { return };
        let gallery = self.before.known.as_ref().map(|known| known.gallery.clone()).unwrap_or_default();
        if !gallery.iter().map(|(words, _)| words).eq(pictures.iter().map(|(words, _)| words)) {
            self.remember("no picture is kept", |_, state| state.remember_pictures(&gallery));
        }
    }

    /// Writes to the state. One that cannot be written is said once; everything else works.
    fn remember(&mut self, what_not: &str, write: impl FnOnce(&Self, &State) -> std::io::Result<()>) {
        let Some(state) = &self.state else { return };
        if let Err(error) = write(self, state) {
            report::say(format!("warning: {what_not} in `{}`: {}", state.dir().display(), reason(&error)));
            self.state = None;
        }
    }
}

/// Says that the edition that was kept is not used.
fn ignore(state: &State, why: &str) {
    report::say(format!("warning: the edition kept in `{}` is ignored and will be written anew: {why}", state.dir().display()));
}

/// The theme of these files: the one before where they are the same.
fn theme_of(files: Vec<ThemeFile>, before: &mut Option<(Vec<ThemeFile>, Arc<Theme>)>) -> Result<Arc<Theme>, Vec<Problem>> {
    if let Some((_, theme)) = before.as_ref().filter(|(before, _)| *before == files) {
        return Ok(Arc::clone(theme));
    }
    let theme = Arc::new(Theme::new(&files)?);
    *before = Some((files, Arc::clone(&theme)));
    Ok(theme)
}

/// A theme's problems with their paths as the author sees them, not below the theme folder.
fn in_folder(mut problems: Vec<Problem>, theme: Option<&str>) -> Vec<Problem> {
    if let Some(theme) = theme {
        problems.iter_mut().filter_map(|problem| problem.place.as_mut()).for_each(|place| place.path = format!("{theme}/{}", place.path));
    }
    problems
}

/// The files of the theme folder, by their paths in it.
fn theme_files(sources: &Sources, theme: Option<&str>) -> Vec<ThemeFile> {
    let Some(theme) = theme else { return Vec::new() };
    let files = sources.files.iter().filter_map(|file| {
        let path = file.path.strip_prefix(theme)?.strip_prefix('/')?.to_owned();
        Some(ThemeFile { path, bytes: Bytes::clone(&file.bytes) })
    });
    files.collect()
}

/// The canonical path of a folder: a wrong use when there is none, the machine's refusal when it may not be looked at.
fn canonical(folder: &Path) -> Result<PathBuf, Failure> {
    let root = folder.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::usage(format!("there is no folder `{}`", folder.display())).hint("`diglot new FOLDER` makes a site to start from")
        }
        _ => Failure::path("read", folder, &error),
    })?;
    if root.is_dir() {
        Ok(root)
    } else {
        Err(Failure::usage(format!("`{}` is not a folder", folder.display())).hint("name the folder that holds your articles"))
    }
}

/// The state of a folder, for a command that reads nothing else of it.
pub(super) fn state_of(folder: &Path, args: &cli::State) -> Result<Option<State>, Failure> {
    find_state(args, &canonical(folder)?)
}

/// The state folder that the command line or the environment names; none with `--no-state`, or where there is no place for it.
fn find_state(args: &cli::State, root: &Path) -> Result<Option<State>, Failure> {
    if args.none {
        return Ok(None);
    }
    let given = args.dir.clone().filter(|dir| !dir.as_os_str().is_empty());
    let Some(dir) = given.or_else(|| state::default_dir(root, |name| env::var_os(name))) else { return Ok(None) };
    let absolute = std::path::absolute(&dir).map_err(|error| Failure::path("use", &dir, &error))?;
    // A folder that does not exist yet is judged by the nearest one that does.
    let real = absolute.ancestors().find_map(|path| path.canonicalize().ok());
    if absolute.starts_with(root) || real.is_some_and(|real| real.starts_with(root)) {
        let failure = Failure::usage(format!("the state folder `{}` lies inside the published folder", dir.display()));
        return Err(failure.hint("choose a folder outside, or `--no-state`"));
    }
    Ok(Some(State::at(absolute)))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
