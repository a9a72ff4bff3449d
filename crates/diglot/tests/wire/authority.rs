//! What the server shows to an authority that is asked for its certificate, the port that sends
//! clients to HTTPS, and `Strict-Transport-Security`.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diglot::serve::{Challenge, Challenges, Files, Redirect, Setup, Tls};
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned, version};
use tempfile::TempDir;

use crate::server::{Server, status};
use crate::site;
use crate::tls::{client, files};

/// A server that waits for its certificate.
struct Waiting {
    folder: TempDir,
    tls: Tls,
    server: Server,
}

impl Waiting {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("certificate.pem");
        let shared = Files {
            certificate: file.clone(),
            key: file,
        };
        let challenges = Challenges {
            file: folder.path().join("challenges.json"),
            domains: vec!["example.org".to_owned()],
        };
        let tls = Tls::awaited(shared, challenges).unwrap();
        let setup = Setup {
            tls: Some(tls.clone()),
            hsts: Some("max-age=300".parse().unwrap()),
            ..Setup::default()
        };
        let server = Server::over(site::edition("https://example.org"), setup);
        Self {
            folder,
            tls,
            server,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn show(&self) {
        let shown = [Challenge {
            domain: "example.org".to_owned(),
            token: "token".to_owned(),
            answer: "token.thumbprint".to_owned(),
            certificate: text(&files("first.pem", "first.key").certificate),
            key: text(&files("first.pem", "first.key").key),
        }];
        fs::write(
            self.path("challenges.json"),
            serde_json::to_vec(&shown).unwrap(),
        )
        .unwrap();
    }

    /// What a client that offers `alpn` and asks for `name` gets: the answer to a request, or why
    /// the handshake failed.
    fn ask(&self, name: &str, alpn: &[&str]) -> Result<String, String> {
        let config = Arc::new(client(&[&version::TLS13, &version::TLS12], alpn));
        let name = ServerName::try_from(name.to_owned()).unwrap();
        let connection = ClientConnection::new(config, name).unwrap();
        let mut stream = StreamOwned::new(connection, self.server.connect());
        let request = b"GET /robots.txt HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
        stream
            .write_all(request)
            .map_err(|error| error.to_string())?;
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .map_err(|error| error.to_string())?;
        Ok(answer)
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn without_a_certificate_only_the_authority_is_answered() {
    let waiting = Waiting::start();
    let refused = waiting.ask("example.org", &["http/1.1"]).unwrap_err();
    assert!(refused.contains("AccessDenied"), "{refused}");
    let nothing = waiting.ask("example.org", &["acme-tls/1"]).unwrap_err();
    assert!(nothing.contains("AccessDenied"), "{nothing}");
    waiting.show();
    // The certificate of a challenge has no chain: that the client sees it is enough.
    let shown = waiting.ask("example.org", &["acme-tls/1"]).unwrap_err();
    assert!(shown.contains("UnknownIssuer"), "{shown}");
    for (name, alpn) in [
        ("localhost", &["acme-tls/1"][..]),
        ("example.org", &["acme-tls/1", "http/1.1"]),
    ] {
        let refused = waiting.ask(name, alpn).unwrap_err();
        assert!(
            !refused.contains("UnknownIssuer"),
            "{name} {alpn:?}: {refused}"
        );
    }
}

#[test]
fn a_certificate_that_arrives_is_used_and_one_that_is_damaged_is_not() {
    let waiting = Waiting::start();
    assert!(
        waiting.tls.renew().is_none(),
        "nothing is said while it is waited for"
    );
    let own = files("first.pem", "first.key");
    let whole = format!("{}{}", text(&own.key), text(&own.certificate));
    fs::write(waiting.path("certificate.pem"), &whole).unwrap();
    assert!(waiting.tls.renew().is_none());
    assert!(matches!(waiting.tls.renew(), Some(Ok(()))));
    let answer = waiting.ask("example.org", &["http/1.1"]).unwrap();
    assert!(
        answer
            .to_ascii_lowercase()
            .contains("\r\nstrict-transport-security: max-age=300\r\n")
    );
    fs::write(waiting.path("certificate.pem"), &whole[..whole.len() / 2]).unwrap();
    assert!(waiting.tls.renew().is_none());
    assert!(matches!(waiting.tls.renew(), Some(Err(_))));
    assert!(waiting.ask("example.org", &["http/1.1"]).is_ok());
}

#[test]
fn plain_http_is_sent_to_https_but_for_a_challenge() {
    let waiting = Waiting::start();
    waiting.show();
    let setup = Setup {
        redirect: Some(Redirect {
            tls: waiting.tls.clone(),
        }),
        ..Setup::default()
    };
    let server = Server::over(site::edition("https://www.example.net:8443"), setup);
    let ask = |target: &str, host: &str| {
        let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        String::from_utf8(server.exchange(request.as_bytes())).unwrap()
    };
    for (target, host, leads) in [
        (
            "/a%20b?c=d",
            "example.org",
            "https://example.org:8443/a%20b?c=d",
        ),
        ("/", "EXAMPLE.org:80", "https://EXAMPLE.org:8443/"),
        ("/", "other.example", "https://www.example.net:8443/"),
        (
            "//other.example/",
            "other.example",
            "https://www.example.net:8443//other.example/",
        ),
        (
            "/.well-known/acme-challenge/other",
            "example.org",
            "https://example.org:8443/.well-known/acme-challenge/other",
        ),
    ] {
        let answer = ask(target, host);
        assert_eq!(status(answer.as_bytes()), 308, "{target}");
        assert!(
            answer.contains(&format!("\r\nlocation: {leads}\r\n")),
            "{answer}"
        );
        assert!(!answer.contains("strict-transport-security"), "{answer}");
        for field in [
            "cache-control: public, max-age=300",
            "access-control-allow-origin: *",
            "content-signal: ",
            "content-length: 0",
        ] {
            assert!(
                answer.contains(&format!("\r\n{field}")),
                "{field}: {answer}"
            );
        }
    }
    for (method, expected) in [("POST", 405), ("DELETE", 405), ("OPTIONS", 204)] {
        let request =
            format!("{method} / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
        let answer = server.exchange(request.as_bytes());
        assert_eq!(status(&answer), expected, "{method}");
    }
    let shown = ask("/.well-known/acme-challenge/token", "example.org");
    assert_eq!(status(shown.as_bytes()), 200);
    assert!(shown.ends_with("\r\n\r\ntoken.thumbprint"), "{shown}");
    let broken = server.exchange(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(
        status(&broken),
        400,
        "what is not well formed is not sent anywhere"
    );
}
