//! Links whose target has no page of its own.

use super::*;

/// The texts of a folder, and its problems.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    let mut shown: Vec<String> = Vec::new();
    for article in library.articles.iter() {
        if article.source.ends_with("links.md") {
            shown.push(twin(&library, &article.stem).replace("https://example.org", ""));
        }
    }
    shown.extend(
        library
            .problems
            .iter()
            .map(|problem| problem.message.clone()),
    );
    assert_eq!(shown, expected);
}

#[test]
fn rule_38_a_missing_translation_leads_to_the_default_language() {
    check(
        &[
            (
                "hugo.toml",
                "defaultContentLanguage = 'en'\n[languages.en]\n[languages.ru]\n",
            ),
            ("content/en/reference/x.md", "A."),
            ("content/en/reference/p.png", "x"),
            ("content/en/guide/links.md", "[a](/ru/reference/x/)"),
            (
                "content/ru/guide/links.md",
                "[a](/ru/reference/x/) [b](../reference/x.md) [c](../../reference/x/) ![d](../reference/p.png) [e](/ru/none/)",
            ),
        ],
        &[
            "[a](/articles/en/reference/x.md)",
            "[a](/articles/en/reference/x.md) [b](/articles/en/reference/x.md) [c](/articles/en/reference/x.md) ![d](/articles/en/reference/p.png) e",
            "broken link: `/ru/none/`",
        ],
    );
    check(
        &[
            ("docs/a.md", "A."),
            ("docs/b.md", "A."),
            ("docs/links.md", "A."),
            ("docs/de/b.md", "A."),
            (
                "docs/de/links.md",
                "[a](a.md) [b](b.md) [c](/de/a/) [d](../a/)",
            ),
            ("mkdocs.yml", "site_name: A\n"),
        ],
        &[
            "[a](/articles/a.md) [b](/articles/de/b.md) [c](/articles/a.md) [d](/articles/a.md)",
            "A.",
        ],
    );
    check(
        &[
            ("pages/a.md", "A."),
            ("pages/c.md", "A."),
            ("pages.de/c.md", "A."),
            ("pages/links.md", "A."),
            ("pages.de/links.md", "[a](a.md) [b](../pages.de/a.md)"),
        ],
        &["[a](/articles/pages/a.md) [b](/articles/pages/a.md)", "A."],
    );
}

#[test]
fn rule_48_links_to_lists_lead_to_lists() {
    check(
        &[
            ("hugo.toml", "baseURL = 'https://old.example'"),
            (
                "content/topics/accessibility/_index.md",
                "---\ntitle: A\n---\n",
            ),
            (
                "content/news/a.md",
                "---\ntopics: [Accessibility, Web Design]\ndate: 2020-01-02\n---\nA.",
            ),
            ("content/guide/b.md", "B."),
            (
                "content/links.md",
                "[a](/topics/accessibility/) [b](/tags/web-design) [c](/categories/Web%20Design/) [d](/news/) [e](/blog/) [f](/2020/) [g](/topics/none/) [h](https://old.example/topics/accessibility/) [i](https://old.example/none/) [j](/none/) [k](../guide/)",
            ),
        ],
        &[
            "[a](/tags/Accessibility.md) [b](/tags/Web-Design.md) [c](/tags/Web-Design.md) [d](/sections/news.md) [e](/articles/index.md) [f](/years/2020.md) g [h](/tags/Accessibility.md) [i](https://old.example/none/) j [k](/sections/guide.md)",
            "broken link: `/topics/none/`",
            "broken link: `/none/`",
        ],
    );
}

#[test]
fn rule_48_a_section_in_a_language_leads_to_its_page() {
    check(
        &[
            (
                "hugo.toml",
                "defaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n",
            ),
            ("content/en/modules/_index.md", "---\ntitle: A\n---\n"),
            ("content/en/modules/a.md", "A."),
            ("content/en/links.md", "[a](/modules/) [b](../modules/)"),
        ],
        &["[a](/sections/a.md) [b](/sections/a.md)"],
    );
}

#[test]
fn rule_47_files_keep_no_root_in_their_address() {
    let library = build(&[
        ("_config.yml", ""),
        (
            "source/_posts/links.md",
            "![a](/logo.svg) ![b](../logo.svg) ![c](/img/x.png)",
        ),
        ("source/logo.svg", "x"),
        ("source/img/x.png", "x"),
    ]);
    let files: Vec<&str> = library.files.iter().map(|file| &*file.path).collect();
    assert_eq!(files, ["/img/x.png", "/logo.svg"]);
    assert_eq!(
        twin(&library, "/articles/links").replace("https://example.org", ""),
        "![a](/logo.svg) ![b](/logo.svg) ![c](/img/x.png)"
    );
}
