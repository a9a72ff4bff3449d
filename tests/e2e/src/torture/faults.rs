//! Faults of the machine and storms of edits, one after the other, each with its own server.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::good::Wish;
use super::ledger::{Ledger, Phase, Wrong};
use super::process::{BASE, Process};
use super::site;
use crate::wire::Connection;
use xtask::shell;

/// How long an edit may take to go live.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many connections compete for too few descriptors.
const GREEDY: usize = 120;
/// The descriptor limit of that server.
const DESCRIPTORS: usize = 48;

/// The surroundings of a fault.
pub struct Stage<'a> {
    pub binary: &'a Path,
    /// Its own folder.
    pub place: PathBuf,
    pub ledger: &'a Ledger,
}

fn failed(error: std::io::Error) -> String {
    error.to_string()
}

fn wish(path: &str) -> Wish {
    Wish {
        method: "GET",
        path: path.to_owned(),
        ..Wish::default()
    }
}

impl Stage<'_> {
    fn serve(&self, arguments: &[&str]) -> Result<(PathBuf, Process), String> {
        let folder = self.place.join("site");
        site::folder(&folder, 0).map_err(failed)?;
        let server = Process::start(
            self.binary,
            &folder,
            &self.place.join("server.log"),
            arguments,
        )?;
        Ok((folder, server))
    }

    /// Waits until an edit is live; returns how long that took.
    fn wait_for(&self, server: &Process, edit: usize, phase: Phase) -> Result<Duration, String> {
        let (begun, mark) = (Instant::now(), format!("endmark{edit} "));
        let mut connection = Connection::to(&server.authority).map_err(failed)?;
        while begun.elapsed() < PATIENCE {
            let (asked, wish) = (Instant::now(), wish("/articles/stable-1.md"));
            let answer = wish.ask(&mut connection).map_err(failed)?;
            self.ledger.took(phase, asked.elapsed());
            let there = answer
                .body
                .windows(mark.len())
                .any(|window| window == mark.as_bytes());
            wish.judge(answer, None, self.ledger);
            if there {
                return Ok(begun.elapsed());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Err(format!(
            "edit {edit} is not live after {PATIENCE:?}\n{}",
            shell::tail(&server.said(), 5)
        ))
    }

    fn edit(&self, folder: &Path, edit: usize) -> Result<(), String> {
        self.ledger.faults.fetch_add(1, Relaxed);
        let swap = folder.join("articles/.swap");
        fs::write(&swap, site::text("Stable 1", 1, edit))
            .and_then(|()| fs::rename(swap, folder.join(site::stable(1))))
            .map_err(failed)
    }

    /// Out of descriptors: accepting backs off without spinning, no page disappears, and the server
    /// recovers. Returns the processor time in the meantime, in percent of one core.
    pub fn descriptors(&self) -> Result<u128, String> {
        let (folder, server) = self.serve(&["--no-state"])?;
        // The limit is lowered at run time: the server stays below any limit that it sees at its
        // start.
        let allowed = server.allow(DESCRIPTORS)?;
        self.ledger.faults.fetch_add(1, Relaxed);
        let mut first = Connection::to(&server.authority).map_err(failed)?;
        wish("/").ask(&mut first).map_err(failed)?;
        let greedy: Vec<_> = (0..GREEDY)
            .filter_map(|_| TcpStream::connect(&server.authority).ok())
            .collect();
        let begun = Instant::now();
        while server.descriptors() < DESCRIPTORS && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(500));
        let (begun, cpu) = (Instant::now(), server.cpu());
        std::thread::sleep(Duration::from_secs(2));
        let percent = (server.cpu() - cpu).as_millis() * 100 / begun.elapsed().as_millis().max(1);
        if percent > 30 {
            self.ledger.complain(Wrong::Promise, || {
                format!("without descriptors {percent} % of a core is used for nothing")
            });
        }
        self.edit(&folder, 7)?;
        std::thread::sleep(Duration::from_millis(800));
        // Open connections continue, and every page is still there.
        for number in 0..site::STABLE {
            let wish = wish(&format!("/articles/stable-{number}.html"));
            let answer = wish
                .ask(&mut first)
                .map_err(|error| format!("out of descriptors: {error}"))?;
            wish.judge(answer, None, self.ledger);
        }
        drop(greedy);
        server.allow(allowed)?;
        self.wait_for(&server, 7, Phase::Reload)?;
        Ok(percent)
    }

    /// Edition after edition; returns memory after the first tenth and after the last, and how long
    /// an edit takes to go live at the median.
    pub fn reloads(&self, count: usize, until: Instant) -> Result<Reloads, String> {
        let (folder, server) = self.serve(&["--no-state"])?;
        let (mut memory, mut times) = (0, Vec::new());
        for edit in 1..=count {
            if Instant::now() > until {
                break;
            }
            self.edit(&folder, edit)?;
            times.push(self.wait_for(&server, edit, Phase::Reload)?);
            if edit == count.div_ceil(10) {
                memory = server.memory();
            }
        }
        times.sort_unstable();
        let live = times.get(times.len() / 2).copied().unwrap_or_default();
        Ok(Reloads {
            done: times.len(),
            before: memory,
            after: server.memory(),
            live,
        })
    }

    /// Two seconds of saves without a pause; returns the number of saves and of editions.
    pub fn storm(&self) -> Result<(usize, usize), String> {
        let (folder, server) = self.serve(&["--no-state"])?;
        let begun = Instant::now();
        let mut saves = 0;
        while begun.elapsed() < Duration::from_secs(2) {
            saves += 1;
            self.edit(&folder, saves)?;
        }
        self.wait_for(&server, saves, Phase::Reload)?;
        let editions = server.said().matches(" is live (").count();
        // The server waits for a storm to end for 400 ms at most: in two seconds of storm, and the
        // editions after it, that is the maximum.
        if editions > 8 {
            self.ledger.complain(Wrong::Promise, || {
                format!("{saves} saves made {editions} editions")
            });
        }
        Ok((saves, editions))
    }

    /// A full disk under the state, then under an export; `None` without the right to mount a small
    /// disk.
    pub fn full_disk(&self) -> Result<Option<()>, String> {
        let Some(disk) = Disk::mount(&self.place.join("disk"), "600k") else {
            return Ok(None);
        };
        let state = disk.0.join("state").display().to_string();
        fs::create_dir_all(&state).map_err(failed)?;
        fill(&disk.0.join("filler"));
        self.ledger.faults.fetch_add(2, Relaxed);
        let (folder, server) = self.serve(&["--state", &state])?;
        self.edit(&folder, 3)?;
        self.wait_for(&server, 3, Phase::Reload)?;
        let warnings = server.said().matches("dates cannot be saved").count();
        if warnings != 1 {
            self.ledger.complain(Wrong::Promise, || {
                format!(
                    "a full disk under the state was said {warnings} times\n{}",
                    server.said()
                )
            });
        }
        drop(server);
        let target = disk.0.join("public");
        let build = || {
            let mut command = Command::new(self.binary);
            command
                .arg("build")
                .arg(&folder)
                .arg("--output")
                .arg(&target)
                .args(["--base-url", BASE, "--no-state"]);
            shell::output(&mut command)
        };
        let said = build()?;
        if said.status.code() != Some(3) || target.exists() {
            self.ledger.complain(Wrong::Site, || {
                format!(
                    "an export onto a full disk: {}\n{}",
                    said.status,
                    String::from_utf8_lossy(&said.stderr)
                )
            });
        }
        Ok(Some(()))
    }
}

/// The result of many editions.
#[derive(Clone, Copy, Debug)]
pub struct Reloads {
    pub done: usize,
    pub before: u64,
    pub after: u64,
    pub live: Duration,
}

/// A small disk that is unmounted when dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(place: &Path, size: &str) -> Option<Self> {
        fs::create_dir_all(place).ok()?;
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(place)
            .output()
            .ok()?;
        mounted.status.success().then(|| Self(place.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Fills a disk to the last byte.
fn fill(path: &Path) {
    let mut size = 64 * 1024;
    let mut written = 0;
    while size > 0 {
        written += size;
        if fs::write(path, vec![0; written]).is_err() {
            written -= size;
            size /= 2;
        }
    }
    let _ = fs::write(path, vec![0; written]);
}
