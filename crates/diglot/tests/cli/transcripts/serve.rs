//! What servers say while they start, run and end.

use std::fs;
use std::net::TcpListener;
use std::process::Stdio;

use super::{ARTICLE, Transcript};
use crate::cli::Desk;
use crate::cli::live::{Served, article};

/// A desk with one article, and a certificate for `example.org`, `localhost` and `127.0.0.1`.
fn desk() -> Desk {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE)]);
    for name in ["first.pem", "first.key"] {
        let file = format!("{}/tests/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::copy(file, desk.path(name)).unwrap();
    }
    desk
}

/// A server that says its address.
fn start(desk: &Desk, args: &str) -> Served {
    Served::run(desk.command(args).stdout(Stdio::piped()))
}

/// Ends a server and notes what it said.
fn end(transcript: &mut Transcript, args: &str, served: Served) {
    let (_, port) = served.address.rsplit_once(':').unwrap_or_default();
    let port = port.to_owned();
    let ran = served.end();
    transcript.note(args, &ran);
    if !port.is_empty() {
        transcript.hide(&port);
    }
}

/// Replaces a file in one step, so that the server reads it once.
fn save(desk: &Desk, path: &str, text: &str) {
    desk.write("site/.saved", text);
    fs::rename(desk.path("site/.saved"), desk.path(path)).unwrap();
}

/// The number of editions that went live after the first.
fn wait_for_edition(served: &Served, number: usize) {
    crate::cli::live::until(
        || served.said().matches(" is live (").count() == number,
        || served.said(),
    );
}

#[test]
fn transcripts_of_serving() {
    let (desk, mut transcript) = (desk(), Transcript::default());
    for args in [
        "serve site --no-state --listen 127.0.0.1:0",
        "serve site --no-state --listen 127.0.0.1:0 --drafts --no-reload",
        "serve site --no-state --listen 127.0.0.1:0 --base-url https://example.org/blog",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert first.pem --tls-key first.key",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert first.pem --tls-key first.key --base-url http://other.example",
    ] {
        let served = start(&desk, args);
        end(&mut transcript, args, served);
    }
    let args = "serve site --no-state --listen 127.0.0.1:0 --admin 127.0.0.1:0";
    let served = start(&desk, args);
    let admin = served.admin();
    end(&mut transcript, args, served);
    transcript.hide(admin.rsplit_once(':').unwrap().1);
    transcript.compare("serve.txt", &desk);
}

#[test]
fn transcripts_of_edits() {
    let (desk, mut transcript) = (desk(), Transcript::default());
    let args = "serve site --no-state --listen 127.0.0.1:0";
    let served = start(&desk, args);
    let first = "site/articles/first.md";
    save(&desk, first, &article("First", "Other words."));
    wait_for_edition(&served, 1);
    save(&desk, first, &article("First", "[A link](none.md)"));
    wait_for_edition(&served, 2);
    save(&desk, "site/diglot.toml", "titel = \"Notes\"\n");
    served.wait_for("the rebuild failed");
    save(&desk, "site/diglot.toml", "");
    wait_for_edition(&served, 3);
    end(&mut transcript, args, served);

    let args = "serve site --no-state --listen 127.0.0.1:0 --quiet";
    let served = Served::run_silently(desk.command(args).stdout(Stdio::piped()));
    served.wait_for("none.md");
    save(&desk, "site/diglot.toml", "titel = \"Notes\"\n");
    served.wait_for("the rebuild failed");
    end(&mut transcript, args, served);
    transcript.compare("edits.txt", &desk);
}

#[test]
fn transcripts_of_servers_that_do_not_start() {
    let (desk, mut transcript) = (desk(), Transcript::default());
    for args in [
        "serve site --no-state --listen 127.0.0.1:0 --listen-http 127.0.0.1:0",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert none.pem --tls-key first.key",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert first.pem --tls-key none.key",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert first.key --tls-key first.key",
        "serve site --no-state --listen 127.0.0.1:0 --tls-cert first.pem --tls-key first.pem",
        "serve site --no-state --listen 192.0.2.1:8080 --base-url https://example.org",
        "serve site --no-state --listen 127.0.0.1:0 --acme you@example.org",
        "serve site --no-state --listen 127.0.0.1:0 --domain example.org",
        "serve site --no-state --listen 127.0.0.1:0 --hsts forever",
        "healthcheck --admin 127.0.0.1:1",
    ] {
        transcript.run(&desk, args);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    transcript.run(
        &desk,
        &format!("serve site --no-state --listen 127.0.0.1:{port}"),
    );
    // The next port is named, too, and this process.
    transcript.hide(&port.wrapping_add(1).to_string());
    transcript.hide(&port.to_string());
    let name = fs::read_to_string("/proc/self/comm").unwrap();
    transcript.hide(name.trim());
    transcript.hide(&std::process::id().to_string());
    transcript.compare("no-start.txt", &desk);
}
