//! `diglot audit` over sockets: a served site passes whole, what is broken is named, and the exit status says which.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn diglot(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diglot"));
    command.args(args).env_clear().env("PATH", "/usr/bin:/bin");
    command
}

/// What a run left: exit status, standard output, standard error.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = diglot(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// The example site, served until dropped.
struct Served {
    child: Child,
    port: String,
}

impl Served {
    fn example() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/field-notes");
        let mut child = diglot(&["serve", folder.to_str().unwrap(), "--listen", "127.0.0.1:0", "--no-state", "--no-watch"])
            .env("DIGLOT_BASE_URL", "")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains(" on http://")).expect("it never said where it listens");
        // Whatever it says later must not find a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let port = line.trim_end_matches('/').rsplit(':').next().unwrap().to_owned();
        Self { child, port }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_served_site_has_no_failure() {
    let served = Served::example();
    let url = format!("http://localhost:{}", served.port);
    let (status, card, said) = run(&["audit", &url, "--sample", "4"]);
    assert_eq!(status, Some(0), "{card}\n{said}");
    assert!(card.starts_with(&url) && card.contains(" 0 failed,") && !card.contains('\u{1b}'), "{card}");

    let (status, json, _) = run(&["audit", &url, "--sample", "1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, &json["tally"]["failed"]), (Some(0), &0.into()), "{json:#}");
    assert!(json["score"].as_u64().unwrap() >= 95 && json["requests"].as_u64().unwrap() < 400, "{json:#}");
    let negotiation = json["groups"].as_array().unwrap().iter().find(|group| group["name"] == "negotiation").unwrap();
    assert_eq!(negotiation["tally"]["passed"], negotiation["checks"].as_array().unwrap().len(), "{negotiation:#}");
}

/// A host that answers everything with the same words, until the test ends.
fn same_for_all(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().map_while(Result::ok) {
            let mut head = [0; 4096];
            let _ = socket.read(&mut head);
            let _ = socket.write_all(answer.as_bytes());
        }
    });
    format!("http://{address}")
}

#[test]
fn a_host_that_is_no_site_fails_and_says_what_to_do() {
    let url = same_for_all("HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: 4\r\nConnection: close\r\n\r\n# x\n");
    let (status, card, said) = run(&["audit", &url]);
    assert_eq!((status, said.as_str()), (Some(1), ""), "{card}");
    assert!(card.contains("negotiation.browser failed: ") && card.contains("\n  hint: "), "{card}");
}

#[test]
fn a_host_that_wants_peace_gets_it() {
    let url = same_for_all("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let (status, card, _) = run(&["audit", &url]);
    assert_eq!(status, Some(3), "{card}");
}

#[test]
fn what_cannot_be_asked_is_said() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let cases: [(&[&str], i32, &str); 4] = [
        (&["audit", &format!("http://{closed}")], 3, "connection refused"),
        (&["audit", "http://a b/"], 2, "has no valid host"),
        (&["audit", "http://127.0.0.1:1/", "--sample", "1000"], 2, "--sample"),
        (&["audit"], 2, "<URL>"),
    ];
    for (args, expected, words) in cases {
        let (status, out, said) = run(args);
        assert_eq!((status, out.as_str()), (Some(expected), ""), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let elsewhere =
        same_for_all("HTTP/1.1 301 Moved Permanently\r\nLocation: https://other.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let (status, _, said) = run(&["audit", &elsewhere]);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("leads to another host, `https://other.example/`"), "{said}");
}
