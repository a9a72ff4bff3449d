//! `diglot readers`, from a request to the table.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::cli::Desk;
use crate::cli::live::{Served, desk};
use crate::support::tree::files;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

fn ask(address: &str, path: &str, agent: &str) {
    let mut socket = TcpStream::connect(address).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.99\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n").unwrap();
    socket.read_to_end(&mut Vec::new()).unwrap();
}

/// Every byte of the state folder.
fn state(desk: &Desk) -> String {
    let files = files(&desk.path("state")).into_iter();
    files
        .map(|(path, bytes)| format!("{path}\n{}\n", String::from_utf8_lossy(&bytes)))
        .collect()
}

#[test]
fn readers_are_not_counted_in_the_state_of_another_site() {
    let desk = desk();
    desk.write("other/articles/new.md", "# New\n\nOther words.\n");
    let address = "--base-url https://example.org --state state";
    let built = desk.run(&format!("build site --output out {address}"));
    assert_eq!(built.status, Some(0), "{}", built.err);
    let before = state(&desk);
    let served = desk.run(&format!(
        "serve other --listen 127.0.0.1:0 --count-readers {address}"
    ));
    assert_eq!(served.status, Some(2), "{}", served.err);
    for words in [
        "is not used, as it is that of the site in",
        "`--count-readers` needs a state folder",
    ] {
        assert!(served.err.contains(words), "{}", served.err);
    }
    // The lock is taken before it is known whose state it is, and nothing is in it.
    let after = state(&desk).replace("edition.lock\n\n", "");
    assert!(after == before, "the state has changed");
}

#[test]
fn what_was_read_is_counted_and_who_it_was_is_not() {
    let desk = desk();
    for _ in 0..2 {
        let served = Served::start(&desk, "--state state --count-readers");
        ask(
            &served.address,
            "/articles/first.html?secret-words",
            FIREFOX,
        );
        ask(
            &served.address,
            "/articles/first.md",
            "Mozilla/5.0 (compatible; GPTBot/1.2; secret-words)",
        );
        ask(
            &served.address,
            "/rss.xml",
            "Feedly/1.0 (3 subscribers; secret-words)",
        );
        ask(&served.address, "/secret-words.html", FIREFOX);
        assert_eq!(served.end().status, Some(0));
    }
    let ran = desk.run("readers site --state state");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let row = |name: &str| {
        ran.out
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap()
            .split_whitespace()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(row("/articles/first"), "2 0 0 2 0 4 2 2 0", "{}", ran.out);
    assert_eq!(row("/rss.xml"), "0 2 0 0 0 2 0 0 0", "{}", ran.out);
    for words in [
        "ai: OpenAI 2 (markdown 2)\n",
        "feed readers: Feedly 2\n",
        "people: Firefox 2\n",
        "what a CDN or a browser's cache answered is not seen",
    ] {
        assert!(ran.out.contains(words), "{words}\n{}", ran.out);
    }
    let json: serde_json::Value =
        serde_json::from_str(&desk.run("readers site --state state --days 2 --json").out).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 3, "{json}");
    let kept = state(&desk);
    for never in ["secret-words", "192.0.2", "127.0.0.1", "Mozilla"] {
        assert!(!kept.contains(never), "{never}: {kept}");
    }
}

#[test]
fn nothing_is_counted_unasked_and_no_counts_are_no_error() {
    let desk = desk();
    let served = Served::start(&desk, "--state state");
    ask(&served.address, "/articles/first.html", FIREFOX);
    assert_eq!(served.end().status, Some(0));
    assert!(!desk.path("state/readers").exists());
    let ran = desk.run("readers site --state state");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.contains("no readers were counted from ") && ran.out.contains("--count-readers"),
        "{}",
        ran.out
    );
    let quiet = desk.run("readers site --state state --quiet");
    assert!(
        quiet.out.starts_with("no readers were counted from ") && quiet.out.lines().count() == 1,
        "what was asked for is not left out: {}",
        quiet.out
    );
    let refused = desk.run("serve site --no-state --count-readers --listen 127.0.0.1:0");
    assert_eq!(refused.status, Some(2));
    assert!(
        refused
            .err
            .contains("`--count-readers` needs a state folder")
            && refused.err.contains("hint: "),
        "{}",
        refused.err
    );
}
