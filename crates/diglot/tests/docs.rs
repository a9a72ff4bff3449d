//! What the docs say of the code is what the code does.

use std::path::Path;

use diglot_edition::hosts::losses;

#[test]
fn the_docs_hold_the_table_of_what_each_host_loses() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/static-hosting.md");
    let docs = std::fs::read_to_string(&file).unwrap();
    let table = losses::markdown();
    let heading = table.lines().next().unwrap();
    let old: String = docs.split_inclusive('\n').skip_while(|line| line.trim_end() != heading).take_while(|line| line.starts_with('|')).collect();
    assert!(!old.is_empty(), "docs/static-hosting.md has no table that begins with `{heading}`");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, docs.replace(&old, &table)).unwrap();
        return;
    }
    assert_eq!(old, table, "UPDATE_GOLDEN=1 cargo test -p diglot --test docs writes the table anew");
}
