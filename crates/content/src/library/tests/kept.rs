//! What an owner's own build publishes is not withheld.

use super::*;

#[test]
fn rule_26_one_collection_of_nuxt_content_leaves_out_what_another_has() {
    let files = |config: &'static str| {
        [
            ("nuxt.config.ts", "export default {}"),
            ("content.config.ts", config),
            ("content/index.md", "Home."),
            ("content/a.md", "A."),
        ]
    };
    let one = "export default defineContentConfig({ collections: { docs: defineCollection({ source: { include: '**', exclude: ['a.md'] } }) } })";
    assert_eq!(published_texts(&files(one)), ["content/index.md"]);
    let two = "export default defineContentConfig({ collections: { home: defineCollection({ source: 'index.md' }), docs: defineCollection({ source: { include: '**', exclude: ['index.md'] } }) } })";
    assert_eq!(
        published_texts(&files(two)),
        ["content/a.md", "content/index.md"]
    );
}

#[test]
fn rule_26_a_choice_of_patterns_withholds_what_one_of_them_leaves_out() {
    let config =
        "export default { pagePatterns: isProd ? ['**/*.md', '!drafts/*.md'] : ['**/*.md'] }";
    let library = build(&[
        ("docs/.vuepress/config.js", config),
        ("docs/c.md", "# C\n\nC."),
        ("docs/a.md", "# A\n\nA."),
        ("docs/drafts/b.md", "# B\n\nSECRET."),
    ]);
    assert_eq!(texts_of(&library), ["docs/a.md", "docs/c.md"]);
    let said = library.problems.iter().map(|problem| problem.to_string());
    assert!(said.into_iter().all(|one| !one.contains("`patterns`")));
}

#[test]
fn rule_26_properties_of_logseq_of_the_authors_own_decide_nothing() {
    let config = ("logseq/config.edn", "{:publishing/all-pages-public? true}");
    let shown = published_texts(&[
        config,
        ("pages/a.md", "status:: draft\n\n- Words\n"),
        (
            "pages/b.md",
            "date:: [[Someday]]\nexpires:: 2020-01-01\n\n- Words\n",
        ),
        ("pages/c.md", "type:: [[Platform]]\n"),
        ("pages/d.md", "public:: false\n\n- SECRET\n"),
    ]);
    assert_eq!(shown, ["pages/a.md", "pages/b.md", "pages/c.md"]);
}

#[test]
fn rule_26_a_filter_counts_if_every_call_of_astro_has_it() {
    let files = |other: &'static str| {
        [
            ("astro.config.mjs", "export default {}"),
            (
                "src/pages/index.astro",
                "const all = await getCollection('blog', ({ data }) => data.featured)",
            ),
            ("src/pages/[slug].astro", other),
            ("src/content/blog/a.md", "---\nfeatured: false\n---\nA."),
            ("src/content/blog/b.md", "---\nfeatured: true\n---\nB."),
        ]
    };
    let both = ["src/content/blog/a.md", "src/content/blog/b.md"];
    assert_eq!(published_texts(&files("")), both[1..]);
    for other in [
        "getCollection<\"blog\">(\"blog\")",
        "getEntry('blog', slug)",
        "getCollection(name)",
        "import { getCollection as get } from 'astro:content'",
    ] {
        assert_eq!(published_texts(&files(other)), both, "{other}");
    }
}

#[test]
fn rule_26_a_filter_of_astro_counts_wherever_the_loader_reads() {
    let files = |other: &'static str| {
        [
            ("astro.config.mjs", "export default {}"),
            ("src/content.config.ts", other),
            (
                "src/pages/index.astro",
                "getCollection('posts', ({ data: { wip } }) => !(wip ?? false)); getCollection('all')",
            ),
            ("texts/a.md", "---\nwip: true\n---\nA."),
            ("texts/b.md", "B."),
        ]
    };
    let one = "import { glob } from 'astro/loaders';\nexport const collections = { posts: { loader: glob({ base: './texts', pattern: '**/*.md' }) } };";
    assert_eq!(published_texts(&files(one)), ["texts/b.md"]);
    let two = "import { glob } from 'astro/loaders';\nexport const collections = { posts: { loader: glob({ base: './texts', pattern: '**/*.md' }) }, all: { loader: glob({ base: './texts', pattern: '*.md' }) } };";
    assert_eq!(published_texts(&files(two)), ["texts/a.md", "texts/b.md"]);
}

#[test]
fn rule_26_values_of_a_cascade_of_the_authors_own_are_no_dates() {
    let section = "---\ncascade:\n  params: {date: soon, expires: on request}\n---\nSection.";
    let library = build(&[
        ("hugo.toml", "title = 'H'\n"),
        ("content/ev/_index.md", section),
        ("content/ev/e.md", "E."),
    ]);
    assert_eq!(library.problems, []);
    assert!(
        library
            .articles
            .iter()
            .any(|text| &*text.source == "content/ev/e.md")
    );
}

#[test]
fn rule_53_words_of_another_language_are_names_in_liquid() {
    let files = [
        ("_config.yml", "title: J\n"),
        (
            "_posts/2024-01-01-a.md",
            "---\n---\na {% if True %}SECRET{% endif %}{% if true %}b{% endif %}",
        ),
    ];
    let library = build(&files);
    assert_eq!(twin(&library, &library.articles[0].stem), "a b");
}
