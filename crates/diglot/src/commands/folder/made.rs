//! An edition that was built from a folder, or why there is none.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use diglot_content::library::{PublicFolder, Report};
use diglot_content::{Cause, Problem, Severity};
use diglot_edition::Edition;
use jiff::Timestamp;

use crate::failure::Failure;
use crate::report::{self, Detail, EditionReport};
use crate::terminal::{self, Channel};

/// An edition, and what to report about it.
#[derive(Debug)]
pub(in crate::commands) struct Made {
    pub edition: Edition,
    pub report: Arc<Report>,
    /// The time it was built for.
    pub at: Timestamp,
    /// How long the build took.
    pub time: Duration,
    /// Whether a file probably is half saved: it was emptied a moment ago, or texts are public only
    /// because it is gone.
    pub half_saved: bool,
    /// What was not public at the last run.
    pub newly_public: Vec<PublicFolder>,
}

/// Why there is no edition.
#[derive(Debug)]
pub(in crate::commands) enum Broken {
    /// Settings or theme: for the author to fix.
    Problems(Vec<Problem>),
    /// The machine, or the folder as a whole.
    Failure(Failure),
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Made {
    /// The report on the edition, with these problems.
    pub(in crate::commands) fn edition_report<'a>(
        &'a self,
        problems: &'a [Problem],
    ) -> EditionReport<'a> {
        EditionReport {
            edition: &self.edition,
            report: &self.report,
            problems,
            time: self.time,
            newly_public: &self.newly_public,
        }
    }
}

impl Made {
    /// The edition, unless the configuration of another program has errors: those of an edition
    /// without articles withhold the whole site.
    pub(in crate::commands) fn or_errors(self) -> Result<Self, Broken> {
        let problems = self.edition.problems.iter();
        let errors = problems.filter(|problem| {
            problem.severity == Severity::Error && problem.cause == Cause::Configuration
        });
        let errors: Vec<Problem> = errors.cloned().collect();
        match errors.is_empty() {
            true => Ok(self),
            false => Err(Broken::Problems(errors)),
        }
    }

    /// A failure if nothing is published, now or later.
    pub(in crate::commands) fn require_something(&self, folder: &Path) -> Result<(), Failure> {
        let unread = self.report.only_unread();
        let has_files = !self.report.public.is_empty() && unread.is_empty();
        if has_files || self.edition.next_change.is_some() {
            return Ok(());
        }
        let folder = folder.display();
        if !unread.is_empty() {
            let message = format!(
                "no text in `{folder}` is published: texts in {} are not read",
                unread.join(" and ")
            );
            return Err(Failure::content(message).hint("convert them to Markdown or HTML"));
        }
        let (message, hint) = match self.report.found {
            0 => (
                format!("the folder `{folder}` has no files, so there is nothing to publish"),
                format!(
                    "write a first article, `{folder}/articles/first.md`, or create a site with `diglot new my-site`"
                ),
            ),
            found => (
                match found {
                    1 => format!("the only file in `{folder}` is not published"),
                    _ => format!("none of the {found} files in `{folder}` is published"),
                },
                format!("`diglot check {folder} --explain FILE` tells why a file is not published"),
            ),
        };
        Err(Failure::content(message).hint(hint))
    }
}

impl Made {
    /// As [`Self::require_something`]; if `detail` asks for JSON, the failure is on the standard
    /// output.
    pub(in crate::commands) fn require_something_as(
        &self,
        detail: Detail,
        folder: &Path,
    ) -> Result<(), Failure> {
        match self.require_something(folder) {
            Err(failure) if detail == Detail::Json => {
                terminal::print(report::json_without_edition(&[failure.problem()]));
                Err(Failure::content(""))
            }
            required => required,
        }
    }
}

impl Broken {
    /// As [`Self::told`], or as JSON on the standard output if `detail` asks for it.
    pub(in crate::commands) fn told_as(self, detail: Detail, channel: Channel) -> Failure {
        match self {
            Self::Problems(problems) if detail == Detail::Json => {
                terminal::print(report::json_without_edition(&problems));
                Failure::content("")
            }
            broken => broken.told(channel),
        }
    }

    /// Writes the problems and returns the failure that ends the command.
    pub(in crate::commands) fn told(self, channel: Channel) -> Failure {
        match self {
            Self::Problems(problems) => {
                let verdict = Failure::content(format!(
                    "{} in the settings or the theme: nothing was built",
                    terminal::counted(problems.len(), "problem")
                ));
                if channel == Channel::Output {
                    terminal::verdict(&verdict);
                    report::tell_problems(&problems, true, channel);
                    return Failure::content("");
                }
                terminal::problems(&problems, usize::MAX);
                channel.gap();
                verdict
            }
            Self::Failure(failure) => failure,
        }
    }
}
