//! CI steps, each with its time, and a final table.

use std::time::{Duration, Instant};

/// One check of CI.
pub struct Step {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for the usage.
    pub about: &'static str,
    /// Runs it.
    pub run: fn() -> Outcome,
}

impl Step {
    /// Runs it; prints its name before and its result after what it prints itself.
    pub fn row(&self) -> Row {
        println!("==> {}: {}", self.name, self.about);
        let start = Instant::now();
        let outcome = (self.run)();
        if let Err(error) = &outcome {
            println!("{error}");
        }
        let time = start.elapsed();
        println!(
            "<== {}: {} in {:.1} s\n",
            self.name,
            word(&outcome),
            time.as_secs_f64()
        );
        Row {
            name: self.name,
            outcome,
            time,
        }
    }
}

/// The outcome of a step: a short note for the table, or what went wrong.
pub type Outcome = Result<Done, String>;

/// The result of a step that did not fail.
#[derive(Debug)]
pub enum Done {
    /// It passed; the note may be empty.
    Passed(String),
    /// There was nothing to check, and why.
    Skipped(String),
}

impl Done {
    /// Passed, without a note.
    pub fn quietly() -> Self {
        Self::Passed(String::new())
    }
}

/// The outcome of one step.
pub struct Row {
    /// The step's name.
    pub name: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// The outcomes of the steps that ran.
#[derive(Default)]
pub struct Steps {
    /// One row for each step, in the order in which they ran.
    pub rows: Vec<Row>,
}

impl Steps {
    /// Runs all of them, even after a failure, and prints the table; the last line begins with
    /// `name`.
    pub fn run(name: &str, steps: &[&Step]) -> Self {
        let mut done = Self::default();
        steps.iter().for_each(|step| done.rows.push(step.row()));
        done.print(name);
        done
    }

    /// Whether no step failed.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.outcome.is_ok())
    }

    /// Prints the table; the last line begins with `name`.
    pub fn print(&self, name: &str) {
        let row = |row: &Row| {
            vec![
                row.name.to_owned(),
                word(&row.outcome).to_owned(),
                format!("{:.1} s", row.time.as_secs_f64()),
                note(&row.outcome),
            ]
        };
        print!(
            "{}",
            table(
                &["step", "result", "time", ""],
                &self.rows.iter().map(row).collect::<Vec<_>>()
            )
        );
        let count = |wanted| {
            self.rows
                .iter()
                .filter(|row| word(&row.outcome) == wanted)
                .count()
        };
        println!(
            "{name}: {} passed, {} failed, {} skipped",
            count("passed"),
            count("failed"),
            count("skipped")
        );
    }
}

/// The outcome as one word.
pub fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Ok(Done::Passed(_)) => "passed",
        Ok(Done::Skipped(_)) => "skipped",
        Err(_) => "failed",
    }
}

/// The first line of a step's note or error.
pub fn note(outcome: &Outcome) -> String {
    let text = match outcome {
        Ok(Done::Passed(note) | Done::Skipped(note)) => note,
        Err(error) => error,
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// A table with a heading and aligned columns.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let width = |column: usize| {
        let cells = rows
            .iter()
            .chain([&heading])
            .filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    [&heading, &rule]
        .into_iter()
        .chain(rows)
        .map(line)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_aligns_its_columns() {
        let rows = [
            vec!["fmt".to_owned(), "passed".to_owned()],
            vec!["contract".to_owned(), "é".to_owned()],
        ];
        assert_eq!(
            table(&["step", "result"], &rows),
            "step      result\n--------  ------\nfmt       passed\ncontract  é\n"
        );
    }
}
