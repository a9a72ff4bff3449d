//! `diglot editions`, `rollback`, `diff` and `prune`: the editions of a store.

use diglot_edition::stored::{ChangedPage, Difference};
use diglot_store::Pointer;
use diglot_store::prune::{self, Keep, Pruned};
use diglot_store::reading::read_manifest;
use indicatif::HumanBytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::connected::Connected;
use super::purge::{self, Purging};
use crate::cli;
use crate::failure::Failure;
use crate::report;

/// The names that a list of pages has before it is cut.
const SHOWN: usize = 10;

pub(in crate::commands) fn editions(args: &cli::Editions) -> Result<(), Failure> {
    let connected = Connected::to(&args.store)?;
    let mut editions = connected.wait(connected.chain().all())?;
    editions.reverse();
    if args.json {
        report::print(json!({ "editions": editions }));
        return Ok(());
    }
    if editions.is_empty() {
        let address = &connected.address;
        report::print(format!("`{address}` has no edition"));
        report::say(format!(
            "publish the first with `diglot publish FOLDER --to {address}`"
        ));
    }
    for edition in &editions {
        report::print(line(edition));
    }
    Ok(())
}

/// An edition as a line of the list.
fn line(edition: &Pointer) -> String {
    let by = match edition.publisher.as_str() {
        "" => String::new(),
        name => format!("  {name}"),
    };
    let repeats = edition
        .repeats
        .map(|number| format!("  (edition {number} again)"))
        .unwrap_or_default();
    format!(
        "{:>6}  {}  {}  {}  {}{by}{repeats}",
        edition.number,
        edition.published.strftime("%Y-%m-%d %H:%M:%S UTC"),
        edition.edition.get(..12).unwrap_or(&edition.edition),
        report::counted(edition.articles, "article"),
        edition.base_url,
    )
}

pub(in crate::commands) fn rollback(args: &cli::Rollback) -> Result<(), Failure> {
    let connected = Connected::to(&args.store)?;
    let purging = Purging::of(&args.purge)?;
    let key = args.publisher.key()?;
    let to = match &args.edition {
        Some(name) => connected.wait(connected.chain().find(name))?,
        None => before_newest(&connected)?,
    };
    let who = (Timestamp::now(), args.publisher.name.clone());
    let rolled = prune::rollback(&connected.objects, &to, who, key.as_ref());
    let pointer = connected.wait(rolled)?;
    report::say(format!(
        "edition {} of `{}` is edition {} again",
        pointer.number, connected.address, to.number
    ));
    let Some(purging) = purging else {
        return Ok(());
    };
    let urls = purge::addresses(&connected, &pointer, None)?;
    let again = format!(
        "`diglot rollback {}` with the same options purges them again",
        to.number
    );
    purging.run(&connected, &pointer, &urls, &again)
}

/// The newest edition that differs from the newest.
fn before_newest(connected: &Connected) -> Result<Pointer, Failure> {
    let mut editions = connected.wait(connected.chain().all())?;
    let newest = editions.pop();
    let other = editions.into_iter().rev().find(|edition| {
        newest
            .as_ref()
            .is_some_and(|it| it.edition != edition.edition)
    });
    let address = &connected.address;
    let none = || {
        Failure::usage(format!("`{address}` has no edition to go back to")).hint(format!(
            "`diglot editions --to {address}` lists its editions"
        ))
    };
    other.ok_or_else(none)
}

pub(in crate::commands) fn diff(args: &cli::Diff) -> Result<(), Failure> {
    let connected = Connected::to(&args.store)?;
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
        report::print(json!({ "before": before, "after": after, "difference": difference }));
        return Ok(());
    }
    report::print(format!(
        "from edition {} to {}:",
        before.number, after.number
    ));
    for line in difference_lines(&difference) {
        report::print(line);
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

fn pruned_json(pruned: &Pruned, deleted: bool) -> serde_json::Value {
    json!({
        "deleted": deleted,
        "kept": &pruned.kept,
        "editions": &pruned.editions,
        "objects": pruned.objects,
        "bytes": pruned.bytes,
    })
}

pub(in crate::commands) fn prune(args: &cli::Prune) -> Result<(), Failure> {
    let connected = Connected::to(&args.store)?;
    let keep = Keep {
        newest: args.keep.into(),
        younger_than: SignedDuration::from_hours(24 * i64::from(args.older_than)),
        wait: args.wait,
    };
    let objects = &connected.objects;
    let pruned = match args.delete {
        true => connected.wait(prune::prune(objects, keep))?,
        false => connected.wait(prune::plan(objects, keep, Timestamp::now()))?,
    };
    if args.json {
        report::print(pruned_json(&pruned, args.delete));
        return Ok(());
    }
    report::print(pruned_line(&pruned, args.delete));
    if !args.delete && !is_nothing(&pruned) {
        report::say("nothing was deleted; add `--delete` to delete");
    }
    Ok(())
}

fn is_nothing(pruned: &Pruned) -> bool {
    pruned.editions.is_empty() && pruned.objects.is_empty()
}

fn pruned_line(pruned: &Pruned, deleted: bool) -> String {
    let kept = report::counted(pruned.kept.len(), "edition");
    if is_nothing(pruned) {
        return format!("nothing to delete; {kept} kept");
    }
    format!(
        "{} {} and {} ({}) that no other edition needs; {} kept",
        if deleted { "deleted" } else { "would delete" },
        report::counted(pruned.editions.len(), "edition"),
        report::counted(pruned.objects.len(), "object"),
        HumanBytes(pruned.bytes),
        kept,
    )
}
