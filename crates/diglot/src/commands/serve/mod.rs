//! `diglot serve`: serves the edition on a port and rebuilds it when the folder or the clock
//! changes; or serves the newest edition of a store.

mod certificate;
mod keeper;
mod occupied;
mod prepare;
#[cfg(feature = "store")]
mod replica;
mod signals;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use arc_swap::ArcSwap;
use diglot_content::BaseUrl;
use diglot_edition::Edition;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::watch;

use self::keeper::{First, Keeper, Others};
use self::prepare::Prepared;
use self::signals::{Reload, Signals};
use super::acme::Asker;
use super::folder::{Folder, Made};
use crate::access_log::AccessLog;
use crate::failure::{Failure, reason};
use crate::fill::Filler;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::readers::{Recorder, Store, Tally};
use crate::serve::{
    self, Live, Observer, PREVIEW, Preview, Proxies, RateLimits, Redirect, Setup, Tls,
};
use crate::state::State;
use crate::systemd::Manager;
use crate::terminal::Channel;
use crate::{admin, cli, terminal};

type Observers = Vec<Arc<dyn Observer>>;

/// Problems printed at once; `diglot check --verbose` prints all.
const MOST_PROBLEMS: usize = 20;
/// Connections open at once to the port of plain HTTP: each is short.
const MOST_PLAIN: usize = 512;

pub(super) fn run(args: &cli::Serve) -> Result<(), Failure> {
    terminal::set_format(args.log_format);
    if let Some(address) = args.folder.store() {
        return of_store(args, address);
    }
    let replica = &args.replica;
    refuse(
        &[
            ("--verify", replica.verify.is_some()),
            ("--cache", replica.cache.is_some()),
            ("--cache-size", replica.cache_size.is_some()),
            ("--poll", replica.poll.is_some()),
        ],
        "a store such as `s3://bucket/prefix`",
    )?;
    let mut folder = Folder::open(&args.folder)?;
    folder.stay();
    folder.shows_drafts = args.drafts;
    if let (Some(_), [first, ..]) = (&args.acme.acme, &args.acme.domain[..]) {
        folder.assume_base_url(format!("https://{first}"));
    }
    let (preview, state) = (!folder.has_base_url(), folder.state().cloned());
    let prepared = prepare::prepare(args, preview, state.as_ref(), || folder.needs())?;
    run_with(prepared, async |prepared| {
        serve(args, folder, prepared).await
    })
}

#[cfg(feature = "store")]
use replica::run as of_store;

#[cfg(not(feature = "store"))]
fn of_store(_: &cli::Serve, _: &str) -> Result<(), Failure> {
    Err(super::store::missing())
}

/// Refuses options that are given and have no meaning here.
fn refuse(options: &[(&str, bool)], meant: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Failure::usage(format!("`{option}` is for {meant}"))
                .hint(format!("remove `{option}`")))
        }
    }
}

/// Starts the threads, and serves.
fn run_with(
    prepared: Prepared,
    serve: impl AsyncFnOnce(Prepared) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // Both pools count processors by files that are out of reach now.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(prepared.threads)
        .build_global();
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(prepared.threads)
        .thread_name("diglot-serve")
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::machine(format!("cannot start: {}", reason(&error))))?;
    let served = runtime.block_on(serve(prepared));
    // Background tasks are not waited for.
    runtime.shutdown_background();
    served
}

async fn serve(args: &cli::Serve, mut folder: Folder, prepared: Prepared) -> Result<(), Failure> {
    let signals = Signals::new().map_err(cannot_wait)?;
    let reload = Arc::new(Reload::default());
    let scheme = prepared.scheme();
    let (listener, address) = listening(prepared.listener)?;
    let base = BaseUrl::parse(&format!("{scheme}://localhost:{}", address.port()))
        .map_err(Failure::machine)?;
    // The watch starts before the first reading, so that no edit during the build is lost.
    let watched = keeper::watched(args.no_watch, &folder);
    let (made, first) = first_edition(args, &mut folder, &base)?;
    // Only now: the first edition may have shown that the state is that of another site. It may be
    // one that cannot be written at present.
    let state = folder.state().cloned();
    prepare::require_counts(args, state.as_ref())?;
    let (metrics, manager, tls) = (prepared.metrics, prepared.manager, prepared.tls);
    metrics.live(&made.edition, made.time);
    let edition = Arc::new(made.edition);
    let live: Live = Arc::new(ArcSwap::new(Arc::clone(&edition)));
    let stop = signals.listen(Arc::clone(&reload)).map_err(cannot_wait)?;
    let preview = preview(args, prepared.preview);
    if let Some(tls) = &tls {
        certificate::watch(tls.clone(), &edition.site.base, address, prepared.preview)?;
    }
    announce(&manager, ready(&edition, tls.as_ref(), address));
    let _asker = begun(prepared.asker);
    let (observers, recorder) = observers(args, &metrics, state.as_ref())?;
    let setup = Setup {
        tls: tls.clone(),
        preview,
        observers,
        ..setup(args, folder.limits.clone())
    };
    if let Some(listener) = prepared.admin {
        show_metrics(listener, Arc::clone(&metrics))?;
    }
    // Low-priority work starts last, when everything is ready for the first request.
    let filler = Filler::start().map_err(Failure::thread)?;
    // For an edition that is not read completely, the codings are in the unread part.
    if first.rest.is_none() {
        filler.fill(&edition);
    }
    drop(edition);
    let others = Others {
        metrics: Arc::clone(&metrics),
        manager: Arc::clone(&manager),
        reload,
        tls,
    };
    let current = (Arc::clone(&live), first);
    let keeper = Keeper::new(
        folder,
        watched,
        args.no_watch,
        base,
        current,
        filler,
        others,
    );
    thread::Builder::new()
        .name("diglot-editions".into())
        .spawn(|| keeper.run())
        .map_err(Failure::thread)?;
    let plain = prepared.plain.map(listening).transpose()?;
    answer((listener, plain), (live, setup), (&metrics, &manager), stop).await;
    if let Some(recorder) = recorder {
        recorder.finish();
    }
    Ok(())
}

/// Lets the process that asks for certificates begin.
fn begun(asker: Option<Asker>) -> Option<Asker> {
    let mut asker = asker;
    if let Some(asker) = &mut asker {
        asker.begin();
    }
    asker
}

/// Tells the service manager and the terminal that requests are answered.
fn announce(manager: &Arc<Manager>, ready: String) {
    manager.ready(&ready);
    terminal::say(ready);
    prepare::report_liveness(manager);
}

/// Answers requests until the stop, which metrics and the service manager are told of.
async fn answer(
    (listener, plain): (TcpListener, Option<(TcpListener, SocketAddr)>),
    (live, setup): (Live, Setup),
    (metrics, manager): (&Metrics, &Manager),
    stop: impl Future<Output = ()>,
) {
    let (stopping, mut stopped) = watch::channel(());
    let stop = async {
        stop.await;
        metrics.stopping();
        manager.stopping();
        drop(stopping);
    };
    let redirects = redirecting(&setup);
    let other = async {
        if let (Some((plain, address)), Some(setup)) = (plain, redirects) {
            terminal::say(format!("http://{address} sends clients to HTTPS"));
            let stop = async { drop(stopped.changed().await) };
            serve::run(plain, Arc::clone(&live), setup, stop).await;
        }
    };
    tokio::join!(serve::run(listener, Arc::clone(&live), setup, stop), other);
}

/// The setup of the port of plain HTTP: what is asked there is neither counted nor written down.
fn redirecting(setup: &Setup) -> Option<Setup> {
    let tls = setup.tls.clone()?;
    Some(Setup {
        limits: Limits {
            connections: setup.limits.connections.min(MOST_PLAIN),
            ..setup.limits.clone()
        },
        proxies: setup.proxies.clone(),
        rate_limits: setup.rate_limits.clone(),
        redirect: Some(Redirect { tls }),
        ..Setup::default()
    })
}

/// `3 articles on http://127.0.0.1:8080/`
fn ready(edition: &Edition, tls: Option<&Tls>, address: SocketAddr) -> String {
    let articles = terminal::counted(edition.articles, "article");
    let base = &edition.site.base;
    let origin = match tls {
        Some(tls) => format!(
            "https://{}",
            certificate::reached(tls, certificate::host(base), address)
        ),
        // No client can connect to `0.0.0.0`.
        None if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        None => format!("http://{address}"),
    };
    format!("{articles} on {origin}{}", base.rooted("/"))
}

/// What the command line says about clients.
fn setup(args: &cli::Serve, limits: Limits) -> Setup {
    let proxies = Proxies {
        trusted: args.trusted_proxy.clone(),
        header: args.client_address_header,
    };
    let rate_limits = RateLimits::new(args.rate, args.rate_bots).map(Arc::new);
    Setup {
        limits: Limits {
            connections: descriptors(limits.connections),
            ..limits
        },
        proxies,
        rate_limits,
        hsts: args.hsts.clone(),
        ..Setup::default()
    }
}

fn listening(listener: std::net::TcpListener) -> Result<(TcpListener, SocketAddr), Failure> {
    let failure = |error: io::Error| Failure::machine(format!("cannot listen: {}", reason(&error)));
    let address = listener.local_addr().map_err(failure)?;
    let listener = TcpListener::from_std(listener).map_err(failure)?;
    Ok((listener, address))
}

/// What a preview has beside the site; reports it.
fn preview(args: &cli::Serve, is_preview: bool) -> Preview {
    let preview = Preview {
        reloads: is_preview && !args.no_reload,
        shows_drafts: args.drafts,
    };
    if !is_preview {
        return preview;
    }
    terminal::say("preview: no base URL is set, so only this machine can reach the site");
    if preview.shows_drafts {
        terminal::say("drafts and scheduled articles are shown");
    }
    if preview.reloads {
        terminal::say(format!(
            "`{PREVIEW}/` shows the site in the browser, and reloads it after each edit"
        ));
    }
    preview
}

/// Serves the private address.
fn show_metrics(listener: std::net::TcpListener, metrics: Arc<Metrics>) -> Result<(), Failure> {
    let (listener, address) = listening(listener)?;
    terminal::say(format!("metrics: http://{address}/metrics"));
    tokio::spawn(admin::run(listener, metrics));
    Ok(())
}

fn cannot_wait(error: io::Error) -> Failure {
    Failure::machine(format!("cannot wait for signals: {}", reason(&error)))
}

/// The first edition to serve: the kept one of the last run, or a new one.
fn first_edition(
    args: &cli::Serve,
    folder: &mut Folder,
    base: &BaseUrl,
) -> Result<(Made, First), Failure> {
    let (now, detail) = (Timestamp::now(), args.report.detail());
    let (made, first) = if let Some((made, rest)) = folder.kept(base, now) {
        terminal::say("nothing has changed since the last run: serving its edition");
        let first = First {
            made: made.at,
            rest: Some(rest),
        };
        (made, first)
    } else {
        let made = folder
            .make_first(base, now)
            .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
        made.require_something_as(detail, &args.folder.folder)?;
        let first = First {
            made: made.at,
            rest: None,
        };
        (made, first)
    };
    folder.is_live(&made.edition, &made.report);
    made.edition_report(&made.edition.problems)
        .tell(detail, Channel::Messages);
    Ok((made, first))
}

/// The observers of requests that the command line enables, including the recorder's.
fn observers(
    args: &cli::Serve,
    metrics: &Arc<Metrics>,
    state: Option<&State>,
) -> Result<(Observers, Option<Recorder>), Failure> {
    let mut observers = Observers::new();
    if args.admin.is_some() {
        observers.push(Arc::<Metrics>::clone(metrics));
    }
    if args.log_requests {
        observers.push(Arc::new(AccessLog::start().map_err(Failure::thread)?));
    }
    // Without a state folder the option was refused.
    let Some(state) = state.filter(|_| args.count_readers) else {
        return Ok((observers, None));
    };
    let tally = Arc::new(Tally::default());
    let recorder =
        Recorder::start(Store::new(state), Arc::clone(&tally)).map_err(Failure::thread)?;
    observers.push(tally);
    Ok((observers, Some(recorder)))
}

/// Raises the limit of descriptors as far as the system allows; returns how many connections fit,
/// at most `wanted`.
fn descriptors(wanted: usize) -> usize {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        /// What files, watches and listening sockets need.
        const SPARE: u64 = 64;
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
        let Some(allowed) = getrlimit(Resource::Nofile).current else {
            return wanted;
        };
        let possible = usize::try_from(allowed.saturating_sub(SPARE))
            .unwrap_or(usize::MAX)
            .max(1);
        if possible < wanted {
            terminal::warn(
                format!(
                    "the system allows {allowed} open files, so at most {possible} connections, not {wanted}"
                ),
                Some("raise `ulimit -n`"),
            );
        }
        possible.min(wanted)
    }
    #[cfg(not(target_os = "linux"))]
    wanted
}
