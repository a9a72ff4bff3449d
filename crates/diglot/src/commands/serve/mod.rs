//! `diglot serve`: serves the edition on a port and rebuilds it when the folder or the clock
//! changes.

mod keeper;
mod prepare;
mod secure;
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

use self::keeper::{First, Keeper, Others};
use self::prepare::Prepared;
use self::signals::{Reload, Signals};
use super::folder::{Folder, Made};
use crate::access_log::AccessLog;
use crate::failure::{Failure, reason};
use crate::fill::Filler;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::readers::{Recorder, Store, Tally};
use crate::report::Channel;
use crate::serve::{self, Live, Observer, PREVIEW, Preview, Proxies, RateLimits, Setup};
use crate::state::State;
use crate::{admin, cli, report};

type Observers = Vec<Arc<dyn Observer>>;

/// Problems printed at once; `diglot check --verbose` prints all.
const MOST_PROBLEMS: usize = 20;

pub(super) fn run(args: &cli::Serve) -> Result<(), Failure> {
    report::set_format(args.log_format);
    let mut folder = Folder::open(&args.folder)?;
    folder.stay();
    folder.shows_drafts = args.drafts;
    let prepared = prepare::prepare(args, &folder)?;
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
    let served = runtime.block_on(serve(args, folder, prepared));
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
    // Even if it cannot be written now: that may change.
    let state = folder.state().cloned();
    // The watch starts before the first reading, so that no edit during the build is lost.
    let watched = keeper::watched(args.no_watch, &folder);
    let (made, first) = first_edition(args, &mut folder, &base)?;
    let (metrics, manager, tls) = (prepared.metrics, prepared.manager, prepared.tls);
    metrics.live(&made.edition, made.time);
    let edition = Arc::new(made.edition);
    let live: Live = Arc::new(ArcSwap::new(Arc::clone(&edition)));
    let stop = signals.listen(Arc::clone(&reload)).map_err(cannot_wait)?;
    let preview = preview(args, prepared.preview, &base);
    if let Some(tls) = &tls {
        secure::keep(tls.clone(), &edition.site.base, prepared.preview)?;
    }
    let ready = ready(&edition, scheme, address);
    manager.ready(&ready);
    report::say(ready);
    prepare::keep_alive(&manager);

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
        meter: Arc::clone(&metrics),
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
    let stop = async {
        stop.await;
        metrics.stopping();
        manager.stopping();
    };
    serve::run(listener, live, setup, stop).await;
    if let Some(recorder) = recorder {
        recorder.finish();
    }
    Ok(())
}

/// `3 articles on http://127.0.0.1:8080/`
fn ready(edition: &Edition, scheme: &str, address: SocketAddr) -> String {
    format!(
        "{} on {scheme}://{address}{}",
        report::counted(edition.articles, "article"),
        edition.site.base.rooted("/")
    )
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
fn preview(args: &cli::Serve, is_preview: bool, base: &BaseUrl) -> Preview {
    let preview = Preview {
        reloads: is_preview && !args.no_reload,
        shows_drafts: args.drafts,
    };
    if !is_preview {
        return preview;
    }
    report::say(format!(
        "no base URL is set: this edition is a preview for {base}"
    ));
    if preview.shows_drafts {
        report::say("drafts and scheduled texts are shown: other machines get no answer");
    }
    if preview.reloads {
        let page = base.absolute(&format!("{PREVIEW}/"));
        report::say(format!("a page that reloads after an edit: {page}"));
    }
    preview
}

/// Serves the private address.
fn show_metrics(listener: std::net::TcpListener, metrics: Arc<Metrics>) -> Result<(), Failure> {
    let (listener, address) = listening(listener)?;
    report::say(format!("numbers at http://{address}/metrics"));
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
        report::say("nothing has changed since the last run: its edition is answered");
        let first = First {
            made: made.at,
            rest: Some(rest),
        };
        (made, first)
    } else {
        let made = folder
            .make(base, now)
            .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
        let first = First {
            made: made.at,
            rest: None,
        };
        (made, first)
    };
    made.account(&made.edition.problems)
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
    if !args.count_readers {
        return Ok((observers, None));
    }
    let Some(state) = state else {
        return Err(
            Failure::usage("`--count-readers` needs a state folder to keep the counts in")
                .hint("name one with `--state DIR`"),
        );
    };
    let tally = Arc::new(Tally::default());
    let recorder =
        Recorder::start(Store::of(state), Arc::clone(&tally)).map_err(Failure::thread)?;
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
            report::say(format!(
                "warning: the system allows {allowed} open files: there can be {possible} connections, not {wanted}"
            ));
        }
        possible.min(wanted)
    }
    #[cfg(not(target_os = "linux"))]
    wanted
}
