//! The process that asks, and the one that starts it.

use std::io::{self, Read};
use std::process::{self, ExitStatus};
use std::thread;
use std::time::Duration;

use jiff::{Timestamp, Unit};

use super::ask::{Ask, Refused};
use super::authority_folder::AuthorityFolder;
use super::http::Http;
use super::plan::{Held, Memory, Step};
use crate::cli;
use crate::commands::worker;
use crate::failure::{Failure, reason};
use crate::sandbox::{self, Connects, Needs};
use crate::terminal;

/// How long to wait before a worker that died is started again; doubles up to [`LONGEST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How long to sleep at most: the clock may be set, and the files may change.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// How often to look whether the process that asks is still there.
const TURN: Duration = Duration::from_secs(5);
/// Where names are looked up if an answer is too long for a datagram.
const DNS: u16 = 53;
const HTTPS: u16 = 443;

pub(in crate::commands) fn fetch(args: &cli::FetchCertificate) -> Result<(), Failure> {
    terminal::set_format(args.log_format);
    match args.worker {
        true => work(args),
        false => supervise(),
    }
}

/// Waits until the server answers, and starts the worker until it ends by itself.
fn supervise() -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::machine(format!("cannot ask: {}", reason(&error)));
    // The end of the server's pipe is the end of the server.
    if io::stdin().read(&mut [0]).map_err(failed)? == 0 {
        return Ok(());
    }
    // It has reported what it cannot use, and starting it again would not help.
    let is_for_good = |status: ExitStatus| status.success() || status.code() == Some(2);
    worker::supervise(FIRST_WAIT, LONGEST_WAIT, is_for_good).map_err(failed)
}

fn work(args: &cli::FetchCertificate) -> Result<(), Failure> {
    let http = Http::new(args.acme.acme_ca.as_deref())?;
    if !args.no_sandbox {
        sandbox::confine(&needs(args));
    }
    let listen = || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // The server has ended. What is half written has no name yet.
        process::exit(0);
    };
    thread::Builder::new()
        .name("diglot-end".into())
        .spawn(listen)
        .map_err(Failure::thread)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::thread)?;
    let folder = AuthorityFolder::at(&args.folder);
    let worker = Worker::new(Ask {
        acme: &args.acme,
        folder: &folder,
        http: &http,
    });
    runtime.block_on(worker.run())
}

/// What the worker needs: the system's configuration of names, its folder, and one port.
fn needs(args: &cli::FetchCertificate) -> Needs {
    let uri: Option<http::Uri> = args.acme.acme_directory.parse().ok();
    let port = uri.and_then(|uri| uri.port_u16()).unwrap_or(HTTPS);
    Needs {
        read: sandbox::SYSTEM.iter().map(Into::into).collect(),
        write: vec![args.folder.clone()],
        remove_empty: Vec::new(),
        connects: Connects::Ports(vec![port, DNS]),
    }
}

struct Worker<'a> {
    ask: Ask<'a>,
    memory: Memory,
    /// Whether the memory could not be written last time.
    unwritten: bool,
}

impl<'a> Worker<'a> {
    fn new(ask: Ask<'a>) -> Self {
        Self {
            ask,
            memory: Memory::default(),
            unwritten: false,
        }
    }

    async fn run(mut self) -> Result<(), Failure> {
        let _lock = self.turn().await?;
        self.recall(Timestamp::now());
        self.tell_waiting(Timestamp::now());
        loop {
            let sleep = self.step(Timestamp::now()).await;
            tokio::time::sleep(sleep.min(LONGEST_SLEEP)).await;
        }
    }

    /// Reads what is remembered.
    fn recall(&mut self, now: Timestamp) {
        // A process that died may have left something to be shown.
        self.ask.folder.hide();
        self.memory = self.ask.folder.memory(now);
    }

    /// Does what is due at this time. Returns the time until the next step; zero if something was
    /// done.
    async fn step(&mut self, now: Timestamp) -> Duration {
        self.memory.settle(now);
        let held = self.ask.folder.held(&self.ask.acme.domain);
        let next = self.memory.next(held.as_ref(), now);
        if next.at > now {
            return next.at.duration_since(now).unsigned_abs();
        }
        match (next.step, held) {
            (Step::AskWindow, Some(held)) => self.ask_window(&held, now).await,
            (_, held) => self.order(held.as_ref(), now).await,
        }
        Duration::ZERO
    }

    /// Waits until no other process asks for this folder.
    async fn turn(&self) -> Result<std::fs::File, Failure> {
        let mut said = false;
        loop {
            let lock = self.ask.folder.lock();
            let failed = |error| Failure::machine(format!("cannot ask: {}", reason(&error)));
            if let Some(lock) = lock.map_err(failed)? {
                return Ok(lock);
            }
            if !said {
                terminal::say("another server asks for the certificate, and this one uses it");
                said = true;
            }
            tokio::time::sleep(TURN).await;
        }
    }

    async fn ask_window(&mut self, held: &Held, now: Timestamp) {
        let Some(id) = &held.id else { return };
        match self.ask.window(id).await {
            Some((window, again)) => {
                self.memory.suggested(id, window, (now, again), dice());
            }
            None => self.memory.no_suggestion(id, now),
        }
        let _ = self.remember();
    }

    async fn order(&mut self, held: Option<&Held>, now: Timestamp) {
        self.memory.begin(now);
        // A try that cannot be remembered is not made: otherwise a restart would ask again too
        // soon.
        let room = self.remember().and_then(|()| self.ask.folder.room());
        let ordered = match room {
            Ok(room) => {
                let (names, before) = (self.names(), held.and_then(|held| held.id.as_deref()));
                terminal::say(format!("a certificate for {names} is asked for"));
                self.ask.order(room, before, now).await
            }
            Err(error) => Err(error.into()),
        };
        match ordered {
            Ok(()) => {
                self.memory.issued();
                let _ = self.remember();
                self.tell_issued();
            }
            Err(refused) => {
                if let Some(pause) = self.ask.http.pause() {
                    self.memory.close(now, pause);
                }
                let _ = self.remember();
                self.tell_refused(held, &refused, now);
            }
        }
    }

    fn remember(&mut self) -> io::Result<()> {
        let written = self.ask.folder.remember(&self.memory);
        if let Err(error) = &written
            && !self.unwritten
        {
            let why = reason(error);
            terminal::say(format!("warning: cannot write the state folder: {why}"));
        }
        self.unwritten = written.is_err();
        written
    }

    fn names(&self) -> String {
        let names = self.ask.acme.domain.iter();
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        names.join(", ")
    }

    /// Says that there is no certificate, and that the limits of authorities allow no order yet.
    fn tell_waiting(&self, now: Timestamp) {
        let held = self.ask.folder.held(&self.ask.acme.domain);
        let next = self.memory.next(held.as_ref(), now).at;
        if held.is_none() && next > now {
            let (names, next) = (self.names(), moment(next));
            terminal::say(format!(
                "warning: there is no certificate for {names} yet; next try at {next}"
            ));
        }
    }

    fn tell_issued(&self) {
        let Some(held) = self.ask.folder.held(&self.ask.acme.domain) else {
            return;
        };
        terminal::say(format!(
            "a certificate for {} was issued, valid until {}",
            self.names(),
            moment(held.until)
        ));
    }

    fn tell_refused(&self, held: Option<&Held>, refused: &Refused, now: Timestamp) {
        let next = moment(self.memory.next(held, now).at);
        let (names, why) = (self.names(), &refused.message);
        let warning = match held {
            None => format!("no certificate for {names}: {why}; next try at {next}"),
            Some(held) => format!(
                "the certificate for {names} was not renewed: {why}; it is valid until {}; next try at {next}",
                moment(held.until)
            ),
        };
        terminal::warn(warning, refused.hint.as_deref());
    }
}

/// A moment to the second.
fn moment(time: Timestamp) -> String {
    time.round(Unit::Second).unwrap_or(time).to_string()
}

/// A number from 0 to 1.
fn dice() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    let random = RandomState::new().hash_one(());
    random as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests;
