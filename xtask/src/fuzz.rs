//! Fuzzing: every parser of outside bytes is given what a fuzzer makes up, beginning from the corpora in `fuzz/corpus`.
//!
//! cargo-fuzz works on the stable toolchain without a sanitizer (`-s none`): the code has no `unsafe`, so what it would find is a panic, a broken promise
//! (`fuzz/src`), a loop or a waste of memory, and libFuzzer sees all of them by itself.
//!
//! In CI the search is the same every time: one seed, and a number of inputs for each target ([`INPUTS`]). A slower machine, whose time is over before, explores
//! the beginning of what a faster one explores, and none goes where nobody was before the change landed. `cargo xtask fuzz --minutes` breaks new ground.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell::{self, cargo, output, root, scratch, tail, target};
use crate::step::{Done, Outcome, table};
use crate::tools;
use crate::turns;

const VERSION: &str = "0.13.2";
/// How long `ci` fuzzes at most, the time of all targets added up.
const MINUTES: u64 = 10;
/// How many targets run at once.
const AT_ONCE: usize = 2;
/// One input must be done with in so many seconds, and never need so many megabytes.
const BOUNDS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096"];

/// How many inputs each target is given in CI: what about half a minute of one core allows.
const INPUTS: [(&str, u64); 16] = [
    ("audit", 900),
    ("conditions", 4_000_000),
    ("dates", 6_000_000),
    ("dialects", 10_000),
    ("framing", 1_400_000),
    ("front_matter", 400_000),
    ("html", 100_000),
    ("markdown", 40_000),
    ("negotiation", 1_000_000),
    ("pictures", 100_000),
    ("range", 10_000_000),
    ("readers", 1_500_000),
    ("remembered", 1_500_000),
    ("request", 1_000_000),
    ("settings", 350_000),
    ("site", 400),
];

/// How far a search goes, beside its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// The same as ever, to the number of inputs of [`INPUTS`].
    Same,
    /// Where nobody was before, as far as time allows.
    New,
}

/// The step.
pub fn run() -> Outcome {
    fuzz(MINUTES, &[], Search::Same)
}

/// `cargo xtask fuzz --minutes N TARGET...`
pub fn run_on(arguments: &[&str]) -> Outcome {
    match arguments {
        ["--minutes", minutes, names @ ..] => {
            let minutes = minutes.parse().map_err(|_| format!("`{minutes}` is no number of minutes"))?;
            fuzz(minutes, names, Search::New)
        }
        names => fuzz(MINUTES, names, Search::New),
    }
}

fn fuzz(minutes: u64, names: &[&str], search: Search) -> Outcome {
    let programs = programs(names)?;
    let seconds = (minutes * 60 / programs.len().max(1) as u64).max(1);
    println!("{} targets, {seconds} s each, {AT_ONCE} at once", programs.len());
    let findings = scratch("fuzz")?;
    let rows = turns::take(&programs, AT_ONCE, |_, program| (name_of(program), one(program, seconds, search, &findings)))?;
    report(rows)
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
fn one(program: &Path, seconds: u64, search: Search, findings: &Path) -> End {
    let name = name_of(program);
    let found = findings.join(&name);
    fs::create_dir_all(&found).map_err(|error| format!("cannot make `{}`: {error}", found.display()))?;
    let mut command = search.command(program);
    command.arg(&found).args(BOUNDS).arg(format!("-artifact_prefix={}/{name}-", findings.display())).arg(format!("-max_total_time={seconds}"));
    command.arg(seeds(&name, findings)?).args(search.options(&name)?).arg("-print_final_stats=1");
    let ended = output(command.stdin(Stdio::null()))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        return Err(format!("{}\n{}", ended.status, tail(&said, 40)));
    }
    let figure = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim().to_owned();
    Ok(format!("{} inputs, {} MB at most", figure("stat::number_of_executed_units:"), figure("stat::peak_rss_mb:")))
}

/// The option that names a target's corpus, file by file: of a folder, libFuzzer takes the files in the order in which the file system has them.
fn seeds(name: &str, findings: &Path) -> Result<String, String> {
    let (corpus, list) = (root().join("fuzz/corpus").join(name), findings.join(format!("{name}-corpus")));
    let listed = fs::read_dir(&corpus).map_err(|error| format!("cannot read `{}`: {error}", corpus.display()))?;
    let mut files: Vec<String> = listed.filter_map(|entry| Some(entry.ok()?.path().display().to_string())).collect();
    files.sort();
    fs::write(&list, files.join(",")).map_err(|error| format!("cannot write `{}`: {error}", list.display()))?;
    Ok(format!("-seed_inputs=@{}", list.display()))
}

impl Search {
    /// The program; for the same search with its memory at the same addresses, where the system lets one ask for that: searches of bytes run other code up to
    /// the first aligned address, and which code ran guides the fuzzer.
    fn command(self, program: &Path) -> Command {
        let fixed = || Command::new("setarch").args(["-R", "true"]).stdin(Stdio::null()).output().is_ok_and(|ended| ended.status.success());
        if self == Self::Same && fixed() {
            let mut command = Command::new("setarch");
            command.arg("-R").arg(program);
            return command;
        }
        Command::new(program)
    }

    /// What libFuzzer is told. Two habits of it depend on the moment and go: it reads its own folder again every second, and it takes numbers that were compared
    /// in the program for its dictionary, where addresses are among them.
    fn options(self, name: &str) -> Result<Vec<String>, String> {
        match self {
            Self::New => Ok(Vec::new()),
            Self::Same => {
                let (_, inputs) =
                    INPUTS.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("how many inputs `{name}` is given stands nowhere"))?;
                Ok(vec!["-seed=1".to_owned(), "-reload=0".to_owned(), "-use_cmp=0".to_owned(), format!("-runs={inputs}")])
            }
        }
    }
}

fn report(mut rows: Vec<(String, End)>) -> Outcome {
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    let row = |(name, end): &(String, End)| vec![name.clone(), end.as_ref().map_or_else(|_| "a finding".to_owned(), String::clone)];
    print!("{}", table(&["target", ""], &rows.iter().map(row).collect::<Vec<_>>()));
    let found: Vec<String> = rows.iter().filter_map(|(name, end)| Some(format!("{name}: {}", end.as_ref().err()?))).collect();
    if found.is_empty() {
        Ok(Done::Passed(format!("{} targets, no finding", rows.len())))
    } else {
        Err(format!("{} targets found something; inputs in `target/xtask/fuzz`\n{}", found.len(), found.join("\n")))
    }
}

fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_number_of_inputs() {
        let listed = fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap();
        let mut targets: Vec<String> = listed.map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
        targets.sort();
        assert_eq!(targets, INPUTS.map(|(name, _)| name));
        assert!(targets.iter().all(|name| Search::Same.options(name).is_ok() && Search::New.options(name).is_ok()));
        assert!(Search::Same.options("nothing").is_err());
    }
}
