//! SIGKILL at random moments: of exports, whose target must be the old site or the new one, and of
//! servers, whose state must stay valid.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use diglot_edition::Digest;

use super::ledger::{Ledger, Wrong};
use super::process::{BASE, Process};
use super::site;
use crate::random::Random;
use xtask::shell;

/// The range of kill times, as a multiple of a complete run: some runs end before they are killed.
const BEYOND: f64 = 1.15;
/// The age at which the next export removes the folder of a killed one (`export::stage`), and a
/// little more.
const SWEPT: Duration = Duration::from_secs(7);

/// A tree of files as one value: every path with its bytes.
pub type Tree = BTreeMap<PathBuf, Digest>;

/// The files at a path; `None` if nothing is there.
pub fn tree(root: &Path) -> Option<Tree> {
    let paths = root.is_dir().then(|| shell::files_below(root).ok())??;
    paths
        .into_iter()
        .map(|path| {
            Some((
                path.clone(),
                Digest::hash(&fs::read(root.join(&path)).ok()?),
            ))
        })
        .collect()
}

/// The results of a series.
#[derive(Debug, Default)]
pub struct Killed {
    /// Processes that were killed before they ended.
    pub builds: usize,
    pub servers: usize,
    /// Of the builds: those without a site to replace, and those killed after the new site was in
    /// place.
    pub first: usize,
    pub new: usize,
}

fn build(binary: &Path, folder: &Path, target: &Path, compress: bool) -> Command {
    let mut command = Command::new(binary);
    command
        .arg("build")
        .arg(folder)
        .arg("--output")
        .arg(target)
        .args(["--base-url", BASE, "--no-state"]);
    if compress {
        command.arg("--compress");
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Two sites and their expected exports.
struct Pair {
    folders: [PathBuf; 2],
    wanted: [Tree; 2],
    time: Duration,
}

impl Pair {
    fn make(binary: &Path, place: &Path, ledger: &Ledger) -> Result<Self, String> {
        let folders = ["one", "two"].map(|name| place.join(name));
        let mut wanted = Vec::new();
        let begun = Instant::now();
        for (number, folder) in folders.iter().enumerate() {
            site::folder(folder, number)
                .map_err(|error| format!("cannot write `{}`: {error}", folder.display()))?;
            let target = place.join(format!("wanted-{number}"));
            shell::run(&mut build(binary, folder, &target, number == 1))?;
            search(&target, ledger)?;
            wanted.push(tree(&target).ok_or("an export left nothing")?);
        }
        let [one, two] = <[Tree; 2]>::try_from(wanted).map_err(|_| "two exports are wanted")?;
        Ok(Self {
            folders,
            wanted: [one, two],
            time: begun.elapsed() / 2,
        })
    }
}

/// Searches every byte of an export for canaries.
fn search(target: &Path, ledger: &Ledger) -> Result<(), String> {
    for path in shell::files_below(target)? {
        ledger.search(
            "the name of an exported file",
            path.as_os_str().as_encoded_bytes(),
        );
        ledger.search(
            &format!("exported {}", path.display()),
            &fs::read(target.join(&path)).map_err(|error| error.to_string())?,
        );
    }
    Ok(())
}

/// Kills builds until the time is over.
pub fn builds(
    binary: &Path,
    place: &Path,
    ledger: &Ledger,
    random: &mut Random,
    until: Instant,
    killed: &mut Killed,
) -> Result<(), String> {
    let pair = Pair::make(binary, place, ledger)?;
    let target = place.join("public");
    let mut before: Option<Tree> = None;
    while Instant::now() < until {
        if killed.builds % 8 == 7 && target.exists() {
            fs::remove_dir_all(&target).map_err(|error| error.to_string())?;
            before = None;
        }
        let which = random.below(2);
        let mut child = build(binary, &pair.folders[which], &target, which == 1)
            .spawn()
            .map_err(|error| error.to_string())?;
        let absent = watched(
            &target,
            before.is_some(),
            pair.time.mul_f64(random.unit() * BEYOND),
        );
        if absent {
            ledger.complain(Wrong::Site, || {
                "the target was not there for a moment".to_owned()
            });
        }
        killed.builds += usize::from(matches!(child.try_wait(), Ok(None)));
        let _ = child.kill();
        let _ = child.wait();
        let now = tree(&target);
        let is_new = now.as_ref() == Some(&pair.wanted[which]);
        if now != before && !is_new {
            ledger.complain(Wrong::Site, || {
                format!(
                    "after a kill the target has {:?} files",
                    now.as_ref().map(BTreeMap::len)
                )
            });
        }
        killed.first += usize::from(before.is_none());
        killed.new += usize::from(is_new);
        before = now;
    }
    swept(binary, &pair, &target, ledger)
}

/// Watches a target as a web server would until the time of the kill; returns whether it was ever
/// absent although there was a site.
fn watched(target: &Path, there: bool, time: Duration) -> bool {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut absent = false;
            while !over.load(Relaxed) {
                absent |= !target.join("index.html").exists();
                std::thread::sleep(Duration::from_micros(200));
            }
            absent && there
        });
        std::thread::sleep(time);
        over.store(true, Relaxed);
        looking.join().unwrap_or(true)
    })
}

/// The next export removes what the killed ones left next to the target, once it is too old to be
/// in use.
fn swept(binary: &Path, pair: &Pair, target: &Path, ledger: &Ledger) -> Result<(), String> {
    std::thread::sleep(SWEPT);
    shell::run(&mut build(binary, &pair.folders[0], target, false))?;
    let names =
        fs::read_dir(target.parent().unwrap_or(target)).map_err(|error| error.to_string())?;
    let left = names
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().contains(".diglot-"))
        .count();
    if left > 0 || tree(target).as_ref() != Some(&pair.wanted[0]) {
        ledger.complain(Wrong::Site, || {
            format!("after the series {left} folders are left, or the last export is not whole")
        });
    }
    Ok(())
}

/// Kills servers while they read, serve and write their state, until the time is over.
pub fn servers(
    binary: &Path,
    place: &Path,
    ledger: &Ledger,
    random: &mut Random,
    until: Instant,
    killed: &mut Killed,
) -> Result<(), String> {
    let (folder, state, log) = (
        place.join("served"),
        place.join("state"),
        place.join("killed.log"),
    );
    site::folder(&folder, 0).map_err(|error| error.to_string())?;
    let state_text = state.display().to_string();
    let mut round = 0;
    while Instant::now() < until {
        round += 1;
        // Something to store, in the first reading and in a later one.
        let edit = |edit| {
            fs::write(
                folder.join(site::stable(edit % 3)),
                site::text("Edited", edit, edit),
            )
            .map_err(|error| error.to_string())
        };
        edit(2 * round)?;
        let mut server = Process::spawn(binary, &folder, &log, &["--state", &state_text])?;
        std::thread::sleep(Duration::from_millis(random.below(300) as u64));
        edit(2 * round + 1)?;
        std::thread::sleep(Duration::from_millis(random.below(400) as u64));
        killed.servers += usize::from(server.is_alive());
        server.kill();
        let said = server.said();
        if said.contains("is ignored") || said.contains("is not used") || said.contains("panicked")
        {
            ledger.complain(Wrong::Site, || {
                format!(
                    "after a kill the state is broken: {}",
                    shell::tail(&said, 3)
                )
            });
        }
        let dates = state.join("dates.json");
        if dates.exists()
            && fs::read(&dates).map_or(true, |bytes| {
                serde_json::from_slice::<serde_json::Value>(&bytes).is_err()
            })
        {
            ledger.complain(Wrong::Site, || {
                "after a kill the state is half written".to_owned()
            });
        }
    }
    // The next server still works, and serves the content of the folder.
    let server = Process::start(binary, &folder, &log, &["--state", &state_text])?;
    if server.said().contains("warning: `") {
        ledger.complain(Wrong::Site, || {
            format!("after the series: {}", server.said())
        });
    }
    Ok(())
}
