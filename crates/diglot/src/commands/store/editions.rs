//! `diglot editions`: the editions of a store.

use diglot_store::Pointer;
use diglot_store::chain::{Entry, Refusal};
use serde_json::json;

use super::connected::Connected;
use crate::cli;
use crate::failure::Failure;
use crate::terminal;

pub(in crate::commands) fn editions(args: &cli::Editions) -> Result<(), Failure> {
    let connected = Connected::to_existing(&args.store)?;
    let mut entries = connected.wait(connected.chain().entries())?;
    entries.reverse();
    if args.json {
        terminal::print(editions_json(&entries));
        return Ok(());
    }
    if entries.is_empty() {
        let address = &connected.address;
        terminal::print(format!("`{address}` has no edition"));
        terminal::say(format!(
            "publish the first with `diglot publish FOLDER --to {address}`"
        ));
    }
    for entry in &entries {
        terminal::print(match &entry.pointer {
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
        terminal::counted(edition.articles, "article"),
        edition.base_url,
    )
}
