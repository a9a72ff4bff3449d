//! Whole sites, their exports compared byte for byte: every file of an expected tree must be made,
//! and every file made must be expected.
//!
//! One site has every kind of article and setting; beside it each folder of `tests/folders` has the
//! habits of one kind of folder. Each is read as the binary reads it, at a fixed moment and with
//! one fixed date for every file, so that no clock, no history and no file time gets into it.
//!
//! After a change that is meant: `UPDATE_GOLDEN=1 cargo test -p diglot --test all golden` writes all
//! trees; read the difference before you commit it.

mod expected;
mod fixture;
mod lists;

use std::collections::BTreeSet;
use std::fs;

use diglot_content::settings::DIALECTS;

use fixture::{ALL, Made};

#[test]
fn every_folder_is_exported_as_expected() {
    let mut wrong: Vec<String> = ALL.iter().filter_map(Made::difference).collect();
    // A tree whose folder is gone would be compared with nothing.
    for tree in fs::read_dir(fixture::expected_of_kinds())
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if ALL.iter().all(|made| made.fixture.expected != tree) {
            wrong.extend(expected::unused(&tree));
        }
    }
    assert!(wrong.is_empty(), "\n{}{}", wrong.join("\n"), expected::HINT);
}

/// A kind without a folder would be compared with nothing.
#[test]
fn every_kind_of_folder_has_one_that_is_read_as_it() {
    for kind in DIALECTS {
        let of_kind = ALL.iter().find(|made| made.fixture.name == kind);
        let made = of_kind.unwrap_or_else(|| panic!("`tests/folders` has no folder `{kind}`"));
        let report: serde_json::Value =
            serde_json::from_slice(&made.output["report.json"]).unwrap();
        assert_eq!(report["dialect"][0], kind, "the kind of `{kind}`");
    }
}

/// Every fixture has one of these words wherever a reader must never find it.
#[test]
fn nothing_unpublished_is_in_any_answer() {
    for made in ALL.iter() {
        for (path, bytes) in made.published() {
            let text = String::from_utf8_lossy(&bytes);
            assert!(
                !text.contains("CANARY") && !path.contains("CANARY"),
                "{}: `CANARY` is in `{path}`",
                made.fixture.name
            );
        }
    }
}

#[test]
fn every_list_has_the_articles_that_the_folder_has() {
    let articles = lists::articles();
    let folders: BTreeSet<&String> = ALL.iter().map(|made| &made.fixture.name).collect();
    assert!(
        folders.iter().copied().eq(articles.keys()),
        "`articles.txt` has {:?}, not {folders:?}",
        articles.keys()
    );
    let mut wrong = Vec::new();
    for made in ALL.iter() {
        let name = &made.fixture.name;
        wrong.extend(
            lists::problems(&made.published(), &articles[name])
                .into_iter()
                .map(|problem| format!("{name}: {problem}")),
        );
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
