//! VuePress: what of Vue is read, home pages, names that begin with `_`, protected pages.

use super::*;

const CONFIG: (&str, &str) = (
    "docs/.vuepress/config.js",
    "export default { title: 'Boats' }",
);

/// The twin of one text among these files.
fn shown(text: &str) -> String {
    let files = [CONFIG, ("docs/a.md", text), ("docs/b.md", "B.")];
    twin(&build(&files), "/articles/a")
}

#[test]
fn rule_12_conditions_of_vue_decide_in_vuepress() {
    let text = "# A\n\na<b v-if=\"false\">SECRET</b>\n\n<template v-if=\"$frontmatter.none\">SECRET</template>\n\n<p v-show=\"false\">SECRET</p>\n\nb";
    assert_eq!(shown(text), "a\n\nb");
}

#[test]
fn rule_12_what_vue_shows_is_shown_in_vuepress() {
    let text = "---\nfoo: Foo\ntitle: T\n---\n{{ $frontmatter.foo }} {{ $page.title }} {{ $site.title }} <span v-text=\"'Words'\"></span>\n\n<div v-pre>{{ keep }}</div>\n\n<Badge text=\"v2\" />";
    assert_eq!(shown(text), "Foo T Boats Words\n\n&#123;{ keep }}\n\nv2");
}

#[test]
fn rule_29_the_words_of_a_home_page_of_vuepress_are_shown() {
    let front = "---\nhome: true\nheroText: Hero\ntagline: Tag\nactions:\n  - text: Start\n    link: /a.html\nfeatures:\n  - title: F\n    details: D\nfooter: Foot\n---\n";
    let files = [CONFIG, ("docs/README.md", front), ("docs/a.md", "A.")];
    check(
        &files,
        &[
            "/articles/a: A.",
            "/index: **Hero**||Tag||- [Start](https://example.org/articles/a.md)||- **F** D||Foot",
        ],
    );
}

#[test]
fn rule_21_vuepress_has_no_rule_for_names_that_begin_with_an_underscore() {
    let files = [CONFIG, ("docs/_u.md", "U."), ("docs/_in/v.md", "V.")];
    assert_eq!(published_texts(&files), ["docs/_in/v.md", "docs/_u.md"]);
}

/// The published texts with this configuration.
fn open_with(theme: &str) -> Vec<String> {
    let config = format!(
        "import {{ hopeTheme }} from 'vuepress-theme-hope'\nexport default {{ title: 'T', {theme} }}"
    );
    let own = "---\npermalink: /sec/own.html\n---\nO.";
    let files = [
        ("docs/.vuepress/config.js", config.as_str()),
        ("docs/a.md", "A."),
        ("docs/guide/secret.md", "S."),
        ("docs/guide/secrets.md", "T."),
        ("docs/own.md", own),
        ("docs/sec/README.md", "R."),
        ("docs/sec/in/b.md", "B."),
    ];
    published_texts(&files)
}

#[test]
fn contract_6_pages_of_vuepress_with_a_password_are_withheld() {
    let theme =
        "theme: hopeTheme({ encrypt: { config: { '/guide/secret.html': ['1'], '/sec/': '1' } } })";
    assert_eq!(open_with(theme), ["docs/a.md", "docs/guide/secrets.md"]);
    let theme = "themeConfig: { encrypt: { config: { '/guide/sec': '1' } } }";
    assert_eq!(open_with(theme).len(), 4);
    let theme = "theme: hopeTheme({ encrypt: { global: true, admin: '1' } })";
    assert!(open_with(theme).is_empty());
    let theme = "theme: hopeTheme({ encrypt: { admin: '1' } })";
    assert_eq!(open_with(theme).len(), 6);
}

/// How many texts are published where a program beside the configuration makes the theme.
fn published_with(program: &str) -> usize {
    let config = "export default { theme: make() }";
    let files = [
        ("docs/.vuepress/config.js", config),
        ("docs/.vuepress/theme.js", program),
        ("docs/z.md", "Z."),
    ];
    published_texts(&files).len()
}

#[test]
fn contract_6_where_passwords_of_vuepress_are_not_known_nothing_is_published() {
    for theme in [
        "theme: hopeTheme({ encrypt: { config: pages() } })",
        "theme: hopeTheme({ encrypt: { config: { ...pages } } })",
        "theme: hopeTheme({ encrypt: { global: process.env.ALL, config: {} } })",
        "theme: hopeTheme({ encrypt })",
        "theme: make({ a: 1 }, other, { encrypt: {} })[0]",
    ] {
        assert!(open_with(theme).is_empty(), "{theme}");
    }
    assert_eq!(open_with("theme: make()").len(), 6);
    for program in [
        "export const make = () => hopeTheme({ \"encrypt\" : {} })",
        "export const make = () => hopeTheme({ encrypt : {} })",
        "const t = {}; t.encrypt = {}; export const make = () => t",
        "export const make = (encrypt) => hopeTheme({ a, encrypt })",
    ] {
        assert_eq!(published_with(program), 0, "{program}");
    }
    // Words and addresses are not keys.
    for program in [
        "export const sidebar = ['encrypt', '/encrypt.html', \"encrypt\"]",
        "export const title = 'How to encrypt: a guide', encrypted = 1",
    ] {
        assert_eq!(published_with(program), 1, "{program}");
    }
}

#[test]
fn contract_6_passwords_of_vuepress_count_where_addresses_have_a_pattern() {
    let theme =
        "permalinkPattern: '/:slug.html', theme: hopeTheme({ encrypt: { config: { '/b': '1' } } })";
    assert!(open_with(theme).is_empty());
    let config = "export default { theme: hopeTheme({ encrypt: { config: { '/b': '1' } } }) }";
    let own = "---\npermalinkPattern: /b/:slug\n---\nO.";
    let files = [
        ("docs/.vuepress/config.js", config),
        ("docs/own.md", own),
        ("docs/z.md", "Z."),
    ];
    assert_eq!(published_texts(&files), ["docs/z.md"]);
}

#[test]
fn rule_54_code_that_texts_of_vuepress_import_is_shown() {
    let text = "@[code{2-3} js{2}](./code.js)\n\n@[code](./code.js)\n\n`@[code](./code.js)` @[code](./code.js)";
    let files = [
        CONFIG,
        ("docs/a.md", text),
        ("docs/b.md", "B."),
        ("docs/code.js", "1\n2\n3\n4\n"),
    ];
    assert_eq!(
        twin(&build(&files), "/articles/a"),
        "```js\n2\n3\n```\n\n```js\n1\n2\n3\n4\n```\n\n`@[code](./code.js)` @[code](https://example.org/articles/code.js)"
    );
}

#[test]
fn rule_45_addresses_by_the_pattern_of_vuepress_are_answered() {
    let config = "export default { permalinkPattern: '/:year/:month/:day/:slug.html' }";
    let files = [
        ("docs/.vuepress/config.js", config),
        ("docs/2021-03-04-post.md", "P."),
        ("docs/b.md", "---\ndate: 2020-05-06\n---\nB."),
        ("docs/c.md", "C."),
    ];
    let former = former(&build(&files));
    for old in ["/2021/03/04/post.html ", "/2020/05/06/b.html "] {
        assert!(
            former.iter().any(|line| line.starts_with(old)),
            "{old} {former:?}"
        );
    }
}
