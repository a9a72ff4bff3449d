//! Hugo: ids of headings and shortcodes, and links between languages.

use super::*;

#[test]
fn rule_61_fragments_of_blackfriday_lead_to_their_headings() {
    let page = |kind: &str, text: &str| {
        let text = format!("---\ntitle: T\n---\n{text}");
        let config = format!(
            "baseURL = 'https://e.org'\n[markup.goldmark.parser]\nautoHeadingIDType = '{kind}'\n"
        );
        build(&[("hugo.toml", &config), ("content/a.md", &text)])
    };
    let check = |kind: &str, text: &str, ids: &[&str]| {
        let library = page(kind, text);
        assert_eq!(library.articles[0].document.ids(), ids, "{kind}: {text}");
        assert!(library.problems.is_empty(), "{:?}", library.problems);
    };
    check(
        "blackfriday",
        "## हिन्दी में\n\nSee [it](#ह-न-द-म).\n\n## A.b\n\n## A.b\n",
        &["हिन्दी-में", "ह-न-द-म", "ab", "a-b", "ab-1", "a-b-1"],
    );
    check(
        "github-ascii",
        "## Käse\n\n[it](#kase)\n",
        &["käse", "kase"],
    );
    check("github", "## हिन्दी\n\n[it](#हनद)\n", &["हिन्दी", "हनद"]);
}

#[test]
fn rule_26_texts_of_languages_that_are_not_built_are_not_published() {
    for config in [
        "[languages.en]\n[languages.de]\ndisabled = true\n",
        "disableLanguages = ['de']\n[languages.en]\n[languages.de]\n",
        "[languages.en]\n[languages.de]\ndisabled = true\ncontentDir = 'content/de'\n",
    ] {
        let library = build(&[
            ("hugo.toml", config),
            ("content/a.md", "---\ntitle: A\n---\nwords"),
            ("content/a.de.md", "---\ntitle: A\n---\nSECRET"),
        ]);
        assert_eq!(library.articles.len(), 1, "{config}");
        assert!(
            !super::scope::everything(&library).contains("SECRET"),
            "{config}"
        );
    }
}

#[test]
fn rule_45_titles_and_slugs_in_addresses_are_spelled_as_hugo_spells_them() {
    let old = |title: &str, slug: &str, pattern: &str| {
        let library = build(&[
            (
                "hugo.toml",
                &format!("baseURL = 'https://e.org'\n{pattern}"),
            ),
            (
                "content/posts/a.md",
                &format!("---\ntitle: '{title}'\n{slug}\n---\nwords"),
            ),
        ]);
        let all = library.redirects.iter();
        let old: Vec<String> = all.map(|(old, new)| format!("{old} {new}")).collect();
        old.join(" ")
    };
    let pattern = "[permalinks]\nposts = '/p/:title/'\n";
    for (title, address) in [
        ("x - y", "/p/x-y/ "),
        ("Foo_Bar.baz", "/p/foo_bar.baz/ "),
        ("C++ & Rust", "/p/c-rust/ "),
        ("C++ & Äpfel: it''s", "/p/c-äpfel-its/ "),
        ("a — b", "/p/a-b/ "),
        ("foo.bar", "/p/foo.bar/ "),
        // A slash was one before Hugo 0.168.
        ("A/B c", "/p/a-b-c/ "),
        ("A/B c", "/p/a/b-c/ "),
    ] {
        assert!(
            old(title, "", pattern).contains(address),
            "{title}: {}",
            old(title, "", pattern)
        );
    }
    assert!(old("T", "slug: My Slug", "").contains("/posts/my-slug"));
    assert!(old("T", "slug: C++ a/b", "").contains("/posts/c++-a/b/ "));
}

#[test]
fn rule_38_an_empty_text_that_waits_for_its_translation_leads_to_the_original() {
    let languages =
        "[languages.en]\ncontentDir = 'content/en'\n[languages.de]\ncontentDir = 'content/de'\n";
    let config = format!("baseURL = 'https://e.org'\n{languages}");
    let library = build(&[
        ("hugo.toml", &config),
        ("content/en/_index.md", "---\ntitle: Home\n---\nWelcome.\n"),
        ("content/en/docs/a.md", "---\ntitle: A\n---\nWords.\n"),
        ("content/en/docs/b.md", "---\ntitle: B\n---\nWords.\n"),
        (
            "content/en/docs/c.md",
            "---\ntitle: C\ndraft: true\n---\nWords.\n",
        ),
        (
            "content/de/docs/a.md",
            "---\ntitle: A\n---\n[b]({{< ref \"docs/b.md\" >}}) [a]({{< ref \"docs/a.md\" >}}#teil)\n\n## Teil\n",
        ),
        (
            "content/de/docs/b.md",
            "---\ntitle: B\nuntranslated: 1\n---\n",
        ),
        ("content/de/docs/c.md", "---\ntitle: C\n---\n"),
        ("content/de/docs/d.md", "---\ntitle: D\n---\n"),
        ("content/en/docs/d.md", "---\ntitle: D\n---\n"),
    ]);
    let all = former(&library);
    let german: Vec<&str> = all.iter().map(String::as_str).collect();
    let german: Vec<&str> = german
        .into_iter()
        .filter(|line| line.starts_with("/de/"))
        .collect();
    assert_eq!(
        german,
        [
            "/de/docs/a/ /articles/de/docs/a",
            "/de/docs/b/ /articles/en/docs/b"
        ]
    );
    assert_eq!(
        twin(&library, "/articles/de/docs/a"),
        "[b](https://example.org/articles/en/docs/b.md) [a](https://example.org/articles/de/docs/a.md#teil)\n\n## Teil"
    );
    let home = library.pages.iter().find(|page| &*page.stem == "/index");
    assert_eq!(home.map(|home| &*home.source), Some("content/en/_index.md"));
}

#[test]
fn rule_61_ids_that_shortcodes_write_are_places() {
    let template = "{{ $id := .Get \"id\" }}<dfn id=\"def-{{ $id }}\">{{ .Inner }}</dfn>";
    check(
        &[
            ("hugo.toml", "baseURL = 'https://e.org'\n"),
            ("themes/x/layouts/shortcodes/def.html", template),
            (
                "content/a.md",
                "{{% def id=\"AIA\" name=\"Access\" %}} An [extension](#def-ext). {{% /def %}}\n\n{{< def id=\"ext\" >}}More{{< /def >}}",
            ),
            ("content/b.md", "[a](/a/#def-AIA) [b](/a/#def-none)"),
        ],
        &[
            "/articles/a: **Access:**||An [extension](https://example.org/articles/a.md#def-ext).||More",
            "/articles/b: [a](https://example.org/articles/a.md#def-AIA) [b](https://example.org/articles/a.md)",
            "content/b.md:1:18: warning: broken link: the page `content/a.md` has no heading or id `#def-none`",
        ],
    );
}

#[test]
fn rule_38_links_of_hugo_lead_to_the_language_of_their_page() {
    let config = "baseURL = 'https://e.org'\ndefaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n[languages.de]\ncontentDir = 'content/de'\n";
    let files = [
        ("hugo.toml", config),
        ("content/en/a.md", "A."),
        ("content/en/c.md", "C."),
        ("content/de/a.md", "A."),
        ("content/de/b.md", "[a](/a/) [c](/c/) [a](/de/a/)"),
    ];
    let of_b = |files: &[(&str, &str)]| twin(&build(files), "/articles/de/b");
    let a = "https://example.org/articles/de/a.md";
    let c = "https://example.org/articles/en/c.md";
    assert_eq!(of_b(&files), format!("[a]({a}) [c]({c}) [a]({a})"));
    let hook = ("layouts/_default/_markup/render-link.html", "<a>");
    let plain = of_b(&[&files[..], &[hook]].concat());
    let english = "https://example.org/articles/en/a.md";
    assert_eq!(plain, format!("[a]({english}) [c]({c}) [a]({a})"));
}

#[test]
fn rule_44_a_menu_of_sections_does_not_order_a_dated_blog() {
    let config = "baseURL = 'https://e.org'\n[[menu.main]]\nname = 'Blog'\nurl = '/posts/'\n[[menu.main]]\nname = 'Notes'\nurl = '/notes/'\n[[menu.main]]\nname = 'Gone'\nurl = '/gone/'\n";
    let shape = |front: &str| {
        let library = build(&[
            ("hugo.toml", config),
            (
                "content/posts/a.md",
                &format!("---\ntitle: A\n{front}---\nA."),
            ),
            (
                "content/posts/b.md",
                &format!("---\ntitle: B\n{front}---\nB."),
            ),
            (
                "content/notes/c.md",
                &format!("---\ntitle: C\n{front}---\nC."),
            ),
        ]);
        let gone = library
            .problems
            .iter()
            .any(|problem| problem.message.contains("/gone/"));
        (library.shape, gone)
    };
    use crate::model::tree::Shape;
    assert_eq!(shape("date: 2024-05-06\n"), (Shape::Journal, false));
    assert_eq!(shape(""), (Shape::Guide, true));
}

#[test]
fn rule_26_front_matter_of_hugo_and_zola_may_follow_white_space() {
    let hugo = ("hugo.toml", "baseURL = 'https://e.org'\n");
    let zola = ("config.toml", "base_url = 'https://e.org'\n");
    let other = ("content/a.md", "+++\ntitle = 'A'\n+++\nwords");
    let check = |config, text: &str, shows: bool| {
        let library = build(&[config, other, ("content/b.md", text)]);
        let all = super::scope::everything(&library);
        assert_eq!(all.contains("SECRET"), shows, "{text}");
    };
    for (front, hides) in [
        (" ---\ndraft: true\n---", true),
        ("\n \t+++\ndraft = true\n+++", true),
        (" ---\ntitle: T\n---", false),
        ("    ---\n", false),
    ] {
        let text = format!("{front}\nSECRET");
        check(hugo, &text, !hides);
        check(zola, &text, !hides);
    }
    for (front, hides) in [
        ("#+title: T\n#+draft: true\n", true),
        ("\n #+date: <2999-01-01 Tue>\n", true),
        ("#+title: T\n\n#+draft: true\n", false),
        ("# T\n#+draft: true\n", false),
    ] {
        check(hugo, &format!("{front}\nSECRET"), !hides);
    }
}

#[test]
fn rule_26_keywords_of_org_begin_a_text_of_hugo() {
    let library = build(&[
        ("hugo.toml", "baseURL = 'https://e.org'\n"),
        (
            "content/a.md",
            "#+title: Frost\n#+date: 2020-01-02\n#+tags[]: a b\nWords.",
        ),
    ]);
    let article = &library.articles[0];
    let tags: Vec<&str> = article.tags.iter().map(|tag| &*tag.name).collect();
    assert_eq!((&*article.title, tags), ("Frost", vec!["a", "b"]));
    assert_eq!(twin(&library, "/articles/a"), "Words.");
}

#[test]
fn rule_26_the_source_of_a_page_that_is_not_read_is_not_published() {
    let library = build(&[
        ("hugo.toml", "baseURL = 'https://e.org'\n"),
        (
            "content/a.md",
            "[a](o.org) [b](s/U.ORG) [c](s/p.adoc) [d](r.rst) [e](p.pdc) [f](/files/open.org)",
        ),
        ("content/o.org", "#+draft: true\n\nSECRET"),
        ("content/s/U.ORG", "#+date: 2999-01-01\n\nSECRET"),
        ("content/s/p.adoc", ":draft: true\n\nSECRET"),
        ("content/r.rst", "SECRET"),
        ("content/p.pdc", "SECRET"),
        ("static/files/open.org", "copied"),
    ]);
    let all = super::scope::everything(&library);
    assert!(!all.contains("SECRET"), "{all}");
    assert!(all.contains("copied"), "{all}");
    assert_eq!(
        library.report.skipped.values().map(Vec::len).sum::<usize>(),
        6
    );
}

/// The texts in shortcodes that a site publishes: `{{< name arguments >}}` holds its number.
fn shown(files: &[(&str, &str)], calls: &[&str]) -> Vec<usize> {
    let mut text = "# A\n\n".to_owned();
    for (number, call) in calls.iter().enumerate() {
        let name = call.split(' ').next().unwrap_or_default();
        text += &format!("{{{{< {call} >}}}}WORD{number}.{{{{< /{name} >}}}}\n\n");
    }
    let library = build(&[files, &[("content/a.md", text.as_str())]].concat());
    let all = super::scope::everything(&library);
    let is_shown = |number: &usize| all.contains(&format!("WORD{number}."));
    (0..calls.len()).filter(is_shown).collect()
}

#[test]
fn rule_12_shortcodes_hide_what_their_templates_do_not_write() {
    let config = "baseURL = 'https://e.org'\n[params]\noff = false\non = true\n";
    let files = [
        ("hugo.toml", config),
        (
            "layouts/shortcodes/off.html",
            "{{ if site.Params.off }}{{ .Inner }}{{ end }}",
        ),
        (
            "layouts/shortcodes/on.html",
            "{{ if site.Params.on }}{{ .Inner }}{{ end }}",
        ),
        (
            "layouts/shortcodes/theme.html",
            "{{ if site.Params.theme }}{{ .Inner }}{{ end }}",
        ),
        (
            "layouts/shortcodes/for.html",
            "{{ if eq (.Get 0) \"public\" }}{{ .Inner }}{{ end }}",
        ),
        (
            "layouts/shortcodes/note.html",
            "{{ .Page.Store.Set \"note\" .Inner }}",
        ),
        (
            "themes/x/layouts/_default/single.html",
            "{{ .Store.Get \"other\" }}",
        ),
        (
            "themes/x/config/_default/params.toml",
            "theme = true\noff = true\n",
        ),
    ];
    let calls = ["off", "on", "theme", "for staff", "for public", "note"];
    // What the site says has priority over its theme.
    assert_eq!(shown(&files, &calls), [1, 2, 4]);
    let without_theme = &files[..files.len() - 1];
    assert_eq!(shown(without_theme, &calls), [1, 4]);
}

#[test]
fn rule_12_the_language_of_a_page_decides_what_shortcodes_show() {
    let config =
        "baseURL = 'https://e.org'\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n";
    let template = "{{ if eq .Page.Lang \"de\" }}{{ .Inner }}{{ end }}";
    let library = build(&[
        ("hugo.toml", config),
        ("layouts/shortcodes/de.html", template),
        ("content/a.md", "# A\n\nA {{< de >}}hidden{{< /de >}}"),
        ("content/a.de.md", "# A\n\nA {{< de >}}shown{{< /de >}}"),
    ]);
    let all = super::scope::everything(&library);
    assert!(!all.contains("hidden") && all.contains("shown"), "{all}");
}

#[test]
fn rule_12_templates_in_texts_are_not_shown() {
    let config = "baseURL = 'https://e.org'\n";
    let calls = ["todo.inline", "todo.inline 1", "todo"];
    assert_eq!(shown(&[("hugo.toml", config)], &calls), [2]);
    let runs = format!("{config}[security]\nenableInlineShortcodes = true\n");
    assert_eq!(shown(&[("hugo.toml", &runs)], &calls), [0, 1, 2]);
    // A name of this kind is nothing in other kinds of folders.
    assert_eq!(
        shown(&[("mkdocs.yml", "docs_dir: content\n")], &calls),
        [0, 1, 2]
    );
}

#[test]
fn rule_12_a_reference_leads_to_the_language_that_the_names_of_files_say() {
    let library = build(&[
        (
            "hugo.toml",
            "title = 'H'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n[languages.fa]\nweight = 2\n",
        ),
        (
            "content/docs/b.fa.md",
            "---\ntitle: B\n---\n[1]({{< relref \"docs/c.md\" >}}) [2]({{< ref \"docs/c\" >}}) [3]({{< relref \"docs/d.md\" >}})\n",
        ),
        ("content/docs/c.md", "---\ntitle: C\n---\nwords\n"),
        ("content/docs/c.fa.md", "---\ntitle: C\n---\nwords\n"),
        ("content/docs/d.md", "---\ntitle: D\n---\nwords\n"),
    ]);
    let mut articles = library.articles.iter();
    let persian = articles.find(|one| &*one.source == "content/docs/b.fa.md");
    let targets = format!("{:?}", persian.unwrap().targets);
    let stems = ["c.fa", "c.fa", "d"].map(|name| format!("\"/articles/docs/{name}\""));
    let found: Vec<&str> = targets.split("stem: ").skip(1).collect();
    let fits = found
        .iter()
        .zip(&stems)
        .all(|(one, stem)| one.starts_with(&**stem));
    assert!(fits && found.len() == 3, "{targets}");
}
