//! The page that reloads itself, and what keeps a preview with drafts on its own machine.

use std::io::{Read, Write};

use diglot::serve::{Preview, Setup};

use super::server::{Server, status};
use super::{site, start};

fn with(preview: Preview) -> Server {
    let setup = Setup {
        preview,
        ..Setup::default()
    };
    Server::over(site::edition("https://example.org"), setup)
}

fn ask(server: &Server, path: &str, fields: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\n{fields}Connection: close\r\n\r\n");
    String::from_utf8_lossy(&server.exchange(request.as_bytes())).into_owned()
}

const HOST: &str = "Host: localhost:1\r\n";
const RELOADS: Preview = Preview {
    reloads: true,
    shows_drafts: false,
};
const DRAFTS: Preview = Preview {
    reloads: false,
    shows_drafts: true,
};

#[test]
fn contract_7_reloading_changes_no_published_byte() {
    let (plain, server) = (start(), with(RELOADS));
    let edition = server.live.load();
    for resource in &edition.resources {
        let path = edition.site.base.rooted(&resource.path);
        let body = |server| {
            let answer = ask(server, &path, HOST);
            answer
                .split_once("\r\n\r\n")
                .map(|(_, body)| body.to_owned())
        };
        assert_eq!(body(&plain), body(&server), "{path}");
    }
}

#[test]
fn contract_7_only_a_preview_has_the_page_that_reloads() {
    let server = with(RELOADS);
    for (path, media_type) in [
        ("/_/preview", "text/html"),
        ("/_/preview/articles/a.html", "text/html"),
        ("/_/preview.js", "text/javascript"),
        ("/_/preview.css", "text/css"),
    ] {
        let answer = ask(&server, path, HOST);
        assert_eq!(status(answer.as_bytes()), 200, "{path}");
        assert!(
            answer.contains(&format!("content-type: {media_type}")),
            "{answer}"
        );
        assert!(!answer.contains("access-control-"), "{answer}");
        for other in [start(), with(DRAFTS)] {
            assert_eq!(status(ask(&other, path, HOST).as_bytes()), 404, "{path}");
        }
    }
    let posted = server
        .exchange(b"POST /_/preview HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&posted), 405);
}

#[test]
fn contract_7_an_edit_is_an_event() {
    let server = with(RELOADS);
    let first = server.live.load_full();
    let mut socket = server.connect();
    write!(
        socket,
        "GET /_/preview.events HTTP/1.1\r\n{HOST}Last-Event-ID: {}\r\nConnection: close\r\n\r\n",
        first.id
    )
    .unwrap();
    let mut next = site::edition("https://example.org");
    next.id = diglot_edition::Digest([7; 16]);
    let id = next.id.to_string();
    server.live.store(std::sync::Arc::new(next));
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(
        answer.contains("content-type: text/event-stream"),
        "{answer}"
    );
    assert!(
        answer.ends_with(&format!("id: {id}\nevent: edition\ndata: {id}\n\n")),
        "{answer}"
    );
    // A change while no request waited is reported at once.
    let missed = ask(
        &server,
        "/_/preview.events",
        &format!("{HOST}Last-Event-ID: {}\r\n", first.id),
    );
    assert!(missed.contains("event: edition"), "{missed}");
}

#[test]
fn contract_7_a_waiting_browser_does_not_hold_up_a_stop() {
    let server = with(RELOADS);
    let mut socket = server.connect();
    write!(socket, "GET /_/preview.events HTTP/1.1\r\n{HOST}\r\n").unwrap();
    // Until the server has the request.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let begun = std::time::Instant::now();
    server.join();
    assert!(begun.elapsed() < std::time::Duration::from_secs(10));
}

#[test]
fn contract_7_drafts_are_for_this_machine() {
    let server = with(DRAFTS);
    let check = |fields: &str, expected: u16| {
        let answer = ask(&server, "/index.html", fields);
        assert_eq!(status(answer.as_bytes()), expected, "{fields}");
        assert!(!answer.contains("access-control-"), "{answer}");
    };
    check(HOST, 200);
    check("Host: 127.0.0.1:8080\r\n", 200);
    check("Host: example.org\r\n", 421);
    check("Host: localhost\r\nX-Forwarded-For: 10.0.0.1\r\n", 421);
    check("Host: localhost\r\nForwarded: for=10.0.0.1\r\n", 421);
}
