//! `diglot serve STORE`: a replica. Another process fetches editions into the cache
//! ([`fetch`](crate::commands::store)); this one reads them from there, and goes live in one step.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use arc_swap::ArcSwap;
use diglot_content::BaseUrl;
use diglot_edition::segment::{Segment, Segments};
use diglot_edition::stored::Manifest;
use diglot_edition::{Edition, byte_store};
use diglot_store::cache::{Cache, restored};
use diglot_store::follow::News;
use diglot_store::signature::PublicKey;
use diglot_store::{Address, Pointer};
use tokio::sync::oneshot;

use super::prepare::{Prepared, prepare};
use super::signals::{Reload, Signals};
use super::{
    announce, answer, begun, cannot_wait, certificate, listening, observers, ready, refuse,
    run_with, setup, show_metrics,
};
use crate::commands::folder::{find_state, limits};
use crate::commands::store::{failure, key, without_number};
use crate::commands::worker;
use crate::failure::{Failure, Status};
use crate::fill::Filler;
use crate::following::{Following, Heard};
use crate::metrics::Metrics;
use crate::sandbox::{Connects, Needs};
use crate::serve::{Live, Setup, Tls};
use crate::state::{self, State};
use crate::stored::LiveFiles;
use crate::{cli, terminal};

/// Orders that wait for the process that fetches.
const ORDERS: usize = 8;

pub(super) fn run(args: &cli::Serve, address: &str) -> Result<(), Failure> {
    let replica = Replica::open(args, address)?;
    let prepared = prepare(args, false, replica.state.as_ref(), || {
        Ok(replica.needs(args))
    })?;
    run_with(prepared, async |prepared| {
        serve(args, replica, prepared).await
    })
}

/// A replica before it serves.
struct Replica {
    cache: Cache,
    folder: PathBuf,
    key: Option<PublicKey>,
    base: Option<BaseUrl>,
    state: Option<State>,
    fetcher: Fetcher,
}

/// The process that fetches.
struct Fetcher {
    process: Child,
    input: ChildStdin,
    news: Box<dyn BufRead + Send>,
}

impl Replica {
    fn open(args: &cli::Serve, address: &str) -> Result<Self, Failure> {
        refuse(
            &[
                ("--drafts", args.drafts),
                ("--open", args.open),
                ("--no-reload", args.no_reload),
                ("--no-watch", args.no_watch),
                ("--verbose", args.report.verbose),
                ("--json", args.report.json),
            ],
            "a folder, and a store is served",
        )?;
        let base = args.folder.base_url.as_deref();
        let base = base.filter(|url| !url.is_empty()).map(BaseUrl::parse);
        let base = base.transpose().map_err(|why| {
            Failure::usage(format!("the base URL is not valid: {why}"))
                .hint("remove `--base-url`: the edition in the store has its own address")
        })?;
        let address = Address::parse(address).map_err(failure)?.to_string();
        let state = find_state(&args.folder.state, Path::new(&address))?;
        let folder = cache_folder(args, state.as_ref(), &address)?;
        Ok(Self {
            cache: Cache::create(&folder).map_err(failure)?,
            key: key(&args.replica)?,
            base,
            state,
            fetcher: Fetcher::start(args, &address, &folder)?,
            folder,
        })
    }

    /// Where large editions are while they are live: files without names.
    fn live_folder(&self) -> PathBuf {
        self.folder.join("live")
    }

    fn needs(&self, args: &cli::Serve) -> Needs {
        let counts = self.state.iter().filter(|_| args.count_readers);
        let counts = counts.map(|state| state.dir().to_owned());
        // Created here, as its parent will be out of reach.
        let write = counts
            .chain([self.live_folder()])
            .filter(|dir| std::fs::create_dir_all(dir).is_ok());
        Needs {
            read: vec![self.folder.clone()],
            write: write.collect(),
            remove_empty: Vec::new(),
            connects: Connects::Nowhere,
        }
    }
}

/// The folder of the cache: one for each store, so that none is taken for another.
fn cache_folder(
    args: &cli::Serve,
    state: Option<&State>,
    address: &str,
) -> Result<PathBuf, Failure> {
    let given = args.replica.cache.clone();
    let state = state.map(|state| state.dir().join("cache"));
    let folder = given.or(state).ok_or_else(|| {
        Failure::usage("a store needs a cache folder")
            .hint("name one, such as `--cache /var/cache/diglot`")
    })?;
    let folder = folder.join(state::name_of(address));
    std::path::absolute(&folder).map_err(|error| Failure::path("use", &folder, &error))
}

impl Fetcher {
    fn start(args: &cli::Serve, address: &str, folder: &Path) -> Result<Self, Failure> {
        let mut command = worker::command("fetch-store")?;
        command.arg(address).arg("--cache").arg(folder);
        let replica = &args.replica;
        if let Some(file) = &replica.verify {
            command.arg("--verify").arg(file);
        }
        if let Some(size) = replica.cache_size {
            command.arg("--cache-size").arg(size.to_string());
        }
        if let Some(poll) = replica.poll {
            command.arg("--poll").arg(poll.as_secs_f64().to_string());
        }
        let mut process = worker::start(command, args, Stdio::piped())?;
        let missing = || Failure::machine("cannot connect to the process that fetches editions");
        let input = process.stdin.take().ok_or_else(missing)?;
        let output = process.stdout.take().ok_or_else(missing)?;
        Ok(Self {
            process,
            input,
            news: Box::new(BufReader::new(output)),
        })
    }
}

async fn serve(args: &cli::Serve, replica: Replica, prepared: Prepared) -> Result<(), Failure> {
    let signals = Signals::new().map_err(cannot_wait)?;
    let reload = Arc::new(Reload::default());
    let mut stop = pin!(signals.listen(Arc::clone(&reload)).map_err(cannot_wait)?);
    let (listener, address) = listening(prepared.listener)?;
    let (metrics, manager, tls) = (prepared.metrics, prepared.manager, prepared.tls);
    let state = replica.state.clone();
    let watcher = Watcher {
        metrics: Arc::clone(&metrics),
        reload,
        tls: tls.clone(),
    };
    let first = watcher.follow(replica)?;
    if let Some(listener) = prepared.admin {
        show_metrics(listener, Arc::clone(&metrics))?;
    }
    // Connections wait in the queue of the socket until there is a first edition.
    let live = tokio::select! {
        first = first => first.map_err(|_| ended())??,
        () = &mut stop => return Ok(()),
    };
    let edition = live.load_full();
    if let Some(tls) = &tls {
        certificate::watch(tls.clone(), &edition.site.base, address, false)?;
    }
    announce(&manager, ready(&edition, tls.as_ref(), address));
    let _asker = begun(prepared.asker);
    drop(edition);
    let (observers, recorder) = observers(args, &metrics, state.as_ref())?;
    let setup = Setup {
        tls,
        observers,
        ..setup(args, limits(&args.folder)?)
    };
    let plain = prepared.plain.map(listening).transpose()?;
    answer((listener, plain), (live, setup), (&metrics, &manager), stop).await;
    if let Some(recorder) = recorder {
        recorder.finish();
    }
    Ok(())
}

fn ended() -> Failure {
    Failure::machine("the process that fetches editions has ended")
}

/// Who hears about editions.
struct Watcher {
    metrics: Arc<Metrics>,
    reload: Arc<Reload>,
    tls: Option<Tls>,
}

type First = oneshot::Sender<Result<Live, Failure>>;

impl Watcher {
    /// Starts the threads that go live with editions and give orders. The first edition is sent.
    fn follow(self, replica: Replica) -> Result<oneshot::Receiver<Result<Live, Failure>>, Failure> {
        let (send, orders): (SyncSender<String>, _) = sync_channel(ORDERS);
        let following = Arc::new(Following::new(send));
        self.metrics.follow(Arc::clone(&following));
        let (first, received) = oneshot::channel();
        let store: byte_store::Shared = Arc::new(LiveFiles::in_folder(replica.live_folder()));
        let follower = Follower {
            cache: replica.cache,
            key: replica.key,
            base: replica.base,
            store,
            following,
            filler: Filler::start().map_err(Failure::thread)?,
            watcher: self,
            current: None,
            first: Some(first),
            said: None,
            refused: None,
        };
        let Fetcher {
            process,
            input,
            news,
        } = replica.fetcher;
        thread("diglot-orders", move || obey(input, &orders))?;
        thread("diglot-editions", move || follower.run(news, process))?;
        Ok(received)
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let builder = thread::Builder::new().name(name.to_owned());
    builder.spawn(work).map(drop).map_err(Failure::thread)
}

/// Passes orders on. Waits while the other process does not read them.
fn obey(mut input: ChildStdin, orders: &Receiver<String>) {
    for order in orders {
        if writeln!(input, "{order}").is_err() {
            return;
        }
    }
}

/// The thread that goes live with what is in the cache.
struct Follower {
    cache: Cache,
    key: Option<PublicKey>,
    base: Option<BaseUrl>,
    store: byte_store::Shared,
    following: Arc<Following>,
    filler: Filler,
    watcher: Watcher,
    current: Option<Current>,
    /// Waits for the first edition.
    first: Option<First>,
    /// The last failure that was told, so that it is not repeated.
    said: Option<String>,
    /// Why the newest edition in the cache is not live.
    refused: Option<String>,
}

/// The live edition.
struct Current {
    number: u64,
    live: Live,
    segments: Arc<Segments>,
}

impl Follower {
    fn run(mut self, news: Box<dyn BufRead + Send>, mut process: Child) {
        self.renew();
        for line in news.lines().map_while(Result::ok) {
            if let Ok(news) = serde_json::from_str(&line) {
                self.hear(news);
            }
        }
        let _ = process.wait();
        let failed =
            Some("the process that fetches editions has ended: restart the server".to_owned());
        self.tell(failed.as_deref());
        self.following.heard(Heard {
            failed,
            ..Heard::default()
        });
    }

    fn hear(&mut self, news: News) {
        if self.watcher.reload.take() {
            self.following.order("look");
            if let Some(tls) = &self.watcher.tls {
                certificate::renew(tls);
            }
        }
        self.tell(news.failed.as_deref());
        let is_newer = news.edition > self.current.as_ref().map(|current| current.number);
        self.following.heard(Heard {
            newest: news.newest,
            bytes: news.bytes,
            refusals: news.refusals,
            failed: news.failed,
        });
        if is_newer || !self.is_sound() {
            self.renew();
        }
    }

    /// Says why the store is not followed, once.
    fn tell(&mut self, failed: Option<&str>) {
        if self.said.as_deref() == failed {
            return;
        }
        self.said = failed.map(str::to_owned);
        let still = match &self.current {
            Some(current) => format!("still serving edition {}", current.number),
            None => "there is no edition to serve yet".to_owned(),
        };
        match failed {
            Some(why) => terminal::say(format!("warning: {}; {still}", without_number(why))),
            None => terminal::say("the store is reachable again"),
        }
    }

    fn is_sound(&self) -> bool {
        let live = self.current.as_ref().map(|current| current.live.load());
        live.is_none_or(|edition| edition.is_sound())
    }

    /// Goes live with the newest edition in the cache.
    fn renew(&mut self) {
        let Some((pointer, manifest)) = self.cache.newest(self.key.as_ref()) else {
            return;
        };
        let Err(failure) = self.take(&pointer, manifest) else {
            self.refused = None;
            return;
        };
        // Of the first edition, what is wrong on the command line ends the server.
        if let Some(first) = self.first.take_if(|_| failure.status == Status::Usage) {
            let _ = first.send(Err(failure));
            return;
        }
        let failed = Some(failure.message.clone());
        self.following.heard(Heard {
            failed,
            ..Heard::default()
        });
        if self.refused.as_ref() != Some(&failure.message) {
            terminal::say(format!("warning: {}", failure.message));
            self.refused = Some(failure.message);
        }
    }

    fn take(&mut self, pointer: &Pointer, manifest: Manifest) -> Result<(), Failure> {
        let begun = Instant::now();
        self.check_address(pointer)?;
        let segments = Arc::new(self.segments(&manifest));
        let edition = restored(pointer, manifest, &segments, Arc::clone(&self.store));
        let edition = Arc::new(edition.map_err(failure)?);
        // The first edition is read in the background.
        if self.current.is_some() && !segments.read_all() {
            self.following.order("check");
            return Ok(());
        }
        self.watcher.metrics.live(&edition, begun.elapsed());
        self.following.live(pointer.number, pointer.published);
        match &mut self.current {
            Some(current) => {
                current.live.store(Arc::clone(&edition));
                (current.number, current.segments) = (pointer.number, segments);
                settled(&self.following, &self.filler, &edition, pointer.number);
            }
            None => self.begin(&edition, pointer.number, segments)?,
        }
        terminal::say(format!(
            "edition {:.8} is live (number {}, {}, read in {})",
            edition.id.to_string(),
            pointer.number,
            terminal::counted(edition.articles, "article"),
            terminal::seconds(begun.elapsed())
        ));
        // After the line above, so that the address is always printed below it.
        if let (Some(first), Some(current)) = (self.first.take(), &self.current) {
            let _ = first.send(Ok(Arc::clone(&current.live)));
        }
        Ok(())
    }

    /// What was asked for on the command line must be the edition's.
    fn check_address(&self, pointer: &Pointer) -> Result<(), Failure> {
        let is_other = |base: &&BaseUrl| base.to_string() != pointer.base_url;
        match self.base.as_ref().filter(is_other) {
            None => Ok(()),
            Some(base) => Err(Failure::usage(format!(
                "the base URL `{base}` differs from that of the edition, `{}`",
                pointer.base_url
            ))
            .hint("remove `--base-url`, or publish the edition with this address")),
        }
    }

    /// The segments of a manifest. What the live edition has read is not read again.
    fn segments(&self, manifest: &Manifest) -> Segments {
        let cache = self.cache.clone();
        let fetch = move |segment: &Segment| cache.segment(segment);
        let numbered = manifest.head.segments.clone();
        let segments = Segments::new(numbered, Box::new(fetch), Arc::clone(&self.store));
        match &self.current {
            Some(current) => segments.after(&current.segments),
            None => segments,
        }
    }

    fn begin(
        &mut self,
        edition: &Arc<Edition>,
        number: u64,
        segments: Arc<Segments>,
    ) -> Result<(), Failure> {
        self.current = Some(Current {
            number,
            live: Arc::new(ArcSwap::new(Arc::clone(edition))),
            segments: Arc::clone(&segments),
        });
        let (following, filler) = (Arc::clone(&self.following), self.filler.clone());
        let edition = Arc::clone(edition);
        thread("diglot-read", move || match segments.read_all() {
            true => settled(&following, &filler, &edition, number),
            false => following.order("check"),
        })
    }
}

/// Everything of the live edition is read: what older ones need may be deleted.
fn settled(following: &Following, filler: &Filler, edition: &Arc<Edition>, number: u64) {
    following.order(&format!("live {number}"));
    filler.fill(edition);
}
