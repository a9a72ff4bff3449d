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

fn docusaurus(program: &str) -> Vec<(&str, &str)> {
    vec![
        ("docusaurus.config.js", program),
        (
            "cfg.js",
            "exports.docs = { exclude: ['hid/**'], path: 'text' };",
        ),
        (
            "all.js",
            "module.exports = { docs: { exclude: ['hid/**'], path: 'text' } };",
        ),
        ("text/a.md", "# A\n"),
    ]
}

#[test]
fn rule_26_the_folder_of_a_plug_in_of_docusaurus_may_be_joined_spread_or_imported() {
    for program in [
        "const path = require('path');\nmodule.exports = { presets: [['classic', { docs: { path: path.join(__dirname, 'text'), exclude: ['hid/**'] } }]] };",
        "const {resolve} = require('path');\nconst at = resolve(__dirname, 'x', '../text');\nmodule.exports = { presets: [['classic', { docs: { path: at, exclude: ['hid/**'] } }]] };",
        "module.exports = { presets: [['classic', { docs: { path: `${__dirname}/text`, exclude: ['hid/**'] } }]] };",
        "import { fileURLToPath } from 'node:url';\nexport default { presets: [['classic', { docs: { path: fileURLToPath(new URL('./text', import.meta.url)), exclude: ['hid/**'] } }]] };",
        "module.exports = { presets: [['classic', { docs: { path: __dirname + '/text', exclude: ['hid/**'] } }]] };",
        "module.exports = { presets: [['classic', { docs: { path: require('path').resolve(__dirname, './text'), exclude: ['hid/**'] } }]] };",
        "const {docs} = require('./cfg');\nmodule.exports = { presets: [['classic', { docs: {...docs, sidebarPath: undefined} }]] };",
        "const {docs: own} = require('./all');\nmodule.exports = { presets: [['classic', { docs: {path: 'docs', ...own} }]] };",
        "const common = { path: 'docs', exclude: ['hid/**'] };\nmodule.exports = { presets: [['classic', { docs: {...common, path: 'text'} }]] };",
    ] {
        let library = canaries(
            &docusaurus(program),
            &["docs/internal.md", "text/hid/x.md", "README.md"],
        );
        assert_eq!(published(&library), ["text/a.md /articles/a"], "{program}");
        assert_eq!(problems(&library), [""; 0], "{program}");
    }
}

#[test]
fn contract_6_an_instance_of_docusaurus_in_a_computed_folder_is_withheld() {
    let program = "module.exports = {\n  presets: [['classic', { docs: { path: process.env.TEXT || 'two' } }]] };";
    let files = docusaurus(program);
    let secret = ["docs/x.md", "two/x.md", "versioned_docs/version-1.0/x.md"];
    let library = canaries(&files[..1], &secret);
    assert_eq!(published(&library), [""; 0]);
    let says = "docusaurus.config.js:2:41: `docs.path` is not read: a program computes it";
    assert_eq!(problems(&library), [says]);
    // Others are not.
    let mut files = files[..1].to_vec();
    files.push(("blog/2024-01-02-a.md", "# A\n"));
    let library = canaries(&files, &secret);
    let expected = ["blog/2024-01-02-a.md /articles/blog/2024-01-02-a"];
    assert_eq!(published(&library), expected);
    assert_eq!(problems(&library), [says]);
}

#[test]
fn contract_6_options_of_docusaurus_that_are_not_read_are_told() {
    for (program, says) in [
        (
            "import docs from 'elsewhere';\nexport default { presets: [['classic', { docs: { ...docs } }]] };",
            "2:48: warning: `docs` is not read whole: a program computes a part of it, and what that excludes may be published",
        ),
        (
            "import preset from 'elsewhere';\nexport default { presets: [preset] };",
            "2:28: warning: `presets` is not read whole: a program computes a part of it, and what that excludes may be published",
        ),
        (
            "export default { presets: [['classic', { blog: false }]],\n markdown: { parseFrontMatter: async (p) => p } };",
            "2:45: warning: `markdown.parseFrontMatter` is not read: a text that it makes a draft may be published",
        ),
    ] {
        let library = canaries(
            &[("docusaurus.config.js", program), ("docs/a.md", "# A\n")],
            &[],
        );
        assert_eq!(problems(&library), [format!("docusaurus.config.js:{says}")]);
    }
}

#[test]
fn rule_26_docusaurus_without_versions_publishes_its_folder_alone() {
    check_canaries(
        &[
            (
                "docusaurus.config.js",
                "module.exports = { presets: [['classic', { docs: { disableVersioning: true } }]] };",
            ),
            ("docs/a.md", "# A\n"),
            ("versions.json", "[\"1.0\"]"),
        ],
        &[
            "versioned_docs/version-1.0/a.md",
            "versioned_docs/version-1.0/old.md",
        ],
        &["docs/a.md /articles/a"],
    );
}

#[test]
fn rule_26_languages_of_docusaurus_have_folders_and_may_have_no_translations() {
    const TEXTS: &str = "docusaurus-plugin-content-docs/current";
    let path = |language: &str, name: &str| format!("i18n/{language}/{TEXTS}/{name}");
    let (french, english) = (path("fr-FR", "a.md"), path("en", "b.md"));
    let library = canaries(
        &[
            (
                "docusaurus.config.js",
                "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'de'], localeConfigs: { fr: { path: 'fr-FR' }, de: { translate: false } } } };",
            ),
            ("docs/a.md", "# A\n\n[B](b.md)\n"),
            (&french, "# A\n"),
            (&english, "# B\n\n[A](a.md)\n"),
        ],
        &[
            "docs/b.md",
            &path("fr", "a.md"),
            &path("de", "a.md"),
            &path("en", "only.md"),
            "i18n/fr-FR/docusaurus-plugin-content-docs/version-1.0/a.md",
            "i18n/fr-FR/docusaurus-plugin-content-docs-two/current/a.md",
        ],
    );
    assert_eq!(
        published(&library),
        [
            "docs/a.md /articles/a".to_owned(),
            format!("{english} /articles/b"),
            format!("{french} /articles/fr/a"),
        ]
    );
    assert_eq!(problems(&library), [""; 0]);
    let alone = canaries(
        &[("docusaurus.config.js", ""), (&english, "# B\n")],
        &["docs/b.md"],
    );
    assert_eq!(published(&alone), [format!("{english} /articles/b")]);
    let languages = library.articles.iter();
    let languages: Vec<_> = languages.map(|one| &*one.language).collect();
    assert_eq!(languages, ["en", "en", "fr"]);
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
        "import theme from '@x/theme'\nexport default defineConfigWithTheme<ThemeConfig>({ extends: { title: theme.title }, srcDir: 'src', srcExclude: ['hid/**'] })",
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
