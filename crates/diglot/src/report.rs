//! Terminal output. What a command was asked for, such as the report of `check`, goes to standard
//! output; progress, warnings and the reports of `build` and `serve` go to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::failure::Failure;
use diglot_content::{Problem, Severity};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

/// How lines are written on the standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line, for log collectors.
    Json,
}

/// Where a report goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: it is what the command was asked for.
    Output,
    /// Standard error: it accompanies something else.
    Messages,
}

impl Channel {
    /// Writes a line of the report: `diglot: …` among messages.
    pub fn say(self, line: impl Display) {
        match self {
            Self::Output => print(line),
            Self::Messages => say(line),
        }
    }

    /// Writes a line of the report as it is.
    pub fn line(self, line: impl Display) {
        match self {
            Self::Output => print(line),
            Self::Messages => drop(writeln!(io::stderr(), "{line}")),
        }
    }

    /// Writes a blank line.
    pub fn gap(self) {
        match self {
            Self::Output => print(""),
            Self::Messages => gap(),
        }
    }
}

/// Whether lines are JSON: one choice for the whole process, set before the first line.
static JSON: AtomicBool = AtomicBool::new(false);

/// Sets the format of all later lines.
pub fn set_format(format: Format) {
    JSON.store(format == Format::Json, Relaxed);
}

/// The format chosen.
pub fn format() -> Format {
    if JSON.load(Relaxed) {
        Format::Json
    } else {
        Format::Text
    }
}

/// The current time in structured lines (RFC 3339, milliseconds).
pub fn now() -> String {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
        .to_string()
}

/// Writes one structured line; `more` are further members.
fn structured(level: &str, message: &str, more: Value) {
    let mut line = json!({ "time": now(), "level": level, "message": message });
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints one line: `diglot: …`. A closed terminal does not end the program.
pub fn say(line: impl Display) {
    if format() == Format::Text {
        let _ = writeln!(io::stderr(), "diglot: {line}");
        return;
    }
    let line = line.to_string();
    let (level, message) = line
        .strip_prefix("warning: ")
        .map_or(("info", line.as_str()), |rest| ("warning", rest));
    structured(level, message, Value::Null);
}

/// Prints why a command fails; a failure without a message was already printed.
pub fn failure(failure: &Failure) {
    if !failure.message.is_empty() && format() == Format::Json {
        structured("error", &failure.message, json!({ "hint": failure.hint }));
    } else if !failure.message.is_empty() {
        let _ = writeln!(io::stderr(), "{failure}");
    }
}

/// Prints requested output, or text for another program, on standard output.
pub fn print(text: impl Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints problems in order, each with its place and hint; at most `most`, then the number of the
/// rest and how to see them.
pub fn problems<'a>(problems: impl IntoIterator<Item = &'a Problem>, most: usize) {
    let mut problems = problems.into_iter();
    let is_json = format() == Format::Json;
    for problem in problems.by_ref().take(most) {
        if is_json {
            let level = if problem.severity == Severity::Error {
                "error"
            } else {
                "warning"
            };
            structured(
                level,
                &problem.message,
                json!({ "place": problem.place, "hint": problem.hint, "cause": problem.cause }),
            );
        } else {
            let _ = writeln!(io::stderr(), "{problem}");
        }
    }
    match problems.count() {
        0 => {}
        more if is_json => structured(
            "warning",
            &format!("{more} more problems: `diglot check --verbose` shows them all"),
            Value::Null,
        ),
        more => drop(writeln!(
            io::stderr(),
            "… and {more} more: `diglot check --verbose` shows them all"
        )),
    }
}

/// A blank line between the problems and the summary.
pub fn gap() {
    if format() == Format::Text {
        let _ = writeln!(io::stderr());
    }
}

/// `0.4 s`; short times in milliseconds.
pub fn seconds(time: Duration) -> String {
    if time < Duration::from_millis(95) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// `1 article`, `2 articles`
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A progress bar, on a terminal only.
pub fn progress(what: &'static str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0).with_message(what);
    bar.set_style(
        ProgressStyle::with_template("diglot: {msg} {wide_bar} {pos}/{len}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_milliseconds_are_shown_as_such() {
        assert_eq!(seconds(Duration::from_millis(9)), "9 ms");
        assert_eq!(seconds(Duration::from_millis(420)), "0.4 s");
    }
}
