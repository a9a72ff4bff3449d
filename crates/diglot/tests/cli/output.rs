//! Standard output that cannot be written, or that nobody reads.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::cli::Desk;

const ARTICLE: &str = "---\ntitle: First\ndate: 2024-05-06\n---\n\nSome words.\n";

/// What a command says on standard error, and its exit status.
fn run(desk: &Desk, args: &str, out: Stdio) -> (Option<i32>, String) {
    let ran = desk.command(args).stdout(out).output().unwrap();
    (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn output_that_cannot_be_written_ends_a_command_with_3() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    for args in [
        "check site --no-state",
        "check site --no-state --json",
        "check site --no-state --explain articles/first.md",
        "check site --no-state --as codex",
        "theme list",
        "theme show nav.html",
        "readers site --json --state state",
        "new my-site",
        "version",
        "completions bash",
        "--version",
        "--help",
        "help check",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (status, said) = run(&desk, args, full.into());
        let told = "diglot: error: cannot write to standard output: no space left on device\n";
        assert_eq!(said.matches(told).count(), 1, "{args}: {said}");
        assert_eq!(status, Some(3), "{args}");
    }
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    for args in ["check site --no-state", "theme list", "--help", "version"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (status, said) = run(&desk, args, writer.into());
        assert_eq!(
            (status, said.contains("error")),
            (Some(0), false),
            "{args}: {said}"
        );
    }
}
