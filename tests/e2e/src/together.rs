//! Runs steps at the same time: each in a process of its own, whose output is shown when it has
//! ended.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::turns;
use xtask::shell::scratch;
use xtask::step::{Done, Outcome, Row, Step};

/// How many steps run at once.
const AT_ONCE: usize = 2;

/// Runs the steps, and prints the output of each when it has ended; the rows are in the order of
/// the steps.
///
/// # Errors
/// Their output has no place on the disk.
pub fn run(steps: &'static [Step]) -> Result<Vec<Row>, String> {
    let outputs = scratch("steps")?;
    turns::take(steps, AT_ONCE, |_, step| {
        let start = Instant::now();
        let outcome = apart(step.name, &outputs.join(step.name)).unwrap_or_else(Err);
        Row {
            name: step.name,
            outcome,
            time: start.elapsed(),
        }
    })
}

/// Runs one step with its output in a file, then prints that.
fn apart(name: &str, output: &Path) -> Result<Outcome, String> {
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", output.display());
    let file = File::create(output).map_err(failed)?;
    let program = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    let ended = Command::new(program)
        .arg(name)
        .stdin(Stdio::null())
        .stdout(file.try_clone().map_err(failed)?)
        .stderr(file)
        .status()
        .map_err(|error| format!("cannot run the step `{name}`: {error}"))?;
    let said = fs::read(output).map_err(failed)?;
    let said = String::from_utf8_lossy(&said);
    let (said, table) = said.rsplit_once("\nstep ").unwrap_or((&said, ""));
    println!("{said}");
    Ok(match (ended.success(), result_of(table, name)) {
        (true, Some(("skipped", note))) => Ok(Done::Skipped(note.to_owned())),
        (true, row) => Ok(Done::Passed(row.map_or("", |(_, note)| note).to_owned())),
        (false, Some((_, note))) if !note.is_empty() => Err(note.to_owned()),
        (false, _) => Err(ended.to_string()),
    })
}

/// The result and the note in the row of a step: `NAME  RESULT  TIME s  NOTE`.
fn result_of<'a>(table: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let row = table.lines().find_map(|line| {
        let rest = line.strip_prefix(name)?;
        rest.starts_with("  ").then(|| rest.trim())
    })?;
    let (result, rest) = row.split_once(' ')?;
    let note = rest.split_once(" s  ").map_or("", |(_, note)| note.trim());
    Some((result, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_step_is_read_from_its_table() {
        let table = "  result  time\n----  ------  ----\nlook  passed  1.5 s  29 pages, 3 widths\nci: 1 passed\n";
        assert_eq!(
            result_of(table, "look"),
            Some(("passed", "29 pages, 3 widths"))
        );
        let table = "deny  skipped  1.5 s\nci: 0 passed, 0 failed, 1 skipped\n";
        assert_eq!(result_of(table, "deny"), Some(("skipped", "")));
        assert_eq!(result_of("", "look"), None);
    }
}
