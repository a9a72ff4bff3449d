//! What signals do to a server: SIGTERM ends it in good order, SIGHUP has everything read again.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::cli::live::{Served, article, desk};

/// Sends a signal to a server.
fn signal(served: &Served, name: &str) {
    let pid = served.child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn sigterm_finishes_open_requests_and_exits_with_0() {
    let desk = desk();
    let mut served = Served::start(&desk, "");
    let mut open = TcpStream::connect(&served.address).unwrap();
    open.write_all(b"GET /llms.txt HTTP/1.1\r\n").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    signal(&served, "-TERM");
    std::thread::sleep(Duration::from_millis(100));
    open.write_all(b"Host: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    open.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

/// They have asked for nothing, so the server does not wait for them. Open requests would have 30
/// seconds.
#[test]
#[cfg(target_os = "linux")]
fn sigterm_waits_for_no_silent_connection() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    )
    .unwrap();
    let desk = desk();
    let mut served = Served::start(&desk, "--limit head-time=10m");
    let count = maximum
        .map_or(1_000, |most| {
            usize::try_from(most).unwrap_or(usize::MAX) / 2
        })
        .min(1_000);
    let held: Vec<TcpStream> = (0..count)
        .map(|_| TcpStream::connect(&served.address).unwrap())
        .collect();
    // Once this is answered, those before it are accepted.
    assert!(served.get("/index.md").starts_with("HTTP/1.1 200"));
    let begun = Instant::now();
    signal(&served, "-TERM");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    for mut socket in held {
        assert_eq!(socket.read(&mut [0]).expect("its end is said"), 0);
    }
}

#[test]
fn sighup_has_everything_read_again_and_ends_nothing() {
    let desk = desk();
    let mut served = Served::start(&desk, "--no-watch");
    let mut open = TcpStream::connect(&served.address).unwrap();
    open.write_all(b"GET /articles/first.md HTTP/1.1\r\nConnection: close\r\n")
        .unwrap();
    desk.write("site/articles/first.md", &article("First", "Other words."));
    for _ in 0..3 {
        signal(&served, "-HUP");
    }
    served.wait_for("everything is read again");
    served.wait_for_answer("/articles/first.md", "Other words.");
    // After a failed reload the live edition stays, and the next reload is requested in the same
    // way.
    desk.write("site/diglot.toml", "title = [");
    signal(&served, "-HUP");
    served.wait_for("the rebuild failed; still serving edition ");
    desk.write("site/diglot.toml", "title = \"Later\"");
    signal(&served, "-HUP");
    served.wait_for_answer("/", "Later");
    // A request that was begun before is answered.
    open.write_all(b"Host: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    open.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    signal(&served, "-TERM");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

#[test]
fn sighup_has_a_link_followed_and_a_new_certificate_used_at_once() {
    let desk = desk();
    desk.write("next/articles/first.md", &article("First", "Release two."));
    std::fs::rename(desk.path("site"), desk.path("release-1")).unwrap();
    std::os::unix::fs::symlink("release-1", desk.path("site")).unwrap();
    let certificates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    let renew = |name: &str| {
        for kind in ["pem", "key"] {
            std::fs::copy(
                certificates.join(format!("{name}.{kind}")),
                desk.path(&format!("site.{kind}")),
            )
            .unwrap();
        }
    };
    renew("first");
    // Without the sandbox another folder may be read.
    let served = Served::start(
        &desk,
        "--no-watch --no-sandbox --tls-cert site.pem --tls-key site.key",
    );
    renew("second");
    std::fs::remove_file(desk.path("site")).unwrap();
    std::os::unix::fs::symlink("next", desk.path("site")).unwrap();
    signal(&served, "-HUP");
    served.wait_for("the new certificate is in use");
    served.wait_for(" is live (1 article");
}
