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
