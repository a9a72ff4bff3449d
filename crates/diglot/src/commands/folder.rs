//! A folder of articles and everything that editions are made from: its settings, its theme, what
//! is remembered of it.

mod keep;
mod make;
mod recalled;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use diglot_content::library::{self, Report};
use diglot_content::settings::{self, Settings};
use diglot_content::{BaseUrl, Library, Problem, Sources};
use diglot_edition::build::Known;
use diglot_edition::card::CardCache;
use diglot_edition::store;
use diglot_edition::theme::{Theme, ThemeFile};
use jiff::Timestamp;

use crate::cli;
use crate::failure::Failure;
use crate::file::Root;
use crate::git::History;
use crate::limits::{self, Limits};
use crate::read::{FileCache, Stamp};
use crate::sandbox::{self, Needs};
use crate::state;
use crate::state::{Memory, State};
use crate::stored::LiveFiles;
use recalled::warn;

pub(in crate::commands) use keep::Keep;
pub(in crate::commands) use make::{Broken, Made};

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

/// What the making of one edition leaves to the making of the next: what did not change is not
/// read, parsed, rendered or drawn again.
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

/// What the making of an edition needed. It is many small pieces, and nobody has to wait until they
/// are gone.
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

impl Folder {
    /// Opens the folder that the command line names, and its state.
    pub(super) fn open(args: &cli::Folder) -> Result<Self, Failure> {
        let base_url = args.base_url.clone().filter(|url| !url.is_empty());
        if let Some(url) = &base_url {
            BaseUrl::parse(url).map_err(|why| {
                Failure::usage(format!("the base URL is not usable: {why}"))
                    .hint("write the whole address, such as `https://example.org`")
            })?;
        }
        let limits = Limits::with(
            args.limits
                .iter()
                .map(String::as_str)
                .filter(|setting| !setting.is_empty()),
        )
        .map_err(Failure::usage)?;
        let root = canonical(&args.folder)?;
        let state = find_state(&args.state, &root)?;
        let (memory, warning) = state.as_ref().map_or_else(Default::default, State::recall);
        warn(warning);
        Ok(Self {
            given: args.folder.clone(),
            root,
            over: Settings {
                base_url,
                ..Settings::default()
            },
            state,
            lasting: false,
            store: store::heap(),
            memory,
            history: None,
            unreadable: None,
            before: Before::default(),
            last: None,
            program: env::current_exe()
                .and_then(|path| path.metadata())
                .ok()
                .and_then(|meta| Stamp::of(&meta, SystemTime::now())),
            unsaved: Unsaved::default(),
            limits,
        })
    }

    /// What is read and written from now on: the folder and wherever links to it may lead later,
    /// the history in git, the state.
    pub(super) fn needs(&self) -> Result<Needs, Failure> {
        let mut read = sandbox::lookup_folders(&self.given)
            .map_err(|error| Failure::path("read", &self.given, &error))?;
        read.push(self.root.clone());
        read.extend(History::paths(&self.root));
        // Made here, as its parent will be out of reach; where that fails, remembering fails later
        // and is said then.
        let write = self.state.iter().map(|state| state.dir().to_owned());
        let write = write
            .filter(|dir| std::fs::create_dir_all(dir).is_ok())
            .collect();
        Ok(Needs { read, write })
    }

    /// From now on editions stay until others follow them: what is read and made lies in a file of
    /// the state folder, once it is much (without a state in memory), and little memory is held for
    /// what is remembered.
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

    /// The one edition that is made is for writing out beside this place: what is read and made
    /// lies in a file there, once it is much, and not in memory.
    pub(super) fn make_beside(&mut self, target: &Path) {
        // Elsewhere such a file is not mapped.
        if let Some(dir) = target
            .ancestors()
            .skip(1)
            .find(|dir| dir.is_dir())
            .filter(|_| cfg!(unix))
        {
            self.keep_in(Arc::new(LiveFiles::in_folder(dir)));
        }
    }

    /// What must be remembered between runs, if anything.
    pub(super) fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Whether whoever reads is told of every file that is open for writing, and reads again what
    /// was.
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
        self.settings()
            .is_ok_and(|(settings, _)| settings.base_url.is_some())
    }

    /// The settings: command line over environment over file.
    fn settings(&self) -> Result<(Settings, Vec<Problem>), Failure> {
        let path = self.root.join(settings::FILE);
        let real = path.canonicalize();
        if real
            .as_ref()
            .is_ok_and(|real| !real.starts_with(&self.root))
        {
            return Ok((
                self.over.clone(),
                vec![
                    Problem::error("the settings are a symbolic link out of the folder").at(
                        settings::FILE,
                        0,
                        0,
                    ),
                ],
            ));
        }
        let (settings, problems) = match real
            .and_then(|real| Root::open(&self.root)?.read(&real, limits::SETTINGS_BYTES))
        {
            Ok(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => Settings::parse(text.trim_start_matches('\u{feff}'), settings::FILE),
                Err(_) => (
                    Settings::default(),
                    vec![Problem::error("the settings are not UTF-8").at(settings::FILE, 0, 0)],
                ),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                (Settings::default(), Vec::new())
            }
            Err(error) => return Err(Failure::path("read", &path, &error)),
        };
        Ok((settings.overlay(self.over.clone()), problems))
    }
}

/// The canonical path of a folder: a wrong use when there is none, the machine's refusal when it
/// may not be looked at.
fn canonical(folder: &Path) -> Result<PathBuf, Failure> {
    let root = folder.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::usage(format!("there is no folder `{}`", folder.display()))
                .hint("`diglot new FOLDER` makes a site to start from")
        }
        _ => Failure::path("read", folder, &error),
    })?;
    if root.is_dir() {
        Ok(root)
    } else {
        Err(
            Failure::usage(format!("`{}` is not a folder", folder.display()))
                .hint("name the folder that holds your articles"),
        )
    }
}

/// The state of a folder, for a command that reads nothing else of it.
pub(super) fn state_of(folder: &Path, args: &cli::State) -> Result<Option<State>, Failure> {
    find_state(args, &canonical(folder)?)
}

/// The state folder that the command line or the environment names; none with `--no-state`, or
/// where there is no place for it.
fn find_state(args: &cli::State, root: &Path) -> Result<Option<State>, Failure> {
    if args.none {
        return Ok(None);
    }
    let given = args.dir.clone().filter(|dir| !dir.as_os_str().is_empty());
    let Some(dir) = given.or_else(|| state::default_dir(root, |name| env::var_os(name))) else {
        return Ok(None);
    };
    let absolute = std::path::absolute(&dir).map_err(|error| Failure::path("use", &dir, &error))?;
    // A folder that does not exist yet is judged by the nearest one that does.
    let real = absolute
        .ancestors()
        .find_map(|path| path.canonicalize().ok());
    if absolute.starts_with(root) || real.is_some_and(|real| real.starts_with(root)) {
        let failure = Failure::usage(format!(
            "the state folder `{}` lies inside the published folder",
            dir.display()
        ));
        return Err(failure.hint("choose a folder outside, or `--no-state`"));
    }
    Ok(Some(State::at(absolute)))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
