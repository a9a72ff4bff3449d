//! What of a folder MkDocs and Zensical publish.

use super::*;

/// Texts of a site with this configuration, and what must not be published.
fn check(config: &str, public: &[&str], secret: &[&str]) {
    check_with(&[("mkdocs.yml", config)], public, secret);
}

fn check_with(config: &[(&str, &str)], public: &[&str], secret: &[&str]) {
    let mut files = config.to_vec();
    files.extend(public.iter().map(|path| (*path, "# T\n\nwords\n")));
    let library = super::scope::canaries(&files, secret);
    assert_eq!(texts_of(&library), public, "{config:?}");
}

#[test]
fn rule_26_an_allow_list_of_mkdocs_allows_nothing_else() {
    check(
        "site_name: S\nexclude_docs: |\n  *\n  !*/\n  !public.md\n  !index.md\n  !pub/**\n",
        &[
            "docs/index.md",
            "docs/pub/a.md",
            "docs/pub/b/c.md",
            "docs/public.md",
            "docs/sub/public.md",
        ],
        &["docs/secret.md", "docs/sub/secret.md"],
    );
    check(
        "site_name: S\nexclude_docs: |\n  *\n  !index.md\n  !guide/**\n",
        &["docs/guide/a.md", "docs/guide/b/c.md", "docs/index.md"],
        &["docs/x.md"],
    );
    check(
        "site_name: S\nexclude_docs: '*.md'\ndraft_docs: '!*.md'\n",
        &[],
        &["docs/x.md"],
    );
}

#[test]
fn rule_26_exclusions_of_mkdocs_count_from_its_folder_of_texts() {
    check(
        "site_name: S\nexclude_docs: |\n  drafts/\n  !keep/drafts/\n  /docs/\n",
        &["docs/index.md", "docs/keep/drafts/b.md"],
        &["docs/docs/x.md", "docs/drafts/a.md"],
    );
    check(
        "site_name: S\nplugins:\n  - exclude:\n      glob: ['docs/*']\n",
        &["docs/index.md"],
        &["docs/docs/x.md"],
    );
}

#[test]
fn rule_26_sets_and_escapes_in_exclusions_of_mkdocs_are_exact() {
    check(
        "site_name: S\nexclude_docs: |\n  v[12].md\n  a\\ b.md\n",
        &["docs/index.md", "docs/v3.md"],
        &["docs/a b.md", "docs/v1.md", "docs/v2.md"],
    );
}
