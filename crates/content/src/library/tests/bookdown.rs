//! Books of bookdown: chapters, their order, references.

use super::hidden::with_texts;
use super::*;

#[test]
fn a_book_of_bookdown_has_its_chapters() {
    let texts = [
        "index.Rmd",
        "01-a.Rmd",
        "NEWS.md",
        "_draft.Rmd",
        "notes/x.Rmd",
        "parts/y.Rmd",
    ];
    let shown = |config: &str| with_texts(&[("_bookdown.yml", config)], &texts);
    assert_eq!(shown("book_filename: b\n"), ["01-a.Rmd", "index.Rmd"]);
    assert_eq!(
        shown("rmd_subdir: [parts]\n"),
        ["01-a.Rmd", "index.Rmd", "parts/y.Rmd"]
    );
    assert_eq!(
        shown("rmd_subdir: true\n"),
        ["01-a.Rmd", "index.Rmd", "notes/x.Rmd", "parts/y.Rmd"]
    );
    assert_eq!(
        shown("rmd_files: [./index.Rmd]\nrmd_subdir: [parts]\n"),
        ["index.Rmd", "parts/y.Rmd"]
    );
    let listed = "rmd_files:\n  html: [index.Rmd, notes/x.Rmd]\n  latex: [01-a.Rmd]\n";
    assert_eq!(shown(listed), ["index.Rmd", "notes/x.Rmd"]);
    let library = build(&[
        ("_bookdown.yml", "rmd_files: [index.Rmd, b.Rmd, a.Rmd]\n"),
        ("index.Rmd", "---\ntitle: Boats\n---\n\nText.\n"),
        ("a.Rmd", "# A\n\nText.\n"),
        ("b.Rmd", "# B\n\nText.\n"),
    ]);
    assert_eq!(
        super::order::drawn(&library),
        ["Boats /index", "B /b", "A /a"]
    );
    let code = |config: &str| {
        let cell = "# A\n\nText.\n\n```{r}\nsecret <- 1\n```\n";
        let library = build(&[
            ("_bookdown.yml", config),
            (
                "_common.R",
                "knitr::opts_chunk$set(\n  comment = \"#>\",\n  echo = FALSE\n)\n",
            ),
            ("index.Rmd", "---\ntitle: Boats\n---\n\nText.\n"),
            ("a.Rmd", cell),
        ]);
        twin(&library, "/articles/a").contains("secret")
    };
    assert!(!code("book_filename: b\n"));
    assert!(code("new_session: yes\n"));
}

#[test]
fn references_of_bookdown_lead_to_sections() {
    let library = build(&[
        ("_bookdown.yml", "rmd_files: [index.Rmd, a.Rmd, b.Rmd]\n"),
        ("index.Rmd", "---\ntitle: Boats\n---\n\nText.\n"),
        (
            "a.Rmd",
            "# (PART) On water {-}\n\nSee \\@ref(knots), \\@ref(two-sails) and Figure \\@ref(fig:ship), not `\\@ref(knots)`.\n",
        ),
        (
            "b.Rmd",
            "# Good *knots* {#knots}\n\nText.\n\n## Two sails\n\nText in \\@ref(two-sails).\n",
        ),
    ]);
    let a = library
        .articles
        .iter()
        .find(|text| text.stem.ends_with("/a"));
    assert_eq!(a.map(|text| &*text.title), Some("On water"));
    let base = "https://example.org/articles/b.md";
    assert_eq!(
        twin(&library, "/articles/a"),
        format!(
            "See [Good knots]({base}#knots), [Two sails]({base}#two-sails) and Figure ship, not `\\@ref(knots)`."
        )
    );
    assert_eq!(library.report.references.links.broken, 0);
}
