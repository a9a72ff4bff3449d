//! Instructions per answer, counted by callgrind: times vary from machine to machine, counts do
//! not.

use std::path::PathBuf;
use std::process::Command;

use crate::server;
use xtask::callgrind;
use xtask::shell;
use xtask::step::{Done, Outcome};

/// The most instructions of `respond` for each kind of request: the count plus a tenth. Lower it
/// after an improvement; give the reason in the commit when raising it.
///
/// The first entry is a baseline without Diglot's work: a copy of the answer to `html`, as in a
/// service that answers everything with the same bytes.
type Most = [(&'static str, u64); 5];

/// For the profile `release`, which optimises only what every text passes.
const COMPILED: Most = [
    ("constant", 2_780),
    ("html", 21_590),
    ("br", 23_780),
    ("markdown", 20_970),
    ("304", 20_040),
];

/// For the profile of packages.
const PACKAGED: Most = [
    ("constant", 2_560),
    ("html", 8_520),
    ("br", 9_560),
    ("markdown", 10_480),
    ("304", 7_230),
];

/// How many answers are counted.
const TIMES: u64 = 2_000;

/// Counts every kind in the program as `cargo build --release` compiles it.
pub fn count() -> Outcome {
    compare(&COMPILED, || server::compiled("instructions"))
}

/// Counts every kind in the program as it is packaged.
pub fn count_packaged() -> Outcome {
    let package = ["--package", "diglot-instructions"];
    compare(&PACKAGED, || {
        server::packaged_program("instructions", &package)
    })
}

fn compare(most: &Most, program: impl FnOnce() -> Result<PathBuf, String>) -> Outcome {
    if let Err(why) = callgrind::install() {
        return Ok(Done::Skipped(why));
    }
    let program = program()?;
    let folder = shell::scratch("instructions")?;
    let (mut notes, mut over) = (Vec::new(), Vec::new());
    for &(kind, most) in most {
        let mut command = Command::new(&program);
        command.args([kind, &TIMES.to_string()]);
        let functions = ["instructions::answer", "instructions::copy"];
        let counted = callgrind::count(&command, &functions, &folder.join(kind))? / TIMES;
        println!("{kind:<10} {counted:>7} instructions an answer, at most {most}");
        notes.push(format!("{kind} {counted}"));
        if counted > most {
            over.push(format!(
                "an answer to `{kind}` takes {counted} instructions, more than {most}: see {}",
                folder.join(kind).display()
            ));
        }
    }
    if over.is_empty() {
        Ok(Done::Passed(notes.join(", ")))
    } else {
        Err(over.join("\n"))
    }
}
