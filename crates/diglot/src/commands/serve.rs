//! `diglot serve`: the edition on a port, made again whenever the folder or the clock says so.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arc_swap::ArcSwap;
use diglot_content::{BaseUrl, Problem, Severity};
use diglot_edition::Edition;
use jiff::Timestamp;

use super::folder::{Broken, Folder, Made};
use crate::failure::{Failure, reason};
use crate::fill::Filler;
use crate::serve::{self, Limits, Live};
use crate::watch::{self, Change, Watch};
use crate::{cli, report};

/// How many problems are printed at once; `diglot check` prints all.
const MOST_PROBLEMS: usize = 20;
/// The clock may jump: it is looked at again at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How often a new edition is made again at once because a file was being written.
const MOST_REPEATS: usize = 3;
/// How often we look whether a symbolic link to the folder was switched: its watch would not tell.
const LINK_WAIT: Duration = Duration::from_secs(2);

pub(super) fn run(args: &cli::Serve) -> Result<(), Failure> {
    let folder = Folder::open(&args.folder)?;
    let preview = !folder.has_base_url();
    if preview && !args.listen.ip().is_loopback() {
        let failure = Failure::usage(format!("`{}` can be reached from other machines, and no base URL is set", args.listen));
        return Err(failure.hint("give `--base-url https://example.org`: every page and document names its address"));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::machine(format!("cannot start: {}", reason(&error))))?;
    let served = runtime.block_on(serve(args, folder, preview));
    // What still runs in the background is not waited for.
    runtime.shutdown_background();
    served
}

async fn serve(args: &cli::Serve, mut folder: Folder, preview: bool) -> Result<(), Failure> {
    let cannot_listen = |error: std::io::Error| Failure::machine(format!("cannot listen on `{}`: {}", args.listen, reason(&error)));
    let listener = serve::listen(args.listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let base = BaseUrl::parse(&format!("http://localhost:{}", address.port())).map_err(Failure::machine)?;
    // Watched before it is read: an edit during the first build is not lost.
    let watch = watched(args.no_watch, &folder);
    let made = folder.make(&base, Timestamp::now()).map_err(Broken::told)?;
    introduce(&made);
    let edition = Arc::new(made.edition);
    let filler = Filler::start().map_err(|error| Failure::machine(format!("cannot start a thread: {}", reason(&error))))?;
    filler.fill(&edition);
    let live: Live = Arc::new(ArcSwap::new(Arc::clone(&edition)));
    let stop = signals().map_err(|error| Failure::machine(format!("cannot wait for signals: {}", reason(&error))))?;
    if preview {
        report::say(format!("no base URL is set: this edition is a preview for {base}"));
    }
    report::say(format!("{} on {}", report::counted(edition.articles, "article"), shown(address, &edition)));
    drop(edition);

    let (current, no_watch) = (Arc::clone(&live), args.no_watch);
    let keeper = move || Keeper { folder, watch, no_watch, base, live: current, filler }.run();
    thread::Builder::new()
        .name("diglot-editions".into())
        .spawn(keeper)
        .map_err(|error| Failure::machine(format!("cannot start a thread: {}", reason(&error))))?;
    serve::run(listener, live, Limits::default(), stop).await;
    Ok(())
}

/// What is said about the first edition: how the folder was understood, and what does not work.
fn introduce(made: &Made) {
    let errors: Vec<&Problem> = made.edition.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
    report::problems(errors.iter().copied(), MOST_PROBLEMS);
    if !errors.is_empty() {
        report::gap();
    }
    let (articles, why) = &made.report.articles_folder;
    let articles = if articles.is_empty() { "the folder itself" } else { articles };
    let kind = made
        .report
        .dialect
        .as_ref()
        .filter(|(kind, _)| kind != "plain")
        .map(|(kind, evidence)| format!(", read as {kind} ({evidence})"))
        .unwrap_or_default();
    report::say(format!("articles from `{articles}` ({why}){kind}"));
    report::say(report::agreement(&made.edition.parity));
    report::say(report::summary(made.edition.articles, &made.report, &made.edition.problems, made.time));
}

/// The address that a person opens: the base URL's path at the listening socket.
fn shown(address: SocketAddr, edition: &Edition) -> String {
    format!("http://{address}{}", edition.site.base.rooted("/"))
}

fn watched(no_watch: bool, folder: &Folder) -> Watch {
    if no_watch {
        return Watch::nothing();
    }
    Watch::folders(std::slice::from_ref(&folder.root)).unwrap_or_else(|why| {
        report::say(format!("warning: edits are not noticed: {why}"));
        Watch::nothing()
    })
}

/// Ready at the first Ctrl-C or SIGTERM; the second one ends the process at once.
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    #[cfg(unix)]
    let mut interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    let (told, first) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let mut told = Some(told);
        loop {
            #[cfg(unix)]
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            #[cfg(not(unix))]
            let _ = tokio::signal::ctrl_c().await;
            match told.take() {
                Some(told) => drop(told.send(())),
                None => std::process::exit(0),
            }
        }
    });
    Ok(async move { first.await.unwrap_or_default() })
}

/// The thread that keeps the live edition current.
struct Keeper {
    folder: Folder,
    watch: Watch,
    no_watch: bool,
    base: BaseUrl,
    live: Live,
    filler: Filler,
}

impl Keeper {
    fn run(mut self) {
        loop {
            let change = self.watch.wait(self.patience());
            let moved = !self.no_watch && !watch::is_still(&self.folder.given, &self.folder.root);
            if moved && self.folder.follow().is_ok() {
                self.watch = watched(self.no_watch, &self.folder);
            }
            if moved || change == Change::Files || self.is_due() {
                self.renew();
            }
        }
    }

    /// How long to wait for an edit before we look at the clock.
    fn patience(&self) -> Duration {
        let longest = if self.no_watch { LONGEST_WAIT } else { LINK_WAIT };
        let due = self.live.load().next_change.map(|at| at.duration_since(Timestamp::now()));
        due.and_then(|due| Duration::try_from(due).ok()).map_or(longest, |due| due.min(longest))
    }

    /// Whether something appears or expires by now.
    fn is_due(&self) -> bool {
        self.live.load().next_change.is_some_and(|at| at <= Timestamp::now())
    }

    /// Makes a new edition and puts it in the place of the old one; a failure leaves the old one there.
    fn renew(&mut self) {
        let old = self.live.load_full();
        let mut made = self.folder.make(&self.base, Timestamp::now());
        for _ in 0..MOST_REPEATS {
            // Somebody writes while we read: what we have may hold half a file, and the rest comes in a moment.
            if !self.watch.is_writing() {
                break;
            }
            self.watch.wait(LINK_WAIT);
            made = self.folder.make(&self.base, Timestamp::now());
        }
        let made = match made {
            Ok(made) if made.report.found == 0 && old.articles > 0 => {
                Err(Broken::Failure(Failure::machine(format!("`{}` is empty", self.folder.given.display()))))
            }
            made => made,
        };
        match made {
            Ok(made) => self.publish(&old, made),
            Err(broken) => {
                match broken {
                    Broken::Problems(problems) => report::problems(&problems, MOST_PROBLEMS),
                    Broken::Failure(failure) => report::say(failure.message),
                }
                report::say(format!(
                    "rebuild failed, still serving edition {:.8} ({})",
                    old.id.to_string(),
                    report::counted(old.articles, "article")
                ));
            }
        }
    }

    fn publish(&self, old: &Edition, made: Made) {
        let new = Arc::new(made.edition);
        new.adopt(old);
        self.live.store(Arc::clone(&new));
        self.filler.fill(&new);
        let known = |problem: &&Problem| !old.problems.contains(problem);
        report::problems(new.problems.iter().filter(known), MOST_PROBLEMS);
        if new.id != old.id {
            report::say(format!(
                "edition {:.8} is live ({}, made in {})",
                new.id.to_string(),
                report::counted(new.articles, "article"),
                report::seconds(made.time)
            ));
        }
    }
}
