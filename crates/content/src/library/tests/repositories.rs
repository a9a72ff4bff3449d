//! Habits of public repositories that were read whole.

use super::*;

/// The stems of all articles and pages, and the paths of all files.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    let texts = library.articles.iter().chain(&library.pages);
    let mut public: Vec<String> = texts.map(|text| text.stem.to_string()).collect();
    public.extend(library.files.iter().map(|file| file.path.to_string()));
    public.sort();
    assert_eq!(public, expected);
    let broken: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(
        !broken
            .iter()
            .any(|problem| problem.contains("set aside") || problem.contains("not published")),
        "{broken:?}"
    );
}

#[test]
fn rule_26_the_index_of_documents_beside_a_blog_is_published() {
    check(
        &[
            ("docusaurus.config.js", "export default { title: 'T' }"),
            ("versions.json", "[\"stable\"]"),
            ("blog/2024-01-02-x.md", "# Post\n\nwords\n"),
            (
                "versioned_docs/version-stable/index.md",
                "# Documents\n\nwords\n",
            ),
            (
                "versioned_docs/version-stable/a.md",
                "# A\n\n[index](index.md)\n",
            ),
        ],
        &[
            "/articles/a",
            "/articles/blog/2024-01-02-x",
            "/articles/docs",
        ],
    );
}

#[test]
fn rule_31_a_copied_file_at_the_address_of_a_page_is_published() {
    check(
        &[
            ("next.config.js", ""),
            ("package.json", "{\"dependencies\":{\"nextra\":\"4\"}}"),
            ("content/a/b.mdx", "# B\n\n[values](values.yaml)\n"),
            ("public/a/values.yaml", "x: 1\n"),
            ("public/a/other.yaml", "x: 1\n"),
        ],
        &["/a/values.yaml", "/articles/a/b"],
    );
}

#[test]
fn rule_26_wikilinks_in_code_make_no_vault() {
    let kind = |text: &str| {
        let files = [("a.md", text), ("b.md", text), ("c.md", "words")];
        let sources = sources(&files);
        let kind = crate::dialects::Kind::detect(&crate::dialects::Evidence::new(&sources), None);
        kind.dialect.name
    };
    assert_eq!(kind("a [[Note]]\n"), "obsidian");
    assert_eq!(kind("> - [[Note]]\n"), "obsidian");
    assert_eq!(kind("```\n[[x]]\n```\n[[Note]]\n"), "obsidian");
    assert_eq!(kind("`x` [[Note]]\n"), "obsidian");
    assert_eq!(kind("```toml\n[[taxonomies]]\n```\n"), "plain");
    assert_eq!(kind("    [[taxonomies]]\n"), "plain");
    assert_eq!(kind("the attribute `#[[lang]]`\n"), "plain");
}

#[test]
fn rule_50_a_slug_that_is_the_name_of_a_page_of_ours_is_used_in_its_folder() {
    check(
        &[
            ("docusaurus.config.js", "module.exports = {};"),
            ("docs/a.md", "---\nslug: index\n---\n\nA.\n"),
            ("docs/tutorials/b.md", "---\nslug: index\n---\n\nB.\n"),
        ],
        &["/articles/a", "/articles/tutorials"],
    );
}

#[test]
fn rule_27_metadata_of_a_folder_of_quarto_is_front_matter_of_its_texts() {
    let library = build(&[
        ("_quarto.yml", "project:\n  type: website\n"),
        ("a.qmd", "# A\n\n{{< meta tool.name >}}\n"),
        ("b/_metadata.yml", "tool:\n  name: B's\n"),
        ("b/b.qmd", "# B\n\n{{< meta tool.name >}} words\n"),
        ("c/_metadata.yml", "draft: true\n"),
        ("c/c.qmd", "# C\n\nwords\n"),
    ]);
    assert_eq!(twin(&library, "/articles/b/b"), "B's words");
    let stems = library.articles.iter().chain(&library.pages);
    assert!(
        stems
            .map(|text| &*text.stem)
            .all(|stem| stem != "/articles/c/c")
    );
}

#[test]
fn rule_49_links_to_a_text_that_is_a_redirect_lead_where_it_leads() {
    let library = build(&[
        ("config.toml", "base_url = 'https://x.example'\n"),
        (
            "content/docs/_index.md",
            "+++\ntitle = 'D'\nredirect_to = 'docs/overview'\n+++\n",
        ),
        (
            "content/docs/overview.md",
            "+++\ntitle = 'O'\n+++\n\n[docs](@/docs/_index.md)\n",
        ),
        (
            "content/docs/old.md",
            "+++\ntitle = 'X'\nredirect_to = '../docs/overview.html'\n+++\n",
        ),
        (
            "content/docs/away.md",
            "+++\nredirect_to = 'https://else.example/'\n+++\n",
        ),
        (
            "content/a.md",
            "+++\n+++\n\n[old](docs/old.md) [away](@/docs/away.md)\n",
        ),
    ]);
    assert_eq!(
        twin(&library, "/articles/a"),
        "[old](https://example.org/articles/docs/overview.md) [away](https://else.example/)"
    );
    assert_eq!(
        twin(&library, "/articles/docs/overview"),
        "[docs](https://example.org/articles/docs/overview.md)"
    );
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(
        !problems.iter().any(|one| one.contains("redirect")),
        "{problems:?}"
    );
}

#[test]
fn rule_49_texts_that_redirect_to_each_other_are_followed_to_a_page() {
    let library = build(&[
        ("articles/a.md", "---\nredirect_to: /articles/b\n---\n"),
        ("articles/b.md", "---\nredirect_to: /articles/c\n---\n"),
        ("articles/c.md", "# C\n"),
        (
            "articles/round.md",
            "---\nredirect_to: /articles/round\n---\n",
        ),
        (
            "articles/nowhere.md",
            "---\nredirect_to: /nowhere-else\n---\n",
        ),
        ("articles/x.md", "[a](a.md) [r](round.md) [n](nowhere.md)\n"),
    ]);
    assert_eq!(
        twin(&library, "/articles/x"),
        "[a](https://example.org/articles/c.md) r n"
    );
    let broken = library.problems.iter().map(ToString::to_string);
    let broken: Vec<String> = broken.filter(|one| one.contains("no page")).collect();
    assert_eq!(
        broken,
        [
            "articles/x.md:1:11: warning: the link leads to `articles/round.md`, which redirects to no page",
            "articles/x.md:1:25: warning: the link leads to `articles/nowhere.md`, which redirects to no page",
        ]
    );
}

#[test]
fn rule_31_a_shown_picture_in_a_private_folder_is_published() {
    check(
        &[
            ("next.config.js", ""),
            ("package.json", "{\"dependencies\":{\"nextra\":\"4\"}}"),
            ("app/a/page.mdx", "# A\n\n![](./_logos/a.png) words\n"),
            ("app/a/_logos/a.png", "x"),
            ("app/a/_logos/b.png", "x"),
            ("app/a/_parts/c.md", "words"),
        ],
        &["/articles/a", "/articles/a/_logos/a.png"],
    );
}

#[test]
fn rule_31_a_picture_that_a_tag_names_from_the_assets_is_published() {
    check(
        &[
            ("hugo.toml", "title = 'T'"),
            (
                "content/a.md",
                "A.\n\n{{< figure src=\"images/a.png\" >}}\n\n![](/images/b.png)\n",
            ),
            ("assets/images/a.png", "x"),
            ("assets/images/b.png", "x"),
            ("assets/images/c.png", "x"),
        ],
        &[
            "/articles/a",
            "/assets/images/a.png",
            "/assets/images/b.png",
        ],
    );
}

#[test]
fn rule_49_aliases_of_hugo_count_from_their_page() {
    let library = build(&[
        (
            "hugo.toml",
            "defaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n[languages.bn]\ncontentDir = 'content/bn'\n",
        ),
        (
            "content/en/docs/a.md",
            "---\ntitle: A\naliases: [old, ../up/, /rooted/x/]\n---\nwords\n",
        ),
        (
            "content/bn/docs/a.md",
            "---\ntitle: B\naliases: [old]\n---\nwords\n",
        ),
    ]);
    let to = |address: &str| {
        let found = library
            .redirects
            .iter()
            .find(|(old, _)| old.as_str() == address);
        found.map(|(_, to)| to.to_string()).unwrap_or_default()
    };
    let own = to("/rooted/x/");
    assert!(!own.is_empty());
    assert_eq!(to("/docs/old"), own);
    assert_eq!(to("/up/"), own);
    assert_ne!(to("/bn/docs/old"), own);
    assert!(!to("/bn/docs/old").is_empty());
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(
        !problems.iter().any(|one| one.contains("old address")),
        "{problems:?}"
    );
}
