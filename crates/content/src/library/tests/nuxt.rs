//! Nuxt Content: the collections of version 3, and what version 2 ignores.

use super::scope::{canaries, check_canaries};
use super::*;

const MODULE: (&str, &str) = (
    "nuxt.config.ts",
    "export default defineNuxtConfig({ modules: ['@nuxt/content'] })",
);

fn collections(text: &str) -> String {
    format!("export default defineContentConfig({{ collections: {{ {text} }} }})")
}

fn errors(library: &Library) -> Vec<String> {
    let problems = library.problems.iter().map(ToString::to_string);
    problems
        .map(|one| one.split("\n  ").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn rule_26_nuxt_publishes_the_texts_of_collections_of_pages() {
    let config = collections(
        "landing: defineCollection({ type: 'page', source: 'index.md' }), docs: defineCollection({ type: 'page', source: { include: '**', exclude: ['index.md', 'drafts/**'] } })",
    );
    check_canaries(
        &[
            MODULE,
            ("content.config.ts", &config),
            ("content/index.md", "# Home\n"),
            ("content/guide/a.md", "# A\n"),
        ],
        &["content/drafts/x.md", "README.md", "notes/x.md"],
        &[
            "content/guide/a.md /articles/guide/a",
            "content/index.md /index",
        ],
    );
    let named = "export const collections = { a: defineCollection({ source: 'a/**' }) }";
    let files = [
        MODULE,
        ("content.config.ts", named),
        ("content/a/b.md", "# B\n"),
    ];
    check_canaries(&files, &["content/x.md"], &["content/a/b.md /articles/a/b"]);
    let config = collections(
        "docs: defineCollection({ source: [{ include: 'docs/**', exclude: ['**/secret/**'] }, 'more/*.md'] }), blog: defineCollection(asSeoCollection({ type: 'page', source: 'blog/*.md' })), authors: defineCollection({ type: 'data', source: 'authors/**.md' })",
    );
    check_canaries(
        &[
            MODULE,
            ("content.config.ts", &config),
            ("content/docs/a.md", "# A\n"),
            ("content/more/b.md", "# B\n"),
            ("content/blog/c.md", "# C\n"),
        ],
        &[
            "content/index.md",
            "content/docs/secret/x.md",
            "content/docs/x/secret/y.md",
            "content/blog/sub/x.md",
            "content/authors/me.md",
        ],
        &[
            "content/blog/c.md /articles/blog/c",
            "content/docs/a.md /articles/docs/a",
            "content/more/b.md /articles/more/b",
        ],
    );
}

#[test]
fn rule_26_a_source_of_nuxt_has_its_own_folder() {
    for cwd in [
        "resolve('docs')",
        "path.join(__dirname, 'docs')",
        "'~~/docs'",
    ] {
        let config = collections(&format!(
            "docs: defineCollection({{ type: 'page', source: {{ cwd: {cwd}, include: '**/*.md', exclude: ['private/**'] }} }})"
        ));
        check_canaries(
            &[
                MODULE,
                ("content.config.ts", &config),
                ("docs/a.md", "# A\n"),
            ],
            &["content/old.md", "docs/private/x.md"],
            &["docs/a.md /articles/a"],
        );
    }
}

#[test]
fn rule_26_a_collection_of_nuxt_that_is_not_read_is_not_published() {
    for (own, expected) in [
        (
            "docs: defineCollection({ type: kind(), source: '**' })",
            "content.config.ts:1:60: `docs.type` is not read: a program computes it",
        ),
        (
            "docs: defineCollection({ source: sources() })",
            "content.config.ts:1:60: `docs.source` is not read: a program computes it",
        ),
        (
            "docs: defineCollection({ source: { cwd: process.env.DOCS, include: '**' } })",
            "content.config.ts:1:60: `docs.cwd` is not read: a program computes it",
        ),
        (
            "docs: make('docs')",
            "content.config.ts:1:60: `docs` is not read: a program computes it",
        ),
        (
            "...more()",
            "content.config.ts:1:60: `collections` is not read whole: a program computes it",
        ),
    ] {
        let config = collections(&format!("a: defineCollection('x'), {own}"));
        let files = [
            MODULE,
            ("content.config.ts", &*config),
            ("public/l.svg", "x"),
        ];
        let library = canaries(&files, &["content/a.md", "content/docs/x.md", "README.md"]);
        let said = errors(&library);
        let place = |one: &str| one.split_once(' ').unwrap_or_default().1.to_owned();
        assert!(
            said.iter().any(|one| place(one) == place(expected)),
            "{own}: {said:?}"
        );
    }
    let config = collections(
        "docs: defineCollection({ source: { include: '**', exclude: isDev ? [] : ['drafts/**'] } })",
    );
    let library = canaries(
        &[
            MODULE,
            ("content.config.ts", &config),
            ("content/a.md", "# A\n"),
        ],
        &["content/drafts/x.md"],
    );
    assert_eq!(texts_of(&library), ["content/a.md"]);
}

#[test]
fn rule_26_version_2_of_nuxt_content_ignores_by_regular_expressions() {
    let config = "export default defineNuxtConfig({ modules: ['@nuxt/content'], content: { ignores: ['\\\\.bak\\\\.md$', 'internal', '/private/'] } })";
    check_canaries(
        &[("nuxt.config.ts", config), ("content/a.md", "# A\n")],
        &[
            "content/b.bak.md",
            "content/not-internal.md",
            "content/sub/private/x.md",
            "content/x.draft.md",
            "content/y.draft/x.md",
            "content/-z.md",
            "content/s/-t/x.md",
            "content/_part/x.md",
        ],
        &["content/a.md /articles/a"],
    );
    let config = "export default { modules: ['@nuxt/content'], content: { ignores: ['(?<!a)b'] } }";
    let library = canaries(
        &[("nuxt.config.ts", config)],
        &["content/a.md", "README.md"],
    );
    let said = errors(&library);
    assert!(
        said[0].ends_with(
            "`ignores` is not understood: `(?<!a)b`, so nothing of the site is published"
        ),
        "{said:?}"
    );
}

#[test]
fn rule_26_files_of_public_are_those_of_nuxt() {
    let config = "export default { modules: ['@nuxt/content'] }";
    for module in [
        ("nuxt.config.ts", config),
        ("package.json", "{\"dependencies\": {\"docus\": \"5\"}}"),
    ] {
        check_canaries(
            &[
                module,
                ("content/index.md", "# Home\n\n![](/logo.svg)\n"),
                ("public/logo.svg", "x"),
                ("public/more/b.svg", "x"),
            ],
            &["notes/x.md", "content/x.csv"],
            &[
                "content/index.md /index",
                "public/logo.svg /logo.svg",
                "public/more/b.svg /more/b.svg",
            ],
        );
    }
}

#[test]
fn rule_45_numbers_that_only_order_are_not_in_addresses_of_nuxt() {
    let old = |config: (&str, &str)| {
        let library = build(&[
            MODULE,
            config,
            ("content/1.index.md", "# Home\n\nWords.\n"),
            ("content/2.Guide/0.index.md", "# Guide\n\nWords.\n"),
            (
                "content/2.Guide/1.first start.md",
                "# A\n\nWords, [b](/guide/1.2.3).\n",
            ),
            ("content/2.Guide/1.2.3.md", "# B\n\nWords.\n"),
        ]);
        let broken = library.problems.len();
        (former(&library).join(" | "), broken)
    };
    let (redirects, broken) = old(("app.vue", ""));
    for expected in [
        "/guide /articles/2.Guide/0.index",
        "/guide/first-start /articles/2.Guide/1.first-start",
        "/guide/1.2.3 /articles/2.Guide/1.2.3",
    ] {
        assert!(redirects.contains(expected), "{redirects}");
    }
    assert_eq!(broken, 0);
    let config = collections(
        "docs: defineCollection({ source: { include: '2.Guide/**', prefix: '/manual' } })",
    );
    let (redirects, _) = old(("content.config.ts", &config));
    assert!(
        redirects.contains("/manual/first-start /articles/2.Guide/1.first-start"),
        "{redirects}"
    );
}
