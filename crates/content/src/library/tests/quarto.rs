//! What Quarto renders, and where its pages are.

use super::scope::{canaries, check_canaries};

use super::{build, former};

const WORDS: &str = "words\n";

#[test]
fn rule_26_exclusions_of_quarto_count_wherever_they_are_written_and_in_any_folder() {
    let config = "project:\n  type: website\n  render:\n    - \"!first.qmd\"\n    - \"**/*.qmd\"\n    - \"!drafts/\"\n    - \"!wip.qmd\"\n    - \"!*-notes.qmd\"\n    - \"!/rooted.qmd\"\n    - \"!./dotted.qmd\"\n";
    check_canaries(
        &[
            ("_quarto.yml", config),
            ("index.qmd", WORDS),
            ("posts/ok.qmd", WORDS),
            ("posts/rooted.qmd", WORDS),
            ("posts/dotted.qmd", WORDS),
        ],
        &[
            "first.qmd",
            "deep/first.qmd",
            "drafts/a.qmd",
            "posts/drafts/b.qmd",
            "posts/wip.qmd",
            "posts/x-notes.qmd",
            "x-notes.qmd",
            "rooted.qmd",
            "dotted.qmd",
        ],
        &[
            "index.qmd /index",
            "posts/dotted.qmd /articles/dotted",
            "posts/ok.qmd /articles/ok",
            "posts/rooted.qmd /articles/rooted",
        ],
    );
}

#[test]
fn rule_26_a_pattern_of_quarto_includes_from_any_folder_and_a_path_from_the_root() {
    let config = "project:\n  render: [\"n*.qmd\", posts/, a.qmd, \"sub/*.md\"]\n";
    check_canaries(
        &[
            ("_quarto.yml", config),
            ("a.qmd", WORDS),
            ("deep/n.qmd", WORDS),
            ("deep/sub/k.md", WORDS),
            ("posts/b.qmd", WORDS),
        ],
        &["deep/a.qmd", "deep/posts/b.qmd", "b.qmd", "sub/k.qmd"],
        &[
            "a.qmd /a",
            "deep/n.qmd /deep/n",
            "deep/sub/k.md /deep/sub/k",
            "posts/b.qmd /articles/b",
        ],
    );
}

#[test]
fn rule_26_the_output_of_quarto_is_no_content() {
    for (config, text) in [
        (
            "_quarto.yml",
            "project:\n  type: website\n  output-dir: docs\n",
        ),
        (
            "_quarto.yml",
            "project:\n  type: website\n  output-dir: ./docs/\n",
        ),
    ] {
        check_canaries(
            &[
                (config, text),
                ("index.qmd", "words ![](docs/img/secret.png)\n"),
                ("posts/ok.qmd", WORDS),
            ],
            &[
                "docs/posts/keep.md",
                "docs/posts/withdrawn.html",
                "docs/img/secret.png",
            ],
            &["index.qmd /index", "posts/ok.qmd /articles/ok"],
        );
    }
    let profile = "profile:\n  default: public\nproject:\n  type: website\n";
    canaries(
        &[
            ("_quarto.yml", profile),
            ("_quarto-public.yml", "project:\n  output-dir: docs\n"),
            ("a.qmd", WORDS),
        ],
        &["docs/b.md"],
    );
    canaries(
        &[
            ("_bookdown.yml", "output_dir: docs\n"),
            ("index.Rmd", WORDS),
        ],
        &["docs/index.html", "docs/b.md"],
    );
}

#[test]
fn rule_26_texts_for_programs_are_not_rendered_by_quarto() {
    let titled = "---\ntitle: A\n---\n[local](CLAUDE.local.md) [a](CLAUDE.md)\n";
    canaries(
        &[
            ("_quarto.yml", "project: {type: website}\n"),
            ("a.qmd", titled),
        ],
        &[
            "AGENTS.md",
            "CLAUDE.md",
            "CLAUDE.local.md",
            "sub/AGENTS.local.md",
            "sub/x.llms.md",
        ],
    );
}

#[test]
fn rule_26_texts_for_the_programs_of_one_person_are_never_public() {
    canaries(
        &[
            ("mkdocs.yml", "site_name: S\n"),
            ("docs/a.md", "[local](CLAUDE.local.md)\n"),
        ],
        &["docs/CLAUDE.local.md", "docs/sub/AGENTS.local.md"],
    );
}

#[test]
fn an_output_file_of_quarto_names_the_page() {
    let library = build(&[
        ("_quarto.yml", "project: {type: website}\n"),
        ("sub/a.qmd", "---\noutput-file: new.html\n---\nwords\n"),
        (
            "b.qmd",
            "---\nformat: {html: {output-file: newer}}\n---\nwords\n",
        ),
        ("c.qmd", WORDS),
    ]);
    let former = former(&library);
    for line in ["/sub/new.html /articles/sub/a", "/newer.html /articles/b"] {
        assert!(former.iter().any(|one| one == line), "{line}: {former:?}");
    }
}
