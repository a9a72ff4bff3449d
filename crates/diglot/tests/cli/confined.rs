//! What the server gives up, and what still works then. The other tests of a served folder run
//! confined as well.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::process::Command;

use crate::cli::live::{Served, article, until};
use crate::cli::{Desk, MORNING};
use crate::support::repository::Repository;

/// A desk whose `site` is a symbolic link to `releases/1`.
fn desk() -> Desk {
    let desk = Desk::with(&[(
        "releases/1/articles/first.md",
        &article("First", "Words of the first release."),
    )]);
    symlink("releases/1", desk.path("site")).unwrap();
    desk
}

fn switch(desk: &Desk, target: &std::path::Path) {
    symlink(target, desk.path("next")).unwrap();
    fs::rename(desk.path("next"), desk.path("site")).unwrap();
}

#[test]
fn no_thread_may_gain_privileges() {
    let desk = desk();
    let served = Served::start(&desk, "");
    let mut threads = 0;
    for task in fs::read_dir(format!("/proc/{}/task", served.child.id())).unwrap() {
        // A thread may end meanwhile.
        let Ok(status) = fs::read_to_string(task.unwrap().path().join("status")) else {
            continue;
        };
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
        threads += 1;
    }
    assert!(threads > 3, "{threads} threads");
}

#[test]
fn numbers_are_told_with_the_memory_in_use() {
    let desk = desk();
    let served = Served::start(&desk, "--admin 127.0.0.1:0");
    served.wait_for("metrics: http://");
    let said = served.said();
    let address = said
        .split("metrics: http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .unwrap();
    let answer = crate::cli::live::first_answer(address, "/metrics");
    assert!(
        answer.contains("\nprocess_resident_memory_bytes "),
        "{answer}"
    );
}

/// A desk whose `2` is another release.
fn elsewhere() -> Desk {
    Desk::with(&[(
        "2/articles/first.md",
        &article("First", "Words from elsewhere."),
    )])
}

mod needs_landlock {
    use super::*;

    #[test]
    #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
    fn a_link_is_followed_to_its_neighbours_and_not_elsewhere() {
        let (desk, elsewhere) = (desk(), elsewhere());
        let served = Served::start(&desk, "");
        assert!(!served.said().contains("note: "), "{}", served.said());
        switch(&desk, &elsewhere.path("2"));
        served.wait_for("permission denied");
        served.wait_for("still serving edition");
        assert!(
            served
                .get("/articles/first.html")
                .contains("Words of the first release.")
        );
        switch(&desk, std::path::Path::new("releases/1"));
        desk.write(
            "releases/1/articles/first.md",
            &article("First", "Words written later."),
        );
        served.wait_for_answer("/articles/first.html", "Words written later.");
    }
}

#[test]
fn a_link_is_followed_to_its_neighbours_and_without_the_sandbox_elsewhere() {
    let (desk, elsewhere) = (desk(), elsewhere());
    let served = Served::start(&desk, "");
    desk.write(
        "releases/2/articles/first.md",
        &article("First", "Words of the second release."),
    );
    switch(&desk, std::path::Path::new("releases/2"));
    served.wait_for_answer("/articles/first.html", "Words of the second release.");
    drop(served);

    let desk = self::desk();
    let free = Served::start(&desk, "--no-sandbox");
    switch(&desk, &elsewhere.path("2"));
    free.wait_for_answer("/articles/first.html", "Words from elsewhere.");
}

/// certbot's layout: a link in `live` is switched to the next file in `archive`.
#[test]
fn a_renewed_certificate_is_taken() {
    let desk = desk();
    let certificates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    for folder in ["etc/live/x", "etc/archive/x"] {
        fs::create_dir_all(desk.path(folder)).unwrap();
    }
    let point = |name: &str, number: u8| {
        symlink(
            format!("../../archive/x/{name}{number}.pem"),
            desk.path("next"),
        )
        .unwrap();
        fs::rename(
            desk.path("next"),
            desk.path(&format!("etc/live/x/{name}.pem")),
        )
        .unwrap();
    };
    let issue = |from: &str, number: u8| {
        for (name, suffix) in [("fullchain", "pem"), ("privkey", "key")] {
            fs::copy(
                certificates.join(format!("{from}.{suffix}")),
                desk.path(&format!("etc/archive/x/{name}{number}.pem")),
            )
            .unwrap();
        }
        point("privkey", number);
        point("fullchain", number);
    };
    issue("first", 1);
    let served = Served::start(
        &desk,
        "--tls-cert etc/live/x/fullchain.pem --tls-key etc/live/x/privkey.pem",
    );
    issue("second", 2);
    served.wait_for("the new certificate is in use");
}

#[test]
fn the_history_and_the_state_stay_within_reach() {
    let desk = Desk::with(&[
        (
            "repository/deep/down/articles/first.md",
            &article("First", "Some words."),
        ),
        ("home/x", ""),
    ]);
    let repository = Repository::init(&desk.path("repository"));
    repository.commit(MORNING);
    symlink("repository/deep/down", desk.path("site")).unwrap();
    let served = Served::start(&desk, "");
    served.wait_for_answer("/articles/first.md", "2024-06-07T08:09:10Z");
    desk.write(
        "site/articles/second.md",
        &article("Second", "Other words."),
    );
    repository.commit(MORNING);
    desk.write(
        "site/articles/first.md",
        &article("First", "Some more words."),
    );
    served.wait_for_answer("/articles/first.md", "Some more words.");
    served.wait_for_answer("/articles/second.md", "2024-06-07T08:09:10Z");
    assert!(!served.said().contains("warning"), "{}", served.said());
    // The state is written after the edition went live.
    let states = || {
        fs::read_dir(desk.path("home/.local/state/diglot"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    until(
        || states().any(|state| state.join("dates.json").exists()),
        || {
            format!(
                "dates cannot be saved in {:?}",
                states().collect::<Vec<_>>()
            )
        },
    );
}

#[test]
fn the_service_manager_hears_what_we_do() {
    let desk = desk();
    let heard = UnixDatagram::bind(desk.path("manager")).unwrap();
    heard
        .set_read_timeout(Some(std::time::Duration::from_secs(20)))
        .unwrap();
    let wait_for = |words: &str| {
        let mut all = String::new();
        while !all.contains(words) {
            let mut bytes = [0; 500];
            let length = heard
                .recv(&mut bytes)
                .unwrap_or_else(|error| panic!("it never said {words}, but {all}: {error}"));
            all += &String::from_utf8_lossy(&bytes[..length]);
        }
    };
    let manager = desk.path("manager").to_str().unwrap().to_owned();
    let mut served = Served::start_with(
        &desk,
        "",
        &[("NOTIFY_SOCKET", &manager), ("WATCHDOG_USEC", "400000")],
    );
    wait_for("READY=1\nSTATUS=1 article on http://");
    wait_for("WATCHDOG=1");
    desk.write(
        "site/articles/second.md",
        &article("Second", "Other words."),
    );
    wait_for("RELOADING=1\nMONOTONIC_USEC=");
    wait_for("READY=1\nSTATUS=2 articles");
    assert!(
        Command::new("kill")
            .arg(served.child.id().to_string())
            .status()
            .unwrap()
            .success()
    );
    wait_for("STOPPING=1");
    assert!(served.child.wait().unwrap().success());
}

/// As systemd hands it over: the third descriptor, and two variables.
#[test]
fn a_socket_of_the_service_manager_is_served() {
    let desk = desk();
    let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listening.local_addr().unwrap().to_string();
    let mut activated = Command::new("sh");
    activated
        .args([
            "-c",
            "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_diglot"),
        ])
        .args(["serve", "site", "--no-state", "--listen", "127.0.0.1:1"])
        .current_dir(desk.path(""))
        .stdin(std::os::fd::OwnedFd::from(listening));
    let mut child = activated
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let answer = crate::cli::live::first_answer(&address, "/articles/first.html");
    let _ = child.kill();
    let _ = child.wait();
    assert!(answer.contains("Words of the first release."), "{answer}");
}
