//! How far a command is, in one line of the terminal that is drawn again and again.
//!
//! Nothing is drawn where standard error is not a terminal, and nothing during the first moments: a
//! command that ends soon must not flicker.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diglot_content::steps::Step;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command works before its progress is shown.
const SOON: Duration = Duration::from_millis(400);
/// How often the line is drawn in a second.
const DRAWN: u8 = 8;

/// One line for the whole process: a terminal has one last line.
static LINE: Mutex<Option<Line>> = Mutex::new(None);

struct Line {
    bar: ProgressBar,
    begun: Instant,
    what: &'static str,
    is_shown: bool,
}

impl Line {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("diglot: {msg}: {human_pos} of {human_len}");
        Self {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            begun: Instant::now(),
            what: "",
            is_shown: false,
        }
    }

    fn step(&mut self, what: &'static str, done: u64, total: u64) {
        if self.what != what {
            self.what = what;
            self.bar.set_position(0);
            self.bar.set_message(what);
        }
        self.bar.inc(done);
        // Where the total is not known, it is what is done.
        self.bar.set_length(total.max(self.bar.position()));
        if !self.is_shown && self.begun.elapsed() > SOON {
            self.is_shown = true;
            let target = ProgressDrawTarget::stderr_with_hz(DRAWN);
            self.bar.set_draw_target(target);
        }
    }
}

fn line() -> MutexGuard<'static, Option<Line>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on steps are shown, until [`end`].
pub fn begin() {
    if io::stderr().is_terminal() {
        *line() = Some(Line::new());
    }
}

/// One more is done, of `total`: `parsing files: 12 of 345`.
pub fn step(what: &'static str, total: usize) {
    advance(what, 1, total as u64);
}

/// So many more are done, of `total`; 0 if that is not known.
pub fn advance(what: &'static str, done: u64, total: u64) {
    if let Some(line) = line().as_mut() {
        line.step(what, done, total);
    }
}

/// As [`step`], for a step of the pure crates.
pub fn built(step_done: Step, total: usize) {
    match step_done {
        Step::Parsed => step("parsing files", total),
        Step::Rendered => step("rendering pages", total),
    }
}

/// Clears the line.
pub fn end() {
    if let Some(line) = line().take() {
        line.bar.finish_and_clear();
    }
}

/// Writes other lines, with the progress out of the way.
pub fn aside(write: impl FnOnce()) {
    match line().as_ref() {
        Some(line) => line.bar.suspend(write),
        None => write(),
    }
}
