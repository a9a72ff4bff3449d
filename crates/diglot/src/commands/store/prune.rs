//! `diglot prune`: deletes old editions of a store, or says what it would delete.

use diglot_store::prune::{self, Keep, Pruned};
use indicatif::HumanBytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::connected::Connected;
use crate::cli;
use crate::failure::Failure;
use crate::terminal;

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
        terminal::print(pruned_json(&pruned, args.delete));
        return Ok(());
    }
    terminal::print(pruned_line(&pruned, args.delete));
    if !args.delete && !is_nothing(&pruned) {
        terminal::say("nothing was deleted; add `--delete` to delete");
    }
    Ok(())
}

fn is_nothing(pruned: &Pruned) -> bool {
    pruned.editions.is_empty() && pruned.objects.is_empty()
}

fn pruned_line(pruned: &Pruned, deleted: bool) -> String {
    let kept = terminal::counted(pruned.kept.len(), "edition");
    if is_nothing(pruned) {
        return format!("nothing to delete; {kept} kept");
    }
    format!(
        "{} {} and {} ({}) that no other edition needs; {} kept",
        if deleted { "deleted" } else { "would delete" },
        terminal::counted(pruned.editions.len(), "edition"),
        terminal::counted(pruned.objects.len(), "object"),
        HumanBytes(pruned.bytes),
        kept,
    )
}
