//! Documents small enough to compare whole.

use serde_json::Value;

use super::*;
use crate::byte_store::Heap;
use crate::resource::Digest;
use crate::testing::{World, article, text};

fn world() -> World {
    World::new(vec![
        article("a", Some("2024-05-01"), "x"),
        article("b", Some("2023-05-01"), "x"),
    ])
}

#[test]
fn contract_4_status_has_its_members() {
    let world = world();
    let material = world.material();
    let status: Value = serde_json::from_str(&text(
        &status::resource(&material, (Digest([7; 16]), Digest([8; 16])), false).body,
    ))
    .unwrap();
    assert_eq!(status["status"], "warn");
    assert_eq!(status["version"], "1.0.0");
    assert_eq!(status["releaseId"], "07070707070707070707070707070707");
    assert_eq!(status["serviceId"], "https://example.org");
    assert_eq!(status["articles"], 2);
    assert_eq!(status["updated"], "2024-05-01");
    assert_eq!(status["links"]["self"], "https://example.org/status.json");
    assert_eq!(status["links"]["home"], "https://example.org/");
}

#[test]
fn contract_4_the_catalog_is_a_linkset() {
    let world = world();
    let catalog = api_catalog::resource(&world.material());
    assert_eq!(
        catalog.link_text(),
        Some("<https://example.org/.well-known/api-catalog>; rel=\"api-catalog\"")
    );
    let document: Value = serde_json::from_str(&text(&catalog.body)).unwrap();
    let mut relations = Vec::new();
    for context in document["linkset"].as_array().unwrap() {
        for (relation, targets) in context.as_object().unwrap() {
            if relation == "anchor" {
                assert!(
                    targets
                        .as_str()
                        .unwrap()
                        .starts_with("https://example.org/")
                );
                continue;
            }
            relations.push(relation.as_str());
            let absolute = |target: &Value| {
                target["href"]
                    .as_str()
                    .unwrap()
                    .starts_with("https://example.org/")
            };
            assert!(
                targets.as_array().unwrap().iter().all(absolute),
                "{relation}"
            );
        }
    }
    assert_eq!(
        relations,
        [
            "item",
            "service-desc",
            "service-doc",
            "status",
            "terms-of-service",
            "search",
            "index",
            "version-history"
        ]
    );
}

#[test]
fn contract_4_robots_says_the_signal_in_its_group_and_what_it_means() {
    let mut world = world();
    world.site.signals.search = false;
    let robots = text(&robots::resource(&world.material()).body);
    assert!(
        robots.contains(
            "\nUser-agent: *\nContent-Signal: search=no, ai-input=yes, ai-train=no\nAllow: /\n\nSitemap: https://example.org/sitemap.xml\n"
        )
    );
    for words in ["search ", "ai-input ", "ai-train ", "Article 4", "2019/790"] {
        assert!(
            robots
                .lines()
                .any(|line| line.starts_with('#') && line.contains(words)),
            "{words}"
        );
    }
}

#[test]
fn contract_4_merged_articles_stand_behind_title_address_and_date() {
    let world = world();
    let material = world.material();
    let index = sections::Index::new(&material);
    let merged = llms_full::resource(&material, &index, (&Memo::default(), &Heap));
    let whole = text(&merged.body);
    assert!(
        whole.starts_with("# Notes & Queries\n\n> A small publication"),
        "{whole}"
    );
    let a = "\n\n# About a\n\nURL: <https://example.org/articles/a.html>\nDate: 2024-05-01\nUpdated: 2024-05-01\n\nThe words of /articles/a.\n\n# About b\n";
    assert!(whole.contains(a), "{whole}");
    assert!(whole.ends_with("The words of /articles/b.\n"));
    let is_twin = |slice: &[u8]| world.words.iter().any(|words| **words == *slice);
    let of = |slice: &Bytes| {
        if is_twin(slice) {
            crate::testing::twin(slice)
        } else {
            Digest::hash(slice)
        }
    };
    let parts =
        std::iter::once(Digest::hash(b"merged 2")).chain(merged.body.slices().iter().map(of));
    assert_eq!(
        merged.digest,
        Digest::hash_parts(parts),
        "of the twins, and of what stands between, in order"
    );
}

#[test]
fn lists_are_as_new_as_their_newest_member() {
    let world = world();
    let material = world.material();
    let index = sections::Index::new(&material);
    assert_eq!(material.newest.iso(), "2024-05-01");
    let newest = material.newest.at;
    assert_eq!(
        rss::resources(&material, (&rss::Items::default(), &Heap)).unwrap()[0].modified,
        newest
    );
    assert_eq!(
        llms_full::resource(&material, &index, (&Memo::default(), &Heap)).modified,
        newest
    );
    assert_eq!(
        sitemap_md::resource(&material, &index, &Memo::default()).modified,
        newest
    );
}
