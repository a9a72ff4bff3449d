//! Exports: the same bytes as served, put in place as a whole, and never over what is not ours.

mod fragments;
mod overhead;
#[path = "../../../http/tests/contract/site.rs"]
mod site;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::tree::files;
use crate::support::{BASE, build};
use diglot::export::{Export, Written};
use diglot::failure::{Failure, Status};
use diglot_edition::Edition;

fn write(target: &Path, edition: &Edition, compress: bool) -> Result<Written, Failure> {
    let mut export = Export::to(target, Path::new("/nowhere/at/all"))?;
    export.compress = compress;
    export.write(
        edition,
        std::iter::once(("nginx.conf".to_owned(), "# nothing\n".to_owned())),
        &|_| {},
    )
}

#[test]
fn what_is_exported_is_what_is_served_for_every_resource() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    let edition = site::bare_edition(BASE);
    write(&target, &edition, true).unwrap();
    let written = files(&target);
    for resource in &edition.resources {
        let path = &resource.path[1..];
        assert_eq!(
            written.get(path).map(Vec::as_slice),
            Some(&*resource.body.to_bytes()),
            "{path}"
        );
        let modified = fs::metadata(target.join(path)).unwrap().modified().unwrap();
        assert_eq!(
            modified,
            std::time::SystemTime::from(resource.modified),
            "{path}: the modification time is Last-Modified"
        );
        for coding in diglot_edition::Coding::ALL {
            if matches!(resource.route, diglot_edition::Route::NotFound(_)) {
                continue; // a host sends it by its name, as it is
            }
            let coded = written
                .get(&format!("{path}{}", coding.suffix()))
                .map(Vec::as_slice);
            assert_eq!(
                coded,
                resource.coded(coding).map(|bytes| &**bytes),
                "{path} as {}",
                coding.name()
            );
        }
        let answer = diglot_http::respond(
            &edition,
            &http::Request::get(edition.site.base.rooted(&resource.path))
                .body(())
                .unwrap(),
        );
        assert_eq!(
            answer.into_body().to_bytes(),
            resource.body.to_bytes(),
            "{path}"
        );
    }
    assert!(
        written["2019/first/index.html"].starts_with(b"<!doctype html>"),
        "a stub stands at the old address"
    );
    let beside: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(beside, ["public"], "nothing is left beside the target");
}

#[test]
fn an_export_of_ours_is_replaced_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    write(&target, &site::edition(BASE), true).unwrap();
    write(&target, &site::edition(BASE), false).unwrap();
    let left = files(&target);
    assert!(
        left.contains_key("rss.xml") && !left.contains_key("rss.xml.gz"),
        "nothing of the old export is left"
    );
}

/// Writes over a target prepared by `prepare`, which must be refused and left alone.
fn refused(prepare: impl FnOnce(&Path), expected: &str) {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    prepare(&target);
    let before = if target.is_dir() {
        files(&target)
    } else {
        BTreeMap::new()
    };
    let failure = write(&target, &site::edition(BASE), false).unwrap_err();
    assert_eq!(failure.status, Status::Usage);
    assert!(failure.message.contains(expected), "{}", failure.message);
    assert_eq!(
        if target.is_dir() {
            files(&target)
        } else {
            BTreeMap::new()
        },
        before
    );
}

#[test]
fn what_is_not_ours_is_never_replaced() {
    let precious = |target: &Path| {
        fs::create_dir_all(target).unwrap();
        fs::write(target.join("precious.txt"), "x").unwrap();
    };
    refused(
        precious,
        "it contains `precious.txt` and was not written by Diglot",
    );
    refused(|target| fs::write(target, "x").unwrap(), "it is a file");
    let added = |target: &Path| {
        write(target, &site::edition(BASE), false).unwrap();
        fs::write(target.join("articles/CNAME"), "x").unwrap();
    };
    refused(
        added,
        "it contains `articles/CNAME`, which Diglot did not write",
    );
}

#[test]
fn a_target_in_the_source_or_around_it_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().canonicalize().unwrap().join("site");
    fs::create_dir(&source).unwrap();
    let refusal = |target: &Path| Export::to(target, &source).unwrap_err().status;
    assert_eq!(refusal(&source), Status::Usage);
    assert_eq!(refusal(&source.join("public/deep")), Status::Usage);
    assert_eq!(refusal(dir.path()), Status::Usage);
    assert!(Export::to(&dir.path().join("public"), &source).is_ok());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&source, dir.path().join("link")).unwrap();
        assert_eq!(refusal(&dir.path().join("link/public")), Status::Usage);
    }
}

#[test]
fn with_a_path_two_documents_are_written_for_the_origin() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    let written = write(&target, &site::edition("https://example.org/blog"), false).unwrap();
    let origin = written.origin.unwrap();
    assert_eq!(origin.file_name().unwrap(), "public-origin");
    let names: Vec<String> = files(&origin).into_keys().collect();
    assert_eq!(names, [".diglot", ".well-known/api-catalog", "robots.txt"]);
    assert!(files(&target).contains_key("robots.txt"));
}

#[cfg(target_os = "linux")]
mod needs_root {
    use super::*;

    #[test]
    #[ignore = "needs root, to mount a small disk"]
    fn a_full_disk_leaves_the_target_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let disk = dir.path().join("disk");
        fs::create_dir(&disk).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=200k", "tmpfs"])
            .arg(&disk)
            .status();
        assert!(mounted.unwrap().success());
        let target = disk.join("public");
        let first = write(&target, &site::edition(BASE), false).map(|_| files(&target));
        fs::write(disk.join("filler"), vec![0; 40_000]).unwrap();
        let second = write(&target, &site::edition(BASE), true);
        let after = files(&target);
        let beside: Vec<_> = fs::read_dir(&disk)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            Command::new("umount")
                .arg(&disk)
                .status()
                .unwrap()
                .success()
        );
        let failure = second.unwrap_err();
        assert_eq!(failure.status, Status::Machine);
        assert!(
            failure.message.ends_with("no space left on device"),
            "{}",
            failure.message
        );
        assert_eq!(after, first.unwrap(), "the old site is whole");
        assert_eq!(beside.len(), 2, "the stage is gone: {beside:?}");
    }
}

/// As on a full disk, for those who cannot mount one: a shell that lets no file grow beyond 4 kB.
/// Some files fit, a later one does not.
#[test]
#[cfg(target_os = "linux")]
fn a_write_that_fails_halfway_leaves_the_target_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    fs::create_dir_all(dir.path().join("site/articles")).unwrap();
    fs::write(
        dir.path().join("site/articles/first.md"),
        "---\ndate: 2024-05-06\n---\nSome words.\n",
    )
    .unwrap();
    let build = |before: &str| {
        let script =
            format!("{before} exec \"$0\" build site --output public --base-url {BASE} --no-state");
        Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_diglot")])
            .current_dir(dir.path())
            .output()
            .unwrap()
    };
    assert!(build("").status.success());
    let before = files(&target);
    fs::write(
        dir.path().join("site/articles/second.md"),
        "---\ndate: 2024-05-07\n---\nOther words.\n",
    )
    .unwrap();
    let failed = build("trap '' XFSZ; ulimit -f 8;");
    let said = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(3), "{said}");
    assert!(
        said.trim_end().ends_with("/public`: file too large"),
        "{said}"
    );
    assert_eq!(files(&target), before, "the old site is whole");
    let beside: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(beside.len(), 2, "the stage is gone: {beside:?}");
    assert!(build("").status.success() && files(&target).contains_key("articles/second.md"));
}

/// The other half of the next test: a process that writes two editions in turn until it is killed.
#[test]
#[ignore = "run by `killed_at_any_moment_the_target_is_whole`"]
fn write_until_killed() {
    let target = std::env::var_os("DIGLOT_TEST_TARGET").unwrap();
    let editions = [site::edition(BASE), site::edition("https://other.example")];
    for edition in editions.iter().cycle() {
        write(Path::new(&target), edition, true).unwrap();
    }
}

#[test]
fn killed_at_any_moment_the_target_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("public");
    let expected: Vec<_> = [BASE, "https://other.example"]
        .iter()
        .map(|base| {
            write(&target, &site::edition(base), true).unwrap();
            files(&target)
        })
        .collect();
    for round in 0..12_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "write_until_killed"])
            .env("DIGLOT_TEST_TARGET", &target)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60 + round * 37 % 100));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = files(&target);
        assert!(
            expected.contains(&found),
            "round {round}: {} files",
            found.len()
        );
    }
    // What killed exports left beside the target is removed once it is too old to be in use.
    write(&target, &site::edition(BASE), true).unwrap();
}
