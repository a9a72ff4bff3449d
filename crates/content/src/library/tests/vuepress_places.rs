//! Where VuePress is recognised.

use super::*;

/// The texts that are published of these, beside other files.
fn published(files: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords.\n"));
    let files: Vec<(&str, &str)> = files.iter().copied().chain(texts).collect();
    published_texts(&files)
}

const PATTERNS: &str = "module.exports = { pagePatterns: ['**/*.md', '!drafts/**'] };\n";

#[test]
fn rule_26_the_configuration_of_vuepress_may_be_beside_its_folder() {
    let texts = ["docs/README.md", "docs/a.md", "docs/drafts/d.md", "plan.md"];
    let expected = ["docs/README.md", "docs/a.md"];
    for file in ["vuepress.config.js", "vuepress.config.ts"] {
        assert_eq!(published(&[(file, PATTERNS)], &texts), expected);
    }
    // The folder is the one that a script names.
    let texts = ["blog/README.md", "blog/a.md", "blog/drafts/d.md", "plan.md"];
    let expected = ["blog/README.md", "blog/a.md"];
    let package = |script: &str| format!("{{\"scripts\": {{\"build\": \"{script}\"}}}}");
    for script in ["vuepress build blog", "vuepress-vite build --clean ./blog"] {
        let package = package(script);
        let package = ("package.json", package.as_str());
        for file in ["vuepress.config.js", "blog/.vuepress/config.js"] {
            let found = published(&[package, (file, PATTERNS)], &texts);
            assert_eq!(found, expected, "{script} {file}");
        }
    }
}

#[test]
fn rule_26_the_configuration_of_vuepress_may_be_data() {
    let texts = ["docs/README.md", "docs/drafts/d.md", "plan.md"];
    for (file, text) in [
        (
            "docs/.vuepress/config.yml",
            "patterns: ['**/*.md', '!drafts/**']\n",
        ),
        (
            "docs/.vuepress/config.toml",
            "patterns = [\"**/*.md\", \"!drafts/**\"]\n",
        ),
    ] {
        assert_eq!(published(&[(file, text)], &texts), ["docs/README.md"]);
    }
}

#[test]
fn rule_26_vuepress_needs_no_configuration() {
    let texts = ["docs/README.md", "docs/a.md", "plan.md"];
    let expected = ["docs/README.md", "docs/a.md"];
    let logo = ("docs/.vuepress/public/logo.png", "x");
    let files = [logo, ("docs/README.md", "# T\n\nWords.\n")];
    let mut sources = sources(&files);
    sources.hidden.insert("docs/.vuepress".to_owned());
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(texts_of(&library), ["docs/README.md"]);
    assert_eq!(library.files[0].path.to_string(), "/logo.png");
    let package = (
        "package.json",
        "{\"scripts\": {\"b\": \"vuepress build docs\"}}",
    );
    assert_eq!(published(&[package, logo], &texts), expected);
    // A project that only depends on it.
    let package = (
        "package.json",
        "{\"devDependencies\": {\"vuepress\": \"2\"}}",
    );
    assert!(published(&[package], &texts).contains(&"plan.md".to_owned()));
}

#[test]
fn rule_26_posts_of_a_vuepress_theme_are_not_those_of_jekyll() {
    let config = (".vuepress/config.js", PATTERNS);
    let texts = [
        "README.md",
        "_posts/2020-01-02-p.md",
        "drafts/d.md",
        "g/README.md",
    ];
    assert_eq!(
        published(&[config], &texts),
        ["README.md", "_posts/2020-01-02-p.md", "g/README.md"]
    );
}
