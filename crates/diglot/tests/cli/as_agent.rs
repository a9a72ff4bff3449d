//! `diglot check --as NAME`: what a program gets of a site, and what it loses.

use serde_json::Value;

use crate::cli::Desk;

/// A site with a page that is too long for some, and one with a picture without a text.
fn desk() -> Desk {
    let mut long = "---\ntitle: Long\ndate: 2024-01-02\n---\n\nBegin.\n".to_owned();
    for number in 1..=12 {
        let words = "Ten words that say nothing at all, but take room. ".repeat(200);
        long += &format!("\n## Part {number}\n\n{words}\n");
    }
    Desk::with(&[
        ("site/diglot.toml", "title = \"Notes\"\n"),
        ("site/articles/long.md", &long),
        (
            "site/articles/picture.md",
            "---\ntitle: Picture\ndate: 2024-01-03\n---\n\n![](dot.svg)\n",
        ),
        (
            "site/articles/dot.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
    ])
}

#[test]
fn the_cut_and_the_sections_behind_it_are_named() {
    let desk = desk();
    let ran = desk.run("check site --as claude-code --no-state");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for words in [
        "asks for each page with `Accept: text/markdown, text/html, */*`",
        "it cuts after 100,000 characters (https://",
        "pages are cut by claude-code; split these:\n  /articles/long.html: 120,",
        "2 sections behind the cut: part-11, part-12",
        "/articles/picture.html: 1",
    ] {
        assert!(ran.out.contains(words), "{words}:\n{}", ran.out);
    }
    assert_eq!(
        desk.run("check site --as claude-code --strict --no-state")
            .status,
        Some(1)
    );
    assert_eq!(
        desk.run("check site --as googlebot --strict --no-state")
            .status,
        Some(0)
    );
}

#[test]
fn each_program_gets_what_it_asks_for() {
    let desk = desk();
    let page = |name: &str, path: &str| -> (Value, Value) {
        let ran = desk.run(&format!("check site --as {name} --json --no-state"));
        let said: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let pages = said["pages"].as_array().unwrap();
        let page = pages
            .iter()
            .find(|page| page["path"] == path)
            .unwrap()
            .clone();
        (said, page)
    };
    for (name, gets, cut) in [
        ("claude-code", "text/markdown", true),
        ("cursor", "text/markdown", false),
        ("codex", "text/markdown", false),
        ("mcp-fetch", "text/html", true),
        ("googlebot", "text/html", false),
    ] {
        let (said, long) = page(name, "/articles/long.html");
        assert_eq!(
            (&long["gets"], &long["cut"]),
            (&gets.into(), &cut.into()),
            "{name}"
        );
        assert_eq!(said["limit"].is_null(), ["cursor", "codex"].contains(&name));
    }
    let (_, long) = page("mcp-fetch", "/articles/long.html");
    assert_eq!(
        long["lost_sections"].as_array().unwrap().len(),
        11,
        "{long}"
    );
    let (_, in_feed) = page("newsboat", "/articles/long.html");
    let (_, beside) = page("newsboat", "/terms.html");
    assert!(in_feed["gets"].is_string() && beside["gets"].is_null());
}

#[test]
fn an_unknown_program_is_wrong_usage() {
    let ran = desk().run("check site --as netscape");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("`claude-code`, `codex`, `cursor`"),
        "{}",
        ran.err
    );
}
