//! `diglot check`: reports everything that needs fixing and writes nothing into the folder.

mod as_agent;

use std::mem;
use std::path::{Component, Path, PathBuf};

use diglot_content::{BaseUrl, library};
use jiff::Timestamp;

use super::folder::Folder;
use crate::failure::Failure;
use crate::report::Detail;
use crate::terminal::{Channel, Shown};
use crate::{cli, report, terminal};

pub(super) fn run(args: &cli::Check) -> Result<(), Failure> {
    let mut folder = Folder::open(&args.folder)?;
    let base = BaseUrl::parse("http://localhost:8080").map_err(Failure::machine)?;
    let now = Timestamp::now();
    if let Some(file) = &args.explain {
        return explain(&mut folder, file, args.report.json, &base, now);
    }
    let made = folder
        .make(&base, now)
        .map_err(|broken| broken.told_as(args.report.detail(), Channel::Output))?;
    folder.save();
    if let Some(agent) = args.as_agent {
        made.require_something(&args.folder.folder)?;
        return as_agent::tell(&made.edition, agent, args.report.json, args.strict);
    }
    let mut problems = made.edition.problems.clone();
    let nothing = made.require_something(&args.folder.folder).err();
    let detail = args.report.detail();
    match &nothing {
        Some(failure) if detail == Detail::Json => problems.insert(0, failure.problem()),
        Some(failure) => terminal::verdict(failure),
        None => {}
    }
    made.edition_report(&problems).tell(detail, Channel::Output);
    end(nothing.is_some() || report::fails(&problems, args.strict))
}

/// The end of a command that has already printed why it fails.
fn end(fails: bool) -> Result<(), Failure> {
    match fails {
        true => Err(Failure::content("")),
        false => Ok(()),
    }
}

fn explain(
    folder: &mut Folder,
    file: &Path,
    json: bool,
    base: &BaseUrl,
    now: Timestamp,
) -> Result<(), Failure> {
    let read = folder
        .read(base, now)
        .map_err(|broken| broken.told(Channel::Output))?;
    let path = relative(&folder.root, file);
    if !read
        .sources
        .files
        .iter()
        .any(|source| *source.path == *path)
        && !read.sources.unread.iter().any(|unread| unread.path == path)
    {
        return Err(Failure::usage(format!(
            "the folder has no file `{path}`, or does not read it"
        ))
        .hint("hidden folders and the output of `diglot build` are not read"));
    }
    let mut explanation = library::explain(&read.sources, &read.site, now, &path);
    let fails = report::fails(&explanation.problems, false);
    if json {
        terminal::print(serde_json::to_string_pretty(&explanation).unwrap_or_default());
        return end(fails);
    }
    let problems = mem::take(&mut explanation.problems);
    terminal::print(explanation);
    problems.iter().map(Shown).for_each(terminal::print);
    end(fails)
}

/// The path below the folder: relative to the working directory if possible, else unchanged.
fn relative(root: &Path, file: &Path) -> String {
    let seen = absolute(file).filter(|path| path.exists());
    let path = seen
        .as_deref()
        .and_then(|path| path.strip_prefix(root).ok())
        .unwrap_or(file);
    let mut parts = Vec::new();
    for part in path.components() {
        if part != Component::CurDir {
            parts.push(part.as_os_str().to_string_lossy());
        }
    }
    parts.join("/")
}

/// The absolute path of a file, with the links in its folder resolved.
fn absolute(file: &Path) -> Option<PathBuf> {
    let folder = match file.parent()? {
        parent if parent.as_os_str().is_empty() => Path::new("."),
        parent => parent,
    };
    Some(folder.canonicalize().ok()?.join(file.file_name()?))
}
