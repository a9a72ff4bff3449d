//! Jupyter Books: what a table of contents lists, and how it orders it.

use super::order::drawn;
use super::*;

/// The addresses of all texts, then the skipped texts with their reasons.
pub(super) fn shown(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let mut shown: Vec<String> = texts.map(|text| text.stem.to_string()).collect();
    for (reason, paths) in &library.report.skipped {
        shown.push(format!("{reason}: {}", paths.join(" ")));
    }
    shown
}

const CONFIG: &str = "title: Boats\nauthor: All of us\nexclude_patterns: ['plans/*']\nparse:\n  myst_substitutions:\n    ship: Argo\n";

#[test]
fn a_book_of_sphinx_has_all_texts_in_the_order_of_its_table() {
    let library = build(&[
        ("docs/_config.yml", CONFIG),
        (
            "docs/_toc.yml",
            "format: jb-book\nroot: intro\nparts:\n- caption: First part\n  chapters:\n  - file: sails\n    sections:\n    - file: knots/index\n    - glob: knots/b*\n  - url: https://o.example\n    title: Other\n- chapters:\n  - file: more.md\n",
        ),
        (
            "docs/intro.md",
            "# Welcome\n\nThe {{ ship }} sails. See [](sails).",
        ),
        (
            "docs/sails.md",
            "(the-sails)=\n# Sails\n\n:::{note}\nMind the wind.\n:::\n",
        ),
        ("docs/knots/index.md", "# Knots\n\nText."),
        ("docs/knots/bowline.md", "# Bowline\n\nText."),
        ("docs/more.md", "# More\n\nText."),
        ("docs/apart.md", "# Apart\n\nText."),
        ("docs/plans/secret.md", "# Secret\n\nText."),
        ("docs/_static/a.png", "x"),
        ("plan.md", "# Plan\n\nText."),
    ]);
    assert_eq!(
        shown(&library),
        [
            "/articles/apart",
            "/articles/intro",
            "/articles/knots",
            "/articles/knots/bowline",
            "/articles/more",
            "/articles/sails",
            "excluded by `docs/_config.yml`: docs/plans/secret.md",
            "not a file for the web: `.yml`: docs/_toc.yml",
            "outside `docs/`, the folder that `docs/_config.yml` publishes: plan.md",
            "settings of another program: docs/_config.yml",
        ]
    );
    assert_eq!(
        drawn(&library),
        [
            "Welcome /intro",
            "First part",
            "  Sails /sails",
            "    Knots /knots",
            "    Bowline /knots/bowline",
            "  Other https://o.example",
            "More /more",
        ]
    );
    assert_eq!(
        twin(&library, "/articles/intro"),
        "The Argo sails. See [Sails](https://example.org/articles/sails.md)."
    );
}

#[test]
fn a_book_may_have_the_texts_of_its_table_alone() {
    let texts = [
        ("index.md", "# Home\n\nText."),
        ("posts/2024-a.md", "# A\n\nText."),
        ("posts/2024-b.md", "# B\n\nText."),
        ("posts/draft.md", "# Draft\n\nText."),
        ("hidden.md", "# Hidden\n\nText."),
    ];
    let listed = |files: &[(&'static str, &'static str)]| {
        let library = build(&[&texts[..], files].concat());
        (shown(&library), drawn(&library))
    };
    let check = |shown: &[String], by: &str| {
        let published = [
            "/articles/hidden",
            "/articles/posts/2024-a",
            "/articles/posts/2024-b",
            "/index",
        ];
        assert_eq!(shown[..4], published);
        let reason = format!("not listed in `{by}`: posts/draft.md");
        assert!(shown.contains(&reason), "{shown:?}");
    };
    let of_myst = "version: 1\nproject:\n  title: Boats\n  toc:\n  - file: index.md\n  - title: '2024'\n    children:\n    - pattern: posts/2024-*.md\n  - file: hidden.md\n    hidden: true\n";
    let (shown, order) = listed(&[("myst.yml", of_myst)]);
    check(&shown, "myst.yml");
    assert_eq!(
        order,
        [
            "Home /index",
            "2024",
            "  A /posts/2024-a",
            "  B /posts/2024-b"
        ]
    );
    let toc = "- file: index\n- part: Posts\n  chapters:\n  - file: posts/2024-a\n  - file: posts/2024-b\n- file: hidden\n";
    let of_sphinx = [
        ("_config.yml", "only_build_toc_files: true\n"),
        ("_toc.yml", toc),
    ];
    let (shown, order) = listed(&of_sphinx);
    check(&shown, "_toc.yml");
    assert_eq!(
        order,
        [
            "Home /index",
            "Posts",
            "  A /posts/2024-a",
            "  B /posts/2024-b",
            "Hidden /hidden"
        ]
    );
    let (shown, order) = listed(&[("myst.yml", "version: 1\nproject:\n  exclude: [hidden.md]\n")]);
    assert!(
        shown.contains(&"/articles/posts/draft".to_owned()),
        "{shown:?}"
    );
    assert!(
        shown.contains(&"excluded by `myst.yml`: hidden.md".to_owned()),
        "{shown:?}"
    );
    assert_eq!(
        order,
        ["A /posts/2024-a", "B /posts/2024-b", "Draft /posts/draft"]
    );
}

#[test]
fn a_table_of_contents_alone_makes_no_book() {
    let kind = |files: &[(&str, &str)]| build(files).report.dialect.unwrap().0;
    let text = ("docs/a.md", "# A\n\nText.");
    assert_eq!(kind(&[text, ("_config.yml", "title: J\n")]), "jekyll");
    assert_eq!(
        kind(&[text, ("_config.yml", ""), ("docs/_toc.yml", "root: a\n")]),
        "jekyll"
    );
    assert_eq!(kind(&[text, ("docs/_toc.yml", "root: a\n")]), "plain");
    assert_eq!(
        kind(&[text, ("docs/myst.yml", "version: 1\n")]),
        "jupyterbook"
    );
}

/// A pattern finds what nothing else names, and not more patterns are read than are quick to compare.
#[test]
fn patterns_of_a_table_find_what_is_not_named_and_are_bounded() {
    let texts = [
        ("a.md", "# A\n\nText."),
        ("b.md", "# B\n\nText."),
        ("c/d.md", "# D\n\nText."),
    ];
    let toc = "project:\n  toc:\n  - pattern: '*.md'\n    children:\n    - file: c/d.md\n  - pattern: '**/*.md'\n  - file: b.md\n";
    let library = build(&[&texts[..], &[("myst.yml", toc)]].concat());
    assert_eq!(drawn(&library), ["A /a", "D /c/d", "B /b"]);
    let many = "  - pattern: 'x*'\n".repeat(300);
    let toc = format!("project:\n  toc:\n  - file: a.md\n{many}  - pattern: 'b*'\n");
    let library = build(&[&texts[..], &[("myst.yml", &toc)]].concat());
    assert_eq!(drawn(&library), ["A /a"]);
    let said = library.problems.iter().map(ToString::to_string);
    let said: Vec<String> = said.filter(|said| said.contains("too many")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
}

/// The addresses of all texts and files.
fn published(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let texts = library.articles.iter().chain(&library.pages);
    let mut all: Vec<String> = texts.map(|text| text.stem.to_string()).collect();
    all.extend(library.files.iter().map(|file| file.path.to_string()));
    all
}

#[test]
fn rule_26_the_configuration_of_a_book_builds_on_others() {
    let files = [
        ("index.md", "# Home\n\nText."),
        ("a.md", "# A\n\nText."),
        ("b.md", "# B\n\nSECRET"),
        ("data/base.yml", "version: 1\nextends: more.yml\n"),
        (
            "data/more.yml",
            "version: 1\nproject:\n  toc:\n  - file: index.md\n  - file: a.md\n",
        ),
        ("data/less.yml", "version: 1\nproject:\n  exclude: [b.md]\n"),
    ];
    for base in ["[data/base.yml]", "data/less.yml"] {
        let config = format!("version: 1\nextends: {base}\nproject:\n  title: T\n");
        let found = published(&[&files[..], &[("myst.yml", &config)]].concat());
        assert_eq!(found, ["/articles/a", "/index"], "{base}");
    }
    for unread in [
        "extends: https://x.example/base.yml\n",
        "extends: [data/less.yml, ../base.yml]\n",
        "extend: data/less.yml\n",
    ] {
        let config = format!("version: 1\n{unread}");
        let files = [&files[..], &[("myst.yml", &config)]].concat();
        let said = build(&files).problems;
        let said: Vec<String> = said.iter().map(ToString::to_string).collect();
        assert_eq!(published(&files), Vec::<String>::new(), "{unread}");
        let names = |said: &String| said.contains("myst.yml:2") && said.contains("`extends`");
        assert!(said.iter().any(names), "{said:?}");
    }
}

#[test]
fn rule_26_a_book_has_no_texts_of_other_formats_and_no_unused_files() {
    let files = [
        ("index.md", "# Home\n\n[d](data/shown.csv)"),
        ("data/shown.csv", "1"),
        ("data/other.csv", "SECRET"),
        ("x.html", "<p>SECRET</p>"),
        ("m.markdown", "# SECRET\n"),
        ("sub/s.md", "# S\n\nText."),
        ("sub/myst.yml", "version: 1\nproject: {}\n"),
    ];
    let config = ("myst.yml", "version: 1\nproject:\n  title: T\n");
    let found = published(&[&files[..], &[config]].concat());
    assert_eq!(found, ["/index", "/data/shown.csv"]);
}

#[test]
fn rule_26_a_book_of_sphinx_leaves_out_what_its_settings_do() {
    let files = [
        ("_toc.yml", "format: jb-book\nroot: index\n"),
        ("index.md", "# Home\n\nText."),
        ("priv/p.md", "# P\n\nSECRET"),
        ("xtra/x.txt", "x"),
    ];
    for settings in [
        "exclude_patterns: [priv/*]",
        "external_toc_exclude_missing: true",
    ] {
        let config = format!("sphinx:\n  config:\n    {settings}\n    html_extra_path: [xtra]\n");
        let found = published(&[&files[..], &[("_config.yml", &config)]].concat());
        assert_eq!(found, ["/index", "/x.txt"], "{settings}");
    }
}
