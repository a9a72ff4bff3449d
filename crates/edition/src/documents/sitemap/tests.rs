use std::collections::BTreeSet;

use super::*;
use crate::testing::{World, article, text};

/// Every `<loc>` with its `<lastmod>`, and the name of the root.
fn read(xml: &str) -> (String, Vec<(String, String)>) {
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut root, mut rows, mut name) = (String::new(), Vec::new(), String::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                name = start.name().as_ref().to_owned();
                if root.is_empty() {
                    root.clone_from(&name);
                }
                if name == "loc" {
                    rows.push((String::new(), String::new()));
                }
            }
            Event::Text(piece) if name == "loc" => rows.last_mut().unwrap().0.push_str(&piece),
            Event::GeneralRef(piece) if name == "loc" && &*piece == "amp" => {
                rows.last_mut().unwrap().0.push('&')
            }
            Event::Text(piece) if name == "lastmod" => rows.last_mut().unwrap().1.push_str(&piece),
            Event::End(_) => name.clear(),
            Event::Eof => return (root, rows),
            _ => {}
        }
    }
}

#[test]
fn contract_4_canonical_urls_each_with_its_own_date() {
    let world = World::new(vec![
        article("a&b (c)", Some("2024-05-01"), "x"),
        article("größe", Some("2023-05-01"), "x"),
    ]);
    let resources = resources(&world.material(), &Memo::default()).unwrap();
    assert_eq!(resources.len(), 1);
    let (root, rows) = read(&text(&resources[0].body));
    assert_eq!(root, "urlset");
    for (loc, lastmod) in [
        ("https://example.org/", "2023-03-03"),
        ("https://example.org/articles/a&b%20(c).html", "2024-05-01"),
        (
            "https://example.org/articles/gr%C3%B6%C3%9Fe.html",
            "2023-05-01",
        ),
    ] {
        assert!(
            rows.contains(&(loc.to_owned(), lastmod.to_owned())),
            "{loc} in {rows:?}"
        );
    }
    assert!(rows.iter().all(
        |(loc, _)| !loc.ends_with(".md") && !loc.ends_with("/index.html")
            || loc.ends_with("/articles/index.html")
    ));
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
}

#[test]
fn rule_26_a_page_that_says_so_is_not_in_the_sitemap() {
    let mut articles = vec![article("a", None, "x"), article("b", None, "x")];
    articles[0].indexed.sitemap = false;
    let world = World::new(articles);
    let resources = resources(&world.material(), &Memo::default()).unwrap();
    let (_, rows) = read(&text(&resources[0].body));
    let has = |name: &str| rows.iter().any(|(loc, _)| loc.ends_with(name));
    assert_eq!((has("/a.html"), has("/b.html")), (false, true));
}

#[test]
fn contract_1_over_50_000_urls_it_is_an_index() {
    let world = World::many(60_000, 0);
    let resources = resources(&world.material(), &Memo::default()).unwrap();
    let paths: Vec<String> = resources
        .iter()
        .map(|resource| resource.path.to_string())
        .collect();
    assert_eq!(paths, ["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml"]);
    let (root, parts) = read(&text(&resources[0].body));
    assert_eq!(root, "sitemapindex");
    assert_eq!(
        parts
            .iter()
            .map(|(loc, _)| loc.as_str())
            .collect::<Vec<_>>(),
        [
            "https://example.org/sitemap-1.xml",
            "https://example.org/sitemap-2.xml"
        ]
    );
    let mut all = BTreeSet::new();
    for resource in &resources[1..] {
        let (root, rows) = read(&text(&resource.body));
        assert!(root == "urlset" && rows.len() <= 50_000);
        all.extend(rows);
    }
    assert_eq!(all.len(), 60_000 + 5);
}

#[test]
fn contract_1_a_part_stays_below_its_bytes() {
    let world = World::many(2_000, 0);
    let material = world.material();
    let entries: Vec<&Entry<'_>> = material.entries.iter().collect();
    let parts = cut(&entries, &Memo::default(), (URLS, 40_000)).unwrap();
    assert!(
        parts.len() > 5 && parts.iter().all(|part| part.text.len() < 40_000 + 200),
        "{:?}",
        parts.iter().map(|part| part.text.len()).collect::<Vec<_>>()
    );
    let listed = |part: Part| read(&String::from_utf8(part.text).unwrap()).1.len();
    assert_eq!(
        parts.into_iter().map(listed).sum::<usize>(),
        material.entries.len()
    );
}
