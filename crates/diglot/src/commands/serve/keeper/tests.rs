use std::fs;
use std::path::Path;

use arc_swap::ArcSwap;
use jiff::SignedDuration;

use super::*;
use crate::cli;
use crate::git::repository::Repository;
use crate::state::{Memory, State};

fn base() -> BaseUrl {
    BaseUrl::parse("http://localhost").unwrap()
}

fn folder(dir: &Path) -> Folder {
    let state = cli::State {
        dir: None,
        none: true,
    };
    let mut folder = Folder::open(&cli::Folder {
        folder: dir.to_owned(),
        base_url: None,
        limits: Vec::new(),
        state,
    })
    .unwrap();
    folder.stay();
    folder
}

/// The keeper of a folder whose first edition was built for this time. Nothing is watched.
fn keeper(dir: &Path, made: Timestamp) -> Keeper {
    keeper_of(folder(dir), made, true)
}

/// The keeper of a folder that is watched.
fn watching(dir: &Path) -> Keeper {
    keeper_of(folder(dir), Timestamp::now(), false)
}

fn keeper_of(mut folder: Folder, made: Timestamp, no_watch: bool) -> Keeper {
    let watched = watched(no_watch, &folder);
    let first = folder.make(&base(), made).ok().unwrap();
    let live: Live = Arc::new(ArcSwap::from_pointee(first.edition));
    let others = Others {
        metrics: Arc::new(Metrics::default()),
        manager: Arc::new(Manager::from_env()),
        reload: Arc::default(),
        tls: None,
    };
    let first = First {
        made: first.at,
        rest: None,
    };
    Keeper::new(
        folder,
        watched,
        no_watch,
        base(),
        (live, first),
        Filler::start().unwrap(),
        others,
    )
}

const LATER: &str = "---\ntitle: Later\ndate: 2100-01-01\n---\n\nNot yet.\n";

#[test]
fn an_edition_is_due_when_something_appears_and_when_the_clock_was_set_back() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("later.md"), LATER).unwrap();
    let made: Timestamp = "2099-01-01T00:00:00Z".parse().unwrap();
    let keeper = keeper(dir.path(), made);
    let next = keeper.live.load().next_change.unwrap();
    let second = SignedDuration::from_secs(1);
    let due = [
        made,
        made + second,
        next - second,
        next,
        next + second,
        made - second,
    ]
    .map(|now| keeper.is_due(now));
    assert_eq!(due, [false, false, false, true, true, true]);
}

#[test]
fn a_clock_that_was_set_forward_and_back_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("later.md"), LATER).unwrap();
    fs::write(dir.path().join("first.md"), "# First\n\nWords.\n").unwrap();
    let mut keeper = keeper(dir.path(), "2101-01-01T00:00:00Z".parse().unwrap());
    let is_public = |keeper: &Keeper| {
        keeper
            .live
            .load()
            .resources
            .iter()
            .any(|resource| resource.path.contains("later"))
    };
    assert!(is_public(&keeper), "the clock is in 2101");
    // Now the clock is set right.
    let now = Timestamp::now();
    assert!(keeper.is_due(now));
    keeper.renew();
    assert!(!is_public(&keeper) && !keeper.is_due(Timestamp::now()));
    let (live, fresh) = (
        keeper.live.load_full(),
        folder(dir.path())
            .make(&base(), keeper.made)
            .ok()
            .unwrap()
            .edition,
    );
    assert_eq!(live.id, fresh.id);
    for (one, other) in live.resources.iter().zip(&fresh.resources) {
        assert_eq!(
            (&one.path, one.modified, one.digest),
            (&other.path, other.modified, other.digest)
        );
        assert!(
            one.modified <= keeper.made,
            "{} lies in the future",
            one.path
        );
    }
}

#[test]
fn what_only_an_edit_mends_is_not_tried_again_by_the_clock() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("later.md"), LATER).unwrap();
    let mut keeper = keeper(dir.path(), "2101-01-01T00:00:00Z".parse().unwrap());
    fs::write(dir.path().join("diglot.toml"), "title = ").unwrap();
    keeper.renew();
    assert!(!keeper.is_due(Timestamp::now()));
    fs::write(dir.path().join("diglot.toml"), "title = \"Mended\"").unwrap();
    keeper.renew();
    assert!(
        !keeper.is_due(Timestamp::now())
            && keeper
                .live
                .load()
                .resources
                .iter()
                .all(|resource| !resource.path.contains("later"))
    );
}

#[test]
fn an_edition_is_made_from_nothing_after_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.md"), "# A\n\nText.\n").unwrap();
    let mut keeper = keeper(dir.path(), Timestamp::now());
    let before = keeper.live.load_full();
    let panicked = survive(|| {
        let _ = keeper.folder.make(&base(), Timestamp::now());
        // No message of the hook on the terminal.
        panic::resume_unwind(Box::new(()))
    });
    assert!(panicked.is_none());
    keeper.folder.forget_results();
    fs::write(dir.path().join("b.md"), "# B\n\nText.\n").unwrap();
    keeper.renew();
    let after = keeper.live.load_full();
    assert_eq!((before.articles, after.articles), (1, 2));
    assert!(keeper.refused.is_none());
}

/// Writes files with their folders.
fn write(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

const INNER: [(&str, &str); 3] = [
    ("src/main.rs", ""),
    ("docs/docs/a.md", "# A\n"),
    ("docs/mkdocs.yml", "site_name: X\n"),
];

#[test]
fn rule_26_a_site_inside_a_folder_is_not_taken_for_another_at_each_check() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &INNER);
    let mut keeper = watching(dir.path());
    for change in [false, false, true, false] {
        assert!(!keeper.has_moved(change));
    }
}

#[test]
fn rule_26_a_site_that_appears_inside_a_folder_or_goes_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &INNER[..2]);
    let mut keeper = watching(dir.path());
    let root = dir.path().canonicalize().unwrap();
    assert!(!keeper.has_moved(true));
    write(dir.path(), &INNER[2..]);
    assert!(keeper.has_moved(true));
    assert_eq!(keeper.folder.root, root.join("docs"));
    assert!(!keeper.has_moved(true));
    // The settings are outside what is watched now.
    write(dir.path(), &[("diglot.toml", "title = \"All\"\n")]);
    assert!(keeper.has_moved(false));
    assert_eq!(keeper.folder.root, root);
    assert!(!keeper.has_moved(false));
}

/// What happens to a site inside a folder.
type Loss = fn(&Path);

/// The keeper of a site inside a folder, of which something else is not public, after a `loss`.
/// Returns what the folder's owner is told, once another edition has not gone live.
fn after_a_loss(dir: &Path, no_watch: bool, loss: Loss) -> (Keeper, String) {
    write(dir, &INNER);
    write(
        dir,
        &[("internal/plan.md", "# Plan\n"), ("docs/b.md", "# B\n")],
    );
    let mut keeper = keeper_of(folder(dir), Timestamp::now(), no_watch);
    let before = keeper.live.load_full();
    loss(dir);
    assert_eq!(keeper.has_moved(true), !no_watch);
    keeper.renew();
    assert_eq!(keeper.live.load().id, before.id);
    let said = keeper.refused.as_ref().map(|refused| refused.said.clone());
    let place = dir.canonicalize().unwrap().join("docs");
    assert_eq!(keeper.folder.root, place);
    (keeper, said.unwrap())
}

#[test]
fn rule_26_a_site_inside_a_folder_that_is_lost_is_not_replaced_by_the_whole_folder() {
    let losses: [(Loss, &str); 3] = [
        (
            |dir| fs::rename(dir.join("docs/mkdocs.yml"), dir.join("docs/mkdocs.yml~")).unwrap(),
            "no longer contains the site `docs/`",
        ),
        (
            |dir| fs::rename(dir.join("docs"), dir.join("docs~")).unwrap(),
            "no longer contains the site `docs/`",
        ),
        (
            |dir| write(dir, &[("blog/_config.yml", ""), ("blog/a.md", "# A\n")]),
            "now contains 2 sites, `docs/` and `blog/`",
        ),
    ];
    for (loss, words) in losses {
        for no_watch in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let (mut keeper, said) = after_a_loss(dir.path(), no_watch, loss);
            assert!(said.contains(words), "{said}");
            // It is not another loss at each check.
            assert!(!keeper.has_moved(true));
        }
    }
}

#[test]
fn rule_26_a_site_inside_a_folder_goes_on_when_its_mark_is_back_or_the_folder_says_so() {
    let loss = |dir: &Path| fs::remove_file(dir.join("docs/mkdocs.yml")).unwrap();
    for (name, text, place) in [
        ("docs/mkdocs.yml", "site_name: X\n", "docs"),
        ("diglot.toml", "title = \"All\"\n", ""),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (mut keeper, _) = after_a_loss(dir.path(), false, loss);
        write(dir.path(), &[(name, text)]);
        assert!(keeper.has_moved(false), "{name}");
        keeper.renew();
        assert!(keeper.refused.is_none(), "{name}");
        let root = dir.path().canonicalize().unwrap().join(place);
        assert_eq!(keeper.folder.root, root);
    }
}

#[test]
fn a_commit_is_noticed_although_no_file_changes() {
    let dir = tempfile::tempdir().unwrap();
    let repository = Repository::init(dir.path());
    write(dir.path(), &[("articles/a.md", "# A\n")]);
    let mut keeper = watching(dir.path());
    assert!(!keeper.folder.has_new_commit());
    repository.commit(1_704_067_200);
    assert!(keeper.folder.has_new_commit());
    keeper.renew();
    assert!(!keeper.folder.has_new_commit());
    let live = keeper.live.load_full();
    let is_article = |path: &str| path == "/articles/a.html";
    let mut resources = live.resources.iter();
    let article = resources.find(|resource| is_article(&resource.path));
    let day = article.unwrap().modified.to_string();
    assert_eq!(day, "2024-01-01T00:00:00Z");
}

#[test]
fn what_is_remembered_stays_in_use_while_it_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let (site, state) = (dir.path().join("site"), dir.path().join("state"));
    let names = ["articles/a.md", "articles/b.md"];
    write(&site, &names.map(|name| (name, "# One\n")));
    let mut folder = Folder::open(&cli::Folder {
        folder: site.clone(),
        base_url: None,
        limits: Vec::new(),
        state: cli::State {
            dir: Some(state.clone()),
            none: false,
        },
    })
    .unwrap();
    folder.stay();
    let mut keeper = keeper_of(folder, Timestamp::now(), true);
    keeper.folder.save();
    let twin = |keeper: &Keeper| {
        let live = keeper.live.load_full();
        let request = http::Request::get("/articles/a.md").body(()).unwrap();
        let answer = diglot_http::respond(&live, &request).into_body();
        String::from_utf8(answer.to_bytes().to_vec()).unwrap()
    };
    let edit = |keeper: &mut Keeper, name: &str, text: &str| {
        write(&site, &[(name, text)]);
        keeper.folder.note_changes(None);
        keeper.renew();
    };
    edit(&mut keeper, names[0], "# Two\n");
    assert!(twin(&keeper).contains("\nlast_updated: "));
    // Nothing can be written below a file.
    fs::remove_dir_all(&state).unwrap();
    fs::write(&state, "").unwrap();
    for text in ["# Two\n", "# Three\n"] {
        edit(&mut keeper, names[1], text);
        assert!(twin(&keeper).contains("\nlast_updated: "), "{text}");
    }
    fs::remove_file(&state).unwrap();
    edit(&mut keeper, names[1], "# Four\n");
    let (memory, warning) = State::at(&state).recall();
    assert!(warning.is_none() && memory != Memory::default());
}
