//! Instructions per answer, counted by callgrind: times vary from machine to machine, counts do
//! not.

use std::process::Command;

use crate::server;
use xtask::callgrind;
use xtask::shell;
use xtask::step::{Done, Outcome};

/// The limit on instructions of `respond` for each kind of request: the current count of the release
/// build plus a tenth. The packaged build takes a sixth less.
/// Lower it after an improvement; give the reason in the commit when raising it.
///
/// The first entry is a baseline without Diglot's work: a copy of the answer to `html`, as in a
/// service that answers everything with the same bytes.
const MOST: [(&str, u64); 5] = [
    ("constant", 2_780),
    ("html", 11_790),
    ("br", 13_050),
    ("markdown", 13_730),
    ("304", 9_820),
];

/// How many answers are counted.
const TIMES: u64 = 2_000;

/// Counts every kind and compares.
pub fn count() -> Outcome {
    if let Err(why) = callgrind::install() {
        return Ok(Done::Skipped(why));
    }
    let program = server::compiled("instructions")?;
    let folder = shell::scratch("instructions")?;
    let (mut notes, mut over) = (Vec::new(), Vec::new());
    for (kind, most) in MOST {
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
