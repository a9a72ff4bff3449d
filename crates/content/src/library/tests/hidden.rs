//! What the owner's build hides by its configuration or by a key: it is hidden here too.

use super::*;

/// The sources of what is published, by path: texts, then files.
fn published(files: &[(&str, &str)]) -> Vec<String> {
    sources_of(&build(files))
}

fn sources_of(library: &Library) -> Vec<String> {
    let texts = texts_of(library);
    let files = library.files.iter().map(|file| file.source.to_string());
    texts.into_iter().chain(files).collect()
}

/// A folder of texts with the same words beside other files.
pub(super) fn with_texts(others: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
    let files: Vec<(&str, &str)> = others.iter().copied().chain(texts).collect();
    published(&files)
}

fn problems(library: &Library) -> Vec<String> {
    let problems = library.problems.iter();
    let shown = problems.map(|problem| problem.to_string().replace("\n  ", " | "));
    shown.collect()
}

#[test]
fn rule_26_posts_with_a_tag_that_hexo_encrypts_are_withheld() {
    let library = build(&[
        (
            "_config.yml",
            "title: T\nencrypt:\n  tags:\n    - {name: secret, password: abc}\n    - {name: open, password: \"\"}\n",
        ),
        ("source/_posts/a.md", "---\ntags: [x, secret]\n---\nA."),
        ("source/_posts/b.md", "---\ntag: secret\n---\nB."),
        (
            "source/_posts/c.md",
            "---\ntags: secret\npassword: \"\"\n---\nC.",
        ),
        ("source/_posts/d.md", "---\ntags: [secrets, open]\n---\nD."),
    ]);
    assert_eq!(
        sources_of(&library),
        ["source/_posts/c.md", "source/_posts/d.md"]
    );
    assert_eq!(
        problems(&library),
        [
            "_config.yml:4:7: warning: texts with the tag `secret` are withheld, because `encrypt.tags` protects them with a password | hint: to publish one, write `password: \"\"` in its front matter"
        ]
    );
}

#[test]
fn rule_26_what_encryptcontent_protects_is_withheld() {
    let texts = [
        ("docs/a.md", "A."),
        ("docs/b.md", "---\npassword:\n---\nB."),
        ("docs/c.md", "---\nlevel: staff\n---\nC."),
    ];
    let of = |config: &str| {
        let config = format!("site_name: S\nplugins:\n{config}");
        let files = [&[("mkdocs.yml", config.as_str())], &texts[..]].concat();
        let library = build(&files);
        (sources_of(&library), problems(&library))
    };
    let (shown, said) = of("  - search\n  - encryptcontent:\n      global_password: abc\n");
    assert_eq!(shown, ["docs/b.md"]);
    assert_eq!(
        said,
        [
            "mkdocs.yml:5:24: all texts are withheld, because `plugins.encryptcontent.global_password` protects them with a password | hint: to publish one, write `password:` without a value in its front matter"
        ]
    );
    let (shown, _) = of("  encryptcontent:\n    password_inventory:\n      staff: abc\n");
    assert_eq!(shown, ["docs/a.md", "docs/b.md"]);
    let (shown, said) = of("  - encryptcontent\n");
    assert_eq!((shown.len(), said.len()), (3, 0));
}

#[test]
fn rule_26_drafts_of_a_quarto_website_are_hidden() {
    let texts = ["index.qmd", "d1.qmd", "sub/d2.qmd", "sub/d3.qmd"];
    let shown = with_texts(
        &[(
            "_quarto.yml",
            "project:\n  type: website\nwebsite:\n  drafts: [d1.qmd, ./sub/d2.qmd]\n",
        )],
        &texts,
    );
    assert_eq!(shown, ["index.qmd", "sub/d3.qmd"]);
    let shown = with_texts(
        &[
            (
                "_quarto.yml",
                "project:\n  type: website\nmetadata-files: [a.yml, b.yml]\nwebsite:\n  drafts: d1.qmd\n",
            ),
            ("a.yml", "lang: en\n"),
            ("b.yml", "website:\n  drafts:\n    - sub/d2.qmd\n"),
        ],
        &texts,
    );
    assert_eq!(shown, ["index.qmd", "sub/d3.qmd"]);
    // Its own front matter changes nothing.
    let shown = published(&[
        ("_quarto.yml", "website:\n  drafts: \"sub/*.qmd\"\n"),
        ("index.qmd", "A."),
        ("sub/d.qmd", "---\ndraft: false\n---\nD."),
    ]);
    assert_eq!(shown, ["index.qmd"]);
}

#[test]
fn rule_26_quartz_publishes_its_content_without_what_it_ignores() {
    let config = "import { QuartzConfig } from \"./quartz/cfg\"\nconst config: QuartzConfig = {\n  configuration: {\n    pageTitle: \"My garden\",\n    ignorePatterns: [\"private\", \"templates\", \".obsidian\", \"**/*.wip.md\", \"deep/hidden\"],\n  },\n  plugins: { transformers: [Plugin.FrontMatter()] },\n}\nexport default config\n";
    let texts = [
        "content/index.md",
        "content/a.md",
        "content/a.wip.md",
        "content/deep/b.wip.md",
        "content/deep/hidden/a.md",
        "content/private/a.md",
        "content/templates/a.md",
        "content/x/private/a.md",
        "content/x/b.md",
        "docs/manual.md",
        "quartz/i18n/notes.md",
    ];
    let others = [
        ("quartz.config.ts", config),
        ("content/private/p.png", "PNG"),
        ("content/x/p.png", "PNG"),
    ];
    assert_eq!(
        with_texts(&others, &texts),
        [
            "content/a.md",
            "content/index.md",
            "content/x/b.md",
            "content/x/private/a.md",
            "content/x/p.png"
        ]
    );
    let library = build(&[
        (
            "quartz.config.ts",
            "const config = {\n  configuration: { ignorePatterns: [\"!(*.md)\", \"x\"] },\n}",
        ),
        ("content/x/a.md", "A."),
        ("content/b.md", "B."),
    ]);
    assert_eq!(sources_of(&library), ["content/b.md"]);
    assert_eq!(
        problems(&library),
        [
            "quartz.config.ts:2:37: warning: `configuration.ignorePatterns` is not understood: `!(*.md)`"
        ]
    );
}

#[test]
fn rule_26_what_obsidian_publish_excludes_is_hidden() {
    let vault = |settings| {
        published(&[
            (".obsidian/publish.json", settings),
            ("Open.md", "Open. ![[open.png]] ![[hid.png]]"),
            ("Priv/a.md", "[[Open]]"),
            ("Priv/b.md", "---\npublish: true\n---\nB."),
            ("Priv/c.md", "---\npublish:\n---\nC."),
            ("Private.md", "P."),
            ("Pub/Hid/a.md", "H."),
            ("Pub/a.md", "[[Open]]"),
            ("Priv/hid.png", "PNG"),
            ("files/open.png", "PNG"),
            ("files/unused.png", "PNG"),
        ])
    };
    assert_eq!(
        vault("{\"excluded\": [\"Priv\", \"Pub/Hid\"]}"),
        [
            "Open.md",
            "Priv/b.md",
            "Private.md",
            "Pub/a.md",
            "files/open.png",
            "files/unused.png"
        ]
    );
    // Where folders are chosen, the others are published by their notes alone.
    assert_eq!(
        vault("{\"included\": [\"Pub\"], \"excluded\": [\"Pub/Hid\"]}"),
        ["Priv/b.md", "Pub/a.md"]
    );
    assert_eq!(vault("{\"siteId\": \"x\"}").len(), 10);
}

#[test]
fn rule_26_a_folder_below_is_excluded_by_the_vault_in_it() {
    let shown = published(&[
        ("vault/.obsidian/publish.json", "{\"excluded\": [\"Priv\"]}"),
        ("vault/a.md", "[[b]] A."),
        ("vault/Priv/a.md", "[[b]] A."),
        ("Priv/a.md", "[[b]] A."),
    ]);
    assert_eq!(shown, ["Priv/a.md", "vault/a.md"]);
    // Settings that are not valid may leave out anything.
    let library = build(&[
        ("vault/.obsidian/publish.json", "{\"excluded\": [\"Priv\""),
        ("vault/a.md", "[[b]] A."),
        ("vault/b.md", "[[a]] B."),
        ("c.md", "[[a]] C."),
    ]);
    assert_eq!(sources_of(&library), ["c.md"]);
    let wanted = "vault/.obsidian/publish.json: warning: the configuration is not understood";
    assert!(problems(&library).iter().any(|said| said == wanted));
}

#[test]
fn rule_26_files_of_a_garden_are_published_where_a_published_note_uses_them() {
    let shown = published(&[
        (".obsidian/app.json", "{}"),
        (
            "a.md",
            "---\ndg-publish: true\n---\n![[shown.png]] [text](files/linked.pdf)",
        ),
        ("b.md", "![[hidden.png]] [text](files/hidden.pdf)"),
        ("files/hidden.pdf", "PDF"),
        ("files/hidden.png", "PNG"),
        ("files/linked.pdf", "PDF"),
        ("files/shown.png", "PNG"),
        ("files/unused.png", "PNG"),
    ]);
    assert_eq!(shown, ["a.md", "files/linked.pdf", "files/shown.png"]);
    // As a vault names files: by a name, by the end of a path, by a path from the root.
    let library = build(&[
        (
            "sub/a.md",
            "---\ndg-publish: true\n---\n![[p.png]] ![[two/q.png]] ![[r.png]] ![](in/one/s.png) ![[Beside.png]]",
        ),
        ("b.md", "[[a]]"),
        ("in/one/p.png", "PNG"),
        ("in/one/q.png", "PNG"),
        ("in/two/q.png", "PNG"),
        ("in/r.png", "PNG"),
        ("r.png", "PNG"),
        ("in/one/s.png", "PNG"),
        ("in/Beside.png", "PNG"),
        ("sub/Beside.png", "PNG"),
    ]);
    assert_eq!(
        sources_of(&library),
        [
            "sub/a.md",
            "in/one/p.png",
            "in/one/s.png",
            "in/two/q.png",
            "r.png",
            "sub/Beside.png"
        ]
    );
    assert_eq!(problems(&library), Vec::<String>::new());
}

#[test]
fn rule_26_what_the_plug_in_exclude_of_mkdocs_names_is_hidden() {
    let texts = [
        "docs/index.md",
        "docs/a.secret.md",
        "docs/exg/a.md",
        "docs/exg/deep/a.md",
        "docs/exgs/a.md",
        "docs/internal",
        "docs/internal.md",
        "docs/x/a.secret.md",
        "docs/x/exg/a.md",
        "docs/x/tmp.md",
    ];
    let shown = ["docs/exgs/a.md", "docs/index.md", "docs/x/exg/a.md"];
    for config in [
        "plugins:\n  - search\n  - exclude:\n      glob: [\"exg/*\", internal.md, '*/tmp.*']\n      regex: ['.*\\.secret\\.md$']\n",
        "plugins:\n  search: {}\n  exclude:\n    glob:\n      - exg/*\n      - internal.md\n      - \"*/tmp.*\"\n    regex: .*\\.secret\\.md$\n",
    ] {
        assert_eq!(
            with_texts(&[("mkdocs.yml", config)], &texts),
            shown,
            "{config}"
        );
    }
    // An expression is matched at the beginning of a path.
    let shown = with_texts(
        &[("mkdocs.yml", "plugins: {exclude: {regex: [\"wip/\"]}}\n")],
        &["docs/a/wip/b.md", "docs/wip/b.md"],
    );
    assert_eq!(shown, ["docs/a/wip/b.md"]);
    let library = build(&[
        (
            "mkdocs.yml",
            "plugins:\n  - exclude:\n      regex: [\"a(?!b)\"]\n",
        ),
        ("docs/b.md", "B."),
    ]);
    assert!(library.articles.is_empty());
    assert_eq!(
        problems(&library)[0],
        "mkdocs.yml:3:15: `plugins.exclude.regex` is not understood: `a(?!b)`, so nothing of the site is published"
    );
}

#[test]
fn rule_26_mkdocs_leaves_out_templates_at_the_root_of_its_texts() {
    let texts = ["docs/a.md", "docs/templates/a.md", "docs/x/templates/a.md"];
    let shown = |config| with_texts(&[("mkdocs.yml", config)], &texts);
    assert_eq!(
        shown("site_name: S\n"),
        ["docs/a.md", "docs/x/templates/a.md"]
    );
    assert_eq!(shown("exclude_docs: |\n  !templates\n").len(), 3);
}

#[test]
fn rule_26_metadata_of_a_folder_of_mkdocs_may_say_draft() {
    let shown = published(&[
        ("mkdocs.yml", "plugins:\n  - meta\n  - blog\n"),
        ("docs/index.md", "# T\n\nA."),
        ("docs/blog/posts/wip/.meta.yml", "draft: true\n"),
        (
            "docs/blog/posts/wip/a.md",
            "---\ndate: 2024-01-01\n---\n# A\n\nA.",
        ),
        (
            "docs/blog/posts/wip/b.md",
            "---\ndate: 2024-01-01\ndraft: false\n---\n# B\n\nB.",
        ),
        (
            "docs/blog/posts/c.md",
            "---\ndate: 2024-01-01\n---\n# C\n\nC.",
        ),
    ]);
    assert_eq!(
        shown,
        [
            "docs/blog/posts/c.md",
            "docs/blog/posts/wip/b.md",
            "docs/index.md"
        ]
    );
}

#[test]
fn rule_26_what_hexo_ignores_is_hidden() {
    let shown = with_texts(
        &[
            (
                "_config.yml",
                "title: T\nignore:\n  - \"**/ign/**\"\n  - '**/*.tmp.md'\n",
            ),
            ("source/ign/p.png", "PNG"),
        ],
        &[
            "source/_posts/a.md",
            "source/_posts/b.tmp.md",
            "source/_posts/ign/a.md",
            "source/ign/a.md",
            "source/design/a.md",
        ],
    );
    assert_eq!(shown, ["source/_posts/a.md", "source/design/a.md"]);
}

#[test]
fn rule_26_the_folder_of_a_hidden_post_of_hexo_is_hidden() {
    let shown = published(&[
        ("_config.yml", "title: T\npost_asset_folder: true\n"),
        ("source/_posts/a.md", "A."),
        ("source/_posts/a/pic.png", "PNG"),
        ("source/_posts/un.md", "---\npublished: false\n---\nU."),
        ("source/_posts/un/pic.png", "PNG"),
        ("source/_posts/un/deep/pic.png", "PNG"),
        ("source/_posts/other/pic.png", "PNG"),
        ("source/images/pic.png", "PNG"),
    ]);
    assert_eq!(
        shown,
        [
            "source/_posts/a.md",
            "source/_posts/a/pic.png",
            "source/_posts/other/pic.png",
            "source/images/pic.png"
        ]
    );
}

#[test]
fn rule_26_static_files_that_zola_ignores_are_hidden() {
    let shown = published(&[
        (
            "config.toml",
            "base_url = \"https://e.org\"\nignored_static = [\"x*\", \"**/*.pdf\", \"raw/a.png\"]\n",
        ),
        ("content/xa.md", "+++\ntitle = \"A\"\n+++\nA."),
        ("static/a.png", "PNG"),
        ("static/a.pdf", "PDF"),
        ("static/deep/a.pdf", "PDF"),
        ("static/deep/xa.png", "PNG"),
        ("static/raw/a.png", "PNG"),
        ("static/raw/b.png", "PNG"),
        ("static/x/a.png", "PNG"),
        ("static/xa.png", "PNG"),
    ]);
    assert_eq!(
        shown,
        [
            "content/xa.md",
            "static/a.png",
            "static/deep/xa.png",
            "static/raw/b.png"
        ]
    );
}

#[test]
fn what_r_markdown_hides_is_hidden_in_every_kind_of_folder() {
    let text = "# T\n\n```{r include=FALSE}\nsecret <- 1\n```\n\n```{r, echo=FALSE}\nsecret <- 2\n```\n\n```{r}\nshown <- 3\n```\n\n::: {.content-hidden}\nsecret\n:::\n";
    let shown = "/articles/a: ```r|shown <- 3|```";
    check(&[("a.Rmd", text)], &[shown]);
    check(&[("a.qmd", text)], &[shown]);
    // In other Markdown braces are a part of the info string.
    check(
        &[("a.md", "# T\n\n```{r include=FALSE}\nx\n```\n")],
        &["/articles/a: ```r|x|```"],
    );
}

#[test]
fn a_date_that_r_gives_to_a_build_is_none() {
    let published = |date: &str| {
        let text = format!("---\ntitle: T\ndate: \"{date}\"\n---\n\nText.\n");
        let library = build(&[("a.Rmd", text.as_str())]);
        let dates = library.articles.iter().map(|text| text.date.is_some());
        dates.collect::<Vec<bool>>()
    };
    assert_eq!(published("`r Sys.Date()`"), [false]);
    assert_eq!(published("`r format(Sys.time(), '%d %B %Y')`"), [false]);
    assert!(published("`r params$release`").is_empty());
}
