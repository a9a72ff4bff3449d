//! `diglot diff`: what differs between two editions of a store.

use diglot_edition::stored::{ChangedPage, Difference};
use diglot_store::Pointer;
use diglot_store::reading::read_manifest;
use serde_json::json;

use super::connected::Connected;
use crate::cli;
use crate::failure::Failure;
use crate::terminal;

/// The names that a list of pages has before it is cut.
const SHOWN: usize = 10;

pub(in crate::commands) fn diff(args: &cli::Diff) -> Result<(), Failure> {
    let connected = Connected::to_existing(&args.store)?;
    let chain = connected.chain();
    let before = connected.wait(chain.find(&args.before))?;
    let after = match &args.after {
        Some(name) => connected.wait(chain.find(name))?,
        None => {
            let none = || Failure::usage(format!("`{}` has no edition", connected.address));
            connected.wait(chain.newest())?.ok_or_else(none)?
        }
    };
    let manifest = |pointer: &Pointer| {
        let read = read_manifest(&connected.objects, &pointer.manifest);
        connected.wait(read).map(|(_, manifest)| manifest)
    };
    let difference = Difference::between(Some(&manifest(&before)?), &manifest(&after)?);
    if args.json {
        terminal::print(json!({ "before": before, "after": after, "difference": difference }));
        return Ok(());
    }
    terminal::print(format!(
        "from edition {} to {}:",
        before.number, after.number
    ));
    for line in difference_lines(&difference) {
        terminal::print(line);
    }
    Ok(())
}

/// A count with its noun; `None` for 0.
fn counted(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {}", plural(what))),
    }
}

/// A difference in words.
pub(super) fn difference_lines(difference: &Difference) -> Vec<String> {
    let mut lines = Vec::new();
    for (what, pages) in [
        ("added", &difference.added),
        ("changed", &difference.changed),
        ("removed", &difference.removed),
    ] {
        list(what, pages.iter().map(shown), &mut lines);
    }
    let redirects = difference
        .redirected
        .iter()
        .map(|redirect| match &redirect.to {
            Some(to) => format!("`{}` to `{to}`", redirect.path),
            None => format!("`{}` no longer", redirect.path),
        });
    list("redirected", redirects, &mut lines);
    lines.extend(counted(
        difference.redrawn,
        "page with the same text looks different",
    ));
    lines.extend(counted(
        difference.others,
        "other file is new, changed or gone",
    ));
    if lines.is_empty() {
        lines.push("no difference".to_owned());
    }
    lines
}

fn plural(what: &str) -> String {
    what.replacen("page", "pages", 1)
        .replacen("file is", "files are", 1)
        .replacen("looks", "look", 1)
}

fn shown(page: &ChangedPage) -> String {
    match &page.title {
        Some(title) => format!("`{}` ({title})", page.path),
        None => format!("`{}`", page.path),
    }
}

/// A line with the count, and a line for each of the first.
fn list(what: &str, items: impl ExactSizeIterator<Item = String>, lines: &mut Vec<String>) {
    let count = items.len();
    if count == 0 {
        return;
    }
    lines.push(format!("{what}: {count}"));
    lines.extend(items.take(SHOWN).map(|item| format!("  {item}")));
    if count > SHOWN {
        lines.push(format!("  and {} more: `--json` prints all", count - SHOWN));
    }
}
