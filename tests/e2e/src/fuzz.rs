//! Fuzzing: every parser of untrusted bytes runs on inputs that libFuzzer makes up, starting from
//! the corpora in `fuzz/corpus`. Each search has a new seed.
//!
//! The targets are compiled on the stable toolchain with libFuzzer's counters and no sanitizer
//! (`FLAGS`). The code under test has one small module with `unsafe`,
//! `crates/diglot/src/stored/mapped.rs`. So the findings to expect are a panic, a violated property
//! (`tests/properties`), an endless loop or excessive memory. libFuzzer detects all of them by
//! itself.
//!
//! Not part of CI: compiling everything with counters takes longer than a short search.
//! `cargo test` runs the same properties over the corpora and over variations of them.

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
/// The time for all targets together unless another is given, in minutes.
const MINUTES: u64 = 5;
/// How many targets run at once.
const AT_ONCE: usize = 2;
/// Limits for one input: seconds, megabytes of memory, and bytes of length.
const BOUNDS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096"];

/// The step.
pub fn run() -> Outcome {
    fuzz(MINUTES, &[])
}

/// `cargo xtask fuzz --minutes N TARGET...`
pub fn run_on(arguments: &[&str]) -> Outcome {
    match arguments {
        ["--minutes", minutes, names @ ..] => {
            let minutes = minutes
                .parse()
                .map_err(|_| format!("`{minutes}` is no number of minutes"))?;
            fuzz(minutes, names)
        }
        names => fuzz(MINUTES, names),
    }
}

fn fuzz(minutes: u64, names: &[&str]) -> Outcome {
    let programs = programs(names)?;
    let seconds = (minutes * 60 / programs.len().max(1) as u64).max(1);
    println!(
        "{} targets, {seconds} s each, {AT_ONCE} at once",
        programs.len()
    );
    let findings = scratch("fuzz")?;
    let rows = turns::take(&programs, AT_ONCE, |_, program| {
        (name_of(program), one(program, seconds, &findings))
    })?;
    report(rows)
}

/// The targets, built with the fuzzer's counters.
fn programs(names: &[&str]) -> Result<Vec<PathBuf>, String> {
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
        .arg(root().join("fuzz/Cargo.toml"));
    if names.is_empty() {
        command.arg("--bins");
    }
    shell::run(command.args(names.iter().flat_map(|name| ["--bin", name])))?;
    let wanted = known
        .into_iter()
        .filter(|known| names.is_empty() || names.contains(&known.as_str()));
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
fn one(program: &Path, seconds: u64, findings: &Path) -> End {
    let name = name_of(program);
    let found = findings.join(&name);
    fs::create_dir_all(&found)
        .map_err(|error| format!("cannot make `{}`: {error}", found.display()))?;
    let mut command = Command::new(program);
    // The fuzzer is guided by which code ran: with one thread, work is not divided by chance.
    command
        .env("RAYON_NUM_THREADS", "1")
        .arg(&found)
        .args(BOUNDS)
        .arg(format!("-artifact_prefix={}/{name}-", findings.display()))
        .arg(format!("-max_total_time={seconds}"));
    command
        .arg(root().join("fuzz/corpus").join(&name))
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
