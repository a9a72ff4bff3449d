//! Habits of public repositories that were read from their roots.

use super::scope::{canaries, check_canaries, everything};
use super::*;

/// What is published has these words, and not those.
fn says(files: &[(&str, &str)], words: &[&str], others: &[&str]) {
    let all = everything(&build(files));
    for word in words {
        assert!(all.contains(word), "`{word}` is missing:\n{all}");
    }
    for word in others {
        assert!(!all.contains(word), "`{word}` is there:\n{all}");
    }
}

fn problems(files: &[(&str, &str)]) -> String {
    let library = build(files);
    let problems = library.problems.iter().map(|problem| problem.to_string());
    problems.collect::<Vec<_>>().join("\n")
}

#[test]
fn rule_26_of_logseq_only_public_pages_are_published() {
    let page = ("pages/a.md", "public:: true\n\n- words\n");
    check_canaries(
        &[("logseq/config.edn", "{:meta/version 1}"), page],
        &["pages/x.md", "journals/2024_01_02.md", "logseq/bak/x.md"],
        &["pages/a.md /articles/pages/a"],
    );
    let all = "{; :publishing/all-pages-public? false\n :publishing/all-pages-public? true\n :hidden [\"script\" \"/x.md\"]}";
    let library = canaries(
        &[
            ("logseq/config.edn", all),
            ("pages/b.md", "- words\n"),
            ("pages/c.md", "- a\npublic:: false\n\n- a secret word\n"),
        ],
        &["script/x.md", "x.md", "logseq/x.md"],
    );
    assert!(!everything(&library).contains("secret"));
    assert_eq!(library.articles.len() + library.pages.len(), 1);
}

#[test]
fn rule_26_of_dendron_only_site_hierarchies_are_published() {
    let config = "workspace:\n  vaults:\n  - fsPath: vault\n  - fsPath: own\n    visibility: private\npublishing:\n  siteHierarchies:\n  - wiki\n";
    let library = canaries(
        &[
            ("dendron.yml", config),
            ("vault/wiki.md", "---\ntitle: W\n---\nwords\n"),
            ("vault/wiki.a.b.md", "---\ntitle: A\n---\nwords\n"),
            (
                "vault/wiki.c.md",
                "---\ntitle: a secret word\npublished: false\n---\nwords\n",
            ),
        ],
        &["vault/daily.2024.md", "vault/wikipedia.md", "own/wiki.x.md"],
    );
    assert!(!everything(&library).contains("secret"));
    assert_eq!(library.articles.len() + library.pages.len(), 2);
}

#[test]
fn rule_26_documents_outside_the_folder_are_an_error() {
    let config =
        "module.exports = {\n  presets: [['classic', {docs: {path: '../docs'}, blog: {}}]],\n};\n";
    let found = problems(&[
        ("docusaurus.config.js", config),
        ("versions.json", "[\"1.0\"]"),
        ("versioned_docs/version-1.0/intro.md", "# Intro\n\nwords\n"),
        ("blog/2020-01-01-p.md", "# P\n\nwords\n"),
    ]);
    let expected = "docusaurus.config.js:2:39: `docs.path` names `../docs`";
    assert!(found.contains(expected), "{found}");
    // From the folder around it both versions are read.
    says(
        &[
            ("website/docusaurus.config.js", config),
            ("website/versions.json", "[\"1.0\"]"),
            (
                "website/versioned_docs/version-1.0/intro.md",
                "# Intro\n\nolder\n",
            ),
            ("docs/intro.md", "# Intro\n\nnewer\n"),
        ],
        &["older", "newer"],
        &[],
    );
}

#[test]
fn rule_12_what_shows_tags_in_code_is_removed() {
    let text = "---\ntitle: A\n---\nUse `{% raw %}{{ page.title }}{% endraw %}`.\n\n```yaml\n{% raw %}\nx: ${{ y }}\n{% endraw %}\n```\n\n    {%- raw -%}{{ z }}{%- endraw -%}\n\n{% highlight liquid %}\n{% raw %}{{ h }}{% endraw %}\n{% endhighlight %}\n";
    for config in ["_config.yml", ".eleventy.js"] {
        says(
            &[(config, ""), ("_posts/2020-01-01-a.md", text)],
            &[
                "`{{ page.title }}`",
                "```yaml\nx: ${{ y }}\n```",
                "{{ z }}",
                "{{ h }}",
            ],
            &["raw %}", "raw -%}"],
        );
    }
    // Elsewhere they are code.
    says(
        &[("a.md", text)],
        &["`{% raw %}{{ page.title }}{% endraw %}`"],
        &[],
    );
    let text = "---\ntitle: A\nversion: v9\n---\n```go-html-template\n{{</* ref \"x\" */>}} {{%/* y */%}} {{< z >}}\n```\n\n`{{</* y */>}}`\n\n```sh\nget {{< param version >}} {{< param nothing >}}\n```\n\n{{< highlight html >}}\n{{</* w */>}}\n{{< /highlight >}}\n";
    says(
        &[("hugo.toml", "title = 'H'\n"), ("content/a.md", text)],
        &[
            "{{< ref \"x\" >}} {{% y %}} {{< z >}}",
            "`{{< y >}}`",
            "get v9 {{< param nothing >}}",
            "{{< w >}}",
        ],
        &["/*"],
    );
}

#[test]
fn rule_12_own_shortcodes_of_hugo_may_hold_code() {
    says(
        &[
            ("hugo.toml", "title = 'H'\n"),
            (
                "layouts/shortcodes/high.html",
                "{{ $code := trim .Inner \"\\n\" }}{{ highlight $code (.Get 0) \"\" }}",
            ),
            (
                "layouts/shortcodes/box.html",
                "<div>{{ .Inner | markdownify }}</div>",
            ),
            (
                "content/a.md",
                "---\ntitle: A\n---\n{{< high rust >}}\n# [derive]\n*a* = *b;\n{{< /high >}}\n\n{{< box >}}\n**b**\n{{< /box >}}\n",
            ),
        ],
        &["```rust\n# [derive]\n*a* = *b;\n```", "**b**"],
        &["```\n**b**"],
    );
}

#[test]
fn rule_12_own_shortcodes_of_hugo_may_hide_what_they_hold() {
    let layouts = [
        (
            "layouts/shortcodes/todo.html",
            "{{ if hugo.IsServer }}{{ .Inner }}{{ end }}",
        ),
        ("layouts/_shortcodes/note.html", "{{ $_ := .Inner }}"),
        ("layouts/shortcodes/box.html", "<div>{{ .Inner }}</div>"),
    ];
    let text = "---\ntitle: A\n---\nFirst {{< todo >}}secret one{{< /todo >}}.\n\n{{% note %}}\nsecret *two* {{< box >}}secret{{< /box >}}\n{{% note %}}secret{{% /note %}} secret\n{{% /note %}}\n\n{{< box >}}\nshown\n{{< /box >}}\n\nLast.\n";
    let mut files = vec![("hugo.toml", "title = 'H'\n"), ("content/a.md", text)];
    files.extend(layouts);
    says(&files, &["First .", "shown", "Last."], &["secret"]);
}

#[test]
fn rule_57_html_ends_with_its_element_where_the_kind_reads_it_so() {
    let text = "---\ntitle: A\n---\n<p>a</p>\nb **c**\n\n<div>\nx\n</div>\n```sh\nls <dir>\n```\n";
    for (config, path) in [("_config.yml", "a.md"), ("mkdocs.yml", "docs/a.md")] {
        says(
            &[(config, "title: T\n"), (path, text)],
            &["```sh\nls <dir>\n```", "b **c**"],
            &[],
        );
    }
}

#[test]
fn rule_57_empty_lines_in_html_change_nothing_where_the_kind_reads_whole_elements() {
    let text = "---\ntitle: A\n---\n<div class=\"box\">\n<table>\n  <tr>\n    <td>\n      <p>\n\n        First.\n\n      </p>\n    </td>\n  </tr>\n</table>\n</div>\n```sh\na\n\nb\n```\n\n<span>\nWords *of* it.\n</span>\n\nLast.\n";
    for (config, path) in [("_config.yml", "a.md"), ("mkdocs.yml", "docs/a.md")] {
        says(
            &[(config, "title: T\n"), (path, text)],
            &[
                "First.",
                "```sh\na\n\nb\n```",
                "Words *of* it.",
                "\n\nLast.",
            ],
            &["&lt;", "```sh a"],
        );
    }
}

#[test]
fn rule_27_a_label_before_an_admonition_leaves_it_one() {
    let text = "# A\n\n(here)=\n:::{tip} One\n:class: dropdown\nWords.\n:::\n\n(there)=\n:::{note}\nOthers.\n:::\n";
    let files = [
        ("myst.yml", "version: 1\nproject: {title: T}\n"),
        ("index.md", text),
    ];
    says(
        &files,
        &["> [!TIP]\n> **One**\n>\n> Words.", "> [!NOTE]\n> Others."],
        &["\\["],
    );
}

#[test]
fn rule_57_fenced_code_in_html_stays_code() {
    let text = "---\ntitle: A\n---\n* Item\n\n    <details>\n    <summary>More</summary>\n\n    ```\n    0x01\n    0x02\n    ```\n    </details>\n\n* Last\n";
    for (config, path) in [("_config.yml", "a.md"), ("mkdocs.yml", "docs/a.md")] {
        let files = [(config, "title: T\n"), (path, text)];
        says(&files, &["  0x01\n  0x02\n  ```\n", "- Last"], &["&#96;"]);
    }
}

#[test]
fn rule_57_html_in_highlighted_code_is_shown_unchanged() {
    let text = "---\ntitle: A\n---\n{% highlight xml %}\n<cd></cd>\nXML\n<p>a</p>\nb\n{% endhighlight %}\n\n<p>c</p>\nd **e**\n";
    let files = [("_config.yml", "title: T\n"), ("a.md", text)];
    says(
        &files,
        &["```xml\n<cd></cd>\nXML\n<p>a</p>\nb\n```", "d **e**"],
        &[],
    );
}

#[test]
fn rule_29_the_words_of_home_pages_are_published() {
    let mut files = sources(&[
        (
            "index.md",
            "---\nlayout: home\nhero:\n  name: Hero\n  tagline: The tag line\n  actions:\n  - {text: Start, link: /one}\nfeatures:\n- {title: Simple, details: Some details, link: /none}\n---\n\nBody\n",
        ),
        ("one.md", "# One\n\nwords\n"),
        (".vitepress/config.ts", "export default {}"),
    ]);
    files.hidden.insert(".vitepress".to_owned());
    let library = Library::build(&files, &site(), NOW.parse().unwrap());
    let all = everything(&library);
    for word in [
        "**Hero**",
        "The tag line",
        "[Start](",
        "Simple",
        "Some details",
        "Body",
    ] {
        assert!(all.contains(word), "{word} in {all}");
    }
    let found = library.problems.iter().map(|problem| problem.to_string());
    let found: Vec<String> = found.collect();
    assert!(
        found.iter().any(|one| one.starts_with("index.md:9:")),
        "{found:?}"
    );
    // Without a body it is the home page as well.
    let mut files = sources(&[
        ("index.md", "---\nlayout: home\nhero: {name: Hero}\n---\n"),
        ("one.md", "# One\n\nwords\n"),
        (".vitepress/config.ts", "export default {}"),
    ]);
    files.hidden.insert(".vitepress".to_owned());
    let library = Library::build(&files, &site(), NOW.parse().unwrap());
    let home = library.pages.iter().find(|page| &*page.stem == "/index");
    assert_eq!(home.map(|home| &*home.title), Some("Folder"));
}

#[test]
fn rule_26_posts_of_jekyll_are_in_every_folder() {
    let library = build(&[
        ("_config.yml", "title: T\n"),
        ("_posts/2020-01-05-root.md", "---\ntitle: R\n---\nwords\n"),
        (
            "blog/_posts/2020-01-03-cat.md",
            "---\ntitle: C\n---\nwords\n",
        ),
        (
            "assets/js/search.json",
            "---\n---\n{\"a\": \"{{ site.title }}\"}\n",
        ),
        ("assets/js/data.json", "{}\n"),
    ]);
    let mut found: Vec<String> = library
        .articles
        .iter()
        .map(|text| format!("{} {:?}", text.stem, text.tags.len()))
        .collect();
    found.sort();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[1].starts_with("/articles/blog/") && found[1].ends_with(" 1"),
        "{found:?}"
    );
    let files: Vec<&str> = library.files.iter().map(|file| &*file.source).collect();
    assert_eq!(files, ["assets/js/data.json"]);
}

#[test]
fn rule_24_notebooks_of_quarto_are_counted() {
    let library = build(&[
        ("_quarto.yml", "project: {type: website}\n"),
        ("a.qmd", "---\ntitle: A\n---\n[n](x.ipynb)\n"),
        ("x.ipynb", "{}\n"),
    ]);
    assert!(library.files.is_empty());
    let skipped: Vec<&String> = library.report.skipped.keys().collect();
    assert!(
        skipped.iter().any(|reason| reason.ends_with(": `.ipynb`")),
        "{skipped:?}"
    );
}

#[test]
fn rule_24_a_folder_of_other_formats_has_no_text() {
    let report = build(&[("a.adoc", "= A\n"), ("b.dj", "b\n"), ("a.png", "x")]).report;
    assert_eq!(report.only_unread(), ["`.adoc`", "`.dj`"]);
    let report = build(&[("a.mdoc", "# A\n")]).report;
    assert_eq!(report.only_unread(), ["`.mdoc`"]);
    let report = build(&[("a.adoc", "= A\n"), ("b.md", "b\n")]).report;
    assert!(report.only_unread().is_empty());
}

#[test]
fn rule_21_a_linked_folder_publishes_its_readme() {
    let library = build(&[
        ("README.md", "# Guides\n\n- [A](/general/)\n- [R](rails)\n"),
        ("general/README.md", "# General\n\nwords\n"),
        ("rails/README.md", "# Rails\n\nwords\n"),
        ("rails/other.md", "# Other\n\n[top](../README.md)\n"),
    ]);
    let texts = library.articles.iter().chain(&library.pages);
    let mut stems: Vec<&str> = texts.map(|text| &*text.stem).collect();
    stems.sort_unstable();
    assert_eq!(
        stems,
        [
            "/articles/general",
            "/articles/rails",
            "/articles/rails/other",
            "/index"
        ]
    );
    assert!(library.problems.is_empty(), "{:?}", library.problems);
}

#[test]
fn rule_45_permalinks_of_eleventy_may_be_for_builds() {
    let files = [
        ("eleventy.config.js", "export default {};\n"),
        (
            "posts/a.md",
            "---\ntitle: A\npermalink:\n  build: /j/\n  serve: false\n---\nwords\n",
        ),
        (
            "posts/b.md",
            "---\ntitle: B\neleventyExcludeFromCollections: true\n---\nwords\n",
        ),
        (
            "posts/x.md",
            "---\ntitle: a secret word\npermalink: {build: false}\n---\nwords\n",
        ),
    ];
    let library = build(&files);
    assert!(!everything(&library).contains("secret"));
    let old: Vec<String> = library
        .redirects
        .keys()
        .map(|old| old.to_string())
        .collect();
    assert!(
        old.iter().any(|old| old.trim_end_matches('/') == "/j"),
        "{old:?}"
    );
    let listed = library.articles.iter().filter(|text| text.listed);
    assert_eq!(listed.map(|text| &*text.title).collect::<Vec<_>>(), ["A"]);
}

#[test]
fn rule_15_a_table_of_contents_is_no_wikilink() {
    let text = "# A\n\n[[toc]]\n\n[[TOC]]\n\nwords\n";
    let library = build(&[("a.md", text), ("b.md", text), ("c.md", text)]);
    assert_eq!(library.report.dialect.unwrap().0, "plain");
}

#[test]
fn rule_7_addresses_of_docusaurus_and_of_programs() {
    let files = [
        (
            "docusaurus.config.js",
            "module.exports = {presets: [['classic', {}]]};\n",
        ),
        ("static/img/a.png", "x"),
        ("src/pages/setup.tsx", "x"),
        (
            "docs/a.md",
            "# A\n\n[p](pathname:///img/a.png) [s](/setup) <Thing to=\"admin\">w</Thing>\n",
        ),
    ];
    let found = problems(&files);
    assert!(
        found.contains("`src/pages/setup.tsx` is a program"),
        "{found}"
    );
    assert!(
        !found.contains("admin") && !found.contains("pathname"),
        "{found}"
    );
    says(&files, &["/img/a.png)"], &["pathname"]);
}
