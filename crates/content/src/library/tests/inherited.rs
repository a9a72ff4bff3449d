//! What is given to many texts at once: by sections, by data of folders, by configurations.

use super::*;

/// The sources of published texts.
fn published(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let texts = library.articles.iter().chain(&library.pages);
    let mut texts: Vec<String> = texts.map(|text| text.source.to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn rule_26_a_cascade_gives_dates_that_decide() {
    let section = |cascade: &str| format!("---\ntitle: S\ncascade:\n{cascade}\n---\n");
    let config = "title = 'H'\n[[cascade]]\nexpiryDate = 2020-01-01\n[cascade.target]\npath = '/old/**'\nkind = 'page'\n";
    let shown = published(&[
        ("hugo.toml", config),
        ("content/old/a.md", "SECRET"),
        ("content/old/b.md", "---\nexpiryDate: 2099-01-01\n---\nB."),
        ("content/new/_index.md", &section("  publishDate: 2099-01-01")),
        ("content/new/c.md", "SECRET"),
        ("content/new/d.md", "---\npublishDate: 2020-01-01\n---\nD."),
        ("content/new/deep/_index.md", &section("  publishDate: 2020-01-01")),
        ("content/new/deep/e.md", "E."),
        (
            "content/part/_index.md",
            &section("  - date: 2099-01-01\n    _target: {path: /part/late*}"),
        ),
        ("content/part/late-f.md", "SECRET"),
        ("content/part/g.md", "G."),
    ]);
    assert_eq!(
        shown,
        [
            "content/new/d.md",
            "content/new/deep/e.md",
            "content/old/b.md",
            "content/part/g.md"
        ]
    );
}

#[test]
fn rule_27_a_date_of_a_cascade_that_cannot_be_read_withholds() {
    let files = [
        ("hugo.toml", "title = 'H'\n"),
        (
            "content/a/_index.md",
            "---\ncascade:\n  expiryDate: some day\n---\n",
        ),
        ("content/a/b.md", "SECRET"),
        ("content/a/c.md", "---\nexpiryDate: 2099-01-01\n---\nC."),
    ];
    assert_eq!(published(&files), ["content/a/c.md"]);
    let problems = build(&files).problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "content/a/_index.md:3:15: `expiryDate` is not a date: `some day`\n  hint: write it as `2024-05-31`; the texts that it is for are withheld"
    );
}
