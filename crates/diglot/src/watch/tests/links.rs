//! Where a link leads, things go and come again.

use std::fs;
use std::thread;

use super::*;

/// A step of a case, in the root.
type Step = fn(&Path);

/// Where the link of a folder leads, something goes and comes again; then an edit is noticed.
fn check(target: &str, go: Step, come: Step) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for folder in ["articles", "node_modules/@a/x"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let one = root.join("node_modules/@a/x/one.md");
    fs::write(&one, "a").unwrap();
    let link = root
        .join("articles")
        .join(target.rsplit('/').next().unwrap());
    std::os::unix::fs::symlink(Path::new("..").join(target), link).unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    let steps: [(&str, &dyn Fn()); 3] = [
        ("gone", &|| go(&root)),
        ("back", &|| come(&root)),
        ("edited", &|| fs::write(&one, "c").unwrap()),
    ];
    for (step, edit) in steps {
        edit();
        let change = watch.wait(Duration::from_secs(10));
        assert_eq!(change, Change::Files, "{target} {step}");
        while watch.wait(Duration::from_millis(100)) == Change::Files {}
    }
}

#[test]
fn what_a_link_leads_to_may_go_and_come_again() {
    let make = |root: &Path| {
        fs::create_dir_all(root.join("node_modules/@a/x")).unwrap();
        fs::write(root.join("node_modules/@a/x/one.md"), "b").unwrap();
    };
    let losses: [Step; 4] = [
        |root| fs::remove_dir_all(root.join("node_modules/@a/x")).unwrap(),
        |root| fs::remove_dir_all(root.join("node_modules")).unwrap(),
        |root| fs::rename(root.join("node_modules/@a"), root.join("node_modules/@b")).unwrap(),
        |root| fs::rename(root.join("node_modules"), root.join(".away")).unwrap(),
    ];
    // At the same time, since each waits for the end of events.
    thread::scope(|scope| {
        for target in ["node_modules/@a/x/one.md", "node_modules/@a/x"] {
            for go in losses {
                scope.spawn(move || check(target, go, make));
            }
        }
        let go: Step = |root| fs::remove_file(root.join("node_modules/@a/x/one.md")).unwrap();
        scope.spawn(move || check("node_modules/@a/x/one.md", go, make));
    });
}

#[test]
fn a_link_that_is_broken_at_first_is_read_when_its_target_comes() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("node_modules/x/one.md", root.join("one.md")).unwrap();
    let mut watch = Watch::folder(&root, &Limits::default());
    fs::create_dir_all(root.join("node_modules/x")).unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    while watch.wait(Duration::from_millis(100)) == Change::Files {}
    fs::write(root.join("node_modules/x/one.md"), "a").unwrap();
    assert_eq!(watch.wait(Duration::from_secs(10)), Change::Files);
    fs::write(root.join("node_modules/x/two.md"), "a").unwrap();
    while watch.wait(Duration::from_millis(100)) == Change::Files {}
}
