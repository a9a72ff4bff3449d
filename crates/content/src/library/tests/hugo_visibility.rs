//! Hugo: which pages and files its build writes.

use super::scope::everything;
use super::*;

/// Checks that a site shows the files whose text begins with `SHOWN`, and nothing that is `SECRET`.
fn check(config: &str, files: &[(&str, &str)]) {
    let library = build(&[&[("hugo.toml", config)], files].concat());
    let all = everything(&library);
    assert!(!all.contains("SECRET"), "{config}\n{all}");
    for (path, text) in files {
        let named = format!("SHOWN {path}");
        if text.contains(&named) {
            assert!(all.contains(&named), "{path}\n{config}\n{all}");
        }
    }
}

const LANGUAGES: &str = "[languages.en]\n[languages.de]\n";

#[test]
fn rule_26_a_text_beside_a_page_of_hugo_is_not_published_when_linked() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            (
                "content/posts/ok.md",
                "SHOWN content/posts/ok.md [a](d/chapter.md) [b](e/x.md) [c](e/README.md)",
            ),
            ("content/posts/d/index.md", "---\ndraft: true\n---\nSECRET"),
            ("content/posts/d/chapter.md", "SECRET"),
            ("content/posts/e/index.md", "SHOWN content/posts/e/index.md"),
            ("content/posts/e/x.md", "SECRET"),
            ("content/posts/e/README.md", "SECRET"),
        ],
    );
}

#[test]
fn rule_26_a_linked_text_inherits_from_its_section() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            (
                "content/a.md",
                "SHOWN content/a.md [r](s/README.md) [o](t/README.md)",
            ),
            (
                "content/s/_index.md",
                "---\ncascade: {draft: true}\n---\nSECRET",
            ),
            ("content/s/README.md", "SECRET"),
            ("content/t/README.md", "SHOWN content/t/README.md"),
        ],
    );
}

#[test]
fn rule_26_a_cascade_of_a_page_is_for_itself() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            ("content/n.md", "---\ncascade: {draft: true}\n---\nSECRET"),
            (
                "content/o.md",
                "---\ncascade: [{expiryDate: 2001-01-01}]\n---\nSECRET",
            ),
            (
                "content/m/index.md",
                "---\ncascade: {build: {render: never}}\n---\nSECRET",
            ),
            ("content/m/plan.txt", "SECRET"),
            (
                "content/p.md",
                "---\ndraft: false\ncascade: {draft: true}\n---\nSHOWN content/p.md",
            ),
        ],
    );
}

#[test]
fn rule_26_a_cascade_is_for_the_language_of_its_section() {
    check(
        LANGUAGES,
        &[
            (
                "content/f/_index.md",
                "---\ncascade: {draft: true}\n---\nSECRET",
            ),
            (
                "content/f/_index.de.md",
                "---\ncascade: {draft: false}\n---\nSection.",
            ),
            ("content/f/x.md", "SECRET"),
            ("content/f/x.de.md", "SHOWN content/f/x.de.md"),
            (
                "content/g/_index.de.md",
                "---\ncascade: {draft: true}\n---\nSECRET",
            ),
            ("content/g/y.md", "SHOWN content/g/y.md"),
            ("content/g/y.de.md", "SECRET"),
        ],
    );
}

#[test]
fn rule_26_a_cascade_in_the_configuration_may_be_for_a_language() {
    let files = [
        ("content/x.md", "SHOWN content/x.md"),
        ("content/x.de.md", "SECRET"),
    ];
    for cascade in [
        "[languages.de.cascade]\ndraft = true\n",
        "[[cascade]]\ndraft = true\n[cascade.target.sites.matrix]\nlanguages = ['de']\n",
        "[[cascade]]\ndraft = true\n[cascade.target.sites.matrix]\nlanguages = 'd*'\n",
        "[[cascade]]\ndraft = true\n[cascade.target]\nlang = '{de,fr}'\n",
    ] {
        check(&format!("{LANGUAGES}{cascade}"), &files);
    }
}

#[test]
fn rule_26_kinds_and_environments_of_a_cascade_are_patterns() {
    let home = |target: &str| {
        format!("---\ncascade:\n  draft: true\n  target: {target}\n---\nSHOWN content/_index.md")
    };
    for (target, page, section, term, taxonomy) in [
        ("{kind: term}", "SHOWN", "SHOWN", "SECRET", "SHOWN"),
        (
            "{kind: '{taxonomy,term}'}",
            "SHOWN",
            "SHOWN",
            "SECRET",
            "SECRET",
        ),
        ("{kind: '{p*,s*}'}", "SECRET", "SECRET", "SHOWN", "SHOWN"),
        (
            "{kind: page, environment: 'prod*'}",
            "SECRET",
            "SHOWN",
            "SHOWN",
            "SHOWN",
        ),
        (
            "{kind: page, environment: 'dev*'}",
            "SHOWN",
            "SHOWN",
            "SHOWN",
            "SHOWN",
        ),
    ] {
        let text = |mark: &str, path: &str| format!("{mark} {path}");
        check(
            "baseURL = 'https://e.org'\n",
            &[
                ("content/_index.md", &home(target)),
                ("content/a/y.md", &text(page, "content/a/y.md")),
                ("content/a/_index.md", &text(section, "content/a/_index.md")),
                (
                    "content/tags/_index.md",
                    &text(taxonomy, "content/tags/_index.md"),
                ),
                (
                    "content/tags/x/_index.md",
                    &text(term, "content/tags/x/_index.md"),
                ),
            ],
        );
    }
}

#[test]
fn rule_26_pages_of_kinds_that_are_not_built_are_not_published() {
    let check = |kinds: &str, marks: [&str; 4]| {
        let paths = [
            "content/a/y.md",
            "content/a/_index.md",
            "content/a/file.txt",
            "content/topics/x/_index.md",
        ];
        let texts: Vec<String> = (paths.iter().zip(marks))
            .map(|(path, mark)| format!("{mark} {path}"))
            .collect();
        let files: Vec<(&str, &str)> =
            (paths.iter().copied().zip(texts.iter().map(String::as_str))).collect();
        check(
            &format!("disableKinds = [{kinds}]\n[taxonomies]\ntopic = 'topics'\n"),
            &files,
        );
    };
    check("", ["SHOWN"; 4]);
    check("'RSS', '404'", ["SHOWN"; 4]);
    check("'section'", ["SHOWN", "SECRET", "SECRET", "SHOWN"]);
    check("'taxonomy', 'Term'", ["SHOWN", "SHOWN", "SHOWN", "SECRET"]);
    check("'page'", ["SECRET", "SHOWN", "SHOWN", "SHOWN"]);
}

#[test]
fn rule_26_files_of_a_section_that_is_not_published_are_not_either() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            ("content/a/_index.md", "---\ndraft: true\n---\nSECRET"),
            ("content/a/plan.txt", "SECRET"),
            ("content/a/deep/plan.txt", "SECRET"),
            ("content/a/x.md", "SHOWN content/a/x.md"),
            ("content/a/b/index.md", "SHOWN content/a/b/index.md"),
            ("content/a/b/b.txt", "SHOWN content/a/b/b.txt"),
            ("content/c/_index.md", "---\ndraft: true\n---\n"),
            ("content/c/plan.txt", "SECRET"),
            (
                "content/d/_index.md",
                "---\nexpiryDate: 2001-01-01\n---\nSECRET",
            ),
            ("content/d/plan.txt", "SECRET"),
            // A section without words, and one that is the home page.
            ("content/e/_index.md", "---\ntitle: E\n---\n"),
            ("content/e/e.txt", "SHOWN content/e/e.txt"),
            ("content/_index.md", "---\ntitle: H\n---\n"),
            ("content/h.txt", "SHOWN content/h.txt"),
        ],
    );
}

#[test]
fn rule_26_a_file_of_a_bundle_belongs_to_the_text_in_its_language() {
    check(
        LANGUAGES,
        &[
            ("content/b/index.md", "---\ndraft: true\n---\nSECRET"),
            ("content/b/index.de.md", "SHOWN content/b/index.de.md"),
            ("content/b/plan.txt", "SECRET"),
            ("content/b/b.de.txt", "SHOWN content/b/b.de.txt"),
            ("content/c/index.md", "SHOWN content/c/index.md"),
            ("content/c/index.de.md", "---\ndraft: true\n---\nSECRET"),
            ("content/c/plan.de.txt", "SECRET"),
            ("content/c/c.txt", "SHOWN content/c/c.txt"),
            ("content/d/index.de.md", "SHOWN content/d/index.de.md"),
            ("content/d/d.txt", "SHOWN content/d/d.txt"),
        ],
    );
}

#[test]
fn rule_26_other_names_of_the_date_of_publication_decide() {
    check(
        "[[cascade]]\npubdate = 2999-01-01\n[cascade.target]\npath = '/late/**'\n",
        &[
            (
                "content/a.md",
                "---\ndate: 2020-01-01\npubdate: 2999-01-01\n---\nSECRET",
            ),
            (
                "content/b.md",
                "---\ndate: 2020-01-01\npublished: 2999-01-01\n---\nSECRET",
            ),
            ("content/late/c.md", "---\ndate: 2020-01-01\n---\nSECRET"),
            (
                "content/d.md",
                "---\ndate: 2020-01-01\npublished: true\n---\nSHOWN content/d.md",
            ),
            (
                "content/e.md",
                "---\npublishDate: 2020-01-01\npubdate: 2999-01-01\n---\nSHOWN content/e.md",
            ),
        ],
    );
}

#[test]
fn rule_26_a_file_of_the_configuration_may_repeat_its_name() {
    let check = |files: &[(&str, &str)]| check("baseURL = 'https://e.org'\n", files);
    for (file, text) in [
        ("cascade", "[[cascade]]\ndraft = true\n"),
        ("sub/cascade", "draft = true\n"),
        (
            "module",
            "[module]\n[[module.mounts]]\nsource = 'content'\ntarget = 'content'\nfiles = ['! a*']\n",
        ),
        ("cascade", "draft = true\n"),
    ] {
        check(&[
            (&format!("config/_default/{file}.toml"), text),
            ("content/a.md", "SECRET"),
        ]);
    }
    check(&[
        (
            "config/_default/languages.toml",
            "[languages]\n[languages.en]\n[languages.de]\ndisabled = true\n",
        ),
        ("content/a.de.md", "SECRET"),
        ("content/b.md", "SHOWN content/b.md"),
    ]);
}

#[test]
fn rule_26_expressions_of_files_that_are_ignored_are_read_in_full() {
    let check = |expression: &str, files: &[(&str, &str)]| {
        check(&format!("ignoreFiles = ['{expression}']\n"), files);
    };
    for expression in ["(?i)WIP", "\\bwip\\b", "w.+?p", "[a-z]{3}/x", "(w|i)+p"] {
        check(
            expression,
            &[
                ("content/wip/x.md", "SECRET"),
                ("content/q.md", "SHOWN content/q.md"),
            ],
        );
    }
    let library = build(&[
        ("hugo.toml", "ignoreFiles = ['\\p{Greek}']\n"),
        ("content/a.md", "SECRET"),
    ]);
    assert!(!everything(&library).contains("SECRET"));
    assert_eq!(
        library.problems[0].to_string(),
        "hugo.toml:1:15: `ignoreFiles` is not understood: `\\p{Greek}`, so nothing of the site is published"
    );
}

#[test]
fn rule_26_patterns_of_mounts_fit_in_any_case_and_for_folders() {
    let mounts = |filter: &str| {
        format!("[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n{filter}\n")
    };
    check(
        &mounts("files = ['! Private/**', '! d/*', '! **/x-*']"),
        &[
            ("content/private/x.md", "SECRET"),
            ("content/d/e/x.md", "SECRET"),
            ("content/q/x-y/z.md", "SECRET"),
            ("content/x-r.md", "SHOWN content/x-r.md"),
        ],
    );
    check(
        &mounts("files = ['pub/**', '! pub/x*', 'a.md']"),
        &[
            ("content/pub/x.md", "SHOWN content/pub/x.md"),
            ("content/a.md", "SHOWN content/a.md"),
            ("content/b.md", "SECRET"),
        ],
    );
    check(
        &mounts("excludeFiles = 'private/*'"),
        &[
            ("content/Private/x/y.md", "SECRET"),
            ("content/b.md", "SHOWN content/b.md"),
        ],
    );
}

#[test]
fn rule_26_a_text_that_another_mount_covers_is_not_published() {
    let mount = |source: &str, target: &str| {
        format!("[[module.mounts]]\nsource = '{source}'\ntarget = '{target}'\n")
    };
    let config = [
        mount("over", "content"),
        mount("content", "content"),
        mount("static", "static"),
        mount("later", "static/x"),
    ]
    .concat();
    check(
        &config,
        &[
            ("over/a.md", "---\ndraft: true\n---\nSECRET"),
            ("content/a.md", "SECRET"),
            ("over/b.md", "SHOWN over/b.md"),
            ("content/b.md", "SECRET"),
            ("content/c.md", "SHOWN content/c.md"),
            ("static/x/f.txt", "SECRET"),
            ("later/f.txt", "SHOWN later/f.txt"),
            ("static/g.txt", "SHOWN static/g.txt"),
        ],
    );
}

#[test]
fn rule_26_mounts_and_files_of_languages_that_are_not_built_are_left_out() {
    let mount = |language: &str, key: &str| {
        format!(
            "[[module.mounts]]\nsource = 'content/{language}'\ntarget = 'content'\n{key}'{language}'\n"
        )
    };
    for key in ["lang = ", "[module.mounts.sites.matrix]\nlanguages = "] {
        let languages = "[languages.en]\n[languages.De]\ndisabled = true\n";
        check(
            &[languages, &mount("en", key), &mount("de", key)].concat(),
            &[
                ("content/de/b.md", "SECRET"),
                ("content/en/a.md", "SHOWN content/en/a.md"),
                ("content/en/b/index.md", "SHOWN content/en/b/index.md"),
                ("content/en/b/price.DE.txt", "SECRET"),
                ("content/en/x.DE.md", "SECRET"),
            ],
        );
    }
}

#[test]
fn rule_26_copies_that_editors_make_are_not_published() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            ("content/a.md", "SHOWN content/a.md"),
            ("content/#a.md", "SECRET"),
            ("content/old~/a.md", "SECRET"),
            ("static/a.txt~", "SECRET"),
        ],
    );
}

#[test]
fn rule_26_resources_that_are_not_published_are_shown_by_texts_alone() {
    check(
        "baseURL = 'https://e.org'\n",
        &[
            (
                "content/a/index.md",
                "---\nbuild: {publishResources: false}\n---\nSHOWN content/a/index.md ![](a.txt)",
            ),
            ("content/a/a.txt", "SHOWN content/a/a.txt"),
            ("content/a/raw.txt", "SECRET"),
            (
                "content/s/_index.md",
                "---\ncascade: {build: {publishResources: false}}\n---\nSection.",
            ),
            ("content/s/b/index.md", "SHOWN content/s/b/index.md"),
            ("content/s/b/raw.txt", "SECRET"),
            ("content/c/index.md", "SHOWN content/c/index.md"),
            ("content/c/c.txt", "SHOWN content/c/c.txt"),
        ],
    );
}
