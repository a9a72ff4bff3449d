//! Instructions per answer, counted by callgrind: times vary from machine to machine, counts do
//! not.

use std::process::Command;

use crate::server;
use xtask::shell;
use xtask::step::{Done, Outcome};
use xtask::tools;

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
    if let Err(error) = tools::debian(&["valgrind"], &["valgrind"]) {
        return Ok(Done::Skipped(format!(
            "valgrind cannot be had: {}",
            error.lines().next().unwrap_or_default()
        )));
    }
    let program = server::compiled("instructions")?;
    let folder = shell::scratch("instructions")?;
    let (mut notes, mut over) = (Vec::new(), Vec::new());
    for (kind, most) in MOST {
        let mut command = Command::new("valgrind");
        command.args([
            "--tool=callgrind",
            "--collect-atstart=no",
            "--toggle-collect=instructions::answer",
            "--toggle-collect=instructions::copy",
        ]);
        command.arg(format!(
            "--callgrind-out-file={}",
            folder.join(kind).display()
        ));
        let said = shell::output(command.arg(&program).args([kind, &TIMES.to_string()]))?;
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let counted = collected(&said)
            .ok_or_else(|| format!("callgrind counted nothing:\n{}", shell::tail(&said, 10)))?
            / TIMES;
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

/// The number after `Collected :`.
fn collected(said: &str) -> Option<u64> {
    said.lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found() {
        assert_eq!(
            collected("==7== Events    : Ir\n==7== Collected : 15343050\n"),
            Some(15_343_050)
        );
        assert_eq!(collected("valgrind: no such file"), None);
        assert_eq!(
            collected("==7== Collected : 0\n"),
            None,
            "the function was not found"
        );
    }
}
