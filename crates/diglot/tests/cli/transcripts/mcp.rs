//! What `diglot mcp` says beside the protocol.

use std::io::Write;
use std::process::Stdio;

use super::{ARTICLE, NOBODY, Transcript};
use crate::cli::{Desk, Ran};

/// A run whose client says this, and leaves.
fn heard(desk: &Desk, args: &str, words: &str) -> Ran {
    let mut command = desk.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // It may have ended already.
    let _ = child.stdin.take().unwrap().write_all(words.as_bytes());
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn transcripts_of_mcp() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        ("broken/articles/first.md", ARTICLE),
        ("broken/diglot.toml", "titel = \"Notes\"\n"),
    ]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    let mut transcript = Transcript::default();
    for args in [
        "mcp site --no-state",
        "mcp site --no-state --quiet",
        "mcp http://127.0.0.1:1 --no-watch",
        "mcp empty --no-state",
        "mcp nowhere --no-state",
        "mcp broken --no-state",
        "mcp ftp://example.org",
        "mcp site --drafts",
    ] {
        transcript.run(&desk, args);
    }
    let args = format!("mcp {NOBODY}");
    transcript.run(&desk, &args);
    let args = "mcp site --no-state";
    for words in [
        "hello\n",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n",
    ] {
        transcript.text += &format!("(its client writes: {words})\n").replace("\n)", ")");
        transcript.note(args, &heard(&desk, args, words));
    }
    transcript.compare("mcp.txt", &desk);
}
