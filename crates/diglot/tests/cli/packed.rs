//! Where a large edition is: in an unnamed file in the state folder. It is gone once the process
//! ends, and no other process finds it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;
use std::time::Duration;

use crate::cli::live::{Served, article, until};
use crate::cli::{Desk, MORNING};
use crate::support::repository::Repository;

/// More than stays on the heap, in few files.
const PIECES: usize = 5;

/// A program that was written just now keeps no edition: another may replace it, and look the same.
fn wait_until_the_program_is_old() {
    let written = fs::metadata(env!("CARGO_BIN_EXE_diglot"))
        .unwrap()
        .modified()
        .unwrap();
    let age = written.elapsed().unwrap_or_default();
    std::thread::sleep(Duration::from_secs(5).saturating_sub(age));
}

fn desk() -> Desk {
    let desk = Desk::with(&[
        ("site/articles/first.md", &article("First", "Some words.")),
        ("home/x", ""),
    ]);
    for number in 0..PIECES {
        fs::write(desk.path(&format!("site/{number}.pdf")), piece(number)).unwrap();
    }
    desk
}

/// A text of 1.6 MB, different for each number. Each is made once, since that takes long in a debug
/// build.
fn piece(number: usize) -> &'static str {
    static PIECES: [OnceLock<String>; 10] = [const { OnceLock::new() }; 10];
    PIECES[number].get_or_init(|| {
        let lines = (0..150_000).map(|line| format!("{number} {line:08}\n"));
        lines.collect()
    })
}

/// The bytes on the disk of files that the server has open and that have no name.
fn without_name(served: &Served) -> u64 {
    let open = fs::read_dir(format!("/proc/{}/fd", served.child.id())).unwrap();
    let files = open
        .filter_map(|file| fs::metadata(file.ok()?.path()).ok())
        .filter(|meta| meta.is_file() && meta.nlink() == 0);
    files.map(|meta| meta.blocks() * 512).sum()
}

/// Files in the state folder that do not hold what is remembered.
fn strangers(desk: &Desk) -> Vec<std::path::PathBuf> {
    let states = fs::read_dir(desk.path("home/.local/state/diglot"))
        .into_iter()
        .flatten()
        .flatten();
    let files = states.flat_map(|state| {
        fs::read_dir(state.path())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    });
    files
        .filter(|path| {
            !path.ends_with("dates.json")
                && !path.ends_with("public.json")
                && !path.ends_with("lock")
                && !path.ends_with("pictures")
                && !path.ends_with("edition")
                && !path.ends_with("edition.lock")
                && !path.ends_with("segments")
        })
        .collect()
}

fn answers_all(served: &Served) {
    for number in 0..PIECES {
        let answer = served.get(&format!("/{number}.pdf"));
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.ends_with(piece(number)),
            "{}",
            answer.split("\r\n\r\n").next().unwrap()
        );
    }
}

#[test]
fn a_large_edition_lies_in_a_file_without_a_name_and_a_kill_leaves_nothing() {
    let desk = desk();
    let mut served = Served::start(&desk, "");
    assert!(
        without_name(&served) > 4 << 20,
        "{} bytes",
        without_name(&served)
    );
    answers_all(&served);
    // An edit frees the bytes of the edition before.
    for round in 0..3 {
        fs::write(desk.path("site/0.pdf"), piece(7 + round)).unwrap();
        until(
            || served.get("/0.pdf").ends_with(piece(7 + round)),
            || served.said(),
        );
    }
    fs::write(desk.path("site/0.pdf"), piece(0)).unwrap();
    until(
        || served.get("/0.pdf").ends_with(piece(0)),
        || served.said(),
    );
    answers_all(&served);
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    assert_eq!(strangers(&desk), Vec::<std::path::PathBuf>::new());
}

#[test]
fn two_servers_of_one_folder_have_a_file_each() {
    let desk = desk();
    let (one, other) = (Served::start(&desk, ""), Served::start(&desk, ""));
    for served in [&one, &other] {
        assert!(
            without_name(served) > 4 << 20,
            "{} bytes:\n{}",
            without_name(served),
            served.said()
        );
    }
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
    assert_eq!(
        served
            .said()
            .matches("warning: editions are kept in memory, because")
            .count(),
        1,
        "{}",
        served.said()
    );
}

/// Where the edition is kept.
fn kept(desk: &Desk) -> Option<std::path::PathBuf> {
    let states = fs::read_dir(desk.path("home/.local/state/diglot"))
        .into_iter()
        .flatten()
        .flatten();
    states
        .map(|state| state.path().join("edition"))
        .find(|path| path.exists())
}

/// The segments of the edition that is kept, the longest first.
fn segments(desk: &Desk) -> Vec<std::path::PathBuf> {
    let folder = kept(desk).unwrap().with_file_name("segments");
    let mut segments: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    segments.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).unwrap().len()));
    segments
}

/// Waits until a server has read all of the edition that is kept.
fn wait_until_read(desk: &Desk) {
    let lock = fs::File::open(kept(desk).unwrap().with_file_name("edition.lock")).unwrap();
    until(|| lock.try_lock().is_ok(), || "it is read still".to_owned());
}

/// Flips a bit in the middle of a file.
fn flip(path: &std::path::Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, &bytes).unwrap();
}

fn cut(path: &std::path::Path, length: u64) {
    fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(length)
        .unwrap();
}

/// What is asked of a server: paths, with and without further header fields.
fn questions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pages = [
        "/",
        "/index.md",
        "/articles/first.html",
        "/articles/first.md",
        "/articles/index.html",
        "/404.html",
        "/api.html",
        "/terms.md",
        "/nothing",
    ];
    let documents = [
        "/rss.xml",
        "/sitemap.xml",
        "/sitemap.md",
        "/llms.txt",
        "/llms-full.txt",
        "/openapi.json",
        "/status.json",
        "/robots.txt",
        "/4.pdf",
    ];
    let fields = [
        "",
        "Accept: text/markdown\r\n",
        "Accept-Encoding: br\r\n",
        "Accept-Encoding: zstd\r\n",
        "Accept-Encoding: gzip\r\n",
    ];
    let paths = pages.into_iter().chain(documents);
    paths.flat_map(move |path| fields.map(|fields| (path, fields)))
}

/// An answer with its header section, but for its date.
fn undated(served: &Served, (path, fields): (&str, &str)) -> String {
    let answer = served.ask(path, fields);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.lines().filter(|line| !line.starts_with("date: "));
    head.chain([body]).collect::<Vec<_>>().join("\n")
}

fn answers(served: &Served) -> Vec<String> {
    questions()
        .map(|question| undated(served, question))
        .collect()
}

/// Waits until the answers are these: codings are made one after the other.
fn wait_for_answers(served: &Served, expected: &[String]) {
    for (question, expected) in questions().zip(expected) {
        until(
            || undated(served, question) == *expected,
            || format!("the answers to {question:?} differ"),
        );
    }
}

fn wait_until_kept(desk: &Desk, served: &Served) {
    let begun = std::time::Instant::now();
    while kept(desk).is_none() {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "no edition is kept:\n{}",
            served.said()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What the server says when it starts from the kept edition.
const AGAIN: &str = "nothing has changed since the last run";

#[test]
fn an_edition_is_kept_under_the_history_that_it_was_made_from() {
    let desk = Desk::with(&[
        ("site/articles/first.md", &article("First", "Some words.")),
        ("home/x", ""),
    ]);
    let repository = Repository::init(&desk.path("site"));
    repository.commit(MORNING);
    // The edit is dated by the day; the commit that follows would date it by its author, and a
    // server that watches nothing does not learn of it.
    desk.write("site/articles/first.md", &article("First", "Other words."));
    assert_eq!(desk.run("check site").status, Some(0));
    // The date is remembered and the file is old, so the edition is not made once more.
    wait_until_the_program_is_old();
    std::thread::sleep(Duration::from_secs(3));
    let unwatched = "--base-url https://example.org --admin 127.0.0.1:0 --no-watch";
    let served = Served::start(&desk, unwatched);
    repository.commit(MORNING);
    wait_until_kept(&desk, &served);
    assert_eq!(served.editions_made(), 1);
    drop(served);
    let again = Served::start(&desk, "--base-url https://example.org");
    assert!(
        !again.said().contains(AGAIN),
        "it was made from another history"
    );
    let page = again.get("/articles/first.md");
    fs::remove_file(kept(&desk).unwrap()).unwrap();
    wait_until_kept(&desk, &again);
    drop(again);
    let same = Served::start(&desk, "--base-url https://example.org");
    same.wait_for(AGAIN);
    let content = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(content(&same.get("/articles/first.md")), content(&page));
    assert!(page.contains("2024-06-"), "dated by the commit: {page}");
}

#[test]
fn an_edition_is_not_kept_for_a_folder_that_it_was_not_made_from() {
    let desk = Desk::with(&[
        ("site/articles/first.md", &article("First", "Some words.")),
        ("home/x", ""),
    ]);
    wait_until_the_program_is_old();
    let served = Served::start(&desk, "--base-url https://example.org");
    wait_until_kept(&desk, &served);
    fs::remove_file(kept(&desk).unwrap()).unwrap();
    // The last good edition still answers, but it does not match the folder.
    desk.write("site/diglot.toml", "title = ");
    served.wait_for("rebuild failed");
    // An edition would be kept three seconds after the edit.
    std::thread::sleep(Duration::from_secs(4));
    assert!(kept(&desk).is_none(), "{}", served.said());
}

#[test]
fn a_start_on_an_unchanged_folder_answers_from_the_edition_that_was_kept() {
    let desk = desk();
    wait_until_the_program_is_old();
    let served = Served::start(&desk, "--base-url https://example.org");
    // The edition is kept once files are old enough and codings are made. It is built once more,
    // since its files were dated for the first time.
    wait_until_kept(&desk, &served);
    let warm = answers(&served);
    drop(served);

    let again = Served::start(&desk, "--base-url https://example.org");
    again.wait_for(AGAIN);
    assert_eq!(answers(&again), warm);
    answers_all(&again);
    drop(again);

    // The answers without a kept edition.
    let place = kept(&desk).unwrap();
    fs::rename(&place, desk.path("aside")).unwrap();
    let cold = Served::start(&desk, "--base-url https://example.org");
    assert!(!cold.said().contains(AGAIN));
    wait_for_answers(&cold, &warm);
    drop(cold);

    // A flipped bit is found, and the edition is built again.
    let put = || {
        let _ = fs::remove_file(&place);
        fs::copy(desk.path("aside"), &place).unwrap();
        fs::set_permissions(&place, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    };
    put();
    flip(&place);
    let damaged = Served::start(&desk, "--base-url https://example.org");
    damaged.wait_for("is ignored and will be replaced: its index is damaged");
    wait_for_answers(&damaged, &warm);
    answers_all(&damaged);
    drop(damaged);

    // A truncated edition is ignored, and reported once.
    put();
    cut(&place, fs::metadata(&place).unwrap().len() / 2);
    let off = Served::start(&desk, "--base-url https://example.org");
    assert_eq!(
        off.said()
            .matches("is ignored and will be replaced")
            .count(),
        1,
        "{}",
        off.said()
    );
    answers_all(&off);
    drop(off);

    // Edits are also seen after a start from the kept edition.
    let _ = fs::remove_file(&place);
    fs::rename(desk.path("aside"), &place).unwrap();
    let edited = Served::start(&desk, "--base-url https://example.org");
    edited.wait_for(AGAIN);
    // Once the files are read, changes to them do not matter.
    wait_until_read(&desk);
    segments(&desk)
        .iter()
        .chain([&place])
        .for_each(|path| cut(path, 0));
    assert_eq!(answers(&edited), warm, "all bytes were cut off");
    answers_all(&edited);
    desk.write("site/articles/first.md", &article("First", "Other words."));
    edited.wait_for_answer("/articles/first.md", "Other words.");
    drop(edited);
    let other = Served::start(&desk, "--base-url https://example.org");
    assert!(
        !other.said().contains(AGAIN) && other.get("/articles/first.md").contains("Other words.")
    );
}

/// More than can be read before the first answer.
#[test]
fn a_long_kept_edition_is_looked_at_before_each_of_its_bytes_is_sent() {
    let desk = Desk::with(&[
        ("site/articles/first.md", &article("First", "Some words.")),
        ("home/x", ""),
    ]);
    let large: Vec<String> = (0..6).map(|number| piece(number).repeat(8)).collect();
    for (number, text) in large.iter().enumerate() {
        fs::write(desk.path(&format!("site/{number}.pdf")), text).unwrap();
    }
    wait_until_the_program_is_old();
    let served = Served::start(&desk, "--base-url https://example.org");
    wait_until_kept(&desk, &served);
    let page = served.get("/articles/first.html");
    drop(served);
    let content = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    let is_right = |served: &Served| {
        let mut pieces = large.iter().enumerate();
        pieces.all(|(number, text)| served.get(&format!("/{number}.pdf")).ends_with(text))
    };
    let again = Served::start(&desk, "--base-url https://example.org");
    again.wait_for(AGAIN);
    assert!(content(&again.get("/articles/first.html")) == content(&page) && is_right(&again));
    until(
        || {
            again
                .ask("/articles/first.html", "Accept-Encoding: br\r\n")
                .contains("content-encoding: br")
        },
        || "no coding".to_owned(),
    );
    drop(again);
    // A flipped bit: the answer waits for another edition.
    flip(&segments(&desk)[0]);
    let damaged = Served::start(&desk, "--base-url https://example.org");
    damaged.wait_for(AGAIN);
    assert!(
        is_right(&damaged) && content(&damaged.get("/articles/first.html")) == content(&page),
        "{}",
        damaged.said()
    );
    damaged.wait_for("is ignored and will be replaced: its bytes are damaged");
    // The next start finds no damage.
    wait_until_kept(&desk, &damaged);
    drop(damaged);
    let mended = Served::start(&desk, "--base-url https://example.org");
    mended.wait_for(AGAIN);
    segments(&desk).iter().for_each(|path| cut(path, 1_000));
    assert!(
        is_right(&mended) && content(&mended.get("/articles/first.html")) == content(&page),
        "{}",
        mended.said()
    );
}
