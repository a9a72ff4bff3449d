//! `diglot audit` over sockets: a served site passes whole, what is broken is named, and the exit
//! status says which.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn diglot(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diglot"));
    command.args(args).env_clear().env("PATH", "/usr/bin:/bin");
    command
}

/// What a run left: exit status, standard output, standard error.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = diglot(args).output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The example site, served until dropped.
struct Served {
    child: Child,
    port: String,
}

impl Served {
    fn example() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/field-notes");
        let mut child = diglot(&[
            "serve",
            folder.to_str().unwrap(),
            "--listen",
            "127.0.0.1:0",
            "--no-state",
            "--no-watch",
        ])
        .env("DIGLOT_BASE_URL", "")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let line = lines
            .find(|line| line.contains(" on http://"))
            .expect("it never said where it listens");
        // Its later messages must not find a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let port = line
            .trim_end_matches('/')
            .rsplit(':')
            .next()
            .unwrap()
            .to_owned();
        Self { child, port }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A whole answer to one request, as bytes.
fn ask(port: &str, request: &str) -> Vec<u8> {
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes);
    bytes
}

/// Waits until the codings that the audit asks for are made: before that there is no compression to
/// judge.
fn wait_for_codings(port: &str) {
    let is_coded = |path: &str, coding: &str| {
        let request = format!(
            "HEAD {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {coding}\r\nConnection: close\r\n\r\n"
        );
        String::from_utf8_lossy(&ask(port, &request))
            .to_ascii_lowercase()
            .contains(&format!("\r\ncontent-encoding: {coding}\r\n"))
    };
    let start = Instant::now();
    for path in [
        "/rss.xml",
        "/llms.txt",
        "/sitemap.xml",
        "/llms-full.txt",
        "/articles/on-a-server.html",
        "/articles/on-a-server.md",
        "/",
    ] {
        while !(is_coded(path, "gzip") && is_coded(path, "br"))
            && start.elapsed() < Duration::from_secs(120)
        {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Compares a card with the one that is kept, but for the port and the number of requests.
fn check(name: &str, card: &str, port: &str) {
    let text = card.replace(&format!(":{port}"), ":PORT");
    let requests = text
        .split("; ")
        .filter_map(|rest| rest.split_once(" requests"))
        .map(|(count, _)| count.to_owned())
        .next()
        .unwrap();
    let text = text.replace(&format!("; {requests} requests"), "; N requests");
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/audit/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &text).unwrap();
    }
    assert_eq!(
        text,
        std::fs::read_to_string(&file).unwrap_or_default(),
        "UPDATE_GOLDEN=1 writes `{name}` anew"
    );
}

#[test]
fn the_example_site_has_everything() {
    let served = Served::example();
    wait_for_codings(&served.port);
    let url = format!("http://127.0.0.1:{}", served.port);
    let (status, card, said) = run(&["audit", &url, "--sample", "4"]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{card}");
    check("example.txt", &card, &served.port);
    assert!(
        card.starts_with(&format!(
            "{url}: 100 of 100\nNothing is broken; nothing is missing.\n"
        )) && !card.contains('\u{1b}'),
        "{card}"
    );

    let (status, json, _) = run(&["audit", &url, "--sample", "1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (
            status,
            &json["tally"]["failed"],
            &json["tally"]["not_judged"]
        ),
        (Some(0), &0.into(), &0.into()),
        "{json:#}"
    );
    assert_eq!(
        (&json["score"], &json["worst"]),
        (&100.into(), &serde_json::Value::Null),
        "{json:#}"
    );
    assert!(json["requests"].as_u64().unwrap() < 450, "{json:#}");
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
    let url = same_for_all(
        "HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: 4\r\nConnection: close\r\n\r\n# x\n",
    );
    let (status, card, said) = run(&["audit", &url]);
    assert_eq!((status, said.as_str()), (Some(1), ""), "{card}");
    assert!(
        card.contains("negotiation.browser (harm, costs ") && card.contains("\n  hint: "),
        "{card}"
    );
}

/// What a plain web server answers: four pages, and nothing else.
fn bare() -> String {
    let page = |path: &str, more: &str| {
        let body = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>{path}</title><h1>{path}</h1><p>Boats are mended here. {more}</p></html>"
        );
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLast-Modified: Sat, 01 Jun 2024 08:00:00 GMT\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let home = page(
        "Boats",
        "<a href=\"a.html\">Prices</a> <a href=\"b.html\">About</a> <a href=\"c.html\">Where</a>",
    );
    let pages = [
        ("/", home.clone()),
        ("/index.html", home),
        ("/a.html", page("Prices", "")),
        ("/b.html", page("About", "")),
        ("/c.html", page("Where", "")),
    ];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let pages = pages.clone();
            std::thread::spawn(move || answer(socket, &pages));
        }
    });
    format!("http://{address}")
}

/// Answers the requests of one connection.
fn answer(mut socket: TcpStream, pages: &[(&str, String)]) {
    let mut lines = BufReader::new(socket.try_clone().unwrap());
    loop {
        let (mut first, mut line) = (String::new(), String::new());
        if lines.read_line(&mut first).unwrap_or_default() == 0 {
            return;
        }
        while lines.read_line(&mut line).unwrap_or_default() > 2 {
            line.clear();
        }
        let mut words = first.split(' ');
        let (method, target) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let path = target.split('?').next().unwrap_or_default();
        let page = pages
            .iter()
            .find(|(own, _)| *own == path)
            .map(|(_, page)| page.as_str());
        let text = match (method, page) {
            ("GET", Some(page)) => page,
            ("HEAD", Some(page)) => page.split_inclusive("\r\n\r\n").next().unwrap_or_default(),
            ("HEAD", None) => {
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n"
            }
            ("GET", None) => {
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nNot found"
            }
            _ => {
                "HTTP/1.1 501 Not Implemented\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nNo."
            }
        };
        if socket.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn four_pages_on_a_bare_server_score_low_over_the_network_too() {
    let url = bare();
    // At the same time, since an audit waits between its requests.
    let ((status, card, said), patient) = std::thread::scope(|scope| {
        let patient = scope.spawn(|| run(&["audit", &url, "--fail-on", "harm"]));
        (run(&["audit", &url]), patient.join().unwrap())
    });
    assert_eq!((status, said.as_str()), (Some(1), ""), "{card}");
    check("bare.txt", &card, url.rsplit(':').next().unwrap());
    let score: u32 = card
        .lines()
        .next()
        .unwrap()
        .rsplit(": ")
        .next()
        .unwrap()
        .trim_end_matches(" of 100")
        .parse()
        .unwrap();
    assert!(score < 20, "{card}");
    // Nothing there does harm, so `--fail-on harm` succeeds.
    let (status, card, _) = patient;
    assert_eq!(status, Some(0), "{card}");
}

/// A host that answers one request, and then wants to be left alone.
fn soon_tired() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (number, mut socket) in listener.incoming().map_while(Result::ok).enumerate() {
            let status = if number < 3 {
                "200 OK"
            } else {
                "429 Too Many Requests\r\nRetry-After: 60"
            };
            let mut head = [0; 4096];
            let _ = socket.read(&mut head);
            let _ = socket
                .write_all(format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes());
        }
    });
    format!("http://{address}")
}

#[test]
fn what_was_not_asked_is_no_success() {
    let url = soon_tired();
    let (status, card, _) = run(&["audit", &url, "--fail-on", "harm"]);
    assert_eq!(status, Some(3), "{card}");
    assert!(
        card.contains("not everything was asked: the host asks to be left alone (status 429)"),
        "{card}"
    );
}

#[test]
fn a_host_that_wants_peace_gets_it() {
    let url = same_for_all(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let (status, card, _) = run(&["audit", &url]);
    assert_eq!(status, Some(3), "{card}");
}

#[test]
fn what_cannot_be_asked_is_said() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (
            &["audit", "http://127.0.0.1:1/", "--fail-on", "never"],
            2,
            "--fail-on",
        ),
        (
            &["audit", &format!("http://{closed}")],
            3,
            "connection refused",
        ),
        (&["audit", "http://a b/"], 2, "has no valid host"),
        (
            &["audit", "http://127.0.0.1:1/", "--sample", "1000"],
            2,
            "--sample",
        ),
        (&["audit"], 2, "<URL>"),
    ];
    for (args, expected, words) in cases {
        let (status, out, said) = run(args);
        assert_eq!(
            (status, out.as_str()),
            (Some(expected), ""),
            "{args:?}: {said}"
        );
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let elsewhere = same_for_all(
        "HTTP/1.1 301 Moved Permanently\r\nLocation: https://other.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let (status, _, said) = run(&["audit", &elsewhere]);
    assert_eq!(status, Some(3), "{said}");
    assert!(
        said.contains("leads to another host, `https://other.example/`"),
        "{said}"
    );
}
