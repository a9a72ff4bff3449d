//! One server under all clients and all edits.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::kills::tree;
use super::ledger::{Ledger, Phase, Wrong};
use super::process::{BASE, Process};
use super::run::Run;
use super::site::Site;
use super::{bad, edits, good, good_http2, idle};
use crate::figures::megabytes;
use crate::wire::Connection;
use xtask::shell;

/// Good clients that measure, and their pause.
const METERS: u64 = 3;
const PAUSE: Duration = Duration::from_millis(10);
/// Good clients at full speed, by protocol; bad clients.
const HTTP1: u64 = 3;
const HTTP2: u64 = 2;
const BAD: u64 = 4;
/// Idle connections, if the descriptor limit allows so many.
const IDLE: usize = 10_000;

impl Run {
    /// One server under all clients and all edits.
    ///
    /// # Errors
    /// The server does not start, or a part cannot be made.
    pub fn soak(&mut self) -> Result<(), String> {
        let site = Site::make(&self.scratch)?;
        let state = self.place("state")?.display().to_string();
        let limit = format!("connections={}", IDLE + 2_000);
        idle::raise_descriptors();
        let mut server = Process::start(
            &self.binary,
            &site.current,
            &self.scratch.join("soak.log"),
            &["--state", &state, "--limit", &limit],
        )?;
        learn(&server.authority, &self.ledger)?;
        println!("quiet");
        self.phase(&server, self.part(0.05), Phase::Quiet, |_| {});
        println!("good clients at full speed");
        self.phase(&server, self.part(0.05), Phase::Load, |scope| {
            self.loaded(scope, &server.authority)
        });
        let before = server.memory();
        println!("and bad clients, edits and faults");
        let length = self.part(0.45);
        self.phase(&server, length, Phase::Fire, |scope| {
            self.loaded(scope, &server.authority);
            (0..BAD).for_each(|number| {
                drop(scope.spawn({
                    let (ledger, authority, seed) =
                        (&self.ledger, &server.authority, self.seed + 300 + number);
                    move || bad::client(ledger, authority, seed)
                }))
            });
            scope.spawn(|| edits::editor(&self.ledger, &site, self.seed + 400));
        });
        self.settled(&site, &server)?;
        let after = server.memory();
        println!("idle connections");
        let held = idle::hold(&server, &self.ledger, IDLE, || {
            self.meters_for(&server, self.part(0.05).min(Duration::from_secs(30)))
        });
        let last = server.memory();
        if !server.is_alive() || server.said().contains("panicked") {
            self.ledger.complain(Wrong::Promise, || {
                format!("the server fell\n{}", shell::tail(&server.said(), 20))
            });
        }
        self.row(
            "memory before, after the soak, after the idle connections",
            format!(
                "{}, {}, {}",
                megabytes(before),
                megabytes(after),
                megabytes(last)
            ),
        );
        if before > 0 && after > before * 2 + (32 << 20) {
            self.ledger.complain(Wrong::Promise, || {
                format!(
                    "memory grew from {} to {}",
                    megabytes(before),
                    megabytes(after)
                )
            });
        }
        self.row("idle connections held", held?);
        Ok(())
    }

    /// Runs the measuring clients and other load for this long.
    fn phase<'run>(
        &'run self,
        server: &'run Process,
        time: Duration,
        phase: Phase,
        more: impl for<'scope> FnOnce(&'scope std::thread::Scope<'scope, 'run>),
    ) {
        self.ledger.over.store(false, Relaxed);
        std::thread::scope(|scope| {
            for number in 0..METERS {
                scope.spawn(move || {
                    good::client(
                        &self.ledger,
                        &server.authority,
                        self.seed + number,
                        phase,
                        Some(PAUSE),
                    )
                });
            }
            more(scope);
            std::thread::sleep(time);
            self.ledger.over.store(true, Relaxed);
        });
        self.ledger.over.store(false, Relaxed);
    }

    fn meters_for(&self, server: &Process, time: Duration) {
        self.phase(server, time, Phase::Idle, |_| {});
    }

    /// Good clients at full speed.
    fn loaded<'scope, 'run: 'scope>(
        &'run self,
        scope: &'scope std::thread::Scope<'scope, 'run>,
        authority: &'run str,
    ) {
        for number in 0..HTTP1 {
            scope.spawn(move || {
                good::client(
                    &self.ledger,
                    authority,
                    self.seed + 100 + number,
                    Phase::Load,
                    None,
                )
            });
        }
        for number in 0..HTTP2 {
            scope.spawn(move || {
                good_http2::client(&self.ledger, authority, self.seed + 200 + number)
            });
        }
    }

    /// Checks that, once edits have stopped, the server serves exactly what a build of the folder
    /// exports.
    fn settled(&self, site: &Site, server: &Process) -> Result<(), String> {
        std::thread::sleep(Duration::from_secs(5));
        let target = self.scratch.join("settled");
        // The same state: all dates depend on the days on which changes were seen.
        let state = self.scratch.join("state");
        let mut build = std::process::Command::new(&self.binary);
        build
            .arg("build")
            .arg(&site.current)
            .arg("--output")
            .arg(&target)
            .args(["--base-url", BASE])
            .arg("--state")
            .arg(state);
        shell::text(&mut build)?;
        let exported = tree(&target).ok_or("an export left nothing")?;
        let mut connection =
            Connection::to(&server.authority).map_err(|error| error.to_string())?;
        for (path, digest) in &exported {
            let path = format!("/{}", path.display());
            let wish = good::Wish {
                method: "GET",
                path: path.clone(),
                ..good::Wish::default()
            };
            let answer = wish
                .ask(&mut connection)
                .map_err(|error| error.to_string())?;
            if answer.status == 200 && diglot_edition::Digest::hash(&answer.body) != *digest {
                // The served bytes are stored next to the exported ones, for comparison.
                let served = self
                    .scratch
                    .join("served")
                    .join(path.trim_start_matches('/').replace('/', "_"));
                let _ = std::fs::create_dir_all(self.scratch.join("served"));
                let _ = std::fs::write(&served, &answer.body);
                self.ledger.complain(Wrong::Site, || {
                    format!("{path} is served otherwise than it is exported")
                });
            }
            if answer.status != 200 && path.starts_with("/articles/") {
                self.ledger.complain(Wrong::Site, || {
                    format!("{path} is exported, but served with {}", answer.status)
                });
            }
        }
        Ok(())
    }
}

/// Finds the documents merged from parts, whose tag is not the digest of their bytes: few, and
/// always the same.
fn learn(authority: &str, ledger: &Ledger) -> Result<(), String> {
    let mut connection = Connection::to(authority).map_err(|error| error.to_string())?;
    for path in good::DOCUMENTS {
        let wish = good::Wish {
            method: "GET",
            path: path.to_owned(),
            ..good::Wish::default()
        };
        let answer = wish
            .ask(&mut connection)
            .map_err(|error| error.to_string())?;
        let tag = answer
            .header("etag")
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned();
        if diglot_edition::Digest::hash(&answer.body).to_string() != tag {
            println!("  {path} is merged of parts");
            ledger.is_merged(path);
        }
    }
    Ok(())
}
