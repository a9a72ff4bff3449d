//! Something that is not a file, or is far too large, at every path that the program reads: the
//! program ends in seconds, needs little memory, and names the file.

#![allow(
    clippy::print_stdout,
    reason = "a test that has nothing to test says so"
)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::cli::live::{Served, article, until};
use crate::cli::{Desk, MORNING};
use crate::support::repository::Repository;

/// Nothing here takes a second; a busy machine may take more.
const SECONDS: Duration = Duration::from_secs(60);
/// The program itself, and a debug build of it, need some 60 MB, and what is read from a file of a
/// megabyte some more.
const KIBIBYTES: u64 = 500 << 10;

/// What is put in the place of a file.
const KINDS: [&str; 8] = [
    "fifo", "folder", "zero", "full", "socket", "nowhere", "ring", "huge",
];

/// Puts something that is not a file of its kind at a path.
fn put(path: &Path, kind: &str) {
    clear(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match kind {
        "fifo" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        "folder" => fs::create_dir(path).unwrap(),
        "zero" => symlink("/dev/zero", path).unwrap(),
        "full" => symlink("/dev/full", path).unwrap(),
        "socket" => drop(std::os::unix::net::UnixListener::bind(path).unwrap()),
        "nowhere" => symlink("nothing-here", path).unwrap(),
        "ring" => symlink(path.file_name().unwrap(), path).unwrap(),
        // Without a byte on the disk.
        "huge" => File::create(path).unwrap().set_len(80 << 30).unwrap(),
        _ => unreachable!("{kind}"),
    }
}

/// Removes whatever is at a path.
fn clear(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_dir_all(path);
}

/// What a run said. It must end by itself, in time and with little memory.
fn said(desk: &Desk, args: &str, told: &str) -> String {
    let words = desk.path("words");
    let file = fs::File::create(&words).unwrap();
    let mut child = desk
        .command(args)
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .spawn()
        .unwrap();
    let (begun, mut peak) = (Instant::now(), 0);
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(high_water(child.id()));
        if begun.elapsed() > SECONDS || peak > KIBIBYTES {
            let _ = child.kill();
            panic!(
                "{told}: `{args}` still runs after {:?} with {peak} KiB",
                begun.elapsed()
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = fs::read(words).unwrap();
    String::from_utf8_lossy(&said).into_owned()
}

/// The most memory that a process has had so far, in KiB; 0 where it is not known.
fn high_water(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix("kB")?
            .trim()
            .parse()
            .ok()
    });
    peak.unwrap_or(0)
}

fn desk() -> Desk {
    Desk::with(&[
        ("site/articles/a.md", &article("A", "Words.")),
        ("site/diglot.toml", "title = \"Site\"\ntheme = \"theme\"\n"),
        ("site/theme/style.css", "p { color: red }\n"),
        ("site/_config.yml", "title: Other\n"),
        ("home/x", ""),
    ])
}

/// The same with a git history.
fn desk_with_history() -> Desk {
    let desk = desk();
    Repository::init(&desk.path("site")).commit(MORNING);
    desk
}

/// A clone of `site/` in `borrows/`, as `git clone --shared` makes it: without objects of its own.
fn clone_that_borrows(desk: &Desk) {
    Repository::init(&desk.path("borrows"));
    let lent = desk.path("site/.git/objects").display().to_string();
    desk.write("borrows/.git/objects/info/alternates", &(lent + "\n"));
    for file in [".git/refs/heads/main", "articles/a.md"] {
        desk.write(
            &format!("borrows/{file}"),
            &desk.read(&format!("site/{file}")),
        );
    }
}

/// Tries every kind at a path of a desk, and restores the path afterwards. The output must contain
/// one of `names`, if there are any. A broken link counts as a missing file, which need not be
/// named.
fn check(desk: &Desk, path: &str, args: &str, names: &[&str]) {
    let (place, aside) = (desk.path(path), desk.path("aside"));
    let was_there = fs::rename(&place, &aside).is_ok();
    for kind in KINDS {
        put(&place, kind);
        let told = format!("{kind} at {path}");
        let said = said(desk, args, &told);
        println!("{told}: {said}");
        let is_there = !matches!(kind, "nowhere" | "ring");
        assert!(
            !is_there || names.is_empty() || names.iter().any(|name| said.contains(name)),
            "{told}: {said}"
        );
        assert!(!said.contains("panicked"), "{told}: {said}");
    }
    clear(&place);
    if was_there {
        fs::rename(&aside, &place).unwrap();
    }
}

#[test]
fn settings_locks_and_sources_are_files_or_are_named() {
    let desk = desk();
    for (path, name) in [
        ("site/diglot.toml", "diglot.toml"),
        ("site/diglot.lock", "diglot.lock"),
    ] {
        check(&desk, path, "check site --verbose --state state", &[name]);
    }
    for path in [
        "site/theme/style.css",
        "site/_config.yml",
        "site/mkdocs.yml",
        "site/hugo.toml",
        "site/.eleventy.js",
        "site/articles/b.md",
    ] {
        check(&desk, path, "check site --verbose --state state", &[]);
    }
    check(
        &desk,
        "site/articles",
        "check site --verbose --state state",
        &[],
    );
}

#[test]
fn the_files_of_a_repository_are_files_or_it_is_not_used() {
    let desk = desk_with_history();
    let small = [
        "HEAD",
        "config",
        "shallow",
        "packed-refs",
        "commondir",
        "objects/info/alternates",
        "refs/heads/x",
        "refs/replace/x",
    ];
    for path in small {
        // A folder without `HEAD` is not a repository, and among references one is allowed.
        let names: &[&str] = if path == "HEAD" || path.starts_with("refs") {
            &[]
        } else {
            &["the git history is not used: `"]
        };
        check(
            &desk,
            &format!("site/.git/{path}"),
            "check site --verbose --no-state",
            names,
        );
    }
    for path in [
        "",
        "/config.worktree",
        "/objects/pack/x.pack",
        "/objects/pack/x.idx",
        "/objects/ab/x",
        "/objects/info/commit-graph",
        "/objects",
        "/refs",
    ] {
        check(
            &desk,
            &format!("site/.git{path}"),
            "check site --verbose --no-state",
            &[],
        );
    }
}

#[test]
fn the_state_is_made_of_files_or_not_used() {
    let desk = desk();
    assert_eq!(desk.run("check site --state state").status, Some(0));
    for path in [
        "state/dates.json",
        "state/history.json",
        "state/lock",
        "state/pictures",
        "state/pictures/x.png",
    ] {
        check(&desk, path, "check site --state state", &[]);
    }
    for path in [
        "state/readers/2026-11-21.jsonl",
        "state/readers/.new",
        "state/readers",
        "state/lock",
    ] {
        check(&desk, path, "readers site --state state", &[]);
    }
    for path in [
        "state/edition",
        "state/edition.new",
        "state/edition.lock",
        "state/dates.json",
        "state/lock",
        "state/readers",
    ] {
        for kind in KINDS {
            let desk = self::desk();
            put(&desk.path(path), kind);
            let served = Served::start(&desk, "--state state --count-readers");
            assert!(
                served.get("/articles/a.html").contains("Words."),
                "{kind} at {path}: {}",
                served.said()
            );
            assert!(
                high_water(served.child.id()) < KIBIBYTES,
                "{kind} at {path}"
            );
        }
    }
}

#[test]
fn an_export_and_its_manifest_are_looked_at_before_they_are_replaced() {
    let desk = desk();
    let build = "build site --output out --base-url https://example.org --state state";
    check(&desk, "out/.diglot", build, &["`out`"]);
    check(&desk, "out", build, &[]);
}

#[test]
fn certificates_are_files() {
    let desk = desk();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    let (certificate, key) = (folder.join("first.pem"), folder.join("first.key"));
    let listen = "serve site --state state --listen 127.0.0.1:0 --base-url https://example.org";
    check(
        &desk,
        "tls.pem",
        &format!("{listen} --tls-cert tls.pem --tls-key {}", key.display()),
        &["tls.pem"],
    );
    check(
        &desk,
        "tls.key",
        &format!(
            "{listen} --tls-cert {} --tls-key tls.key",
            certificate.display()
        ),
        &["tls.key"],
    );
}

#[test]
fn a_lock_of_twenty_million_bytes_of_nothing_costs_little() {
    let desk = desk();
    for text in ["x".repeat(20_000_000), "x\n".repeat(10_000_000)] {
        fs::write(desk.path("site/diglot.lock"), text).unwrap();
        let said = said(&desk, "check site --verbose --state state", "a lock of x");
        assert!(
            said.contains("diglot.lock:1: warning: the line is not"),
            "{said}"
        );
        assert!(said.lines().count() < 300, "{} lines", said.lines().count());
    }
}

/// Files that have something wrong in every line: at least a hundred times as many lines as
/// reported problems.
#[test]
fn a_file_has_so_many_problems_and_no_more() {
    let lines = |line: &str, bytes: usize| line.repeat(bytes / line.len());
    let front = |line: &str| format!("---\ntitle: A\n{}---\n\nWords.\n", lines(line, 200_000));
    let texts = [
        ("site/diglot.toml", lines("= 1\n", 250_000)),
        (
            "site/diglot.toml",
            (0..15_000).map(|n| format!("k{n} = 1\n")).collect(),
        ),
        (
            "site/diglot.toml",
            format!("{} = 1\n", "k".repeat(1_000_000)),
        ),
        (
            "site/diglot.toml",
            format!("title = {}\n", "[".repeat(1_000_000)),
        ),
        ("site/_config.yml", lines("x\n", 75_000)),
        ("site/_config.yml", lines("a: 1\n", 75_000)),
        ("site/hugo.toml", lines("= 1\n", 75_000)),
        (
            "site/articles/SUMMARY.md",
            lines("- [x](nothing.md)\n", 400_000),
        ),
        ("site/sidebars.json", lines("[", 300_000)),
        ("site/_data/x.json", lines("{\"a\":", 300_000)),
        ("site/articles/b.md", lines("[x](nothing.md)\n", 100_000)),
        ("site/articles/b.md", lines("![[nothing]]\n", 100_000)),
        ("site/articles/b.md", front("x\n")),
        ("site/articles/b.md", front("a: 1\n")),
        ("site/theme/page.html", lines("{{\n", 75_000)),
        ("state/dates.json", lines("[", 300_000)),
        ("state/history.json", lines("{\"a\":", 300_000)),
        (
            "out/.diglot",
            "diglot export 1\n".to_owned() + &lines("x\n", 300_000),
        ),
    ];
    for (path, text) in texts {
        let desk = desk();
        desk.write(path, &text);
        let told = format!(
            "{path} with {:?}…",
            text.chars().take(30).collect::<String>()
        );
        let build = path.starts_with("out");
        let args = if build {
            "build site --output out --base-url https://example.org --state state"
        } else {
            "check site --verbose --state state"
        };
        let said = said(&desk, args, &told);
        assert!(
            said.len() < 100_000 && said.lines().all(|line| line.len() < 3_000),
            "{told}: {} bytes: {:.2000}",
            said.len(),
            said
        );
        assert!(!said.contains("panicked"), "{told}: {said}");
    }
}

/// How many folders a process watches.
fn watches(process: u32) -> usize {
    let entries = fs::read_dir(format!("/proc/{process}/fdinfo"))
        .unwrap()
        .flatten();
    entries
        .map(|entry| {
            fs::read_to_string(entry.path())
                .unwrap_or_default()
                .lines()
                .filter(|line| line.starts_with("inotify "))
                .count()
        })
        .sum()
}

#[test]
fn links_out_of_the_folder_are_not_watched() {
    let desk = desk();
    for (name, target) in [
        ("all", "/"),
        ("articles/up", ".."),
        ("home", "../home"),
        ("self", "."),
        ("proc", "/proc/self/root"),
    ] {
        symlink(target, desk.path("site").join(name)).unwrap();
    }
    fs::create_dir_all(desk.path("site/node_modules/x/y")).unwrap();
    let served = Served::start(&desk, "--state state");
    assert_eq!(
        watches(served.child.id()),
        3,
        "the folder, `articles` and `theme`"
    );
    assert!(high_water(served.child.id()) < KIBIBYTES);
    desk.write("site/new/deep/b.md", &article("B", "Later words."));
    served.wait_for_answer("/new/deep/b.html", "Later words.");
    until(
        || watches(served.child.id()) == 5,
        || format!("{} watches", watches(served.child.id())),
    );
    fs::remove_dir_all(desk.path("site/new")).unwrap();
    until(
        || watches(served.child.id()) == 3,
        || format!("{} watches", watches(served.child.id())),
    );
}

#[test]
fn without_watches_edits_are_found_by_looking_and_that_is_said_once() {
    let desk = desk();
    let served = Served::start(&desk, "--state state --limit watches=3");
    assert!(
        !served.said().contains("cannot be watched"),
        "{}",
        served.said()
    );
    desk.write("site/new/deep/b.md", &article("B", "Later words."));
    served.wait_for_answer("/new/deep/b.html", "Later words.");
    served.wait_for("the folder cannot be watched and is scanned every few seconds instead");
    assert_eq!(watches(served.child.id()), 0, "others may have them");
    desk.write("site/new/deep/b.md", &article("B", "Other words."));
    served.wait_for_answer("/new/deep/b.html", "Other words.");
    desk.write("site/more/c.md", &article("C", "New words."));
    served.wait_for_answer("/more/c.html", "New words.");
    fs::remove_dir_all(desk.path("site/new")).unwrap();
    until(
        || served.get("/new/deep/b.html").starts_with("HTTP/1.1 404"),
        || served.said(),
    );
    assert_eq!(
        served.said().matches("cannot be watched").count(),
        1,
        "{}",
        served.said()
    );
}

#[test]
fn half_a_save_is_not_published_where_the_folder_is_looked_through() {
    use std::io::Write;
    let desk = desk();
    let served = Served::start(&desk, "--state state --limit watches=0");
    let mut file = File::create(desk.path("site/articles/a.md")).unwrap();
    // At least one look.
    for _ in 0..30 {
        assert!(
            served.get("/articles/a.md").starts_with("HTTP/1.1 200"),
            "{}",
            served.said()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    file.write_all(article("A", "Other words.").as_bytes())
        .unwrap();
    drop(file);
    served.wait_for_answer("/articles/a.md", "Other words.");
}

#[test]
fn alternates_that_are_no_object_folders_are_said_and_widen_nothing() {
    let desk = desk_with_history();
    desk.write("secret/objects-not/pack/x", "");
    desk.write("secret/objects/x", "");
    symlink("../secret/objects", desk.path("site/objects")).unwrap();
    let outside = [
        "/".to_owned(),
        "/etc".to_owned(),
        "/proc/self/root".to_owned(),
        "../../..".to_owned(),
        desk.path("").display().to_string(),
        desk.path("secret").display().to_string(),
        desk.path("secret/objects").display().to_string(),
        desk.path("secret/objects-not").display().to_string(),
        desk.path("site/objects").display().to_string(),
    ];
    for named in outside {
        desk.write("site/.git/objects/info/alternates", &format!("{named}\n"));
        let said = said(&desk, "check site --state state", &named);
        let warnings: Vec<&str> = said
            .lines()
            .filter(|line| line.contains("which is not an object folder"))
            .collect();
        assert_eq!(warnings.len(), 1, "{named}: {said}");
        assert!(
            warnings[0].contains(&format!("names `{named}`"))
                && warnings[0].contains("objects/info/alternates"),
            "{}",
            warnings[0]
        );
    }
    // What a clone borrows from may borrow itself: from nothing, from a missing folder, or from the
    // clone.
    clone_that_borrows(&desk);
    let said = said(&desk, "check borrows --state state", "a clone that borrows");
    assert!(
        said.contains("which is not an object folder"),
        "what it borrows from borrows from elsewhere: {said}"
    );
    fs::remove_file(desk.path("site/.git/objects/info/alternates")).unwrap();
    for list in [
        "",
        "/nothing/here/objects\n",
        "../../../borrows/.git/objects\n",
    ] {
        desk.write("site/.git/objects/info/alternates", list);
        let said = self::said(&desk, "check borrows --state state", list);
        assert!(!said.contains("not an object folder"), "{list}: {said}");
    }
}
