//! DocFX, GitBook, Docsify: sites whose own files say what is published.

use super::*;

/// The addresses of all pages and files, then the skipped files with their reasons.
fn shown(library: &Library) -> Vec<String> {
    let pages = library.articles.iter().chain(&library.pages);
    let files = library.files.iter().map(|file| file.path.to_string());
    let mut shown: Vec<String> = pages
        .map(|article| article.stem.to_string())
        .chain(files)
        .collect();
    for (reason, paths) in &library.report.skipped {
        shown.push(format!("{reason}: {}", paths.join(" ")));
    }
    shown
}

#[test]
fn docfx_publishes_the_files_that_its_configuration_lists() {
    let library = build(&[
        (
            "docfx.json",
            r#"{ // the site
              "build": {
                "content": [
                  { "files": ["**/*.{md,yml}"], "src": "docs", "dest": "guide", "exclude": ["**/includes/**"] },
                  { "files": "*.md" }
                ],
                "resource": { "files": ["docs/**.png"] },
                "overwrite": ["specs/*.md"],
                "globalMetadata": { "_appTitle": "Things", "author": "team" },
                "fileMetadata": { "author": { "docs/**": "first", "docs/deep/*.md": "second" } }
              }
            }"#,
        ),
        ("index.md", "# Home\n\nWelcome."),
        ("docs/a.md", "# A\n\nText."),
        ("docs/deep/b.md", "---\nauthor: own\n---\n# B\n\nText."),
        ("docs/deep/c.md", "# C\n\nText."),
        ("docs/includes/part.md", "A part."),
        ("docs/a.png", "x"),
        ("secret/plan.md", "# Plan\n\nOurs."),
        ("secret/plan.png", "x"),
        ("specs/x.md", "---\nuid: X\n---\nMore."),
    ]);
    let reason = "not among the files that `docfx.json` lists";
    assert_eq!(
        shown(&library),
        [
            "/articles/a",
            "/articles/deep/b",
            "/articles/deep/c",
            "/index",
            "/articles/a.png",
            &format!("{reason}: docs/includes/part.md secret/plan.md secret/plan.png specs/x.md"),
            "settings of another program: docfx.json",
        ]
    );
    let authors: Vec<String> = library
        .articles
        .iter()
        .map(|article| {
            article
                .authors
                .iter()
                .map(|author| author.as_str())
                .collect()
        })
        .collect();
    assert_eq!(authors, ["first", "own", "second"]);
    let old: Vec<String> = library.redirects.keys().map(ToString::to_string).collect();
    assert!(old.contains(&"/guide/deep/b.html".to_owned()), "{old:?}");
}

#[test]
fn docfx_pages_that_are_data_are_articles() {
    let library = build(&[
        (
            "docfx.json",
            r#"{"build": {"content": [{"files": ["**/*.{md,yml}"], "src": "docs"}]}}"#,
        ),
        (
            "docs/toc.yml",
            "- name: Home\n  href: index.yml\n- name: Questions\n  href: faq.yml\n- name: A\n  href: a.md\n",
        ),
        (
            "docs/index.yml",
            "### YamlMime:Landing\ntitle: Boats\nsummary: All about *boats*.\nlandingContent:\n- title: Begin\n  linkLists:\n  - linkListType: overview\n    links:\n    - text: First\n      url: a.md\n    - text: Lost\n      url: lost.md\n",
        ),
        (
            "docs/faq.yml",
            "### YamlMime:FAQ\nmetadata:\n  title: Not this\n  description: What people ask about boats.\n  ms.date: 01/22/2024\ntitle: Questions\nsummary: See below.\nsections:\n- name: Ropes\n  questions:\n  - question: Which rope?\n    answer: |\n      The [first](a.md).\n",
        ),
        (
            "docs/a.md",
            "# A\n\nSee [the questions](faq.yml), [ropes](/faq#which-rope).\n",
        ),
        (
            "docs/api.yml",
            "### YamlMime:ManagedReference\nitems:\n- uid: CANARY\n",
        ),
        (
            "docs/zones.yml",
            "### YamlMime:ZonePivotGroups\ngroups:\n- title: CANARY\n",
        ),
    ]);
    let texts = library.articles.iter().chain(&library.pages);
    let facts: Vec<String> = texts
        .map(|text| format!("{} {}: {}", text.stem, text.title, text.summary))
        .collect();
    assert_eq!(
        facts,
        [
            "/articles/faq Questions: What people ask about boats.",
            "/articles/a A: See the questions, ropes.",
            "/index Boats: All about boats.",
        ]
    );
    assert_eq!(
        twin(&library, "/articles/faq"),
        "See below.\n\n## Ropes\n\n### Which rope?\n\nThe [first](https://example.org/articles/a.md)."
    );
    let a = twin(&library, "/articles/a");
    assert!(a.contains("(https://example.org/articles/faq.md)"), "{a}");
    assert!(
        a.contains("(https://example.org/articles/faq.md#which-rope)"),
        "{a}"
    );
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        ["docs/index.yml:11:1: warning: broken link: `lost.md`"]
    );
    let reason = "a page of the schema `ManagedReference`, which is not read";
    assert!(library.report.skipped.contains_key(reason));
}

#[test]
fn docfx_links_lead_to_the_text_with_the_uid() {
    let json = r#"{ "build": { "content": [{ "files": ["**/*.md"] }] } }"#;
    let library = build(&[
        ("docfx.json", json),
        (
            "a/a.md",
            "See <xref:b/x#part>, [it](xref:b/x), <xref:secret> and [S](xref:System.String*).",
        ),
        (
            "b/b.md",
            "---\nuid: b/x\ntitle: \"The [B]\"\n---\nText.\n\n## Part\n",
        ),
        (
            "b/c.md",
            "---\nuid: secret\ntitle: Our plan\ndraft: true\n---\nText.",
        ),
    ]);
    assert_eq!(
        twin(&library, "/articles/a/a"),
        "See [The \\[B\\]](https://example.org/articles/b/b.md#part), [it](https://example.org/articles/b/b.md), `secret` and S."
    );
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("no text of the folder has the `uid` `System.String*`"),
        "{said:?}"
    );
}

#[test]
fn rule_54_includes_and_snippets_in_another_case() {
    let library = build(&[
        (
            "docfx.json",
            r#"{ "build": { "content": [{ "files": ["**/*.md"], "exclude": ["**/includes/**"] }], "resource": [{ "files": ["**/*.png"] }] } }"#,
        ),
        (
            "docs/a.md",
            "---\nmonikerRange: '>= x-2.0'\n---\n# A\n\n[!code-csharp[Main](~/Samples/program.cs#1)]\n\n[!INCLUDE [x](../Includes/Note.md)]\n\n:::code language=\"csharp\" source=\"~/samples/Program.cs\" range=\"1-1,7\" highlight=\"1\":::\n",
        ),
        (
            "includes/note.md",
            "---\nms.date: 01/01/2020\n---\nA note, ![m](media/m.png) and [b](../docs/a.md).",
        ),
        ("includes/media/m.png", "x"),
        (
            "samples/Program.cs",
            "a\n  // <snippet1>\n  b\n    c\n  // </snippet1>\nd\ne\n",
        ),
    ]);
    assert_eq!(
        twin(&library, "/articles/a"),
        "**>= x-2.0:**\n\n```csharp\nb\n  c\n```\n\nA note, ![m](https://example.org/includes/media/m.png) and [b](https://example.org/articles/a.md).\n\n```csharp\na\ne\n```"
    );
}

#[test]
fn rule_53_includes_with_logic_keep_what_stands_outside() {
    let library = build(&[
        ("_config.yml", "title: S\n"),
        (
            "_includes/links.md",
            "{% assign base = \"https://e.org\" %}\n{% if site.mirror %}{% assign base = \"https://m.org\" %}{% endif %}\n\n[one]: {{ base }}/1\n{% comment %} ours {% endcomment %}\n[two]: https://e.org/2\n",
        ),
        (
            "_includes/all.md",
            "{% for x in site.data.y %}\n{{ x }}\n{% endfor %}\nWhat stays.\n",
        ),
        (
            "_posts/2020-01-01-a.md",
            "See [1][one] and [2][two], not [3][three] or a[i][j].\n\n[x]({{ root }}/y.md){% assign root = \"/z\" %} [w]({{ root }}/w)\n\n{% include links.md %}\n",
        ),
        ("_posts/2020-01-02-b.md", "{% include all.md %}"),
    ]);
    assert_eq!(twin(&library, "/articles/2020-01-02-b"), "What stays.");
    let text = twin(&library, "/articles/2020-01-01-a");
    assert!(
        text.starts_with(
            "See [1](https://e.org/1) and [2](https://e.org/2), not [3\\][three] or a[i\\][j]."
        ),
        "{text}"
    );
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(
        said.iter().any(|said| said
            .contains("a.md:1:32: warning: link without a definition, shown as text: `[three]`")),
        "{said:?}"
    );
    assert!(!said.iter().any(|said| said.contains("`[j]`")), "{said:?}");
    assert!(said.iter().any(|said| said.contains("/z/w")), "{said:?}");
}

#[test]
fn a_site_of_docfx_below_the_folder_is_recognised() {
    let library = build(&[
        (
            "docs/docfx.json",
            r#"{ "build": { "content": [{ "files": ["**/*.md"] }] } }"#,
        ),
        ("docs/a.md", "# A\n\nText."),
        ("NOTES.md", "# Notes\n\nOurs."),
    ]);
    assert_eq!(
        shown(&library),
        [
            "/articles/a",
            "not among the files that `docs/docfx.json` lists: NOTES.md",
            "settings of another program: docs/docfx.json",
        ]
    );
}

#[test]
fn a_gitbook_has_its_root_and_its_readme_as_home() {
    let library = build(&[
        (".gitbook.yaml", "root: ./book/\n"),
        ("book/.gitbook/assets/a b.png", "x"),
        ("book/.gitbook/includes/part.md", "A part."),
        ("book/README.md", "# Home\n\nWelcome."),
        ("book/SUMMARY.md", "* [A](a.md)\n* [Deep](deep/README.md)\n"),
        ("book/a.md", "# A\n\n![](<.gitbook/assets/a b.png>)"),
        ("book/deep/README.md", "# Deep\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(
        &pages[..4],
        [
            "/articles/a",
            "/articles/deep",
            "/index",
            "/gitbook/assets/a b.png"
        ]
    );
    assert_eq!(
        twin(&library, "/articles/a"),
        "![](https://example.org/gitbook/assets/a%20b.png)"
    );
}

#[test]
fn several_spaces_of_gitbook_are_one_site() {
    let library = build(&[
        (
            "docs.yaml",
            "site:\n  structure:\n    - type: section\n      title: Guides\n      default: true\n      children:\n        - type: space\n          title: English\n          default: true\n          content:\n            directory: ./guide\n    - type: section\n      title: Reference\n      children:\n        - type: space\n          default: true\n          content:\n            directory: ./api\n        - type: space\n          content:\n            directory: null\n",
        ),
        ("guide/.gitbook.yaml", "root: ./\n"),
        ("guide/.gitbook/assets/a.png", "x"),
        ("guide/README.md", "# Start\n\n![](.gitbook/assets/a.png)"),
        (
            "guide/SUMMARY.md",
            "# Contents\n\n* [Start](README.md)\n* [Two](b.md)\n",
        ),
        ("guide/b.md", "# Second\n\nText."),
        ("guide/c.md", "# Not listed\n\nText."),
        ("api/.gitbook.yaml", ""),
        ("api/.gitbook/assets/a.png", "y"),
        ("api/README.md", "# The API\n\n![](.gitbook/assets/a.png)"),
        (
            "api/SUMMARY.md",
            "* [Start](README.md)\n* [Calls](calls.md)\n",
        ),
        ("api/calls.md", "# Calls\n\nText."),
        ("internal/SUMMARY.md", "* [Secret](secret.md)\n"),
        ("internal/secret.md", "# CANARY\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(
        pages,
        [
            "/articles/api",
            "/articles/api/calls",
            "/articles/b",
            "/index",
            "/api/gitbook/assets/a.png",
            "/gitbook/assets/a.png",
            "README, LICENSE and the like: api/SUMMARY.md guide/SUMMARY.md",
            "hidden: api/.gitbook.yaml guide/.gitbook.yaml",
            "not listed in `SUMMARY.md`: guide/c.md",
            "outside `guide/` and `api/`, the folders that `gitbook` publishes: docs.yaml internal/SUMMARY.md internal/secret.md",
        ]
    );
}

#[test]
fn a_space_of_gitbook_at_the_root_has_the_others_in_it() {
    let site = "site:\n  structure:\n    - type: space\n      title: Interfaces\n      default: true\n      content:\n        directory: ./api\n    - type: space\n      title: Guide\n      content:\n        directory: ./\n";
    let library = build(&[
        ("docs.yaml", site),
        (".gitbook.yaml", ""),
        ("README.md", "# Start\n\nText."),
        ("SUMMARY.md", "* [Start](README.md)\n* [A](a.md)\n"),
        ("a.md", "# A\n\nText."),
        ("api/README.md", "# The API\n\nText."),
        ("api/SUMMARY.md", "* [Start](README.md)\n"),
    ]);
    let pages = shown(&library);
    assert_eq!(pages[..3], ["/articles/a", "/articles/api", "/index"]);
}

#[test]
fn a_space_of_gitbook_that_is_listed_twice_is_read_once() {
    let space = "    - type: space\n      title: T\n      content:\n        directory: ./a\n";
    let site = format!("site:\n  structure:\n{}", space.repeat(300));
    let list = "* [P](p.md)\n".repeat(2000);
    let library = build(&[
        ("docs.yaml", &site),
        ("a/SUMMARY.md", &list),
        ("a/p.md", "# P\n\nText."),
    ]);
    assert_eq!(library.articles.len(), 1);
}

#[test]
fn a_space_of_gitbook_without_a_list_has_the_texts_of_its_folder() {
    let space = |folder: &str| {
        format!(
            "    - type: space\n      title: The {folder}\n      content:\n        directory: ./{folder}\n"
        )
    };
    let site = format!("site:\n  structure:\n{}{}", space("a"), space("b"));
    let library = build(&[
        ("docs.yaml", &site),
        ("a/README.md", "# Start\n\nText."),
        ("a/SUMMARY.md", "* [Start](README.md)\n"),
        ("a/left.md", "# Left\n\nText."),
        ("b/README.md", "# Second\n\nText."),
        ("b/more.md", "# More\n\nText."),
        ("c/out.md", "# CANARY\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(pages[..3], ["/articles/b", "/articles/b/more", "/index"]);
    assert_eq!(
        super::order::drawn(&library),
        [
            "The a",
            "  Start /index",
            "The b",
            "  Second /b",
            "  More /b/more"
        ]
    );
}

#[test]
fn the_redirects_of_a_space_of_gitbook_are_those_of_its_place() {
    let library = build(&[
        (
            "a/.gitbook.yaml",
            "root: ./text\nredirects:\n  old/page: more.md\n",
        ),
        (
            "a/text/SUMMARY.md",
            "* [Start](README.md)\n* [More](more.md)\n",
        ),
        ("a/text/README.md", "# Start\n\nText."),
        ("a/text/more.md", "# More\n\nText."),
        ("b/.gitbook.yaml", "redirects:\n  was: more.md\n"),
        ("b/SUMMARY.md", "* [Start](README.md)\n* [More](more.md)\n"),
        ("b/README.md", "# Second\n\nText."),
        ("b/more.md", "# Its more\n\nText."),
    ]);
    let redirects: Vec<String> = super::untranslated::redirects(&library, "/");
    for redirect in ["/old/page /articles/more", "/b/was /articles/b/more"] {
        assert!(redirects.iter().any(|one| one == redirect), "{redirects:?}");
    }
}

#[test]
fn contract_6_a_readme_that_is_hidden_does_not_name_its_space() {
    let library = |front: &str| {
        let readme = format!("---\n{front}\n---\n# CANARY\n\nText.");
        build(&[
            ("a/.gitbook.yaml", ""),
            ("a/README.md", &readme),
            ("a/SUMMARY.md", "* [Start](README.md)\n* [More](more.md)\n"),
            ("a/more.md", "# More\n\nText."),
            ("b/.gitbook.yaml", ""),
            ("b/README.md", "# Second\n\nText."),
            ("b/SUMMARY.md", "* [Start](README.md)\n"),
        ])
    };
    for front in [
        "draft: true",
        "if: visitor.claims.x",
        "if: [visitor.claims.x]",
        "if: !!visitor.claims.x",
        "if: !isMember(visitor.claims)",
        "if: 0",
        "if: user.isEmployee",
        "publishDate: 2999-01-01",
    ] {
        let library = library(front);
        assert!(!format!("{library:?}").contains("CANARY"), "{front}");
    }
    let library = library("description: About it");
    assert!(format!("{library:?}").contains("CANARY"));
}

#[test]
fn links_to_folders_count_from_the_file_in_a_gitbook() {
    let library = build(&[
        (".gitbook.yaml", ""),
        ("README.md", "# Home\n\nText."),
        (
            "SUMMARY.md",
            "* [Home](README.md)\n* [A](a.md)\n* [Sub](sub/README.md)\n  * [X](sub/x.md)\n",
        ),
        ("a.md", "# A\n\n[.](./ \"mention\")"),
        ("sub/README.md", "# Sub\n\nText."),
        (
            "sub/x.md",
            "# X\n\n[..](../ \"mention\") [up](../) [here](./)",
        ),
    ]);
    assert_eq!(
        twin(&library, "/articles/a"),
        "[Home](https://example.org/index.md)"
    );
    assert_eq!(
        twin(&library, "/articles/sub/x"),
        "[Home](https://example.org/index.md) [up](https://example.org/index.md) [here](https://example.org/articles/sub.md)"
    );
}

/// The values of one space are not those of another.
#[test]
fn values_are_filled_in_where_a_gitbook_has_one_space() {
    let text = "# Start\n\nIt is <code class=\"expression\">space.vars.version</code>.";
    let shown = |files: &[(&str, &str)]| -> Vec<bool> {
        let library = build(files);
        library
            .articles
            .iter()
            .map(|page| twin(&library, &page.stem).contains("It is 7."))
            .collect()
    };
    let one = [
        (".gitbook.yaml", "root: ./\n"),
        (".gitbook/vars.yaml", "version: 7\n"),
        ("SUMMARY.md", "* [Start](README.md)\n* [A](a.md)\n"),
        ("README.md", "# Home"),
        ("a.md", text),
    ];
    assert_eq!(shown(&one), [true]);
    let several = [
        ("a/.gitbook.yaml", "root: ./\n"),
        ("a/.gitbook/vars.yaml", "version: 7\n"),
        ("a/SUMMARY.md", "* [Start](README.md)\n* [A](a.md)\n"),
        ("a/README.md", "# Home"),
        ("a/a.md", text),
        ("b/.gitbook.yaml", "root: ./\n"),
        ("b/SUMMARY.md", "* [Start](README.md)\n* [A](a.md)\n"),
        ("b/README.md", "# Home"),
        ("b/a.md", text),
    ];
    assert_eq!(shown(&several), [false; 3]);
}

#[test]
fn a_gitbook_hides_what_only_some_visitors_see() {
    let library = build(&[
        (".gitbook.yaml", "root: ./\n"),
        ("README.md", "# Home\n\nWelcome."),
        ("SUMMARY.md", "* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n"),
        (
            "a.md",
            "---\nif: visitor.claims.unsigned.beta === true\n---\n# A\n\nCANARY",
        ),
        (
            "b.md",
            "---\nif: >-\n  visitor.claims?.plan !== \"pro\"\n---\n# B\n\nText.",
        ),
        ("c.md", "# C\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(
        &pages[..3],
        ["/articles/b", "/articles/c", "/index"],
        "{pages:?}"
    );
}

#[test]
fn values_of_a_gitbook_are_filled_in() {
    let library = build(&[
        (".gitbook.yaml", "root: ./book/\n"),
        ("book/.gitbook/vars.yaml", "version: v3\n"),
        ("book/README.md", "# Home\n\nWelcome."),
        (
            "book/a.md",
            "# A\n\nUse <code class=\"expression\">space.vars.version</code>.{% if visitor.claims.beta %} CANARY{% endif %}",
        ),
    ]);
    assert_eq!(twin(&library, "/articles/a"), "Use v3.");
}

/// A README is the index of its folder, but only of a folder that is part of the site.
#[test]
fn a_readme_that_no_table_of_contents_lists_is_not_published() {
    let check = |root: &str, own: &[(&str, &str)]| {
        let texts = [
            "a.md",
            "listed/README.md",
            "internal/README.md",
            "README.md",
        ];
        let paths = texts.map(|path| format!("{root}{path}"));
        let mut files = own.to_vec();
        files.extend(paths.iter().map(|path| (path.as_str(), "# T\n\nText.")));
        let library = build(&files);
        let texts = library.articles.iter().chain(&library.pages);
        let mut sources: Vec<&str> = texts.map(|text| &*text.source).collect();
        sources.sort_unstable();
        let expected = ["a.md", "listed/README.md"].map(|path| format!("{root}{path}"));
        assert_eq!(sources, expected, "{own:?}");
    };
    let summary = "# Summary\n\n* [A](a.md)\n* [L](listed/README.md)\n";
    check("src/", &[("book.toml", ""), ("src/SUMMARY.md", summary)]);
    let toc = "project:\n  toc:\n  - file: a.md\n  - file: listed/README.md\n";
    check("", &[("myst.yml", toc)]);
    check("docs/", &[("docs/myst.yml", toc)]);
    let toc = "root: a\nchapters:\n- file: listed/README\n";
    let config = "only_build_toc_files: true\n";
    check("", &[("_config.yml", config), ("_toc.yml", toc)]);
    // The home page of a GitBook need not be listed.
    let library = build(&[
        (".gitbook.yaml", ""),
        ("SUMMARY.md", summary),
        ("a.md", "# T\n\nText."),
        ("README.md", "# T\n\nText."),
        ("internal/README.md", "# T\n\nText."),
    ]);
    assert_eq!(shown(&library)[..2], ["/articles/a", "/index"]);
}

#[test]
fn a_docsify_site_has_its_readme_as_home() {
    let library = build(&[
        (
            "docs/index.html",
            "<script>window.$docsify = { name: 'Docs of X', loadSidebar: true }</script><script src=//cdn/docsify.min.js></script>",
        ),
        ("docs/README.md", "# Home\n\nWelcome."),
        ("docs/_sidebar.md", "* [A](a.md)\n"),
        ("docs/a.md", "# A\n\nText."),
        ("docs/deep/README.md", "# Deep\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(
        &pages[..3],
        ["/articles/a", "/articles/deep", "/index"],
        "{pages:?}"
    );
}

#[test]
fn a_docsify_site_is_known_by_any_name_of_its_script() {
    let is_known = |page: &str| {
        let library = build(&[("index.html", page), ("a.md", "# A\n\n?> A tip.")]);
        !twin(&library, "/articles/a").contains("?>")
    };
    assert!(is_known(
        "<script src=//cdn.example/npm/docsify@4></script>"
    ));
    assert!(is_known("<script src=\"/lib/docsify.js\"></script>"));
    assert!(!is_known("<a href=https://docsify.js.org/>Docsify</a>"));
}

#[test]
fn a_docsify_site_may_name_its_home_page() {
    let library = build(&[
        (
            "docs/index.html",
            "<script>window.$docsify = { name: 'X', homepage: 'intro.md' }</script><script src=//cdn/docsify.min.js></script>",
        ),
        ("docs/README.md", "# Repository\n\nText."),
        (
            "docs/intro.md",
            "# Introduction\n\n[a](a.md?id=b) [b](#/a?id=b)",
        ),
        ("docs/_sidebar.md", "* [Second](#/second)\n* [First](#/a)\n"),
        ("docs/a.md", "# A\n\n## B\n\nText."),
        ("docs/second.md", "# C\n\nText."),
    ]);
    let pages = shown(&library);
    assert_eq!(
        &pages[..3],
        ["/articles/a", "/articles/second", "/index"],
        "{pages:?}"
    );
    let home = library.pages.iter().find(|page| &*page.stem == "/index");
    assert_eq!(home.map(|home| &*home.source), Some("docs/intro.md"));
    assert!(library.problems.is_empty(), "{:?}", library.problems);
}

#[test]
fn rule_57_ids_and_footnotes_of_kramdown_are_found() {
    let library = build(&[
        ("_config.yml", "title: S\n"),
        (
            "_posts/2020-01-01-a.md",
            "Text[^b] and[^name].\n\n[^name]: N.\n[^b]: B.\n\n{:#part}\nA part.\n\n| a |\n|---|\n| b |\n{: .c #table}\n\n[1](#fn:name) [2](#fnref:b) [3](#part) [4](#table) [5](#fn:none)\n",
        ),
    ]);
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    let text = twin(&library, "/articles/2020-01-01-a");
    for place in ["a.md#fn:2)", "a.md#fnref:1)", "a.md#part)", "a.md#table)"] {
        assert!(text.contains(place), "{place} {text}");
    }
    assert!(!text.contains("{:"), "{text}");
}

#[test]
fn blocks_of_gitbook_become_what_they_mean() {
    let library = build(&[
        (".gitbook.yaml", "root: ./\n"),
        (".gitbook/assets/a.pdf", "x"),
        (".gitbook/includes/part.md", "Shared."),
        ("README.md", "# Home\n\nWelcome."),
        ("b.md", "# B\n\nText."),
        (
            "a.md",
            "{% hint style=\"info\" %}\nH.\n{% endhint %}\n\n{% code title=\"a.js\" %}\n```js\nx\n```\n{% endcode %}\n\n{% content-ref url=\"b.md\" %}\n[b.md](b.md)\n{% endcontent-ref %}\n\n{% file src=\".gitbook/assets/a.pdf\" %}\n\n{% include \".gitbook/includes/part.md\" %}\n\n{% swagger method=\"get\" path=\"/x\" summary=\"S\" %}\n{% swagger-response status=\"200\" description=\"Done\" %}\n{% endswagger-response %}\n{% endswagger %}\n",
        ),
    ]);
    assert_eq!(
        twin(&library, "/articles/a"),
        "> [!NOTE]\n> **Info**\n>\n> H.\n\n**a.js:**\n\n```js\nx\n```\n\n[B](https://example.org/articles/b.md)\n\n[a.pdf](https://example.org/gitbook/assets/a.pdf)\n\nShared.\n\n**GET /x:**\n\nS\n\n**200 Done:**"
    );
}

#[test]
fn rule_55_references_lead_through_a_book_of_quarto() {
    check(
        &[
            (
                "_quarto.yml",
                "project:\n  type: book\nbook:\n  chapters:\n    - index.qmd\n    - part: P\n      chapters:\n        - one.qmd\n        - two.qmd\n  appendices:\n    - more.qmd\n",
            ),
            (
                "index.qmd",
                "# Preface {.unnumbered}\n\n@sec-one, @fig-a, @sec-more\n",
            ),
            (
                "one.qmd",
                "# One {#sec-one}\n\n## Part {#sec-part}\n\nSee @sec-part and @sec-deep.\n",
            ),
            (
                "two.qmd",
                "# Two\n\n## A\n\n### B {#sec-deep}\n\n::: {#fig-a}\nx\n\nC\n:::\n",
            ),
            ("more.qmd", "# More {#sec-more}\n\nText.\n"),
        ],
        &[
            "/articles/more: Text.",
            "/articles/one: ## Part||See [Section 1.1](https://example.org/articles/one.md#sec-part) and [Section 2.1.1](https://example.org/articles/two.md#sec-deep).",
            "/articles/two: ## A||### B||x\\|*Figure 2.1: C*",
            "/index: [Chapter 1](https://example.org/articles/one.md#sec-one), [Figure 2.1](https://example.org/articles/two.md#fig-a), [Appendix A](https://example.org/articles/more.md#sec-more)",
        ],
    );
}

#[test]
fn docsify_shows_the_files_that_its_texts_include() {
    let library = build(&[
        ("index.html", "<script>window.$docsify = {}</script>"),
        (
            "README.md",
            "# Home\n\n[part](_media/part.md ':include')\n\n[code](_media/x.js ':include :type=code :fragment=demo')\n\n[film](_media/v.mp4 ':include :type=video controls')\n\n![](_media/l.svg)\n\n`[a](_media/part.md ':include')`\n",
        ),
        ("_media/part.md", "Included *words*.\n"),
        ("_media/x.js", "a\n/// [demo]\nlet b\n/// [demo]\nc\n"),
        ("_media/l.svg", "<svg/>"),
        ("_media/v.mp4", "x"),
        ("_media/unused.svg", "<svg/>"),
    ]);
    let site = site();
    let home = library
        .pages
        .iter()
        .find(|page| &*page.stem == "/index")
        .unwrap();
    let rendering = Rendering {
        base: &site.base,
        stem: "/index",
        targets: &home.targets,
        purpose: Purpose::Twin,
        typography: None,
        back: None,
    };
    let text = write_markdown(&home.document, &rendering).text;
    assert!(text.contains("Included *words*."), "{text}");
    assert!(text.contains("```js\nlet b\n```"), "{text}");
    let files: Vec<&str> = library.files.iter().map(|file| &*file.path).collect();
    assert_eq!(files, ["/_media/l.svg", "/_media/v.mp4"]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0]);
}

#[test]
fn the_page_of_the_app_router_at_the_root_is_the_home_page() {
    let library = build(&[
        ("next.config.mjs", "export default {}"),
        (
            "app/page.mdx",
            "export const metadata = { title: 'Boats' }\n\nWords of home.\n",
        ),
        ("app/a/page.mdx", "# A\n\nWords.\n"),
    ]);
    let texts = library.articles.iter().chain(&library.pages);
    let titles: Vec<String> = texts
        .map(|text| format!("{} {}", text.stem, text.title))
        .collect();
    assert_eq!(titles, ["/articles/a A", "/index Boats"]);
}

#[test]
fn a_readme_below_the_root_of_a_docsify_site_is_the_index_of_its_folder() {
    let library = build(&[
        ("index.html", "<script>window.$docsify = {}</script>"),
        ("README.md", "# Home\n\nWelcome."),
        ("deep/README.md", "# Deep\n\nNothing links it."),
        ("deep/more.md", "# More\n\nText."),
    ]);
    assert_eq!(
        shown(&library)[..3],
        ["/articles/deep", "/articles/deep/more", "/index"]
    );
}
