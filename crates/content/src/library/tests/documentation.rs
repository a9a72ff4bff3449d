//! Generators of documentation without a kind of their own: what they leave out.

use super::*;

/// The sources of the published texts.
fn shown(configs: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
    let files: Vec<(&str, &str)> = configs.iter().copied().chain(texts).collect();
    texts_of(&build(&files))
}

#[test]
fn retype_leaves_out_what_exclude_names() {
    let config = "input: docs\nbranding:\n  title: Boats\nexclude:\n  - drafts/\n  - '*_temp/'\n  - /src/temp.md\ninclude:\n  - drafts/\n  - '!drafts/b.md'\n";
    let texts = [
        "README.md",
        "docs/a.md",
        "docs/drafts/b.md",
        "docs/drafts/kept.md",
        "docs/src/temp.md",
        "docs/x/src/temp.md",
        "docs/x_temp/c.md",
        "docs/built.md",
    ];
    assert_eq!(
        shown(
            &[
                ("retype.yml", config),
                ("retype.build.yml", "exclude: [built.md]\n")
            ],
            &texts
        ),
        ["docs/a.md", "docs/drafts/kept.md", "docs/x/src/temp.md"]
    );
    let files = [("retype.yml", config), ("docs/a.md", "A.")];
    let settings = crate::dialects::settings(&sources(&files), None);
    assert_eq!(settings.title.as_deref(), Some("Boats"));
}

#[test]
fn rspress_leaves_out_what_has_no_route() {
    let texts = [
        "README.md",
        "docs/a.md",
        "docs/component/b.mdx",
        "docs/x/component/c.mdx",
    ];
    let check = |config: &str, expected: &[&str]| {
        assert_eq!(
            shown(&[("rspress.config.ts", config)], &texts),
            expected,
            "{config}"
        );
    };
    check(
        "export default defineConfig({ root: 'docs', route: { exclude: ['component/**/*'] }, plugins: [p({ exclude: ['a.md'] })] });",
        &["docs/a.md", "docs/x/component/c.mdx"],
    );
    check("export default { title: 'T' };", &texts[1..]);
    check(
        "import * as path from 'node:path';\nexport default defineConfig({ root: path.join(__dirname, 'docs'), route: { exclude: ['a.md'] } });",
        &["docs/component/b.mdx", "docs/x/component/c.mdx"],
    );
    check(
        "const base = { route: { exclude: ['a.md'] } };\nexport default defineConfig({ ...base });",
        &["docs/component/b.mdx", "docs/x/component/c.mdx"],
    );
    check(
        "export default { route: { exclude: isDevelopment ? [] : ['a.md'] } };",
        &["docs/component/b.mdx", "docs/x/component/c.mdx"],
    );
    check(
        "export default { route: { exclude: [...more, 'component/**/*'] } };",
        &["docs/a.md", "docs/x/component/c.mdx"],
    );
}

#[test]
fn observable_framework_publishes_its_root_without_templates() {
    let config = |text| ("observablehq.config.js", text);
    let check = |config: (&str, &str), texts: &[&str], expected: &[&str]| {
        assert_eq!(shown(&[config], texts), expected, "{config:?}");
    };
    let texts = [
        "README.md",
        "src/[product].md",
        "src/[x]/a.md",
        "src/b.md",
        "test/c.md",
    ];
    check(
        config("export default { title: 'T' }"),
        &texts,
        &["src/b.md"],
    );
    check(
        config("export default { root: 'test' }"),
        &texts,
        &["test/c.md"],
    );
    let both = ["docs/a.md", "src/b.md"];
    check(config("export default {}"), &both, &["docs/a.md"]);
}

#[test]
fn documenter_publishes_its_source_or_the_pages_that_it_names() {
    let texts = ["README.md", "docs/src/a.md", "docs/src/b/c.md", "test/d.md"];
    let check = |program: &str, expected: &[&str]| {
        let shown = shown(&[("docs/make.jl", program)], &texts);
        assert_eq!(shown, expected, "{program}");
    };
    check("makedocs(sitename = \"T\")", &texts[1..3]);
    check(
        "makedocs(pagesonly = true, pages = [\"One\" => \"b/c.md\"])",
        &["docs/src/b/c.md"],
    );
}

#[test]
fn rule_45_the_default_language_and_version_of_rspress_are_not_in_addresses() {
    let old = |config: &'static str, texts: &[&'static str]| {
        let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
        let config = [("rspress.config.ts", config)];
        let files: Vec<(&str, &str)> = config.into_iter().chain(texts).collect();
        let library = build(&files);
        assert_eq!(library.problems.len(), 0, "{:?}", library.problems);
        former(&library)
    };
    let check = |old: &[String], expected: &[&str]| {
        for expected in expected {
            assert!(old.iter().any(|one| one == expected), "{expected}: {old:?}");
        }
    };
    let languages = old(
        "export default { lang: 'en' }",
        &[
            "docs/en/index.md",
            "docs/en/guide/a.md",
            "docs/en/guide/index.md",
            "docs/zh/guide/a.md",
        ],
    );
    check(
        &languages,
        &[
            "/guide/a.html /articles/en/guide/a",
            "/guide.html /articles/en/guide",
            "/zh/guide/a.html /articles/zh/guide/a",
        ],
    );
    let versions = old(
        "export default { lang: 'en', multiVersion: { default: 'v2', versions: ['v1', 'v2'] } }",
        &[
            "docs/v2/en/a.md",
            "docs/v2/zh/a.md",
            "docs/v1/en/a.md",
            "docs/v1/zh/a.md",
        ],
    );
    check(
        &versions,
        &[
            "/a.html /articles/v2/en/a",
            "/zh/a.html /articles/v2/zh/a",
            "/v1/a.html /articles/v1/en/a",
            "/v1/zh/a.html /articles/v1/zh/a",
        ],
    );
}
