//! Retype: who sees a text, and what of its syntax is read.

use super::*;

const CONFIG: (&str, &str) = ("retype.yml", "url: docs.example.com\n");
const PRIVATE: &str = "visibility: private\n";
const PLAIN: &str = "# T\n\nWords.";

/// The sources of the published texts.
fn shown(files: &[(&str, &str)]) -> Vec<String> {
    texts_of(&build(&[&[CONFIG], files].concat()))
}

#[test]
fn contract_6_a_file_beside_a_text_of_retype_says_who_sees_it() {
    let files = [
        ("p.yml", PRIVATE),
        ("p.md", PLAIN),
        ("q.yaml", "visibility: Protected"),
        ("q.md", PLAIN),
        ("shown.yml", PRIVATE),
        ("shown.md", "---\ntitle: T\n---\nWords."),
        ("z.md", PLAIN),
    ];
    assert_eq!(shown(&files), ["shown.md", "z.md"]);
    let files = [
        ("h.yml", "visibility: hidden"),
        ("h.md", PLAIN),
        ("z.md", PLAIN),
    ];
    let library = build(&[&[CONFIG], &files[..]].concat());
    let unlisted = library.articles.iter().filter(|one| !one.listed);
    let unlisted: Vec<&str> = unlisted.map(|one| &*one.source).collect();
    assert_eq!(unlisted, ["h.md"]);
}

#[test]
fn contract_6_the_visibility_of_a_folder_of_retype_is_that_of_its_texts() {
    let files = [
        ("README.md", "---\nvisibility: private\n---\nWords."),
        ("a/er/x.md", PLAIN),
        ("a/index.yml", PRIVATE),
        ("a/open.md", "---\nvisibility: public\n---\nWords."),
        ("a/open/index.yml", "visibility: public"),
        ("a/open/x.md", PLAIN),
        ("b/README.md", "---\nvisibility: private\n---\nWords."),
        ("b/in/x.md", PLAIN),
        ("c/default.md", "---\nvisibility: private\n---\nWords."),
        ("c/x.md", PLAIN),
        ("d/README.md", "---\ntitle: T\n---\nWords."),
        ("d/index.yml", PRIVATE),
        ("d/x.md", PLAIN),
        ("e/readme.yml", PRIVATE),
        ("e/x.md", PLAIN),
        ("z.md", PLAIN),
    ];
    assert_eq!(
        shown(&files),
        ["a/open.md", "a/open/x.md", "d/README.md", "d/x.md", "z.md"]
    );
    let files = [
        ("README.md", PLAIN),
        ("index.yml", PRIVATE),
        ("a.md", PLAIN),
    ];
    assert_eq!(shown(&files), ["a.md"]);
}

#[test]
fn contract_6_what_a_broken_file_of_retype_is_for_is_withheld() {
    let files = [
        CONFIG,
        ("a/index.yml", "visibility: [private"),
        ("a/x.md", PLAIN),
        ("b/index.yml", "label: [x"),
        ("b/x.md", PLAIN),
    ];
    let library = build(&files);
    assert_eq!(texts_of(&library), ["b/x.md"]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("a/index.yml"), "{problems:?}");
}
