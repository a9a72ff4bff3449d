//! What kind of folder it is, and its languages.

use super::*;

/// Each text with its language and its translations.
fn languages(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let mut shown = Vec::new();
    for article in library.articles.iter().chain(&library.pages) {
        let others: Vec<String> = article
            .translations
            .iter()
            .map(|(language, stem)| format!(" {language}={stem}"))
            .collect();
        shown.push(format!(
            "{} {}{}",
            article.stem,
            article.language,
            others.concat()
        ));
    }
    shown
}

fn kind(files: &[(&str, &str)]) -> (String, String) {
    build(files).report.dialect.unwrap()
}

#[test]
fn rule_34_hugo_is_known_without_root_layouts() {
    let check = |files: &[(&str, &str)], name: &str| {
        let (found, evidence) = kind(files);
        assert_eq!(found, name, "{evidence}");
    };
    let text = ("content/a.md", "A.");
    check(
        &[
            text,
            ("config.yml", "baseURL: https://e.org\n"),
            ("themes/x/layouts/a.html", ""),
        ],
        "hugo",
    );
    check(
        &[text, ("config.toml", "baseurl = 'https://e.org'\n")],
        "hugo",
    );
    check(
        &[
            text,
            (
                "config.json",
                "{\"title\": \"A\", \"languageCode\": \"en\"}",
            ),
        ],
        "hugo",
    );
    check(
        &[
            text,
            ("config/_default/params.toml", ""),
            ("config/_default/config.yaml", "title: A\ntheme: x\n"),
        ],
        "hugo",
    );
    check(
        &[text, ("archetypes/default.md", ""), ("config.toml", "")],
        "hugo",
    );
    check(&[text, ("config.yml", "title: A\n")], "plain");
    check(&[text, ("config/_default/app.toml", "port = 1\n")], "plain");
    check(
        &[
            ("content/a.md", "+++\n+++\nA."),
            (
                "config.toml",
                "base_url = 'https://e.org'\ntitle = 'A'\ntheme = 'x'\n",
            ),
            ("themes/x/theme.toml", ""),
        ],
        "zola",
    );
    check(&[text, ("_config.yml", "title: A\ntheme: x\n")], "jekyll");
}

#[test]
fn rule_34_all_files_of_a_configuration_are_read() {
    let library = build(&[
        ("content/a.md", "A."),
        (
            "config/_default/hugo.toml",
            "title = 'A'\nbaseURL = 'https://e.org'\nignoreFiles = ['old.md']\n",
        ),
        ("config/_default/params.yaml", "description: Words\n"),
        (
            "config/_default/languages.toml",
            "[de]\nweight = 2\n[en]\nweight = 1\n",
        ),
        (
            "config/_default/permalinks.toml",
            "posts = '/:year/:slug/'\n",
        ),
        ("config/production/config.toml", "title = 'B'\n"),
        ("config/staging/config.toml", "title = 'C'\n"),
    ]);
    let (file, said) = library.report.configuration.unwrap();
    let said: Vec<String> = said
        .into_iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    assert_eq!(file, "config/");
    assert_eq!(
        said,
        [
            "title=B",
            "description=Words",
            "ignoreFiles=old.md",
            "languages=de, en",
            "permalinks.posts=/:year/:slug/"
        ]
    );
}

#[test]
fn rule_34_a_file_of_one_key_may_repeat_that_key() {
    for permalinks in [
        "posts = '/:year/:slug/'\n",
        "[permalinks]\nposts = '/:year/:slug/'\n",
        "[[permalinks]]\npattern = '/:year/:slug/'\n",
    ] {
        let library = build(&[
            ("config/_default/hugo.toml", "baseURL = 'https://e.org'\n"),
            ("config/_default/permalinks.toml", permalinks),
            (
                "content/posts/a.md",
                "---\ntitle: T\ndate: 2020-01-02\n---\nA.",
            ),
        ]);
        let old = former(&library);
        assert!(old[0].starts_with("/2020/t/ "), "{permalinks}: {old:?}");
    }
}

#[test]
fn rule_34_a_broken_file_of_several_is_told_with_its_own_place() {
    let library = build(&[
        ("content/a.md", "A."),
        ("config/_default/hugo.toml", "baseURL = 'https://e.org'\n"),
        (
            "config/production/hugo.toml",
            "\ndefaultContentLanguage = 'no language'\n",
        ),
    ]);
    assert_eq!(
        library.problems[0].to_string(),
        "config/production/hugo.toml:2:26: warning: `defaultContentLanguage` is not a language tag: `no language`"
    );
}

#[test]
fn rule_37_a_suffix_of_a_folder_is_a_language() {
    assert_eq!(
        languages(&[
            ("pages/common/tar.md", "A."),
            ("pages/common/trunk.md", "A."),
            ("pages/common/trunk.io.md", "A."),
            ("pages.pt_BR/common/tar.md", "A."),
            ("pages.pt_BR/common/trunk.io.md", "A."),
            ("pages.ar/common/tar.md", "A."),
            ("pages.ar/common/trunk.md", "A."),
            ("style.md", "A."),
            ("style.de.md", "A."),
        ]),
        [
            "/articles/pages.ar/common/tar ar en=/articles/pages/common/tar pt-BR=/articles/pages.pt_BR/common/tar",
            "/articles/pages.ar/common/trunk ar en=/articles/pages/common/trunk",
            "/articles/pages.pt_BR/common/tar pt-BR ar=/articles/pages.ar/common/tar en=/articles/pages/common/tar",
            "/articles/pages.pt_BR/common/trunk.io pt-BR en=/articles/pages/common/trunk.io",
            "/articles/pages/common/tar en ar=/articles/pages.ar/common/tar pt-BR=/articles/pages.pt_BR/common/tar",
            "/articles/pages/common/trunk en ar=/articles/pages.ar/common/trunk",
            "/articles/pages/common/trunk.io en pt-BR=/articles/pages.pt_BR/common/trunk.io",
            "/articles/style en de=/articles/style.de",
            "/articles/style.de de en=/articles/style",
        ]
    );
}

#[test]
fn rule_37_a_name_is_a_language_by_evidence_alone() {
    assert_eq!(
        languages(&[
            ("guide-zh/a.md", "A."),
            ("guide-zh/b.md", "A."),
            ("guide/a.md", "A."),
            ("guide/b.md", "A."),
            ("how-to/a.md", "A."),
            ("how/a.md", "A."),
            ("how/b.md", "A."),
        ]),
        [
            "/articles/guide-zh/a zh en=/articles/guide/a",
            "/articles/guide-zh/b zh en=/articles/guide/b",
            "/articles/guide/a en zh=/articles/guide-zh/a",
            "/articles/guide/b en zh=/articles/guide-zh/b",
            "/articles/how-to/a en",
            "/articles/how/a en",
            "/articles/how/b en",
        ]
    );
    assert_eq!(
        languages(&[
            ("io/a.md", "A."),
            ("a.md", "A."),
            ("trunk.md", "A."),
            ("trunk.io.md", "A.")
        ]),
        [
            "/articles/a en",
            "/articles/io/a en",
            "/articles/trunk en",
            "/articles/trunk.io en"
        ]
    );
    assert_eq!(
        languages(&[
            ("text/de/a.md", "A."),
            ("text/de/b.md", "A."),
            ("text/en/a.md", "A.")
        ]),
        [
            "/articles/text/de/a de en=/articles/text/en/a",
            "/articles/text/de/b de",
            "/articles/text/en/a en de=/articles/text/de/a"
        ]
    );
}

/// Each text with its language, `unlisted` if so, and the former addresses that lead to it.
fn places(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let mut shown = Vec::new();
    for article in library.articles.iter().chain(&library.pages) {
        let old: Vec<String> = library
            .redirects
            .iter()
            .filter(|(_, redirect)| redirect.to.to_string() == *article.stem)
            .map(|(old, _)| format!(" {old}"))
            .collect();
        let listed = if article.listed { "" } else { " unlisted" };
        shown.push(format!(
            "{} {}{listed}{}",
            article.stem,
            article.language,
            old.concat()
        ));
    }
    shown
}

#[test]
fn rule_36_starlight_has_its_root_languages_and_addresses() {
    let config = "import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'T', defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en-GB' }, ar: { label: 'x', lang: 'ar', dir: 'rtl' }, 'pt-br': { label: 'y', lang: 'pt-BR' } } })] });";
    let files = [
        ("astro.config.mjs", config),
        ("src/content/docs/index.mdx", "Home."),
        ("src/content/docs/guides/Some Page.md", "A."),
        ("src/content/docs/ar/guides/Some Page.md", "A."),
        ("src/content/docs/ar/only.md", "A."),
        (
            "src/content/docs/pt-br/b.md",
            "---\nslug: pt-br/other\n---\nA.",
        ),
        ("src/pages/about.md", "A."),
    ];
    let settings = crate::dialects::settings(&sources(&files), None);
    assert_eq!(settings.language.as_deref(), Some("en-GB"));
    assert_eq!(
        places(&files),
        [
            "/articles/ar/guides/Some-Page ar /ar/guides/Some Page /ar/guides/some-page/",
            "/articles/ar/only ar /ar/only/",
            "/articles/guides/Some-Page en /guides/Some Page /guides/some-page/ /pt-br/guides/some-page/",
            "/articles/pt-br/other pt-BR /pt-br/b /pt-br/other/",
            "/about en /ar/about/ /pt-br/about/",
            "/index en",
        ]
    );
    let arabic = build(&files);
    assert!(arabic.articles[0].rtl);
}

#[test]
fn rule_37_a_folder_beside_the_articles_is_a_language() {
    assert_eq!(
        places(&[
            ("docs/a.md", "A."),
            ("docs/b.md", "A."),
            ("docs-zh-CN/a.md", "A."),
            ("docs-to/x.md", "A."),
        ]),
        [
            "/articles/a en /docs/a",
            "/articles/b en /docs/b",
            "/articles/zh-CN/a zh-CN /zh-CN/a",
            "/docs-to/x en",
        ]
    );
}

const VERSIONS: &[(&str, &str)] = &[
    (
        "docusaurus.config.js",
        "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] } };",
    ),
    ("versions.json", "[\"2.0\", \"1.0\"]"),
    ("docs/01-guide/02-a.md", "A."),
    ("docs/guide/guide.md", "A."),
    ("docs/a.md", "A."),
    ("versioned_docs/version-2.0/a.md", "A."),
    (
        "versioned_docs/version-2.0/intro.md",
        "---\nslug: /\n---\nA.",
    ),
    ("versioned_docs/version-1.0/a.md", "---\nslug: /b\n---\nA."),
    ("i18n/fr/docusaurus-plugin-content-docs/current/a.md", "A."),
    (
        "i18n/fr/docusaurus-plugin-content-docs/version-2.0/a.md",
        "A.",
    ),
    (
        "i18n/de/docusaurus-plugin-content-docs/current/a.md",
        "CANARY",
    ),
    ("blog/2024-01-02-post.md", "A."),
    ("blog/2024-01-03-post/index.md", "---\nslug: other\n---\nA."),
    ("src/pages/about.md", "A."),
];

#[test]
fn the_current_version_of_docusaurus_is_the_site() {
    assert_eq!(
        places(VERSIONS),
        [
            "/articles/other en /blog/2024-01-03-post /blog/other /fr/blog/other",
            "/articles/blog/2024-01-02-post en /blog/2024-01-02-post /blog/2024/01/02/post /fr/blog/2024/01/02/post",
            "/articles/a en /docs/a",
            "/articles/b en unlisted /docs/1.0/a /docs/1.0/b /fr/docs/1.0/b",
            "/articles/fr/a fr /fr/docs/a",
            "/articles/fr/next/a fr unlisted /fr/docs/next/a",
            "/articles/intro en /docs/ /docs/intro /fr/docs/",
            "/articles/next/01-guide/02-a en unlisted /docs/next/01-guide/02-a /docs/next/guide/a /fr/docs/next/guide/a",
            "/articles/next/a en unlisted /docs/next/a",
            "/articles/next/guide/guide en unlisted /docs/next/guide /docs/next/guide/guide /fr/docs/next/guide",
            "/about en /fr/about",
        ]
    );
}

#[test]
fn versions_of_docusaurus_that_are_not_built_are_not_published() {
    let mut files = VERSIONS.to_vec();
    files[0].1 = "module.exports = { presets: [['classic', { docs: { includeCurrentVersion: false, onlyIncludeVersions: ['2.0'] }, blog: false }]] };";
    let library = build(&files);
    let stems: Vec<&str> = library
        .articles
        .iter()
        .map(|article| &*article.stem)
        .collect();
    assert!(
        stems.contains(&"/articles/a")
            && !stems.iter().any(|stem| ["next", "1.0", "fr", "de"]
                .iter()
                .any(|part| stem.split('/').any(|own| own == *part))),
        "{stems:?}"
    );
}

#[test]
fn rule_8_readmes_in_other_languages_are_translations() {
    let docsify = "<script>window.$docsify = {}</script>";
    assert_eq!(
        languages(&[
            ("docs/index.html", docsify),
            ("docs/README.md", "# Home\n\nWelcome."),
            ("docs/README.zh-CN.md", "# 首页\n\n欢迎。"),
            ("docs/README-api.md", "# API\n\nWords."),
            ("docs/part/README.md", "# Part\n\nWords."),
            ("docs/part/README_de.md", "# Teil\n\nWorte."),
        ]),
        [
            "/articles/README-api en",
            "/articles/part en de=/articles/part/index.de",
            "/articles/part/index.de de en=/articles/part",
            "/index en zh-CN=/zh-CN",
            "/zh-CN zh-CN en=/index",
        ]
    );
    let library = build(&[
        ("README.md", "# The project\n\nWords."),
        ("README-de.md", "# Das Projekt\n\nWorte."),
        ("docs/a.md", "# A\n\nWords."),
        ("docs/README-fr.md", "# No other README\n\nWords."),
    ]);
    let about = library.report.skipped["README, LICENSE and the like"].join(" ");
    assert_eq!(about, "README-de.md README.md");
    assert_eq!(library.report.published, 2);
}
