//! The page of weekly results: one row for each step, with the day, the commit and the machine of
//! its last run.

use std::fs;
use std::path::Path;

use super::{Machine, STEPS};
use xtask::step::{Row, note, word};

const HEADING: &str = "\
# Weekly

What takes long and rarely changes is not part of CI. `cargo xtask weekly` runs it by hand and writes this page; `cargo xtask weekly browser` runs one step and
writes its row alone.

| Step | Result | Time | Date | Commit | Cores | |
|---|---|---:|---|---|---:|---|
";

/// Writes the rows of the steps that ran; other rows are kept.
pub(super) fn write(page: &Path, machine: &Machine, rows: &[Row]) -> Result<(), String> {
    let old = fs::read_to_string(page).unwrap_or_default();
    fs::write(page, text(&old, machine, rows))
        .map_err(|error| format!("cannot write `{}`: {error}", page.display()))
}

fn text(old: &str, machine: &Machine, rows: &[Row]) -> String {
    let mut text = HEADING.to_owned();
    for step in STEPS {
        let begin = format!("| `{}` |", step.name);
        let line = match (
            rows.iter().find(|row| row.name == step.name),
            old.lines().find(|line| line.starts_with(&begin)),
        ) {
            (Some(row), _) => format!("{begin} {}", cells(machine, row)),
            (None, Some(line)) => line.to_owned(),
            (None, None) => format!("{begin} not run yet | | | | | |"),
        };
        text += &line;
        text.push('\n');
    }
    text
}

/// The cells after the name.
fn cells(machine: &Machine, row: &Row) -> String {
    let Machine {
        date,
        commit,
        cores,
    } = machine;
    let seconds = row.time.as_secs_f64();
    let time = if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{:.0} min", seconds / 60.0)
    };
    format!(
        "{} | {time} | {date} | {commit} | {cores} | {} |",
        word(&row.outcome),
        note(&row.outcome).replace('|', "\\|")
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use xtask::step::Done;

    #[test]
    fn a_run_writes_its_own_rows_and_keeps_the_others() {
        let machine = |date: &str| Machine {
            date: date.to_owned(),
            commit: "0123456789".to_owned(),
            cores: 2,
        };
        let row = |name, outcome| Row {
            name,
            outcome,
            time: Duration::from_secs(90),
        };
        let first = text(
            "",
            &machine("2027-01-01"),
            &[row("browser", Ok(Done::Passed("9 pages".to_owned())))],
        );
        assert!(
            first.contains(
                "| `browser` | passed | 2 min | 2027-01-01 | 0123456789 | 2 | 9 pages |\n"
            ),
            "{first}"
        );
        assert!(
            first.contains("| `peers` | not run yet | | | | | |\n"),
            "{first}"
        );
        let second = text(
            &first,
            &machine("2027-01-08"),
            &[row("peers", Err("a|b\nc".to_owned()))],
        );
        assert!(
            second.contains("| 2027-01-01 | 0123456789 | 2 | 9 pages |\n"),
            "{second}"
        );
        assert!(
            second.contains("| `peers` | failed | 2 min | 2027-01-08 | 0123456789 | 2 | a\\|b |\n"),
            "{second}"
        );
        assert_eq!(second.lines().count(), first.lines().count());
    }
}
