//! `diglot build`: the edition as a folder for static hosts.

use diglot_content::BaseUrl;
use diglot_edition::{active, hosts};
use jiff::Timestamp;

use super::folder::Folder;
use crate::cli;
use crate::export::Export;
use crate::failure::Failure;
use crate::report;

pub(super) fn run(args: &cli::Build) -> Result<(), Failure> {
    let detail = args.report.detail();
    let mut folder = Folder::open(&args.folder)?;
    let mut export = Export::to(&args.output, &folder.root)?;
    export.compress = args.compress;
    let now = Timestamp::now();
    // Never used when a base URL is set; broken settings are reported before it is missed.
    let nowhere = BaseUrl::parse("http://localhost").map_err(Failure::machine)?;
    if !folder.has_base_url() {
        let read = folder.read(&nowhere, now).map_err(|broken| broken.told_as(detail))?;
        let failure = Failure::usage("a build needs the address under which the site will live");
        let hint = "give `--base-url https://example.org`, or set `base_url` in `diglot.toml`";
        return Err(failure.hint(match diglot_content::dialects::site_address(&read.sources, read.site.dialect.as_deref()) {
            Some((file, address)) => format!("{hint}; `{file}` says `{address}`"),
            None => hint.to_owned(),
        }));
    }
    folder.make_beside(export.target());
    let made = folder.make(&nowhere, now).map_err(|broken| broken.told_as(detail))?;
    folder.save();
    // No other edition follows.
    drop(folder);
    let (files, host_problems) = hosts::files(&made.edition);
    let bar = report::progress("writing");
    let told = |total: usize| {
        bar.set_length(total as u64);
        bar.inc(1);
    };
    let written = export.write(&made.edition, files.into_iter().map(|file| (file.path, file.text)), &told);
    bar.finish_and_clear();
    let written = written?;

    let mut problems = made.edition.problems.clone();
    problems.extend(host_problems);
    problems.extend(active::warning(&made.edition));
    problems.extend(written.problems);
    made.account(&problems).tell(detail);
    if let Some(origin) = written.origin {
        report::say(format!(
            "install the files of `{}` at the root of {}: clients look for them there",
            origin.display(),
            made.edition.site.base.origin()
        ));
    }
    if let Some(next) = made.edition.next_change {
        report::say(format!("build again at {next}: something appears or expires then"));
    }
    let bytes = indicatif::HumanBytes(written.bytes);
    // The program ends here, and the system takes everything at once; piece by piece it takes longer.
    std::mem::forget(made);
    report::say(format!("wrote {} ({bytes}) to `{}`", report::counted(written.files, "file"), args.output.display()));
    Ok(())
}
