//! What the system does not let the command do is reported: the command never ends without a
//! message.

use std::process::{Command, Output};

use crate::cli::Desk;
use crate::cli::live::article;

/// Runs the command where no file may be longer than so many blocks of 512 bytes.
fn with_short_files(desk: &Desk, blocks: u32, args: &str) -> Output {
    let mut limited = Command::new("/bin/sh");
    limited
        .arg("-c")
        .arg(format!("ulimit -f {blocks}; exec \"$0\" {args}"))
        .arg(env!("CARGO_BIN_EXE_diglot"));
    limited
        .current_dir(desk.path(""))
        .env_clear()
        .env("HOME", desk.path("home"))
        .env("PATH", "/usr/bin:/bin");
    limited.output().unwrap()
}

#[test]
fn a_file_that_would_be_too_long_ends_a_build_with_a_word() {
    let desk = Desk::with(&[
        ("site/articles/first.md", &article("First", "Some words.")),
        ("home/x", ""),
    ]);
    let Output { status, stderr, .. } = with_short_files(
        &desk,
        4,
        "build site --output out --base-url https://example.org",
    );
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(3), "{status:?}: {said}");
    assert!(
        said.contains("cannot write `out`") || said.contains("out`: "),
        "{said}"
    );
    assert!(
        said.contains("warning: pictures cannot be saved"),
        "of the state a warning is enough: {said}"
    );
    assert!(!desk.path("out").exists());
}
