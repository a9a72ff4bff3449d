//! What the owner's build hides by its configuration or by a key: it is hidden here too.

use super::*;

/// The sources of what is published, by path: texts, then files.
fn published(files: &[(&str, &str)]) -> Vec<String> {
    sources_of(&build(files))
}

fn sources_of(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let mut texts: Vec<String> = texts.map(|text| text.source.to_string()).collect();
    texts.sort();
    let files = library.files.iter().map(|file| file.source.to_string());
    texts.into_iter().chain(files).collect()
}

/// A folder of texts with the same words beside other files.
fn with_texts(others: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
    let files: Vec<(&str, &str)> = others.iter().copied().chain(texts).collect();
    published(&files)
}

#[test]
fn rule_26_drafts_of_a_quarto_website_are_hidden() {
    let texts = ["index.qmd", "d1.qmd", "sub/d2.qmd", "sub/d3.qmd"];
    let shown = with_texts(
        &[(
            "_quarto.yml",
            "project:\n  type: website\nwebsite:\n  drafts: [d1.qmd, ./sub/d2.qmd]\n",
        )],
        &texts,
    );
    assert_eq!(shown, ["index.qmd", "sub/d3.qmd"]);
    let shown = with_texts(
        &[
            (
                "_quarto.yml",
                "project:\n  type: website\nmetadata-files: [a.yml, b.yml]\nwebsite:\n  drafts: d1.qmd\n",
            ),
            ("a.yml", "lang: en\n"),
            ("b.yml", "website:\n  drafts:\n    - sub/d2.qmd\n"),
        ],
        &texts,
    );
    assert_eq!(shown, ["index.qmd", "sub/d3.qmd"]);
    // Its own front matter changes nothing.
    let shown = published(&[
        ("_quarto.yml", "website:\n  drafts: \"sub/*.qmd\"\n"),
        ("index.qmd", "A."),
        ("sub/d.qmd", "---\ndraft: false\n---\nD."),
    ]);
    assert_eq!(shown, ["index.qmd"]);
}
