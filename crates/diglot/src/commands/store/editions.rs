//! `diglot editions`, `rollback`, `diff` and `prune`: the editions of a store.

use diglot_edition::stored::{ChangedPage, Difference};
use diglot_store::chain::{Entry, Refusal};
use diglot_store::prune::{self, Keep, Pruned};
use diglot_store::reading::read_manifest;
use diglot_store::signature::SigningKey;
use diglot_store::{Chain, Pointer};
use indicatif::HumanBytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::connected::Connected;
use super::purge::Purging;
use crate::cli;
use crate::failure::Failure;
use crate::report;

/// What to do about an edition that `rollback --sign` does not sign.
const SIGNED: &str = "`--sign` signs only what its key has signed before: name another edition, or publish \
                      the folder with `diglot publish --sign`";
/// The names that a list of pages has before it is cut.
const SHOWN: usize = 10;

pub(in crate::commands) fn editions(args: &cli::Editions) -> Result<(), Failure> {
    let connected = Connected::to_existing(&args.store)?;
    let mut entries = connected.wait(connected.chain().entries())?;
    entries.reverse();
    if args.json {
        report::print(editions_json(&entries));
        return Ok(());
    }
    if entries.is_empty() {
        let address = &connected.address;
        report::print(format!("`{address}` has no edition"));
        report::say(format!(
            "publish the first with `diglot publish FOLDER --to {address}`"
        ));
    }
    for entry in &entries {
        report::print(match &entry.pointer {
            Ok(pointer) => line(pointer),
            Err(refusal) => refused_line(entry.number, refusal),
        });
    }
    Ok(())
}

fn editions_json(entries: &[Entry]) -> serde_json::Value {
    let good = entries
        .iter()
        .filter_map(|entry| entry.pointer.as_ref().ok());
    let refused = entries.iter().filter_map(|entry| {
        let refusal = entry.pointer.as_ref().err()?;
        Some(json!({ "number": entry.number, "damaged": refusal.is_damaged, "why": refusal.why }))
    });
    json!({ "editions": good.collect::<Vec<_>>(), "refused": refused.collect::<Vec<_>>() })
}

/// A pointer that cannot be read as a line of the list.
fn refused_line(number: u64, refusal: &Refusal) -> String {
    let what = if refusal.is_damaged {
        "damaged"
    } else {
        "refused"
    };
    let why = refusal.why.split_once(" is refused: ");
    format!(
        "{number:>6}  {what}: {}",
        why.map_or(refusal.why.as_str(), |(_, why)| why)
    )
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
    let connected = Connected::to_existing(&args.store)?;
    let purging = Purging::from_args(&args.purge)?;
    let key = args.publisher.key()?;
    // A signature says that the signer made the edition, so only what is signed is signed again.
    let public = key.as_ref().map(SigningKey::public);
    let chain = connected.chain_of(public.as_ref());
    let to = match &args.edition {
        Some(name) => connected.wait(chain.find(name)).map_err(|failure| {
            match public.is_some() && failure.hint.is_none() {
                true => failure.hint(SIGNED),
                false => failure,
            }
        })?,
        None => before_newest(&connected, chain)?,
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
    let again = format!(
        "`diglot rollback {}` with the same options purges them again",
        to.number
    );
    purging.run(&connected, &pointer, None, &again)
}

/// The newest good edition that differs from the newest. One that is damaged or refused differs from
/// all.
fn before_newest(connected: &Connected, chain: Chain<'_>) -> Result<Pointer, Failure> {
    let mut entries = connected.wait(chain.entries())?;
    let newest = entries.pop().and_then(|entry| entry.pointer.ok());
    let is_other = |edition: &Pointer| {
        let newest = newest.as_ref();
        newest.is_none_or(|it| it.edition != edition.edition)
    };
    let mut older = entries.into_iter().rev();
    let other = older.find_map(|entry| entry.pointer.ok().filter(is_other));
    let address = &connected.address;
    let none = || {
        let what = match chain.key {
            Some(_) => "no edition to go back to that is signed with this key",
            None => "no edition to go back to",
        };
        Failure::usage(format!("`{address}` has {what}")).hint(format!(
            "`diglot editions --to {address}` lists its editions"
        ))
    };
    other.ok_or_else(none)
}

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
    let connected = Connected::to_existing(&args.store)?;
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
