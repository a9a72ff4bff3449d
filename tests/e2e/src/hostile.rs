//! Texts meant to take long (`tests/hostile`): in the program that measures them, and in the binary
//! with a low time limit, where a slow file is soon set aside and reported, and the rest is
//! published.

use std::fs;
use std::path::Path;
use std::process::Command;

use diglot_hostile::{PARTS, seeds};
use jiff::Timestamp;

use crate::server;
use crate::turns;
use xtask::callgrind;
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome};

/// The size of a hostile file in bytes: as large as a file may be.
const SIZE: usize = (8 << 20) - 4096;
/// The limit, in seconds.
const LIMIT: f64 = 0.5;
/// Seconds allowed in addition to the limit: a process starts, the example's theme is read, 8 MiB
/// are written and read.
const BESIDE: f64 = 1.0;
/// One in this many of the known cases is tried.
const EACH: usize = 12;
/// How many are tried at once. Only processor time is measured.
const AT_ONCE: usize = 2;

/// The step: the known cases, and the binary. The tables take longer: `cargo xtask weekly hostile`.
pub fn run() -> Outcome {
    run_on(&["seeds"])?;
    limited().map(Done::Passed)
}

/// The sample, and at every size the part of all texts that follows from the date: each week another.
///
/// # Errors
/// A text takes too long for its size.
pub fn weekly() -> Outcome {
    let day = Timestamp::now().as_second() / (24 * 60 * 60);
    let part = usize::try_from(day).unwrap_or_default() % PARTS;
    run_on(&["--sample"])?;
    run_on(&["--part", &part.to_string()])?;
    Ok(Done::Passed(format!(
        "the sample, and part {part} of {PARTS}"
    )))
}

/// `cargo xtask hostile --sample | [--part N] SYNTAX...`: only the texts.
pub fn run_on(words: &[&str]) -> Outcome {
    if let Err(why) = callgrind::install() {
        println!("warning: {why}, so that times alone decide");
    }
    shell::run(Command::new(server::compiled("diglot-hostile")?).args(words))?;
    Ok(Done::quietly())
}

/// Runs the binary with a low limit; returns how many texts were set aside.
///
/// # Errors
/// The wrong output, or how long it took.
fn limited() -> Result<String, String> {
    let binary = server::build()?;
    let folder = scratch("hostile")?;
    let cases = limited_cases();
    let results = turns::take(&cases, AT_ONCE, |worker, (name, text, suffix)| {
        let folder = folder.join(worker.to_string());
        fill(&folder, suffix, &text(SIZE))
            .and_then(|()| check(&binary, &folder, suffix))
            .map_err(|why| format!("{name:?} as .{suffix}: {why}"))
    })?;
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    let count = results.len();
    let aside = results.iter().filter(|result| **result == Ok(true)).count();
    let mut wrong: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if aside == 0 {
        wrong.push("no text was set aside: the limit is none".to_owned());
    }
    if wrong.is_empty() {
        Ok(format!(
            "{aside} of {count} texts of 8 MiB set aside within twice {LIMIT} s"
        ))
    } else {
        Err(wrong.join("\n"))
    }
}

/// A name, a text of a given size, and the ending of its file.
type LimitedCase = (&'static str, fn(usize) -> String, &'static str);

fn limited_cases() -> Vec<LimitedCase> {
    seeds::TEXTS
        .into_iter()
        .step_by(EACH)
        .chain([("paragraphs of HTML", paragraphs as fn(usize) -> String)])
        .flat_map(|(name, text)| ["md", "html", "mdx"].map(|suffix| (name, text, suffix)))
        .collect()
}

fn paragraphs(size: usize) -> String {
    let unit = "<b>*x*</b>\n\n";
    unit.repeat(size / unit.len())
}

/// Writes a folder with a hostile file and a good one.
fn fill(folder: &Path, suffix: &str, text: &str) -> Result<(), String> {
    let posts = folder.join("posts");
    let written = match fs::remove_dir_all(&posts) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(&posts),
    };
    let written = written.and_then(|()| fs::write(posts.join(format!("bad.{suffix}")), text));
    written
        .and_then(|()| fs::write(posts.join("good.md"), "# Good\n\nx\n"))
        .map_err(|error| error.to_string())
}

/// Whether the hostile file was set aside, which must happen in time. The good one is always
/// published.
fn check(binary: &Path, folder: &Path, suffix: &str) -> Result<bool, String> {
    // The last line of the shell's output is the CPU time of its children. The limit ends runs that
    // would never end.
    let script = format!(
        "ulimit -t 120; \"$0\" check --no-state --limit rendering-time={}ms \"$1\"; times",
        LIMIT * 1000.0
    );
    let output = shell::output(
        Command::new("sh")
            .args(["-c", &script])
            .arg(binary)
            .arg(folder),
    )?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let published = |count: usize| {
        said.contains(&format!(
            "{count} article{} published",
            if count == 1 { "" } else { "s" }
        ))
    };
    if !said.contains(&format!(
        "posts/bad.{suffix}: error: set aside: parsing takes longer than {LIMIT} s"
    )) {
        return if published(2) || published(1) {
            Ok(false)
        } else {
            Err(format!(
                "the good file is not published:\n{}",
                shell::tail(&said, 20)
            ))
        };
    }
    let time = said.lines().last().and_then(|line| {
        let (minutes, seconds) = line
            .split(' ')
            .next()?
            .trim_end_matches('s')
            .split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    });
    let time = time.ok_or_else(|| format!("`times` said {said:?}"))?;
    if !published(1) {
        return Err(format!(
            "the good file is not published:\n{}",
            shell::tail(&said, 20)
        ));
    }
    if time > 2.0 * LIMIT + BESIDE {
        Err(format!("it is set aside after {time:.1} s"))
    } else {
        Ok(true)
    }
}
