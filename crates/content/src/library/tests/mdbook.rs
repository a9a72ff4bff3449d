//! Which chapters mdBook publishes.

use super::scope::check_canaries;
use super::{build, check, former};

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

#[test]
fn rule_26_links_of_a_summary_that_are_no_chapters_publish_nothing() {
    let summary = "# Summary\n\n- [A](f(1).md)\n\n  in a paragraph [b](b.md)\n- ![p](p.md) [C](x\\_y.md)\n- [D](x&amp;z.md)\n\n# Part two, see [plan](notes/plan.md)\n\n- [E](enc%20oded.md)\n";
    check_canaries(
        &[
            BOOK,
            ("src/SUMMARY.md", summary),
            ("src/f(1).md", WORDS),
            ("src/x_y.md", WORDS),
            ("src/x&z.md", WORDS),
            ("src/enc oded.md", WORDS),
        ],
        &["src/b.md", "src/p.md", "src/notes/plan.md"],
        &[
            "src/enc oded.md /articles/enc-oded",
            "src/f(1).md /articles/f(1)",
            "src/x&z.md /articles/x&z",
            "src/x_y.md /articles/x_y",
        ],
    );
}

#[test]
fn a_chapter_keeps_its_address_beside_the_readme_of_its_folder() {
    let library = build(&[
        BOOK,
        ("src/SUMMARY.md", "- [A](a.md)\n  - [Sub](a/README.md)\n"),
        ("src/a.md", WORDS),
        ("src/a/README.md", WORDS),
    ]);
    let former = former(&library);
    assert!(
        former.iter().any(|one| one == "/a.html /articles/a"),
        "{former:?}"
    );
}

#[test]
fn rule_12_lines_that_a_book_hides_are_not_shown() {
    let config = "[book]\ntitle = 'B'\n[output.html.code.hidelines]\npython = '~'\n";
    check(
        &[
            ("book.toml", config),
            ("src/SUMMARY.md", "- [A](a.md)\n"),
            (
                "src/a.md",
                "# A\n\n```rust\n# hidden\n{{#include m.rs}}\n```\n\n```python\n~hidden\nshown\n```\n",
            ),
            ("src/m.rs", "  # hidden\nshown\n"),
        ],
        &["/articles/a: ```rust|shown|```||```python|shown|```"],
    );
}
