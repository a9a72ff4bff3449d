//! Invariants of every document: both representations agree, parsing the twin gives the same
//! content, nothing panics, and the nesting depth is bounded.

use proptest::prelude::*;

use super::*;
use crate::model::site::BaseUrl;
use crate::syntax::markdown::{self, Options};
use crate::testing::{BASE, balanced, cases, check, write};

#[test]
fn found_texts_and_their_twins_agree() {
    let text = "| <table>![| a | b |\n|---|---|\n| c | d |\n[]]( |2) ";
    assert_eq!(check(&parsed(text)), Ok(()), "{text:?}");
}

/// Fragments of Markdown and HTML: mixtures of them find more bugs than random characters.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "\n", "\n\n", "\n\n", " ", "  ", "    ", "\t", "# ", "## ", "### ", "- ", "* ", "+ ", "1. ", "2) ", "> ", "> > ", "```\n", "~~~ js x\n", "---\n", "===\n",
            "| a | b |\n|---|---|\n| c | d |\n", "| ", " |", "|-|-|", "[", "]", "(", ")", "](", "](x)", "![", "<", ">", "&", "&amp;", "*", "**", "_", "__", "`", "``", "~~", "~", "==",
            "\\", "!", ":", "{#id}", "{ id=\"x\" }", "{: .x}", "{{", "{%", "%%", "$", "^", "[^1]", "[^1]: ", "[ ] ", "[x] ", "[!NOTE]", "[!tip]- ", "http://a.example/b_c", "www.example.org", "a@example.org",
            "[l](u.md)", "[l](https://e.org/(x) \"t\")", "![i](i.png)", "[![i](i.png)](u)", "[r]", "[r]: /url\n", "word", "Wort", "ünï", "日本", "«", "…", "a.b", "1", "\u{a0}", "🎉",
        ]).prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "<div>", "</div>", "<div class=\"a\" id=\"i\">\n\n", "<p>", "</p>", "<b>", "</b>", "<a href=\"x\">", "</a>", "<span>", "</span>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</td>",
            "</table>", "<h2>", "</h2>", "<h1 id=\"i\">", "</h1>", "<pre>", "</pre>", "<code>", "</code>", "<img src=\"a.png\" alt=\"b\">", "<br>", "<hr>", "<blockquote>", "</blockquote>", "<details>", "<summary>",
            "</summary>", "</details>", "<figure>", "<figcaption>", "</figure>", "<iframe src=\"https://v.example/x\">", "</iframe>", "<!--", "-->", "<script>", "</script>", "<style>", "<dl>", "<dt>", "<dd>", "</dl>",
            "<div markdown=\"1\">", "<video>", "<source src=\"a.mp4\">", "</video>", "<sup>", "</sup>", "<kbd>", "</kbd>", "<th>", "<thead>", "<caption>", "<!DOCTYPE x>", "<?x?>", "<noscript>", "</noscript>", "<svg>", "</svg>",
        ]).prop_map(str::to_owned),
        1 => "[a-z ]{1,8}",
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn both_forms_and_the_twin_read_again_agree(text in text()) {
        let document = markdown::parse(&text, &Options::default());
        if let Err(error) = check(&document) {
            prop_assert!(false, "{error}\nfrom: {text:?}");
        }
    }

    #[test]
    fn whole_pages_agree_too(text in text()) {
        let page = crate::syntax::html::parse_page(&text);
        if let Err(error) = check(&page.document) {
            prop_assert!(false, "{error}\nfrom: {text:?}");
        }
    }

    #[test]
    fn all_options_are_safe(text in text(), wikilinks: bool, math: bool) {
        let document = markdown::parse(&text, &Options { first_line: 7, wikilinks, math });
        let (html, twin, _) = write(&document);
        prop_assert_eq!(html.outline, twin.outline);
        prop_assert_eq!(balanced(&html.text), Ok(()));
        prop_assert!(document.references.iter().all(|reference| reference.line >= 7 && reference.column >= 1));
        document.headings();
        document.first_prose(80);
        document.word_count();
        document.clone().take_title(None);
        document.clone().take_title(Some("word"));
    }
}

/// The Markdown files of a folder and its subfolders, in order.
#[allow(
    clippy::disallowed_methods,
    reason = "the folders lie beside the crate"
)]
fn articles(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            articles(&path, found);
        } else if path
            .extension()
            .is_some_and(|suffix| ["md", "mdx", "qmd"].iter().any(|known| suffix == *known))
        {
            let bytes = std::fs::read(&path).unwrap();
            found.push((
                path.display().to_string(),
                String::from_utf8_lossy(&bytes).into_owned(),
            ));
        }
    }
}

/// Checks every article of a folder; there must be at least one.
fn articles_agree(folder: &std::path::Path) {
    let mut found = Vec::new();
    articles(folder, &mut found);
    assert!(
        found.len() > 10,
        "{} articles in `{}`",
        found.len(),
        folder.display()
    );
    let mut failures = Vec::new();
    for (name, text) in &found {
        let document = markdown::parse(
            crate::syntax::front::split(text, name).body,
            &Options::default(),
        );
        if let Err(error) = check(&document) {
            failures.push(format!(
                "{name}: {}",
                error.lines().next().unwrap_or_default()
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        found.len(),
        failures[..failures.len().min(20)].join("\n")
    );
}

/// Real articles of this repository.
#[test]
fn articles_of_our_own_agree_with_their_twins() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    [
        "crates/diglot/tests/folders",
        "examples/field-notes",
        "docs",
    ]
    .iter()
    .for_each(|folder| articles_agree(&root.join(folder)));
}

mod needs_corpora {
    use super::*;

    /// Every article of the corpora.
    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    #[allow(
        clippy::disallowed_methods,
        reason = "the corpora lie beside the workspace"
    )]
    fn real_articles_agree_with_their_twins() {
        let beside =
            || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
        articles_agree(
            &std::env::var_os("DIGLOT_CORPORA").map_or_else(beside, std::path::PathBuf::from),
        );
    }
}

fn parsed(text: &str) -> Document {
    markdown::parse(text, &Options::default())
}

#[test]
fn rule_10_the_title_is_taken_once() {
    let take = |text: &str, known: Option<&str>| {
        let mut document = parsed(text);
        let title = document.take_title(known);
        (
            title,
            document.title_id.clone(),
            document
                .headings()
                .into_iter()
                .map(|heading| (heading.level, heading.text))
                .collect::<Vec<_>>(),
        )
    };
    let heading = |level: u8, text: &str| (level, text.to_owned());
    assert_eq!(
        take("# A *b*\n\n## c", None),
        (
            Some("A b".into()),
            Some("a-b".into()),
            vec![heading(2, "c")]
        )
    );
    assert_eq!(
        take("![x](y)\n\n# A\n\n## c", None).0.as_deref(),
        Some("A"),
        "behind an image"
    );
    assert_eq!(
        take("<div class=x>\n\n# A\n\n</div>", None).0.as_deref(),
        Some("A"),
        "in a container"
    );
    assert_eq!(
        take("Words.\n\n# A", None),
        (Some("A".into()), Some("a".into()), vec![]),
        "the only one"
    );
    assert_eq!(
        take("Words.\n\n# A\n\n# B", None),
        (
            Some("A".into()),
            None,
            vec![heading(2, "A"), heading(2, "B")]
        ),
        "one of several"
    );
    assert_eq!(
        take("# A: b\n", Some("a – B")),
        (Some("A: b".into()), Some("a-b".into()), vec![])
    );
    assert_eq!(
        take("# A\n", Some("C")),
        (None, None, vec![heading(2, "A")])
    );
    assert_eq!(take("## A\n", None), (None, None, vec![heading(2, "A")]));
}

#[test]
fn rule_6_the_first_prose_is_a_summary() {
    let prose = |text: &str, max: usize| parsed(text).first_prose(max);
    assert_eq!(
        prose(
            "![a](b)\n\n> q\n\n| a |\n|---|\n\n# H\n\nThe *first*\nwords.",
            200
        )
        .as_deref(),
        Some("The first words.")
    );
    assert_eq!(
        prose("One sentence here. Another one that is longer.", 25).as_deref(),
        Some("One sentence here.")
    );
    assert_eq!(
        prose("Some words without an end to them", 20).as_deref(),
        Some("Some words without…")
    );
    assert_eq!(
        prose("<div class=x>\n\nInside.\n\n</div>", 20).as_deref(),
        Some("Inside.")
    );
    assert_eq!(
        prose("**Windows:**\n\n[One](a) [Two](b)\n\nWords **here**.", 20).as_deref(),
        Some("Words here.")
    );
    assert_eq!(
        prose("**Bold words of a whole sentence.**\n\nx y", 40).as_deref(),
        Some("Bold words of a whole sentence.")
    );
    assert_eq!(prose("[One](a)", 20), None);
    assert_eq!(prose("```\ncode\n```\n", 20), None);
    for max in 1..40 {
        assert!(
            prose("Ünïcode wörds, 日本語 of all kinds. And more!", max)
                .unwrap()
                .chars()
                .count()
                <= max
        );
    }
}

#[test]
fn words_are_counted_as_readers_read() {
    assert_eq!(
        parsed("# It's *one*\n\n- `two` three\n\n```\nfour five\n```").word_count(),
        6
    );
    assert_eq!(parsed("日本語 text").word_count(), 4);
    assert_eq!(
        parsed("don't ''x' it’s *a*b 'c 12 é’é *it*'s").word_count(),
        8
    );
}

#[test]
fn every_id_can_be_found() {
    let mut document = parsed(
        "# T {#t}\n\n## A\n\n<a name=\"b\"></a><div id=c>\n\nx <span id=d>y</span>\n\n</div>\n\n<p id=e>z</p>\n\n<div id=\"f\"></div>\n\nlast",
    );
    document.take_title(None);
    assert_eq!(document.ids(), ["t", "a", "b", "c", "d", "e", "f"]);
}

#[test]
fn the_feed_is_sanitised() {
    let document = parsed(
        "> [!NOTE]\n> x\n\n- [x] done\n\n<iframe src=\"https://v.example/1\"></iframe>\n\n<form action=x><input name=y>text</form>\n\n<div id=y class=x style=z>\n\n## H\n\n[here](#h)[^1]\n\n</div>\n\n```js\nlet a\n```\n\n[^1]: n",
    );
    let (_, _, feed) = write(&document);
    for forbidden in [
        "<iframe",
        "<script",
        "<style",
        "<form",
        "<input",
        "style=",
        " id=",
        "class=\"x",
        "role=",
        "aria-",
        "tabindex",
        "loading=",
        "href=\"#",
        "<span",
    ] {
        assert!(
            !feed.text.contains(forbidden),
            "{forbidden} in {}",
            feed.text
        );
    }
    assert!(
        feed.text
            .contains("<a href=\"https://v.example/1\">v.example</a>"),
        "{}",
        feed.text
    );
    assert!(
        feed.text
            .contains("<a href=\"https://example.org/blog/articles/me.html#h\">here</a>"),
        "{}",
        feed.text
    );
    assert!(feed.text.contains("☑ done"), "{}", feed.text);
}

#[test]
fn tex_cannot_end_its_formula_in_a_twin() {
    let twin = |tex: &str, display: bool| {
        let block = if display {
            Block::Math(tex.to_owned())
        } else {
            Block::Paragraph(vec![Inline::Math {
                tex: tex.to_owned(),
                display: false,
            }])
        };
        write(&Document {
            blocks: vec![block],
            ..Document::default()
        })
        .1
        .text
    };
    for (tex, inline, display) in [
        (
            "x_1 \\\\[2pt] y",
            "$x_1 \\\\[2pt] y$\n",
            "$$\nx_1 \\\\[2pt] y\n$$\n",
        ),
        ("a <b> c", "$a < b> c$\n", "$$\na < b> c\n$$\n"),
        (
            "[a](javascript:x)",
            "$[a] (javascript:x)$\n",
            "$$\n[a] (javascript:x)\n$$\n",
        ),
        (
            "a $ <script>x</script>",
            "`a $ < script>x< /script>`\n",
            "`a $ < script>x< /script>`\n",
        ),
        (
            "\\text{costs \\$5}",
            "`\\text{costs \\$5}`\n",
            "`\\text{costs \\$5}`\n",
        ),
        ("a \\) b \\] c", "`a \\) b \\] c`\n", "`a \\) b \\] c`\n"),
        ("a\\ ", "`a\\`\n", "`a\\`\n"),
        ("a`b", "``a`b``\n", "``a`b``\n"),
    ] {
        assert_eq!(
            (twin(tex, false), twin(tex, true)),
            (inline.to_owned(), display.to_owned()),
            "{tex}"
        );
    }
}

proptest! {
    #[test]
    fn no_tex_ends_its_formula_in_a_twin(tex in "[$\\\\()\\[\\]{}`<>a/|\n ]{1,24}") {
        prop_assume!(!tex.trim().is_empty());
        for (display, block) in [(false, Block::Paragraph(vec![Inline::Math { tex: tex.clone(), display: false }, Inline::text(" behind")])), (true, Block::Math(tex.clone()))] {
            let twin = write(&Document { blocks: vec![block, Block::Paragraph(vec![Inline::text("Words.")])], ..Document::default() }).1.text;
            let read = markdown::parse(&twin, &Options { math: true, ..Options::default() });
            let whole = matches!(read.blocks.last(), Some(Block::Paragraph(line)) if *line == [Inline::text("Words.")]);
            let foreign = read.blocks[0].lines().flatten().any(|inline| match inline {
                Inline::Math { .. } | Inline::Code(_) => false,
                Inline::Text(text) => !(text.trim().is_empty() || text.trim() == "behind"),
                _ => true,
            });
            prop_assert!(whole && !foreign, "{display}: {tex:?} as {twin:?}");
        }
    }
}

#[test]
fn images_have_sizes_and_all_but_the_first_wait() {
    let document = parsed("![a](a.png) ![b](b.png)\n\n<img src=\"c.png\" width=\"50\">");
    let base = BaseUrl::parse(BASE).unwrap();
    let file = |name: &str| Target::File {
        path: format!("/{name}").into(),
        suffix: String::new(),
        size: Some((100, 60)),
    };
    let targets = [file("a.png"), file("b ü.png"), file("c.png")];
    let rendering = Rendering {
        base: &base,
        stem: "/x",
        targets: &targets,
        purpose: Purpose::Page,
        typography: None,
        back: None,
    };
    assert_eq!(
        write_html(&document, &rendering).text,
        "<p><img src=\"/blog/a.png\" alt=\"a\" width=\"100\" height=\"60\"> \
         <img src=\"/blog/b%20%C3%BC.png\" alt=\"b\" width=\"100\" height=\"60\" loading=\"lazy\" decoding=\"async\"></p>\n\
         <p><img src=\"/blog/c.png\" alt=\"\" width=\"50\" height=\"30\" loading=\"lazy\" decoding=\"async\"></p>\n"
    );
}

#[test]
fn white_space_at_the_edges_of_emphasis_is_outside_of_it() {
    let check = |text: &str, expected: &str| {
        assert_eq!(write(&parsed(text)).1.text.trim_end(), expected, "{text}")
    };
    check("a<em> b </em>c", "a *b* c");
    check("a<b><em> b </em></b>c", "a ***b*** c");
    check("a<em> </em>b", "a b");
    check(
        "a<em> b <a href=\"https://a.org/\"><em>c</em> d</a> </em>e",
        "a *b [*c* d](https://a.org/)* e",
    );
}

#[test]
fn films_and_pages_shown_as_images_are_links() {
    let document = parsed("![A film](film.mp4) ![](note) ![gone](gone)");
    let base = BaseUrl::parse(BASE).unwrap();
    let targets = [
        Target::Url("https://v.example/film.mp4".into()),
        Target::Page {
            stem: "/articles/note".into(),
            fragment: None,
        },
        Target::Unresolved,
    ];
    let rendering = |purpose| Rendering {
        base: &base,
        stem: "/x",
        targets: &targets,
        purpose,
        typography: None,
        back: None,
    };
    let (page, twin) = (
        write_html(&document, &rendering(Purpose::Page)),
        write_markdown(&document, &rendering(Purpose::Twin)),
    );
    assert_eq!(
        page.text,
        "<p><a href=\"https://v.example/film.mp4\">A film</a> <a href=\"/blog/articles/note.html\">note</a> gone</p>\n"
    );
    assert_eq!(
        twin.text,
        "[A film](https://v.example/film.mp4) [note](https://example.org/blog/articles/note.md) gone\n"
    );
    assert_eq!(page.outline, twin.outline);
    assert_eq!(
        page.outline.links,
        ["https://v.example/film.mp4", "/articles/note"]
    );
}

#[test]
fn a_table_s_region_has_its_own_name() {
    let wide = "x".repeat(99);
    let document = parsed(&format!(
        "## Prices\n\n|a|\n|-|\n|{wide}|\n\n|narrow|\n|-|\n|d|\n\n|{wide}|\n|-|\n|d|\n\n<table><caption>All</caption><tr><td>{wide}</table>"
    ));
    let (page, _, _) = write(&document);
    assert_eq!(page.text.matches(" tabindex=\"0\"").count(), 3);
    for label in [
        "aria-label=\"Prices\"",
        "aria-label=\"Prices (2)\"",
        "aria-label=\"All\"",
    ] {
        assert!(page.text.contains(label), "{label} in {}", page.text);
    }
}

/// The nesting depth is bounded, and inner content is kept.
#[test]
fn deep_markdown_is_flattened() {
    for unit in ["> ", "- ", "1. ", "**a ", "> - "] {
        let text = format!("{}deep\n\nafter", unit.repeat(5_000));
        let document = parsed(&text);
        let (page, twin, _) = write(&document);
        assert!(
            page.text.contains("deep") && page.text.contains("after"),
            "{unit}"
        );
        assert!(
            twin.text.contains("deep") && twin.text.contains("after"),
            "{unit}"
        );
        assert!(page.text.matches("<blockquote>").count() < 200, "{unit}");
    }
}
