//! Everything that the command says, as transcripts, so that the wording is reviewed as a whole.
//!
//! A transcript is a file of `tests/cli/transcripts`: commands, what they print, and their exit
//! status. `UPDATE_GOLDEN=1 cargo test -p diglot --test cli transcripts` writes them.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use diglot::cli::Cli;
use snapbox::assert_data_eq;

use crate::Desk;

/// Compares the transcript of these commands with its file. `[..]` stands for anything.
fn check(name: &str, desk: &Desk, commands: &[&str]) {
    let mut transcript = String::new();
    for args in commands {
        let ran = desk.run(args);
        transcript += &format!("$ diglot {args}\n{}", ran.out);
        for line in ran.err.lines() {
            transcript += &format!("{line}\n");
        }
        if ran.status != Some(0) {
            transcript += &format!("[exit status {}]\n", ran.status.unwrap_or(-1));
        }
        transcript.push('\n');
    }
    let desk = desk.path("").canonicalize().unwrap();
    compare(
        name,
        &timeless(&transcript.replace(desk.to_str().unwrap(), "/desk")),
    );
}

/// A transcript without what differs between two runs: times, dates, sizes and the version.
fn timeless(transcript: &str) -> String {
    let mut lines = String::new();
    for line in transcript.lines() {
        let timed = line
            .rsplit_once(" in ")
            .filter(|(_, time)| time.ends_with(" ms") || time.ends_with(" s") && time.len() < 8);
        if line.starts_with("  updated ") {
            lines += "  updated      [..]\n";
            continue;
        }
        if let Some((before, rest)) = line.split_once("wrote ")
            && let Some((_, folder)) = rest.split_once(" to ")
        {
            lines += &format!("{before}wrote [..] to {folder}\n");
            continue;
        }
        match timed {
            Some((line, _)) => lines += &format!("{line} in [..]\n"),
            None => lines += &format!("{line}\n"),
        }
    }
    lines.replace(env!("CARGO_PKG_VERSION"), "[..]")
}

const ARTICLE: &str =
    "---\ntitle: First\ndate: 2024-05-06\ndescription: The first.\n---\n\nSome words.\n";

#[test]
fn transcripts_of_help() {
    let mut commands = vec!["--help".to_owned(), "help".to_owned(), "version".to_owned()];
    for command in Cli::command().get_subcommands() {
        if !command.is_hide_set() {
            commands.push(format!("{} --help", command.get_name()));
        }
    }
    for command in ["list", "show", "init"] {
        commands.push(format!("theme {command} --help"));
    }
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    check("help.txt", &Desk::new(), &commands);
}

#[test]
fn transcripts_of_wrong_usage() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        ("site/diglot.toml", "title = \"Notes\"\n"),
        ("full/x.txt", "x"),
        (
            "drafts/articles/a.md",
            "---\ntitle: A\ndraft: true\n---\n\nWords.\n",
        ),
    ]);
    fs::create_dir(desk.path("empty")).unwrap();
    check(
        "usage.txt",
        &desk,
        &[
            "",
            "chekc site",
            "serve --wrong",
            "serve nowhere",
            "serve site --listen here",
            "serve site --listen 0.0.0.0:0",
            "serve site --drafts --base-url https://example.org",
            "serve site --client-address-header X-Real-IP",
            "serve site --trusted-proxy home",
            "serve site --trusted-proxy 10.0.0.0/99",
            "serve site --rate fast",
            "serve site --rate 0/s",
            "serve site --tls-cert x.pem",
            "serve site --tls-cert x.pem --tls-key y.pem",
            "serve site --count-readers --no-state --listen 127.0.0.1:0",
            "serve site --poll 3",
            "serve empty",
            "check empty",
            "check drafts",
            "check site/articles/first.md",
            "check site --explain none.md",
            "check site --limit bytes",
            "check site --limit article-size=1MiB",
            "check site --limit article-bytes=many",
            "check site --limit article-bytes=1",
            "check site --json --verbose",
            "check site --state site/.state",
            "build site",
            "build site --output public",
            "build site --output public --base-url example.org",
            "build site --output site/public --base-url https://example.org",
            "build site --output . --base-url https://example.org",
            "build site --output full --base-url https://example.org",
            "new",
            "new full",
            "theme show navigation.html",
            "theme init site articles",
            "readers site --no-state",
            "readers site --days 0",
            "completions tcsh",
        ],
    );
}

#[test]
fn transcripts_of_settings() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    let mut transcript = String::new();
    for settings in [
        "titel = \"Notes\"",
        "title = 7",
        "title = \"Notes",
        "theme = \"nope\"",
        "articles = \"posts\"",
        "articles = \"../x\"",
        "base_url = \"example.org\"",
        "base_url = \"https://example.org/a//b\"",
        "language = \"English\"",
        "dialect = \"wordpress\"",
        "shape = \"round\"",
        "pictures = \"some\"",
        "edit_url = \"here\"",
        "footer = 7",
        "logo = \"logo.svg\"",
        "logo = { alt = \"x\" }",
        "accent = \"red\"",
        "accent = \"#ffff00\"",
        "links = { origin = \"https://example.org/docs\" }",
        "nav = \"a.md\"",
        "nav = [{ title = \"A\" }]",
        "nav = [\"none.md\"]",
        "header = { links = [\"none.md\"] }",
        "cache_seconds = \"long\"",
    ] {
        desk.write("site/diglot.toml", &format!("{settings}\n"));
        let ran = desk.run("check site --no-state --quiet");
        transcript += &format!("{settings}\n{}{}\n", ran.out, ran.err);
    }
    compare("settings.txt", &transcript);
}

/// Compares a text with its file.
fn compare(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cli/transcripts")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    assert_data_eq!(text.to_owned(), fs::read_to_string(&file).unwrap());
}

#[test]
fn transcripts_of_reports() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        (
            "site/articles/copy.md",
            "---\ntitle: Copy\nslug: first\n---\n\nWords.\n",
        ),
        (
            "site/articles/draft.md",
            "---\ntitle: D\ndraft: perhaps\n---\n\nWords.\n",
        ),
        ("site/articles/empty.md", "---\ntitle: Empty\n---\n"),
        (
            "site/articles/links.md",
            "---\ntitle: Links\ndate: 2024-02-30\ntitle: Again\n---\n\n[a](none-1.md) [b](none-2.md) [c](none-3.md)\n[d](first.md#none) ![e](none.png) [f](../../out.md) [g](draft.md) [h](htp://x) [i][none] {% mystery %}\n\n| a |\n|---|\n| 1 | 2 |\n",
        ),
        ("site/articles/front.md", "---\ntitle: [a\n---\n\nWords.\n"),
        ("site/articles/open.md", "---\ntitle: Open\n\nWords.\n"),
        (
            "site/articles/misspelt.md",
            "---\ntitle: M\ndate: 2024-05-06\ntag: x\ndarft: true\n---\n\nWords.\n",
        ),
    ]);
    let build = "build site --no-state --base-url https://example.org --output public";
    check(
        "reports.txt",
        &desk,
        &[
            "new my-site",
            "check my-site --no-state",
            "check site --no-state",
            "check site --no-state --verbose",
            "check site --no-state --strict --quiet",
            "check site --no-state --explain articles/draft.md",
            "check site --no-state --explain articles/links.md",
            "lock site --no-state",
            build,
            "theme init site/theme nav.html",
        ],
    );
}
