//! A folder of articles and everything that editions are built from: settings, theme, remembered
//! state.

mod exposed;
mod inner;
mod keep;
mod made;
mod make;
#[cfg(feature = "store")]
mod published;
mod recalled;
mod site_folder;

use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use diglot_content::frame::Accent;
use diglot_content::library::{self, Report};
use diglot_content::settings::{self, Settings};
use diglot_content::{BaseUrl, Library, Problem, Sources};
use diglot_edition::build::Known;
use diglot_edition::byte_store;
use diglot_edition::card::CardCache;
use diglot_edition::changes;
use diglot_edition::theme::{Theme, ThemeFile};
use jiff::Timestamp;

use crate::cli;
use crate::failure::Failure;
use crate::file::Root;
use crate::git::GitHistory;
use crate::limits::{self, Limits};
use crate::read::{self, FileCache, Stamp};
use crate::sandbox::{self, Connects, Needs};
use crate::state;
use crate::state::{Memory, State};
use crate::stored::LiveFiles;
use crate::terminal;
use recalled::warn;
use site_folder::{Inside, SiteFolder};

pub(in crate::commands) use keep::KeepOutcome;
pub(in crate::commands) use made::{Broken, Made};

/// A folder of articles.
#[derive(Debug)]
pub(super) struct Folder {
    /// As given; it may be a symbolic link that is switched later.
    pub given: PathBuf,
    /// The canonical path at present.
    pub root: PathBuf,
    /// Set if the site is inside the folder that was given.
    inside: Option<Inside>,
    /// Settings of the command line and the environment.
    over: Settings,
    state: Option<State>,
    /// Whether the last attempt to write to the state failed.
    is_unwritable: bool,
    /// Whether editions are kept alive and later replaced.
    lasting: bool,
    /// Holds the bytes of sources and editions.
    store: byte_store::Shared,
    memory: Memory,
    /// What was public at the last run, if that is known.
    public: Option<Vec<String>>,
    history: Option<GitHistory>,
    /// What was seen of the repository before the history was last read, or needed no reading.
    glance: Option<blake3::Hash>,
    /// The identity of a history that could not be read, and the reason.
    unreadable: Option<(String, String)>,
    /// What the previous edition leaves to the next.
    before: Before,
    /// What is needed to keep the last edition in the state.
    last: Option<Last>,
    /// The report on the live edition.
    live: Option<Arc<Report>>,
    /// The stamp of the running executable.
    program: Option<Stamp>,
    unsaved: Unsaved,
    /// The editions before the next, of the site at this base URL.
    past: Option<(BaseUrl, Arc<changes::History>)>,
    /// Whether editions show drafts. They are for a preview: nothing of them is kept.
    pub(super) shows_drafts: bool,
    pub limits: Limits,
}

/// What a theme is made of: the files of its folder, and the accent colour.
type ThemeInput = (Vec<ThemeFile>, Option<Accent>);

/// What one build leaves to the next: unchanged input is not read, parsed, rendered or drawn again.
#[derive(Debug, Default)]
struct Before {
    files: FileCache,
    library: library::Memory,
    theme: Option<(ThemeInput, Arc<Theme>)>,
    /// Initially the pictures from the state.
    known: Option<Known>,
    /// Whether every source has been read and scanned.
    read: bool,
}

/// What is left to do after an edition is live.
#[derive(Debug, Default)]
struct Unsaved {
    /// Whether the memory differs from what was written.
    memory: bool,
    /// Whether something else is public than at the last run.
    public: bool,
    /// Whether another edition is live than the last that was written.
    past: bool,
    /// The pictures in the state, if others may have been drawn since.
    pictures: Option<CardCache>,
    /// What the build needed.
    inputs: Option<Inputs>,
}

/// What a build needed. It consists of many small allocations, so it is dropped where nothing waits
/// for it.
#[derive(Debug)]
struct Inputs {
    library: Library,
    sources: Sources,
}

impl Inputs {
    fn free(self) {
        let Self { library, sources } = self;
        library.release_documents();
        drop((library, sources));
    }
}

/// What is needed to keep an edition.
#[derive(Debug)]
struct Last {
    report: Arc<Report>,
    made: Timestamp,
    /// Whether another build would give the same result.
    certain: bool,
}

impl Folder {
    /// Opens the folder named on the command line, and its state.
    pub(super) fn open(args: &cli::Folder) -> Result<Self, Failure> {
        let base_url = args.base_url.clone().filter(|url| !url.is_empty());
        if let Some(url) = &base_url {
            BaseUrl::parse(url).map_err(|why| {
                Failure::usage(format!("the base URL is not valid: {why}"))
                    .hint("write the full address, such as `https://example.org`")
            })?;
        }
        let limits = limits(args)?;
        let SiteFolder { root, inside, .. } = SiteFolder::find_and_tell(&args.folder)?;
        root.read_dir()
            .map_err(|error| unreadable(&args.folder, &error))?;
        let state = find_state(&args.state, &root)?;
        let (memory, warning) = state.as_ref().map_or_else(Default::default, State::recall);
        warn(warning);
        let (public, warning) = state
            .as_ref()
            .map_or_else(Default::default, State::recall_public);
        warn(warning);
        Ok(Self {
            given: args.folder.clone(),
            root,
            inside,
            over: Settings {
                base_url,
                ..Settings::default()
            },
            state,
            is_unwritable: false,
            lasting: false,
            store: byte_store::heap(),
            memory,
            public,
            history: None,
            glance: None,
            unreadable: None,
            before: Before::default(),
            last: None,
            live: None,
            program: env::current_exe()
                .and_then(|path| path.metadata())
                .ok()
                .and_then(|meta| Stamp::from_metadata(&meta, SystemTime::now())),
            unsaved: Unsaved::default(),
            past: None,
            shows_drafts: false,
            limits,
        })
    }

    /// The paths that are read and written from now on: the folder and wherever links to it may
    /// lead later, the git history, the state.
    pub(super) fn needs(&self) -> Result<Needs, Failure> {
        let mut read = sandbox::lookup_folders(&self.given)
            .map_err(|error| Failure::path("read", &self.given, &error))?;
        read.push(self.root.clone());
        read.extend(GitHistory::paths(&self.root));
        // Created here, as its parent will be out of reach. A failure is reported later, on the
        // first write.
        let write = self.state.iter().map(|state| state.dir().to_owned());
        let write = write
            .filter(|dir| std::fs::create_dir_all(dir).is_ok())
            .collect();
        Ok(Needs {
            read,
            write,
            remove_empty: Vec::new(),
            connects: Connects::Nowhere,
        })
    }

    /// From now on editions are kept alive until replaced. Sources and output beyond a certain size
    /// go to a file in the state folder (in memory without a state), and little memory is spent on
    /// what is remembered.
    pub(super) fn stay(&mut self) {
        self.lasting = true;
        self.make_in_state();
    }

    /// Has the bytes of sources and editions beyond a certain size in files of the state folder
    /// rather than in memory.
    pub(super) fn make_in_state(&mut self) {
        let Some(state) = &self.state else { return };
        self.keep_in(Arc::new(LiveFiles::in_folder(state.dir())));
    }

    /// Puts the bytes of sources and editions there from now on.
    fn keep_in(&mut self, store: byte_store::Shared) {
        self.before.files = FileCache::in_store(Arc::clone(&store));
        self.store = store;
    }

    /// Prepares for a single edition that is exported to `target`: sources and output beyond a
    /// certain size go to a file next to it rather than to memory.
    pub(super) fn make_beside(&mut self, target: &Path) {
        // On other systems the file would not be mapped.
        if let Some(dir) = target
            .ancestors()
            .skip(1)
            .find(|dir| dir.is_dir())
            .filter(|_| cfg!(unix))
        {
            self.keep_in(Arc::new(LiveFiles::in_folder(dir)));
        }
    }

    /// What the last edition was made from, if editions are kept alive.
    pub(super) fn library(&self) -> Option<&Library> {
        self.unsaved.inputs.as_ref().map(|inputs| &inputs.library)
    }

    /// The state between runs, if there is one.
    pub(super) fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Sets whether the caller knows every file that is open for writing and reads it again
    /// afterwards.
    pub(super) fn is_told(&mut self, told: bool) {
        self.before.files.set_writers_known(told);
    }

    /// Drops what the last edition left to the next, so that the next reads and makes everything.
    pub(super) fn forget_results(&mut self) {
        self.before = Before {
            files: FileCache::in_store(Arc::clone(&self.store)),
            ..Before::default()
        };
    }

    /// Notes which files may have changed since the last edition; `None`: anything.
    pub(super) fn note_changes(&mut self, files: Option<Vec<PathBuf>>) {
        self.before.files.note_changes(files);
    }

    /// Whether the settings give the site's address; invalid settings are reported elsewhere.
    pub(super) fn has_base_url(&self) -> bool {
        self.settings()
            .is_ok_and(|(settings, _)| settings.base_url.is_some())
    }

    /// Uses this address if the settings give none.
    pub(super) fn assume_base_url(&mut self, url: String) {
        if !self.has_base_url() {
            self.over.base_url = Some(url);
        }
    }

    /// The settings, in this order of precedence: command line, environment, file.
    fn settings(&self) -> Result<(Settings, Vec<Problem>), Failure> {
        let (settings, problems) = self.file_settings()?;
        Ok((settings.overlay(self.over.clone()), problems))
    }

    /// The settings of the file, or the problem with it.
    fn file_settings(&self) -> Result<(Settings, Vec<Problem>), Failure> {
        let path = self.root.join(settings::FILE);
        let real = path.canonicalize();
        if matches!(&real, Ok(real) if !real.starts_with(&self.root)) {
            return Ok(no_settings(
                "the settings file is a symbolic link to a place outside the folder",
            ));
        }
        match real.and_then(|real| Root::open(&self.root)?.read(&real, limits::SETTINGS_BYTES)) {
            Ok(bytes) => match str::from_utf8(&bytes) {
                Ok(text) => {
                    let text = text.trim_start_matches('\u{feff}');
                    Ok(Settings::parse(text, settings::FILE))
                }
                Err(_) => Ok(no_settings("the settings file is not UTF-8")),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Default::default()),
            Err(error) => {
                let shown = self.shown(settings::FILE);
                if path.is_dir() {
                    let message = format!(
                        "the settings are a file, and `{}` is a folder",
                        shown.display()
                    );
                    let problem = Problem::error(message).hint("rename the folder");
                    let problem = problem.at(settings::FILE, 0, 0);
                    return Ok((Settings::default(), vec![problem]));
                }
                Err(Failure::path("read", &shown, &error))
            }
        }
    }
}

/// The limits that the command line or the environment sets.
pub(super) fn limits(args: &cli::Folder) -> Result<Limits, Failure> {
    let given = args.limits.iter().map(String::as_str);
    Limits::with(given.filter(|setting| !setting.is_empty())).map_err(|wrong| {
        let wrong = wrong.into_iter();
        terminal::all(wrong.map(|wrong| Failure::usage(wrong.message).hint(wrong.hint)))
    })
}

/// No settings, because the file cannot be used.
fn no_settings(problem: &str) -> (Settings, Vec<Problem>) {
    let problem = Problem::error(problem).at(settings::FILE, 0, 0);
    (Settings::default(), vec![problem])
}

/// The canonical path of a folder: a usage failure if it does not exist, a machine failure if it
/// may not be read.
fn canonical(folder: &Path) -> Result<PathBuf, Failure> {
    let root = folder.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            Failure::usage(format!("the folder `{}` does not exist", folder.display()))
                .hint("check the path, or create a site with `diglot new my-site`")
        }
        _ => unreadable(folder, &error),
    })?;
    if root.is_dir() {
        Ok(root)
    } else {
        Err(
            Failure::usage(format!("`{}` is not a folder", folder.display()))
                .hint("name the folder that contains your articles"),
        )
    }
}

/// The failure of a folder that cannot be listed.
fn unreadable(folder: &Path, error: &io::Error) -> Failure {
    Failure {
        hint: read::hint(error),
        ..Failure::path("read the folder", folder, error)
    }
}

/// The failure of a state folder that is named and is a file.
fn no_folder(dir: &Path) -> Failure {
    Failure::usage(format!("the state folder `{}` is a file", dir.display()))
        .hint("choose another folder, such as `--state ~/.local/state/diglot`, or use `--no-state`")
}

/// The state of a folder, for a command that reads nothing else from it.
pub(super) fn state_of(folder: &Path, args: &cli::State) -> Result<Option<State>, Failure> {
    find_state(args, &SiteFolder::find(folder)?.root)
}

/// The state folder from the command line or the environment; `None` with `--no-state` or if there
/// is nowhere to put one.
pub(super) fn find_state(args: &cli::State, root: &Path) -> Result<Option<State>, Failure> {
    if args.none {
        return Ok(None);
    }
    let given = args.dir.clone().filter(|dir| !dir.as_os_str().is_empty());
    if let Some(file) = given.as_ref().filter(|dir| dir.is_file()) {
        return Err(no_folder(file));
    }
    let Some(dir) = given.or_else(|| state::default_dir(root, |name| env::var_os(name))) else {
        return Ok(None);
    };
    let absolute = std::path::absolute(&dir).map_err(|error| Failure::path("use", &dir, &error))?;
    if is_inside(&absolute, root) {
        let failure = Failure::usage(format!(
            "the state folder `{}` is inside the folder of articles",
            dir.display()
        ));
        return Err(failure.hint(
            "choose another folder, such as `--state ~/.local/state/diglot`, or use `--no-state`",
        ));
    }
    Ok(Some(State::at(absolute)))
}

/// Whether a path is below a folder. One that does not exist yet is judged by the nearest ancestor
/// that does.
fn is_inside(path: &Path, root: &Path) -> bool {
    let real = path.ancestors().find_map(|path| path.canonicalize().ok());
    path.starts_with(root) || real.is_some_and(|real| real.starts_with(root))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
