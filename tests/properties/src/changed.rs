//! What a published site, a store or the state says of earlier editions.

use std::collections::BTreeSet;

use diglot_edition::Digest;
use diglot_edition::changes::{EDITIONS, History, read};

/// The first line is `/changes.json`, the rest `/changes/all.json`, and both together a file of the
/// state. What is read stays within the limits, is the same when it is written and read again, and
/// leads to another edition.
pub fn changes(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (changes, pages) = input.split_at(end.unwrap_or(input.len()));
    let id = Digest::hash(b"an edition");
    let published = read(&id.to_string(), changes, pages);
    let published = published.map(|(_, history)| history);
    for history in published.into_iter().chain(History::parse(input)) {
        assert!(history.steps.len() <= EDITIONS);
        let bytes = history.to_bytes().expect("a history of an edition");
        let again = History::parse(&bytes).expect("what was written is read");
        assert_eq!(again.rows, history.rows);
        let next = Digest::hash(b"the next edition");
        let rows = history.rows.iter().skip(1).cloned().collect();
        let after = again.with(next, rows, &BTreeSet::new(), &|_| None);
        assert!(after.steps.len() <= EDITIONS);
    }
}
