//! Everything that the open internet and a bad day do to a server, at once: good clients, bad
//! clients, edits, faults and kills, with one table of results.
//!
//! Everything is limited in count and time, uses the loopback address, and is derived from one
//! seed, which is printed. The load runs at a low priority, because here it competes with the
//! server for the processors.

mod bad;
mod edits;
mod faults;
mod good;
mod good2;
mod idle;
mod kills;
mod ledger;
mod process;
mod site;

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use faults::Stage;
pub use idle::raise_descriptors;
use kills::Killed;
use ledger::{Ledger, Phase, Wrong};
use process::{BASE, Process};
use site::Site;

use crate::figures::{megabytes, thousands};
use crate::random::Random;
use crate::server;
use crate::wire::Connection;
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome, table};

/// How long `ci` tortures.
const MINUTES: f64 = 1.0;
const SEED: u64 = 20_261_121;
/// Good clients that measure, and their pause.
const METERS: u64 = 3;
const PAUSE: Duration = Duration::from_millis(10);
/// Good clients at full speed, by protocol; bad clients.
const HTTP1: u64 = 3;
const HTTP2: u64 = 2;
const BAD: u64 = 4;
/// Idle connections, if the descriptor limit allows so many.
const IDLE: usize = 10_000;

/// The step.
pub fn run() -> Outcome {
    torture(MINUTES, SEED)
}

/// `cargo xtask torture --minutes N --seed N`
pub fn run_on(arguments: &[&str]) -> Outcome {
    let (mut minutes, mut seed, mut rest) = (MINUTES, SEED, arguments);
    loop {
        rest = match rest {
            [] => return torture(minutes, seed),
            ["--minutes", value, rest @ ..] => {
                minutes = value
                    .parse()
                    .map_err(|_| format!("`{value}` is no number of minutes"))?;
                rest
            }
            ["--seed", value, rest @ ..] => {
                seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?;
                rest
            }
            [other, ..] => {
                return Err(format!(
                    "`{other}` is not known: cargo xtask torture [--minutes N] [--seed N]"
                ));
            }
        };
    }
}

/// Lowers the priority of the calling thread below the server and the measuring clients.
fn be_modest() {
    #[cfg(target_os = "linux")]
    {
        // If that is refused, only the figures get worse.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 15);
    }
}

/// The parts of one run.
struct Run {
    binary: PathBuf,
    scratch: PathBuf,
    seed: u64,
    /// The total time.
    time: Duration,
    ledger: Ledger,
    rows: Vec<Vec<String>>,
}

fn torture(minutes: f64, seed: u64) -> Outcome {
    let binary = server::build()?;
    let scratch = scratch("torture")?;
    println!("{minutes} minutes, seed {seed}, in `{}`", scratch.display());
    let mut run = Run {
        binary,
        scratch,
        seed,
        time: Duration::from_secs_f64(minutes * 60.0),
        ledger: Ledger::default(),
        rows: Vec::new(),
    };
    let begun = Instant::now();
    run.soak()?;
    run.series()?;
    run.report(begun.elapsed())
}

impl Run {
    fn part(&self, part: f64) -> Duration {
        self.time.mul_f64(part).max(Duration::from_secs(2))
    }

    fn place(&self, name: &str) -> Result<PathBuf, String> {
        let place = self.scratch.join(name);
        std::fs::create_dir_all(&place)
            .map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
        Ok(place)
    }

    fn row(&mut self, what: &str, value: impl Into<String>) {
        self.rows.push(vec![what.to_owned(), value.into()]);
    }

    /// One server under all clients and all edits.
    fn soak(&mut self) -> Result<(), String> {
        let site = Site::make(&self.scratch)?;
        let state = self.place("state")?.display().to_string();
        let limit = format!("connections={}", IDLE + 2_000);
        raise_descriptors();
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
            scope.spawn(move || good2::client(&self.ledger, authority, self.seed + 200 + number));
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
        let exported = kills::tree(&target).ok_or("an export left nothing")?;
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
            if answer.status == 200 && diglot_edition::Digest::of(&answer.body) != *digest {
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

    /// Kills and faults, each with its own processes.
    fn series(&mut self) -> Result<(), String> {
        let (binary, mut random) = (self.binary.clone(), Random::seeded(self.seed + 500));
        let mut killed = Killed::default();
        println!("kills");
        let place = self.place("kills")?;
        kills::builds(
            &binary,
            &place,
            &self.ledger,
            &mut random,
            Instant::now() + self.part(0.15),
            &mut killed,
        )?;
        kills::servers(
            &binary,
            &place,
            &self.ledger,
            &mut random,
            Instant::now() + self.part(0.05),
            &mut killed,
        )?;
        self.ledger
            .faults
            .fetch_add((killed.builds + killed.servers) as u64, Relaxed);
        self.row(
            "builds killed",
            format!(
                "{} ({} runs onto nothing; {} times the new site was there)",
                killed.builds, killed.first, killed.new
            ),
        );
        self.row("servers killed", killed.servers.to_string());
        println!("faults");
        let place = self.place("descriptors")?;
        let percent = Stage {
            binary: &binary,
            place,
            ledger: &self.ledger,
        }
        .descriptors()?;
        self.row(
            "out of descriptors: processor time",
            format!("{percent} % of a core"),
        );
        let place = self.place("disk")?;
        let full = Stage {
            binary: &binary,
            place,
            ledger: &self.ledger,
        }
        .full_disk()?;
        self.row(
            "full disk",
            full.map_or(
                "not tried: only root can mount a small one",
                |()| "one warning, nothing half written",
            ),
        );
        let place = self.place("storm")?;
        let (saves, editions) = Stage {
            binary: &binary,
            place,
            ledger: &self.ledger,
        }
        .storm()?;
        self.row(
            "a storm of saves",
            format!("{} saves, {editions} editions", thousands(saves)),
        );
        let place = self.place("reloads")?;
        let wanted = ((self.time.as_secs_f64() * 0.8) as usize).clamp(40, 1000);
        let until = Instant::now() + self.part(0.2);
        let reloads = Stage {
            binary: &binary,
            place,
            ledger: &self.ledger,
        }
        .reloads(wanted, until)?;
        self.row(
            &format!(
                "memory after a tenth of {} reloads, and after all",
                thousands(reloads.done)
            ),
            format!(
                "{}, {}",
                megabytes(reloads.before),
                megabytes(reloads.after)
            ),
        );
        self.row(
            "an edit is live after (median)",
            format!("{} ms", reloads.live.as_millis()),
        );
        if reloads.after > reloads.before + reloads.before / 2 + (16 << 20) {
            self.ledger.complain(Wrong::Promise, || {
                format!(
                    "reloads: memory grew from {} to {}",
                    megabytes(reloads.before),
                    megabytes(reloads.after)
                )
            });
        }
        Ok(())
    }

    fn report(mut self, took: Duration) -> Outcome {
        let ledger = &self.ledger;
        let number = |value: &std::sync::atomic::AtomicU64| {
            thousands(usize::try_from(value.load(Relaxed)).unwrap_or(usize::MAX))
        };
        let mut rows = vec![
            vec!["requests".to_owned(), number(&ledger.requests)],
            vec!["faults injected".to_owned(), number(&ledger.faults)],
            vec!["bad inputs tried".to_owned(), number(&ledger.bad)],
            vec![
                "bytes searched for canaries".to_owned(),
                megabytes(ledger.bytes.load(Relaxed)),
            ],
            vec![
                "wrong answers".to_owned(),
                ledger.count(Wrong::Answer).to_string(),
            ],
            vec![
                "lost or half-written sites".to_owned(),
                ledger.count(Wrong::Site).to_string(),
            ],
            vec![
                "leaked canaries".to_owned(),
                ledger.count(Wrong::Canary).to_string(),
            ],
            vec![
                "failed good requests".to_owned(),
                ledger.count(Wrong::Failed).to_string(),
            ],
            vec![
                "other broken promises".to_owned(),
                ledger.count(Wrong::Promise).to_string(),
            ],
        ];
        let phases = [
            (Phase::Quiet, "latency, quiet"),
            (Phase::Load, "latency, good clients at full speed"),
            (Phase::Fire, "latency, and bad clients, edits, faults"),
            (Phase::Idle, "latency, idle connections held"),
            (Phase::Reload, "latency, edition after edition"),
        ];
        for (phase, name) in phases {
            if let (Some((half, count)), Some((most, _)), Some((worst, _))) = (
                ledger.latency(phase, 500),
                ledger.latency(phase, 990),
                ledger.latency(phase, 1000),
            ) {
                let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
                rows.push(vec![
                    name.to_owned(),
                    format!(
                        "median {}, p99 {}, worst {} ms of {}",
                        ms(half),
                        ms(most),
                        ms(worst),
                        thousands(count)
                    ),
                ]);
            }
        }
        rows.append(&mut self.rows);
        rows.push(vec![
            "time".to_owned(),
            format!("{:.0} s, seed {}", took.as_secs_f64(), self.seed),
        ]);
        print!("{}", table(&["torture", ""], &rows));
        let complaints = self.ledger.complaints();
        if complaints.is_empty() {
            Ok(Done::Passed(format!(
                "{} requests, {} faults, {} bad inputs, nothing wrong",
                rows[0][1], rows[1][1], rows[2][1]
            )))
        } else {
            Err(format!(
                "{} kinds of complaints; what servers said is in `{}`\n{}",
                complaints.len(),
                self.scratch.display(),
                complaints.join("\n")
            ))
        }
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
        if diglot_edition::Digest::of(&answer.body).to_string() != tag {
            println!("  {path} is merged of parts");
            ledger.is_merged(path);
        }
    }
    Ok(())
}
