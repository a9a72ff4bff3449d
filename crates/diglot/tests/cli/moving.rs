//! `diglot move`: what it keeps of a former site, and the losses that it finds.

pub(crate) mod old;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::Ordering::Relaxed;

use serde_json::Value;

use self::old::{Article, answers, articles, folder, serve, serve_and};
use crate::cli::{Desk, Ran};

/// How many losses are planted, one in each text; there are more texts.
const PLANTED: usize = 100;

/// A desk with the folder of these texts.
fn desk(articles: &[Article]) -> Desk {
    let desk = Desk::new();
    for (path, text) in folder(articles) {
        desk.write(&format!("site/{path}"), &text);
    }
    desk
}

/// The files of the folder without what the command keeps.
fn texts(desk: &Desk) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![desk.path("site")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.ends_with("migration.toml") {
                found.insert(path.display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// The kind and the old address of each loss.
fn losses(ran: &Ran) -> BTreeSet<(String, String)> {
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let losses = report["losses"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    losses
        .map(|loss| (text(&loss["kind"]), text(&loss["old"])))
        .collect()
}

#[test]
fn issue_26_a_faithful_move_loses_nothing_and_keeps_addresses_and_ids() {
    let articles = articles(24);
    let desk = desk(&articles);
    let before = texts(&desk);
    let (url, asked) = serve(answers(&articles), usize::MAX);
    let ran = desk.run(&format!("move {url} site --dry-run --state state"));
    assert!(ran.out.ends_with("nothing is lost\n"), "{ran:?}");
    assert!(
        ran.err.contains("would write 54 redirects and 24 feed ids"),
        "{ran:?}"
    );
    assert!(!desk.path("site/migration.toml").exists());

    let ran = desk.run(&format!("move {url} site --state state"));
    assert!(ran.out.ends_with("nothing is lost\n"), "{ran:?}");
    assert_eq!(ran.status, Some(0));
    assert!(asked.unchanged.load(Relaxed) > 24, "asked by entity tags");
    assert_eq!(texts(&desk), before, "texts stay as they are");
    let kept = desk.read("site/migration.toml");
    let first = &articles[0];
    for line in [
        format!(
            "\"{}\" = \"/articles/{}.html\"",
            first.address(),
            first.slug
        ),
        format!("\"/start/\" = \"/articles/{}.html\"", first.slug),
        format!("\"articles/{}.md\" = \"{}\"", first.slug, first.guid()),
        "\"/category/boats/\" = \"/tags/boats.html\"".to_owned(),
        "\"/page/2/\" = \"/articles/index.html\"".to_owned(),
    ] {
        assert!(kept.contains(&line), "{line}: {kept}");
    }
    let paths = asked.paths.lock().unwrap().clone();
    assert!(
        !paths.contains(&"/private/x/".to_owned()),
        "`robots.txt` is obeyed"
    );

    let ran = desk.run("move --verify site --state state");
    assert_eq!(
        (ran.status, ran.out.ends_with("nothing is lost\n")),
        (Some(0), true),
        "{ran:?}"
    );
    assert_eq!(desk.read("site/migration.toml"), kept);
    let ran = desk.run("build site --no-state --output public");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let feed = desk.read("public/rss.xml");
    assert!(
        feed.contains("<guid isPermaLink=\"false\">https://old.example/?p="),
        "{feed}"
    );
    assert!(!desk.path("public/migration.toml").exists());
}

#[test]
fn a_walk_that_was_stopped_goes_on() {
    let articles = articles(6);
    let desk = desk(&articles);
    let (url, _) = serve(answers(&articles), 14);
    let ran = desk.run(&format!("move {url} site --cache answers --no-state"));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.out.contains("not read: ") && ran.out.contains(": the answer is 500"),
        "{ran:?}"
    );
    // The same address, so that it is the same walk.
    let kept = fs::read_dir(desk.path("answers")).unwrap().count();
    assert!((8..=14).contains(&kept), "{kept} files");
    let ran = desk.run(&format!("move {url} site --cache site/answers --no-state"));
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("is inside the folder of articles"),
        "{ran:?}"
    );
}

#[test]
fn bounds_and_accepted_losses() {
    let articles = articles(6);
    let desk = desk(&articles);
    let (url, _) = serve(answers(&articles), usize::MAX);
    let ran = desk.run(&format!("move {url} site --no-state --limit move-pages=6"));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.out.contains("more pages than `move-pages`"), "{ran:?}");
    desk.run(&format!("move {url} site --no-state"));
    fs::remove_file(desk.path(&format!("site/{}", articles[2].file()))).unwrap();
    let ran = desk.run("move --verify site --no-state");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.ends_with("\n1 loss\n"), "{ran:?}");
    let kept = desk.read("site/migration.toml");
    let accepted = format!(
        "{kept}\n[accepted]\n\"{}\" = [\"gone\"]\n",
        articles[2].address()
    );
    desk.write("site/migration.toml", &accepted);
    let ran = desk.run("move --verify site --no-state");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.out.ends_with("nothing is lost (1 accepted)\n"),
        "{ran:?}"
    );
    desk.write("site/migration.toml", "[redirects]\n\"/a\" = \n");
    let ran = desk.run(&format!("move {url} site --no-state"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("migration.toml:2"), "{ran:?}");
    assert_eq!(desk.read("site/migration.toml"), "[redirects]\n\"/a\" = \n");
}

#[test]
fn what_people_write_during_the_walk_stays() {
    let articles = articles(6);
    let desk = desk(&articles);
    desk.write("site/migration.toml", "# Before.\n");
    let (file, first) = (desk.path("site/migration.toml"), articles[0].address());
    let mine = format!(
        "# Mine.\n\nfrom = \"https://mine.example\"\n\n[redirects] # by hand\n\"{first}\" = \"/articles/{}.html\" # mine\n# Later.\n",
        articles[1].slug
    );
    let (edit, during) = (mine.clone(), first.clone());
    let write = move |path: &str| {
        if path == during {
            fs::write(&file, &edit).unwrap();
        }
    };
    let (url, _) = serve_and(answers(&articles), usize::MAX, write);
    let ran = desk.run(&format!("move {url} site --no-state"));
    let kept = desk.read("site/migration.toml");
    let mut lines = kept.lines();
    for line in mine.lines() {
        assert!(lines.any(|own| own == line), "{line}: {kept}\n{ran:?}");
    }
    assert!(kept.contains("\n[ids]\n") && !kept.contains(&url), "{kept}");
    assert_eq!(
        kept.matches(&format!("\"{first}\" = ")).count(),
        1,
        "{kept}"
    );
    let ran = desk.run(&format!("move {url} site --no-state"));
    assert!(
        ran.err
            .contains("`https://mine.example` as the former site, and this line stays"),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn the_file_of_a_moved_site_is_read_by_others_and_an_unreadable_one_stops_the_build() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let articles = articles(3);
    let desk = desk(&articles);
    let (url, _) = serve(answers(&articles), usize::MAX);
    desk.write("site/kept/moved.toml", "# Mine.\n");
    symlink("kept/moved.toml", desk.path("site/migration.toml")).unwrap();
    let mode = fs::Permissions::from_mode(0o664);
    fs::set_permissions(desk.path("site/kept/moved.toml"), mode).unwrap();
    desk.run(&format!("move {url} site --no-state"));
    assert!(desk.path("site/migration.toml").is_symlink());
    let kept = desk.read("site/kept/moved.toml");
    assert!(
        kept.starts_with("# Mine.\n") && kept.contains("[redirects]"),
        "{kept}"
    );
    let meta = fs::metadata(desk.path("site/kept/moved.toml")).unwrap();
    assert_eq!(meta.permissions().mode() & 0o777, 0o664);

    fs::remove_file(desk.path("site/migration.toml")).unwrap();
    symlink("nowhere.toml", desk.path("site/migration.toml")).unwrap();
    let ran = desk.run("build site --no-state --output public --base-url https://a.example");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.err.contains(
            "migration.toml: error: the redirects and feed ids cannot be read: broken symbolic link"
        ),
        "{ran:?}"
    );
    assert!(!desk.path("public").exists());
}

/// Removes or changes one thing of a text, and returns the kind of the loss.
fn plant(desk: &Desk, article: &Article, all: &[Article]) -> &'static str {
    let file = format!("site/{}", article.file());
    let replace = |path: &str, from: &str, to: &str| {
        let text = desk.read(path);
        assert!(text.contains(from), "{path}: {from}");
        desk.write(path, &text.replacen(from, to, 1));
    };
    let edit = |from: &str, to: &str| replace(&file, from, to);
    let kept = |from: &str, to: &str| replace("site/migration.toml", from, to);
    let remove = |path: String| fs::remove_file(desk.path(&path)).unwrap();
    let (number, [first, second, third]) = (article.number, &article.headings);
    let redirect = format!(
        "\"{}\" = \"/articles/{}.html\"\n",
        article.address(),
        article.slug
    );
    match number % 20 {
        0 => remove(file.clone()),
        1 => edit("\n---\n\n", "\ndraft: true\n---\n\n"),
        2 | 3 => edit("\ndate: 20", "\ndate: 19"),
        4 => edit(&format!("![Boat {number}](/img/boat-{number}.png)\n\n"), ""),
        5 => remove(format!("site/static/img/boat-{number}.png")),
        6 | 7 => {
            edit(&format!("## {first}\n"), "## (first)\n");
            edit(&format!("## {second}\n"), &format!("## {first}\n"));
            edit("## (first)\n", &format!("## {second}\n"));
        }
        8 => edit(&format!("### {third}\n\n"), ""),
        9 => edit(&format!("## {second}\n\n"), ""),
        10 => edit(&format!("{}\n\n", article.paragraph(3)), ""),
        11 => edit(&article.paragraphs[1][1], ""),
        12 => edit(&format!("* {}\n", article.items[2]), ""),
        13 => edit(&format!("{}\n", article.code[1]), ""),
        14 => edit(
            &format!("| {} | {} |\n", article.cells[0], article.cells[1]),
            "",
        ),
        15 => edit(&format!("title: {}", article.title), "title: Another name"),
        16 => kept(&redirect, ""),
        17 => {
            let other = &all[(number + 1) % all.len()].slug;
            kept(
                &redirect,
                &redirect.replace(
                    &format!("/{}.html", article.slug),
                    &format!("/{other}.html"),
                ),
            );
        }
        18 => kept(
            &format!("\"{}\" = \"{}\"\n", article.file(), article.guid()),
            "",
        ),
        _ => remove(format!("site/static/files/map-{number}.pdf")),
    }
    const KINDS: [&str; 20] = [
        "gone", "gone", "date", "date", "image", "image", "heading", "heading", "heading",
        "heading", "words", "words", "words", "words", "words", "title", "address", "target", "id",
        "file",
    ];
    KINDS[number % 20]
}

#[test]
fn issue_26_each_of_100_planted_losses_is_found_and_no_other() {
    let articles = articles(PLANTED + 12);
    let desk = desk(&articles);
    let (url, _) = serve(answers(&articles), usize::MAX);
    let ran = desk.run(&format!("move {url} site --no-state --json"));
    assert_eq!((losses(&ran), ran.status), (BTreeSet::new(), Some(0)));
    let planted: BTreeSet<_> = articles[..PLANTED]
        .iter()
        .map(|article| {
            let kind = plant(&desk, article, &articles).to_owned();
            let path = match kind.as_str() {
                "file" => format!("/wp-content/uploads/map-{}.pdf", article.number),
                _ => article.address(),
            };
            (kind, path)
        })
        .collect();
    assert_eq!(planted.len(), PLANTED);
    let before = (texts(&desk), desk.read("site/migration.toml"));
    let ran = desk.run("move --verify site --no-state --json");
    assert_eq!(ran.status, Some(1));
    let found = losses(&ran);
    let missed: Vec<_> = planted.difference(&found).collect();
    let wrong: Vec<_> = found.difference(&planted).collect();
    assert!(
        missed.is_empty() && wrong.is_empty(),
        "missed: {missed:#?}\nwrong: {wrong:#?}\n{}",
        ran.out
    );
    assert_eq!((texts(&desk), desk.read("site/migration.toml")), before);
}
