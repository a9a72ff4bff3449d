//! Rule 26: where the projects of a repository have their texts.

use super::*;

/// `source stem language` of all texts, the paths of all files.
fn published(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let texts = texts.map(|text| format!("{} {} {}", text.source, text.stem, text.language));
    let mut all: Vec<String> = texts.collect();
    all.extend(library.files.iter().map(|file| file.path.to_string()));
    all.sort();
    all
}

fn old(library: &Library) -> Vec<String> {
    let all = library.redirects.iter();
    all.map(|(old, new)| format!("{old} {new}")).collect()
}

fn problems(library: &Library) -> Vec<String> {
    library.problems.iter().map(ToString::to_string).collect()
}

const LANGUAGES: &[(&str, &str)] = &[
    (
        "docs/en/mkdocs.yml",
        "site_name: Boats\nnav:\n- index.md\n- Second: b.md\n- a.md\n",
    ),
    ("docs/de/mkdocs.yml", "INHERIT: ../en/mkdocs.yml\n"),
    ("docs/en/docs/index.md", "# Boats\n\nWords.\n"),
    (
        "docs/en/docs/a.md",
        "# A\n\nWords.\n\n{* ../../src/a.py ln[1:2] hl[1] title[\"app.py\"] *}\n",
    ),
    ("docs/en/docs/b.md", "# B\n\n![B](/img/b.png)\n"),
    ("docs/en/docs/img/b.png", "x"),
    ("docs/en/overrides/main.html", "{% block x %}CANARY"),
    (
        "docs/de/docs/a.md",
        "# Ah\n\nWorte, siehe [B](b.md).\n\n![B](/img/b.png)\n\n```\n{!../../src/a.py!}\n```\n",
    ),
    ("docs/de/llm-prompt.md", "CANARY"),
    ("docs/names.yml", "en: English"),
    ("src/a.py", "one\ntwo\nthree\n"),
    ("src/notes.md", "CANARY"),
];

#[test]
fn rule_26_one_mkdocs_project_for_each_language_is_one_site() {
    let library = build(LANGUAGES);
    assert_eq!(
        published(&library),
        [
            "/articles/img/b.png",
            "docs/de/docs/a.md /articles/de/a de",
            "docs/en/docs/a.md /articles/a en",
            "docs/en/docs/b.md /articles/b en",
            "docs/en/docs/index.md /index en",
        ]
    );
    assert_eq!(problems(&library), [""; 0]);
    for line in ["/a/ /articles/a", "/de/a/ /articles/de/a"] {
        assert!(old(&library).contains(&line.to_owned()), "{line}");
    }
}

#[test]
fn rule_12_a_project_of_one_language_includes_files_from_its_own_folder() {
    let library = build(LANGUAGES);
    assert_eq!(
        twin(&library, "/articles/a"),
        "Words.\n\n**app.py:**\n\n```py\none\ntwo\n```"
    );
    let german = twin(&library, "/articles/de/a");
    assert!(german.contains("one\ntwo\nthree"), "{german}");
    assert!(
        german.contains("(https://example.org/articles/b.md)"),
        "{german}"
    );
}

#[test]
fn rule_26_a_docusaurus_site_takes_its_documents_from_a_folder_beside_it() {
    let library = build(&[
        (
            "website/docusaurus.config.js",
            "module.exports = { title: 'Boats', presets: [['classic', { docs: { path: '../docs', routeBasePath: '/', sidebarPath: require.resolve('./menu.js') } }]] };",
        ),
        ("website/menu.js", "module.exports = { all: ['b', 'a'] };"),
        ("docs/a.md", "# A\n\nWords.\n"),
        ("docs/b.md", "# B\n\n![](/img/x.svg)\n"),
        ("website/blog/2024-01-02-post.md", "# Post\n\nWords.\n"),
        ("website/src/pages/about.md", "# About\n\nWords.\n"),
        ("website/static/img/x.svg", "<svg/>"),
        ("website/README.md", "# CANARY\n\nWords.\n"),
        ("src/notes.md", "# CANARY\n\nWords.\n"),
    ]);
    assert_eq!(
        published(&library),
        [
            "/img/x.svg",
            "docs/a.md /articles/a en",
            "docs/b.md /articles/b en",
            "website/blog/2024-01-02-post.md /articles/website/blog/2024-01-02-post en",
            "website/src/pages/about.md /about en",
        ]
    );
    assert_eq!(problems(&library), [""; 0]);
    assert_eq!(super::order::drawn(&library)[..2], ["B /b", "A /a"]);
    for line in [
        "/a /articles/a",
        "/blog/2024/01/02/post /articles/website/blog/2024-01-02-post",
    ] {
        assert!(
            old(&library).contains(&line.to_owned()),
            "{line} {:?}",
            old(&library)
        );
    }
}

const INSTANCES: &[(&str, &str)] = &[
    (
        "docusaurus.config.js",
        "module.exports = { title: 'Boats', i18n: { defaultLocale: 'en', locales: ['en', 'de'] }, plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: 'api', routeBasePath: 'reference', sidebarPath: './api.js' }]] };",
    ),
    ("docs/a.md", "# A\n\nWords.\n"),
    ("sidebars.js", "module.exports = { all: ['a'] };"),
    ("api_versions.json", "[\"2.0\", \"1.0\"]"),
    ("api/x.md", "# Next\n\nWords.\n"),
    ("api_versioned_docs/version-2.0/x.md", "# X\n\nWords.\n"),
    ("api_versioned_docs/version-2.0/w.md", "# W\n\nWords.\n"),
    ("api_versioned_docs/version-1.0/x.md", "# X 1\n\nWords.\n"),
    (
        "api_versioned_sidebars/version-2.0-sidebars.json",
        "{\"all\": [\"x\", \"w\"]}",
    ),
    (
        "i18n/de/docusaurus-plugin-content-docs-api/version-2.0/x.md",
        "# Ix\n\nWorte.\n",
    ),
];

#[test]
fn rule_26_a_second_instance_of_documents_has_its_own_versions() {
    let library = build(INSTANCES);
    assert_eq!(
        published(&library),
        [
            "api/x.md /reference/next/x en",
            "api_versioned_docs/version-1.0/x.md /reference/1.0/x en",
            "api_versioned_docs/version-2.0/w.md /reference/w en",
            "api_versioned_docs/version-2.0/x.md /reference/x en",
            "docs/a.md /articles/a en",
            "i18n/de/docusaurus-plugin-content-docs-api/version-2.0/x.md /de/reference/x de",
        ]
    );
    let unlisted = library.pages.iter().filter(|page| !page.listed);
    let unlisted: Vec<&str> = unlisted.map(|page| &*page.stem).collect();
    assert_eq!(unlisted, ["/reference/1.0/x", "/reference/next/x"]);
    assert_eq!(problems(&library), [""; 0]);
    assert_eq!(
        super::order::drawn(&library)[..4],
        ["[en]", "A /a", "X /reference/x", "W /reference/w"]
    );
}
