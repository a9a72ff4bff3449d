//! Front matter without fences: lines `Key: value` at the beginning of a text.

use super::*;

/// The published texts: title, date, and twin.
fn shown(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let texts = library.articles.iter().chain(&library.pages);
    let mut shown: Vec<String> = texts
        .map(|text| {
            let date = text.date.map(|date| date.iso()[..10].to_owned());
            let twin = match text.kind {
                Kind::Article => twin(&library, &text.stem),
                Kind::Page => String::new(),
            };
            let date = date.unwrap_or_default();
            format!("{} | {} | {date} | {twin}", text.source, text.title)
        })
        .collect();
    shown.sort();
    shown
}

const DRAFT: &str = "Title: Secret\nDate: 2010-12-03 10:20\nStatus: draft\n\nSecret body.\n";

#[test]
fn a_pelican_text_has_its_front_matter_in_the_first_lines() {
    let of = |text: &str| {
        shown(&[
            ("pelicanconf.py", "PATH='content'\n"),
            ("content/pages/b.md", text),
        ])
    };
    assert_eq!(of(DRAFT), [""; 0]);
    assert_eq!(
        of(
            "Title: First\nDate: 2010-12-03 10:20\nTags: a, b\nSummary: Short\n    words\n\nBody: text."
        ),
        ["content/pages/b.md | First | 2010-12-03 | Body: text."]
    );
    assert_eq!(
        of("---\ntitle: Second\n---\nNote: text."),
        ["content/pages/b.md | Second |  | Note: text."]
    );
    assert_eq!(of("https://e.org\n\nText."), [""; 0]);
}

#[test]
fn an_mkdocs_text_may_have_metadata_without_fences() {
    assert_eq!(
        shown(&[
            ("mkdocs.yml", "site_name: X\n"),
            (
                "docs/a.md",
                "title:   My Document\nsome_url: https://e.org\n\n# Head\n\nText"
            ),
        ]),
        ["docs/a.md | My Document |  | ## Head\n\nText"]
    );
}

#[test]
fn a_header_that_withholds_its_text_counts_in_every_folder() {
    let withheld = [
        DRAFT,
        "\nTitle: A\nDraft: true\n\nText.",
        "Title: A\nPublished: no\n\nText.",
        "status: private",
    ];
    for text in withheld {
        let library = build(&[("a.md", text), ("b.md", "B.")]);
        assert_eq!(library.articles.len(), 1, "{text}");
    }
    let reasons = build(&[("a.md", DRAFT)]).report.skipped;
    assert_eq!(reasons.keys().collect::<Vec<_>>(), ["draft"]);
    let shown = [
        "Title: A\nDraft: false\n\nText.",
        "Title: A\nStatus: published\n\nText.",
        "Status: draft\nWords of a sentence.\n\nText.",
        "Words.\n\nStatus: draft\n\nText.",
        "Note: it is a draft.\n\nText.",
    ];
    for text in shown {
        let library = build(&[("a.md", text)]);
        assert_eq!(library.articles.len(), 1, "{text}");
    }
}

#[test]
fn a_text_whose_header_withholds_it_is_not_included() {
    let library = build(&[
        ("_config.yml", "title: T\n"),
        ("_includes/a.md", DRAFT),
        (
            "_posts/2020-01-01-b.md",
            "---\ntitle: B\n---\nB {% include a.md %}.",
        ),
    ]);
    assert!(!twin(&library, "/articles/2020-01-01-b").contains("Secret"));
}
