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

#[test]
fn rule_26_languages_that_mkdocs_does_not_build_are_closed() {
    let languages =
        "languages: [{locale: en, default: true}, {locale: fr, build: false}, {locale: de}]";
    let config = |more: &str| format!("site_name: S\nplugins:\n  - i18n: {{{more}{languages}}}\n");
    let (secret, public) = (
        [
            "docs/a.fr.md",
            "docs/it.es.md",
            "docs/only.fr.md",
            "docs/p.pt-BR.md",
        ],
        ["docs/a.de.md", "docs/a.md", "docs/v1.2.md", "docs/x.en.md"],
    );
    check(&config(""), &public, &secret);
    check(
        &config("docs_structure: folder, "),
        &[
            "docs/de/a.md",
            "docs/en/a.md",
            "docs/other/x.md",
            "docs/top.fr.md",
        ],
        &["docs/fr/a.md", "docs/es/a.md"],
    );
    check(
        &config("build_only_locale: en, "),
        &["docs/a.md", "docs/x.en.md"],
        &["docs/a.de.md", "docs/a.fr.md"],
    );
}

#[test]
fn rule_26_plug_ins_of_an_enabled_group_count() {
    let config = |enabled: &str| {
        format!(
            "site_name: S\nplugins:\n  - group:\n      {enabled}plugins:\n        - exclude: {{glob: ['hid/*']}}\n"
        )
    };
    check(
        &config("enabled: true\n      "),
        &["docs/a.md"],
        &["docs/hid/b.md"],
    );
    check(&config(""), &["docs/a.md", "docs/hid/b.md"], &[]);
}

/// The problems of a site, one a line.
fn problems(library: &Library) -> Vec<String> {
    let problems = library.problems.iter();
    let shown = problems.map(|problem| problem.to_string().replace("\n  ", " | "));
    shown.collect()
}

#[test]
fn rule_26_a_program_of_mkdocs_that_may_leave_texts_out_is_named() {
    let said = |program: &str| {
        let library = build(&[
            ("mkdocs.yml", "site_name: S\nhooks: [hook.py]\n"),
            ("hook.py", program),
            ("docs/a.md", "# A\n"),
        ]);
        assert_eq!(texts_of(&library), ["docs/a.md"]);
        problems(&library)
    };
    assert_eq!(
        said("def on_files(files, config):\n    return files\n"),
        [
            "mkdocs.yml:2:9: warning: the program `hook.py` may leave texts out or change them in `on_files`, and is not run | hint: write what it leaves out as `exclude_docs`"
        ]
    );
    assert_eq!(said("def on_post_build(config): pass\n"), [""; 0]);
}

#[test]
fn rule_26_a_configuration_whose_base_is_not_read_withholds_all() {
    let config = "INHERIT: ../base.yml\nsite_name: S\n";
    let library = super::scope::canaries(&[("mkdocs.yml", config)], &["docs/a.md"]);
    assert_eq!(
        problems(&library)[0],
        "mkdocs.yml:1:10: `INHERIT` names a file that is not read: `../base.yml`: nothing of the site is published | hint: that file may leave texts out: copy it into the folder, and name the copy"
    );
}

#[test]
fn rule_26_the_plug_in_file_filter_selects_texts() {
    let config = "site_name: S\nplugins:\n  - file-filter:\n      exclude_tag: [internal]\n      exclude_glob: ['hid/*']\n      exclude_regex: ['.*_x/']\n      include_glob: ['hid/b.md']\n";
    let ignoring = format!("{config}      mkdocsignore: true\n");
    let tagged = "---\ntags: [internal]\n---\n# T\n\nwords\n";
    let secret = ["docs/hid/a.md", "docs/q/_x/a.md"];
    let files = [("mkdocs.yml", config), ("docs/tagged.md", tagged)];
    let public = ["docs/hid/b.md", "docs/ign/a.md", "docs/index.md"];
    check_with(&files, &public, &secret);
    let files = [
        ("mkdocs.yml", ignoring.as_str()),
        (".mkdocsignore", "docs/ign/*\n!docs/ign/keep.md\n"),
    ];
    let public = ["docs/ign/keep.md", "docs/index.md"];
    check_with(&files, &public, &["docs/ign/a.md", "docs/hid/a.md"]);
    // The file is there for the owner, so that what it leaves out is unknown.
    let library = super::scope::canaries(&[("mkdocs.yml", &ignoring)], &["docs/a.md"]);
    assert!(problems(&library)[0].contains("`.mkdocsignore`: nothing of the site is published"));
    let off = config.replace("exclude_tag", "enabled: false\n      exclude_tag");
    check(&off, &["docs/hid/a.md"], &[]);
}

#[test]
fn rule_26_zensical_publishes_what_its_configuration_says() {
    let config = "[project]\nsite_name = 'S'\ndocs_dir = 'text'\nexclude_docs = \"\"\"\nsecret/\n!secret/keep.md\n\"\"\"\ndraft_docs = 'wip.md'\n[project.plugins.exclude]\nglob = ['hid/*']\n";
    let public = ["text/_u/x.md", "text/index.md", "text/secret/keep.md"];
    let secret = [
        "docs/old.md",
        "text/hid/a.md",
        "text/secret/s.md",
        "text/templates/t.md",
        "text/wip.md",
    ];
    check_with(&[("zensical.toml", config)], &public, &secret);
    // It has precedence, and needs no table.
    let flat = config.replace("[project]\n", "").replace("project.", "");
    let both = [("mkdocs.yml", "site_name: M\n"), ("zensical.toml", &flat)];
    check_with(&both, &public, &secret);
}

#[test]
fn rule_44_zensical_has_an_order_and_redirects_as_mkdocs_has() {
    let library = build(&[
        (
            "zensical.toml",
            "[project]\nsite_name = 'S'\nnav = [{'Start' = 'index.md'}, {'More' = ['b.md', {'First' = 'a.md'}]}]\n[project.plugins.redirects.redirect_maps]\n'old.md' = 'a.md'\n",
        ),
        ("docs/index.md", "x"),
        ("docs/a.md", "# A\n\n$x^2$\n"),
        ("docs/b.md", "# B\n"),
        ("docs/c.md", "# C\n"),
    ]);
    assert_eq!(problems(&library), [""; 0]);
    assert_eq!(
        super::order::drawn(&library),
        ["Start /index", "More", "  B /b", "  First /a"]
    );
    assert!(
        library
            .redirects
            .iter()
            .any(|(old, _)| old.to_string() == "/old")
    );
    let twin = super::scope::everything(&library);
    assert!(twin.contains("$x^2$"), "{twin}");
}

#[test]
fn rule_26_a_configuration_of_zensical_in_yaml_is_one_too() {
    let config = "site_name: S\ndocs_dir: docs/src\n";
    let found = published_texts(&[
        ("zensical.yml", config),
        ("docs/src/a.md", "# A\n\nwords\n"),
        ("tests/b.md", "# B\n\nwords\n"),
    ]);
    assert_eq!(found, ["docs/src/a.md"]);
}
