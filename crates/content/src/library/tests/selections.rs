//! What a configuration selects by patterns, and what it leaves out.

use super::scope::{canaries, canaries_in, check_canaries};
use super::*;

/// The problems of a folder, each in one line.
fn problems(library: &Library) -> Vec<String> {
    let problems = library.problems.iter().map(ToString::to_string);
    problems.collect()
}

#[test]
fn rule_26_each_plug_in_of_docusaurus_has_its_own_exclusions() {
    check_canaries(
        &[
            (
                "docusaurus.config.js",
                "module.exports = { presets: [['classic', { docs: { exclude: ['news/**'] }, blog: { exclude: ['**/hid/**'] }, pages: { exclude: ['priv/**'] } }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: 'docs/news/api', exclude: ['int/**'] }]] };",
            ),
            ("docs/a.md", "# A\n\n![](news/p.png)\n"),
            ("docs/news/p.png", "x"),
            ("docs/news/api/b.md", "# B\n"),
            ("blog/2024-01-02-c.md", "# C\n"),
            ("src/pages/news/d.md", "# D\n"),
        ],
        &[
            "docs/news/x.md",
            "docs/news/api/int/x.md",
            "blog/hid/2024-01-02-x.md",
            "src/pages/priv/x.md",
        ],
        &[
            "blog/2024-01-02-c.md /articles/blog/2024-01-02-c",
            "docs/a.md /articles/a",
            "docs/news/api/b.md /docs/b",
            "docs/news/p.png /articles/news/p.png",
            "src/pages/news/d.md /news/d",
        ],
    );
}

#[test]
fn rule_26_a_plug_in_of_docusaurus_reads_what_it_includes() {
    check_canaries(
        &[
            (
                "docusaurus.config.js",
                "const config = { presets: [['classic', { docs: { include: ['a.md', 'guide/*.mdx'] } }]] };\nexport default config;",
            ),
            ("docs/a.md", "# A\n\n[the other](b.md)\n"),
            ("docs/guide/c.mdx", "# C\n"),
            ("src/pages/d.md", "# D\n"),
        ],
        &["docs/b.md", "docs/sub/a.md", "docs/guide/deep/x.mdx"],
        &[
            "docs/a.md /articles/a",
            "docs/guide/c.mdx /articles/guide/c",
            "src/pages/d.md /d",
        ],
    );
}

#[test]
fn rule_26_translations_of_docusaurus_have_the_texts_of_the_default_language() {
    check_canaries(
        &[
            (
                "docusaurus.config.js",
                "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] }, presets: [['classic', { docs: { exclude: ['internal/**'] } }]] };",
            ),
            ("docs/a.md", "# A\n"),
            (
                "i18n/fr/docusaurus-plugin-content-docs/current/a.md",
                "# A\n",
            ),
        ],
        &[
            "docs/internal/x.md",
            "i18n/fr/docusaurus-plugin-content-docs/current/internal/x.md",
            "i18n/fr/docusaurus-plugin-content-docs/current/only.md",
            "i18n/fr/docusaurus-plugin-content-pages/only.md",
        ],
        &[
            "docs/a.md /articles/a",
            "i18n/fr/docusaurus-plugin-content-docs/current/a.md /articles/fr/a",
        ],
    );
}

#[test]
fn contract_6_an_exclusion_that_is_computed_is_an_error_and_holds() {
    let library = canaries(
        &[
            (
                "docusaurus.config.js",
                "const EX = ['priv/**'];\nmodule.exports = {\n  presets: [['classic', {\n    docs: { exclude: EX },\n    blog: { exclude: process.env.ALL ? [] : ['hid/**'] },\n  }]],\n};",
            ),
            ("docs/a.md", "# A\n"),
        ],
        &["docs/priv/x.md", "blog/hid/2024-01-02-x.md"],
    );
    assert_eq!(
        problems(&library),
        [
            "docusaurus.config.js:5:22: `blog.exclude` is not read whole: a program computes it\n  hint: write all its patterns as literals; what the program may name is withheld"
        ]
    );
}

#[test]
fn contract_6_exclusions_of_vitepress_follow_constants() {
    for (program, complete) in [
        (
            "const hidden = ['priv/**'];\nexport default { srcExclude: hidden }",
            true,
        ),
        (
            "const hidden = ['priv/**'];\nexport default { srcExclude: ['q/**', ...hidden] }",
            true,
        ),
        (
            "const ex = ['priv/**'];\nexport default { srcExclude: ['q/**'].concat(ex) }",
            false,
        ),
        (
            "export default { srcExclude: process.env.ALL ? [] : ['priv/**'] }",
            false,
        ),
    ] {
        let library = canaries_in(
            &[".vitepress"],
            &[(".vitepress/config.mts", program), ("a.md", "# A\n")],
            &["priv/x.md"],
        );
        let found = problems(&library);
        assert_eq!(found.is_empty(), complete, "{program}: {found:?}");
        assert!(
            found
                .iter()
                .all(|one| one.contains(":2:30: `srcExclude` is not read whole")
                    || one.contains(":1:30: `srcExclude` is not read whole")),
            "{found:?}"
        );
    }
}

const ASTRO: (&str, &str) = ("astro.config.mjs", "export default {};");

#[test]
fn rule_26_a_collection_of_astro_has_the_texts_of_its_pattern() {
    check_canaries(
        &[
            ASTRO,
            (
                "src/content.config.ts",
                "import { defineCollection, z } from 'astro:content';\nimport { glob } from 'astro/loaders';\nconst blog = defineCollection({ loader: glob({ pattern: ['**/*.md', '!drafts/**'], base: './src/content/blog' }), schema: z.object({}) });\nexport const collections = {\n  blog,\n  notes: defineCollection({ loader: glob({ pattern: '[^_]*.md', base: 'notes' }) }),\n  secret: defineCollection({ loader: glob({ pattern: '**/*.md', base: './secret' }) }),\n};",
            ),
            ("src/content/blog/a.md", "# A\n\n![](drafts/p.png)\n"),
            ("src/content/blog/drafts/p.png", "x"),
            ("notes/b.md", "# B\n"),
            (
                "src/lib/posts.ts",
                "const all = await getCollection('blog');",
            ),
            (
                "src/pages/index.astro",
                "---\nconst notes = await getCollection(\"notes\", isPublic);\n---\n",
            ),
        ],
        &[
            "src/content/blog/drafts/x.md",
            "src/content/blog/x.mdx",
            "src/content/other/x.md",
            "notes/sub/x.md",
            "secret/x.md",
        ],
        &[
            "notes/b.md /notes/b",
            "src/content/blog/a.md /articles/blog/a",
            "src/content/blog/drafts/p.png /articles/blog/drafts/p.png",
        ],
    );
}

#[test]
fn contract_6_a_pattern_of_astro_that_is_computed_is_an_error_and_withholds() {
    let library = canaries(
        &[
            ASTRO,
            (
                "src/content.config.ts",
                "export const collections = {\n  a: defineCollection({ loader: glob({ pattern: ['a.md', ...(on ? ['x.md'] : ['!b.md'])], base: './a' }) }),\n  b: defineCollection({ loader: glob({ pattern: '**/*.md', base: folder }) }),\n  c: defineCollection({ loader: own('c') }),\n};",
            ),
            (
                "src/pages/a.astro",
                "{await getCollection('a')}{await getCollection('c')}{getCollection(which('b'))}",
            ),
            ("a/a.md", "# A\n"),
        ],
        &["a/x.md", "b/x.md", "src/content/c/x.md"],
    );
    assert_eq!(
        problems(&library),
        [
            "src/content.config.ts:2:62: `a.pattern` is not read whole: a program computes it\n  hint: write all its patterns as literals; what the program may name is withheld",
            "src/content.config.ts:3:66: `b.base` is not read: a program computes it\n  hint: write the folder as a literal; its texts are withheld",
            "src/content.config.ts:4:33: the loader of `c` is not read, and `src/content/c/` is withheld\n  hint: use `glob({ pattern, base })`, or set `articles` to the folder",
        ]
    );
}

#[test]
fn rule_26_eleventy_renders_its_template_formats() {
    for program in [
        "export default (c) => { c.setTemplateFormats('njk, html'); };",
        "export default (c) => { c.setTemplateFormats(['njk', 'html']); };",
        "const F = ['njk', 'html'];\nmodule.exports = (c) => { return { templateFormats: F }; };",
    ] {
        check_canaries(
            &[("eleventy.config.js", program), ("a.html", "<h1>A</h1>")],
            &["b.md", "c/d.md"],
            &["a.html /articles/a"],
        );
    }
    for program in [
        "module.exports = function (c) {\n  c.addFilter('x', function (y) { return y; });\n  return { templateFormats: ['md'] };\n};",
        "module.exports = async function (c) { return { templateFormats: ['md'] }; }",
        "export default function (c) { return { templateFormats: ['md'] }; }",
        "export default async function config(c) {\n  return { templateFormats: ['md'] };\n}\nfunction other() {}",
        "const config = function (c) { return { templateFormats: ['md'] } };\nmodule.exports = config;",
    ] {
        check_canaries(
            &[("eleventy.config.js", program), ("a.md", "# A\n")],
            &["b.html"],
            &["a.md /articles/a"],
        );
    }
    let added = "export default (c) => { c.addTemplateFormats('vto'); };\nexport const config = { templateFormats: ['md', ...more] };";
    check_canaries(
        &[("eleventy.config.js", added), ("a.md", "# A\n")],
        &["b.html"],
        &["a.md /articles/a"],
    );
    let library = canaries(
        &[(
            "eleventy.config.js",
            "export const config = { templateFormats: formats() };",
        )],
        &["a.md"],
    );
    assert_eq!(
        problems(&library)[0],
        "eleventy.config.js:1:42: `templateFormats` is not read whole: a program computes it\n  hint: write all formats as literals; texts in others are withheld"
    );
}

#[test]
fn rule_26_layouts_of_eleventy_give_their_texts_front_matter() {
    let hidden = "---\nlayout: hid.njk\n---\na secret word\n";
    check_canaries(
        &[
            (
                "eleventy.config.js",
                "export default (c) => { c.addLayoutAlias('alias', 'hid.njk'); };",
            ),
            (
                "_includes/hid.njk",
                "---\npermalink: false\n---\n{{ content }}",
            ),
            (
                "_includes/inner.njk",
                "---\nlayout: hid\n---\n{{ content }}",
            ),
            ("a.md", "---\nlayout: hid.njk\npermalink: /a/\n---\n# A\n"),
            ("b.md", "---\nlayout: inner2.njk\n---\n# B\n"),
            ("hidden.md", hidden),
            ("inner.md", "---\nlayout: inner.njk\n---\na secret word\n"),
            ("alias.md", "---\nlayout: alias\n---\na secret word\n"),
            ("posts/posts.json", "{ \"layout\": \"hid.njk\" }"),
        ],
        &["posts/x.md"],
        &["a.md /a", "b.md /b"],
    );
}

#[test]
fn contract_6_collections_that_are_computed_have_the_patterns_of_all() {
    let library = canaries(
        &[
            ASTRO,
            (
                "src/content.config.ts",
                "export const collections = Object.fromEntries([['blog', defineCollection({ loader: glob({ pattern: ['*.md', '!x.md'], base: 'src/content/blog' }) })]]);",
            ),
            ("src/pages/a.astro", "{await getCollection('blog')}"),
            ("src/content/blog/a.md", "# A\n"),
        ],
        &["src/content/blog/x.md", "src/content/blog/sub/x.md"],
    );
    assert!(
        problems(&library)[0].starts_with("src/content.config.ts: `collections` is not read whole"),
        "{:?}",
        problems(&library)
    );
}

#[test]
fn rule_26_a_collection_of_astro_may_have_its_base_at_the_root() {
    let library = canaries(
        &[
            ASTRO,
            (
                "src/content.config.ts",
                "export const collections = { n: defineCollection({ loader: glob({ pattern: 'notes/*.md' }) }) };",
            ),
            ("notes/a.md", "# A\n"),
            ("src/pages/b.md", "# B\n"),
        ],
        &["other/x.md", "x.md", "src/lib/x.md"],
    );
    assert_eq!(library.articles.len(), 2);
}

#[test]
fn rule_26_patterns_of_docfx_fit_in_any_case_unless_a_group_says_otherwise() {
    let config = |case: &str| {
        format!(
            r#"{{"build": {{"content": [{{"files": ["**/*.md"], "exclude": ["Drafts/**", "SECRET.md"]{case}}}], "fileMetadata": {{"draft": {{"WIP/**": true}}}}}}}}"#
        )
    };
    check_canaries(
        &[("docfx.json", &config("")), ("ok/x.MD", "# X\n")],
        &["drafts/z.md", "Secret.md", "wip/a.md"],
        &["ok/x.MD /articles/ok/x"],
    );
    let shown = published_texts(&[
        ("docfx.json", &config(r#", "case": true"#)),
        ("ok/x.MD", "# X\n"),
        ("drafts/z.md", "# Z\n"),
    ]);
    assert_eq!(shown, ["drafts/z.md"]);
}
