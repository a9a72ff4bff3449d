//! Generators of documentation without a kind of their own: what they leave out.

use super::*;

/// The sources of the published texts.
fn shown(config: (&str, &str), texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
    let files: Vec<(&str, &str)> = std::iter::once(config).chain(texts).collect();
    texts_of(&build(&files))
}

#[test]
fn retype_leaves_out_what_exclude_names() {
    let config = "input: docs\nbranding:\n  title: Boats\nexclude:\n  - drafts/\n  - '*_temp/'\n  - /src/temp.md\ninclude:\n  - drafts/kept.md\n";
    let texts = [
        "README.md",
        "docs/a.md",
        "docs/drafts/b.md",
        "docs/drafts/kept.md",
        "docs/src/temp.md",
        "docs/x/src/temp.md",
        "docs/x_temp/c.md",
    ];
    assert_eq!(
        shown(("retype.yml", config), &texts),
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
            shown(("rspress.config.ts", config), &texts),
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
        "const base = { route: { exclude: ['a.md'] } };\nexport default defineConfig({ ...base });",
        &["docs/component/b.mdx", "docs/x/component/c.mdx"],
    );
    check(
        "export default { route: { exclude: [...more, 'component/**/*'] } };",
        &["docs/a.md", "docs/x/component/c.mdx"],
    );
}

#[test]
fn observable_framework_and_documenter_publish_their_folder() {
    let texts = ["README.md", "docs/src/a.md", "src/b.md", "test/c.md"];
    let check = |config: (&str, &str), expected: &[&str]| {
        assert_eq!(shown(config, &texts), expected, "{config:?}");
    };
    check(
        ("observablehq.config.js", "export default { title: 'T' }"),
        &["src/b.md"],
    );
    check(
        ("observablehq.config.ts", "export default { root: 'docs' }"),
        &["docs/src/a.md"],
    );
    check(
        ("docs/make.jl", "makedocs(sitename = \"T\")"),
        &["docs/src/a.md"],
    );
}
