//! The commands that the docs show are understood, and they run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use clap::CommandFactory;
use diglot::cli::Cli;

use super::{blocks, documents};
use crate::support::tree;

/// A line of the shell that calls the program.
struct Line {
    document: String,
    text: String,
    /// `NAME=VALUE` before the command.
    environment: Vec<String>,
    /// The words after `diglot`.
    words: Vec<String>,
}

/// Every line in the docs that calls the program.
fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for (document, text) in documents() {
        for (language, body) in blocks(&text) {
            if matches!(language, "sh" | "console" | "bash") {
                let body = body.replace("\\\n", " ");
                lines.extend(body.lines().filter_map(|line| parsed(&document, line)));
            }
        }
    }
    assert!(lines.len() > 20, "commands are found: {}", lines.len());
    lines
}

fn parsed(document: &str, line: &str) -> Option<Line> {
    let mut words = shell_words(line.trim_start_matches("$ "));
    let is_other = |word: &String| !word.starts_with("DIGLOT_");
    let command = words.iter().position(is_other)?;
    let environment = words.drain(..command).collect();
    let words = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["diglot", ..] => words.split_off(1),
        ["cargo", "run", _, "--", ..] => words.split_off(4),
        _ => return None,
    };
    Some(Line {
        document: document.to_owned(),
        text: line.to_owned(),
        environment,
        words,
    })
}

/// The words of a line of the shell, up to a pipe, a redirection or a comment.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('|' | '>' | '#' | '&' | ';', None) => break,
            (' ', None) => words.push(std::mem::take(&mut word)),
            (c, _) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_command_that_the_docs_show_is_understood() {
    let mut wrong = Vec::new();
    for line in lines() {
        let words = std::iter::once("diglot").chain(line.words.iter().map(String::as_str));
        if let Err(error) = Cli::command().try_get_matches_from(words)
            && error.use_stderr()
        {
            wrong.push(format!("{}: {}\n{error}", line.document, line.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether it needs another machine: a site, a store, an authority.
fn is_elsewhere(words: &[String]) -> bool {
    let is_remote = |word: &String| word.starts_with("s3://") || word == "--acme";
    let is_client = |word: &String| matches!(word.as_str(), "audit" | "clone" | "move");
    words.first().is_some_and(is_client) || words.iter().any(is_remote)
}

#[test]
fn every_command_that_the_docs_show_runs() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for line in lines().iter().filter(|line| !is_elsewhere(&line.words)) {
        ran += 1;
        if let Err(why) = run(line) {
            wrong.push(format!("{}: {}\n{why}", line.document, line.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > 15, "commands run: {ran}");
}

/// Runs it in a folder of its own, beside a copy of the example site.
fn run(line: &Line) -> Result<(), String> {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = place.path().join("examples/field-notes");
    for (path, bytes) in tree::files(&root.join("examples/field-notes")) {
        let path = site.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let is_inside = line.words.iter().any(|word| word.starts_with("articles/"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_diglot"));
    command
        .args(words(line, &site))
        .current_dir(if is_inside { &site } else { place.path() });
    command
        .env_clear()
        .env("HOME", place.path().join("home"))
        .env("PATH", "/usr/bin:/bin");
    command.envs(
        line.environment
            .iter()
            .filter_map(|set| set.split_once('=')),
    );
    match line.words.first().map(String::as_str) {
        Some("serve") => answers(&mut command),
        _ => succeeds(&mut command),
    }
}

/// The words of the line, with folders, ports and certificates that this machine has.
fn words(line: &Line, site: &Path) -> Vec<String> {
    let certificate = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
        folder.join(name).display().to_string()
    };
    let mut words: Vec<String> = Vec::new();
    for word in &line.words {
        let option = words.last().map(String::as_str);
        words.push(match (option, word.as_str()) {
            (Some("--listen" | "--admin"), _) => "127.0.0.1:0".to_owned(),
            (Some("--tls-cert"), _) => certificate("first.pem"),
            (Some("--tls-key"), _) => certificate("first.key"),
            (_, "FOLDER" | "~/notes" | "~/old-blog" | "/srv/notes") => site.display().to_string(),
            (_, word) => word.to_owned(),
        });
    }
    if words.first().is_some_and(|word| word == "serve")
        && !words.iter().any(|word| word == "--listen")
    {
        words.extend(["--listen".to_owned(), "127.0.0.1:0".to_owned()]);
    }
    words
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Whether a server says where it answers.
fn answers(command: &mut Command) -> Result<(), String> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut server = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut is_ready = false;
    for line in BufReader::new(server.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        is_ready = line.contains(" articles on http");
        said = said + &line + "\n";
        if is_ready {
            break;
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
    match is_ready {
        true => Ok(()),
        false => Err(said),
    }
}
