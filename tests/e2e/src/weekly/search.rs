//! Diglot's search and Pagefind, asked the same questions about the same sites.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::server::{self, Server};
use crate::sites::{self, Folder};
use xtask::shell::{self, root, scratch};
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// Pagefind, and what drives a browser: its index is read by WebAssembly.
const NPM: &[&str] = &["pagefind@1.5.2", "playwright-core@1.65.1"];
/// The questions with known answers.
const QUESTIONS: &str = "crates/diglot/tests/search/questions.tsv";
/// The published address of the sites.
const BASE: &str = "https://example.org";

/// What the script found.
#[derive(Debug, Deserialize)]
struct Found {
    /// Of Pagefind.
    version: String,
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    folder: String,
    questions: usize,
    diglot: Answers,
    pagefind: Answers,
}

/// For how many questions the page asked for is first, and among the first three.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct Answers {
    first: usize,
    three: usize,
}

/// The step.
pub fn run() -> Outcome {
    tools::debian(&["chromium"], &["chromium"])?;
    let npm = tools::npm("search-npm", NPM)?;
    let questions = root().join(QUESTIONS);
    let wanted = folders(&questions)?;
    let mut corpora = sites::corpora()?;
    corpora.retain(|folder| wanted.contains(&folder.name));
    if corpora.len() < wanted.len() {
        return Ok(Done::Skipped(format!("needs {wanted:?}")));
    }
    let found = asked(&npm, &questions, &corpora)?;
    print(&found);
    let (asked, ours, theirs) = sums(&found.rows);
    let text = format!(
        "of {asked} questions first and among the first three: Diglot {} and {}, Pagefind {} {} and {}",
        ours.first, ours.three, found.version, theirs.first, theirs.three
    );
    if ours.three >= theirs.three {
        Ok(Done::Passed(text))
    } else {
        Err(text)
    }
}

/// The folders that questions are about.
fn folders(questions: &Path) -> Result<BTreeSet<String>, String> {
    let text = fs::read_to_string(questions).map_err(|error| error.to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.filter_map(|line| line.split_once('\t'));
    Ok(names.map(|(name, _)| name.to_owned()).collect())
}

/// Serves and exports the folders, and asks both.
fn asked(npm: &Path, questions: &Path, corpora: &[Folder]) -> Result<Found, String> {
    let binary = server::build()?;
    let place = scratch("search-peers")?;
    let mut servers = Vec::new();
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/search/pagefind.mjs"))
        .arg(questions);
    for folder in corpora {
        let tree = place.join(&folder.name);
        server::export(&binary, &folder.path, BASE, &tree, &[])?;
        let server = Server::for_address(&binary, &folder.path, BASE)?;
        command.arg(format!(
            "{}={}={}",
            folder.name,
            server.authority,
            tree.display()
        ));
        servers.push(server);
    }
    let text = shell::text(command.env("JUDGE_NPM", npm))?;
    serde_json::from_str(&text).map_err(|error| format!("cannot read the answer: {error}"))
}

fn print(found: &Found) {
    let cells = |row: &Row| {
        let Answers { first, three } = row.diglot;
        let other = row.pagefind;
        let numbers = [row.questions, first, three, other.first, other.three];
        let numbers = numbers.iter().map(usize::to_string);
        std::iter::once(row.folder.clone()).chain(numbers).collect()
    };
    let rows: Vec<Vec<String>> = found.rows.iter().map(cells).collect();
    let head = [
        "folder",
        "questions",
        "first",
        "first three",
        "Pagefind: first",
        "first three",
    ];
    println!("{}", table(&head, &rows));
}

/// All questions, and the answers of both.
fn sums(rows: &[Row]) -> (usize, Answers, Answers) {
    let mut sums = (0, Answers::default(), Answers::default());
    for row in rows {
        sums.0 += row.questions;
        sums.1.add(row.diglot);
        sums.2.add(row.pagefind);
    }
    sums
}

impl Answers {
    fn add(&mut self, other: Self) {
        self.first += other.first;
        self.three += other.three;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_all_folders_are_added() {
        let text = r#"{"version":"1.5.2","rows":[
            {"folder":"a","questions":3,"diglot":{"first":1,"three":2},"pagefind":{"first":0,"three":3}},
            {"folder":"b","questions":4,"diglot":{"first":4,"three":4},"pagefind":{"first":2,"three":2}}]}"#;
        let found: Found = serde_json::from_str(text).unwrap();
        let (asked, ours, theirs) = sums(&found.rows);
        assert_eq!((asked, ours.first, ours.three), (7, 5, 6));
        assert_eq!((theirs.first, theirs.three), (2, 5));
    }
}
