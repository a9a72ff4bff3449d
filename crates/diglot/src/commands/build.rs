//! `diglot build`: writes the edition as a folder for static hosts.

use diglot_content::{BaseUrl, Problem, dialects};
use diglot_edition::{active, hosts};
use jiff::Timestamp;

use super::folder::{Folder, Made};
use crate::cli;
use crate::export::{Export, Written};
use crate::failure::Failure;
use crate::report::{self, Channel};

pub(super) fn run(args: &cli::Build) -> Result<(), Failure> {
    let detail = args.report.detail();
    let mut folder = Folder::open(&args.folder)?;
    let mut export = Export::to(&args.output, &folder.root)?;
    export.compress = args.compress;
    let now = Timestamp::now();
    // Unused if a base URL is set; invalid settings are reported before a missing one.
    let nowhere = BaseUrl::parse("http://localhost").map_err(Failure::machine)?;
    if !folder.has_base_url() {
        let read = folder
            .read(&nowhere, now)
            .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
        return Err(no_address(dialects::site_address(
            &read.sources,
            read.site.dialect.as_deref(),
        )));
    }
    folder.make_beside(export.target());
    let made = folder
        .make(&nowhere, now)
        .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
    folder.save();
    // No further edition is built from this folder.
    drop(folder);
    let (written, host_problems) = write(&export, &made)?;

    let mut problems = made.edition.problems.clone();
    problems.extend(host_problems);
    problems.extend(active::warning(&made.edition));
    problems.extend(written.problems);
    made.account(&problems).tell(detail, Channel::Messages);
    if let Some(origin) = written.origin {
        let (origin, root) = (origin.display(), made.edition.site.base.origin());
        report::say(format!(
            "install the files of `{origin}` at the root of {root}: clients look for them there"
        ));
    }
    if let Some(next) = made.edition.next_change {
        report::say(format!(
            "build again at {next}: something appears or expires then"
        ));
    }
    // The process is about to exit, and the system frees its memory faster than drops would.
    std::mem::forget(made);
    let bytes = indicatif::HumanBytes(written.bytes);
    report::say(format!(
        "wrote {} ({bytes}) to `{}`",
        report::counted(written.files, "file"),
        args.output.display()
    ));
    Ok(())
}

/// The failure for a missing base URL; `known` is another generator's file and the address in it.
fn no_address(known: Option<(String, String)>) -> Failure {
    let mut hint =
        "give `--base-url https://example.org`, or set `base_url` in `diglot.toml`".to_owned();
    if let Some((file, address)) = known {
        hint += &format!("; `{file}` says `{address}`");
    }
    Failure::usage("a build needs the address under which the site will live").hint(hint)
}

/// Writes the edition and the configuration for hosts; the problems are those of the latter.
fn write(export: &Export, made: &Made) -> Result<(Written, Vec<Problem>), Failure> {
    let (files, problems) = hosts::files(&made.edition);
    let bar = report::progress("writing");
    let progress = |total: usize| {
        bar.set_length(total as u64);
        bar.inc(1);
    };
    let written = export.write(
        &made.edition,
        files.into_iter().map(|file| (file.path, file.text)),
        &progress,
    );
    bar.finish_and_clear();
    Ok((written?, problems))
}
