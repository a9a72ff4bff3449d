use std::fs;

use super::*;

/// The first second of 2024.
const YEAR: i64 = 1_704_067_200;

struct Repo(tempfile::TempDir, repository::Repository);

impl Repo {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repository = repository::Repository::init(dir.path());
        Self(dir, repository)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.0.path().join(path)).unwrap();
    }

    /// Commits these files and all others, at a second of 2024.
    fn commit(&self, second: i64, files: &[(&str, &str)]) -> ObjectId {
        files.iter().for_each(|(path, text)| self.write(path, text));
        self.1.commit(YEAR + second)
    }
}

const MOST: Duration = Duration::from_secs(60);

/// `created changed` as seconds of 2024, `-` if unknown.
fn check(folder: &Path, path: &str, expected: &str) {
    let read = GitHistory::read(folder, || None, MOST).unwrap();
    let bytes = fs::read(folder.join(path)).unwrap();
    let second =
        |at: Option<Timestamp>| at.map_or("-".to_owned(), |at| (at.as_second() - YEAR).to_string());
    let facts = Facts {
        path,
        bytes: &bytes,
        hash: ContentHash::hash(&bytes),
        modified: Timestamp::now(),
    };
    let stored = read
        .as_ref()
        .map(|history| GitHistory::parse(&history.to_bytes()).unwrap());
    for mut history in [read, stored] {
        // The second reading reuses the blob ids.
        for _ in 0..2 {
            let dates = history
                .as_mut()
                .and_then(|history| history.source().dates(&facts));
            let came = format!(
                "{} {}",
                second(dates.and_then(|dates| dates.created)),
                second(dates.map(|dates| dates.changed))
            );
            assert_eq!(came, expected, "{path}");
        }
    }
}

#[test]
fn a_glance_differs_after_a_commit_and_not_without_one() {
    let repo = Repo::new();
    let glance = || GitHistory::glance(&repo.0.path().join("docs"));
    repo.write("docs/a.md", "a");
    let empty = glance();
    let first = repo.commit(1, &[]);
    let after = glance();
    assert_ne!(after, empty);
    repo.write("docs/a.md", "b");
    assert_eq!(glance(), after, "a file is no commit");
    repo.commit(2, &[]);
    let second = glance();
    assert_ne!(second, after);
    repo.1.branch("other", first);
    assert_ne!(glance(), second, "another branch");
}

#[test]
fn the_first_and_the_last_commit_date_a_file() {
    let repo = Repo::new();
    repo.commit(10, &[("posts/a.md", "one"), ("b.md", "b")]);
    repo.commit(20, &[("posts/a.md", "two")]);
    repo.commit(30, &[("c.md", "c")]);
    check(repo.0.path(), "posts/a.md", "10 20");
    check(repo.0.path(), "b.md", "10 10");
    check(&repo.0.path().join("posts"), "a.md", "10 20");
}

#[test]
fn an_edit_that_is_not_committed_is_not_dated_by_git() {
    let repo = Repo::new();
    repo.commit(10, &[("a.md", "one")]);
    repo.write("a.md", "two");
    repo.write("new.md", "new");
    check(repo.0.path(), "a.md", "- -");
    check(repo.0.path(), "new.md", "- -");
}

#[test]
fn a_file_moved_unchanged_keeps_its_history() {
    let repo = Repo::new();
    repo.commit(10, &[("old/a.md", "a long enough text")]);
    fs::rename(repo.0.path().join("old"), repo.0.path().join("new")).unwrap();
    repo.commit(20, &[]);
    check(repo.0.path(), "new/a.md", "10 10");
    repo.commit(30, &[("new/a.md", "another text")]);
    check(repo.0.path(), "new/a.md", "10 30");
}

#[test]
fn a_merge_dates_nothing() {
    let repo = Repo::new();
    let first = repo.commit(10, &[("a.md", "a")]);
    repo.1.branch("side", first);
    let side = repo.commit(20, &[("b.md", "b")]);
    repo.1.switch("main");
    repo.remove("b.md");
    repo.commit(30, &[("c.md", "c")]);
    repo.write("b.md", "b");
    repo.1.merge(YEAR + 40, side);
    check(repo.0.path(), "b.md", "20 20");
    check(repo.0.path(), "c.md", "30 30");
}

#[test]
fn a_shallow_clone_knows_only_what_lies_inside_its_edge() {
    let repo = Repo::new();
    let first = repo.commit(10, &[("a.md", "a"), ("b.md", "b")]);
    let second = repo.commit(20, &[("x.md", "x")]);
    repo.commit(30, &[("b.md", "bb"), ("c.md", "c")]);
    repo.1.cut(&[second], &[first]);
    assert!(
        GitHistory::read(repo.0.path(), || None, MOST)
            .unwrap()
            .unwrap()
            .shallow
    );
    check(repo.0.path(), "a.md", "- -");
    check(repo.0.path(), "b.md", "- 30");
    check(repo.0.path(), "c.md", "30 30");
}

#[test]
fn a_merge_at_the_edge_of_a_shallow_clone_dates_nothing_beyond_it() {
    let repo = Repo::new();
    let first = repo.commit(10, &[("a.md", "a")]);
    let second = repo.commit(20, &[("b.md", "b")]);
    repo.1.branch("side", second);
    let third = repo.commit(30, &[("c.md", "c")]);
    let side = repo.commit(50, &[("d.md", "d")]);
    repo.1.switch("main");
    repo.remove("c.md");
    repo.remove("d.md");
    repo.commit(40, &[("e.md", "e")]);
    repo.write("c.md", "c");
    repo.write("d.md", "d");
    repo.1.merge(YEAR + 60, side);
    // A clone of depth 3. The second commit is included: as the parent of one that is not at the
    // boundary, and as the parent of one that is.
    repo.1.cut(&[second, third], &[first]);
    for (path, expected) in [
        ("a.md", "- -"),
        ("b.md", "- -"),
        ("c.md", "- -"),
        ("d.md", "50 50"),
        ("e.md", "40 40"),
    ] {
        check(repo.0.path(), path, expected);
    }
}

/// Git's output for this input. These tests need the program: gix writes no worktrees and no broken
/// trees.
fn printed(folder: &Path, args: &[&str], input: &str) -> String {
    use std::io::Write;
    let mut git = std::process::Command::new("git");
    git.current_dir(folder)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args);
    let mut child = git
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

#[test]
fn a_history_made_to_take_for_ever_is_not_used() {
    let repo = Repo::new();
    let root = repo.0.path();
    let blob = printed(root, &["hash-object", "-w", "--stdin"], "x");
    let entries = |kind: &str, id: &str| {
        (0..20)
            .map(|n| format!("{kind} {id}\t{n:02}\n"))
            .collect::<String>()
    };
    // 20 to the power of 12 files in thirteen objects.
    let bomb = (0..11).fold(
        printed(root, &["mktree"], &entries("100644 blob", &blob)),
        |tree, _| printed(root, &["mktree"], &entries("040000 tree", &tree)),
    );
    // 6,000 nested folders: paths that cannot be checked out.
    let mut import = String::from(
        "blob\nmark :1\ndata 1\nx\ncommit refs/heads/deep\ncommitter A <a@example.org> 1 +0000\ndata 1\nx\nM 100644 :1 ",
    );
    import += &"d/".repeat(6_000);
    import += "x\n";
    printed(root, &["fast-import", "--quiet", "--force"], &import);
    let deep = printed(root, &["rev-parse", "refs/heads/deep^{tree}"], "");
    assert!(bomb.len() == 40 && deep.len() == 40, "{bomb} {deep}");
    for tree in [bomb, deep] {
        let commit = printed(root, &["commit-tree", &tree, "-m", "bomb"], "");
        printed(root, &["update-ref", "refs/heads/main", &commit], "");
        let begun = Instant::now();
        let why = GitHistory::read(root, || None, Duration::from_millis(500)).unwrap_err();
        assert!(why.starts_with("the git history "), "{why}");
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{why} after {:?}",
            begun.elapsed()
        );
    }
    let why = GitHistory::read(root, || None, Duration::ZERO).unwrap_err();
    assert_eq!(
        why,
        "the git history is not used: reading takes longer than 0 s; `--limit history-time=5m` allows more"
    );
}

#[test]
fn a_worktree_and_a_submodule_have_a_history() {
    let (repo, other) = (Repo::new(), Repo::new());
    repo.commit(10, &[("a.md", "a")]);
    other.commit(20, &[("b.md", "b")]);
    let beside = tempfile::tempdir().unwrap();
    let tree = beside.path().canonicalize().unwrap().join("tree");
    printed(
        repo.0.path(),
        &[
            "worktree",
            "add",
            "-q",
            "-b",
            "beside",
            tree.to_str().unwrap(),
        ],
        "",
    );
    check(&tree, "a.md", "10 10");
    let own = repo.0.path().canonicalize().unwrap();
    assert_eq!(
        GitHistory::paths(&tree),
        [
            tree.join(".git"),
            own.join(".git/worktrees/tree"),
            own.join(".git")
        ]
    );
    printed(
        repo.0.path(),
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            other.0.path().to_str().unwrap(),
            "part",
        ],
        "",
    );
    check(&own.join("part"), "b.md", "20 20");
    assert_eq!(
        GitHistory::paths(&own.join("part"))[1],
        own.join(".git/modules/part")
    );
}

#[test]
fn a_folder_that_is_said_to_be_a_repository_and_is_none_is_not_opened() {
    let repo = Repo::new();
    repo.commit(10, &[("a.md", "a")]);
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let site = root.join("site");
    for folder in ["site/fake", "secret/objects", "secret/refs"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join("secret/HEAD"), "a secret").unwrap();
    fs::write(site.join("fake/HEAD"), "ref: refs/heads/main\n").unwrap();
    for (gitdir, common) in [
        ("/", None),
        ("..", None),
        ("/proc/self/root", None),
        ("../secret", None),
        ("nothing", None),
        ("", None),
        ("fake", Some("/")),
        ("fake", Some("../..")),
        ("fake", Some("../../secret")),
        ("fake", Some("nothing")),
        ("fake", None),
    ] {
        fs::write(site.join(".git"), format!("gitdir: {gitdir}\n")).unwrap();
        let _ = fs::remove_file(site.join("fake/commondir"));
        if let Some(common) = common {
            fs::write(site.join("fake/commondir"), common).unwrap();
        }
        let why = GitHistory::read(&site, || None, MOST).unwrap_err();
        assert!(
            why.starts_with("the git history is not used: `"),
            "{gitdir} {common:?}: {why}"
        );
        assert_eq!(
            GitHistory::paths(&site),
            Vec::<PathBuf>::new(),
            "{gitdir} {common:?}"
        );
    }
    // A real repository elsewhere may be meant.
    fs::write(
        site.join(".git"),
        format!("gitdir: {}\n", repo.0.path().join(".git").display()),
    )
    .unwrap();
    assert!(!GitHistory::paths(&site).is_empty());
}

#[test]
fn a_history_that_does_not_hold_the_folder_knows_no_file() {
    let dir = tempfile::tempdir().unwrap();
    assert!(
        GitHistory::read(dir.path(), || None, MOST)
            .unwrap()
            .is_none(),
        "no repository"
    );
    let repo = Repo::new();
    let (top, ignored) = (repo.0.path().to_owned(), repo.0.path().join("ignored"));
    fs::create_dir(&ignored).unwrap();
    for place in [&top, &ignored] {
        assert!(
            GitHistory::read(place, || None, MOST)
                .unwrap()
                .unwrap()
                .files
                .is_empty(),
            "no commit yet"
        );
    }
    repo.commit(10, &[("a.md", "a")]);
    let history = GitHistory::read(&ignored, || None, MOST).unwrap().unwrap();
    assert!(history.files.is_empty(), "no commit holds the folder");
    // An unchanged history is not walked again.
    assert_eq!(history.identity, GitHistory::identity(&ignored));
    repo.commit(20, &[("ignored/b.md", "b")]);
    assert_ne!(history.identity, GitHistory::identity(&ignored));
    check(&ignored, "b.md", "20 20");
}

#[test]
fn a_history_is_walked_through_again_when_it_is_another() {
    let repo = Repo::new();
    repo.commit(10, &[("posts/a.md", "a"), ("b.md", "b")]);
    repo.commit(20, &[("posts/a.md", "aa")]);
    let (root, posts) = (repo.0.path(), repo.0.path().join("posts"));
    // Altered, so that it differs from one that was walked.
    let kept = |folder: &Path| {
        let history = GitHistory::read(folder, || None, MOST).unwrap().unwrap();
        let stored = GitHistory::parse(&history.to_bytes()).unwrap();
        assert_eq!(
            (stored.files.len(), &stored.identity, stored.shallow),
            (history.files.len(), &history.identity, false)
        );
        Some(GitHistory {
            shallow: true,
            ..stored
        })
    };
    let is_taken = |folder: &Path, kept: Option<GitHistory>| {
        GitHistory::read(folder, || kept, MOST)
            .unwrap()
            .unwrap()
            .shallow
    };
    assert!(is_taken(root, kept(root)));
    assert!(!is_taken(root, kept(&posts)), "another folder");
    let before = kept(root);
    repo.commit(30, &[("b.md", "bb")]);
    assert!(!is_taken(root, before), "another commit");
    let (before, head) = (
        kept(root),
        gix::open(root).unwrap().head_id().unwrap().to_string(),
    );
    fs::write(root.join(".git/shallow"), head + "\n").unwrap();
    assert_ne!(
        before.as_ref().unwrap().identity,
        GitHistory::identity(root),
        "another edge"
    );
    assert_eq!(
        GitHistory::read(root, || before, MOST)
            .unwrap()
            .unwrap()
            .files["b.md"]
            .changed,
        None
    );
    assert!(GitHistory::parse(br#"{"version":2,"mark":"","shallow":false,"files":{}}"#).is_none());
}
