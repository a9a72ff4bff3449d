use std::fs::{self, File};
use std::time::Duration;

use diglot_content::sources::Unread;

use super::*;

/// Reads a folder holding these files (`name -> target` is a symbolic link) and lists paths,
/// `unread` and `hidden`.
#[cfg(unix)]
fn check(entries: &[&str], expected: &str) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("site");
    fs::create_dir(&root).unwrap();
    fs::write(dir.path().join("secret.md"), "secret").unwrap();
    for entry in entries {
        let (name, target) = entry
            .split_once(" -> ")
            .map_or((*entry, None), |(name, target)| (name, Some(target)));
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match target {
            Some(target) => std::os::unix::fs::symlink(target, path).unwrap(),
            None => fs::write(path, name).unwrap(),
        }
    }
    let read = folder(&root, &mut [], &Limits::default(), Timestamp::now()).unwrap();
    let mut lines: Vec<String> = read
        .files
        .iter()
        .map(|file| file.path.to_string())
        .collect();
    lines.extend(
        read.unread
            .iter()
            .map(|unread| format!("unread {}: {}", unread.path, unread.reason)),
    );
    lines.extend(read.hidden.iter().map(|name| format!("hidden {name}")));
    assert_eq!(
        lines.join("\n"),
        expected
            .trim_end()
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("\n")
            .trim()
    );
}

#[test]
#[cfg(unix)]
fn files_come_in_the_byte_order_of_their_paths() {
    check(
        &["b.md", "a/x.md", "a.md", "a-b.md", "B.md"],
        "B.md\na-b.md\na.md\na/x.md\nb.md",
    );
}

#[test]
#[cfg(unix)]
fn links_are_followed_inside_the_folder_only() {
    check(
        &[
            "a.md",
            "real/x.md",
            "in.md -> a.md",
            "folder -> real",
            "out.md -> ../secret.md",
            "up -> ..",
            "passwd -> /etc/passwd",
            "broken -> nowhere",
        ],
        "a.md
        folder/x.md
        in.md
        real/x.md
        unread broken: broken symbolic link
        unread out.md: symbolic link out of the folder
        unread passwd: symbolic link out of the folder
        unread up: symbolic link out of the folder",
    );
}

#[test]
#[cfg(unix)]
fn the_settings_are_read_through_a_link_wherever_they_are_in_the_folder() {
    check(
        &[
            "a.md",
            ".config/d.toml",
            "diglot.toml -> .config/d.toml",
            "b.md -> .config/d.toml",
        ],
        "a.md
        diglot.toml
        unread b.md: symbolic link into a hidden folder
        hidden .config",
    );
}

#[test]
#[cfg(unix)]
fn rule_30_where_links_lead_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, dir.path().join(name)).unwrap();
    };
    fs::create_dir(dir.path().join("pages")).unwrap();
    fs::write(dir.path().join("pages/a.md"), "a").unwrap();
    link("pages", "pages.en");
    link("../pages/a.md", "pages/b.md");
    let read = folder(dir.path(), &mut [], &Limits::default(), Timestamp::now()).unwrap();
    let links: Vec<(&str, &str)> = read
        .links
        .iter()
        .map(|(link, target)| (link.as_str(), target.as_str()))
        .collect();
    assert_eq!(
        links,
        [
            ("pages.en", "pages"),
            ("pages.en/b.md", "pages/a.md"),
            ("pages/b.md", "pages/a.md")
        ]
    );
}

#[test]
#[cfg(unix)]
fn an_eleventy_project_leaves_out_what_git_ignores() {
    check(
        &["eleventy.config.js", ".gitignore", "a/.gitignore", "a/b.md"],
        ".gitignore
        a/b.md
        eleventy.config.js
        hidden .gitignore
        hidden a/.gitignore",
    );
}

#[test]
#[cfg(unix)]
fn quartz_leaves_out_what_git_ignores_among_its_notes() {
    check(
        &[
            ".gitignore",
            "content/.gitignore",
            "content/a/.gitignore",
            "other/.gitignore",
            "quartz.config.yaml",
        ],
        "content/.gitignore
        content/a/.gitignore
        quartz.config.yaml
        hidden .gitignore
        hidden content/.gitignore
        hidden content/a/.gitignore
        hidden other/.gitignore",
    );
    check(&["content/.gitignore"], "hidden content/.gitignore");
}

#[test]
#[cfg(unix)]
fn the_plug_in_of_a_garden_is_known_and_its_settings_are_not_read() {
    check(
        &[".obsidian/plugins/digitalgarden/data.json", "a.md"],
        "a.md
        hidden .obsidian
        hidden .obsidian/plugins/digitalgarden",
    );
}

#[test]
#[cfg(unix)]
fn loops_of_links_are_survived() {
    check(
        &[
            "a/x.md",
            "a/self -> .",
            "a/up -> ..",
            "b/there -> ../a",
            "ring -> ring",
        ],
        "a/x.md
        b/there/x.md
        unread a/self: symbolic link to a folder that contains it
        unread a/up: symbolic link to a folder that contains it
        unread b/there/self: symbolic link to a folder, inside a linked folder
        unread b/there/up: symbolic link to a folder, inside a linked folder
        unread ring: broken symbolic link",
    );
}

#[test]
#[cfg(unix)]
fn hidden_and_generated_folders_are_named_but_not_read() {
    check(
        &[
            "a.md",
            ".git/config",
            ".env",
            "docs/.obsidian/app.json",
            "node_modules/x/README.md",
            "built/.diglot",
            "built/index.html",
            "target/CACHEDIR.TAG",
            "target/doc.md",
            ".well-known/security.txt",
        ],
        ".well-known/security.txt
        a.md
        hidden .env
        hidden .git
        hidden built
        hidden docs/.obsidian
        hidden node_modules
        hidden target",
    );
}

#[test]
#[cfg(unix)]
fn rule_26_hidden_files_that_say_what_is_public_are_read() {
    check(
        &[
            ".bookignore",
            ".gitignore",
            "SUMMARY.md",
            "a.md",
            "docs/.meta.yml",
            "docs/.other.yml",
            "docs/.vuepress/.cache/x.png",
            "docs/.vuepress/config.js",
            "docs/.vuepress/config.yml",
            "docs/.vuepress/public/.x/b.png",
            "docs/.vuepress/public/a.png",
            "vault/.obsidian/app.json",
            "vault/.obsidian/publish.json",
        ],
        ".bookignore
        .gitignore
        SUMMARY.md
        a.md
        docs/.meta.yml
        docs/.vuepress/config.js
        docs/.vuepress/config.yml
        docs/.vuepress/public/a.png
        vault/.obsidian/publish.json
        hidden .bookignore
        hidden .gitignore
        hidden docs/.meta.yml
        hidden docs/.other.yml
        hidden docs/.vuepress
        hidden docs/.vuepress/public/.x
        hidden vault/.obsidian",
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_not_utf8_survives_and_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.md")),
        "x",
    )
    .unwrap();
    let read = folder(dir.path(), &mut [], &Limits::default(), Timestamp::now()).unwrap();
    assert_eq!(&*read.files[0].path, "caf\u{fffd}.md");
    assert_eq!(
        read.problems[0].to_string(),
        "caf\u{fffd}.md: warning: the file name is not UTF-8\n  hint: rename the file: its address now has `\u{fffd}` in it"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_fifo_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.path().join("pipe.md"), mode).unwrap();
    let read = folder(dir.path(), &mut [], &Limits::default(), Timestamp::now()).unwrap();
    assert_eq!(
        read.unread,
        [Unread {
            path: "pipe.md".into(),
            reason: "not a regular file".into()
        }]
    );
}

#[test]
fn files_beyond_the_limits_are_named_and_the_rest_is_read() {
    let dir = tempfile::tempdir().unwrap();
    for (name, length) in [
        ("large.md", 2_001),
        ("large.jpg", 2_001),
        ("huge.jpg", 3_001),
        ("small.md", 2_000),
    ] {
        fs::write(dir.path().join(name), "x".repeat(length)).unwrap();
    }
    let limits = Limits {
        article_bytes: 2_000,
        file_bytes: 3_000,
        ..Limits::default()
    };
    let read = folder(dir.path(), &mut [], &limits, Timestamp::now()).unwrap();
    let paths: Vec<&str> = read.files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["large.jpg", "small.md"]);
    let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems[1],
        "large.md: cannot read this file or folder: larger than the limit of 2000 bytes (`article-bytes`)\n  hint: `--limit article-bytes=32MiB` allows larger files"
    );
    let error = folder(
        dir.path(),
        &mut [],
        &Limits { files: 3, ..limits },
        Timestamp::now(),
    )
    .unwrap_err();
    assert_eq!(
        failure(Path::new("site"), &error),
        Failure::content("cannot read `site`: it has more files than the limit of 3 (`files`)")
            .hint("`--limit files=1000000` allows more; a folder of articles rarely has as many")
    );
}

#[test]
#[cfg(unix)]
fn a_file_that_did_not_change_is_not_read_again_and_one_that_did_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.md");
    let mut cache = FileCache::default();
    let read = |cache: &mut FileCache| {
        let sources = files(dir.path(), &Limits::default(), cache, Timestamp::now()).unwrap();
        sources
            .files
            .iter()
            .map(|file| {
                (
                    file.bytes.as_ptr(),
                    String::from_utf8(file.bytes.to_vec()).unwrap(),
                )
            })
            .next()
    };
    fs::write(&path, "one").unwrap();
    let young = read(&mut cache);
    assert_ne!(
        read(&mut cache).unwrap().0,
        young.unwrap().0,
        "a young file may change without a trace"
    );
    // Its ctime cannot be set, so the test waits until it is old.
    std::thread::sleep(Duration::from_millis(3_100));
    let old = read(&mut cache);
    assert_eq!(read(&mut cache), old, "the very same bytes");
    // Other bytes of the same length, with the old modification time.
    let modified = path.metadata().unwrap().modified().unwrap();
    fs::write(&path, "two").unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    cache.note_changes(Some(Vec::new()));
    assert_eq!(read(&mut cache).unwrap().1, "one", "no change was reported");
    cache.note_changes(Some(vec![dir.path().canonicalize().unwrap().join("a.md")]));
    assert_eq!(read(&mut cache).unwrap().1, "two");
    fs::write(dir.path().join("0.md"), "new").unwrap();
    cache.note_changes(Some(vec![dir.path().canonicalize().unwrap().join("0.md")]));
    assert_eq!(
        read(&mut cache).unwrap().1,
        "new",
        "a file that is not known"
    );
    fs::remove_file(dir.path().join("0.md")).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(read(&mut cache), None);
}

#[test]
fn a_file_is_half_saved_from_its_emptying_until_it_has_content_or_is_old() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.md");
    let mut cache = FileCache::default();
    let mut check = |text: &str, age: u64, half_saved: bool| {
        fs::write(&path, text).unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
        let sources = files(dir.path(), &Limits::default(), &mut cache, Timestamp::now()).unwrap();
        assert_eq!(
            (&sources.files[0].bytes[..], cache.is_half_saved()),
            (text.as_bytes(), half_saved),
            "{text}, {age} s old"
        );
    };
    check("", 1, false);
    check("one", 1, false);
    for _ in 0..3 {
        check("", 1, true);
    }
    check("two", 1, false);
    check("", 10, false);
    check("", 1, false);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    assert_eq!(
        folder(
            Path::new("/no/such/folder"),
            &mut [],
            &Limits::default(),
            Timestamp::now()
        )
        .unwrap_err()
        .kind(),
        io::ErrorKind::NotFound
    );
}

#[test]
fn a_file_that_may_not_be_read_has_a_hint() {
    let refused = io::Error::from(io::ErrorKind::PermissionDenied);
    assert_eq!(hint(&refused).as_deref(), Some(ALLOW_READING));
    assert_eq!(hint(&io::Error::from(io::ErrorKind::NotFound)), None);
}
