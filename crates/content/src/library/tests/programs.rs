//! Settings of Docusaurus, VitePress and Astro that a program computes, spreads or imports.

use super::scope::{canaries, canaries_in, check_canaries, published};
use super::*;

/// The problems of a folder, each in one line.
fn problems(library: &Library) -> Vec<String> {
    let problems = library.problems.iter();
    let lines = problems.map(|one| {
        one.to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    lines.collect()
}

#[test]
fn rule_12_a_text_of_docusaurus_says_whether_it_is_mdx() {
    let library = canaries(
        &[
            ("docusaurus.config.js", "module.exports = {};"),
            (
                "docs/a.md",
                "---\nmdx:\n  format: md\n---\n# A\n\nUse {braces} here.\n",
            ),
            ("docs/b.md", "# B\n\nUse {/* no */}words here.\n"),
        ],
        &[],
    );
    let all = super::scope::everything(&library);
    assert!(all.contains("Use {braces} here."), "{all}");
    assert!(all.contains("Use words here."), "{all}");
}

#[test]
fn rule_26_starlight_reads_its_collection_where_the_site_has_it() {
    let starlight = "export default defineConfig({ integrations: [starlight({ title: 'S' })] });";
    let glob = "const ignore = ['!wip/**'];\nexport const collections = { docs: defineCollection({ loader: glob({ pattern: ['**/*.md', ...ignore], base: 'text' }) }) };";
    check_canaries(
        &[
            ("astro.config.mjs", starlight),
            ("src/content.config.ts", glob),
            ("src/components/a.astro", "getCollection('blog')"),
            ("text/a.md", "# A\n"),
        ],
        &["text/wip/x.md", "src/content/docs/x.md", "README.md"],
        &["text/a.md /articles/a"],
    );
    let elsewhere = "export default defineConfig({ srcDir: './app', integrations: [starlight({ title: 'S' })] });";
    check_canaries(
        &[
            ("astro.config.mjs", elsewhere),
            (
                "app/content.config.ts",
                "export const collections = { docs: defineCollection({ loader: docsLoader() }) };",
            ),
            ("app/content/docs/a.md", "# A\n"),
            ("app/content/docs/guides/b.md", "# B\n"),
        ],
        &["src/content/docs/x.md"],
        &[
            "app/content/docs/a.md /articles/a",
            "app/content/docs/guides/b.md /articles/guides/b",
        ],
    );
}

#[test]
fn rule_48_addresses_of_docusaurus_for_indexes_dates_and_slugs() {
    let library = build(&[
        ("docusaurus.config.js", "module.exports = {};"),
        ("docs/sub/readme.md", "# A\n"),
        ("docs/up/INDEX.md", "# A\n"),
        ("docs/Same/same.md", "# A\n"),
        ("docs/x/slugged.md", "---\nslug: ../rel\n---\n# A\n"),
        ("blog/2020/02/04-nested.md", "# A\n"),
        ("blog/2020-01-07.md", "# A\n"),
        ("blog/sub/2020-01-05-y/index.md", "# A\n"),
        ("blog/2020/2/3/x.md", "# A\n"),
    ]);
    let redirects = &library.redirects;
    for (old, new) in [
        ("/docs/sub", "docs/sub/readme.md"),
        ("/docs/up", "docs/up/INDEX.md"),
        ("/docs/Same", "docs/Same/same.md"),
        ("/docs/rel", "docs/x/slugged.md"),
        ("/blog/2020/02/04/nested", "blog/2020/02/04-nested.md"),
        ("/blog/2020/01/07", "blog/2020-01-07.md"),
        ("/blog/2020/01/05/sub/y", "blog/sub/2020-01-05-y/index.md"),
        ("/blog/2020/2/3/x", "blog/2020/2/3/x.md"),
    ] {
        let source = library.articles.iter().find(|one| &*one.source == new);
        let stem = source.map(|one| one.stem.to_string());
        let found = redirects.iter().find(|(from, _)| from.as_str() == old);
        let found = found.map(|(_, to)| to.to_string());
        assert_eq!(found, stem, "{old}: {redirects:?}");
    }
}
