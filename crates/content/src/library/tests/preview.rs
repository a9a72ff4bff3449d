//! A preview that shows drafts.

use super::*;

const FILES: [(&str, &str); 7] = [
    ("_config.yml", "title: Notes"),
    ("_drafts/idea.md", "---\ntitle: Idea\n---\nWords."),
    ("_posts/2024-01-01-out.md", "---\ntitle: Out\n---\nWords."),
    (
        "_posts/2024-01-02-half.md",
        "---\ntitle: Half\npublished: false\n---\nWords.",
    ),
    (
        "_posts/2099-01-02-later.md",
        "---\ntitle: Later\n---\nWords.",
    ),
    (
        "_posts/2024-01-04-odd.md",
        "---\ntitle: Odd\npublished: perhaps\n---\nWords.",
    ),
    (
        "_posts/2024-01-05-old.md",
        "---\ntitle: Old\nexpires: 2024-02-01\n---\nWords.",
    ),
];

fn titles(shows_drafts: bool) -> Vec<String> {
    let sources = Sources {
        shows_drafts,
        ..sources(&FILES)
    };
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    let texts = library.articles.iter().chain(&library.pages);
    let mut titles: Vec<String> = texts.map(|text| text.title.to_string()).collect();
    titles.sort();
    titles
}

#[test]
fn contract_7_a_preview_shows_drafts_and_scheduled_texts_marked_as_such() {
    assert_eq!(
        titles(true),
        [
            "Out",
            "[Draft] Half",
            "[Draft] Idea",
            "[Scheduled: 2099-01-02] Later"
        ]
    );
}

#[test]
fn contract_6_without_a_preview_no_draft_is_shown() {
    assert_eq!(titles(false), ["Out"]);
}

#[test]
fn contract_7_a_preview_marks_what_a_folder_makes_a_draft() {
    let files = [
        ("hugo.toml", "title = 'Site'"),
        (
            "content/secret/_index.md",
            "---\ncascade:\n  draft: true\n---\n",
        ),
        ("content/secret/a.md", "---\ntitle: A\n---\nWords."),
        ("content/b.md", "---\ntitle: B\n---\nWords."),
    ];
    let sources = Sources {
        shows_drafts: true,
        ..sources(&files)
    };
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    let mut titles: Vec<&str> = library.articles.iter().map(|text| &*text.title).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["B", "[Draft] A"]);
}
