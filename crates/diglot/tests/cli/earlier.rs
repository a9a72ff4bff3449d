//! Style sheets of earlier themes: a page that a cache or another replica gave finds its own.

use std::fs;

use crate::cli::Desk;
use crate::cli::live::{Served, article, until};

fn desk(style: &str) -> Desk {
    Desk::with(&[
        ("site/diglot.toml", "theme = 'look'\n"),
        ("site/look/main.css", style),
        ("site/articles/first.md", &article("First", "Some words.")),
    ])
}

/// The style sheet that a page names.
fn style(served: &Served) -> String {
    let page = served.get("/articles/first.html");
    let at = page.find("/_/main.").unwrap();
    page[at..].split('"').next().unwrap().to_owned()
}

/// The next edition, with this style sheet; returns its address.
fn restyled(desk: &Desk, served: &Served, style: &str) -> String {
    let before = self::style(served);
    desk.write("site/look/main.css", style);
    until(
        || self::style(served) != before,
        || format!("no new style sheet:\n{}", served.said()),
    );
    self::style(served)
}

fn is_kept(desk: &Desk) -> bool {
    let states = fs::read_dir(desk.path("home/.local/state/diglot"));
    let mut states = states.into_iter().flatten().flatten();
    states.any(|state| state.path().join("edition").exists())
}

#[test]
fn a_page_of_the_edition_before_finds_its_style_sheet_also_after_a_restart() {
    let desk = desk(".a { color: red }");
    let served = Served::start(&desk, "--base-url https://example.org");
    let red = style(&served);
    let blue = restyled(&desk, &served, ".a { color: blue }");
    assert!(served.get(&red).contains("red"), "{}", served.said());
    let head = served.ask(&red, "If-None-Match: *\r\n");
    assert!(head.starts_with("HTTP/1.1 304"), "{head}");
    until(
        || is_kept(&desk),
        || format!("nothing is kept:\n{}", served.said()),
    );
    drop(served);
    // From the edition that was kept.
    let served = Served::start(&desk, "--base-url https://example.org");
    assert!(served.get(&red).contains("red"), "{}", served.said());
    drop(served);
    // From another, since the folder has changed meanwhile.
    desk.write("site/look/main.css", ".a { color: green }");
    let served = Served::start(&desk, "--base-url https://example.org");
    for (path, colour) in [(&red, "red"), (&blue, "blue"), (&style(&served), "green")] {
        assert!(served.get(path).contains(colour), "{}", served.said());
    }
    // They are not part of exports.
    let ran = desk.run("build site --base-url https://example.org --output out");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(!desk.path(&format!("out{red}")).exists());
}

#[cfg(feature = "store")]
#[test]
fn a_page_of_one_replica_finds_its_style_sheet_on_another_that_is_one_edition_ahead() {
    let desk = desk(".a { color: red }");
    let store = format!("file://{}", desk.path("store").display());
    let publish = || {
        let words = format!("publish site --base-url https://example.org --to {store}");
        let ran = desk.run(&words);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    };
    let replica = |cache: &str, poll: &str| {
        let words = "--listen 127.0.0.1:0 --poll";
        Served::run(&mut desk.command(&format!("serve {store} {words} {poll} --cache {cache}")))
    };
    publish();
    let (behind, ahead) = (replica("behind", "3600"), replica("ahead", "0.2"));
    let red = style(&behind);
    desk.write("site/look/main.css", ".a { color: blue }");
    publish();
    until(
        || style(&ahead) != red,
        || format!("no new edition:\n{}", ahead.said()),
    );
    assert_eq!(style(&behind), red);
    let answer = |served: &Served| {
        let answer = served.get(&red);
        let lines = answer.lines().filter(|line| !line.starts_with("date: "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(answer(&ahead), answer(&behind));
    assert!(answer(&ahead).contains("color: red") || answer(&ahead).contains("color:red"));
    drop(ahead);
    // A restart without the store.
    fs::rename(desk.path("store"), desk.path("moved")).unwrap();
    assert!(
        replica("ahead", "0.2")
            .get(&red)
            .starts_with("HTTP/1.1 200")
    );
}
