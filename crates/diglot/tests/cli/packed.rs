//! Where a large edition lies: in a file without a name in the state folder, which survives nothing and which nobody else finds.

use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::Desk;
use crate::live::{Served, article, until};

/// More than stays on the heap, in few files.
const PIECES: usize = 5;

fn desk() -> Desk {
    let desk = Desk::with(&[("site/articles/first.md", &article("First", "Some words.")), ("home/x", "")]);
    for number in 0..PIECES {
        fs::write(desk.path(&format!("site/{number}.pdf")), piece(number)).unwrap();
    }
    desk
}

fn piece(number: usize) -> String {
    (0..300_000).map(|line| format!("{number} {line:08}\n")).collect()
}

/// The bytes on the disk of files that the server has open and that have no name.
fn without_name(served: &Served) -> u64 {
    let open = fs::read_dir(format!("/proc/{}/fd", served.child.id())).unwrap();
    let files = open.filter_map(|file| fs::metadata(file.ok()?.path()).ok()).filter(|meta| meta.is_file() && meta.nlink() == 0);
    files.map(|meta| meta.blocks() * 512).sum()
}

/// How many files lie in the state folder that are none of those that are remembered by.
fn strangers(desk: &Desk) -> Vec<std::path::PathBuf> {
    let states = fs::read_dir(desk.path("home/.local/state/diglot")).into_iter().flatten().flatten();
    let files = states.flat_map(|state| fs::read_dir(state.path()).into_iter().flatten().flatten().map(|entry| entry.path()));
    files.filter(|path| !path.ends_with("dates.json") && !path.ends_with("lock") && !path.ends_with("pictures")).collect()
}

fn answers_all(served: &Served) {
    for number in 0..PIECES {
        let answer = served.get(&format!("/{number}.pdf"));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with(&piece(number)), "{}", answer.split("\r\n\r\n").next().unwrap());
    }
}

#[test]
fn a_large_edition_lies_in_a_file_without_a_name_and_a_kill_leaves_nothing() {
    let desk = desk();
    let mut served = Served::start(&desk, "");
    assert!(without_name(&served) > 4 << 20, "{} bytes", without_name(&served));
    answers_all(&served);
    // An edit gives back what the edition before held.
    for round in 0..3 {
        fs::write(desk.path("site/0.pdf"), piece(7 + round)).unwrap();
        until(|| served.get("/0.pdf").ends_with(&piece(7 + round)), || served.said());
    }
    fs::write(desk.path("site/0.pdf"), piece(0)).unwrap();
    until(|| served.get("/0.pdf").ends_with(&piece(0)), || served.said());
    answers_all(&served);
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    assert_eq!(strangers(&desk), Vec::<std::path::PathBuf>::new());
}

#[test]
fn two_servers_of_one_folder_have_a_file_each() {
    let desk = desk();
    let (one, other) = (Served::start(&desk, ""), Served::start(&desk, ""));
    assert!(without_name(&one) > 4 << 20 && without_name(&other) > 4 << 20);
    answers_all(&one);
    answers_all(&other);
}

#[test]
fn without_a_state_all_lies_in_memory() {
    let desk = desk();
    let served = Served::start(&desk, "--no-state");
    assert_eq!(without_name(&served), 0);
    answers_all(&served);
}

#[test]
fn where_no_file_can_be_made_one_line_says_so_and_all_is_answered() {
    let desk = desk();
    // A file where the state folder should be: it stops root, too.
    desk.write("home/.local/state/diglot", "in the way");
    let served = Served::start(&desk, "");
    answers_all(&served);
    assert_eq!(served.said().matches("warning: all that is served is kept in memory").count(), 1, "{}", served.said());
}
