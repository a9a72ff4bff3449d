//! Links to pages that Diglot writes itself.

use super::*;

const TEXT: &str = "---\ndate: 2024-01-02\ntags: [rust]\n---\nText";

/// The targets and problems of one text in a journal with sections.
fn check(links: &str, site: &Site, expected: &str) {
    let text = format!("---\ndate: 2024-01-01\n---\n{links}");
    let german = "---\ndate: 2024-01-02\nlang: de\n---\nText";
    let files = [
        ("articles/a.md", text.as_str()),
        ("articles/news/a.md", TEXT),
        ("articles/news/b.md", TEXT),
        ("articles/tech/a.md", TEXT),
        ("articles/tech/b.md", german),
    ];
    let library = Library::build(&sources(&files), site, NOW.parse().unwrap());
    let rendering = |article: &Article| {
        let targets = article.targets.iter();
        let shown = targets.map(|target| match target {
            Target::Page { stem, .. } => stem.to_string(),
            Target::File { path, suffix, .. } => format!("{path}{suffix}"),
            other => format!("{other:?}"),
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    let own = library
        .articles
        .iter()
        .find(|text| &*text.stem == "/articles/a");
    let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let problems = library
        .problems
        .iter()
        .map(|problem| first(problem.to_string()));
    let shown: Vec<String> = std::iter::once(rendering(own.unwrap()))
        .chain(problems)
        .collect();
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn links_to_generated_pages_are_no_problem() {
    check(
        "[a](/languages/de.html) [b](/tags/rust.md) [c](/sections/news.html) [d](/search.html?q=a+b) \
         [e](/search) [f](../sections/tech.html) [g](https://example.org/languages/de/) \
         [h](/tags/rust.rss) [i](/sections/news.rss) [j](/opensearch.xml) [k](/languages/de.rss) \
         [l](/changes.json) [m](/changes.md) [n](/changes/all.json)",
        &site(),
        "/languages/de /tags/rust /sections/news /search.html?q=a+b /search /sections/tech /languages/de \
         /tags/rust.rss /sections/news.rss /opensearch.xml /languages/de.rss \
         /changes.json /changes.md /changes/all.json",
    );
}

#[test]
fn links_to_lists_that_do_not_exist_are_a_problem() {
    check(
        "[a](/languages/en.html) [b](/sections/none.html) [c](/sections/none.rss)",
        &site(),
        "Unresolved Unresolved Unresolved\n\
         articles/a.md:4:1: warning: broken link: `/languages/en.html`\n\
         articles/a.md:4:25: warning: broken link: `/sections/none.html`\n\
         articles/a.md:4:50: warning: broken link: `/sections/none.rss`",
    );
    let silent = Site {
        search: false,
        ..site()
    };
    check(
        "[a](/search.html)",
        &silent,
        "Unresolved\narticles/a.md:4:1: warning: broken link: `/search.html`",
    );
}

#[test]
fn links_to_the_sections_of_a_guide_follow_its_order() {
    let library = build(&[
        (
            "SUMMARY.md",
            "# Summary\n\n- [One](one.md)\n- [Part]()\n  - [Two](two.md)\n  - [Three](three.md)\n",
        ),
        ("book.toml", "[book]\ntitle = \"B\"\nsrc = \".\"\n"),
        (
            "one.md",
            "# One\n\n[a](/sections/part.html) [b](/sections/gone.html)",
        ),
        ("two.md", "# Two\n\nText"),
        ("three.md", "# Three\n\nText"),
    ]);
    let own = library
        .articles
        .iter()
        .find(|text| &*text.title == "One")
        .unwrap();
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(matches!(&own.targets[0], Target::Page { stem, .. } if &**stem == "/sections/part"));
    assert_eq!(own.targets[1], Target::Unresolved);
    assert!(
        problems
            .iter()
            .any(|text| text.contains("broken link: `/sections/gone.html`")),
        "{problems:?}"
    );
}
