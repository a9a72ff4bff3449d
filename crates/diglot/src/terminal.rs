//! Terminal output. What a command was asked for, such as the report of `check`, goes to standard
//! output; progress, warnings and the reports of `build` and `serve` go to standard error.

use std::env;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::failure::Failure;
use crate::progress;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
pub use diglot_content::text::counted;
use diglot_content::{Problem, Severity};
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
            Self::Output if QUIET.load(Relaxed) => {}
            Self::Output => print(line),
            Self::Messages => say(line),
        }
    }

    /// Writes a line of the report as it is.
    pub fn line(self, line: impl Display) {
        match self {
            Self::Output => print(line),
            Self::Messages => error_line(line),
        }
    }

    /// Writes a blank line.
    pub fn gap(self) {
        match self {
            _ if QUIET.load(Relaxed) => {}
            Self::Output => print(""),
            Self::Messages => gap(),
        }
    }
}

/// Whether lines are JSON: one choice for the whole process, set before the first line.
static JSON: AtomicBool = AtomicBool::new(false);

/// Whether only problems, errors and results are printed.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether standard output could not be written.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Sets the colours of all later lines, and whether only what matters is printed.
pub fn set_style(color: clap::ColorChoice, quiet: bool) {
    let choice = match color {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
    QUIET.store(quiet, Relaxed);
}

/// Whether standard output shows colours.
pub fn is_coloured() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// A word before a message, in its style: `error:`.
#[derive(Clone, Copy, Debug)]
pub struct Label(&'static str, Style);

impl Label {
    /// `hint:`
    pub const HINT: Self = Self("hint", AnsiColor::Cyan.on_default());

    /// `error:` or `warning:`
    pub const fn from_severity(severity: Severity) -> Self {
        let (name, colour) = match severity {
            Severity::Error => ("error", AnsiColor::Red),
            Severity::Warning => ("warning", AnsiColor::Yellow),
        };
        Self(name, colour.on_default().bold())
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, style) = self;
        write!(f, "{style}{name}:{style:#}")
    }
}

/// A problem as it is printed: its place, its severity in colour, its message and its hint.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'p>(pub &'p Problem);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(problem) = self;
        if let Some(place) = &problem.place {
            write!(f, "{place}: ")?;
        }
        write!(
            f,
            "{} {}",
            Label::from_severity(problem.severity),
            problem.message
        )?;
        match &problem.hint {
            Some(hint) => write!(f, "\n  {} {hint}", Label::HINT),
            None => Ok(()),
        }
    }
}

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
    let line = line.to_string();
    let warning = line.strip_prefix("warning: ");
    if warning.is_none() && QUIET.load(Relaxed) {
        return;
    }
    if format() == Format::Json {
        let level = if warning.is_some() { "warning" } else { "info" };
        return structured(level, warning.unwrap_or(&line), Value::Null);
    }
    let label = Label::from_severity(Severity::Warning);
    match warning {
        Some(warning) => error_line(format_args!("diglot: {label} {warning}")),
        None => error_line(format_args!("diglot: {line}")),
    }
}

/// Prints a warning and what to do about it.
pub fn warn(warning: impl Display, hint: Option<&str>) {
    let Some(hint) = hint else {
        return say(format_args!("warning: {warning}"));
    };
    if format() == Format::Json {
        return structured("warning", &warning.to_string(), json!({ "hint": hint }));
    }
    say(format_args!("warning: {warning}\n  {} {hint}", Label::HINT));
}

/// Writes a line to standard error. A closed terminal does not end the program.
fn error_line(line: impl Display) {
    progress::aside(|| drop(writeln!(anstream::stderr(), "{line}")));
}

/// Prints why a command fails; a failure without a message was already printed.
pub fn failure(failure: &Failure) {
    if !failure.message.is_empty() && format() == Format::Json {
        structured("error", &failure.message, json!({ "hint": failure.hint }));
    } else if !failure.message.is_empty() {
        let (label, message) = (Label::from_severity(Severity::Error), &failure.message);
        error_line(format_args!("diglot: {label} {message}"));
        if let Some(hint) = &failure.hint {
            error_line(format_args!("  {} {hint}", Label::HINT));
        }
    }
}

/// Has panics reported as the faults of this program that they are. Who asks for a trace gets it too.
pub fn own_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        if env::var_os("RUST_BACKTRACE").is_some() {
            before(panicked);
        }
        let message = panicked.payload_as_str().unwrap_or("no message");
        let place = panicked.location().map(ToString::to_string);
        failure(&Failure::of_program(message, &place.unwrap_or_default()));
    }));
}

/// Prints several reasons why a command fails, and returns the last, which ends it.
pub fn all(failures: impl IntoIterator<Item = Failure>) -> Failure {
    let mut last = Failure::usage("");
    for one in failures {
        failure(&std::mem::replace(&mut last, one));
    }
    last
}

/// Prints why a report has no edition, before the rest of the report on standard output.
pub fn verdict(failure: &Failure) {
    print(format_args!(
        "{} {}",
        Label::from_severity(Severity::Error),
        failure.message
    ));
    if let Some(hint) = &failure.hint {
        print(format_args!("  {} {hint}", Label::HINT));
    }
    Channel::Output.gap();
}

/// Prints requested output, or text for another program, on standard output.
pub fn print(text: impl Display) {
    note_output(writeln!(anstream::stdout(), "{text}"));
}

/// Tells once that standard output could not be written. A program that closed it has read enough.
pub fn note_output(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() != io::ErrorKind::BrokenPipe && !IS_LOST.swap(true, Relaxed) {
        failure(&Failure::output(&error));
    }
}

/// Whether something that was asked for could not be written.
pub fn is_output_lost() -> bool {
    IS_LOST.load(Relaxed)
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
            error_line(Shown(problem));
        }
    }
    match problems.count() {
        0 => {}
        more if is_json => structured(
            "warning",
            &format!("{more} more problems: `diglot check --verbose` shows them all"),
            Value::Null,
        ),
        more => error_line(format_args!(
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

/// Shows the progress until [`progress::end`], if messages are for a terminal and wanted.
pub fn show_progress() {
    if format() == Format::Text && !QUIET.load(Relaxed) {
        progress::begin();
    }
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
