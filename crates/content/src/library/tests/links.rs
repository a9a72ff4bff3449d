//! Link targets and embedded notes.

use super::*;

#[test]
fn rule_7_links_are_resolved_in_every_spelling() {
    check(
        &[
            ("index.md", "Home."),
            ("posts/2015-03-19-a.md", "# A\n\n## Part one\n"),
            ("posts/b c.md", "B"),
            ("posts/d/e.png", "x"),
            ("assets/f.png", "x"),
            (
                "posts/z.md",
                "[1](2015-03-19-a.md#part-one) [2](/2015/03/19/a/) [3](/posts/2015-03-19-a) [4](b%20c.md) [5](<b c.md>) [6](https://example.org/articles/b-c.html?x) [7](./d/e.png) ![8](/assets/f.png) [9](/) [10](/rss.xml) [11](2015-03-19-A.md) [12](https://else.net) [13](mailto:a@b.c) [14](2015-03-19-a.md#none) [15](gone.md) [16](#here)",
            ),
        ],
        &[
            "/articles/2015-03-19-a: ## Part one",
            "/articles/b-c: B",
            "/articles/z: [1](https://example.org/articles/2015-03-19-a.md#part-one) [2](https://example.org/articles/2015-03-19-a.md) [3](https://example.org/articles/2015-03-19-a.md) [4](https://example.org/articles/b-c.md) [5](https://example.org/articles/b-c.md) [6](https://example.org/articles/b-c.md) [7](https://example.org/articles/d/e.png) ![8](https://example.org/assets/f.png) [9](https://example.org/index.md) [10](https://example.org/rss.xml) [11](https://example.org/articles/2015-03-19-a.md) [12](https://else.net) [13](mailto:a@b.c) [14](https://example.org/articles/2015-03-19-a.md) 15 16",
            "/index: Home.",
            "/articles/d/e.png",
            "/assets/f.png",
            "posts/z.md:1:206: warning: the case of `2015-03-19-A.md` differs from the file name `posts/2015-03-19-a.md`",
            "posts/z.md:1:270: warning: broken link: the page `posts/2015-03-19-a.md` has no heading or id `#none`",
            "posts/z.md:1:297: warning: broken link: `gone.md`",
            "posts/z.md:1:311: warning: broken link: the page `posts/z.md` has no heading or id `#here`",
        ],
    );
}

#[test]
fn rule_7_a_host_in_capitals_is_this_site() {
    check(
        &[
            (
                "posts/a.md",
                "[1](HTTPS://Example.org/posts/b.md) [2](//EXAMPLE.ORG/posts/b)",
            ),
            ("posts/b.md", "B"),
        ],
        &[
            "/articles/a: [1](https://example.org/articles/b.md) [2](https://example.org/articles/b.md)",
            "/articles/b: B",
        ],
    );
}

#[test]
fn rule_7_upward_links_count_from_the_page_and_stay_in_their_language() {
    check(
        &[
            (
                "_articles/legal.md",
                "---\nlang: en\n---\nLegal [c](../conduct/)",
            ),
            ("_articles/conduct.md", "---\nlang: en\n---\nConduct"),
            (
                "_articles/de/legal.md",
                "---\nlang: de\n---\nRecht [c](../conduct/) [d](../conduct.md)",
            ),
            ("_articles/de/conduct.md", "---\nlang: de\n---\nVerhalten"),
        ],
        &[
            "/articles/conduct: Conduct",
            "/articles/de/conduct: Verhalten",
            "/articles/de/legal: Recht [c](https://example.org/articles/de/conduct.md) [d](https://example.org/articles/conduct.md)",
            "/articles/legal: Legal [c](https://example.org/articles/conduct.md)",
        ],
    );
}

#[test]
fn rule_15_wikilinks_go_by_name() {
    let mut sources = sources(&[
        ("docs/Note.md", "# Note\n\n## Some Part\n"),
        ("docs/a/Twin.md", "a"),
        ("docs/b/Twin.md", "b"),
        ("docs/img/p.png", "x"),
        (
            "docs/b/z.md",
            "---\naliases: [Zed]\n---\n[[Note#Some part|text]] [[Twin]] [[a/Twin]] [[zed]] ![[p.png]] [[None]] %%gone%%",
        ),
    ]);
    sources.hidden.insert("docs/.obsidian".to_owned());
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    let article = library
        .articles
        .iter()
        .find(|article| &*article.stem == "/articles/b/z")
        .unwrap();
    let targets: Vec<_> = article
        .targets
        .iter()
        .map(|target| match target {
            Target::Page { stem, fragment } => {
                format!("{stem}#{}", fragment.as_deref().unwrap_or_default())
            }
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        targets[..4],
        [
            "/articles/Note#some-part",
            "/articles/b/Twin#",
            "/articles/a/Twin#",
            "/articles/b/z#"
        ]
        .map(str::to_owned)
    );
    assert!(
        targets[4].contains("/articles/img/p.png") && targets[5] == "Unresolved",
        "{targets:?}"
    );
    assert!(!article.document.plain_text().contains("gone"));
}

#[test]
fn rule_7_links_to_where_the_site_was_before_stay_on_the_site() {
    let config = "url: https://tom.example\nbaseurl: /blog\npermalink: /:year/:title.html\n";
    let post = "[a](/blog/about/) [b](/blog/) [c](https://tom.example/blog/2020/x.html#top) [d](https://tom.example/shop) [e](/blogs/x)\n";
    let library = build(&[
        ("_config.yml", config),
        ("about.md", "# About\n\nWords.\n"),
        ("_posts/2020-03-04-x.md", post),
    ]);
    let article = library.articles.first().unwrap();
    let shown: Vec<String> = article
        .targets
        .iter()
        .map(|target| format!("{target:?}"))
        .collect();
    assert!(shown[0].contains("\"/about\""), "{shown:?}");
    assert!(shown[1].contains("\"/index\""), "{shown:?}");
    assert!(shown[2].contains(&*article.stem), "{shown:?}");
    assert!(shown[3].contains("https://tom.example/shop"), "{shown:?}");
    assert_eq!(article.targets[4], Target::Unresolved);
}

#[test]
fn links_and_media_of_other_schemes_are_dropped_and_named() {
    let hint = "pages link to `https:`, `http:`, `mailto:`, `tel:` and the like; to show an address as text, write it as code";
    let told = |column: usize, what: &str, address: &str, scheme: &str, hint: &str| {
        format!(
            "articles/a.md:1:{column}: warning: the {what} `{address}` is removed: pages do not link to `{scheme}:` addresses | hint: {hint}"
        )
    };
    check(
        &[(
            "articles/a.md",
            "[a](ms-msdt:/id) <a href=\"intent:x\">b</a> ![c](file:///c) <tel:+49> [d](JavaScript:d) [e](hhttps://e.example)",
        )],
        &[
            "/articles/a: a b c [tel:+49](tel:+49) d e",
            &told(1, "link", "ms-msdt:/id", "ms-msdt", hint),
            &told(21, "link", "intent:x", "intent", hint),
            &told(43, "image or file", "file:///c", "file", hint),
            &told(69, "link", "JavaScript:d", "javascript", hint),
            &told(
                87,
                "link",
                "hhttps://e.example",
                "hhttps",
                "did you mean `https:`?",
            ),
        ],
    );
}

#[test]
fn rule_15_notes_are_shown_in_others() {
    let library = build(&[
        (
            "a.md",
            "![[b]]\n\nx\n![[b#Two]]\ny\n\n- ![[b#^i]]\n\n![[secret]] ![[b]]",
        ),
        (
            "b.md",
            "# B\n\nOne [^n] [there](#two).\n\n## Two\n\n[[c]]\n\n### Three\n\n## Four\n\n- p\n- q ^i\n\n[^n]: Note.",
        ),
        ("c.md", "![[a]]"),
        ("secret.md", "---\npublish: false\n---\nCANARY"),
    ]);
    let b = "https://example.org/articles/b.md";
    let expected = format!(
        "> [B]({b})\n>\n> One [^1] [there]({b}#two).\n>\n> **Two**\n>\n> [c](https://example.org/articles/c.md)\n>\n> **Three**\n>\n> **Four**\n>\n> - p\n> - q\n\nx\n\n\
         > [b#Two]({b}#two)\n>\n> **Two**\n>\n> [c](https://example.org/articles/c.md)\n>\n> **Three**\n\ny\n\n- > [b#^i]({b}#%5Ei)\n  >\n  > q\n\nsecret [b]({b})\n\n[^1]: Note."
    );
    assert_eq!(
        twin(&library, "/articles/a"),
        expected.replace("[b#Two]", "[B]").replace("[b#^i]", "[B]")
    );
    // A circle ends where it begins.
    assert!(
        twin(&library, "/articles/c").contains("> > One"),
        "{}",
        twin(&library, "/articles/c")
    );
    let library = build(&[
        ("a.md", "![[b]]"),
        ("b.md", "words\n\n![[a]]"),
        ("z.md", "[[a]] [[b]]"),
    ]);
    assert_eq!(
        twin(&library, "/articles/a"),
        "> [B](https://example.org/articles/b.md)\n>\n> words\n>\n> [a](https://example.org/articles/a.md)"
    );
    assert!(library.problems.iter().any(|problem| problem.to_string()
        == "a.md:1:1: warning: `![[a]]` becomes a plain link: it embeds itself"));
}

#[test]
fn notes_that_show_many_others_are_bounded() {
    let names: Vec<String> = (0..30).map(|number| format!("n{number}")).collect();
    let all: String = names
        .iter()
        .map(|name| format!("![[{name}]]\n\n{}\n\n", "words ".repeat(200)))
        .collect();
    let files: Vec<(String, &str)> = names
        .iter()
        .map(|name| (format!("{name}.md"), all.as_str()))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    let library = build(&files);
    assert!(
        library
            .articles
            .iter()
            .all(|article| article.document.plain_text().len() < 1_000_000)
    );
}

#[test]
fn rule_15_the_bar_of_a_wikilink_is_escaped_in_a_table() {
    let table = "| a |\n|---|\n| [[b#^1a\\|one]] ![[p.png\\|40]] [[none\\|two]] |\n";
    let words = "# B\n\nWords. ^1a\n";
    let mut files = sources(&[("a.md", table), ("b.md", words), ("p.png", "x")]);
    files.hidden.insert(".obsidian".to_owned());
    let library = Library::build(&files, &site(), NOW.parse().unwrap());
    let found: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    let links: Vec<&String> = found
        .iter()
        .filter(|one| one.starts_with("a.md:3"))
        .collect();
    assert_eq!(links.len(), 1, "{found:?}");
    assert!(links[0].contains("`none`"), "{found:?}");
}

#[test]
fn rule_15_a_wikilink_without_words_names_its_place_in_words() {
    let mut vault = sources(&[
        (
            "a.md",
            "[[b#Two words]] [[b#^i]] [[#Here]] [[b#^i|own]] [[b]] [[#^i]]\n\n## Here\n\nx ^i\n",
        ),
        ("b.md", "## Two words\n\ny ^i\n"),
    ]);
    vault.hidden.insert(".obsidian".to_owned());
    let library = Library::build(&vault, &site(), NOW.parse().unwrap());
    let text = twin(&library, "/articles/a");
    let words: Vec<&str> = text.lines().next().unwrap().split("[").skip(1).collect();
    let words: Vec<&str> = words
        .iter()
        .map(|rest| rest.split("](").next().unwrap())
        .collect();
    assert_eq!(words, ["b > Two words", "b", "Here", "own", "b", "#^i"]);
}

#[test]
fn rule_61_fragments_lead_to_headings_by_the_rule_of_the_generator() {
    check(
        &[
            ("mkdocs.yml", "site_name: M\n"),
            (
                "docs/a.md",
                "# A\n\n[1](b.md#c-d) [2](b.md#c-d_1) [3](b.md#c--d) [4](b.md#c-d-7) [5](b.md#main-content) [6](b.md#none)\n",
            ),
            ("docs/b.md", "# B\n\n## C & D\n\n## C & D\n"),
        ],
        &[
            "/articles/a: [1](https://example.org/articles/b.md#c-d) [2](https://example.org/articles/b.md#c-d_1) [3](https://example.org/articles/b.md#c--d) [4](https://example.org/articles/b.md#c--d) [5](https://example.org/articles/b.md#top) [6](https://example.org/articles/b.md)",
            "/articles/b: ## C & D||## C & D",
            "docs/a.md:3:85: warning: broken link: the page `docs/b.md` has no heading or id `#none`",
        ],
    );
}

#[test]
fn rule_61_components_name_places() {
    let library = build(&[(
        "articles/a.mdx",
        "# A\n\n[1](#ann) [2](#steps) [3](#one) [4](#v)\n\n<Member name=\"Ann\" permalink=\"ann\" />\n\n<Recipes titleText=\"Steps\" titleId=\"steps\">\n\nx <Step id=\"one\">y</Step>\n\n</Recipes>\n\n<YouTube id=\"v\" />\n\n## B _c_ {/*b-_c_*/}\n",
    )]);
    assert_eq!(
        library.articles[0].document.ids(),
        ["a", "ann", "steps", "one", "b-_c_"]
    );
    assert_eq!(library.problems.len(), 1, "{:?}", library.problems);
}

#[test]
fn rule_45_copied_files_below_the_address_of_a_page() {
    let library = build(&[
        ("hugo.toml", "title = 'H'"),
        (
            "content/docs/a/_index.md",
            "[x](x.zip) [y](../y.zip) [no](z.zip)",
        ),
        ("content/docs/b.md", "<a href=\"x.yaml\">x</a>"),
        ("static/docs/a/x.zip", "x"),
        ("static/docs/y.zip", "x"),
        ("static/docs/b/x.yaml", "x"),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        ["content/docs/a/_index.md:1:26: warning: broken link: `z.zip`"]
    );
}

#[test]
fn rule_45_dated_addresses_of_a_folder_whose_texts_have_slugs() {
    let library = build(&[
        ("next.config.js", "module.exports = {}"),
        ("content/docs/a.mdx", "[x](/news/2015/11/26/eol/) <B />"),
        ("content/docs/c.mdx", "<B />"),
        (
            "content/news/2015-11-26-eol.md",
            "---\nslug: eol\ndate: 2015-11-26\n---\nwords",
        ),
    ]);
    assert_eq!(library.problems, []);
}

#[test]
fn a_link_to_an_old_address_is_not_said_to_be_in_another_case() {
    let library = build(&[
        (
            "content/docs/new/b.md",
            "---\naliases: [/docs/old/b/]\n---\nB.",
        ),
        ("content/x/a.md", "[b](../../../old/b.md)"),
        ("hugo.toml", "title = 'H'"),
    ]);
    assert_eq!(library.problems, []);
}

#[test]
fn rule_47_files_beside_a_text_are_found_by_its_address() {
    let library = build(&[
        ("config.toml", "base_url = 'https://e.org'"),
        (
            "content/posts/01-one/index.md",
            "+++\npath = 'one'\n+++\n![x](../two/x.svg) ![y](/two/deep/y.svg) ![z](z.svg) ![n](../two/n.svg)",
        ),
        ("content/posts/01-one/z.svg", "x"),
        (
            "content/posts/02-two/index.md",
            "+++\npath = 'two'\n+++\nwords",
        ),
        ("content/posts/02-two/x.svg", "x"),
        ("content/posts/02-two/deep/y.svg", "x"),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        ["content/posts/01-one/index.md:4:54: warning: missing image or file: `../two/n.svg`"]
    );
}

#[test]
fn rule_48_a_link_to_the_file_of_a_section_without_a_text() {
    let library = build(&[
        ("config.toml", "base_url = 'https://e.org'"),
        (
            "content/a/b/c.md",
            "+++\ntitle = 'C'\n+++\n[x](@/a/b/_index.md) [y](@/none/_index.md)",
        ),
        ("content/a/b/_index.md", "+++\ntitle = 'B'\n+++\n"),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        ["content/a/b/c.md:4:22: warning: broken link: `@/none/_index.md`"]
    );
}

#[test]
fn rule_61_terms_of_hugo_are_places_where_its_configuration_says_so() {
    for (config, count) in [("true", 0), ("false", 1)] {
        let library = build(&[
            (
                "hugo.toml",
                &format!("[markup.goldmark.parser]\nautoDefinitionTermID = {config}\n"),
            ),
            ("content/a.md", "Base URL\n: Words.\n\n[x](#base-url)"),
        ]);
        assert_eq!(library.problems.len(), count, "{config}");
    }
}
