//! What the state remembers, and the git history of one reading.

use std::path::Path;
use std::time::{Duration, Instant};

use diglot_content::{Problem, Sources};
use diglot_edition::card::CardCache;

use super::Folder;
use super::site_folder::{self, SiteFolder};
use crate::dates::ContentHash;
use crate::git::GitHistory;
use crate::state::{Memory, State};
use crate::terminal;

/// If a failed attempt took this long, the same history is not tried again.
const WAITED_ONCE: Duration = Duration::from_secs(1);

impl Folder {
    /// Stops using a state that is of another site than this one, the folder `site` as it was named,
    /// and says so: each would give the other its dates.
    pub(super) fn leave_state_of_another(&mut self, site: &Path, sources: &Sources) {
        let Some(state) = &self.state else { return };
        let hashes = sources.files.iter();
        let hashes = hashes.map(|file| ContentHash(*file.bytes.digest()));
        if self.is_own(state, site) || !self.memory.is_of_another_site(hashes) {
            return;
        }
        let other = self.memory.site();
        let warning = format!(
            "the state in `{}` is not used, as it is that of the site in `{other}`",
            state.dir().display()
        );
        terminal::warn(warning, Some("name another folder with `--state`"));
        (self.state, self.memory, self.public) = (None, Memory::default(), None);
    }

    /// Whether the state is that of this site, by the name of one of their folders. A link keeps its
    /// name when it is switched from one release to the next, and a folder has many names.
    fn is_own(&self, state: &State, site: &Path) -> bool {
        let other = Path::new(self.memory.site());
        state.is_named_after(&self.root)
            || site_folder::named(other).is_ok_and(|other| other == site)
            || SiteFolder::find(other).is_ok_and(|other| other.root == self.root)
    }

    /// Whether the newest commit is another one than that of the last reading: its dates differ
    /// although no file does.
    pub(in crate::commands) fn has_new_commit(&mut self) -> bool {
        let glance = GitHistory::glance(&self.root);
        if self.glance.replace(glance) == Some(glance) {
            return false;
        }
        let known = self.history.as_ref();
        let known = known.map_or("", |history| &history.identity);
        GitHistory::identity(&self.root) != known
    }
}

/// The git history of one reading.
pub(super) struct GitReading<'a> {
    pub history: &'a mut Option<GitHistory>,
    pub unreadable: &'a mut Option<(String, String)>,
    pub state: Option<&'a State>,
    pub most: Duration,
}

impl GitReading<'_> {
    /// Reads the git history, unless it is already loaded or in the state. A history that cannot be
    /// read is reported, and the last one from the same repository is used. Its dates are true for
    /// the bytes that it knows, and a repository may be half rewritten at this moment. A slow
    /// attempt is not repeated until the repository changes, so no edit waits for it twice.
    pub fn look(self, root: &Path) -> Option<Problem> {
        let identity = GitHistory::identity(root);
        if self
            .history
            .as_ref()
            .is_some_and(|history| history.identity == identity)
        {
            return None;
        }
        if let Some(problem) = self.known_failure(&identity) {
            return Some(problem);
        }
        let (state, begun) = (self.state.cloned(), Instant::now());
        match GitHistory::read(root, move || recalled_history(state.as_ref()), self.most) {
            Ok(read) => {
                *self.history = read;
                *self.unreadable = None;
                None
            }
            Err(why) => {
                self.history.take_if(|history| !history.is_around(root));
                let problem = Problem::warning(why.as_str());
                *self.unreadable = Some((identity, why)).filter(|_| begun.elapsed() > WAITED_ONCE);
                Some(problem)
            }
        }
    }
}

impl GitReading<'_> {
    /// Why this repository could not be read in its present state, if that was slow to find out.
    fn known_failure(&self, identity: &str) -> Option<Problem> {
        let (failed, why) = self.unreadable.as_ref()?;
        (failed == identity && !identity.is_empty()).then(|| Problem::warning(why.as_str()))
    }
}

/// The history in the state.
fn recalled_history(state: Option<&State>) -> Option<GitHistory> {
    let (history, warning) = state?.recall_history();
    warn(warning);
    history
}

/// The pictures in the state.
pub(super) fn recalled_pictures(state: Option<&State>) -> CardCache {
    let (pictures, warning) = state.map(State::recall_pictures).unwrap_or_default();
    warn(warning);
    pictures
}

/// Reports which part of the state is not used, if any.
pub(super) fn warn(warning: Option<String>) {
    if let Some(warning) = warning {
        terminal::warn(warning, None);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use diglot_content::BaseUrl;
    use jiff::Timestamp;

    use super::*;
    use crate::git::repository;
    use crate::{cli, state};

    fn look(history: &mut Option<GitHistory>, root: &Path) -> Option<String> {
        let past = GitReading {
            history,
            unreadable: &mut None,
            state: None,
            most: Duration::from_secs(60),
        };
        past.look(root).map(|problem| problem.message)
    }

    /// Builds the site in a folder; returns whether it has the state.
    fn build(folder: &Path, state: &Path) -> bool {
        let mut folder = Folder::open(&cli::Folder {
            folder: folder.to_owned(),
            base_url: None,
            limits: Vec::new(),
            state: cli::State {
                dir: Some(state.to_owned()),
                none: false,
            },
        })
        .unwrap();
        let base = BaseUrl::parse("http://localhost").unwrap();
        folder.make(&base, Timestamp::now()).ok().unwrap();
        folder.save();
        folder.state.is_some()
    }

    /// Folders with one text each, and a link to one of them.
    fn folders(place: &Path) {
        for name in ["def", "other", "repo/docs/docs"] {
            fs::create_dir_all(place.join(name)).unwrap();
            fs::write(place.join(name).join("a.md"), name).unwrap();
        }
        fs::write(place.join("repo/docs/mkdocs.yml"), "site_name: X").unwrap();
        symlink("def", place.join("link")).unwrap();
    }

    #[test]
    fn a_state_is_that_of_a_folder_however_it_is_named() {
        let check = |first: &str, second: &str, expected: bool| {
            let place = tempfile::tempdir().unwrap();
            let place = place.path();
            folders(place);
            let state = place.join("state");
            assert!(build(&place.join(first), &state));
            // None of its texts is known.
            for name in ["def/a.md", "repo/docs/docs/a.md", "repo/docs/mkdocs.yml"] {
                fs::write(place.join(name), "site_name: Y").unwrap();
            }
            let is_used = build(&place.join(second), &state);
            assert_eq!(is_used, expected, "{first}, {second}");
        };
        for name in [
            "def",
            "def/",
            "./def",
            "other/../def",
            "link/../def",
            "link",
        ] {
            check("def", name, true);
            check(name, "def", true);
        }
        check("repo", "repo/docs", true);
        check("repo/docs", "repo", true);
        check("def", "other", false);
        check("link", "other", false);
    }

    #[test]
    fn a_link_that_is_switched_keeps_its_state_and_so_does_a_folder_by_default() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        folders(&place);
        let switch = || {
            fs::remove_file(place.join("link")).unwrap();
            symlink("other", place.join("link")).unwrap();
        };
        let (def, link) = (place.join("def"), place.join("link"));
        let home = |name: &str| (name == "HOME").then(|| place.join("home").into());
        let (state, default) = (place.join("state"), state::default_dir(&def, home).unwrap());
        assert!(build(&link, &state) && build(&link, &default));
        switch();
        fs::write(def.join("a.md"), "new").unwrap();
        assert!(build(&link, &state), "the next release");
        assert!(build(&def, &default), "no other site has this state");
    }

    #[test]
    fn a_history_that_cannot_be_read_is_replaced_by_the_last_one_of_the_same_repository_only() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let [one, other] = ["one", "other"].map(|name| place.join(name));
        for folder in [&one, &other] {
            let repository = repository::Repository::init(folder);
            fs::write(folder.join("a.md"), "words").unwrap();
            repository.commit(1_704_067_200);
        }
        let mut history = None;
        assert_eq!(look(&mut history, &one), None);
        assert!(history.is_some());

        for folder in [&one, &other] {
            fs::write(folder.join(".git/HEAD"), "no commit").unwrap();
        }
        assert!(
            look(&mut history, &one)
                .unwrap()
                .contains("is not the folder of a repository")
        );
        assert!(history.is_some(), "the same repository, half rewritten");
        assert!(look(&mut history, &other).is_some());
        assert!(history.is_none(), "the folder moved to another repository");
    }
}
