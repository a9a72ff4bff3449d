use std::fs;

use super::*;

#[cfg(target_os = "linux")]
mod links;

/// Whether `edit` is noticed in a folder with `articles/a.md` and `.git/`, both by watching and by
/// polling.
fn check(edit: impl Fn(&Path), expected: Change) {
    check_with(&Limits::default(), &edit, expected);
    check_with(
        &Limits {
            watches: 0,
            ..Limits::default()
        },
        &edit,
        expected,
    );
}

fn check_with(limits: &Limits, edit: impl FnOnce(&Path), expected: Change) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("articles")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join("articles/a.md"), "a").unwrap();
    let mut watch = Watch::folder(&root, limits);
    assert_eq!(
        (watch.news().is_some(), watch.news()),
        (limits.watches == 0, None),
        "said once"
    );
    edit(&root);
    let time = if expected == Change::Files {
        Duration::from_secs(10)
    } else {
        Duration::from_millis(300)
    };
    assert_eq!(watch.wait(time), expected);
}

#[test]
fn a_save_is_one_change() {
    check(
        |root| fs::write(root.join("articles/a.md"), "b").unwrap(),
        Change::Files,
    );
}

#[test]
fn an_editors_rename_save_is_a_change() {
    let save = |root: &Path| {
        fs::write(root.join("articles/.a.md.swp"), "b").unwrap();
        fs::rename(root.join("articles/.a.md.swp"), root.join("articles/a.md")).unwrap();
    };
    check(save, Change::Files);
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_written_and_closed_is_not_waited_for_and_what_comes_in_steps_is() {
    let quiet_after = |edit: fn(&Path)| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::write(root.join("a.md"), "a").unwrap();
        let mut watch = Watch::folder(&root, &Limits::default());
        edit(&root);
        while let Ok(event) = watch.events.recv_timeout(Duration::from_millis(300)) {
            watch.note(event);
        }
        watch.quiet(false)
    };
    assert_eq!(
        quiet_after(|root| fs::write(root.join("a.md"), "b").unwrap()),
        CLOSED
    );
    let moved_in = |root: &Path| {
        fs::write(root.join(".a.md.swp"), "b").unwrap();
        fs::rename(root.join(".a.md.swp"), root.join("a.md")).unwrap();
    };
    assert_eq!(quiet_after(moved_in), CLOSED);
    let moved_aside = |root: &Path| {
        fs::rename(root.join("a.md"), root.join("a.md~")).unwrap();
        fs::write(root.join("a.md"), "b").unwrap();
    };
    assert_eq!(
        quiet_after(moved_aside),
        QUIET,
        "for a moment there is no such file"
    );
    assert_eq!(
        quiet_after(|root| fs::remove_file(root.join("a.md")).unwrap()),
        QUIET
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_changed_is_known_where_files_were_only_written() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::write(root.join("a.md"), "a").unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    assert_eq!(watch.changed_files(), None, "nothing has been read yet");
    let mut after = |edit: &dyn Fn()| {
        edit();
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
        watch.changed_files()
    };
    let written = Some(vec![root.join("a.md")]);
    assert_eq!(
        after(&|| fs::write(root.join("a.md"), "b").unwrap()),
        written
    );
    assert_eq!(after(&|| fs::write(root.join("b.md"), "b").unwrap()), None);
    assert_eq!(
        after(&|| fs::write(root.join("a.md"), "c").unwrap()),
        written
    );
    let moved = || fs::rename(root.join("b.md"), root.join("a.md")).unwrap();
    assert_eq!(after(&moved), None);
    assert_eq!(after(&|| fs::remove_file(root.join("a.md")).unwrap()), None);
    assert_eq!(watch.changed_files(), Some(Vec::new()));
    watch.waker().wake();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    assert_eq!(watch.changed_files(), None);
}

#[test]
#[cfg(target_os = "linux")]
fn a_save_on_the_heels_of_another_is_part_of_a_storm() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    // However slow this machine is, the quiet period has not ended.
    watch.ended = Some(Instant::now() + Duration::from_secs(60));
    let begun = Instant::now();
    fs::write(root.join("a.md"), "a").unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    assert!(begun.elapsed() >= QUIET);
}

#[test]
fn a_folder_moved_away_is_no_longer_seen_and_one_moved_in_is() {
    let dir = tempfile::tempdir().unwrap();
    let (root, away) = (
        dir.path().canonicalize().unwrap().join("site"),
        dir.path().join("away"),
    );
    fs::create_dir_all(root.join("articles/deep")).unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    let mut check = |edit: &dyn Fn(), expected: Change| {
        edit();
        let time = if expected == Change::Files {
            Duration::from_secs(10)
        } else {
            Duration::from_millis(300)
        };
        assert_eq!(watch.wait(time), expected);
        while watch.wait(Duration::from_millis(300)) == Change::Files {}
    };
    check(
        &|| fs::rename(root.join("articles"), &away).unwrap(),
        Change::Files,
    );
    check(
        &|| fs::write(away.join("deep/a.md"), "a").unwrap(),
        Change::Time,
    );
    check(
        &|| fs::rename(&away, root.join("back")).unwrap(),
        Change::Files,
    );
    check(
        &|| fs::write(root.join("back/deep/a.md"), "b").unwrap(),
        Change::Files,
    );
    check(
        &|| fs::rename(root.join("back"), root.join("again")).unwrap(),
        Change::Files,
    );
    check(
        &|| fs::write(root.join("again/deep/a.md"), "c").unwrap(),
        Change::Files,
    );
}

#[test]
fn when_there_are_no_watches_left_the_folder_is_looked_at_and_that_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut watch = Watch::folder(
        &root,
        &Limits {
            watches: 2,
            ..Limits::default()
        },
    );
    assert_eq!(watch.news(), None);
    fs::create_dir_all(root.join("new/deep/deeper")).unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    if cfg!(target_os = "linux") {
        assert!(
            watch
                .news()
                .unwrap()
                .contains("is scanned every few seconds instead")
        );
        assert!(!watch.tells_writers());
        while watch.wait(Duration::from_millis(100)) == Change::Files {}
    }
    fs::write(root.join("new/deep/deeper/a.md"), "a").unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    assert_eq!(watch.news(), None);
}

#[test]
fn what_was_removed_is_seen() {
    check(
        |root| fs::remove_file(root.join("articles/a.md")).unwrap(),
        Change::Files,
    );
    check(
        |root| fs::remove_dir_all(root.join("articles")).unwrap(),
        Change::Files,
    );
}

#[test]
fn files_in_a_new_folder_are_seen() {
    let add = |root: &Path| {
        fs::create_dir_all(root.join("new/deep")).unwrap();
        fs::write(root.join("new/deep/x.md"), "x").unwrap();
    };
    check(add, Change::Files);
}

/// All events arrive before the wait begins, since their delay depends on the machine's load.
#[test]
fn a_thousand_saves_are_one_change() {
    let mut watch = Watch::nothing();
    let file = PathBuf::from("/articles/a.md");
    for _ in 0..1000 {
        watch.sender.send(Event::Writing(file.clone())).unwrap();
        watch.sender.send(Event::Closed(file.clone())).unwrap();
    }
    assert_eq!(watch.wait(Duration::ZERO), Change::Files);
    assert_eq!(watch.wait(Duration::from_millis(1)), Change::Time);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_held_open_for_writing_is_waited_for() {
    use std::io::Write;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    let (path, begun) = (root.join("a.md"), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::File::create(&path).unwrap();
            file.write_all(b"half").unwrap();
            std::thread::sleep(Duration::from_millis(150));
            file.write_all(b" and half").unwrap();
        });
        assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
        assert!(
            begun.elapsed() >= Duration::from_millis(150),
            "half a file was taken for a whole one"
        );
    });
    let held = fs::File::create(&path).unwrap();
    (&held).write_all(b"x").unwrap();
    let begun = Instant::now();
    while !watch.is_writing() {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "a writer was not seen"
        );
    }
    assert_eq!(
        watch.wait(Duration::from_secs(10)),
        Change::Files,
        "what was seen meanwhile is a change"
    );
}

#[test]
fn hidden_files_that_are_read_count_as_all_others() {
    let is_seen = |path: &str| {
        let write = |root: &Path| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        };
        check(write, Change::Files);
    };
    // At the same time, since a folder without watches is looked through once a second.
    std::thread::scope(|scope| {
        for path in [
            ".htaccess",
            ".gitbook.yaml",
            "articles/.pages",
            ".vitepress/config.ts",
            ".obsidian/plugins/templater-obsidian/data.json",
        ] {
            scope.spawn(move || is_seen(path));
        }
    });
    let root = Path::new("/site");
    for (path, expected) in [
        (".obsidian/templates.json", true),
        (".obsidian/publish.json", true),
        ("docs/blog/.meta.yml", true),
        (".obsidian/plugins", true),
        (".obsidian/plugins/templater-obsidian/data.json", true),
        (".obsidian/workspace.json", false),
        (".obsidian/plugins/other/data.json", false),
        (".obsidian/plugins/digitalgarden", true),
        (".obsidian/plugins/digitalgarden/data.json", false),
        ("_redirects", true),
        (".gitignore", true),
        ("docs/.vitepress/config/de.ts", true),
        ("docs/.vuepress/config.js", true),
        (".vuepress/.cache/x.js", false),
        ("docs/.vuepress/public/images/a.png", true),
        (".vuepress/public/.tmp", false),
        (".vuepress/styles/a.scss", false),
        (".gitbook/assets/a.png", true),
        (".vitepress/cache/x.js", false),
        (".git/index", false),
        ("a/.gitignore", false),
        ("content/a/.gitignore", true),
        (".gitbook/assets/.tmp", false),
        ("node_modules/x/index.js", false),
        ("a/.diglot", true),
    ] {
        let linked = Linked::default();
        assert_eq!(
            linked.is_visible(&root.join(path), root),
            expected,
            "{path}"
        );
    }
}

#[test]
fn the_template_folder_of_a_vault_is_watched_and_its_workspace_is_not() {
    for (name, expected) in [
        ("templates.json", Change::Files),
        ("workspace.json", Change::Time),
    ] {
        for watches in [0, Limits::default().watches] {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            fs::create_dir(root.join(".obsidian")).unwrap();
            fs::write(root.join(".obsidian").join(name), "{}").unwrap();
            let limits = Limits {
                watches,
                ..Limits::default()
            };
            let mut watch = Watch::folder(&root, &limits);
            let changed = "{\"folder\": \"Forms\"}";
            fs::write(root.join(".obsidian").join(name), changed).unwrap();
            let time = if expected == Change::Files {
                Duration::from_secs(10)
            } else {
                Duration::from_millis(300)
            };
            assert_eq!(watch.wait(time), expected, "{name}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_link_leads_to_counts_wherever_it_is() {
    let check_with = |limits: &Limits, edited: &str, expected: Change| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["articles", "node_modules/x/docs/deep", "cache", ".config"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("cache/CACHEDIR.TAG"), "").unwrap();
        for (link, target) in [
            ("articles/lib", "../node_modules/x/docs"),
            ("articles/one.md", "../node_modules/x/one.md"),
            ("articles/two.md", "../cache/two.md"),
            ("diglot.toml", ".config/d.toml"),
        ] {
            let path = root.join(link);
            let file = path.parent().unwrap().join(target);
            if !file.is_dir() {
                fs::write(file, "a").unwrap();
            }
            std::os::unix::fs::symlink(target, path).unwrap();
        }
        let mut watch = Watch::folder(&root, limits);
        fs::write(root.join(edited), "b").unwrap();
        let time = if expected == Change::Files {
            Duration::from_secs(10)
        } else {
            Duration::from_millis(300)
        };
        assert_eq!(watch.wait(time), expected, "{edited}");
    };
    let check = |edited, expected| check_with(&Limits::default(), edited, expected);
    for edited in [
        "node_modules/x/docs/b.md",
        "node_modules/x/docs/deep/b.md",
        "node_modules/x/one.md",
        "cache/two.md",
        ".config/d.toml",
    ] {
        check(edited, Change::Files);
    }
    for edited in [
        "node_modules/x/docs/.b.md.swp",
        "node_modules/x/index.js",
        "cache/other",
        ".config/other.toml",
    ] {
        check(edited, Change::Time);
    }
    let unwatched = Limits {
        watches: 0,
        ..Limits::default()
    };
    check_with(&unwatched, ".config/d.toml", Change::Files);
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_becomes_an_export_is_no_longer_watched() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::create_dir(root.join("out")).unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    fs::write(root.join("out/.diglot"), "").unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    while watch.wait(Duration::from_millis(300)) == Change::Files {}
    fs::write(root.join("out/a.html"), "").unwrap();
    assert_eq!(watch.wait(Duration::from_millis(300)), Change::Time);
}

#[test]
fn hidden_folders_and_reading_do_not_count() {
    check(
        |root| fs::write(root.join(".git/index"), "x").unwrap(),
        Change::Time,
    );
    check(
        |root| drop(fs::read(root.join("articles/a.md"))),
        Change::Time,
    );
}

#[test]
fn a_file_is_watched_if_it_is_read_whatever_its_name() {
    check(
        |root| fs::write(root.join("articles/..md"), "x").unwrap(),
        Change::Files,
    );
    check(
        |root| fs::write(root.join("articles/.a.md.swp"), "x").unwrap(),
        Change::Time,
    );
}
