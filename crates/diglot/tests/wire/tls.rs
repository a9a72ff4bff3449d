//! TLS: versions, ALPN, resumption, renewal of certificates, and clients without TLS. The
//! certificates are for tests alone; `certificates/README.md` says how they were made.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use diglot::failure::Status;
use diglot::serve::{Files, Limits, Setup, Tls};
use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, HandshakeKind, ProtocolVersion, RootCertStore, StreamOwned,
    SupportedProtocolVersion, version,
};

use crate::server::{Server, status};
use crate::site;

/// A file of the test certificates.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/certificates")
        .join(name)
}

pub fn files(certificate: &str, key: &str) -> Files {
    Files {
        certificate: file(certificate),
        key: file(key),
    }
}

fn start_with(limits: Limits) -> Server {
    start_over(limits, Tls::load(files("first.pem", "first.key")).unwrap())
}

fn start_over(limits: Limits, tls: Tls) -> Server {
    Server::over(
        site::edition("https://example.org"),
        Setup {
            limits,
            tls: Some(tls),
            ..Setup::default()
        },
    )
}

fn start() -> Server {
    start_with(Limits::default())
}

/// A client that trusts the root of the tests and nothing else.
pub fn client(versions: &[&'static SupportedProtocolVersion], alpn: &[&str]) -> ClientConfig {
    with_provider(rustls::crypto::ring::default_provider(), versions, alpn)
}

fn with_provider(
    provider: CryptoProvider,
    versions: &[&'static SupportedProtocolVersion],
    alpn: &[&str],
) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(file("root.pem")).unwrap())
        .unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(versions)
        .unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
    config
}

type Stream = StreamOwned<ClientConnection, TcpStream>;

fn connect(server: &Server, config: &Arc<ClientConfig>) -> Stream {
    let name = ServerName::try_from("example.org").unwrap();
    StreamOwned::new(
        ClientConnection::new(Arc::clone(config), name).unwrap(),
        server.connect(),
    )
}

/// Sends `request` over TLS and reads to the end.
fn exchange(stream: &mut Stream, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    if stream.write_all(request).is_ok() {
        let _ = stream.read_to_end(&mut answer);
    }
    answer
}

const REQUEST: &[u8] =
    b"GET /robots.txt HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";

#[test]
fn tls_1_3_and_1_2_give_the_bytes_of_plain_http() {
    let server = start();
    let expected = server
        .live
        .load()
        .get("/robots.txt")
        .unwrap()
        .body
        .to_bytes();
    let versions = [
        (&version::TLS13, ProtocolVersion::TLSv1_3),
        (&version::TLS12, ProtocolVersion::TLSv1_2),
    ];
    for (offered, chosen) in versions {
        for (alpn, answered) in [
            (&[][..], None),
            (&["http/1.1"], Some("http/1.1")),
            (&["h2", "http/1.1"], Some("h2")),
            (&["http/1.1", "h2"], Some("h2")),
        ] {
            let mut stream = connect(&server, &Arc::new(client(&[offered], alpn)));
            let answer = exchange(&mut stream, REQUEST);
            assert_eq!(stream.conn.protocol_version(), Some(chosen), "{alpn:?}");
            assert_eq!(
                stream.conn.alpn_protocol(),
                answered.map(str::as_bytes),
                "{alpn:?}"
            );
            match answered {
                // A client that chose HTTP/2 and speaks HTTP/1.1 gets no answer in HTTP/1.1.
                Some("h2") => assert!(!answer.starts_with(b"HTTP/1"), "{alpn:?}"),
                _ => assert!(
                    status(&answer) == 200 && answer.ends_with(&expected),
                    "{alpn:?}"
                ),
            }
        }
    }
}

#[test]
fn a_half_closed_client_gets_its_whole_answer() {
    let server = start();
    let expected = server
        .live
        .load()
        .get("/llms-full.txt")
        .unwrap()
        .body
        .to_bytes();
    let request =
        |fields: &str| format!("GET /llms-full.txt HTTP/1.1\r\nHost: example.org\r\n{fields}\r\n");
    for offered in [&version::TLS13, &version::TLS12] {
        for (notified, fields) in [
            (true, ""),
            (true, "Connection: close\r\n"),
            (false, ""),
            (false, "Connection: close\r\n"),
        ] {
            for _ in 0..15 {
                let mut stream = connect(&server, &Arc::new(client(&[offered], &[])));
                stream.write_all(request(fields).as_bytes()).unwrap();
                if notified {
                    stream.conn.send_close_notify();
                }
                stream.flush().unwrap();
                stream.sock.shutdown(std::net::Shutdown::Write).unwrap();
                let mut answer = Vec::new();
                stream
                    .read_to_end(&mut answer)
                    .expect("the server says the end");
                assert!(
                    status(&answer) == 200 && answer.ends_with(&expected),
                    "{offered:?} {notified} {fields:?}"
                );
            }
        }
    }
}

#[test]
fn aes_128_comes_first_unless_the_client_would_rather_have_chacha20() {
    use rustls::CipherSuite as S;
    let server = start();
    let chosen = |offered: &'static SupportedProtocolVersion, suites: &[S]| {
        let mut provider = rustls::crypto::ring::default_provider();
        provider
            .cipher_suites
            .retain(|suite| suites.contains(&suite.suite()));
        provider
            .cipher_suites
            .sort_by_key(|suite| suites.iter().position(|one| *one == suite.suite()));
        let mut stream = connect(&server, &Arc::new(with_provider(provider, &[offered], &[])));
        assert_eq!(status(&exchange(&mut stream, REQUEST)), 200);
        stream.conn.negotiated_cipher_suite().unwrap().suite()
    };
    let (aes_128, aes_256, chacha20) = (
        S::TLS13_AES_128_GCM_SHA256,
        S::TLS13_AES_256_GCM_SHA384,
        S::TLS13_CHACHA20_POLY1305_SHA256,
    );
    assert_eq!(
        chosen(&version::TLS13, &[aes_256, chacha20, aes_128]),
        aes_128
    );
    assert_eq!(chosen(&version::TLS13, &[aes_256, chacha20]), aes_256);
    assert_eq!(
        chosen(&version::TLS13, &[chacha20, aes_128, aes_256]),
        chacha20
    );
    assert_eq!(chosen(&version::TLS13, &[chacha20]), chacha20);
    let (aes_128, aes_256) = (
        S::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        S::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    );
    let chacha20 = S::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256;
    assert_eq!(
        chosen(&version::TLS12, &[aes_256, aes_128, chacha20]),
        aes_128
    );
    assert_eq!(
        chosen(&version::TLS12, &[chacha20, aes_256, aes_128]),
        chacha20
    );
}

#[test]
fn an_unknown_protocol_is_refused_in_the_handshake() {
    let server = start();
    let mut stream = connect(&server, &Arc::new(client(&[&version::TLS13], &["spdy/3"])));
    let error = stream
        .write_all(REQUEST)
        .and_then(|()| stream.read(&mut [0; 9]))
        .unwrap_err();
    assert!(
        error.to_string().contains("NoApplicationProtocol"),
        "{error}"
    );
}

#[test]
fn sessions_are_resumed_in_both_versions_also_after_a_renewal() {
    for offered in [&version::TLS13, &version::TLS12] {
        let server = start();
        let mut config = client(&[offered], &["http/1.1"]);
        config.resumption = Resumption::in_memory_sessions(8);
        let config = Arc::new(config);
        let kinds = [(); 3].map(|()| {
            let mut stream = connect(&server, &config);
            assert_eq!(status(&exchange(&mut stream, REQUEST)), 200);
            stream.conn.handshake_kind()
        });
        assert_eq!(
            kinds,
            [
                Some(HandshakeKind::Full),
                Some(HandshakeKind::Resumed),
                Some(HandshakeKind::Resumed)
            ],
            "{offered:?}"
        );
    }
}

#[test]
fn plain_http_at_the_tls_port_gets_a_short_400() {
    let server = start();
    for request in [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        format!("POST / HTTP/1.1\r\nHost: x\r\n\r\n{}", "x".repeat(100_000)),
    ] {
        let answer = server.exchange(request.as_bytes());
        let text = String::from_utf8_lossy(&answer);
        assert_eq!(status(&answer), 400, "{text}");
        assert!(
            text.contains("connection: close\r\n")
                && text.contains("cache-control: no-store")
                && answer.len() < 2000,
            "{text}"
        );
    }
    for noise in [
        &b"\x80\x2e\x01\x00\x02"[..],
        b"\x00\x00\x00",
        b"\x16\x03\x01\x00\x05hello",
        b"\n",
    ] {
        let answer = server.exchange(noise);
        assert!(
            answer.is_empty() || answer[0] == 21,
            "nothing, or an alert: {answer:?}"
        );
    }
    assert_eq!(
        status(&exchange(
            &mut connect(&server, &Arc::new(client(&[&version::TLS13], &[]))),
            REQUEST
        )),
        200
    );
}

#[test]
fn an_unfinished_handshake_is_ended() {
    let server = start_with(Limits {
        handshake_time: Duration::from_millis(300),
        ..Limits::default()
    });
    for begun in [
        &b""[..],
        b"\x16",
        b"\x16\x03\x01\x01\x00\x01\x00\x00",
        b"GET / HTTP/1.1\r\n",
    ] {
        let start = Instant::now();
        let mut socket = server.connect();
        socket.write_all(begun).unwrap();
        let _ = socket.read_to_end(&mut Vec::new());
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{begun:?} holds a connection"
        );
    }
}

#[test]
fn shutdown_does_not_wait_for_handshakes_and_closes_idle_connections() {
    let mut server = start();
    let _begun = server.connect();
    let mut idle = connect(&server, &Arc::new(client(&[&version::TLS13], &[])));
    idle.write_all(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    idle.read_exact(&mut [0; 15]).unwrap();
    let start = Instant::now();
    server.stop();
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).unwrap();
    server.join();
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn what_cannot_be_used_is_said() {
    let check = |certificate: &str, key: &str, words: &str| {
        let failure = Tls::load(files(certificate, key))
            .err()
            .unwrap_or_else(|| panic!("{certificate} and {key} are no pair"));
        assert!(
            failure.to_string().contains(words),
            "{certificate}, {key}: {failure}"
        );
        assert_eq!(failure.status, Status::Usage, "{failure}");
    };
    check("none.pem", "first.key", "cannot read `");
    check(
        "first.pem",
        "none.key",
        "none.key`: no such file or directory",
    );
    check(
        "first.key",
        "first.pem",
        "first.key` contains no certificate",
    );
    check(
        "first.pem",
        "first.pem",
        "first.pem` contains no private key",
    );
    check(
        "first.pem",
        "second.key",
        "second.key` does not belong to the certificate in `",
    );
    check(
        "reversed.pem",
        "first.key",
        "the site's own must be the first",
    );
    check("first.pem", "encrypted.key", "encrypted.key` is encrypted");
    check(
        "first.pem",
        "encrypted-old.key",
        "encrypted-old.key` is encrypted",
    );
    check("first.der", "first.key", "first.der` is not PEM but DER");
    check(
        "README.md",
        "first.key",
        "README.md` contains no certificate",
    );
    check("first.pem", "weak.key", "weak.key` is not usable: ");
    assert!(
        Tls::load(files("second.pem", "second.key")).is_ok()
            && Tls::load(files("first.pem", "first-pkcs8.key")).is_ok()
    );
}

#[test]
fn cut_off_and_garbled_files_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = dir.path().join("cut.pem");
    let whole = fs::read_to_string(file("first.pem")).unwrap();
    for (text, words) in [
        (&whole[..200], "a section has no end; is it cut off?"),
        (
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
            "its first certificate is malformed",
        ),
        (
            "-----BEGIN CERTIFICATE-----\n?!\n-----END CERTIFICATE-----\n",
            "a section is not base64",
        ),
    ] {
        fs::write(&certificate, text).unwrap();
        let failure = Tls::load(Files {
            certificate: certificate.clone(),
            key: file("first.key"),
        })
        .err()
        .unwrap();
        assert!(failure.message.contains(words), "{failure}");
    }
}

#[test]
fn a_certificate_is_for_its_names() {
    let tls = Tls::load(files("first.pem", "first.key")).unwrap();
    for (host, expected) in [
        ("example.org", true),
        ("localhost", true),
        ("127.0.0.1", true),
        ("other.example", false),
        ("[::1]", false),
        ("", false),
    ] {
        assert_eq!(tls.is_for(host), expected, "{host}");
    }
}

/// The common name that the server shows now.
fn shown(server: &Server) -> &'static str {
    let mut stream = connect(server, &Arc::new(client(&[&version::TLS13], &[])));
    assert_eq!(status(&exchange(&mut stream, REQUEST)), 200);
    let leaf = &stream.conn.peer_certificates().unwrap()[0];
    if leaf.windows(5).any(|window| window == b"first") {
        "first"
    } else {
        "second"
    }
}

/// Checks the files until there is a report, at most three times.
fn look(tls: &Tls) -> Option<Result<(), String>> {
    (0..3)
        .find_map(|_| tls.renew())
        .map(|news| news.map_err(|failure| failure.message))
}

/// A folder with `live/` as certbot keeps it, or as Kubernetes mounts it, and how to switch it to
/// another pair.
fn check_renewal(set: impl Fn(&Path, &str, &str)) {
    let dir = tempfile::tempdir().unwrap();
    set(dir.path(), "first.pem", "first.key");
    let tls = Tls::load(Files {
        certificate: dir.path().join("live/fullchain.pem"),
        key: dir.path().join("live/privkey.pem"),
    })
    .unwrap();
    let server = start_over(Limits::default(), tls.clone());
    let mut old = connect(&server, &Arc::new(client(&[&version::TLS13], &[])));
    old.write_all(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    assert_eq!(look(&tls), None, "nothing changed");
    set(dir.path(), "second.pem", "second.key");
    assert_eq!(look(&tls), Some(Ok(())));
    assert_eq!(shown(&server), "second");
    // A broken pair leaves the old one in use, and is reported once.
    for (certificate, key, words) in [
        ("first.pem", "second.key", "does not belong"),
        ("root.pem", "encrypted.key", "is encrypted"),
    ] {
        set(dir.path(), certificate, key);
        assert!(look(&tls).unwrap().unwrap_err().contains(words));
        assert_eq!(look(&tls), None);
        assert_eq!(shown(&server), "second");
    }
    fs::remove_file(dir.path().join("live/privkey.pem")).unwrap();
    assert!(look(&tls).unwrap().unwrap_err().contains("cannot read"));
    assert_eq!(shown(&server), "second");
    set(dir.path(), "first.pem", "first.key");
    assert_eq!(look(&tls), Some(Ok(())));
    assert_eq!(shown(&server), "first");
    // A connection from before all this still works.
    assert_eq!(status(&exchange(&mut old, REQUEST)), 200);
}

/// Puts a link to `target` in the place of whatever is at `link`, in one step.
fn relink(target: &Path, link: &Path) {
    let next = link.with_file_name("next");
    symlink(target, &next).unwrap();
    fs::rename(next, link).unwrap();
}

#[test]
fn a_file_written_anew_is_a_renewal() {
    check_renewal(|dir, certificate, key| {
        fs::create_dir_all(dir.join("live")).unwrap();
        fs::write(
            dir.join("live/fullchain.pem"),
            fs::read(file(certificate)).unwrap(),
        )
        .unwrap();
        fs::write(dir.join("live/privkey.pem"), fs::read(file(key)).unwrap()).unwrap();
    });
}

#[test]
fn a_switched_link_is_a_renewal_as_certbot_does_it() {
    check_renewal(|dir, certificate, key| {
        fs::create_dir_all(dir.join("live")).unwrap();
        relink(&file(certificate), &dir.join("live/fullchain.pem"));
        relink(&file(key), &dir.join("live/privkey.pem"));
    });
}

#[test]
fn a_switched_folder_is_a_renewal_as_kubernetes_does_it() {
    check_renewal(|dir, certificate, key| {
        fs::create_dir_all(dir.join("live")).unwrap();
        let data = tempfile::Builder::new()
            .prefix("..")
            .tempdir_in(dir.join("live"))
            .unwrap()
            .keep();
        fs::copy(file(certificate), data.join("fullchain.pem")).unwrap();
        fs::copy(file(key), data.join("privkey.pem")).unwrap();
        relink(&data, &dir.join("live/..data"));
        for name in ["fullchain.pem", "privkey.pem"]
            .into_iter()
            .filter(|name| !dir.join("live").join(name).is_symlink())
        {
            relink(
                &Path::new("..data").join(name),
                &dir.join("live").join(name),
            );
        }
    });
}

#[test]
fn half_a_renewal_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let (certificate, key) = (dir.path().join("c.pem"), dir.path().join("k.pem"));
    relink(&file("first.pem"), &certificate);
    relink(&file("first.key"), &key);
    let tls = Tls::load(Files {
        certificate: certificate.clone(),
        key: key.clone(),
    })
    .unwrap();
    relink(&file("second.pem"), &certificate);
    assert_eq!(
        tls.renew(),
        None,
        "the certificate is new and the key is not there yet: nothing to complain of"
    );
    relink(&file("second.key"), &key);
    assert_eq!(tls.renew(), None);
    assert_eq!(tls.renew(), Some(Ok(())));
}
