//! Everything that the command says, as transcripts, so that the wording is reviewed as a whole.
//!
//! A transcript is a file of `tests/cli/transcripts`: commands, what they print, and their exit
//! status. Lines of the standard error begin with `! `. What differs between two runs is `[..]`.
//! `UPDATE_GOLDEN=1 cargo test -p diglot --all-features --test all transcripts` writes them.

#[cfg(feature = "acme")]
mod acme;
mod colours;
#[cfg(feature = "mcp")]
mod mcp;
mod network;
#[cfg(target_os = "linux")]
mod refused;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(all(unix, feature = "store"))]
mod store;

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use diglot::cli::Cli;
use snapbox::{IntoData, assert_data_eq};

use crate::cli::{Desk, Ran};

/// Nobody listens there.
const NOBODY: &str = "http://127.0.0.1:1";

/// Commands, what they print, and their exit status.
#[derive(Default)]
struct Transcript {
    text: String,
}

impl Transcript {
    /// Runs a command and notes it.
    fn run(&mut self, desk: &Desk, args: &str) {
        self.note(args, &desk.run(args));
    }

    /// Notes what a command printed.
    fn note(&mut self, args: &str, ran: &Ran) {
        self.text += &format!("$ diglot {args}\n{}", ran.out);
        for line in ran.err.lines() {
            self.text += format!("! {line}").trim_end();
            self.text.push('\n');
        }
        if ran.status != Some(0) {
            self.text += &format!("[exit status {}]\n", ran.status.unwrap_or(-1));
        }
        self.text.push('\n');
    }

    /// Replaces a text that is another at each run.
    fn hide(&mut self, text: &str) {
        self.text = self.text.replace(text, "[..]");
    }

    /// Compares it with its file.
    fn compare(self, name: &str, desk: &Desk) {
        let desk = desk.path("").canonicalize().unwrap();
        let text = self.text.replace(desk.to_str().unwrap(), "/desk");
        compare(name, &timeless(&text));
    }
}

/// Compares the transcript of these commands with its file.
fn check(name: &str, desk: &Desk, commands: &[&str]) {
    let mut transcript = Transcript::default();
    for args in commands {
        transcript.run(desk, args);
    }
    transcript.compare(name, desk);
}

/// A transcript without what differs between two runs, or two versions.
fn timeless(transcript: &str) -> String {
    let lines: String = transcript.lines().filter_map(timeless_line).collect();
    let words = lines.split_inclusive([' ', '\n', ',', ')', '"', '`', '/', '.']);
    let words: String = words.map(timeless_word).collect();
    words.replace(env!("CARGO_PKG_VERSION"), "[..]")
}

/// A line without times and sizes; `None` for one that depends on the machine.
fn timeless_line(line: &str) -> Option<String> {
    // What the kernel cannot do.
    if line.starts_with("! diglot: note: ") {
        return None;
    }
    if line.starts_with("  updated ") {
        return Some("  updated      [..]\n".to_owned());
    }
    if let Some((before, _)) = line.split_once("\"bytes\": ") {
        return Some(format!("{before}\"bytes\": [..]\n"));
    }
    if let Some((before, rest)) = line.split_once("wrote ")
        && let Some((_, folder)) = rest.split_once(" to ")
    {
        return Some(format!("{before}wrote [..] to {folder}\n"));
    }
    let timed = line
        .rsplit_once(" in ")
        .filter(|(_, time)| time.ends_with(" ms") || time.ends_with(" s") && time.len() < 8);
    let line = timed.map_or(line.to_owned(), |(line, _)| format!("{line} in [..]"));
    let line = ["B", "KiB", "MiB", "objects", "ms", "s"]
        .iter()
        .fold(line, without_number);
    // What takes milliseconds here takes seconds elsewhere.
    Some(
        line.replace(" in [..] ms", " in [..]")
            .replace(" in [..] s", " in [..]")
            + "\n",
    )
}

/// A line without the number before the last of these units.
fn without_number(line: String, unit: &&str) -> String {
    let Some((before, after)) = line.rsplit_once(&format!(" {unit}")) else {
        return line;
    };
    let kept = before.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_number = kept.len() < before.len() && !after.starts_with(char::is_alphanumeric);
    match is_number {
        true => format!("{kept}[..] {unit}{after}"),
        false => line,
    }
}

/// A word and the character at its end; `[..]` in place of a digest, or a date or a time of now.
fn timeless_word(word: &str) -> String {
    let end = word.len() - word.chars().next_back().map_or(0, char::len_utf8);
    let (start, end) = word.split_at(end);
    let shape: String = start.chars().map(shape_of).collect();
    let is_digest = start.len() >= 8
        && start.bytes().all(|byte| byte.is_ascii_hexdigit())
        && start.bytes().any(|byte| byte.is_ascii_digit());
    // Texts of the tests are older.
    let is_date = shape == "0000-00-00" && ("2026".."2100").contains(&&start[..4]);
    match is_digest || is_date || shape == "00:00:00" {
        true => format!("[..]{end}"),
        false => word.to_owned(),
    }
}

/// A digit is `0`.
fn shape_of(letter: char) -> char {
    match letter.is_ascii_digit() {
        true => '0',
        false => letter,
    }
}

const ARTICLE: &str =
    "---\ntitle: First\ndate: 2024-05-06\ndescription: The first.\n---\n\nSome words.\n";

#[test]
#[cfg_attr(
    not(all(feature = "acme", feature = "mcp", feature = "store")),
    ignore = "needs a program with all features: `cargo test --workspace`"
)]
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
#[cfg_attr(
    not(all(feature = "acme", feature = "mcp", feature = "store")),
    ignore = "needs a program with all features: `cargo test --workspace`"
)]
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
            "check site --limit foo=1",
            "check site --limit article-bytes=many",
            "check site --limit idle-time=long",
            "check site --limit connections=0",
            "check site --limit article-bytes=1",
            "check site --json --verbose",
            "check site --state site/.state",
            "build site",
            "build site --base-url https://example.org",
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
            "theme shw nav.html",
            "check site extra",
            "check site --strikt",
            "check site --as --json",
            "check site --limit",
            "check site --color red",
            "serve site --acme you@example.org",
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
        "title = 3\ntheme = \"nope\"\nlanguage = \"English\"\narticles = \"nope\"",
    ] {
        desk.write("site/diglot.toml", &format!("{settings}\n"));
        let ran = desk.run("check site --no-state --quiet");
        transcript += &format!("{settings}\n{}\n", ran.out);
        assert_eq!(ran.err, "", "a report that was asked for is a result");
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
    let expected = fs::read_to_string(&file).unwrap();
    assert_data_eq!(text.to_owned(), expected.raw());
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
