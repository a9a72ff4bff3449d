//! What commands say about what the system refuses.

use std::fs;

use super::{ARTICLE, check};
use crate::cli::Desk;

#[test]
fn transcripts_of_what_the_system_refuses() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        ("file.txt", "x"),
        ("links/articles/first.md", ARTICLE),
    ]);
    fs::create_dir(desk.path("links/diglot.lock")).unwrap();
    check(
        "refused.txt",
        &desk,
        &[
            "new /proc/diglot",
            "new file.txt",
            "new file.txt/site",
            "build site --no-state --base-url https://example.org --output /proc/diglot/public",
            "build site --no-state --base-url https://example.org --output file.txt/public",
            "check site --state file.txt/state",
            "lock links --no-state",
            "theme init file.txt/theme nav.html",
            "clone http://127.0.0.1:1 file.txt/copy",
            "move http://127.0.0.1:1 site --cache file.txt/cache",
            "check file.txt/site",
        ],
    );
}
