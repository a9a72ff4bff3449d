//! Fuzzing: every parser of untrusted bytes runs on generated inputs, starting from the corpora in
//! `fuzz/corpus`.
//!
//! The targets are compiled on the stable toolchain with libFuzzer's counters and no sanitizer
//! (`FLAGS`). The code under test has one small module with `unsafe`,
//! `crates/diglot/src/stored/mapped.rs`. So the findings to expect are a panic, a violated property
//! (`fuzz/src`), an endless loop or excessive memory. libFuzzer detects all of them by itself.
//!
//! In CI the search is the same every time: one seed, and a fixed number of inputs for each target
//! (`INPUTS`). A slower machine that runs out of time covers a prefix of a faster machine's
//! search, so CI tries no input that was not tried before the change landed.
//! `cargo xtask fuzz --minutes` searches further.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::turns;
use xtask::shell::{self, cargo, output, root, scratch, tail, target};
use xtask::step::{Done, Outcome, table};

/// The compiler flags for libFuzzer's counters, as in cargo-fuzz 0.13. With more than one codegen
/// unit per crate, nothing would be inlined across crates.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-sanitizer-coverage-stack-depth \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions -Ccodegen-units=1 --cfg fuzzing";
/// The fuzzing time of `ci`, summed over all targets, in minutes.
const MINUTES: u64 = 5;
/// How many targets run at once.
const AT_ONCE: usize = 2;
/// Limits for one input: seconds, megabytes of memory, and bytes of length.
const BOUNDS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096"];

/// The number of inputs for each target in CI: about 8 seconds of one core. Targets that need the
/// whole program are not included; `crates/diglot/tests/kept` varies their corpora.
const INPUTS: [(&str, u64); 16] = [
    ("audit", 225),
    ("changes", 100_000),
    ("conditions", 1_000_000),
    ("dates", 1_500_000),
    ("dialects", 2_500),
    ("framing", 350_000),
    ("front_matter", 100_000),
    ("html", 25_000),
    ("markdown", 10_000),
    ("negotiation", 250_000),
    ("pictures", 25_000),
    ("range", 2_500_000),
    ("request", 250_000),
    ("search", 10_000),
    ("settings", 87_500),
    ("site", 100),
];

/// How far a search goes, apart from its time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// The same search every time, up to the number of inputs in `INPUTS`.
    Same,
    /// A new search, as far as time allows.
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
            let minutes = minutes
                .parse()
                .map_err(|_| format!("`{minutes}` is no number of minutes"))?;
            fuzz(minutes, names, Search::New)
        }
        names => fuzz(MINUTES, names, Search::New),
    }
}

fn fuzz(minutes: u64, names: &[&str], search: Search) -> Outcome {
    let programs = programs(names, search)?;
    let seconds = (minutes * 60 / programs.len().max(1) as u64).max(1);
    println!(
        "{} targets, {seconds} s each, {AT_ONCE} at once",
        programs.len()
    );
    let findings = scratch("fuzz")?;
    let rows = turns::take(&programs, AT_ONCE, |_, program| {
        (name_of(program), one(program, seconds, search, &findings))
    })?;
    report(rows)
}

/// The targets, built with the fuzzer's counters.
fn programs(names: &[&str], search: Search) -> Result<Vec<PathBuf>, String> {
    let known = targets()?;
    if let Some(unknown) = names
        .iter()
        .find(|name| !known.iter().any(|known| known == *name))
    {
        return Err(format!(
            "no fuzz target is called `{unknown}`; there are {}",
            known.join(", ")
        ));
    }
    let triple = shell::text(Command::new("rustc").args(["--print", "host-tuple"]))?
        .trim()
        .to_owned();
    let folder = target().join("fuzz");
    let mut command = cargo();
    // An explicit target, even if it is the host: build scripts must not get the counters.
    command
        .args([
            "build",
            "--quiet",
            "--release",
            "--target",
            &triple,
            "--target-dir",
        ])
        .arg(&folder)
        .env("RUSTFLAGS", FLAGS);
    command
        .arg("--manifest-path")
        .arg(root().join("fuzz/Cargo.toml"))
        .args(search.features());
    if names.is_empty() {
        command.arg("--bins");
    }
    shell::run(command.args(names.iter().flat_map(|name| ["--bin", name])))?;
    let wanted = known.into_iter().filter(|known| {
        if names.is_empty() {
            search.has(known)
        } else {
            names.contains(&known.as_str())
        }
    });
    Ok(wanted
        .map(|name| folder.join(&triple).join("release").join(name))
        .collect())
}

/// The names of all targets.
fn targets() -> Result<Vec<String>, String> {
    let files = shell::files_below(&root().join("fuzz/fuzz_targets"))?;
    Ok(files
        .iter()
        .map(|file| name_of(&file.with_extension("")))
        .collect())
}

/// The outcome of one target: what it ran, or what it found.
type End = Result<String, String>;

/// Replays a target's corpus and fuzzes from there; new inputs are stored outside the repository.
fn one(program: &Path, seconds: u64, search: Search, findings: &Path) -> End {
    let name = name_of(program);
    let found = findings.join(&name);
    fs::create_dir_all(&found)
        .map_err(|error| format!("cannot make `{}`: {error}", found.display()))?;
    let mut command = search.command(program);
    command
        .arg(&found)
        .args(BOUNDS)
        .arg(format!("-artifact_prefix={}/{name}-", findings.display()))
        .arg(format!("-max_total_time={seconds}"));
    command
        .arg(seeds(&name, findings)?)
        .args(search.options(&name)?)
        .arg("-print_final_stats=1");
    let ended = output(command.stdin(Stdio::null()))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        return Err(format!("{}\n{}", ended.status, tail(&said, 40)));
    }
    let figure = |name: &str| {
        said.lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or("?")
            .trim()
            .to_owned()
    };
    Ok(format!(
        "{} inputs, {} MB at most",
        figure("stat::number_of_executed_units:"),
        figure("stat::peak_rss_mb:")
    ))
}

/// The option that names a target's corpus, file by file: given a folder, libFuzzer reads the files
/// in file-system order.
fn seeds(name: &str, findings: &Path) -> Result<String, String> {
    let (corpus, list) = (
        root().join("fuzz/corpus").join(name),
        findings.join(format!("{name}-corpus")),
    );
    let listed = fs::read_dir(&corpus)
        .map_err(|error| format!("cannot read `{}`: {error}", corpus.display()))?;
    let mut files: Vec<String> = listed
        .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
        .collect();
    files.sort();
    fs::write(&list, files.join(","))
        .map_err(|error| format!("cannot write `{}`: {error}", list.display()))?;
    Ok(format!("-seed_inputs=@{}", list.display()))
}

impl Search {
    /// Features for cargo: the repeatable search omits the targets that need the whole program.
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Same => &["--no-default-features"],
            Self::New => &[],
        }
    }

    /// Whether it includes this target.
    fn has(self, target: &str) -> bool {
        self == Self::New || INPUTS.iter().any(|(name, _)| *name == target)
    }

    /// The command. The repeatable search uses the same memory addresses each time, if the system
    /// can disable their randomisation: byte searches run different code up to the first aligned
    /// address, and the fuzzer is guided by which code ran.
    fn command(self, program: &Path) -> Command {
        let fixed = || {
            Command::new("setarch")
                .args(["-R", "true"])
                .stdin(Stdio::null())
                .output()
                .is_ok_and(|ended| ended.status.success())
        };
        if self == Self::Same && fixed() {
            let mut command = Command::new("setarch");
            command.arg("-R").arg(program);
            return command;
        }
        Command::new(program)
    }

    /// The options of libFuzzer. Two features that depend on the moment are disabled: rereading the
    /// corpus folder every second, and adding numbers compared in the program, which may be
    /// addresses, to the dictionary.
    fn options(self, name: &str) -> Result<Vec<String>, String> {
        match self {
            Self::New => Ok(Vec::new()),
            Self::Same => {
                let (_, inputs) = INPUTS
                    .iter()
                    .find(|(known, _)| *known == name)
                    .ok_or_else(|| format!("how many inputs `{name}` is given stands nowhere"))?;
                Ok(vec![
                    "-seed=1".to_owned(),
                    "-reload=0".to_owned(),
                    "-use_cmp=0".to_owned(),
                    format!("-runs={inputs}"),
                ])
            }
        }
    }
}

fn report(mut rows: Vec<(String, End)>) -> Outcome {
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    let row = |(name, end): &(String, End)| {
        vec![
            name.clone(),
            end.as_ref()
                .map_or_else(|_| "a finding".to_owned(), String::clone),
        ]
    };
    print!(
        "{}",
        table(&["target", ""], &rows.iter().map(row).collect::<Vec<_>>())
    );
    let found: Vec<String> = rows
        .iter()
        .filter_map(|(name, end)| Some(format!("{name}: {}", end.as_ref().err()?)))
        .collect();
    if found.is_empty() {
        Ok(Done::Passed(format!("{} targets, no finding", rows.len())))
    } else {
        Err(format!(
            "{} targets found something; inputs in `target/xtask/fuzz`\n{}",
            found.len(),
            found.join("\n")
        ))
    }
}

fn name_of(program: &Path) -> String {
    program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_number_of_inputs_or_needs_the_program() {
        let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
        for name in targets().unwrap() {
            let needs_the_program = manifest.contains(&format!(
                "path = \"fuzz_targets/{name}.rs\"\nrequired-features"
            ));
            assert_eq!(Search::Same.has(&name), !needs_the_program, "{name}");
            assert_eq!(
                Search::Same.options(&name).is_ok(),
                !needs_the_program,
                "{name}"
            );
            assert!(Search::New.has(&name) && Search::New.options(&name).is_ok());
        }
        assert!(
            INPUTS
                .iter()
                .all(|(name, _)| targets().unwrap().iter().any(|target| target == name))
        );
    }
}
