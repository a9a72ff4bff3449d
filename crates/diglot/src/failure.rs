//! The failure that ends a command: an exit status, a message and possibly a hint.

use std::fmt;
use std::io;
use std::path::Path;

use diglot_content::Problem;

/// The exit status of a command that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Problems in the content or the settings.
    Content = 1,
    /// Wrong usage.
    Usage = 2,
    /// The machine failed: a full disk, an address in use, an unreadable folder. Or this program did.
    Machine = 3,
}

/// What to do about a file or folder that this user may not read.
pub const ALLOW_READING: &str =
    "allow this user to read it, as with `chmod u+rX`, or run diglot as its owner";

/// What ends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit status.
    pub status: Status,
    /// What happened: lower case, literals in back quotes. Empty if everything was already printed.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A file that an option names cannot be read: a missing one is a usage failure.
    pub fn named_file(path: &Path, error: &io::Error, hint: &str) -> Self {
        let failure = match error.kind() {
            io::ErrorKind::NotFound => Self::usage(format!(
                "cannot read `{}`: {}",
                path.display(),
                reason(error)
            )),
            _ => Self::path("read", path, error),
        };
        failure.hint(hint)
    }

    /// Content problems that were already printed, or that the message names.
    pub fn content(message: impl Into<String>) -> Self {
        Self {
            status: Status::Content,
            message: message.into(),
            hint: None,
        }
    }

    /// Wrong usage of the command.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            status: Status::Usage,
            message: message.into(),
            hint: None,
        }
    }

    /// A command or an option of a feature that this program was compiled without.
    pub fn without_feature(message: &str) -> Self {
        Self::usage(message).hint(
            "install one that has it: `cargo install --locked --path crates/diglot --features acme,mcp,store`",
        )
    }

    /// A panic, with its message and its place: a fault of this program.
    pub fn of_program(message: &str, place: &str) -> Self {
        let words: Vec<&str> = message.split_whitespace().collect();
        Self::machine(format!(
            "Diglot stopped because of a fault of its own: {} ({place})",
            words.join(" ")
        ))
        .hint("report it at https://diglot.example/, with this message and what you did")
    }

    /// A failure of the machine.
    pub fn machine(message: impl Into<String>) -> Self {
        Self {
            status: Status::Machine,
            message: message.into(),
            hint: None,
        }
    }

    /// A thread could not be started.
    pub fn thread(error: io::Error) -> Self {
        Self::machine(format!("cannot start a thread: {}", reason(&error)))
    }

    /// Standard output cannot be written.
    pub fn output(error: &io::Error) -> Self {
        Self {
            hint: advice("write", error).map(str::to_owned),
            ..Self::machine(format!(
                "cannot write to standard output: {}",
                reason(error)
            ))
        }
    }

    /// A failed operation on a path: ``cannot write `x`: no space left on device``, with a hint where
    /// the error alone tells what to do.
    pub fn path(what: &str, path: &Path, error: &io::Error) -> Self {
        let message = format!("cannot {what} `{}`: {}", path.display(), reason(error));
        Self {
            hint: advice(what, error).map(str::to_owned),
            ..Self::machine(message)
        }
    }

    /// The failure as one of the problems of a folder.
    pub fn problem(&self) -> Problem {
        let problem = Problem::error(self.message.as_str());
        match &self.hint {
            Some(hint) => problem.hint(hint.as_str()),
            None => problem,
        }
    }

    /// The same failure with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "diglot: error: {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// What to do about a failed operation on a path, as far as the error tells.
fn advice(what: &str, error: &io::Error) -> Option<&'static str> {
    match (what, error.kind()) {
        ("read", io::ErrorKind::PermissionDenied) => Some(ALLOW_READING),
        ("write" | "create", io::ErrorKind::PermissionDenied) => {
            Some("allow this user to write there, or choose another place")
        }
        ("write" | "create", io::ErrorKind::NotADirectory) => {
            Some("a file is in the way: choose another place, or move the file")
        }
        ("write", io::ErrorKind::IsADirectory) => Some("a folder is in the way: rename or move it"),
        (_, io::ErrorKind::ReadOnlyFilesystem) => Some("choose a place that can be written"),
        (_, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
            Some("free some space there, or choose a place on another disk")
        }
        _ => None,
    }
}

/// Whether the machine ran out of a resource, so that the error is not about the file.
pub fn is_exhaustion(error: &io::Error) -> bool {
    #[cfg(unix)]
    let descriptors = {
        use rustix::io::Errno;
        matches!(
            Errno::from_io_error(error),
            Some(Errno::MFILE | Errno::NFILE)
        )
    };
    #[cfg(not(unix))]
    let descriptors = false;
    descriptors || error.kind() == io::ErrorKind::OutOfMemory
}

/// The reason of an I/O error in the system's words, lower case, without the error number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    lower_case(text.split(" (os error").next().unwrap_or(&text))
}

/// A message that begins in lower case.
pub fn lower_case(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // Acronyms such as `EOF` keep their case.
        Some(first) if !letters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_lower_case_and_without_numbers() {
        let reason_of = |number| reason(&io::Error::from_raw_os_error(number));
        assert_eq!(reason_of(28), "no space left on device");
        assert_eq!(reason_of(98), "address already in use");
        assert_eq!(
            reason(&io::Error::other("EOF while reading")),
            "EOF while reading"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn exhaustion_is_no_matter_of_one_file() {
        let exhausted = |number| is_exhaustion(&io::Error::from_raw_os_error(number));
        // ENOMEM, ENFILE, EMFILE; not EIO, EACCES, ENOENT.
        assert!([12, 23, 24].into_iter().all(exhausted));
        assert!(![5, 13, 2].into_iter().any(exhausted));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_the_error_tells_to_do_is_the_hint() {
        let hint = |what, number| {
            let error = io::Error::from_raw_os_error(number);
            Failure::path(what, Path::new("x"), &error).hint
        };
        // EACCES, ENOTDIR, EISDIR, EROFS, ENOSPC, EDQUOT, EIO.
        assert_eq!(hint("read", 13).as_deref(), Some(ALLOW_READING));
        for (number, words) in [
            (13, "allow this user to write there"),
            (20, "a file is in the way"),
            (21, "a folder is in the way"),
            (30, "choose a place"),
            (28, "free some space"),
            (122, "free some space"),
        ] {
            assert!(hint("write", number).unwrap().contains(words), "{number}");
        }
        assert_eq!(hint("write", 5), None);
    }

    #[test]
    fn a_fault_of_the_program_is_one_line_and_says_where_to_report_it() {
        let fault = Failure::of_program("assertion failed\n  left: 1\n right: 2", "a.rs:1:2");
        assert_eq!(
            fault.to_string(),
            "diglot: error: Diglot stopped because of a fault of its own: assertion failed left: 1 right: 2 (a.rs:1:2)\n  hint: report it at https://diglot.example/, with this message and what you did"
        );
        assert_eq!(fault.status, Status::Machine);
    }

    #[test]
    fn a_failure_is_shown_with_its_hint() {
        let failure = Failure::usage("`x` is not a folder").hint("name a folder of articles");
        assert_eq!(
            failure.to_string(),
            "diglot: error: `x` is not a folder\n  hint: name a folder of articles"
        );
    }
}
