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

/// The published files of a VitePress site in `docs/`, and its problems.
fn vitepress(
    program: &str,
    public: &[(&str, &str)],
    secret: &[&str],
) -> (Vec<String>, Vec<String>) {
    let mut files = vec![("docs/.vitepress/config.mts", program)];
    files.extend(public);
    let library = canaries_in(&["docs/.vitepress"], &files, secret);
    (published(&library), problems(&library))
}

#[test]
fn rule_26_the_folder_of_vitepress_may_be_joined_or_inherited() {
    for program in [
        "export default { srcDir: './src', srcExclude: ['hid/**'] }",
        "import path from 'node:path'\nexport default { srcDir: path.resolve(__dirname, '../src'), srcExclude: ['hid/**'] }",
        "const here = path.dirname(fileURLToPath(import.meta.url))\nexport default defineConfig({ srcDir: path.resolve(here, '../src'), srcExclude: ['hid/**'] })",
        "export default { extends: { srcDir: 'src', srcExclude: ['hid/**'] }, title: 'X' }",
        "import base from './base'\nexport default withPlugins(defineConfig({ extends: base }))",
    ] {
        let base = "export default { srcDir: 'src', srcExclude: ['hid/**'] }";
        let (published, problems) = vitepress(
            program,
            &[
                ("docs/.vitepress/base.ts", base),
                ("docs/src/a.md", "# A\n"),
            ],
            &["docs/x.md", "docs/src/hid/x.md", "README.md"],
        );
        assert_eq!(published, ["docs/src/a.md /articles/a"], "{program}");
        assert_eq!(problems, [""; 0], "{program}");
    }
}

#[test]
fn contract_6_a_folder_of_vitepress_that_is_computed_withholds_the_site() {
    for (dir, why) in [
        ("process.env.DOCS ?? 'src'", "a program computes it"),
        (
            "'../../text'",
            "`../../text` is outside the folder that is read",
        ),
    ] {
        let program = format!("export default {{ srcDir: {dir} }}");
        let (published, problems) = vitepress(&program, &[], &["docs/x.md", "docs/src/x.md"]);
        assert_eq!(published, [""; 0]);
        let says = format!("docs/.vitepress/config.mts:1:26: `srcDir` is not read: {why}");
        assert_eq!(problems, [says]);
    }
}

#[test]
fn contract_6_settings_of_vitepress_that_are_not_read_are_told() {
    for (program, says) in [
        (
            "import base from '../../../shared/base.mjs'\nexport default { extends: base }",
            "2:27: warning: what `extends` names is not read whole",
        ),
        (
            "import { shared } from 'elsewhere'\nexport default defineConfig({ ...shared })",
            "2:29: warning: the configuration is not read whole",
        ),
        (
            "export default mergeConfig({ title: 'A' }, more)",
            "1:28: warning: the configuration is not read whole",
        ),
    ] {
        let (published, problems) = vitepress(program, &[("docs/a.md", "# A\n")], &[]);
        assert_eq!(published, ["docs/a.md /articles/a"]);
        let end = ": a program computes a part of it, and what that excludes may be published";
        assert_eq!(
            problems,
            [format!("docs/.vitepress/config.mts:{says}{end}")]
        );
    }
}

#[test]
fn rule_26_vitepress_never_takes_some_texts_for_pages() {
    let secret = [
        "docs/dist/x.md",
        "docs/guide/dist/x.md",
        "docs/pkg/[pkg].md",
        "docs/[lang]/index.md",
    ];
    let files = [
        (".vitepress/config.mts", "export default {}"),
        ("docs/a.md", "# A\n\n![](dist/p.png)\n"),
        ("docs/dist/p.png", "x"),
        ("docs/distance.md", "# B\n"),
    ];
    let library = canaries_in(&[".vitepress"], &files, &secret);
    let expected = [
        "docs/a.md /articles/a",
        "docs/dist/p.png /articles/dist/p.png",
        "docs/distance.md /articles/distance",
    ];
    assert_eq!(published(&library), expected);
    let reasons = &library.report.skipped;
    let template = "a template of pages: its path has a parameter";
    assert_eq!(reasons[template].len(), 2, "{reasons:?}");
}

#[test]
fn rule_26_a_readme_that_vitepress_rewrites_is_a_page() {
    let (published, _) = vitepress(
        "export default { rewrites: { 'README.md': 'index.md', ':x/README.md': ':x/index.md' } }",
        &[
            ("docs/README.md", "# Home\n\nWords.\n"),
            ("docs/guide/README.md", "# Guide\n"),
            ("docs/guide/a.md", "# A\n"),
        ],
        &["docs/guide/deep/README.md", "README.md"],
    );
    let expected = [
        "docs/README.md /index",
        "docs/guide/README.md /articles/guide",
        "docs/guide/a.md /articles/guide/a",
    ];
    assert_eq!(published, expected);
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
