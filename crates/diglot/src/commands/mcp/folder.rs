//! A folder as the source of the pages: its edition in memory, made again after a change.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arc_swap::ArcSwap;
use diglot_content::BaseUrl;
use diglot_edition::changes::History;
use diglot_edition::{Edition, holds};
use jiff::Timestamp;

use crate::commands::folder::{Broken, Folder};
use crate::failure::Failure;
use crate::mcp::Source;
use crate::mcp::local::LocalSite;
use crate::sandbox::{self, Confined};
use crate::terminal::Channel;
use crate::watch::{Change, Identity, Watch};
use crate::{cli, terminal};

/// The address of a site whose settings give none: what `diglot serve` uses.
const PREVIEW: &str = "http://localhost:8080";
/// How often to check the clock, and whether the folder was replaced: its watch does not report
/// that.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// Problems of a new edition that are printed.
const MOST_PROBLEMS: usize = 20;

/// Makes the first edition. Gives up all rights but to read the folder and to write the state.
pub(super) fn open(args: &cli::Mcp) -> Result<Arc<dyn Source>, Failure> {
    let mut folder = Folder::open(&args.folder)?;
    folder.stay();
    if !args.no_sandbox {
        let needs = folder.needs()?;
        let confined = sandbox::with_all_processors(|| sandbox::confine(&needs));
        if let Confined::Less(why) = confined
            && cfg!(target_os = "linux")
        {
            terminal::say(format!("note: {why}"));
        }
    }
    let base = BaseUrl::parse(PREVIEW).map_err(Failure::machine)?;
    // Before the first reading, so that no edit during the build is lost.
    let seen = Identity::read(&folder.root);
    let watch = match args.no_watch {
        true => Watch::nothing(),
        false => Watch::folder(&folder.root, &folder.limits),
    };
    let made = folder
        .make(&base, Timestamp::now())
        .map_err(|broken| broken.told(Channel::Messages))?;
    made.require_something(&args.folder.folder)?;
    folder.save();
    follow(&mut folder, &made.edition);
    let pages = terminal::counted(made.edition.articles, "article");
    terminal::say(format!(
        "{pages} of `{}`, read in {}",
        args.folder.folder.display(),
        terminal::seconds(made.time)
    ));
    let live = Arc::new(ArcSwap::from_pointee(made.edition));
    let keeper = Keeper {
        folder,
        base,
        seen,
        watch,
        is_watched: !args.no_watch,
        made: made.at,
        live: Arc::clone(&live),
        is_broken: false,
    };
    thread::Builder::new()
        .name("diglot-editions".into())
        .spawn(move || keeper.run())
        .map_err(Failure::thread)?;
    Ok(Arc::new(LocalSite::new(live)))
}

/// Notes an edition as one before the next, for the documents on changes. The state does not learn of
/// it: it remembers what was public, and this edition was not.
fn follow(folder: &mut Folder, edition: &Edition) {
    folder.set_past(edition.site.base.clone(), History::clone(&edition.history));
}

/// The thread that keeps the edition current.
struct Keeper {
    folder: Folder,
    base: BaseUrl,
    /// The folder that is watched; `None` if it was gone at the last check.
    seen: Option<Identity>,
    watch: Watch,
    is_watched: bool,
    /// The time the edition was made for.
    made: Timestamp,
    live: Arc<ArcSwap<Edition>>,
    /// Whether the last reading failed, until an edit.
    is_broken: bool,
}

impl Keeper {
    /// Never returns.
    fn run(mut self) {
        // What the first query needs is made ahead of it.
        self.live.load().prepare();
        // Nothing was reported of a folder before it was watched.
        let mut is_unsure = true;
        loop {
            let change = self.watch.wait(LONGEST_WAIT);
            let is_due = !self.is_broken
                && !holds(self.made, self.live.load().next_change, Timestamp::now());
            let is_changed = change == Change::Files || is_due;
            let is_replaced = self.is_watched && self.is_replaced(is_changed || is_unsure);
            is_unsure = is_replaced;
            // A commit changes no file.
            let is_committed = self.is_watched && self.folder.has_new_commit();
            if is_changed || is_replaced || is_committed {
                self.renew();
            }
        }
    }

    /// Whether the site's folder is another one; it is watched from now on. After a `change` it may
    /// be elsewhere in the given folder.
    fn is_replaced(&mut self, change: bool) -> bool {
        let now = self.folder.located(change);
        if now == self.seen {
            return false;
        }
        self.seen = now;
        if self.seen.is_some() && self.folder.follow().is_ok() {
            self.seen = Identity::read(&self.folder.root);
            self.watch = Watch::folder(&self.folder.root, &self.folder.limits);
        }
        true
    }

    /// Makes a new edition; if that fails, the old one stays.
    fn renew(&mut self) {
        self.folder.is_told(self.watch.tells_writers());
        self.folder.note_changes(self.watch.changed_files());
        let made = self.folder.make(&self.base, Timestamp::now());
        self.is_broken = made.is_err();
        match made {
            Ok(made) if made.report.found == 0 => terminal::say(format!(
                "warning: `{}` is empty; its last edition stays",
                self.folder.given.display()
            )),
            Ok(made) => {
                self.made = made.at;
                made.edition.prepare();
                follow(&mut self.folder, &made.edition);
                self.live.store(Arc::new(made.edition));
                self.folder.save();
            }
            Err(Broken::Problems(problems)) => terminal::problems(&problems, MOST_PROBLEMS),
            Err(Broken::Failure(failure)) => terminal::failure(&failure),
        }
        self.folder.drop_inputs();
    }
}
