//! What commands say about other sites: `audit`, `clone` and `move`; and about readers.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use super::{ARTICLE, NOBODY, Transcript, check};
use crate::cli::Desk;
use crate::cli::live::{Served, until};
use crate::cli::moving::old;

/// A site that Diglot did not make; its address.
fn other_site() -> String {
    let page = "<!DOCTYPE html><title>Other</title><p>Words.</p>";
    let answers = BTreeMap::from([("/".to_owned(), page.to_owned())]);
    old::serve(answers, usize::MAX).0
}

/// Hides the ports of these addresses.
fn hide_ports<'a>(transcript: &mut Transcript, addresses: impl IntoIterator<Item = &'a str>) {
    for address in addresses {
        let (_, port) = address.rsplit_once(':').unwrap();
        transcript.hide(port);
    }
}

/// Waits for the codings of what an audit asks for: they are made in the background, the longest
/// resource last.
fn wait_for_codings(served: &Served) {
    let home = served.ask("/", "Accept: text/html\r\n");
    let sheets = home.split('"').filter(|text| text.ends_with(".css"));
    let sheets: Vec<&str> = sheets.collect();
    assert!(!sheets.is_empty(), "{home}");
    let documents = ["/", "/articles/first.md", "/llms-full.txt", "/openapi.json"];
    for path in documents.iter().chain(&sheets) {
        let ask = || served.ask(path, "Accept-Encoding: br\r\n");
        until(
            || ask().contains("\r\ncontent-encoding: br\r\n"),
            || format!("{path} is not compressed: {}", ask()),
        );
    }
}

#[test]
fn transcripts_of_audits() {
    let desk = Desk::with(&[
        ("site/diglot.toml", "title = \"Notes\"\n"),
        ("site/articles/first.md", ARTICLE),
        // Its pages have no preview for other sites.
        ("bare/diglot.toml", "title = \"Notes\"\ntheme = \"theme\"\n"),
        ("bare/articles/first.md", ARTICLE),
        (
            "bare/theme/head.html",
            "<meta charset=\"utf-8\">\n<link rel=\"stylesheet\" href=\"{{ site.assets[page.sheets[0]] }}\">\n<title>{{ page.head_title }}</title>\n{{ once(\"head-site.html\") }}\n<link rel=\"canonical\" href=\"{{ page.canonical }}\">\n<link rel=\"alternate\" type=\"text/markdown\" href=\"{{ page.markdown_url }}\">\n",
        ),
    ]);
    let served = Served::start(&desk, "--no-state --base-url https://example.org");
    let bare = "serve bare --listen 127.0.0.1:0 --no-state --base-url https://example.org";
    let bare = Served::run(&mut desk.command(bare));
    let mut transcript = Transcript::default();
    let site = format!("http://{}", served.address);
    let other = format!("http://{}", bare.address);
    wait_for_codings(&served);
    wait_for_codings(&bare);
    for args in [
        format!("audit {site}"),
        format!("audit {other}"),
        format!("audit {other} --fail-on broken --quiet"),
        format!("audit {NOBODY}"),
        "audit ftp://example.org".to_owned(),
        format!("audit {site} --sample 51"),
        format!("audit {site} --fail-on always"),
        "audit".to_owned(),
    ] {
        transcript.run(&desk, &args);
    }
    hide_ports(&mut transcript, [&*served.address, &*bare.address]);
    transcript.compare("audit.txt", &desk);
}

#[test]
fn transcripts_of_copies() {
    let desk = Desk::with(&[
        ("site/diglot.toml", "title = \"Notes\"\n"),
        ("site/articles/first.md", ARTICLE),
    ]);
    let served = Served::start(&desk, "--no-state --base-url https://example.org");
    let other = other_site();
    let mut transcript = Transcript::default();
    let site = format!("http://{}", served.address);
    transcript.run(&desk, &format!("clone {site} copy"));
    transcript.run(&desk, &format!("clone {site} copy"));
    transcript.run(&desk, &format!("clone {site} quiet --quiet"));
    desk.write("copy/articles/first.md", "edited");
    for args in [
        format!("clone {site} copy"),
        format!("clone {site} copy --json"),
        format!("clone {other} copy"),
        format!("clone {site} site"),
        format!("clone {other} other"),
        format!("clone {site}/blog blog"),
        format!("clone {NOBODY} nobody"),
        "clone ftp://example.org named".to_owned(),
        format!("clone {site}"),
    ] {
        transcript.run(&desk, &args);
    }
    hide_ports(&mut transcript, [&*served.address, &*other]);
    transcript.compare("clone.txt", &desk);
}

#[test]
fn transcripts_of_moves() {
    let articles = old::articles(6);
    let desk = Desk::new();
    for (path, text) in old::folder(&articles) {
        desk.write(&format!("site/{path}"), &text);
        desk.write(&format!("less/{path}"), &text);
    }
    // One text is not there, and one has another title.
    std::fs::remove_file(desk.path(&format!("less/{}", articles[0].file()))).unwrap();
    let text = articles[1].markdown();
    let text = text.replace(&articles[1].title, "Another title");
    desk.write(&format!("less/{}", articles[1].file()), &text);
    let (url, _) = old::serve(old::answers(&articles), usize::MAX);
    let mut transcript = Transcript::default();
    for args in [
        format!("move {url} site --no-state --dry-run"),
        format!("move {url} site --no-state"),
        "move site --no-state --verify".to_owned(),
        "move site --no-state --verify --quiet".to_owned(),
        format!("move {url} less --no-state --verify"),
        format!("move {url} less --no-state --verify --limit move-pages=3"),
        format!("move {NOBODY} less --no-state"),
        "move less --no-state".to_owned(),
        "move example.org less --no-state".to_owned(),
        format!("move {url} nowhere --no-state"),
        format!("move {url} less --no-state --verify --dry-run"),
        format!("move {url} less --no-state --cache less/cache"),
    ] {
        transcript.run(&desk, &args);
    }
    desk.write("less/migration.toml", "[accepted\n");
    transcript.run(&desk, &format!("move {url} less --no-state"));
    hide_ports(&mut transcript, [&*url]);
    transcript.compare("move.txt", &desk);
}

#[test]
fn transcripts_of_locks() {
    let desk = Desk::with(&[
        ("site/articles/first.md", ARTICLE),
        (
            "site/articles/second.md",
            &ARTICLE.replace("First", "Second"),
        ),
    ]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    let mut transcript = Transcript::default();
    for args in [
        "lock site --no-state",
        "lock empty",
        "lock nowhere",
        "lock site/articles/first.md",
    ] {
        transcript.run(&desk, args);
    }
    desk.write(
        "site/articles/second.md",
        &ARTICLE.replace("First", "Edited"),
    );
    transcript.run(&desk, "check site --no-state");
    let lock = desk.read("site/diglot.lock");
    desk.write("site/diglot.lock", &format!("<<<<<<< HEAD\n{lock}"));
    transcript.run(&desk, "check site --no-state");
    transcript.run(&desk, "lock site --no-state");
    transcript.compare("lock.txt", &desk);
}

/// Asks as a program.
#[cfg(unix)]
fn ask(address: &str, path: &str, agent: &str) {
    let mut socket = TcpStream::connect(address).unwrap();
    write!(
        socket,
        "GET {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    socket.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
#[cfg(unix)]
fn transcripts_of_readers() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    let mut transcript = Transcript::default();
    transcript.run(&desk, "readers site --state state");
    let served = Served::start(&desk, "--state state --count-readers");
    ask(
        &served.address,
        "/articles/first.html",
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    );
    ask(
        &served.address,
        "/articles/first.md",
        "Mozilla/5.0 (compatible; GPTBot/1.2)",
    );
    ask(&served.address, "/rss.xml", "Feedly/1.0 (3 subscribers)");
    assert_eq!(served.end().status, Some(0));
    for args in [
        "readers site --state state",
        "readers site --state state --json",
        "readers nowhere --state state",
        "readers site --no-state",
    ] {
        transcript.run(&desk, args);
    }
    transcript.compare("readers.txt", &desk);
}

#[test]
fn transcripts_of_agents() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    check(
        "agents.txt",
        &desk,
        &[
            "check site --no-state --as claude-code",
            "check site --no-state --as netscape",
            "check site --as codex --explain articles/first.md",
        ],
    );
}
