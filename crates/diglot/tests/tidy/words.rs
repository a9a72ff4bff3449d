//! Messages, help and documents are in plain English: no habits of ours, and no long sentence.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{crates, root, sources};

/// The most words of a sentence; what is in back quotes is one word.
const MOST_WORDS: usize = 35;

/// Habits, each with the plain words.
const HABITS: [(&str, &str); 19] = [
    ("stands", "is"),
    ("stand", "are"),
    ("lies", "is"),
    ("lie", "are"),
    ("comes", "is, follows, is taken from"),
    ("come", "are, follow, are taken from"),
    ("came", "was"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("anew", "again"),
    ("is no", "is not a"),
    ("are no", "are not"),
    ("is none", "is not a"),
    ("is but", "is only"),
    ("the machine said no", "system error"),
    ("leads nowhere", "is broken"),
    ("lead nowhere", "are broken"),
    ("leads to nothing", "has no target"),
];

/// What continues such words in plain English.
const PLAIN: [&str; 7] = [
    "is no longer",
    "are no longer",
    "is no more",
    "are no more",
    "there is no",
    "there are no",
    "there is none",
];

/// Texts that may keep their words, with the reason.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("document/src/model/language.rs", "a list of language tags"),
    (
        "edition/src/errors.rs",
        "public bytes: texts of error answers",
    ),
    (
        "edition/src/hosts/",
        "public bytes: comments in the files of hosts",
    ),
    (
        "edition/src/documents/",
        "public bytes: texts of generated documents",
    ),
    (
        "CHANGELOG.md",
        "says what was so; entries are not rewritten",
    ),
];

/// The sentences of a text, and the cells of its tables: without code and addresses of links.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut in_code = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let is_block = line.is_empty() || line.starts_with(['|', '#', '-', '*', '<']);
        let is_numbered = line.split_once(". ").is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        });
        if is_block || is_numbered || in_code {
            sentences.push(String::new());
        }
        if in_code || line.starts_with('<') {
            continue;
        }
        for word in spoken(line).split_whitespace() {
            let is_last = word
                .trim_end_matches(['*', ')', '"'])
                .ends_with(['.', '!', '?']);
            if word != "|" {
                let last = sentences.last_mut().unwrap();
                last.push_str(word);
                last.push(' ');
            }
            if is_last || word == "|" {
                sentences.push(String::new());
            }
        }
    }
    sentences
}

/// A line as it is spoken: what is in back quotes is one word, and links have no address.
fn spoken(line: &str) -> String {
    let mut spoken = String::new();
    for (index, part) in line.split('`').enumerate() {
        spoken.push_str(if index % 2 == 0 { part } else { "X" });
    }
    while let Some((before, rest)) = spoken.split_once("](") {
        let after = rest.split_once(')').map_or("", |(_, after)| after);
        spoken = format!("{before}]{after}");
    }
    spoken
}

/// What is wrong with the sentences of one text.
fn faults(place: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for sentence in sentences(text) {
        let words: Vec<String> = sentence
            .split_whitespace()
            .map(|word| {
                word.trim_matches(|c: char| !c.is_alphanumeric())
                    .to_lowercase()
            })
            .filter(|word| !word.is_empty())
            .collect();
        if words.len() > MOST_WORDS {
            faults.push(format!(
                "{place}: {} words in `{}`",
                words.len(),
                sentence.trim()
            ));
        }
        let mut plain = format!(" {} ", words.join(" "));
        for fine in PLAIN {
            plain = plain.replace(&format!(" {fine} "), " … ");
        }
        for (habit, instead) in HABITS {
            if plain.contains(&format!(" {habit} ")) {
                faults.push(format!(
                    "{place}: `{habit}` (write `{instead}`) in `{}`",
                    sentence.trim()
                ));
            }
        }
    }
    faults
}

fn is_exception(place: &str) -> bool {
    EXCEPTIONS
        .iter()
        .any(|(exception, _)| place.starts_with(exception))
}

#[test]
fn messages_and_help_are_in_plain_words() {
    let mut wrong = BTreeSet::new();
    for name in crates() {
        for source in sources(&name) {
            let place = format!("{name}/src/{}", source.path);
            if is_exception(&place) {
                continue;
            }
            for message in &source.messages {
                // An indented line is an example.
                wrong.extend(faults(&place, &message.replace("\n  ", "\n\n")));
            }
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The Markdown files of a folder and those below it.
fn documents_below(folder: &Path) -> Vec<PathBuf> {
    let mut documents = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            documents.extend(documents_below(&path));
        } else if path.extension().is_some_and(|suffix| suffix == "md") {
            documents.push(path);
        }
    }
    documents
}

/// A document without its front matter.
fn body(text: &str) -> &str {
    let rest = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"));
    rest.map_or(text, |(_, body)| body)
}

#[test]
fn documents_are_in_plain_words() {
    let at_root = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ];
    let mut files: Vec<PathBuf> = at_root.iter().map(|name| root().join(name)).collect();
    for folder in ["docs", "examples/field-notes"] {
        files.extend(documents_below(&root().join(folder)));
    }
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        if is_exception(&name) {
            continue;
        }
        wrong.extend(faults(&name, body(&fs::read_to_string(&file).unwrap())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The comments of a source file; those of neighbouring lines are one text.
fn comments(text: &str) -> String {
    let mut comments = String::new();
    for line in text.lines().map(str::trim) {
        let comment = line.strip_prefix("//").unwrap_or_default();
        comments += comment.trim_start_matches(['/', '!']);
        comments.push('\n');
    }
    comments
}

#[test]
fn comments_are_in_plain_words() {
    let mut wrong = Vec::new();
    for name in crates() {
        let folder = root().join("crates").join(&name).join("src");
        for source in sources(&name) {
            let text = fs::read_to_string(folder.join(&source.path)).unwrap();
            let place = format!("{name}/src/{}", source.path);
            wrong.extend(faults(&place, &comments(&text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_habit_and_a_long_sentence_are_found() {
    let long = "word ".repeat(MOST_WORDS + 1);
    let after_colon = format!("{}: {}", "word ".repeat(20), "word ".repeat(20));
    for wrong in [
        "A file that lies there.",
        "It is no\nfile.",
        "| A | it lies |",
        &long,
        &after_colon,
    ] {
        assert_eq!(faults("x", wrong).len(), 1, "{wrong}");
    }
    for fine in [
        "There is no file, and it is no longer here.",
        "`lies` and [a link](https://lies.example/come)",
        "```text\nit lies\n```",
    ] {
        assert_eq!(faults("x", fine), [""; 0], "{fine}");
    }
}
