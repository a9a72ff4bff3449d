//! `diglot serve`: the edition on a port, made again whenever the folder or the clock says so.

mod begin;
mod keeper;
mod secure;
mod signals;

use std::sync::Arc;
use std::thread;

use arc_swap::ArcSwap;
use diglot_content::BaseUrl;
use jiff::Timestamp;
use tokio::runtime;

use self::begin::Begun;
use self::keeper::{First, Others};
use self::signals::{Reload, Signals};
use super::folder::Folder;
use crate::access_log::AccessLog;
use crate::failure::{Failure, reason};
use crate::fill::Filler;
use crate::metrics::Metrics;
use crate::readers::{self, Tally};
use crate::serve::{self, Live, Observer, Proxies, RateLimits, Setup};
use crate::state::State;
use crate::{cli, report};

/// How many problems are printed at once; `diglot check --verbose` prints all.
const MOST_PROBLEMS: usize = 20;

pub(super) fn run(args: &cli::Serve) -> Result<(), Failure> {
    report::set_format(args.log_format);
    let mut folder = Folder::open(&args.folder)?;
    folder.stay();
    let begun = begin::begin(args, &folder)?;
    let cannot_start = |error: std::io::Error| Failure::machine(format!("cannot start: {}", reason(&error)));
    // Both pools would count the processors by files that are out of reach now.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(begun.threads).build_global();
    let runtime = runtime::Builder::new_multi_thread().worker_threads(begun.threads).thread_name("diglot-serve").enable_all().build();
    let runtime = runtime.map_err(cannot_start)?;
    let served = runtime.block_on(serve(args, folder, begun));
    // What still runs in the background is not waited for.
    runtime.shutdown_background();
    served
}

async fn serve(args: &cli::Serve, mut folder: Folder, begun: Begun) -> Result<(), Failure> {
    let Begun { listener, admin, preview, tls, manager, meter, .. } = begun;
    let cannot_wait = |error: std::io::Error| Failure::machine(format!("cannot wait for signals: {}", reason(&error)));
    let (signals, reload) = (Signals::new().map_err(cannot_wait)?, Arc::new(Reload::default()));
    let cannot_listen = |error: std::io::Error| Failure::machine(format!("cannot listen on `{}`: {}", args.listen, reason(&error)));
    let listener = tokio::net::TcpListener::from_std(listener).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let base = BaseUrl::parse(&format!("{scheme}://localhost:{}", address.port())).map_err(Failure::machine)?;
    // As it is meant: one that cannot be written now may be written later.
    let state = folder.state().cloned();
    // Watched before it is read: an edit during the first build is not lost.
    let watched = keeper::watched(args.no_watch, &folder);
    let now = Timestamp::now();
    let kept = folder.kept(&base, now);
    let is_kept = kept.is_some();
    let (made, rest) = match kept {
        Some(kept) => {
            report::say("nothing has changed since the last run: its edition is answered");
            kept
        }
        None => (folder.make(&base, now).map_err(|broken| broken.told_as(args.report.detail()))?, None),
    };
    let first = First { made: made.at, kept: is_kept, rest };
    made.account(&made.edition.problems).tell(args.report.detail());
    let meter = Arc::new(meter);
    meter.live(&made.edition, made.time);
    let edition = Arc::new(made.edition);
    let no_thread = |error: std::io::Error| Failure::machine(format!("cannot start a thread: {}", reason(&error)));
    let live: Live = Arc::new(ArcSwap::new(Arc::clone(&edition)));
    let stop = signals.listen(Arc::clone(&reload)).map_err(cannot_wait)?;
    if preview {
        report::say(format!("no base URL is set: this edition is a preview for {base}"));
    }
    if let Some(tls) = &tls {
        secure::advise(tls, &edition.site.base, preview);
        secure::keep(tls.clone())?;
    }
    let ready = format!("{} on {scheme}://{address}{}", report::counted(edition.articles, "article"), edition.site.base.rooted("/"));
    manager.ready(&ready);
    report::say(ready);
    let manager = Arc::new(manager);
    begin::keep_alive(&manager);

    let mut limits = folder.limits.clone();
    limits.connections = descriptors(limits.connections);
    let (mut observers, counting) = (observers(args, &meter)?, count(args, state.as_ref())?);
    observers.extend(counting.iter().map(|(_, tally)| -> Arc<dyn Observer> { Arc::<Tally>::clone(tally) }));
    let proxies = Proxies { trusted: args.trusted_proxy.clone(), header: args.client_address_header };
    let setup = Setup { limits, tls, proxies, rate_limits: RateLimits::new(args.rate, args.rate_bots).map(Arc::new), observers };
    if let Some(listener) = admin {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(cannot_listen)?;
        if let Ok(address) = listener.local_addr() {
            report::say(format!("numbers at http://{address}/metrics"));
        }
        tokio::spawn(crate::admin::run(listener, Arc::clone(&meter)));
    }
    // What has time is begun last: everything is ready for the first request.
    let filler = Filler::start().map_err(no_thread)?;
    // Of one that is not read whole yet the codings are still to come.
    if first.rest.is_none() {
        filler.fill(&edition);
    }
    drop(edition);
    let others = Others { meter: Arc::clone(&meter), manager: Arc::clone(&manager), reload, tls: setup.tls.clone() };
    let (current, no_watch) = (Arc::clone(&live), args.no_watch);
    let keeper = move || keeper::Keeper::new(folder, watched, no_watch, base, (current, first), filler, others).run();
    thread::Builder::new().name("diglot-editions".into()).spawn(keeper).map_err(no_thread)?;
    let stop = async {
        stop.await;
        meter.stopping();
        manager.stopping();
    };
    serve::run(listener, live, setup, stop).await;
    if let Some((keeper, _)) = counting {
        keeper.finish();
    }
    Ok(())
}

/// Who is told of every request, as far as somebody wants to know.
fn observers(args: &cli::Serve, meter: &Arc<Metrics>) -> Result<Vec<Arc<dyn Observer>>, Failure> {
    let mut observers: Vec<Arc<dyn Observer>> = Vec::new();
    if args.admin.is_some() {
        observers.push(Arc::<Metrics>::clone(meter));
    }
    if args.log_requests {
        let journal = AccessLog::start().map_err(|error| Failure::machine(format!("cannot start a thread: {}", reason(&error))))?;
        observers.push(Arc::new(journal));
    }
    Ok(observers)
}

/// Counts who reads what, where that is wanted.
fn count(args: &cli::Serve, state: Option<&State>) -> Result<Option<(readers::Recorder, Arc<Tally>)>, Failure> {
    if !args.count_readers {
        return Ok(None);
    }
    let Some(state) = state else {
        return Err(Failure::usage("`--count-readers` needs a state folder to keep the counts in").hint("name one with `--state DIR`"));
    };
    let tally = Arc::new(Tally::default());
    let keeper = readers::Recorder::start(readers::Store::of(state), Arc::clone(&tally));
    let keeper = keeper.map_err(|error| Failure::machine(format!("cannot start a thread: {}", reason(&error))))?;
    Ok(Some((keeper, tally)))
}

/// Takes all descriptors that the system allows; how many connections there can be with them, at most `wanted`.
fn descriptors(wanted: usize) -> usize {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        /// What files, watches and listening sockets need.
        const SPARE: u64 = 64;
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        let Some(allowed) = getrlimit(Resource::Nofile).current else { return wanted };
        let possible = usize::try_from(allowed.saturating_sub(SPARE)).unwrap_or(usize::MAX).max(1);
        if possible < wanted {
            report::say(format!("warning: the system allows {allowed} open files: there can be {possible} connections, not {wanted}"));
        }
        possible.min(wanted)
    }
    #[cfg(not(target_os = "linux"))]
    wanted
}
