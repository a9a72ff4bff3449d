use bytes::Bytes;

use super::*;
use crate::dialects::{self, Kind};
use crate::model::sources::SourceFile;
use crate::model::sources::{ChangeOrigin, FileDates, Sources};

pub(super) fn read(dialect: &str, path: &str, text: &str) -> Config {
    let changed = "2020-02-02T00:00:00Z".parse().unwrap();
    let dates = FileDates {
        created: None,
        changed,
        origin: ChangeOrigin::Git,
    };
    let files = vec![SourceFile {
        path: path.into(),
        bytes: Bytes::copy_from_slice(text.as_bytes()).into(),
        dates,
    }];
    let sources = Sources {
        files,
        ..Sources::default()
    };
    Config::clone(&Kind::detect(&Evidence::new(&sources), Some(dialect)).config)
}

/// Title, description, author, language, address and content folder.
fn check(dialect: &str, path: &str, text: &str, expected: [&str; 6]) {
    let config = read(dialect, path, text);
    let settings = config.settings;
    let found = [
        settings.title,
        settings.description,
        settings.author,
        settings.language,
        config.address,
        config.content,
    ];
    assert_eq!(found.map(Option::unwrap_or_default), expected, "{dialect}");
    assert_eq!(config.problems, [], "{dialect}");
}

#[test]
fn every_kind_of_configuration_is_read() {
    check(
        "jekyll",
        "_config.yml",
        "title: A *B*\ndescription: >-\n  Some\n  words\nauthor:\n  name: Me\nlang: de\nurl: https://e.org\nbaseurl: /blog\n",
        ["A B", "Some words", "Me", "de", "https://e.org/blog", ""],
    );
    check(
        "jekyll",
        "_config.yml",
        "name: A name\ntagline: A line\n",
        ["A name", "A line", "", "", "", ""],
    );
    check(
        "docsify",
        "docs/index.html",
        "<script>\n  window.$docsify = {\n    name: '<b>A</b> name',\n    loadSidebar: true,\n  }\n</script>\n<script src=\"//cdn.jsdelivr.net/npm/docsify@4\"></script>\n",
        ["A name", "", "", "", "", "docs"],
    );
    check(
        "hugo",
        "hugo.toml",
        "baseURL = 'https://e.org/'\ntitle = 'A'\nlanguageCode = 'en-us'\ncontentDir = 'text'\n[params]\ndescription = 'D'\n[params.author]\nname = 'Me'\n",
        ["A", "D", "Me", "en-US", "https://e.org", "text"],
    );
    check(
        "zola",
        "config.toml",
        "base_url = 'https://e.org'\ntitle = 'A'\ndefault_language = 'fr'\n",
        ["A", "", "", "fr", "https://e.org", ""],
    );
    check(
        "mdbook",
        "book.toml",
        "[book]\ntitle = 'A'\nauthors = ['Me', 'You']\nlanguage = 'en'\n",
        ["A", "", "Me, You", "en", "", "src"],
    );
    check(
        "mkdocs",
        "mkdocs.yml",
        "site_name: A\nsite_url: https://e.org\ndocs_dir: text\ntheme:\n  name: material\n  language: de\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n",
        ["A", "", "", "de", "https://e.org", "text"],
    );
    check(
        "docusaurus",
        "docusaurus.config.ts",
        "const config: Config = { title: 'A', tagline: 'D', url: 'https://e.org', baseUrl: '/b/', i18n: { defaultLocale: 'en' } };",
        ["A", "D", "", "en", "https://e.org/b/", ""],
    );
    check(
        "hexo",
        "_config.yml",
        "title: A\nlanguage: zh-CN\nurl: https://e.org\nroot: /\n",
        ["A", "", "", "zh-CN", "https://e.org", "source"],
    );
    check(
        "vitepress",
        ".vitepress/config.mts",
        "export default defineConfig({ title: \"A\", lang: 'en-US' })",
        ["A", "", "", "en-US", "", ""],
    );
    check(
        "quarto",
        "_quarto.yml",
        "website:\n  title: A\nlang: de\n",
        ["A", "", "", "de", "", ""],
    );
    check(
        "astro",
        "astro.config.mjs",
        "export default defineConfig({ site: 'https://e.org', integrations: [starlight({ title: 'A' })] });",
        ["A", "", "", "", "https://e.org", "src/content"],
    );
    check(
        "eleventy",
        "_data/metadata.json",
        "{\"title\": \"A\", \"url\": \"https://e.org\", \"language\": \"en\", \"author\": {\"name\": \"Me\"}}",
        ["A", "", "Me", "en", "https://e.org", ""],
    );
}

#[test]
fn rule_20_a_broken_configuration_is_said_and_done_without() {
    let config = read("jekyll", "_config.yml", "title: A\nbad: [\nlang: x y\n");
    assert_eq!(config.settings.title.as_deref(), Some("A"));
    assert!(
        !config.problems.is_empty()
            && config
                .problems
                .iter()
                .all(|problem| problem.severity == crate::model::problem::Severity::Warning)
    );
    assert!(
        config.problems.iter().all(|problem| problem
            .place
            .as_ref()
            .is_some_and(|place| place.path == "_config.yml")),
        "{:?}",
        config.problems
    );
    for text in ["title = \n[x", "", "\u{0}\u{ff}", "- a\n- b"] {
        read("hugo", "hugo.toml", text);
        read("mkdocs", "mkdocs.yml", text);
        read("hugo", "hugo.json", text);
    }
}

#[test]
fn what_is_excluded_and_what_is_given() {
    let config = read(
        "jekyll",
        "_config.yml",
        "exclude: [vendor, '*.tmp.md', \"docs/old/\"]\ninclude: [_pages]\ncollections:\n  guides:\n    output: true\n    permalink: /g/:name/\n  hidden:\n    output: false\ndefaults:\n  - scope: {path: '', type: posts}\n    values: {author: Me, layout: post}\n  - scope: {path: notes}\n    values: {tags: [a]}\n",
    );
    assert!(
        !config.excludes("x/vendor/a.md", &[])
            && config.excludes("vendor/a.md", &[])
            && config.excludes("docs/old/a.md", &[])
            && config.excludes("a.tmp.md", &[])
            && !config.excludes("docs/a.md", &[])
    );
    assert_eq!(config.collections, ["_guides"]);
    assert_eq!(config.open, ["_pages"]);
    assert_eq!(
        config.permalinks,
        [Permalink {
            scope: "_guides".into(),
            pattern: "/g/:name/".into(),
            below: false,
        }]
    );
    let filled = |path: &str| {
        let mut front = Front::default();
        config.fill(path, &mut front);
        front
            .entries
            .into_iter()
            .map(|entry| entry.key.text)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        (
            filled("_posts/a.md").as_str(),
            filled("notes/a.md").as_str(),
            filled("a.md").as_str()
        ),
        ("author", "tags", "")
    );
    let hugo = read(
        "hugo",
        "hugo.toml",
        "ignoreFiles = ['\\.tmp$', 'a{2}\\.']\n[permalinks]\nposts = '/:year/:slug/'\n[languages.en]\n[languages.de]\n",
    );
    assert!(hugo.excludes("content/x.tmp", &[]) && hugo.excludes("content/aa.md", &[]));
    assert!(!hugo.excludes("content/a.md", &[]) && hugo.problems.is_empty());
    let names: Vec<&str> = hugo
        .locales
        .iter()
        .map(|locale| locale.name.as_str())
        .collect();
    assert_eq!(names, ["en", "de"]);
    let mkdocs = read(
        "mkdocs",
        "mkdocs.yml",
        "docs_dir: text\nexclude_docs: |\n  /drafts/\n  !keep.md\nmarkdown_extensions:\n  - pymdownx.arithmatex\n",
    );
    assert!(
        mkdocs.excludes("text/drafts/a.md", &[])
            && !mkdocs.excludes("text/drafts/keep.md", &[])
            && mkdocs.math
    );
}

#[test]
fn no_configuration_is_no_configuration() {
    assert_eq!(
        dialects::settings(&Sources::default(), None),
        Settings::default()
    );
}
