//! Fuzzing: every parser of outside bytes is given what a fuzzer makes up, beginning from the corpora in `fuzz/corpus`.
//!
//! cargo-fuzz works on the stable toolchain without a sanitizer (`-s none`): the code has no `unsafe`, so what it would find is a panic, a broken promise
//! (`fuzz/src`), a loop or a waste of memory, and libFuzzer sees all of them by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::shell::{self, cargo, output, root, scratch, tail, target};
use crate::step::{Done, Outcome, table};
use crate::tools;

const VERSION: &str = "0.13.2";
/// How long `ci` fuzzes, all targets together.
const MINUTES: u64 = 10;
/// How many targets run at once.
const AT_ONCE: usize = 2;
/// One input must be done with in so many seconds, and never need so many megabytes.
const BOUNDS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096"];

/// The seed of the step: in CI the search is the same every time, so that a finding is the change's.
const SEED: u32 = 1;
/// A new one at every run, chosen by libFuzzer: whoever asks for minutes or a target breaks new ground.
const ANY_SEED: u32 = 0;

/// The step.
pub fn run() -> Outcome {
    fuzz(MINUTES, &[], SEED)
}

/// `cargo xtask fuzz --minutes N TARGET...`
pub fn run_on(arguments: &[&str]) -> Outcome {
    match arguments {
        ["--minutes", minutes, names @ ..] => {
            let minutes = minutes.parse().map_err(|_| format!("`{minutes}` is no number of minutes"))?;
            fuzz(minutes, names, ANY_SEED)
        }
        names => fuzz(MINUTES, names, ANY_SEED),
    }
}

fn fuzz(minutes: u64, names: &[&str], seed: u32) -> Outcome {
    let programs = programs(names)?;
    let seconds = (minutes * 60 / programs.len().max(1) as u64).max(1);
    println!("{} targets, {seconds} s each, {AT_ONCE} at once", programs.len());
    let findings = scratch("fuzz")?;
    let (waiting, rows) = (Mutex::new(programs.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = waiting.lock().ok().and_then(|mut programs| programs.next()) {
                    let end = one(program, seconds, seed, &findings);
                    rows.lock().map(|mut rows| rows.push((name_of(program), end))).unwrap_or_default();
                }
            });
        }
    });
    report(rows.into_inner().unwrap_or_default(), programs.len())
}

/// The targets, built with the counters that guide the fuzzer.
fn programs(names: &[&str]) -> Result<Vec<PathBuf>, String> {
    let cargo_fuzz = program()?;
    let known: Vec<String> = shell::text(Command::new(&cargo_fuzz).args(["fuzz", "list"]).current_dir(root()))?.lines().map(str::to_owned).collect();
    if let Some(unknown) = names.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(format!("no fuzz target is called `{unknown}`; there are {}", known.join(", ")));
    }
    let triple = shell::text(Command::new("rustc").args(["--print", "host-tuple"]))?.trim().to_owned();
    let folder = target().join("fuzz");
    shell::run(Command::new(&cargo_fuzz).args(["fuzz", "build", "-s", "none", "--target-dir"]).arg(&folder).current_dir(root()))?;
    let wanted = known.into_iter().filter(|known| names.is_empty() || names.contains(&known.as_str()));
    Ok(wanted.map(|name| folder.join(&triple).join("release").join(name)).collect())
}

/// The pinned cargo-fuzz, compiled below the target folder unless it is there.
fn program() -> Result<PathBuf, String> {
    let folder = target().join("tools/cargo-fuzz");
    let place = folder.join("bin/cargo-fuzz");
    if tools::version(Command::new(&place).args(["fuzz", "--version"])) != format!("cargo-fuzz {VERSION}") {
        shell::run(cargo().args(["install", "--locked", "--quiet", "--version", VERSION, "--root"]).arg(&folder).arg("cargo-fuzz"))?;
    }
    Ok(place)
}

/// How one target ended: what it ran, or what it found.
type End = Result<String, String>;

/// Replays a target's corpus and fuzzes on from there; what is new stays out of the project.
fn one(program: &Path, seconds: u64, seed: u32, findings: &Path) -> End {
    let name = name_of(program);
    let (found, seeds) = (findings.join(&name), root().join("fuzz/corpus").join(&name));
    fs::create_dir_all(&found).map_err(|error| format!("cannot make `{}`: {error}", found.display()))?;
    let prefix = format!("-artifact_prefix={}/{name}-", findings.display());
    let mut command = Command::new(program);
    command.arg(&found).arg(seeds).args(BOUNDS).arg(prefix).arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-seed={seed}")).arg("-print_final_stats=1");
    let ended = output(command.stdin(Stdio::null()))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        return Err(format!("{}\n{}", ended.status, tail(&said, 40)));
    }
    let figure = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim().to_owned();
    Ok(format!("{} inputs, {} MB at most", figure("stat::number_of_executed_units:"), figure("stat::peak_rss_mb:")))
}

fn report(mut rows: Vec<(String, End)>, expected: usize) -> Outcome {
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    let row = |(name, end): &(String, End)| vec![name.clone(), end.as_ref().map_or_else(|_| "a finding".to_owned(), String::clone)];
    print!("{}", table(&["target", ""], &rows.iter().map(row).collect::<Vec<_>>()));
    let found: Vec<String> = rows.iter().filter_map(|(name, end)| Some(format!("{name}: {}", end.as_ref().err()?))).collect();
    match (found.is_empty(), rows.len() == expected) {
        (true, true) => Ok(Done::Passed(format!("{expected} targets, no finding"))),
        (true, false) => Err("not every target ran".to_owned()),
        (false, _) => Err(format!("{} targets found something; inputs in `target/xtask/fuzz`\n{}", found.len(), found.join("\n"))),
    }
}

fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
