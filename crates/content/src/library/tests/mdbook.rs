//! Which chapters mdBook publishes.

use super::scope::check_canaries;

const BOOK: (&str, &str) = ("book.toml", "[book]\ntitle = 'B'\n");
const WORDS: &str = "words\n";

#[test]
fn rule_26_every_chapter_that_a_summary_lists_is_published() {
    let summary = "- [A](a.md)\n  - [A sub](a/README.md)\n- [C](CHANGELOG.md)\n- [L](LICENSE.md)\n- [U](_u.md)\n- [S](sub/README.md)\n";
    check_canaries(
        &[
            BOOK,
            ("src/SUMMARY.md", summary),
            ("src/a.md", WORDS),
            ("src/a/README.md", WORDS),
            ("src/CHANGELOG.md", WORDS),
            ("src/LICENSE.md", WORDS),
            ("src/_u.md", WORDS),
            ("src/sub/README.md", WORDS),
        ],
        &["src/CONTRIBUTING.md", "src/_v.md", "src/other/README.md"],
        &[
            "src/CHANGELOG.md /articles/CHANGELOG",
            "src/LICENSE.md /articles/LICENSE",
            "src/_u.md /articles/_u",
            "src/a.md /articles/a",
            "src/a/README.md /articles/a/README",
            "src/sub/README.md /articles/sub",
        ],
    );
}
