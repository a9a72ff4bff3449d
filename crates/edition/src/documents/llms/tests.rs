use std::collections::BTreeSet;

use diglot_content::Article;
use diglot_content::library::LlmsPlace;

use super::*;
use crate::byte_store::Heap;
use crate::documents::llms_full;
use crate::documents::sitemap_md;
use crate::testing::{World, article, day, text};

fn made(world: &World) -> Vec<(String, String)> {
    let material = world.material();
    let index = Index::new(&material);
    resources(&material, &index, &Memo::default())
        .resources
        .iter()
        .map(|resource| (resource.path.to_string(), text(&resource.body)))
        .collect()
}

/// The `(title, url, rest)` of every entry, in order.
fn entries(text: &str) -> Vec<(String, String, String)> {
    let entry = |line: &str| {
        let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
        let (url, rest) = if let Some(rest) = rest.strip_prefix('<') {
            rest.split_once(">)")?
        } else {
            rest.split_once(')')?
        };
        Some((title.to_owned(), url.to_owned(), rest.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

/// Checks the form that the contract requires: H1, quotation, a paragraph, then only H2 sections of
/// entries with summaries.
fn check_form(path: &str, text: &str) {
    let (head, lists) = text
        .split_once("\n## ")
        .unwrap_or_else(|| panic!("{path} has no section: {text}"));
    let blocks: Vec<&str> = head
        .split("\n\n")
        .filter(|block| !block.trim().is_empty())
        .collect();
    assert!(
        blocks[0].starts_with("# ") && blocks[1].starts_with("> "),
        "{path}: {head}"
    );
    assert!(
        path != "/llms.txt" || (blocks.len() > 2 && !blocks[2].starts_with(['#', '>', '-'])),
        "{path}: {head}"
    );
    for line in lists
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty() && !line.starts_with("## "))
    {
        let (_, url, rest) = entries(line)
            .pop()
            .unwrap_or_else(|| panic!("{path}: {line}"));
        assert!(
            url.starts_with("https://example.org/")
                && (url.ends_with(".md") || url.ends_with(".txt")),
            "{path}: {line}"
        );
        assert!(
            rest.strip_prefix(": ")
                .is_some_and(|summary| !summary.trim().is_empty()),
            "{path}: {line}"
        );
    }
}

/// Every entry of the parts, in reading order.
fn followed(files: &[(String, String)]) -> Vec<String> {
    let part = |url: &str| {
        files
            .iter()
            .find(|(path, _)| url == format!("https://example.org{path}"))
            .map(|(_, text)| text)
    };
    let mut all = Vec::new();
    for (_, url, _) in entries(&files[0].1) {
        match part(&url) {
            Some(text) => all.extend(entries(text).into_iter().map(|(_, url, _)| url)),
            None => all.push(url),
        }
    }
    all
}

fn check_whole(world: &World, files: &[(String, String)]) {
    for (path, text) in files {
        check_form(path, text);
        assert!(
            text.chars().count() < LIMIT,
            "{path} has {} characters",
            text.chars().count()
        );
    }
    let all = followed(files);
    assert_eq!(
        all.iter().collect::<BTreeSet<_>>().len(),
        all.len(),
        "nothing twice"
    );
    let named: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    for article in &world.articles {
        let url = format!("https://example.org{}.md", article.stem);
        assert!(named.contains(url.as_str()), "{url}");
    }
}

#[test]
fn contract_4_a_small_site_is_one_file_with_whole_summaries() {
    let world = World::new(vec![
        article("a", Some("2024-01-01"), ""),
        article("b", Some("2023-01-01"), ""),
    ]);
    let files = made(&world);
    assert_eq!(files.len(), 1);
    check_whole(&world, &files);
    assert!(files[0].1.contains("\n## 2024\n\n- [About a](https://example.org/articles/a.md): What there is to say about a.\n"), "{}", files[0].1);
    assert!(files[0].1.contains("\n## Pages\n"));
    assert!(files[0].1.ends_with("\n## Optional\n\n- [A fixed page](https://example.org/tags/ships.md): A page of Notes & Queries.\n"));
}

#[test]
fn contract_4_summaries_are_shortened_first() {
    let world = World::many(250, 280);
    let files = made(&world);
    assert_eq!(files.len(), 1);
    check_whole(&world, &files);
    assert!(files[0].1.contains("word…\n"));
}

#[test]
fn contract_4_then_sections_become_parts() {
    for count in [700, 1_500, 60_000] {
        let world = World::many(count, 200);
        let files = made(&world);
        assert!(files.len() > 2, "{count}");
        check_whole(&world, &files);
        assert!(
            files[1].1.contains("word word\n"),
            "summaries are whole again"
        );
        assert!(files.len() <= 401, "{} parts of {count}", files.len());
    }
}

#[test]
fn contract_4_past_400_parts_they_grow_and_then_the_oldest_are_left_out() {
    let world = World::many(3_000, 200);
    let material = world.material();
    let index = Index::new(&material);
    let lists = lists(&material, &index, &Memo::default());
    // Room for few links simulates a site a hundred times as large.
    let split = parts::split(&material, &lists, 900);
    assert!(split.dropped > 0);
    assert!(
        split
            .parts
            .iter()
            .map(|part| part.link.chars().count())
            .sum::<usize>()
            < 900
    );
    assert!(
        split.parts[0].link.contains("2026"),
        "the newest stay: {}",
        split.parts[0].link
    );
    assert!(
        split.parts.iter().all(|part| !part.link.contains("[2015")),
        "{:?}",
        split
            .parts
            .iter()
            .map(|part| &part.link)
            .collect::<Vec<_>>()
    );
}

#[test]
fn sections_are_languages_else_folders_else_years() {
    let titles = |articles: Vec<Article>| {
        let world = World::new(articles);
        let material = world.material();
        Index::new(&material)
            .sections
            .iter()
            .map(|section| section.title.clone())
            .collect::<Vec<_>>()
    };
    let dated = |slug: &str, year: u16| article(slug, Some(&format!("{year}-01-01")), "");
    assert_eq!(
        titles(vec![
            dated("a", 2024),
            dated("b", 2023),
            article("c", None, "")
        ]),
        ["2024", "2023", "Undated"]
    );
    assert_eq!(
        titles(vec![
            dated("x/a", 2024),
            dated("x/b", 2023),
            dated("y/a", 2024),
            dated("y/b", 2024)
        ]),
        ["X", "Y"]
    );
    let guide = Article {
        title: "The guide".into(),
        ..dated("01-guide", 2024)
    };
    let numbered = vec![
        guide,
        dated("01-guide/a", 2024),
        dated("02-how_to/b", 2023),
        dated("02-how_to/c", 2023),
        dated("v1.2/b", 2023),
        dated("v1.2/c", 2023),
    ];
    assert_eq!(
        titles(numbered),
        ["The guide", "How to", "v1.2"],
        "a section has its index's title, else its folder's name in words"
    );
    let french = Article {
        language: "fr".into(),
        ..dated("x/f", 2024)
    };
    assert_eq!(
        titles(vec![french, dated("x/a", 2024), dated("y/b", 2023)]),
        ["English", "Français"]
    );
    assert_eq!(
        titles(vec![dated("a", 2024), dated("b", 2024)]),
        ["Articles"]
    );
    assert_eq!(titles(vec![]), Vec::<String>::new());
}

#[test]
fn contract_4_optional_and_left_out_articles() {
    let optional = Article {
        llms: LlmsPlace::Optional,
        ..article("optional", Some("2024-01-01"), "")
    };
    let out = Article {
        llms: LlmsPlace::Out,
        ..article("out", Some("2024-01-01"), "")
    };
    let world = World::new(vec![
        optional,
        out,
        article("plain", Some("2024-01-01"), ""),
    ]);
    let text = &made(&world)[0].1;
    let (before, after) = text.split_once("\n## Optional\n").unwrap();
    assert!(
        before.contains("plain.md") && after.contains("optional.md") && !text.contains("out.md")
    );
}

#[test]
fn content_23_the_size_of_a_large_article_stands_beside_it() {
    let world = World::new(vec![article("large", Some("2024-01-01"), "")]);
    let mut material = world.material();
    material
        .entries
        .iter_mut()
        .filter(|entry| entry.is_article())
        .for_each(|entry| entry.size = 558_000);
    let index = Index::new(&material);
    assert!(
        text(&resources(&material, &index, &Memo::default()).resources[0].body)
            .contains("large.md): (558 kB) What there is")
    );
}

#[test]
fn contract_4_the_index_the_merged_text_and_the_sitemap_agree() {
    let mut articles: Vec<Article> = (0..40)
        .map(|number| {
            article(
                &format!("s{number}"),
                Some(&format!("20{}-02-03", 10 + number % 5)),
                "",
            )
        })
        .collect();
    articles[7].llms = LlmsPlace::Optional;
    for article in &mut articles {
        article.updated = day("2025-01-01");
    }
    let world = World::new(articles);
    let material = world.material();
    let index = Index::new(&material);
    let order: Vec<String> = followed(&made(&world))
        .into_iter()
        .filter(|url| url.contains("/articles/s"))
        .collect();
    let merged = text(&llms_full::resource(&material, &index, (&Memo::default(), &Heap)).body);
    let places: Vec<usize> = order
        .iter()
        .map(|url| {
            merged
                .find(&format!("<{}.html>", url.trim_end_matches(".md")))
                .unwrap_or_else(|| panic!("{url}"))
        })
        .collect();
    assert!(places.is_sorted() && places.len() == 40);
    let map = text(&sitemap_md::resource(&material, &index, &Memo::default()).body);
    for entry in &material.entries {
        let line = format!("({}) `{}`", entry.url(), entry.markdown_path());
        assert_eq!(map.matches(&line).count(), 1, "{line}");
    }
    assert_eq!(map.lines().filter(|line| line.starts_with("# ")).count(), 1);
}

#[test]
fn a_folder_that_looks_like_a_part_has_a_name_of_its_own() {
    let mut articles = Vec::new();
    for number in 0..600 {
        articles.push(article(&format!("2024/x{number}"), Some("2024-01-01"), ""));
        articles.push(article(
            &format!("2024-1/y{number}"),
            Some("2024-01-01"),
            "",
        ));
    }
    let mut world = World::new(articles);
    world
        .articles
        .iter_mut()
        .for_each(|article| article.summary = "word ".repeat(40).into());
    let files = made(&world);
    assert_eq!(
        files
            .iter()
            .map(|(path, _)| path.to_lowercase())
            .collect::<BTreeSet<_>>()
            .len(),
        files.len()
    );
    check_whole(&world, &files);
}

#[test]
fn titles_cannot_break_a_line() {
    let mut hostile = article("x(y)", Some("2024-01-01"), "");
    hostile.title = "a](https://evil.example) [b\n# c".into();
    hostile.summary = "two\nlines\u{2028}# three".into();
    let world = World::new(vec![hostile]);
    let files = made(&world);
    check_form("/llms.txt", &files[0].1);
    assert!(
        files[0].1.contains(r"- [a\]\(https://evil.example) \[b # c](<https://example.org/articles/x(y).md>): two lines # three"),
        "{}",
        files[0].1
    );
}

#[test]
fn parts_are_named_by_what_is_in_them() {
    let tools = ["common", "linux"].into_iter().flat_map(|folder| {
        let letters = 'a'..='z';
        letters.flat_map(move |letter| {
            (0..20).map(move |number| format!("{folder}/{letter}{number:02}"))
        })
    });
    let mut articles: Vec<Article> = tools.map(|slug| article(&slug, None, "")).collect();
    for article in &mut articles {
        article.summary = "word ".repeat(40).into();
    }
    articles.push(Article {
        language: "fr".into(),
        ..article("fr/un", None, "")
    });
    let world = World::new(articles);
    let files = made(&world);
    check_whole(&world, &files);
    let titles: Vec<String> = entries(&files[0].1)
        .into_iter()
        .filter(|(_, url, _)| url.contains("/llms/"))
        .map(|(title, ..)| title)
        .collect();
    assert!(
        titles[0].starts_with("English: Common, a to "),
        "{titles:?}"
    );
    assert!(
        titles.iter().any(|title| title.contains(" to Linux, ")),
        "{titles:?}"
    );
    assert!(titles.contains(&"Français".to_owned()), "{titles:?}");
    assert_eq!(
        titles.iter().collect::<BTreeSet<_>>().len(),
        titles.len(),
        "{titles:?}"
    );
    assert!(
        titles.iter().all(|title| !title.contains("part ")),
        "{titles:?}"
    );
}

#[test]
fn parts_of_a_guide_are_named_by_its_sections() {
    let mut tree = diglot_content::tree::Builder::default();
    let mut articles = Vec::new();
    tree.open("Reference", diglot_content::tree::Leads::Nowhere);
    for section in ["Hooks", "Components", "Directives"] {
        tree.open(section, diglot_content::tree::Leads::Nowhere);
        for number in 0..400 {
            let mut text = article(&format!("{}{number}", section.to_lowercase()), None, "");
            text.summary = "word ".repeat(40).into();
            text.title = format!("{section} {number}").into();
            tree.open(
                &*text.title,
                diglot_content::tree::Leads::Text(text.stem.clone()),
            );
            tree.close();
            articles.push(text);
        }
        tree.close();
    }
    let trees = [tree.finish("en")];
    let world = World::new(articles);
    let material = Material {
        trees: &trees,
        ..world.material()
    };
    let index = Index::new(&material);
    let made = resources(&material, &index, &Memo::default()).resources;
    let whole = text(&made[0].body);
    let named = |part: &str| assert!(whole.contains(part), "no {part} in {whole}");
    named("[Reference: Hooks, Hooks 0 to Hooks ");
    named(" to Components, Components ");
    named(" to Directives, Directives ");
}
